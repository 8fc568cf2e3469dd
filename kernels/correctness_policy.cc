#include "kernels/correctness_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "kernels/cpu/parallel_for.h"
#include "kernels/rope_reference.h"

namespace ropebench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kShareGateElements = 1'000'000;

template <typename T>
T LoadElement(std::span<const std::byte> bytes, std::int64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
  return value;
}

double Bound(double ref, double magnitude, Dtype dtype) {
  const double rounding = dtype == Dtype::kFp32 ? 0.0 : 0.5 * UlpOf(ref, dtype);
  return rounding + 0x1p-23 * magnitude + 0x1p-149;
}

// The largest finite value, and the threshold from which rounding to nearest gives an infinity.
double LargestFinite(Dtype dtype) {
  const DtypeInfo& info = Info(dtype);
  return std::ldexp(2.0 - std::ldexp(1.0, 1 - info.significand_bits), info.max_exponent);
}
double OverflowThreshold(Dtype dtype) {
  const DtypeInfo& info = Info(dtype);
  return std::ldexp(2.0 - std::ldexp(1.0, -info.significand_bits), info.max_exponent);
}

// The double fast path of BrokenRule; true for nearly every element of nearly every run.
bool IsPlainlyWithin(double y, double ref, double magnitude, Dtype dtype) {
  return std::fabs(y) < kInfinity && std::fabs(y - ref) <= Bound(ref, magnitude, dtype) &&
         std::fabs(ref) < OverflowThreshold(dtype);
}

template <typename T, typename Table>
CorrectnessReport CheckTokens(const RopeWorkload& w, Pass direction, const TensorCheck& tensor,
                              std::span<const std::byte> cos, std::span<const std::byte> sin,
                              std::int64_t begin, std::int64_t end) {
  const TensorLayout layout = LayoutOf(w, tensor.heads);
  const std::int64_t half = w.rotary_dim / 2;
  const float sign = direction == Pass::kBackward ? -1.0f : 1.0f;
  CorrectnessReport report;

  for (std::int64_t token = begin; token < end; ++token) {
    const std::int64_t b = token / w.seq;
    const std::int64_t t = token % w.seq;
    for (std::int64_t h = 0; h < tensor.heads; ++h) {
      const std::int64_t row = layout.At(b, t, h);
      for (std::int64_t i = 0; i < half; ++i) {
        const auto [d1, d2] = PairIndices(w.style, w.rotary_dim, i);
        const float c = ToFloat(LoadElement<Table>(cos, t * half + i));
        const float s = sign * ToFloat(LoadElement<Table>(sin, t * half + i));
        const float x1 = ToFloat(LoadElement<T>(tensor.input, row + d1));
        const float x2 = ToFloat(LoadElement<T>(tensor.input, row + d2));
        const Pair<double> ref = Rotate(Pair<double>{x1, x2}, double{c}, double{s});
        const Pair<double> magnitude = {std::fabs(double{x1} * c) + std::fabs(double{x2} * s),
                                        std::fabs(double{x2} * c) + std::fabs(double{x1} * s)};

        const auto check = [&](std::int64_t d, double y, double want, double size, bool second) {
          ++report.elements;
          ++report.rotated;
          if (!IsPlainlyWithin(y, want, size, w.dtype)) {
            const Pair<float> formula = Rotate(Pair<float>{x1, x2}, c, s);
            const bool is_nan = std::isnan(second ? formula.second : formula.first);
            if (const auto rule = BrokenRule(y, want, size, is_nan, w.dtype)) {
              ++report.mismatches;
              if (report.first_failure.empty()) {
                report.first_failure = fmt::format(
                    "{}[{}, {}, {}, {}]: {}: got {}, expected {} from x1 {}, x2 {}, cos {}, sin {}",
                    tensor.name, b, t, h, d, *rule, y, want, x1, x2, c, s);
              }
            }
            if (!std::isfinite(y) || !std::isfinite(want)) {
              if (std::isnan(y) == is_nan) ++report.correctly_rounded;
              return;
            }
          }
          const double error = std::fabs(y - want);
          report.max_abs_error = std::max(report.max_abs_error, error);
          report.max_ulp_error = std::max(report.max_ulp_error, error / UlpOf(want, w.dtype));
          if (y == RoundToDtype(want, w.dtype)) ++report.correctly_rounded;
        };
        check(d1, ToFloat(LoadElement<T>(tensor.output, row + d1)), ref.first, magnitude.first,
              false);
        check(d2, ToFloat(LoadElement<T>(tensor.output, row + d2)), ref.second, magnitude.second,
              true);
      }
      const auto tail_at = static_cast<std::size_t>(row + w.rotary_dim) * sizeof(T);
      const auto tail_bytes = static_cast<std::size_t>(w.head_dim - w.rotary_dim) * sizeof(T);
      if (std::memcmp(tensor.input.data() + tail_at, tensor.output.data() + tail_at, tail_bytes)) {
        ++report.mismatches;
        if (report.first_failure.empty()) {
          report.first_failure =
              fmt::format("{}[{}, {}, {}, {}..{}]: an element past rotary_dim was changed",
                          tensor.name, b, t, h, w.rotary_dim, w.head_dim - 1);
        }
      }
      report.elements += w.head_dim - w.rotary_dim;
    }
  }
  return report;
}

}  // namespace

double CorrectnessReport::matched_ratio() const {
  if (elements == 0) return 1.0;
  return static_cast<double>(elements - mismatches) / static_cast<double>(elements);
}

void CorrectnessReport::Merge(const CorrectnessReport& other) {
  elements += other.elements;
  rotated += other.rotated;
  mismatches += other.mismatches;
  correctly_rounded += other.correctly_rounded;
  max_abs_error = std::max(max_abs_error, other.max_abs_error);
  max_ulp_error = std::max(max_ulp_error, other.max_ulp_error);
  if (first_failure.empty()) first_failure = other.first_failure;
}

std::optional<std::string> BrokenRule(double y, double ref, double magnitude, bool formula_is_nan,
                                      Dtype dtype) {
  if (formula_is_nan != std::isnan(y)) {
    return formula_is_nan ? "the formula in fp32 is NaN here" : "NaN where the formula has a value";
  }
  if (formula_is_nan) return std::nullopt;

  const double rounded = RoundToDtype(ref, dtype);
  const bool near_threshold = std::fabs(std::fabs(ref) - OverflowThreshold(dtype)) <=
                              Bound(LargestFinite(dtype), magnitude, dtype);
  if (std::isinf(rounded) || std::isinf(y)) {
    if (y == rounded) return std::nullopt;
    const bool same_side = std::signbit(y) == std::signbit(ref);
    const bool is_edge = std::isinf(y) || std::fabs(y) == LargestFinite(dtype);
    if (near_threshold && same_side && is_edge) return std::nullopt;
    return "wrong overflow";
  }
  const double bound = Bound(ref, magnitude, dtype);
  if (std::fabs(y - ref) <= bound) return std::nullopt;
  return fmt::format("off by {:.3g}, allowed {:.3g}", std::fabs(y - ref), bound);
}

CorrectnessReport CheckRotation(const RopeWorkload& w, Pass direction, const TensorCheck& tensor,
                                std::span<const std::byte> cos, std::span<const std::byte> sin) {
  CorrectnessReport report;
  std::mutex mutex;
  std::int64_t earliest_failure = std::numeric_limits<std::int64_t>::max();
  const auto body = [&](std::int64_t begin, std::int64_t end) {
    const CorrectnessReport part = VisitDtype(w.dtype, [&](auto element) {
      return VisitDtype(w.table_dtype, [&](auto table) {
        return CheckTokens<decltype(element), decltype(table)>(w, direction, tensor, cos, sin,
                                                               begin, end);
      });
    });
    const std::lock_guard lock(mutex);
    // The failure that is named does not depend on which thread came first.
    if (!part.first_failure.empty() && begin < earliest_failure) {
      earliest_failure = begin;
      report.first_failure = part.first_failure;
    }
    report.Merge(part);
  };
  ParallelFor(w.batch * w.seq, 16, body);
  return report;
}

void CheckShare(const RopeWorkload& w, CorrectnessReport& report) {
  if (report.rotated < kShareGateElements || !report.passed()) return;
  double least = 0.0;
  if (w.dtype == Dtype::kBf16 && w.table_dtype == Dtype::kBf16) least = 0.9999;
  if (w.dtype == Dtype::kFp16 && w.table_dtype == Dtype::kFp32) least = 0.999;
  const double share =
      static_cast<double>(report.correctly_rounded) / static_cast<double>(report.rotated);
  if (share < least) {
    report.first_failure =
        fmt::format("only {:.4f} % of the outputs are correctly rounded, {:.2f} % are required",
                    100.0 * share, 100.0 * least);
  }
}

}  // namespace ropebench
