#include "backends/vulkan/timestamps.h"

#include <fmt/format.h>

#include <numeric>

#include "backends/backend.h"

namespace ropebench {
namespace {

std::uint64_t ElapsedTicks(const TimestampClock& clock, const Timestamp& start,
                           const Timestamp& stop) {
  if (clock.valid_bits == 0 || clock.valid_bits > 64) {
    throw DeviceError("the queue has no timestamps");
  }
  if (start.available == 0 || stop.available == 0) {
    throw DeviceError("a timestamp query has no result");
  }
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - clock.valid_bits);
  const std::uint64_t ticks = (stop.ticks - start.ticks) & mask;
  if (ticks > mask / 2) {
    throw DeviceError(fmt::format("a timestamp ends before it starts: {} to {}", start.ticks & mask,
                                  stop.ticks & mask));
  }
  return ticks;
}

}  // namespace

double ElapsedNs(const TimestampClock& clock, const Timestamp& start, const Timestamp& stop) {
  return static_cast<double>(ElapsedTicks(clock, start, stop)) * clock.period_ns;
}

double ObservedTickNs(const TimestampClock& clock, std::span<const Timestamp> stamps) {
  std::uint64_t divisor = 0;
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    divisor = std::gcd(divisor, ElapsedTicks(clock, stamps[i - 1], stamps[i]));
  }
  return static_cast<double>(divisor == 0 ? 1 : divisor) * clock.period_ns;
}

}  // namespace ropebench
