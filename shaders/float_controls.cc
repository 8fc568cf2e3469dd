#include "shaders/float_controls.h"

#include <stdexcept>
#include <string_view>

namespace ropebench {
namespace {

// Numbers from the SPIR-V specification, unified1.
constexpr std::uint32_t kHeaderWords = 5;
enum Op : std::uint32_t {
  kOpExtension = 10,
  kOpEntryPoint = 15,
  kOpExecutionMode = 16,
  kOpCapability = 17,
};
constexpr std::uint32_t kWidth = 32;

struct Mode {
  bool FloatControls::*wanted;
  std::string_view name;
  std::uint32_t capability;
  std::uint32_t execution_mode;
};
constexpr Mode kModes[] = {
    {&FloatControls::rounding_rte, "rte", 4467, 4462},
    {&FloatControls::signed_zero_inf_nan_preserve, "signed_zero_inf_nan_preserve", 4466, 4461},
    {&FloatControls::denorm_preserve, "denorm_preserve", 4464, 4459},
};

constexpr std::uint32_t Head(Op op, std::uint32_t words) { return words << 16 | op; }

// A literal string: little-endian bytes, at least one terminating zero, padded to whole words.
void AppendString(std::string_view text, std::vector<std::uint32_t>& to) {
  const std::size_t begin = to.size();
  to.resize(begin + text.size() / 4 + 1, 0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    to[begin + i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]))
                         << (8 * (i % 4));
  }
}

}  // namespace

std::string ToString(const FloatControls& controls) {
  std::string text;
  for (const Mode& mode : kModes) {
    if (!(controls.*mode.wanted)) continue;
    if (!text.empty()) text += ',';
    text += mode.name;
  }
  return text.empty() ? "none" : text;
}

std::vector<std::uint32_t> WithFloatControls(std::span<const std::uint32_t> spirv,
                                             const FloatControls& controls) {
  if (controls == FloatControls{}) return {spirv.begin(), spirv.end()};

  // A module's sections stand in a fixed order: capabilities, extensions, imports, memory model,
  // entry points, execution modes. New instructions go to the end of their section.
  std::size_t capabilities_end = 0;
  std::size_t modes_end = 0;
  std::uint32_t entry_point = 0;
  for (std::size_t at = kHeaderWords; at < spirv.size();) {
    const std::uint32_t op = spirv[at] & 0xffff;
    const std::size_t words = spirv[at] >> 16;
    if (words == 0 || words > spirv.size() - at) throw std::invalid_argument("not SPIR-V");
    if (op == kOpCapability) capabilities_end = at + words;
    if (op == kOpEntryPoint && words > 2) entry_point = spirv[at + 2];
    if (op == kOpEntryPoint || op == kOpExecutionMode) modes_end = at + words;
    at += words;
  }
  if (capabilities_end == 0 || entry_point == 0) throw std::invalid_argument("not a SPIR-V shader");

  std::vector<std::uint32_t> result;
  const auto append = [&result](std::span<const std::uint32_t> words) {
    result.insert(result.end(), words.begin(), words.end());
  };
  append(spirv.first(capabilities_end));
  for (const Mode& mode : kModes) {
    if (controls.*mode.wanted) {
      result.insert(result.end(), {Head(kOpCapability, 2), mode.capability});
    }
  }
  const std::size_t extension = result.size();
  result.push_back(0);
  AppendString("SPV_KHR_float_controls", result);
  result[extension] = Head(kOpExtension, static_cast<std::uint32_t>(result.size() - extension));
  append(spirv.subspan(capabilities_end, modes_end - capabilities_end));
  for (const Mode& mode : kModes) {
    if (controls.*mode.wanted) {
      result.insert(result.end(),
                    {Head(kOpExecutionMode, 4), entry_point, mode.execution_mode, kWidth});
    }
  }
  append(spirv.subspan(modes_end));
  return result;
}

}  // namespace ropebench
