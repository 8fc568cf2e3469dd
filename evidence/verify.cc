#include "evidence/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "evidence/editorial.h"
#include "evidence/finding_list.h"
#include "evidence/manifest_reader.h"
#include "evidence/run_record.h"
#include "evidence/store.h"
#include "evidence/verify_run.h"
#include "evidence/workload_of.h"
#include "manifests/digest.h"
#include "manifests/names.h"

namespace ropebench {
namespace {

namespace fs = std::filesystem;

bool IsHexDigest(std::string_view name) {
  return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

class StoreVerifier {
 public:
  explicit StoreVerifier(const fs::path& folder) : folder_(folder) {}

  StoreReport Run() {
    for (const std::string& file : folder_.Files()) ReadFile(file);
    for (const auto& [digest, document] : report_.documents) {
      CheckReferences(document);
      CheckMetadata(document);
    }
    for (const auto& [digest, document] : report_.documents) {
      if (std::holds_alternative<BenchmarkRun>(document.fields)) AddRun(document);
    }
    for (const StoredRun& run : report_.runs) CheckRun(run);
    CheckJournal();
    if (report_.runs.empty()) findings_.Add("manifests", "", "the store holds no run");
    std::set<std::string> with_findings;
    for (const Finding& finding : report_.findings) with_findings.insert(finding.file);
    for (StoredRun& run : report_.runs) Judge(run, with_findings);
    std::stable_sort(report_.findings.begin(), report_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.file < b.file; });
    return std::move(report_);
  }

 private:
  void ReadFile(const std::string& file) {
    const fs::path path(file);
    const std::string name = path.filename().string();
    if (name.starts_with('.') && name.ends_with(".tmp")) return;  // of a killed writer
    if (file == kJournalName) return;
    if (file.starts_with("manifests/")) {
      findings_.Guard(file, "", [&] { ReadDocumentFile(file); });
    } else if (std::any_of(std::begin(kArtifactPlaces), std::end(kArtifactPlaces),
                           [&](const ArtifactPlace& place) {
                             return path.parent_path() == place.folder;
                           })) {
      findings_.Guard(file, "", [&] {
        const std::string digest = Sha256Digest(folder_.Read(file, kMaxArtifactBytes));
        if (HexOf(digest) != path.stem().string()) {
          throw ReadError(fmt::format("the bytes have the digest {}", digest));
        }
      });
    } else {
      findings_.AddUnchecked(fmt::format("{}: no file of a store", OneLine(file)));
    }
  }

  void ReadDocumentFile(const std::string& file) {
    ReadDocument document = ReadManifest(folder_.Read(file, kMaxManifestBytes));
    const std::string place = fmt::format("manifests/{}", FileName(document.manifest));
    if (file != place) findings_.Add(file, "", fmt::format("the document belongs into {}", place));
    std::string digest = document.manifest.digest;
    report_.documents.try_emplace(
        std::move(digest),
        StoredDocument{file, std::move(document.fields), std::move(document.manifest)});
  }

  // The document of a kind with that digest; a finding about `field` of `file` if there is none.
  template <typename Kind>
  const StoredDocument* Resolve(const std::string& file, const char* field,
                                const std::string& digest) {
    const auto found = report_.documents.find(digest);
    if (found == report_.documents.end()) {
      findings_.Add(file, field, fmt::format("{} is not in the store", digest));
      return nullptr;
    }
    if (!std::holds_alternative<Kind>(found->second.fields)) {
      findings_.Add(file, field, fmt::format("{} is a {}", digest, found->second.manifest.kind()));
      return nullptr;
    }
    return &found->second;
  }

  void CheckReferences(const StoredDocument& document) {
    if (const auto* workload = std::get_if<WorkloadCase>(&document.fields)) {
      Resolve<OperationSpec>(document.file, "WorkloadCase.operationSpecDigest",
                             workload->operation_digest);
    }
    if (const auto* implementation = std::get_if<ImplementationRevision>(&document.fields)) {
      Resolve<OperationSpec>(document.file, "ImplementationRevision.operation.specDigest",
                             implementation->operation_digest);
    }
  }

  // Only of documents of this suite; imported ones carry their source's words.
  void CheckMetadata(const StoredDocument& document) {
    if (const auto* workload = std::get_if<WorkloadCase>(&document.fields)) {
      const auto found = WorkloadOf(*workload, document.manifest.digest);
      if (!found) {
        findings_.AddUnchecked(
            fmt::format("{}: a workload that this build does not know", document.file));
        return;
      }
      const WorkloadIdentity identity = Identify(found->identity, found->workload);
      workloads_[document.manifest.digest] = *found;
      findings_.ExpectMetadata(document, MetadataOf(identity.workload));
      const auto operation = report_.documents.find(identity.operation.digest);
      if (operation != report_.documents.end()) {
        findings_.ExpectMetadata(operation->second, MetadataOf(identity.operation));
      }
    } else if (const auto* protocol = std::get_if<BenchmarkProtocol>(&document.fields)) {
      const std::optional<std::string> name = ProtocolNameOf(*protocol);
      const std::optional<Pass> pass = PassOf(*protocol);
      if (name && pass)
        findings_.ExpectMetadata(document, ProtocolMetadata(*name, protocol->timer, *pass));
    } else if (const auto* implementation = std::get_if<ImplementationRevision>(&document.fields)) {
      if (implementation->interface != "ropebench") return;
      const std::string variant = VariantOf(*implementation).value_or("");
      findings_.ExpectMetadata(document, ImplementationMetadata(implementation->language, variant));
      if (implementation->build_variants.size() != 1 ||
          implementation->build_variants.front().name != Kebab(variant)) {
        findings_.Add(document.file, "ImplementationRevision.metadata.title",
                      "names another variant than buildVariants");
      }
    }
  }

  static Metadata MetadataOf(const Manifest& manifest) {
    return std::visit([](const auto& fields) { return fields.metadata; },
                      ReadKind(manifest.document).fields);
  }

  void AddRun(const StoredDocument& document) {
    const auto& run = std::get<BenchmarkRun>(document.fields);
    StoredRun& stored = report_.runs.emplace_back();
    stored.run = &document;
    stored.implementation = Resolve<ImplementationRevision>(
        document.file, "BenchmarkRun.implementationDigest", run.implementation_digest);
    stored.workload =
        Resolve<WorkloadCase>(document.file, "BenchmarkRun.workloadDigest", run.workload_digest);
    stored.protocol = Resolve<BenchmarkProtocol>(document.file, "BenchmarkRun.protocolDigest",
                                                 run.protocol_digest);
    stored.environment = Resolve<ExecutionEnvironment>(
        document.file, "BenchmarkRun.environmentDigest", run.environment_digest);
    if (stored.workload != nullptr) {
      const auto operation =
          report_.documents.find(std::get<WorkloadCase>(stored.workload->fields).operation_digest);
      if (operation != report_.documents.end() &&
          std::holds_alternative<OperationSpec>(operation->second.fields)) {
        stored.operation = &operation->second;
      }
    }
    if (stored.operation == nullptr || stored.protocol == nullptr ||
        stored.environment == nullptr) {
      return;
    }
    stored.comparison_key = ComparisonKey(stored.operation->manifest, stored.workload->manifest,
                                          stored.protocol->manifest, stored.environment->manifest);
  }

  void CheckRun(const StoredRun& stored) {
    const auto workload = stored.workload == nullptr
                              ? workloads_.end()
                              : workloads_.find(stored.workload->manifest.digest);
    if (!VerifyRun(stored, folder_, workload == workloads_.end() ? nullptr : &workload->second,
                   findings_)) {
      remote_.insert(stored.run->file);
    }
    // Only of environments of this suite's runs, and once for each.
    if (stored.fields().source_native || stored.environment == nullptr) return;
    if (!checked_.insert(stored.environment).second) return;
    const auto& environment = std::get<ExecutionEnvironment>(stored.environment->fields);
    findings_.ExpectMetadata(*stored.environment,
                             EnvironmentMetadata(environment.product, environment.architecture));
  }

  void CheckJournal() {
    std::string journal;
    const std::string file(kJournalName);
    if (!findings_.Guard(file, "", [&] { journal = folder_.Read(file, kMaxJournalBytes); })) return;
    std::set<std::string> named;
    std::string_view rest = journal;
    for (int number = 1; !rest.empty(); ++number) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      const std::string place = fmt::format("line {}", number);
      if (line.size() == rest.size())
        findings_.Add(file, place, "does not end: a writer was killed");
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      findings_.Guard(file, place, [&] { CheckJournalLine(line, place, named); });
    }
    for (const StoredRun& run : report_.runs) {
      if (named.contains(run.run->manifest.digest)) continue;
      findings_.Add(file, "", fmt::format("no line names the run {}", run.run->manifest.digest));
    }
  }

  void CheckJournalLine(std::string_view line, const std::string& place,
                        std::set<std::string>& named) {
    const JournalEntry entry = ParseJournalLine(line);
    const std::string file(kJournalName);
    if (!named.insert(entry.run_digest).second) {
      findings_.Add(file, place, fmt::format("names the run {} again", entry.run_digest));
    }
    const auto stored = std::lower_bound(report_.runs.begin(), report_.runs.end(), entry.run_digest,
                                         [](const StoredRun& run, const std::string& digest) {
                                           return run.run->manifest.digest < digest;
                                         });
    if (stored == report_.runs.end() || stored->run->manifest.digest != entry.run_digest) {
      findings_.Add(file, place, fmt::format("run: {} is no run of the store", entry.run_digest));
      return;
    }
    const BenchmarkRun& run = stored->fields();
    const auto expect = [&](const char* key, const std::string& is, const std::string& should) {
      if (is == should) return;
      findings_.Add(file, place,
                    fmt::format("{}: is {:?}, but the run gives {:?}", key, is, should));
    };
    expect("status", entry.status, run.status);
    if (!stored->comparison_key.empty()) {
      expect("comparison_key", entry.comparison_key, stored->comparison_key);
    }
    const auto label = run.metadata.labels.find("case_id");
    if (label != run.metadata.labels.end()) expect("case", entry.case_id, label->second);
    if (run.source_native && run.source_native->external_id) {
      expect("case", entry.case_id, *run.source_native->external_id);
    }
  }

  void Judge(StoredRun& stored, const std::set<std::string>& with_findings) {
    const BenchmarkRun& run = stored.fields();
    std::vector<std::string>& missing = stored.missing;
    stored.is_sound = true;
    for (const StoredDocument* document :
         {stored.run, stored.operation, stored.workload, stored.implementation, stored.protocol,
          stored.environment}) {
      if (document == nullptr || with_findings.contains(document->file)) stored.is_sound = false;
    }
    if (!stored.is_sound) missing.emplace_back("evidence without a finding");
    if (run.status != "passed") missing.emplace_back("a run that passed");
    if (!run.timing || !run.timing->raw_samples) missing.emplace_back("raw samples");
    if (!run.evidence.logs) missing.emplace_back("a log");
    if (remote_.contains(stored.run->file)) missing.emplace_back("artifacts inside the store");
    if (!run.evidence.harness) {
      missing.emplace_back("the exact commit of the harness");
    } else if (run.evidence.harness->repository.starts_with(kUnpublishedAddress)) {
      missing.emplace_back("a public repository of the harness");
    }
    if (stored.implementation != nullptr) {
      const auto& implementation = std::get<ImplementationRevision>(stored.implementation->fields);
      if (!implementation.commit) missing.emplace_back("the exact commit of the implementation");
      if (!implementation.source) missing.emplace_back("the digest of the implementation's source");
    }
    if (stored.environment != nullptr) {
      const auto& environment = std::get<ExecutionEnvironment>(stored.environment->fields);
      if (!environment.operating_system) missing.emplace_back("the environment's software");
    }
    if (!missing.empty()) return;
    stored.level = EvidenceLevel::kReproducible;
    missing.emplace_back("a run by a controlled runner");
  }

  StoreFolder folder_;
  StoreReport report_;
  FindingList findings_{report_.findings, report_.unchecked};
  std::map<std::string, IdentifiedWorkload> workloads_;
  std::set<std::string> remote_;             // files of runs with artifacts elsewhere
  std::set<const StoredDocument*> checked_;  // environments of this suite's runs
};

}  // namespace

std::string Format(const Finding& finding) {
  std::string line = OneLine(finding.file);
  if (!finding.field.empty()) line += ": " + OneLine(finding.field);
  return line + ": " + OneLine(finding.problem);
}

std::string_view Name(EvidenceLevel level) {
  return level == EvidenceLevel::kReproducible ? "Reproducible" : "Reported";
}

StoreReport VerifyStore(const fs::path& folder) { return StoreVerifier(folder).Run(); }

std::vector<Finding> VerifyFile(const fs::path& file) {
  const std::string text = ReadNamedFile(file, kMaxManifestBytes);
  const std::string stem = file.stem().string();
  std::vector<Finding> findings;
  try {
    const std::string digest = ReadManifest(text).manifest.digest;
    if (IsHexDigest(stem) && HexOf(digest) != stem) {
      findings.push_back(
          {file.string(), "", fmt::format("the document has the digest {}", digest)});
    }
  } catch (const std::invalid_argument& error) {
    findings.push_back({file.string(), "", error.what()});
  } catch (const ReadError& error) {
    findings.push_back({file.string(), "", error.what()});
  }
  return findings;
}

}  // namespace ropebench
