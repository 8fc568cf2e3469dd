// Splits an index range over the host's hardware threads.
#pragma once

#include <cstdint>
#include <functional>

namespace ropebench {

// Calls body(begin, end) for disjoint ranges that cover [0, count), on up to as many threads as the
// host has, and waits. Ranges are at least `grain` long, so small work stays on the caller's
// thread. The first exception that a body throws is rethrown here.
void ParallelFor(std::int64_t count, std::int64_t grain,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& body);

}  // namespace ropebench
