// The CUPTI library and the kernel records that it delivers.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ropebench {

// The functions of libcupti that are used.
struct CuptiApi {
  decltype(&cuptiGetVersion) get_version;
  decltype(&cuptiGetResultString) get_result_string;
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks;
  decltype(&cuptiActivityEnable) enable;
  decltype(&cuptiActivityDisable) disable;
  decltype(&cuptiActivityFlushAll) flush_all;
  decltype(&cuptiActivityGetNextRecord) get_next_record;
  decltype(&cuptiActivityGetNumDroppedRecords) get_num_dropped_records;
  decltype(&cuptiActivityPushExternalCorrelationId) push_external_id;
  decltype(&cuptiActivityPopExternalCorrelationId) pop_external_id;
};

// Loads the library on the first call and keeps it. Throws DeviceError with what to do about it.
const CuptiApi& LoadCupti();

// Throws DeviceError with the result's name, and with what to do where that is known.
void CheckCupti(CUptiResult result, const char* attempt);

// While one lives, CUPTI records kernels. Several share the same recording.
class CuptiRecording {
 public:
  CuptiRecording();
  ~CuptiRecording();
  CuptiRecording(const CuptiRecording&) = delete;
  CuptiRecording& operator=(const CuptiRecording&) = delete;
};

// Kernels launched between Push and Pop carry this mark.
using LaunchMark = std::uint64_t;
LaunchMark NewLaunchMark();  // never twice in a process

struct MarkedKernels {
  LaunchMark mark;
  std::size_t kernels;  // launched under the mark
};

// For each entry the summed durations of its kernels, which have all finished. Forgets them, and
// every unmarked kernel of that device. Throws DeviceError if a record is missing, was dropped or
// carries no times.
std::vector<double> TakeDurationsNs(const std::vector<MarkedKernels>& marked, int device);

}  // namespace ropebench
