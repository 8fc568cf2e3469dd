#include "benchmarks/verification.h"

#include <fmt/format.h>

#include <cstring>
#include <span>

#include "kernels/input_data.h"
#include "kernels/rope_tables.h"

namespace ropebench {
namespace {

std::span<const std::byte> Payload(const std::vector<std::byte>& image) {
  return std::span(image).subspan(kGuardBytes, image.size() - 2 * kGuardBytes);
}

std::span<std::byte> Payload(std::vector<std::byte>& image) {
  return std::span(image).subspan(kGuardBytes, image.size() - 2 * kGuardBytes);
}

bool Equal(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

CorrectnessReport Failure(std::string text) {
  CorrectnessReport report;
  report.first_failure = std::move(text);
  return report;
}

CorrectnessReport CheckCopy(const CopyParams& params, std::span<const std::byte> in,
                            std::span<const std::byte> out) {
  CorrectnessReport report;
  report.elements = static_cast<std::int64_t>(in.size() / 4);
  for (std::size_t at = 0; at < in.size(); at += 4) {
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    std::memcpy(&before, in.data() + at, 4);
    std::memcpy(&after, out.data() + at, 4);
    if (after == (before ^ params.mask)) continue;
    ++report.mismatches;
    if (report.first_failure.empty()) {
      report.first_failure = fmt::format("copy: word {} is {:#010x}, expected {:#010x}", at / 4,
                                         after, before ^ params.mask);
    }
  }
  report.correctly_rounded = report.elements - report.mismatches;
  return report;
}

}  // namespace

CaseData::CaseData(const RopeWorkload& workload, KernelRole role, std::uint64_t seed_offset)
    : workload_(workload), plan_(MakePlan(workload, role)) {
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    const BufferSpec& spec = plan_.buffers[i];
    std::vector<std::byte>& image = images_.emplace_back(kGuardBytes + spec.bytes + kGuardBytes);
    FillPattern(i, std::span(image).first(kGuardBytes));
    FillPattern(i + 100, std::span(image).last(kGuardBytes));
    if (spec.access == Access::kWrite) {
      std::memset(Payload(image).data(), 0xff, spec.bytes);
    } else if (role == KernelRole::kCopy) {
      FillPattern(seed_offset + i, Payload(image));
    }
  }
  if (role != KernelRole::kRope) return;

  const RopeTables tables = BuildRopeTables(workload);
  for (const LaunchStep& step : plan_.steps) {
    const auto& params = std::get<RopeParams>(step.params);
    StoreRounded(tables.cos, workload.table_dtype, Payload(images_[params.cos]));
    StoreRounded(tables.sin, workload.table_dtype, Payload(images_[params.sin]));
    FillUniform(kSeedQ + seed_offset, workload.dtype, Payload(images_[params.q_in]));
    FillUniform(kSeedK + seed_offset, workload.dtype, Payload(images_[params.k_in]));
  }
}

void CaseData::Load(PreparedCase& prepared) const {
  for (std::size_t i = 0; i < images_.size(); ++i) prepared.Write(i, images_[i]);
}

CorrectnessReport CaseData::Check(PreparedCase& prepared, Calls calls) const {
  CorrectnessReport report;
  std::vector<std::vector<std::byte>> after(images_.size());
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const std::vector<std::byte>& before = images_[i];
    const BufferSpec& spec = plan_.buffers[i];
    after[i].resize(before.size());
    prepared.Read(i, after[i]);
    if (!Equal(std::span(after[i]).first(kGuardBytes), std::span(before).first(kGuardBytes))) {
      report.Merge(Failure(fmt::format("{}: bytes before the buffer were written", spec.name)));
    }
    if (!Equal(std::span(after[i]).last(kGuardBytes), std::span(before).last(kGuardBytes))) {
      report.Merge(Failure(fmt::format("{}: bytes after the buffer were written", spec.name)));
    }
    if (spec.access == Access::kRead && !Equal(Payload(after[i]), Payload(before))) {
      report.Merge(Failure(fmt::format("{}: an input was changed", spec.name)));
    }
  }
  if (calls == Calls::kMany && workload_.placement == Placement::kInPlace) return report;
  for (const LaunchStep& step : plan_.steps) {
    if (const auto* copy = std::get_if<CopyParams>(&step.params)) {
      report.Merge(CheckCopy(*copy, Payload(images_[copy->q_in]), Payload(after[copy->q_out])));
      report.Merge(CheckCopy(*copy, Payload(images_[copy->k_in]), Payload(after[copy->k_out])));
    } else if (const auto* rope = std::get_if<RopeParams>(&step.params)) {
      const auto check = [&](std::uint64_t in, std::uint64_t out, std::int64_t heads) {
        const TensorCheck tensor = {plan_.buffers[out].name, heads, Payload(images_[in]),
                                    Payload(after[out])};
        report.Merge(CheckRotation(workload_, step.pass, tensor, Payload(images_[rope->cos]),
                                   Payload(images_[rope->sin])));
      };
      check(rope->q_in, rope->q_out, workload_.q_heads);
      check(rope->k_in, rope->k_out, workload_.kv_heads);
    }
  }
  if (std::holds_alternative<RopeParams>(plan_.steps.front().params)) {
    CheckShare(workload_, report);
  }
  return report;
}

}  // namespace ropebench
