// The protocols that can be asked for by name, and the words in which they are published.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "backends/protocol.h"
#include "kernels/rope_workload.h"

namespace ropebench {

// Every name that ResolveProtocol knows, the default first.
std::span<const std::string_view> ProtocolNames();

// The protocol of that name on a backend (cuda, vulkan or cpu), or one line on why there is none:
// the name is unknown or the backend has no such timer. No name falls back to another timer.
std::variant<Protocol, std::string> ResolveProtocol(std::string_view name, std::string_view backend,
                                                    Pass pass);

// Sets the least sampling time, a part of the protocol and so of its digest. Returns why this
// protocol does not have one, and then changes nothing.
std::optional<std::string> OverrideMinTime(Protocol& protocol, std::int64_t min_time_ns);

// What the published protocol document says of the procedure: what is timed, flush, blocked launch,
// stop rule, quantiles, outliers and wall limit, with this protocol's numbers. A pure function of
// the protocol, at most 1000 characters of ASCII. Published digests hang on every word of it: a new
// wording needs a new Protocol::version.
std::string ProtocolNotes(const Protocol& protocol);

}  // namespace ropebench
