#include "benchmarks/bench_case.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

#include "benchmarks/nearest_name.h"
#include "benchmarks/protocols.h"
#include "manifests/digest.h"

namespace ropebench {
namespace {

constexpr std::string_view kPrefix = "rope";

// A case that is being parsed: what depends on other keys waits until all are read.
struct Draft {
  BenchCase result;
  std::int64_t hidden = 0;
  std::optional<std::int64_t> rotary_dim;
  std::optional<Dtype> table_dtype;
  bool has_digest = false;  // of factor lists, which nothing gives back
};

enum class Place : std::uint8_t {
  kSegment,   // the bare value, in every id
  kAlways,    // key:value, in every id
  kOptional,  // key:value where it differs from the default
  kNever,     // not in the id: follows from the others
};

struct CaseKey {
  std::string_view name;
  Place place;
  std::string (*print)(const BenchCase&);
  std::string (*fallback)(const BenchCase&);  // the default; kOptional only
  bool (*parse)(Draft&, std::string_view);    // false if the value is none; not for kNever
};

template <typename Number>
bool ParseNumber(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool ParseText(std::string_view text, std::string& value) {
  value = text;
  return !value.empty();
}

template <typename T, typename Target>
bool Take(const std::optional<T>& parsed, Target& target) {
  if (parsed) target = *parsed;
  return parsed.has_value();
}

// Factor lists would fill lines, so they stand as a digest.
std::string PrintScaling(const RopeScaling& scaling) {
  if (scaling.kind != ScalingKind::kLongrope) return CanonicalText(scaling);
  std::string text(Name(scaling.kind));
  for (const auto& [name, value] : ScalingNumbers(scaling)) text += fmt::format("~{}", value);
  const std::string digest = Sha256Digest(CanonicalText(scaling));
  return text + "~" + digest.substr(digest.find(':') + 1, 16);
}

bool ParseScalingOf(Draft& draft, std::string_view text) {
  draft.has_digest = text.starts_with(Name(ScalingKind::kLongrope));
  return draft.has_digest || Take(ParseScaling(text), draft.result.workload.scaling);
}

// One table prints and parses, so that the two cannot diverge. The lambdas are short on purpose:
// print, default, parse.
constexpr CaseKey kKeys[] = {
    {"pass", Place::kSegment, [](const BenchCase& c) { return std::string(Name(c.workload.pass)); },
     nullptr,
     [](Draft& d, std::string_view v) { return Take(ParsePass(v), d.result.workload.pass); }},
    {"backend", Place::kSegment, [](const BenchCase& c) { return c.backend; }, nullptr,
     [](Draft& d, std::string_view v) { return ParseText(v, d.result.backend); }},
    {"variant", Place::kSegment, [](const BenchCase& c) { return c.variant; }, nullptr,
     [](Draft& d, std::string_view v) { return ParseText(v, d.result.variant); }},
    {"seq", Place::kAlways, [](const BenchCase& c) { return std::to_string(c.workload.seq); },
     nullptr, [](Draft& d, std::string_view v) { return ParseNumber(v, d.result.workload.seq); }},
    {"hidden", Place::kAlways,
     [](const BenchCase& c) { return std::to_string(c.workload.hidden()); }, nullptr,
     [](Draft& d, std::string_view v) { return ParseNumber(v, d.hidden); }},
    {"q_heads", Place::kAlways,
     [](const BenchCase& c) { return std::to_string(c.workload.q_heads); }, nullptr,
     [](Draft& d, std::string_view v) { return ParseNumber(v, d.result.workload.q_heads); }},
    {"kv_heads", Place::kAlways,
     [](const BenchCase& c) { return std::to_string(c.workload.kv_heads); }, nullptr,
     [](Draft& d, std::string_view v) { return ParseNumber(v, d.result.workload.kv_heads); }},
    {"dtype", Place::kAlways,
     [](const BenchCase& c) { return std::string(Info(c.workload.dtype).name); }, nullptr,
     [](Draft& d, std::string_view v) { return Take(ParseDtype(v), d.result.workload.dtype); }},
    {"protocol", Place::kAlways, [](const BenchCase& c) { return c.protocol.name; }, nullptr,
     [](Draft& d, std::string_view v) { return ParseText(v, d.result.protocol.name); }},
    {"device", Place::kOptional, [](const BenchCase& c) { return std::to_string(c.device); },
     [](const BenchCase&) { return std::string("0"); },
     [](Draft& d, std::string_view v) {
       return ParseNumber(v, d.result.device) && d.result.device >= 0;
     }},
    {"batch", Place::kOptional, [](const BenchCase& c) { return std::to_string(c.workload.batch); },
     [](const BenchCase&) { return std::string("1"); },
     [](Draft& d, std::string_view v) { return ParseNumber(v, d.result.workload.batch); }},
    {"head_dim", Place::kNever,
     [](const BenchCase& c) { return std::to_string(c.workload.head_dim); }, nullptr, nullptr},
    {"rotary_dim", Place::kOptional,
     [](const BenchCase& c) { return std::to_string(c.workload.rotary_dim); },
     [](const BenchCase& c) { return std::to_string(c.workload.head_dim); },
     [](Draft& d, std::string_view v) { return ParseNumber(v, d.rotary_dim.emplace()); }},
    {"table_dtype", Place::kOptional,
     [](const BenchCase& c) { return std::string(Info(c.workload.table_dtype).name); },
     [](const BenchCase& c) { return std::string(Info(c.workload.dtype).name); },
     [](Draft& d, std::string_view v) { return Take(ParseDtype(v), d.table_dtype); }},
    {"style", Place::kOptional,
     [](const BenchCase& c) { return std::string(Name(c.workload.style)); },
     [](const BenchCase&) { return std::string(Name(Style::kHalf)); },
     [](Draft& d, std::string_view v) { return Take(ParseStyle(v), d.result.workload.style); }},
    {"layout", Place::kOptional,
     [](const BenchCase& c) { return std::string(Name(c.workload.layout)); },
     [](const BenchCase&) { return std::string(Name(Layout::kBshd)); },
     [](Draft& d, std::string_view v) { return Take(ParseLayout(v), d.result.workload.layout); }},
    {"placement", Place::kOptional,
     [](const BenchCase& c) { return std::string(Name(c.workload.placement)); },
     [](const BenchCase&) { return std::string(Name(Placement::kInPlace)); },
     [](Draft& d, std::string_view v) {
       return Take(ParsePlacement(v), d.result.workload.placement);
     }},
    {"theta", Place::kOptional,
     [](const BenchCase& c) { return fmt::format("{}", c.workload.theta); },
     [](const BenchCase&) { return fmt::format("{}", RopeWorkload{}.theta); },
     [](Draft& d, std::string_view v) { return ParseNumber(v, d.result.workload.theta); }},
    {"position_offset", Place::kOptional,
     [](const BenchCase& c) { return std::to_string(c.workload.position_offset); },
     [](const BenchCase&) { return std::string("0"); },
     [](Draft& d, std::string_view v) {
       return ParseNumber(v, d.result.workload.position_offset);
     }},
    {"scaling", Place::kOptional,
     [](const BenchCase& c) { return PrintScaling(c.workload.scaling); },
     [](const BenchCase&) { return CanonicalText(RopeScaling{}); }, ParseScalingOf},
    {"identity", Place::kOptional, [](const BenchCase& c) { return std::string(Name(c.identity)); },
     [](const BenchCase&) { return std::string(Name(Identity::kStrict)); },
     [](Draft& d, std::string_view v) { return Take(ParseIdentity(v), d.result.identity); }},
    {"timer", Place::kNever, [](const BenchCase& c) { return std::string(Name(c.protocol.timer)); },
     nullptr, nullptr},
};

// Fills in what hangs on several keys. Returns what is wrong.
std::optional<std::string> Complete(Draft& draft) {
  RopeWorkload& workload = draft.result.workload;
  if (draft.has_digest) return "a longrope case has no more than a digest of its factors in its id";
  if (workload.q_heads < 1 || draft.hidden % workload.q_heads != 0) {
    return fmt::format("hidden:{} is no multiple of q_heads:{}", draft.hidden, workload.q_heads);
  }
  workload.head_dim = draft.hidden / workload.q_heads;
  workload.rotary_dim = draft.rotary_dim.value_or(workload.head_dim);
  workload.table_dtype = draft.table_dtype.value_or(workload.dtype);
  if (const std::optional<WorkloadError> error = Validate(workload)) {
    return error->field + ": " + error->rule;
  }
  auto protocol = ResolveProtocol(draft.result.protocol.name, draft.result.backend, workload.pass);
  if (const auto* why = std::get_if<std::string>(&protocol)) return *why;
  draft.result.protocol = std::get<Protocol>(std::move(protocol));
  return std::nullopt;
}

}  // namespace

std::string CaseId(const BenchCase& bench_case) {
  std::string id(kPrefix);
  for (const CaseKey& key : kKeys) {
    if (key.place == Place::kNever) continue;
    const std::string value = key.print(bench_case);
    if (key.place == Place::kOptional && value == key.fallback(bench_case)) continue;
    id += '/';
    if (key.place != Place::kSegment) id.append(key.name) += ':';
    id += value;
  }
  return id;
}

std::variant<BenchCase, std::string> ParseCaseId(std::string_view id) {
  std::string_view rest = id;
  const auto next_part = [&rest]() -> std::string_view {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    return part;
  };
  if (next_part() != kPrefix) return fmt::format("a case id begins with {}/", kPrefix);

  Draft draft;
  std::string_view part = next_part();
  for (const CaseKey& key : kKeys) {
    if (key.place == Place::kNever) continue;
    std::string_view value = part;
    if (key.place != Place::kSegment) {
      const bool is_here = part.size() > key.name.size() && part.starts_with(key.name) &&
                           part[key.name.size()] == ':';
      if (!is_here && key.place == Place::kOptional) continue;
      if (!is_here) return fmt::format("expected {}:... at '{}'", key.name, part);
      value = part.substr(key.name.size() + 1);
    }
    if (!key.parse(draft, value)) return fmt::format("'{}' is no {}", value, key.name);
    part = next_part();
  }
  if (!part.empty()) {
    return fmt::format("unexpected '{}'{}", part,
                       DidYouMean(part.substr(0, part.find(':')), CaseKeyNames()));
  }
  if (const std::optional<std::string> wrong = Complete(draft)) return *wrong;
  if (const std::string printed = CaseId(draft.result); printed != id) {
    return fmt::format("the id of this case is {}", printed);
  }
  return draft.result;
}

std::vector<std::pair<std::string, std::string>> CaseKeys(const BenchCase& bench_case) {
  std::vector<std::pair<std::string, std::string>> keys;
  for (const CaseKey& key : kKeys) keys.emplace_back(key.name, key.print(bench_case));
  return keys;
}

std::vector<std::string> CaseKeyNames() {
  std::vector<std::string> names;
  for (const CaseKey& key : kKeys) names.emplace_back(key.name);
  return names;
}

}  // namespace ropebench
