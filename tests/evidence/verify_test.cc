#include "evidence/verify.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "evidence/manifest_reader.h"
#include "manifests/digest.h"
#include "manifests/jcs.h"
#include "tests/evidence/sample_store.h"

namespace ropebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFile(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> Lines(const std::vector<Finding>& findings) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings) lines.push_back(Format(finding));
  return lines;
}

class VerifyTest : public testing::Test {
 protected:
  void SetUp() override { FillSampleStore(root()); }

  fs::path root() const { return folder_.path() / "store"; }

  // Files below the store's folder that begin with `prefix`.
  std::vector<std::string> Files(const std::string& prefix = "") const {
    std::vector<std::string> files = StoreFolder(root()).Files();
    std::erase_if(files, [&](const std::string& file) { return !file.starts_with(prefix); });
    return files;
  }

  std::vector<std::string> Verify() const { return Lines(VerifyStore(root()).findings); }

  // Replaces a run by one with a changed spec, under its right digest and in the journal: what
  // somebody does who wants to be believed. Returns the new file.
  std::string Forge(const std::string& file, const std::function<void(json&)>& change) {
    json document = json::parse(ReadFile(root() / file));
    const std::string old_digest = "sha256:" + fs::path(file).stem().string();
    change(document.at("spec"));
    const std::string digest = ManifestDigest(document);
    fs::remove(root() / file);
    const std::string forged = fmt::format("manifests/benchmark-run/{}.json", HexOf(digest));
    WriteFile(root() / forged, ReadableJson(document));
    std::string journal = ReadFile(root() / kJournalName);
    const std::size_t at = journal.find(old_digest);
    WriteFile(root() / kJournalName, journal.replace(at, old_digest.size(), digest));
    return forged;
  }

  // The run of a variant.
  std::string RunOf(const std::string& variant) const {
    for (const std::string& file : Files("manifests/benchmark-run/")) {
      const json document = json::parse(ReadFile(root() / file));
      if (document["metadata"]["labels"]["variant"] == variant) return file;
    }
    throw std::logic_error("no run of " + variant);
  }

  TemporaryFolder folder_;
};

TEST_F(VerifyTest, AStoreAsItIsWrittenHasNoFinding) {
  const StoreReport report = VerifyStore(root());
  EXPECT_THAT(Lines(report.findings), IsEmpty());
  EXPECT_THAT(report.unchecked, IsEmpty());
  EXPECT_EQ(report.runs.size(), 4u);
  for (const StoredRun& run : report.runs) EXPECT_TRUE(run.is_sound);
}

TEST_F(VerifyTest, SaysTheLevelOfEvidenceAndWhatIsMissing) {
  Store store(root());
  PutSampleRun(store, {.variant = "dirty", .base_ns = 100.0, .is_dirty = true});
  std::map<std::string, std::pair<EvidenceLevel, std::vector<std::string>>> levels;
  for (const StoredRun& run : VerifyStore(root()).runs) {
    levels[run.fields().metadata.labels.at("variant")] = {run.level, run.missing};
  }
  EXPECT_EQ(levels["vec16"].first, EvidenceLevel::kReproducible);
  EXPECT_THAT(levels["vec16"].second, ElementsAre("a run by a controlled runner"));
  EXPECT_EQ(levels["broken"].first, EvidenceLevel::kReported);
  EXPECT_THAT(levels["broken"].second, ElementsAre("a run that passed", "raw samples"));
  EXPECT_EQ(levels["dirty"].first, EvidenceLevel::kReported);
  EXPECT_THAT(levels["dirty"].second, ElementsAre("the exact commit of the harness",
                                                  "the exact commit of the implementation"));
}

TEST_F(VerifyTest, EveryFigureIsDerivedFromTheRawSamples) {
  const std::pair<const char*, std::function<void(json&)>> cases[] = {
      {"timing.samples", [](json& s) { s["timing"]["samples"] = 41; }},
      {"latencyNs.median", [](json& s) { s["timing"]["latencyNs"]["median"] = 2000; }},
      {"latencyNs.mean", [](json& s) { s["timing"]["latencyNs"]["mean"] = 2000; }},
      {"latencyNs.p05", [](json& s) { s["timing"]["latencyNs"]["p05"] = 2000; }},
      {"latencyNs.p95", [](json& s) { s["timing"]["latencyNs"]["p95"] = 2000; }},
      {"latencyNs.minimum", [](json& s) { s["timing"]["latencyNs"].erase("minimum"); }},
      {"latencyNs.maximum", [](json& s) { s["timing"]["latencyNs"]["maximum"] = 2000; }},
      {"latencyNs.mad", [](json& s) { s["timing"]["latencyNs"]["mad"] = 2000; }},
      {"confidence95", [](json& s) { s["timing"]["latencyNs"].erase("confidence95"); }},
      {"latency.p20", [](json& s) { s["measurements"][0]["value"] = 2000; }},
      {"latency.p20", [](json& s) { s["measurements"][0]["sampleCount"] = 41; }},
      {"latency.p20", [](json& s) { s["measurements"].erase(0); }},
      {"latency.p80", [](json& s) { s["measurements"].push_back(s["measurements"][1]); }},
      {"bandwidth.median", [](json& s) { s["measurements"][2]["value"] = 4000.0; }},
      {"percent_of_copy", [](json& s) { s["measurements"][3]["value"] = 99.0; }},
      {"percent_of_copy", [](json& s) { s["measurements"][3]["unit"] = "ratio"; }},
      {"correctness", [](json& s) { s["correctness"]["matchedRatio"] = 0.999; }},
      {"correctness", [](json& s) { s.erase("correctness"); }},
      {"timing", [](json& s) { s["status"] = "timeout"; }},
      {"rawSamples", [](json& s) { s["timing"].erase("rawSamples"); }},
  };
  for (const auto& [field, change] : cases) {
    const std::string file = RunOf("vec16");
    const std::string before = ReadFile(root() / file);
    const std::string journal = ReadFile(root() / kJournalName);
    const std::string forged = Forge(file, change);
    EXPECT_THAT(Verify(), Contains(AllOf(HasSubstr(forged), HasSubstr(field)))) << field;
    fs::remove(root() / forged);
    WriteFile(root() / file, before);
    WriteFile(root() / kJournalName, journal);
  }
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(VerifyTest, AnIntervalMayOnlyBeWidenedByTheTickInTheLog) {
  const auto widen = [](json& spec) {
    json& interval = spec["timing"]["latencyNs"]["confidence95"];
    interval = {interval[0].get<int>() - 1, interval[1].get<int>() + 1};
  };
  for (const char* variant : {"vec16", "plain", "flat16_b256"}) {
    const std::string forged = Forge(RunOf(variant), widen);
    EXPECT_THAT(Verify(), Contains(AllOf(HasSubstr(forged), HasSubstr("confidence95")))) << variant;
  }
}

TEST_F(VerifyTest, AnArtifactMustBeWhereTheRunSaysAndInsideTheStore) {
  WriteFile(folder_.path() / "outside.json", R"({"samples":[1],"unit":"ns"})");
  const std::string outside = Sha256Digest(ReadFile(folder_.path() / "outside.json"));
  fs::create_symlink("../../outside.json", root() / "samples" / "link.json");
  for (const char* uri :
       {"../outside.json", "samples/../../outside.json", "/etc/passwd", "samples/link.json", "",
        "samples", "./journal.jsonl", "file:///etc/passwd", "http://example.com/x.json"}) {
    const std::string file = RunOf("vec16");
    const std::string before = ReadFile(root() / file);
    const std::string journal = ReadFile(root() / kJournalName);
    const std::string forged = Forge(file, [&](json& spec) {
      for (const char* place : {"timing", "evidence"}) {
        spec[place]["rawSamples"] = {{"uri", uri}, {"digest", outside}};
      }
    });
    EXPECT_THAT(Verify(), Contains(AllOf(HasSubstr(forged), HasSubstr("rawSamples")))) << uri;
    fs::remove(root() / forged);
    WriteFile(root() / file, before);
    WriteFile(root() / kJournalName, journal);
  }
  fs::remove(root() / "samples" / "link.json");
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(VerifyTest, TheBuildRecordAgreesWithTheDocuments) {
  const std::pair<const char*, std::function<void(BuildRecord&)>> cases[] = {
      {"compilers.cpp.name", [](BuildRecord& b) { b.compilers["cpp"].name = "GNU 14.2"; }},
      {"compilers.cuda.name", [](BuildRecord& b) { b.compilers["cuda"].name = "12.4"; }},
      {"cuda is missing", [](BuildRecord& b) { b.compilers.erase("cuda"); }},
      {"kernel_sources", [](BuildRecord& b) { b.kernel_sources = Sha256Digest("others"); }},
      {"program.version", [](BuildRecord& b) { b.version = "0.2.0"; }},
      {"program.commit", [](BuildRecord& b) { b.revision.commit = std::string(40, 'b'); }},
      {"program.dirty", [](BuildRecord& b) { b.revision.dirty = true; }},
  };
  const std::string file = RunOf("vec16");
  const std::string before = ReadFile(root() / file);
  const std::string journal = ReadFile(root() / kJournalName);
  const std::string log = json::parse(before)["spec"]["evidence"]["logs"]["uri"];
  // A forged log, under its right digest and named by the run.
  const auto forge = [&](const std::string& record_line) {
    std::string text = ReadFile(root() / log);
    const std::size_t at = text.find("record ");
    text.replace(at, text.find('\n', at) + 1 - at, record_line);
    const Artifact forged = LogArtifact(text);
    WriteFile(root() / forged.ref.uri, text);
    return Forge(file, [&](json& spec) {
      spec["evidence"]["logs"] = {{"uri", forged.ref.uri}, {"digest", forged.ref.digest}};
    });
  };
  const auto expect = [&](const std::string& forged, const char* what) {
    EXPECT_THAT(Verify(), Contains(AllOf(HasSubstr(forged), HasSubstr(what))));
    fs::remove(root() / forged);
    WriteFile(root() / file, before);
    WriteFile(root() / kJournalName, journal);
  };
  for (const auto& [what, change] : cases) {
    BuildRecord record = SampleBuild(std::string(40, 'a'), /*is_dirty=*/false);
    change(record);
    const Artifact build = BuildRecordArtifact(record);
    WriteFile(root() / build.ref.uri, build.bytes);
    expect(forge(BuildRecordLine(build.ref)), what);
  }
  const std::string digest = Sha256Digest("none");
  expect(forge(BuildRecordLine({"builds/none.json", digest})), "No such file");
  expect(forge(BuildRecordLine({"../store/builds/x.json", digest})), "builds/x.json");
  const Artifact samples = SamplesArtifact({{1.0}});
  WriteFile(root() / samples.ref.uri, samples.bytes);
  expect(forge(BuildRecordLine(samples.ref)), "is no build record: compilers is missing");
  EXPECT_THAT(Verify(), IsEmpty());

  // Evidence from before there was a record is no worse for it.
  forge("");
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(VerifyTest, AnArtifactElsewhereIsNotChecked) {
  Forge(RunOf("vec16"), [](json& spec) {
    for (const char* place : {"timing", "evidence"}) {
      spec[place]["rawSamples"]["uri"] = "https://example.com/x.json";
    }
  });
  const StoreReport report = VerifyStore(root());
  EXPECT_THAT(Lines(report.findings), IsEmpty());
  EXPECT_THAT(report.unchecked, Contains(HasSubstr("is not fetched")));
}

TEST_F(VerifyTest, AKilledWritersTemporaryFileAndOtherFilesAreNoFinding) {
  WriteFile(root() / "samples" / ".x.json.1f.tmp", "{");
  WriteFile(root() / "README.md", "text");
  const StoreReport report = VerifyStore(root());
  EXPECT_THAT(Lines(report.findings), IsEmpty());
  EXPECT_THAT(report.unchecked, ElementsAre("README.md: no file of a store"));
}

TEST_F(VerifyTest, LinksAreNotFollowed) {
  const std::string file = RunOf("vec16");
  fs::rename(root() / file, folder_.path() / "run.json");
  fs::create_symlink(folder_.path() / "run.json", root() / file);
  EXPECT_THAT(Verify(), Contains(AllOf(HasSubstr(file), HasSubstr("symbolic link"))));
}

TEST_F(VerifyTest, AFolderWithoutARunIsAFinding) {
  const fs::path empty = folder_.path() / "empty";
  fs::create_directory(empty);
  EXPECT_THAT(Lines(VerifyStore(empty).findings), Contains(HasSubstr("no run")));
  EXPECT_THROW(VerifyStore(folder_.path() / "none"), ReadError);
}

TEST_F(VerifyTest, OneDocumentIsVerifiedByItself) {
  const fs::path file = root() / RunOf("vec16");
  EXPECT_THAT(VerifyFile(file), IsEmpty());
  const fs::path renamed = file.parent_path() / (std::string(64, '0') + ".json");
  fs::copy_file(file, renamed);
  EXPECT_THAT(Lines(VerifyFile(renamed)), ElementsAre(HasSubstr("has the digest sha256:")));
  fs::rename(renamed, folder_.path() / "any-name.json");
  EXPECT_THAT(VerifyFile(folder_.path() / "any-name.json"), IsEmpty());
}

TEST(CommittedResults, Verify) {
  int stores = 0;
  for (const auto& entry : fs::directory_iterator(ROPEBENCH_SOURCE_DIR "/results")) {
    if (!fs::exists(entry.path() / kJournalName)) continue;
    ++stores;
    const StoreReport report = VerifyStore(entry.path());
    EXPECT_THAT(Lines(report.findings), IsEmpty()) << entry.path();
    EXPECT_FALSE(report.runs.empty()) << entry.path();
  }
  if (stores == 0) GTEST_SKIP() << "no store in results/";
}

// Changes at random, each to a fresh store. Those that change what the store says must be found, in
// the file that was changed; those that do not must be accepted.
class MutationTest : public VerifyTest {
 protected:
  void SetUp() override {
    VerifyTest::SetUp();
    for (const std::string& file : Files()) original_[file] = ReadFile(root() / file);
  }

  std::size_t Below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }
  template <typename List>
  const auto& Any(const List& list) {
    return list[Below(list.size())];
  }

  void Restore() {
    for (const std::string& file : Files()) {
      if (!original_.contains(file)) fs::remove(root() / file);
    }
    for (const auto& [file, bytes] : original_) {
      if (ReadFile(root() / file) != bytes) WriteFile(root() / file, bytes);
    }
  }

  void ExpectFound(const std::string& file, const std::string& what) {
    const std::vector<Finding> findings = VerifyStore(root()).findings;
    const bool found = std::any_of(findings.begin(), findings.end(),
                                   [&](const Finding& f) { return f.file == file; });
    EXPECT_TRUE(found) << what << " in " << file << ": " << testing::PrintToString(Lines(findings));
    ++changes_;
    Restore();
  }

  void ExpectAccepted(const std::string& file, const std::string& what) {
    EXPECT_THAT(Verify(), IsEmpty()) << what << " in " << file;
    ++changes_;
    Restore();
  }

  // Every value inside `value` that holds no others, by its address.
  static std::vector<json::json_pointer> Leaves(const json& value) {
    std::vector<json::json_pointer> leaves;
    const json flat = value.flatten();
    for (const auto& [pointer, leaf] : flat.items()) leaves.emplace_back(pointer);
    return leaves;
  }

  // Keys in another order, other white space, other spellings of texts and numbers.
  std::string Restyled(const json& value) {
    const auto space = [&] {
      static constexpr const char* kSpaces[] = {"", " ", "\n", "\t", "\r\n", "  "};
      return std::string(kSpaces[Below(std::size(kSpaces))]);
    };
    std::string text = space();
    if (value.is_object()) {
      std::vector<std::string> items;
      for (const auto& [key, item] : value.items()) {
        items.push_back(space() + json(key).dump() + space() + ":" + Restyled(item));
      }
      std::shuffle(items.begin(), items.end(), random_);
      text += fmt::format("{{{}}}", fmt::join(items, ","));
    } else if (value.is_array()) {
      std::vector<std::string> items;
      for (const json& item : value) items.push_back(Restyled(item));
      text += fmt::format("[{}]", fmt::join(items, ","));
    } else if (value.is_string() && Below(2) == 0) {
      text += json(value).dump(-1, ' ', /*ensure_ascii=*/true);
    } else if (value.is_number_integer() && Below(2) == 0) {
      text += value.dump() + (Below(2) == 0 ? ".0" : "e0");
    } else {
      text += value.dump();
    }
    return text + space();
  }

  std::mt19937 random_{20261201};
  std::map<std::string, std::string> original_;
  int changes_ = 0;
};

TEST_F(MutationTest, EverySingleChangeThatMattersIsFoundAndNoOther) {
  const std::vector<std::string> files = Files();
  const std::vector<std::string> documents = Files("manifests/");
  const std::vector<std::string> runs = Files("manifests/benchmark-run/");

  for (std::size_t i = 0; i < 400; ++i) {
    const std::string& file = i < files.size() ? files[i] : Any(files);  // none is left out
    std::string bytes = original_[file];
    const std::size_t bit = Below(8 * bytes.size());
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    WriteFile(root() / file, bytes);
    ExpectFound(file, fmt::format("bit {} flipped", bit));
  }
  for (int i = 0; i < 150; ++i) {
    const std::string& file = Any(documents);
    json document = json::parse(original_[file]);
    json::json_pointer field = Any(Leaves(document));
    if (Below(2) == 0) {  // a whole object or list above it
      while (Below(2) == 0 && field.parent_pointer().to_string().size() > 1) {
        field = field.parent_pointer();
      }
    }
    json& parent = document.at(field.parent_pointer());
    if (parent.is_array()) {
      parent.erase(std::stoul(field.back()));
    } else {
      parent.erase(field.back());
    }
    WriteFile(root() / file, ReadableJson(document));
    ExpectFound(file, fmt::format("{} dropped", field.to_string()));
  }
  for (int i = 0; i < 150; ++i) {
    const std::string& file = Any(documents);
    json document = json::parse(original_[file]);
    std::vector<json::json_pointer> numbers = Leaves(document);
    std::erase_if(numbers, [&](const auto& leaf) { return !document.at(leaf).is_number(); });
    if (numbers.empty()) continue;
    json& number = document.at(Any(numbers));
    number = number.get<double>() + static_cast<double>(1 + Below(9));
    WriteFile(root() / file, ReadableJson(document));
    ExpectFound(file, "a number changed");
  }
  for (int i = 0; i < 100; ++i) {
    const std::string file = Any(runs);
    std::string changed;
    if (json::parse(original_[file])["spec"]["status"] != "passed") continue;
    const std::string forged = Forge(file, [&](json& spec) {
      json figures = {{"timing", spec["timing"]}, {"measurements", spec["measurements"]}};
      std::vector<json::json_pointer> numbers = Leaves(figures);
      std::erase_if(numbers, [&](const auto& leaf) { return !figures.at(leaf).is_number(); });
      const json::json_pointer& field = Any(numbers);
      changed = field.to_string();
      spec.at(field) = spec.at(field).get<double>() + 1.0;
    });
    ExpectFound(forged, fmt::format("{} forged", changed));
  }
  for (int i = 0; i < 60; ++i) {
    const std::string& first = Any(files);
    const std::string& second = Any(files);
    if (first == second) continue;
    WriteFile(root() / first, original_[second]);
    WriteFile(root() / second, original_[first]);
    ExpectFound(first, "swapped with " + second);
  }
  for (int i = 0; i < 40; ++i) {
    const std::string& file = Any(files);
    WriteFile(root() / file, original_[file].substr(0, Below(original_[file].size())));
    ExpectFound(file, "cut");
  }
  for (const std::string& file : files) {  // what refers to it names it
    fs::remove(root() / file);
    EXPECT_THAT(Verify(), Not(IsEmpty())) << file << " removed";
    ++changes_;
    Restore();
  }
  for (int i = 0; i < 200; ++i) {
    const std::string& file = Any(documents);
    WriteFile(root() / file, Restyled(json::parse(original_[file])));
    ExpectAccepted(file, "restyled");
  }
  EXPECT_GE(changes_, 1000);
  RecordProperty("changes", changes_);
}

}  // namespace
}  // namespace ropebench
