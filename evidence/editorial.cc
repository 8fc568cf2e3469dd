#include "evidence/editorial.h"

#include <fmt/format.h>

#include "manifests/names.h"

namespace ropebench {
namespace {

constexpr std::string_view kFamilyPrefix = "ropebench_";
constexpr std::size_t kMaxLabelLength = 200;

std::string TitleSuffix(std::string_view language) { return fmt::format(" ({})", language); }

}  // namespace

Metadata ProtocolMetadata(std::string_view protocol, std::string_view timer, Pass pass) {
  return {.name = Kebab(fmt::format("ropebench-{}-{}-{}", protocol, timer, Name(pass))),
          .title = fmt::format("ropebench: {}, {} pass, {}", protocol, Name(pass), timer)};
}

Metadata EnvironmentMetadata(std::string_view product, std::string_view architecture) {
  return {.name = Kebab(fmt::format("{} {}", product, architecture)),
          .title = std::string(product)};
}

Metadata ImplementationMetadata(std::string_view language, std::string_view variant) {
  return {.name = Kebab(fmt::format("{} {}", language, variant)),
          .title = fmt::format("{}{}", variant, TitleSuffix(language))};
}

Metadata RunMetadata(const RunEditorial& run) {
  Metadata metadata;
  metadata.name = Kebab("ropebench-" + run.case_id);
  metadata.title = fmt::format("Rotary position embedding: {}, {} on {}", Name(run.pass),
                               run.variant, run.backend);
  metadata.labels = {{"backend", run.backend}, {"variant", run.variant}};
  if (run.case_id.size() <= kMaxLabelLength) metadata.labels["case_id"] = run.case_id;
  return metadata;
}

std::string PassNotes(Pass pass, std::string_view notes) {
  return fmt::format("Pass {}. {}", Name(pass), notes);
}

std::optional<Pass> PassOf(const BenchmarkProtocol& protocol) {
  if (!protocol.comparability_notes) return std::nullopt;
  for (const Pass pass : {Pass::kForward, Pass::kBackward, Pass::kFull}) {
    if (protocol.comparability_notes->starts_with(PassNotes(pass, ""))) return pass;
  }
  return std::nullopt;
}

std::string ProtocolFamily(std::string_view protocol) {
  return fmt::format("{}{}", kFamilyPrefix, protocol);
}

std::optional<std::string> ProtocolNameOf(const BenchmarkProtocol& protocol) {
  if (!protocol.comparability_family ||
      !protocol.comparability_family->starts_with(kFamilyPrefix)) {
    return std::nullopt;
  }
  return protocol.comparability_family->substr(kFamilyPrefix.size());
}

std::optional<std::string> VariantOf(const ImplementationRevision& implementation) {
  const std::string suffix = TitleSuffix(implementation.language);
  const std::optional<std::string>& title = implementation.metadata.title;
  if (!title || !title->ends_with(suffix)) return std::nullopt;
  return title->substr(0, title->size() - suffix.size());
}

}  // namespace ropebench
