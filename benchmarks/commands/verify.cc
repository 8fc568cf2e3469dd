#include "benchmarks/commands/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string>
#include <vector>

#include "evidence/verify.h"

namespace ropebench::commands {
namespace {

std::string Outlook(const StoredRun& run) {
  const bool is_reproducible = run.level == EvidenceLevel::kReproducible;
  return fmt::format("{}; {} needs {}", Name(run.level),
                     is_reproducible ? "Verified" : "Reproducible", fmt::join(run.missing, ", "));
}

}  // namespace

int Verify(int argc, const char* const* argv) {
  CLI::App app{"Checks every document, digest, reference and figure of a store, or one document.",
               "verify"};
  std::string path;
  app.add_option("PATH", path, "A store's folder, or a manifest")->required();
  if (Parse(app, argc, argv)) return kExitDone;

  if (!std::filesystem::is_directory(path)) {
    const std::vector<Finding> findings = Reading(path, [&] { return VerifyFile(path); });
    for (const Finding& finding : findings) fmt::print("{}\n", Format(finding));
    fmt::print("1 document, {} finding(s)\n", findings.size());
    return findings.empty() ? kExitDone : kExitWrong;
  }
  const StoreReport report = Reading(path, [&] { return VerifyStore(path); });
  for (const Finding& finding : report.findings) fmt::print("{}\n", Format(finding));
  for (const std::string& what : report.unchecked) fmt::print("not checked: {}\n", what);
  for (const StoredRun& run : report.runs) {
    fmt::print("run {} {}: {}\n", Short(run.run->manifest.digest), run.fields().metadata.name,
               Outlook(run));
  }
  fmt::print("{} document(s), {} run(s), {} finding(s)\n", report.documents.size(),
             report.runs.size(), report.findings.size());
  return report.findings.empty() ? kExitDone : kExitWrong;
}

}  // namespace ropebench::commands
