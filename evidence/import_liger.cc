#include "evidence/import_liger.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "evidence/csv.h"
#include "evidence/identity.h"
#include "manifests/names.h"
#include "manifests/read_kinds.h"
#include "manifests/strict_json.h"

namespace ropebench {
namespace {

using nlohmann::json;

// A row that cannot be imported, and why.
struct RowError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr const char* kColumns[] = {"kernel_name",
                                    "kernel_provider",
                                    "kernel_operation_mode",
                                    "metric_name",
                                    "metric_unit",
                                    "x_name",
                                    "x_value",
                                    "y_value_50",
                                    "y_value_20",
                                    "y_value_80",
                                    "gpu_name",
                                    "timestamp",
                                    "liger_version",
                                    "extra_benchmark_config_str"};

// A row by column name.
class Row {
 public:
  Row(const std::map<std::string, std::size_t>& columns, const std::vector<std::string>& fields)
      : columns_(columns), fields_(fields) {}
  const std::string& operator[](const char* column) const {
    return fields_.at(columns_.at(column));
  }

 private:
  const std::map<std::string, std::size_t>& columns_;
  const std::vector<std::string>& fields_;
};

template <typename Number>
Number ParseNumber(const char* column, const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw RowError(fmt::format("{}: {:?} is no number", column, text));
  }
  return number;
}

double ParseFigure(const Row& row, const char* column) {
  const auto figure = ParseNumber<double>(column, row[column]);
  constexpr double kLimit = 1e9;  // 11 days in ms
  if (!(figure > 0.0 && figure < kLimit)) {
    throw RowError(fmt::format("{}: {} is not between 0 and 1e9", column, figure));
  }
  return figure;
}

Dtype ParseTorchDtype(const std::string& name) {
  for (const auto& [torch, dtype] :
       {std::pair{"torch.bfloat16", Dtype::kBf16}, std::pair{"torch.float16", Dtype::kFp16},
        std::pair{"torch.float32", Dtype::kFp32}}) {
    if (name == torch) return dtype;
  }
  throw RowError(fmt::format("extra_benchmark_config_str: no dtype {:?} is known", name));
}

// One axis is swept by x_value; the others stand in the embedded JSON.
RopeWorkload ParseWorkload(const Row& row) {
  constexpr const char* kConfig = "extra_benchmark_config_str";
  constexpr std::size_t kMaxConfigBytes = 4096;
  json config;
  try {
    config = ParseStrictJson(row[kConfig], kMaxConfigBytes);
  } catch (const JsonError& error) {
    throw RowError(fmt::format("{}: {}", kConfig, error.what()));
  }
  if (!config.is_object()) throw RowError(fmt::format("{}: is no object", kConfig));
  std::size_t known = 0;
  const auto find = [&](const char* key) -> const json& {
    const auto found = config.find(key);
    if (found == config.end()) throw RowError(fmt::format("{}: has no {}", kConfig, key));
    ++known;
    return *found;
  };
  const auto integer = [&](const char* key) {
    const json& value = find(key);
    if (!value.is_number_integer()) {
      throw RowError(fmt::format("{}: {} is no integer", kConfig, key));
    }
    return value.get<std::int64_t>();
  };

  const auto x = ParseNumber<std::int64_t>("x_value", row["x_value"]);
  std::int64_t hidden = x;
  RopeWorkload workload;
  if (row["x_name"] == "H") {
    workload.seq = integer("seq_len");
  } else if (row["x_name"] == "T") {
    workload.seq = x;
    hidden = integer("hidden_size");
  } else {
    throw RowError(fmt::format("x_name: {:?} is neither H nor T", row["x_name"]));
  }
  workload.q_heads = integer("num_q_heads");
  workload.kv_heads = integer("num_kv_heads");
  const json& dtype = find("dtype");
  if (!dtype.is_string()) throw RowError(fmt::format("{}: dtype is no text", kConfig));
  workload.dtype = workload.table_dtype = ParseTorchDtype(dtype.get<std::string>());
  if (config.size() != known) {
    throw RowError(fmt::format("{}: has a key that this importer does not know", kConfig));
  }
  if (workload.q_heads < 1 || hidden % workload.q_heads != 0) {
    throw RowError(fmt::format("hidden size {} is no multiple of num_q_heads", hidden));
  }
  workload.head_dim = workload.rotary_dim = hidden / workload.q_heads;
  const std::optional<Pass> pass = ParsePass(row["kernel_operation_mode"]);
  if (!pass) {
    throw RowError(
        fmt::format("kernel_operation_mode: no pass {:?}", row["kernel_operation_mode"]));
  }
  workload.pass = *pass;
  if (const std::optional<WorkloadError> error = Validate(workload)) {
    throw RowError(fmt::format("{}: {}", error->field, error->rule));
  }
  return workload;
}

Manifest BuildImplementation(const std::string& provider, const Manifest& operation) {
  ImplementationRevision implementation;
  implementation.metadata.name = Kebab("liger-bench-rope-" + provider);
  implementation.operation_digest = operation.digest;
  if (provider == "liger") {
    implementation.metadata.title = "Liger-Kernel's Triton kernel";
    implementation.language = "triton";
    implementation.build_variants = {
        {.name = "pip", .install_kind = "pip", .package = "liger-kernel"}};
    implementation.licence_declared = implementation.licence_concluded = "BSD-2-Clause";
  } else if (provider == "huggingface") {
    implementation.metadata.title = "Hugging Face transformers, eager PyTorch";
    implementation.metadata.labels["role"] = "baseline";
    implementation.language = "python";
    implementation.licence_declared = "Apache-2.0";
  } else {
    throw RowError(fmt::format("kernel_provider: nothing is known of {:?}", provider));
  }
  return Build(implementation);
}

// The forward notes are KernelIndex's, word for word, since the digest hangs on them.
std::string ProtocolNotes(Pass pass, bool is_memory) {
  if (is_memory) {
    return fmt::format(
        "Pass {}: the peak of allocated device memory over the pass, in MB as the upstream script "
        "prints it, with quantiles 0.5, 0.2 and 0.8 over its repetitions. No time is measured. The "
        "source names neither CUDA, driver nor torch; Liger's release is a label of each run.",
        Name(pass));
  }
  switch (pass) {
    case Pass::kForward:
      return "Timed: the module forward pass, via triton.testing.do_bench with quantiles "
             "0.5/0.2/0.8 (median with p20/p80 spread). The upstream CSV records no CUDA, driver, "
             "or torch version; the Liger release rides each run's labels. Comparable only within "
             "one kernel, workload, timed pass, and GPU.";
    case Pass::kBackward:
      return "Pass backward: the gradients of q and k through autograd, after one forward that is "
             "not timed, by triton.testing.do_bench with quantiles 0.5, 0.2 and 0.8. The host's "
             "cost of autograd is inside the time and is most of it for small tensors. The source "
             "names neither CUDA, driver nor torch; Liger's release is a label of each run.";
    case Pass::kFull:
      return "Pass full: forward and then backward through autograd, by triton.testing.do_bench "
             "with quantiles 0.5, 0.2 and 0.8. The host's cost of autograd is inside the time. The "
             "source names neither CUDA, driver nor torch; Liger's release is a label of each run.";
  }
  __builtin_unreachable();
}

Manifest BuildProtocol(Pass pass, bool is_memory) {
  BenchmarkProtocol protocol;
  protocol.metadata.name = is_memory ? Kebab(fmt::format("liger-bench-memory-{}", Name(pass)))
                                     : Kebab(fmt::format("liger-bench-do-bench-{}", Name(pass)));
  protocol.metadata.title =
      fmt::format("Liger benchmark harness · {} pass{}", Name(pass), is_memory ? ", memory" : "");
  protocol.harness = {.name = "Liger-Kernel benchmark scripts",
                      .repository = "https://github.com/linkedin/Liger-Kernel"};
  protocol.timer = is_memory ? "none" : "cuda_events";
  protocol.primary_statistic = "median";
  protocol.comparability_family = "liger_kernel_bench";
  protocol.comparability_notes = ProtocolNotes(pass, is_memory);
  return Build(protocol);
}

Manifest BuildEnvironment(const std::string& gpu) {
  if (gpu != "NVIDIA A100-SXM4-80GB") {
    throw RowError(fmt::format("gpu_name: the architecture of {:?} is not known", gpu));
  }
  ExecutionEnvironment environment;
  environment.metadata = {.name = Kebab("liger-bench-" + gpu),
                          .title = "Liger benchmark host · A100-SXM4-80GB"};
  environment.vendor = "nvidia";
  environment.product = "NVIDIA A100";
  environment.form_factor = "SXM4-80GB";
  environment.architecture = "sm_80";
  return Build(environment);
}

// A time without a zone is UTC.
Instant ParseTimestamp(const std::string& text) {
  std::string instant = text + ".000Z";
  if (text.size() == 19 && text[10] == ' ') {
    instant[10] = 'T';
    try {
      return ParseInstant(instant);
    } catch (const ManifestError&) {
    }
  }
  throw RowError(fmt::format("timestamp: {:?} is not like 2024-09-03 15:39:55", text));
}

// In both, the figures of the row by their quantile.
struct Figures {
  double p50;
  double p20;
  double p80;
};

void SetTime(const Figures& ms, BenchmarkRun& run) {
  const auto ns = [](double time_ms) { return std::llround(time_ms * 1e6); };
  run.timing = {.primary_statistic = "median", .latency_ns = {.median = ns(ms.p50)}};
  run.measurements = {{"latency", "ns", "p20", static_cast<double>(ns(ms.p20))},
                      {"latency", "ns", "p80", static_cast<double>(ns(ms.p80))}};
  run.source_native->metrics = {{"ms_50", ms.p50}, {"ms_20", ms.p20}, {"ms_80", ms.p80}};
}

void SetMemory(const Figures& mb, BenchmarkRun& run) {
  run.measurements = {{"memory", "mb", "median", mb.p50},
                      {"memory", "mb", "p20", mb.p20},
                      {"memory", "mb", "p80", mb.p80}};
  run.source_native->metrics = {{"mb_50", mb.p50}, {"mb_20", mb.p20}, {"mb_80", mb.p80}};
}

ImportedRun ImportRow(const Row& row, int line) {
  const std::string& metric = row["metric_name"];
  const bool is_memory = metric == "memory" && row["metric_unit"] == "MB";
  if (!is_memory && !(metric == "speed" && row["metric_unit"] == "ms")) {
    throw RowError(fmt::format("metric_name: {:?} in {:?} is neither speed in ms nor memory in MB",
                               metric, row["metric_unit"]));
  }
  const RopeWorkload workload = ParseWorkload(row);
  const std::string& provider = row["kernel_provider"];
  const std::string pass(Name(workload.pass));
  WorkloadIdentity identity = Identify(Identity::kLiger, workload);

  ImportedRun imported;
  imported.line = line;
  PublishedRun& documents = imported.documents;
  documents.operation = std::move(identity.operation);
  documents.workload = std::move(identity.workload);
  documents.implementation = BuildImplementation(provider, documents.operation);
  documents.protocol = BuildProtocol(workload.pass, is_memory);
  documents.environment = BuildEnvironment(row["gpu_name"]);

  const std::map<std::string, std::int64_t> axes = {{"seq", workload.seq},
                                                    {"hidden", workload.hidden()},
                                                    {"q_heads", workload.q_heads},
                                                    {"kv_heads", workload.kv_heads}};
  imported.external_id =
      fmt::format("rope/{}/{}/{}/{}/{}{}", pass, provider, Kebab(row["gpu_name"]),
                  CaseKey(axes, Info(workload.dtype).name), Kebab(row["timestamp"]),
                  is_memory ? "/memory" : "");

  BenchmarkRun run;
  run.metadata.name = Kebab("liger-" + imported.external_id);
  run.metadata.title = fmt::format("Rotary position embedding · {} · {}{}", provider, pass,
                                   is_memory ? " · memory" : "");
  run.metadata.labels["liger_version"] = row["liger_version"];
  run.implementation_digest = documents.implementation.digest;
  run.workload_digest = documents.workload.digest;
  run.protocol_digest = documents.protocol.digest;
  run.environment_digest = documents.environment.digest;
  run.status = "passed";
  run.source_native = {.source = "liger-kernel-bench",
                       .benchmark = fmt::format("rope/{}{}", pass, is_memory ? "/memory" : ""),
                       .external_id = imported.external_id};
  const Figures figures = {ParseFigure(row, "y_value_50"), ParseFigure(row, "y_value_20"),
                           ParseFigure(row, "y_value_80")};
  is_memory ? SetMemory(figures, run) : SetTime(figures, run);
  run.observed_at = ParseTimestamp(row["timestamp"]);
  documents.run = Build(run);
  documents.comparison_key = ComparisonKey(documents.operation, documents.workload,
                                           documents.protocol, documents.environment);
  return imported;
}

std::map<std::string, std::size_t> ReadHeader(const std::vector<CsvRow>& rows) {
  if (rows.empty() || !rows.front().error.empty()) throw ImportError("has no header");
  std::map<std::string, std::size_t> columns;
  for (const std::string& name : rows.front().fields) {
    if (!columns.emplace(name, columns.size()).second) {
      throw ImportError(fmt::format("has two columns {:?}", name));
    }
  }
  for (const char* name : kColumns) {
    if (!columns.contains(name)) throw ImportError(fmt::format("has no column {}", name));
  }
  return columns;
}

}  // namespace

LigerImport ImportLiger(std::string_view csv) {
  const std::vector<CsvRow> rows = ReadCsv(csv);
  const std::map<std::string, std::size_t> columns = ReadHeader(rows);
  LigerImport result;
  std::map<std::string, int> lines;  // by run
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const CsvRow& row = rows[i];
    try {
      if (!row.error.empty()) throw RowError(row.error);
      if (row.fields.size() != columns.size()) {
        throw RowError(fmt::format("has {} fields, not {}", row.fields.size(), columns.size()));
      }
      const Row named(columns, row.fields);
      if (named["kernel_name"] != "rope") {
        ++result.passed_over;
        continue;
      }
      ImportedRun imported = ImportRow(named, row.line);
      const auto [first, is_new] = lines.emplace(imported.documents.run.digest, row.line);
      if (!is_new) throw RowError(fmt::format("says the same as line {}", first->second));
      result.runs.push_back(std::move(imported));
    } catch (const std::invalid_argument& error) {  // a rule of a document
      result.bad.push_back({row.line, error.what()});
    } catch (const RowError& error) {
      result.bad.push_back({row.line, error.what()});
    }
  }
  return result;
}

}  // namespace ropebench
