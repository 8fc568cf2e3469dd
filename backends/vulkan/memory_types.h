// Which memory type a buffer goes to, as a pure function of what a device reports.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ropebench {

struct MemoryType {
  std::uint64_t heap_bytes = 0;
  bool device_local = false;
  bool host_visible = false;
  bool host_coherent = false;
  bool host_cached = false;
  bool special = false;  // protected, lazily allocated or anything else that is opt-in; never used
};

enum class MemoryPurpose : std::uint8_t {
  // What a kernel works on: device-local, else the times would be those of a bus. One that the host
  // cannot see is preferred, since the part that it can see may be small or slower.
  kKernel,
  // What the host fills and reads: visible and coherent; cached preferred, for reading back, then
  // outside the device's own memory.
  kStaging,
};

// The index of the type for a buffer of `bytes`, among the types whose bit is set in
// `allowed_bits`; the first of equals, as drivers list the better ones first. Nothing where no type
// is fit or every fit one has too small a heap.
std::optional<std::uint32_t> ChooseMemoryType(const std::vector<MemoryType>& types,
                                              std::uint32_t allowed_bits, std::uint64_t bytes,
                                              MemoryPurpose purpose);

// Whether the host may read and write memory of that type in place, so that nothing is staged.
bool IsHostAccessible(const MemoryType& type);

}  // namespace ropebench
