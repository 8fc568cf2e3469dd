// One suite for every backend and device of this machine: what backend.h and sampler.h promise.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>

#include "backends/registry.h"
#include "backends/sampler.h"
#include "benchmarks/run_case.h"
#include "benchmarks/verification.h"
#include "kernels/case_plan.h"

namespace ropebench {
namespace {

const std::vector<BackendDevices>& Backends() {
  static const auto* backends = new std::vector<BackendDevices>(OpenBackends());
  return *backends;
}

class BackendContract : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    for (const BackendDevices& entry : Backends()) {
      if (entry.backend != GetParam()) continue;
      if (entry.devices.empty()) GTEST_SKIP() << entry.backend << ": " << entry.why_none;
      backend_ = entry.devices.front().get();
    }
    ASSERT_NE(backend_, nullptr) << "the registry does not list " << GetParam();
  }

  Backend* backend_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(Contract, BackendContract, testing::Values("cuda", "vulkan", "cpu"),
                         [](const auto& test) { return std::string(test.param); });

// Every buffer with its guard zones after one run.
std::vector<std::vector<std::byte>> OutputsOf(Backend& backend, const KernelVariant& variant,
                                              const RopeWorkload& w, const CaseData& data) {
  const auto prepared = backend.Prepare(variant, w);
  data.Load(*prepared);
  prepared->RunOnce();
  std::vector<std::vector<std::byte>> outputs;
  const CasePlan plan = MakePlan(w, variant.role);
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    outputs.emplace_back(plan.buffers[i].bytes + 2 * kGuardBytes);
    prepared->Read(i, outputs.back());
  }
  return outputs;
}

std::vector<RopeWorkload> Workloads() {
  std::vector<RopeWorkload> workloads;
  const auto add = [&](auto edit) {
    RopeWorkload w;
    w.seq = 7;
    w.q_heads = 3;
    w.kv_heads = 2;
    w.head_dim = w.rotary_dim = 64;
    edit(w);
    if (const auto error = Validate(w)) throw std::logic_error(error->field + ": " + error->rule);
    workloads.push_back(w);
  };
  for (Dtype dtype : {Dtype::kFp32, Dtype::kFp16, Dtype::kBf16}) {
    for (Dtype table : {dtype, Dtype::kFp32}) {
      for (Pass pass : {Pass::kForward, Pass::kBackward, Pass::kFull}) {
        for (Placement placement : {Placement::kInPlace, Placement::kOutOfPlace}) {
          // FlashInfer#2104: head_dim 80, 112, 160, 192; SGLang#35096: 6 and 96; and the least.
          for (std::int64_t head_dim : {2, 4, 6, 10, 16, 64, 80, 96, 112, 128, 160, 192, 256}) {
            add([&](RopeWorkload& w) {
              w.dtype = dtype;
              w.table_dtype = table;
              w.pass = pass;
              w.placement = placement;
              w.head_dim = w.rotary_dim = head_dim;
            });
          }
        }
      }
    }
  }
  add([](RopeWorkload& w) { w.kv_heads = 1; });                 // Liger#342
  add([](RopeWorkload& w) { w.q_heads = 1, w.kv_heads = 5; });  // more kv heads than q heads
  add([](RopeWorkload& w) { w.batch = 3; });
  add([](RopeWorkload& w) { w.batch = 3, w.layout = Layout::kBhsd; });
  add([](RopeWorkload& w) { w.rotary_dim = 32; });
  add([](RopeWorkload& w) { w.rotary_dim = 6, w.placement = Placement::kOutOfPlace; });
  add([](RopeWorkload& w) { w.style = Style::kInterleaved; });
  add([](RopeWorkload& w) { w.position_offset = 100'000; });
  add([](RopeWorkload& w) { w.seq = 1; });
  add([](RopeWorkload& w) { w.seq = 513, w.q_heads = 32, w.kv_heads = 8; });
  add([](RopeWorkload& w) {
    w.seq = 70'000, w.q_heads = w.kv_heads = 1, w.head_dim = w.rotary_dim = 2;
  });
  return workloads;
}

TEST_P(BackendContract, EveryVariantMeetsThePolicyOrSaysWhyNot) {
  int checked = 0;
  for (const RopeWorkload& w : Workloads()) {
    const CaseData data(w, KernelRole::kRope, 0);
    bool computed = false;
    for (const KernelVariant& variant : backend_->variants()) {
      if (variant.role != KernelRole::kRope) continue;
      if (const auto why = backend_->WhyUnsupported(variant, w)) {
        EXPECT_FALSE(why->empty());
        continue;
      }
      const auto prepared = backend_->Prepare(variant, w);
      data.Load(*prepared);
      prepared->RunOnce();
      const CorrectnessReport report = data.Check(*prepared);
      EXPECT_TRUE(report.passed())
          << variant.name << ": " << CanonicalText(w) << ": " << report.first_failure;
      computed = true;
      ++checked;
    }
    const bool is_basic = w.style == Style::kHalf && w.layout == Layout::kBshd &&
                          w.rotary_dim == w.head_dim && w.position_offset == 0;
    if (is_basic) {
      EXPECT_TRUE(computed) << "no variant computes " << CanonicalText(w);
    }
  }
  EXPECT_GT(checked, 200);
}

TEST_P(BackendContract, EveryFp32VariantGivesTheBitsOfTheCpu) {
  Backend& cpu = *Backends().back().devices.front();
  const KernelVariant& oracle = *FindVariant(cpu, "fp32");
  for (const RopeWorkload& w : Workloads()) {
    const CaseData data(w, KernelRole::kRope, 0);
    const auto expected = OutputsOf(cpu, oracle, w, data);
    for (const KernelVariant& variant : backend_->variants()) {
      if (variant.role != KernelRole::kRope || variant.name == "float64") continue;
      if (backend_->WhyUnsupported(variant, w)) continue;
      EXPECT_TRUE(OutputsOf(*backend_, variant, w, data) == expected)
          << variant.name << ": " << CanonicalText(w);
    }
  }
}

TEST_P(BackendContract, CopiesMoveEveryByteAndNoOther) {
  for (Placement placement : {Placement::kInPlace, Placement::kOutOfPlace}) {
    for (std::int64_t seq : {1, 3, 64, 1000}) {
      RopeWorkload w;
      w.seq = seq;
      w.placement = placement;
      w.pass = Pass::kFull;
      const CaseData data(w, KernelRole::kCopy, 0);
      int copies = 0;
      for (const KernelVariant& variant : backend_->variants()) {
        if (variant.role != KernelRole::kCopy) continue;
        const auto prepared = backend_->Prepare(variant, w);
        data.Load(*prepared);
        prepared->RunOnce();
        const CorrectnessReport report = data.Check(*prepared);
        EXPECT_TRUE(report.passed()) << variant.name << " seq " << seq << report.first_failure;
        ++copies;
      }
      EXPECT_GE(copies, 1);
    }
  }
}

TEST_P(BackendContract, AKernelThatDoesNothingIsCaught) {
  const RopeWorkload w;
  const KernelVariant* empty = nullptr;
  for (const KernelVariant& variant : backend_->variants()) {
    if (variant.role == KernelRole::kEmpty) empty = &variant;
  }
  ASSERT_NE(empty, nullptr);
  backend_->Prepare(*empty, w)->RunOnce();
  // A rotation's buffers, loaded and never touched by a kernel.
  const KernelVariant* rope = &backend_->variants().front();
  const auto prepared = backend_->Prepare(*rope, w);
  const CaseData data(w, KernelRole::kRope, 0);
  data.Load(*prepared);
  EXPECT_FALSE(data.Check(*prepared).passed());
}

TEST_P(BackendContract, EveryTimerGivesASamplePerLaunch) {
  const RopeWorkload w;
  const auto prepared = backend_->Prepare(backend_->variants().front(), w);
  CaseData(w, KernelRole::kRope, 0).Load(*prepared);
  int timers = 0;
  for (Timer timer : backend_->timers()) {
    if (const auto why = backend_->WhyNoTimer(timer)) {
      std::printf("%s: %s\n", std::string(Name(timer)).c_str(), why->c_str());
      continue;
    }
    Protocol protocol;
    protocol.timer = timer;
    protocol.min_samples = protocol.max_samples = 10;
    EnoughSamples stop(protocol, 1);
    const auto sampler = backend_->MakeSampler(timer, 1 << 20);
    PreparedCase* const cases[] = {prepared.get()};
    const SampleSet set = Sample(*sampler, cases, protocol, stop);
    EXPECT_EQ(set.samples_ns[0].size(), 10u);
    for (double sample : set.samples_ns[0]) {
      EXPECT_GT(sample, 0.0);
      EXPECT_LT(sample, 5e9);
    }
    EXPECT_GT(sampler->tick_ns(), 0.0);
    ++timers;
  }
  EXPECT_GE(timers, 1) << "no timer works on this device";
}

TEST_P(BackendContract, InterleavedCasesKeepTheirOwnSamples) {
  // llama.cpp PR#21865, blade#398: a light dispatch after a heavy one took on the heavy one's time.
  RopeWorkload light;
  light.seq = 1;
  RopeWorkload heavy;
  heavy.seq = 16384;
  heavy.head_dim = heavy.rotary_dim = 64;
  const KernelVariant& variant = backend_->variants().front();
  const auto a = backend_->Prepare(variant, light);
  const auto b = backend_->Prepare(variant, heavy);
  Protocol protocol;
  protocol.timer = backend_->timers().front();
  if (const auto why = backend_->WhyNoTimer(protocol.timer)) GTEST_SKIP() << *why;
  protocol.min_samples = protocol.max_samples = 10;
  EnoughSamples stop(protocol, 2);
  const auto sampler = backend_->MakeSampler(protocol.timer, 1 << 20);
  PreparedCase* const cases[] = {a.get(), b.get()};
  const SampleSet set = Sample(*sampler, cases, protocol, stop);
  ASSERT_EQ(set.samples_ns.size(), 2u);
  EXPECT_LT(3 * Summarise(set.samples_ns[0], 1).median, Summarise(set.samples_ns[1], 1).median);
}

TEST_P(BackendContract, VariantNamesAreUniqueAndDescribed) {
  std::set<std::string_view> names;
  for (const KernelVariant& variant : backend_->variants()) {
    EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
    EXPECT_FALSE(variant.idea.empty()) << variant.name;
    EXPECT_TRUE(std::ifstream(fmt::format("{}/{}", ROPEBENCH_SOURCE_DIR, variant.source_path)))
        << variant.source_path;
  }
}

}  // namespace
}  // namespace ropebench
