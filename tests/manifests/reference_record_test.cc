// The public record of Liger's benchmark, built from its parts: every digest that KernelIndex
// publishes for it must come out.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>

#include "manifests/kinds.h"
#include "manifests/names.h"

namespace ropebench {
namespace {

Manifest Operation() {
  OperationSpec operation;
  operation.metadata.name = "liger-rope";
  operation.family = "rope";
  operation.axes = {{"q_heads", {.role = "variable"}},
                    {"seq", {.role = "variable"}},
                    {"kv_heads", {.role = "variable"}},
                    {"head_dim", {.role = "derived", .expression = "hidden // q_heads"}}};
  operation.inputs = {{"q", {1, "q_heads", "seq", "head_dim"}, "float"},
                      {"k", {1, "kv_heads", "seq", "head_dim"}, "float"}};
  operation.outputs = {{"q_out", {1, "q_heads", "seq", "head_dim"}, "float"},
                       {"k_out", {1, "kv_heads", "seq", "head_dim"}, "float"}};
  operation.mutation = "none";
  operation.determinism = "unspecified";
  return Build(operation);
}

WorkloadCase Workload() {
  WorkloadCase workload;
  workload.axes = {{"seq", 2048}, {"hidden", 512}, {"q_heads", 32}, {"kv_heads", 8}};
  workload.metadata.name = Kebab("liger-rope-" + CaseKey(workload.axes, "bf16"));
  workload.operation_digest = Operation().digest;
  workload.tensors = {{"q", {.shape = {1, 32, 2048, 16}, .dtype = "bf16"}},
                      {"k", {.shape = {1, 8, 2048, 16}, .dtype = "bf16"}}};
  workload.correctness.comparator = "not_asserted";
  return workload;
}

Manifest Implementation(const std::string& provider) {
  ImplementationRevision implementation;
  implementation.metadata.name = provider;
  implementation.operation_digest = Operation().digest;
  if (provider == "liger") {
    implementation.language = "triton";
    implementation.build_variants = {
        {.name = "pip", .install_kind = "pip", .package = "liger-kernel"}};
    implementation.licence_declared = "BSD-2-Clause";
    implementation.licence_concluded = "BSD-2-Clause";
  } else {
    implementation.metadata.labels = {{"role", "baseline"}};
    implementation.language = "python";
    implementation.licence_declared = "Apache-2.0";
  }
  return Build(implementation);
}

Manifest Protocol() {
  BenchmarkProtocol protocol;
  protocol.metadata = {.name = "liger-bench-do-bench-forward",
                       .title = "Liger benchmark harness · forward pass"};
  protocol.harness = {.name = "Liger-Kernel benchmark scripts",
                      .repository = "https://github.com/linkedin/Liger-Kernel"};
  protocol.timer = "cuda_events";
  protocol.primary_statistic = "median";
  protocol.comparability_family = "liger_kernel_bench";
  protocol.comparability_notes =
      "Timed: the module forward pass, via triton.testing.do_bench with quantiles 0.5/0.2/0.8 "
      "(median with p20/p80 spread). The upstream CSV records no CUDA, driver, or torch version; "
      "the Liger release rides each run's labels. Comparable only within one kernel, workload, "
      "timed pass, and GPU.";
  return Build(protocol);
}

Manifest Environment() {
  ExecutionEnvironment environment;
  environment.metadata = {.name = "liger-bench-nvidia-a100-sxm4-80gb",
                          .title = "Liger benchmark host · A100-SXM4-80GB"};
  environment.vendor = "nvidia";
  environment.product = "NVIDIA A100";
  environment.form_factor = "SXM4-80GB";
  environment.architecture = "sm_80";
  return Build(environment);
}

std::int64_t RoundToNs(double ms) { return std::llround(ms * 1e6); }

Manifest ReferenceRun() {
  using namespace std::chrono_literals;
  const double ms_20 = 0.01033599954098463;
  const double ms_50 = 0.011359999887645245;
  const double ms_80 = 0.011455999687314034;
  BenchmarkRun run;
  run.implementation_digest = Implementation("liger").digest;
  run.workload_digest = Build(Workload()).digest;
  run.protocol_digest = Protocol().digest;
  run.environment_digest = Environment().digest;
  run.status = "passed";
  run.timing = {.primary_statistic = "median", .latency_ns = {.median = RoundToNs(ms_50)}};
  run.measurements = {{"latency", "ns", "p20", static_cast<double>(RoundToNs(ms_20))},
                      {"latency", "ns", "p80", static_cast<double>(RoundToNs(ms_80))}};
  const std::string external_id = "rope/forward/liger/" + Kebab("NVIDIA A100-SXM4-80GB") + "/" +
                                  CaseKey(Workload().axes, "bf16") + "/" +
                                  Kebab("2024-09-03 15:39:55");
  run.source_native = {.source = "liger-kernel-bench",
                       .benchmark = "rope/forward",
                       .external_id = external_id,
                       .metrics = {{"ms_20", ms_20}, {"ms_50", ms_50}, {"ms_80", ms_80}}};
  run.observed_at = std::chrono::sys_days(std::chrono::September / 3 / 2024) + 15h + 39min + 55s;
  run.metadata = {.name = Kebab("liger-" + external_id),
                  .title = "Rotary position embedding · liger · forward",
                  .labels = {{"liger_version", "0.2.1"}}};
  return Build(run);
}

TEST(ReferenceRecord, AllSevenDigestsComeOut) {
  const Manifest workload = Build(Workload());
  EXPECT_EQ(Operation().digest,
            "sha256:e655a95629867bb20ea2d0e6b41bbde013db93f7fca6deb9a49b6ee8b4bc31a5");
  EXPECT_EQ(workload.digest,
            "sha256:1415fc0b1b53aa8f16a41dfe92a66a1584b2d0b9523b0058543ea3a8ac7b5314");
  EXPECT_EQ(Implementation("liger").digest,
            "sha256:51eb16de033f2219f67b768ae0f8b919b4f1af7bd11ee0c19e51fe8df440fa54");
  EXPECT_EQ(Protocol().digest,
            "sha256:a79eaf4df66c97c6adc1fb2d09df78682155d1ea86652ae0b70199875bde7747");
  EXPECT_EQ(Environment().digest,
            "sha256:90c9e2764222f592477cfccf3373519add5a1b881563956ad058c4f99e41b6b9");
  EXPECT_EQ(ReferenceRun().digest,
            "sha256:a13926a98e05af8f1e4806cff8225efd0e1d791460257db9ec2a3caf9d7b11ea");
  EXPECT_EQ(ComparisonKey(Operation(), workload, Protocol(), Environment()),
            "sha256:ff31972e560bf3b4ecc2089fcbbca2e5efe71f7f01625582589ecb5b7faeec90");
}

TEST(ReferenceRecord, BaselineImplementationComesOut) {
  EXPECT_EQ(Implementation("huggingface").digest,
            "sha256:459baf6556e5536285c26b26d11eda4980b44d362142461d8e7e5b4f3900ce23");
}

TEST(ReferenceRecord, NamesComeOut) {
  EXPECT_EQ(Workload().metadata.name, "liger-rope-hidden512-kv-heads8-q-heads32-seq2048-bf16");
  EXPECT_EQ(ReferenceRun().document["metadata"]["name"],
            "liger-rope-forward-liger-nvidia-a100-sxm4-80gb-hidden512-kv-heads8-q-heads32-seq2048-"
            "bf16-2024-09-03");
}

TEST(ComparisonKey, DependsOnTheOperationWorkloadProtocolAndEnvironmentTogether) {
  const Manifest workload = Build(Workload());
  WorkloadCase other = Workload();
  other.correctness.comparator = "rounding_bound_v1";
  EXPECT_NE(ComparisonKey(Operation(), workload, Protocol(), Environment()),
            ComparisonKey(Operation(), Build(other), Protocol(), Environment()));

  other.operation_digest = workload.digest;
  EXPECT_THROW(ComparisonKey(Operation(), Build(other), Protocol(), Environment()), ManifestError);
}

}  // namespace
}  // namespace ropebench
