#include "backends/cuda/cupti_library.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "backends/backend.h"
#include "backends/cuda/shared_library.h"

namespace ropebench {
namespace {

constexpr CUpti_ActivityKind kKinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
    // A mark is recorded with the API call that it surrounds, so calls are recorded as well.
    CUPTI_ACTIVITY_KIND_RUNTIME,
    CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
};

struct KernelTimes {
  std::uint64_t start_ns;
  std::uint64_t end_ns;
  std::uint32_t device;
};

// What the callbacks have delivered, by CUPTI's number of the launch. Process-wide, as the
// callbacks are, which come from a thread of CUPTI's as well as from the flushing one.
struct Records {
  std::mutex mutex;
  std::unordered_map<std::uint32_t, KernelTimes> kernels;
  std::unordered_map<std::uint32_t, LaunchMark> marks;
  std::size_t dropped = 0;
  int recordings = 0;  // CuptiRecording objects alive
};

// Never destroyed: CUPTI may deliver a last buffer while the process ends.
Records& AllRecords() {
  static auto* const records = new Records;
  return *records;
}

const CuptiApi* g_api = nullptr;  // set before the callbacks are registered

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kBufferAlignment = 8;

void CUPTIAPI ProvideBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *max_records = 0;  // as many as fit
}

void CUPTIAPI TakeBuffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                         std::size_t valid_bytes) {
  Records& records = AllRecords();
  const std::lock_guard lock(records.mutex);
  CUpti_Activity* activity = nullptr;
  while (valid_bytes > 0 &&
         g_api->get_next_record(buffer, valid_bytes, &activity) == CUPTI_SUCCESS) {
    if (activity->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const auto& kernel = *reinterpret_cast<const CUpti_ActivityKernel10*>(activity);
      records.kernels[kernel.correlationId] = {kernel.start, kernel.end, kernel.deviceId};
    } else if (activity->kind == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) {
      const auto& mark = *reinterpret_cast<const CUpti_ActivityExternalCorrelation*>(activity);
      records.marks[mark.correlationId] = mark.externalId;
    }
  }
  std::size_t dropped = 0;
  if (g_api->get_num_dropped_records(context, stream, &dropped) == CUPTI_SUCCESS) {
    records.dropped += dropped;
  }
  std::free(buffer);
}

std::vector<std::string> LibraryNames() {
  const std::string versioned = fmt::format("libcupti.so.{}", CUDART_VERSION / 1000);
  std::vector<std::string> names{versioned, "libcupti.so"};
  std::vector<std::string> roots;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* root = std::getenv(variable)) roots.emplace_back(root);
  }
  roots.emplace_back("/usr/local/cuda");
  for (const std::string& root : roots) {
    for (const char* folder : {"lib64", "extras/CUPTI/lib64", "lib"}) {
      names.push_back(fmt::format("{}/{}/{}", root, folder, versioned));
      names.push_back(fmt::format("{}/{}/libcupti.so", root, folder));
    }
  }
  return names;
}

CuptiApi Load() {
  const auto library = SharedLibrary::Open(LibraryNames());
  if (!library) {
    throw DeviceError(fmt::format(
        "libcupti.so.{} was not found: install it (cuda-cupti) or set CUDA_HOME to the toolkit, or "
        "use --protocol cold_events",
        CUDART_VERSION / 1000));
  }
  CuptiApi api{};
  const auto find = [&](auto& function, const char* name) {
    function = library->Find<std::remove_reference_t<decltype(function)>>(name);
    if (function == nullptr) {
      throw DeviceError(fmt::format("libcupti lacks {}: use --protocol cold_events", name));
    }
  };
  find(api.get_version, "cuptiGetVersion");
  find(api.get_result_string, "cuptiGetResultString");
  find(api.register_callbacks, "cuptiActivityRegisterCallbacks");
  find(api.enable, "cuptiActivityEnable");
  find(api.disable, "cuptiActivityDisable");
  find(api.flush_all, "cuptiActivityFlushAll");
  find(api.get_next_record, "cuptiActivityGetNextRecord");
  find(api.get_num_dropped_records, "cuptiActivityGetNumDroppedRecords");
  find(api.push_external_id, "cuptiActivityPushExternalCorrelationId");
  find(api.pop_external_id, "cuptiActivityPopExternalCorrelationId");

  // The layout of a kernel record is fixed within a major version.
  std::uint32_t version = 0;
  if (api.get_version(&version) != CUPTI_SUCCESS || version / 10000 != CUPTI_API_VERSION / 10000) {
    throw DeviceError(fmt::format(
        "the libcupti found has interface {}, this build expects {}: set CUDA_HOME to a toolkit of "
        "CUDA {}, or use --protocol cold_events",
        version, CUPTI_API_VERSION, CUDART_VERSION / 1000));
  }
  return api;
}

// Whether every kernel of `marked` has its record; then `durations_ns` holds the sums.
bool AllArrived(const Records& records, const std::vector<MarkedKernels>& marked,
                std::vector<double>& durations_ns) {
  std::unordered_map<LaunchMark, std::size_t> index_of;
  for (std::size_t i = 0; i < marked.size(); ++i) index_of[marked[i].mark] = i;
  std::vector<std::size_t> arrived(marked.size(), 0);
  durations_ns.assign(marked.size(), 0.0);
  for (const auto& [correlation, mark] : records.marks) {
    const auto entry = index_of.find(mark);
    const auto kernel = records.kernels.find(correlation);
    if (entry == index_of.end() || kernel == records.kernels.end()) continue;
    const KernelTimes& times = kernel->second;
    if (times.start_ns == 0 || times.end_ns < times.start_ns) {
      throw DeviceError("CUPTI recorded a kernel without usable times");
    }
    ++arrived[entry->second];
    durations_ns[entry->second] += static_cast<double>(times.end_ns - times.start_ns);
  }
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (arrived[i] != marked[i].kernels) return false;
  }
  return true;
}

void Forget(Records& records, const std::vector<MarkedKernels>& marked, int device) {
  std::unordered_set<LaunchMark> taken;
  for (const MarkedKernels& entry : marked) taken.insert(entry.mark);
  std::erase_if(records.marks, [&](const auto& mark) { return taken.contains(mark.second); });
  std::erase_if(records.kernels, [&](const auto& kernel) {
    return kernel.second.device == static_cast<std::uint32_t>(device);
  });
}

}  // namespace

const CuptiApi& LoadCupti() {
  static const CuptiApi api = Load();
  static const bool registered = [] {
    g_api = &api;
    return api.register_callbacks(ProvideBuffer, TakeBuffer) == CUPTI_SUCCESS;
  }();
  if (!registered) throw DeviceError("CUPTI takes no callbacks: use --protocol cold_events");
  return api;
}

void CheckCupti(CUptiResult result, const char* attempt) {
  if (result == CUPTI_SUCCESS) return;
  const char* name = nullptr;
  LoadCupti().get_result_string(result, &name);
  std::string message = fmt::format("{}: {}", attempt, name == nullptr ? "CUPTI error" : name);
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      message +=
          "; the driver lets administrators only profile "
          "(NVreg_RestrictProfilingToAdminUsers): run as root, or use --protocol cold_events";
      break;
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_HARDWARE_BUSY:
      message +=
          "; another profiler is attached to this process: run without it, or use --protocol "
          "cold_events or do_bench";
      break;
    default:
      message += "; --protocol cold_events does without CUPTI";
  }
  throw DeviceError(message);
}

CuptiRecording::CuptiRecording() {
  const CuptiApi& api = LoadCupti();
  Records& records = AllRecords();
  {
    const std::lock_guard lock(records.mutex);
    if (records.recordings++ > 0) return;
  }
  for (std::size_t i = 0; i < std::size(kKinds); ++i) {
    const CUptiResult result = api.enable(kKinds[i]);
    if (result == CUPTI_SUCCESS) continue;
    for (std::size_t j = 0; j < i; ++j) api.disable(kKinds[j]);
    {
      const std::lock_guard lock(records.mutex);
      --records.recordings;
    }
    CheckCupti(result, "asking CUPTI for kernel records");
  }
}

CuptiRecording::~CuptiRecording() {
  Records& records = AllRecords();
  {
    const std::lock_guard lock(records.mutex);
    if (--records.recordings > 0) return;
  }
  for (CUpti_ActivityKind kind : kKinds) g_api->disable(kind);
  g_api->flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const std::lock_guard lock(records.mutex);
  records.kernels.clear();
  records.marks.clear();
  records.dropped = 0;
}

LaunchMark NewLaunchMark() {
  static std::atomic<LaunchMark> last{0};
  return ++last;
}

std::vector<double> TakeDurationsNs(const std::vector<MarkedKernels>& marked, int device) {
  constexpr int kAttempts = 20;
  const CuptiApi& api = LoadCupti();
  Records& records = AllRecords();
  std::vector<double> durations_ns;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    // The first flush usually delivers all. Records of finished kernels may still be on their way;
    // a forced flush asks for buffers that are not yet complete.
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(attempt));
    const std::uint32_t flag =
        attempt == 0 ? CUPTI_ACTIVITY_FLAG_NONE : CUPTI_ACTIVITY_FLAG_FLUSH_FORCED;
    CheckCupti(api.flush_all(flag), "asking CUPTI for its records");
    const std::lock_guard lock(records.mutex);
    if (const std::size_t dropped = std::exchange(records.dropped, 0); dropped != 0) {
      throw DeviceError(fmt::format("CUPTI dropped {} records", dropped));
    }
    if (AllArrived(records, marked, durations_ns)) {
      Forget(records, marked, device);
      return durations_ns;
    }
  }
  std::size_t kernels = 0;
  for (const MarkedKernels& entry : marked) kernels += entry.kernels;
  const std::lock_guard lock(records.mutex);
  const std::size_t arrived = records.kernels.size();
  Forget(records, marked, device);
  throw DeviceError(
      fmt::format("CUPTI did not record all of {} kernels ({} records came)", kernels, arrived));
}

}  // namespace ropebench
