#include "evidence/cite.h"

#include <fmt/format.h>

#include <string_view>

#include "manifests/digest.h"

namespace ropebench {
namespace {

std::string BibtexText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    constexpr std::string_view kSpecial = "_&%#$";
    if (c == '{' || c == '}' || c == '\\') continue;  // would end or begin a group
    if (kSpecial.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string Citation(const BenchmarkRun& run, const std::string& digest) {
  const std::string date = FormatInstant(run.observed_at).substr(0, 10);
  const std::string title = run.metadata.title.value_or(run.metadata.name);
  const std::string author = run.source_native ? run.source_native->source : "ropebench";
  std::string result = fmt::format("status {}", run.status);
  if (run.timing && run.timing->latency_ns.median) {
    result = fmt::format("median {} ns", *run.timing->latency_ns.median);
    if (run.timing->samples) result += fmt::format(" of {} samples", *run.timing->samples);
  }
  std::string source;
  if (run.evidence.harness) {
    source =
        fmt::format(", {} at {}", run.evidence.harness->repository, run.evidence.harness->commit);
  }
  return fmt::format(
      "digest  {}\nname    {}\ndate    {}\n\n"
      "{}. {}: {}. Observed {}. KernelIndex BenchmarkRun {}{}.\n\n"
      "@misc{{{}-{},\n  author = {{{{{}}}}},\n  title = {{{}: {}}},\n  year = {{{}}},\n"
      "  note = {{Observed {}. KernelIndex BenchmarkRun {}{}}}\n}}\n",
      digest, run.metadata.name, date, author, title, result, date, digest, source,
      BibtexText(author), HexOf(digest).substr(0, 12), BibtexText(author), BibtexText(title),
      BibtexText(result), date.substr(0, 4), date, digest, BibtexText(source));
}

}  // namespace ropebench
