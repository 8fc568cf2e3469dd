// The rounding and denormal modes that a module may ask of a device for fp32 (SPIR-V extension
// SPV_KHR_float_controls). They are added to the compiled module when a pipeline is made, since
// each may be asked only where the device grants it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ropebench {

struct FloatControls {
  bool rounding_rte = false;                  // results round to nearest even
  bool signed_zero_inf_nan_preserve = false;  // no rewriting that loses -0, Inf or NaN
  bool denorm_preserve = false;               // denormals are neither read nor written as 0
  friend bool operator==(const FloatControls&, const FloatControls&) = default;
};

// "rte,signed_zero_inf_nan_preserve,denorm_preserve", of these the ones set; "none" without any.
std::string ToString(const FloatControls& controls);

// `spirv`, a valid module with one entry point, asking for exactly `controls` as well.
std::vector<std::uint32_t> WithFloatControls(std::span<const std::uint32_t> spirv,
                                             const FloatControls& controls);

}  // namespace ropebench
