// The arithmetic of timestamp queries, without a device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ropebench {

// How a queue's timestamps count.
struct TimestampClock {
  std::uint32_t valid_bits = 0;  // the counter wraps at 2^valid_bits; 0: no timestamps
  double period_ns = 1.0;        // of one tick; no integer on every device (41.667 exists)
};

// One query as the driver returns it: with VK_QUERY_RESULT_64_BIT | _WITH_AVAILABILITY_BIT.
struct Timestamp {
  std::uint64_t ticks;
  std::uint64_t available;  // 0 while the device has not written it
};

// Nanoseconds from `start` to `stop`, of which bits above valid_bits are ignored. The two are less
// than half a wrap apart (34 s on a 36-bit counter of 1 ns), so that a stop before its start is
// told from a wrapped counter. Throws DeviceError for it, and for a stamp that is missing.
double ElapsedNs(const TimestampClock& clock, const Timestamp& start, const Timestamp& stop);

// The finest difference that the clock shows, from stamps that it took: the greatest common divisor
// of their distances (a counter of 1 ns ticks may move in steps of 32). One period where all are
// equal. Throws DeviceError as above.
double ObservedTickNs(const TimestampClock& clock, std::span<const Timestamp> stamps);

}  // namespace ropebench
