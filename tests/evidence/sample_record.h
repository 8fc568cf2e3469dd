// Values for tests: a folder that goes away with its test, and a run that passed.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include "evidence/run_record.h"
#include "manifests/digest.h"

namespace ropebench {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "ropebench_test.XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline RunRecord SampleRecord() {
  using namespace std::chrono_literals;
  RunRecord record;
  record.case_id = "rope/forward/cuda/vec16/seq:2048/hidden:512/q_heads:32/kv_heads:8/dtype:bf16";
  record.backend = "cuda";
  record.protocol = {.name = "cold",
                     .version = "1",
                     .timer = "cupti_kernel",
                     .synchronization = "device",
                     .input_regeneration = "per_case",
                     .warmup_launches = 5,
                     .notes =
                         "Dirty flush of twice the L2, launch blocked; quantiles by linear "
                         "interpolation."};
  record.environment = {.vendor = "nvidia",
                        .product = "NVIDIA H200",
                        .architecture = "sm_90",
                        .memory_bytes = 150754820096,
                        .operating_system = "Debian GNU/Linux 12",
                        .kernel = "6.1.0",
                        .driver = "580.159.04",
                        .clocks_locked = false,
                        .power_limit_watts = 700.0,
                        .persistence_mode = true,
                        .ecc_enabled = true};
  record.implementation = {.variant = "vec16",
                           .language = "cuda",
                           .path = "kernels/cuda/vec16.cu",
                           .symbol = "RopeVec16",
                           .source_digest = Sha256Digest("source"),
                           .source_size_bytes = 6,
                           .revision = {"https://example.invalid/ropebench", std::string(40, 'a')},
                           .version = "0.1.0",
                           .architectures = {"sm_80", "sm_90"},
                           .dtypes = {"bf16", "fp16", "fp32"},
                           .requirements = {{"cuda_toolkit", "13.0"},
                                            {"compiler", "GNU 12.2"},
                                            {"kernel_sources", Sha256Digest("kernels")}}};
  record.harness = record.implementation.revision;
  record.status = "passed";
  record.correctness = CorrectnessFacts{.max_abs_error = 0.015625, .matched_ratio = 1.0};
  record.timing = TimingFacts{.samples = 100,
                              .median_ns = 2850,
                              .mean_ns = 2861,
                              .p05_ns = 2848,
                              .p20_ns = 2848,
                              .p80_ns = 2860,
                              .p95_ns = 2880,
                              .minimum_ns = 2838,
                              .maximum_ns = 2890,
                              .mad_ns = 16,
                              .confidence95_ns = {{2848, 2880}},
                              .gb_per_s = 1862.5,
                              .percent_of_copy = 97.25};
  record.raw_samples = ArtifactRef{"samples/x.json", Sha256Digest("samples")};
  record.log = ArtifactRef{"logs/x.txt", Sha256Digest("log")};
  record.observed_at = std::chrono::sys_days(std::chrono::December / 1 / 2026) + 1h + 5ms;
  return record;
}

}  // namespace ropebench
