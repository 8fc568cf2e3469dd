#include "evidence/store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "manifests/digest.h"
#include "tests/evidence/sample_record.h"

namespace ropebench {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFile(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> FilesBelow(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) files.push_back(fs::relative(entry.path(), folder).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

template <typename F>
std::string ErrorOf(F&& f) {
  try {
    f();
  } catch (const StoreError& error) {
    return error.what();
  }
  return "no StoreError";
}

class StoreTest : public testing::Test {
 protected:
  fs::path out() const { return folder_.path() / "deep" / "out"; }

  TemporaryFolder folder_;
};

TEST_F(StoreTest, WritesEachDocumentOfARunUnderItsDigest) {
  Store store(out());
  const PublishedRun published = BuildRun(SampleRecord());
  store.PutRun(published);
  EXPECT_EQ(FilesBelow(out() / "manifests").size(), 6u);
  for (const Manifest* manifest :
       {&published.operation, &published.workload, &published.implementation, &published.protocol,
        &published.environment, &published.run}) {
    const fs::path path = out() / "manifests" / FileName(*manifest);
    const nlohmann::json document = nlohmann::json::parse(ReadFile(path));
    EXPECT_EQ(ManifestDigest(document), manifest->digest);
    EXPECT_EQ(path.stem().string(), HexOf(manifest->digest));
  }
}

TEST_F(StoreTest, WritingADocumentAgainChangesNothing) {
  Store store(out());
  Manifest manifest = BuildRun(SampleRecord()).run;
  store.PutManifest(manifest);
  const fs::path path = out() / "manifests" / FileName(manifest);
  const std::string before = ReadFile(path);
  const auto time = fs::last_write_time(path);

  store.PutManifest(manifest);
  manifest.document["metadata"]["title"] = "another title";  // no part of the digest
  store.PutManifest(manifest);
  EXPECT_EQ(ReadFile(path), before);
  EXPECT_EQ(fs::last_write_time(path), time);
  EXPECT_EQ(FilesBelow(out() / "manifests").size(), 1u);
}

TEST_F(StoreTest, ReplacesAFileThatDoesNotStandForItsName) {
  Store store(out());
  const Manifest manifest = BuildRun(SampleRecord()).run;
  store.PutManifest(manifest);
  const fs::path path = out() / "manifests" / FileName(manifest);
  const std::string right = ReadFile(path);
  const Artifact log = LogArtifact("text\n");
  store.PutArtifact(log);
  for (const std::string& wrong : {std::string(), right.substr(0, right.size() / 2),
                                   std::string("{\"kind\": \"BenchmarkRun\"}")}) {
    WriteFile(path, wrong);
    store.PutManifest(manifest);
    EXPECT_EQ(ReadFile(path), right);
    WriteFile(out() / log.ref.uri, wrong);
    store.PutArtifact(log);
    EXPECT_EQ(ReadFile(out() / log.ref.uri), "text\n");
  }
}

TEST_F(StoreTest, ArtifactsAreNamedByTheDigestOfTheirBytes) {
  Store store(out());
  const std::vector<double> samples = {2848.0, 2880.5, 1e-7};
  const Artifact raw = SamplesArtifact(samples);
  store.PutArtifact(raw);
  EXPECT_EQ(ReadFile(out() / raw.ref.uri), "{\"samples\":[2848,2880.5,1e-7],\"unit\":\"ns\"}\n");
  EXPECT_EQ(raw.ref.digest, Sha256Digest(raw.bytes));
  EXPECT_EQ(raw.ref.uri, "samples/" + std::string(HexOf(raw.ref.digest)) + ".json");

  const Artifact log = LogArtifact(std::string("a\0\xff", 3));
  store.PutArtifact(log);
  EXPECT_EQ(log.ref.digest, Sha256Digest(std::string_view("a\0\xff", 3)));
  EXPECT_EQ(ReadFile(out() / log.ref.uri), std::string("a\0\xff", 3));
}

TEST(SamplesArtifact, RefusesASampleThatIsNoNumber) {
  const std::vector<double> samples = {1.0, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(SamplesArtifact(samples), std::invalid_argument);
}

TEST_F(StoreTest, JournalHasOneLinePerFinishedCase) {
  Store store(out());
  store.AppendJournal({"rope/a", "passed", "sha256:1", "sha256:2"});
  Store(out()).AppendJournal({"quote \" and\nnewline", "timeout", "sha256:3", "sha256:4"});
  EXPECT_EQ(ReadFile(out() / "journal.jsonl"),
            "{\"case\":\"rope/a\",\"comparison_key\":\"sha256:2\",\"run\":\"sha256:1\","
            "\"status\":\"passed\"}\n"
            "{\"case\":\"quote \\\" and\\nnewline\",\"comparison_key\":\"sha256:4\","
            "\"run\":\"sha256:3\",\"status\":\"timeout\"}\n");
}

// A process killed while it appended left half a line, which the next line must not join.
TEST_F(StoreTest, ATornJournalLineStaysALineOfItsOwn) {
  Store store(out());
  store.AppendJournal({"a", "passed", "r", "k"});
  std::ofstream(out() / "journal.jsonl", std::ios::app) << "{\"case\":\"b";
  store.AppendJournal({"c", "passed", "r", "k"});
  std::ifstream journal(out() / "journal.jsonl");
  std::vector<std::string> cases;
  for (std::string line; std::getline(journal, line);) {
    const nlohmann::json entry = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    cases.push_back(entry.is_discarded() ? "torn" : entry["case"].get<std::string>());
  }
  EXPECT_THAT(cases, ElementsAre("a", "torn", "c"));
}

TEST_F(StoreTest, ATemporaryFileOfAKilledWriterIsHarmless) {
  Store store(out());
  const Manifest manifest = BuildRun(SampleRecord()).run;
  store.PutManifest(manifest);
  const fs::path path = out() / "manifests" / FileName(manifest);
  const std::string right = ReadFile(path);
  fs::remove(path);
  const fs::path left = path.parent_path() / fmt::format(".{}.1.tmp", path.filename().string());
  WriteFile(left, right + right);
  store.PutManifest(manifest);
  EXPECT_EQ(ReadFile(path), right);
  EXPECT_EQ(ReadFile(left), right + right) << "another writer's file is not touched";
}

[[noreturn]] void WriteForever(Store& store, int round) {
  try {
    for (int i = 0;; ++i) {
      RunRecord record = SampleRecord();
      record.timing->samples = 1 + i + 100'000 * round;
      store.PutManifest(BuildRun(record).run);
      store.AppendJournal({fmt::format("{}.{}", round, i), "passed", "r", "k"});
    }
  } catch (...) {
    ::_exit(1);
  }
}

TEST_F(StoreTest, AKilledWriterLeavesOnlyWholeDocuments) {
  Store store(out());
  for (int round = 0; round < 10; ++round) {
    const pid_t child = ::fork();
    if (child == 0) WriteForever(store, round);
    // Killed at another point each time, but not before it has written something.
    const auto before = fs::file_size(out() / "journal.jsonl");
    while (fs::file_size(out() / "journal.jsonl") == before &&
           ::waitpid(child, nullptr, WNOHANG) == 0) {
      ::usleep(1000);
    }
    ::usleep(static_cast<useconds_t>(1700 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  std::size_t documents = 0;
  for (const std::string& file : FilesBelow(out() / "manifests")) {
    const fs::path path = out() / "manifests" / file;
    if (path.extension() == ".tmp") continue;
    ++documents;
    EXPECT_EQ(HexOf(ManifestDigest(nlohmann::json::parse(ReadFile(path)))), path.stem().string());
  }
  EXPECT_GE(documents, 10u);
}

// Permissions would not stop a test that runs as root; a path below a file stops everybody.
TEST_F(StoreTest, AnUnwritablePlaceIsMetBeforeAnyWork) {
  const fs::path file = folder_.path() / "file";
  WriteFile(file, "");
  const std::string error = ErrorOf([&] { Store store(file / "out"); });
  EXPECT_THAT(error, HasSubstr("cannot create " + (file / "out").string()));
  EXPECT_THAT(error, HasSubstr("Not a directory"));
  EXPECT_THAT(error, Not(HasSubstr("\n")));
}

TEST_F(StoreTest, AFileOfItsOwnIsWrittenWholeOrNotAtAll) {
  fs::create_directories(out());
  WriteFileAtomically(out() / "result.json", "first");
  WriteFileAtomically(out() / "result.json", "second");
  EXPECT_EQ(ReadFile(out() / "result.json"), "second");
  EXPECT_THAT(ErrorOf([&] { WriteFileAtomically(out() / "none" / "result.json", "x"); }),
              HasSubstr("No such file or directory"));
  EXPECT_THAT(FilesBelow(out()), ElementsAre("result.json"));
}

TEST_F(StoreTest, AVanishedFolderIsAnErrorAndIsNotCreatedAnew) {
  Store store(out());
  fs::remove_all(out());
  const PublishedRun published = BuildRun(SampleRecord());
  EXPECT_THAT(ErrorOf([&] { store.PutRun(published); }), HasSubstr("No such file or directory"));
  EXPECT_THAT(ErrorOf([&] { store.PutArtifact(LogArtifact("x")); }), HasSubstr(out().string()));
  EXPECT_THAT(ErrorOf([&] { store.AppendJournal({}); }), HasSubstr("journal.jsonl"));
  EXPECT_FALSE(fs::exists(out()));
}

// Files that may not grow past a limit stand in for a full disk: a write fails half-way.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_;
  void (*old_handler_)(int);
};

TEST_F(StoreTest, AFullDiskLeavesNothingHalfWritten) {
  Store store(out());
  store.AppendJournal({"a", "passed", "r", "k"});
  const std::string journal = ReadFile(out() / "journal.jsonl");
  std::string log_error;
  std::string journal_error;
  {
    const FileSizeLimit limit(journal.size() + 10);
    log_error = ErrorOf([&] { store.PutArtifact(LogArtifact(std::string(10'000, 'x'))); });
    journal_error = ErrorOf([&] { store.AppendJournal({"b", "passed", "r", "k"}); });
  }
  EXPECT_THAT(log_error, HasSubstr("cannot write " + (out() / "logs").string()));
  EXPECT_THAT(journal_error, HasSubstr("cannot write " + (out() / "journal.jsonl").string()));
  EXPECT_THAT(FilesBelow(out()), ElementsAre("journal.jsonl"));
  EXPECT_EQ(ReadFile(out() / "journal.jsonl"), journal);

  store.AppendJournal({"c", "passed", "r", "k"});
  EXPECT_THAT(ReadFile(out() / "journal.jsonl"), HasSubstr("\"c\""));
}

}  // namespace
}  // namespace ropebench
