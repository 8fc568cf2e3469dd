#include "benchmarks/commands/command.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backends/registry.h"
#include "benchmarks/plan.h"
#include "benchmarks/replicate.h"
#include "benchmarks/run_case.h"
#include "evidence/attestation.h"
#include "evidence/run_archive.h"
#include "evidence/store.h"
#include "manifests/jcs.h"

namespace ropebench::commands {
namespace {

Backend& FindBackend(const std::vector<BackendDevices>& backends, const BenchCase& bench_case) {
  for (const BackendDevices& entry : backends) {
    if (entry.backend != bench_case.backend) continue;
    const auto index = static_cast<std::size_t>(bench_case.device);
    if (index < entry.devices.size()) return *entry.devices[index];
    throw UsageError(fmt::format("replicate: {} device {} is not here: {}", entry.backend, index,
                                 entry.devices.empty() ? entry.why_none : "see --list devices"));
  }
  throw UsageError(fmt::format("replicate: this build has no backend {}", bench_case.backend));
}

}  // namespace

int ReplicateRun(int argc, const char* const* argv) {
  CLI::App app{"Runs a published case again on this machine and writes an attestation.",
               "replicate"};
  std::string file;
  std::string out;
  std::string attestation_file;
  int device = 0;
  app.add_option("RUN", file, "A run's document: DIR/manifests/benchmark-run/HEX.json")->required();
  app.add_option("--device", device, "Index within the run's backend")->check(CLI::Range(0, 1023));
  app.add_option("--out", out, "A store for the run that is made here");
  app.add_option("-o,--output", attestation_file, "The attestation; standard output without");
  if (Parse(app, argc, argv)) return kExitDone;

  const std::string digest = ReadRun(file).manifest.digest;
  const std::filesystem::path folder =
      std::filesystem::absolute(file).parent_path().parent_path().parent_path();
  const StoreReport report = Reading(folder, [&] { return VerifyStore(folder); });
  const StoredRun& run = FindRun("replicate", {&report, 1}, digest);
  if (!run.is_sound || run.comparison_key.empty()) {
    throw UsageError("replicate: the run's evidence does not verify; see ropebench verify");
  }
  if (run.fields().status != "passed" || !run.fields().timing) {
    throw UsageError("replicate: the run has no time to compare with");
  }
  const BenchCase bench_case = CaseOf(run, device);
  const std::vector<BackendDevices> backends = OpenBackends();
  Backend& backend = FindBackend(backends, bench_case);
  const KernelVariant* variant = FindVariant(backend, bench_case.variant);
  if (variant == nullptr) {
    throw UsageError(fmt::format("replicate: this build has no variant {}", bench_case.variant));
  }
  std::optional<std::string> why = backend.WhyNoTimer(bench_case.protocol.timer);
  if (!why) why = backend.WhyUnsupported(*variant, bench_case.workload);
  if (why) throw UsageError("replicate: " + *why);

  std::optional<Store> store;
  if (!out.empty()) store.emplace(out);
  const Replicated replicated =
      Replicate(run, bench_case, backend, EnvironmentOf(backend, backends));
  if (store) {
    RunArchive archive;
    archive.Add(replicated.publication.documents, replicated.publication.artifacts(),
                replicated.entry);
    archive.StoreIn(*store);
  }
  const Attestation attestation = Attest(replicated.replication);
  const std::string text = ReadableJson(ToJson(attestation, replicated.replication));
  if (attestation_file.empty()) {
    fmt::print("{}", text);
  } else {
    WriteFileAtomically(attestation_file, text);
    fmt::print("{}: {}\n", attestation.type, OneLine(attestation.body));
  }
  return attestation.type == "reproduced" ? kExitDone : kExitWrong;
}

}  // namespace ropebench::commands
