#include "evidence/manifest_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "manifests/jcs.h"
#include "tests/evidence/sample_record.h"

namespace ropebench {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename F>
std::string ErrorOf(F&& f) {
  try {
    f();
  } catch (const ReadError& error) {
    return error.what();
  }
  return "no ReadError";
}

void WriteFile(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(ReadManifest, ReadsADocumentAndRefusesWhatIsNone) {
  const Manifest run = BuildRun(SampleRecord()).run;
  EXPECT_EQ(ReadManifest(ReadableJson(run.document)).manifest.digest, run.digest);
  const std::string text = CanonicalJson(run.document);
  EXPECT_THAT(ErrorOf([&] { ReadManifest(text + "{}"); }), HasSubstr("expected end of input"));
  EXPECT_THAT(ErrorOf([&] { ReadManifest(text + std::string(kMaxManifestBytes, ' ')); }),
              HasSubstr("at most 1048576 are read"));
  EXPECT_THROW(ReadManifest("{}"), ManifestError);
}

TEST(ParseJournalLine, ReadsFourTextsAndNothingElse) {
  const JournalEntry entry =
      ParseJournalLine(R"({"case":"a","comparison_key":"d","run":"c","status":"b"})");
  EXPECT_EQ(entry.case_id + entry.status + entry.run_digest + entry.comparison_key, "abcd");
  for (const char* line :
       {"", "[]", "{}", R"({"case":"a","comparison_key":"d","run":"c"})",
        R"({"case":"a","comparison_key":"d","run":"c","status":1})",
        R"({"case":"a","comparison_key":"d","run":"c","status":"b","x":"y"})",
        R"({"case":"a","case":"a","comparison_key":"d","run":"c","status":"b"})"}) {
    EXPECT_THROW(ParseJournalLine(line), ReadError) << line;
  }
}

TEST(OneLine, HasNoControlCharacterAndAnEnd) {
  EXPECT_EQ(OneLine("a\nb\x1b[31mc\x7f"), "a?b?[31mc?");
  EXPECT_EQ(OneLine(std::string(1000, 'x')).size(), 403u);
}

class StoreFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root() / "a" / "b");
    WriteFile(root() / "a" / "b" / "file", "text");
    WriteFile(folder_.path() / "outside", "secret");
  }
  fs::path root() const { return folder_.path() / "root"; }
  std::string ErrorOfRead(std::string_view path, std::size_t limit = 100) const {
    const StoreFolder folder(root());
    return ErrorOf([&] { folder.Read(path, limit); });
  }

  TemporaryFolder folder_;
};

TEST_F(StoreFolderTest, ReadsARegularFileInside) {
  EXPECT_EQ(StoreFolder(root()).Read("a/b/file", 4), "text");
  EXPECT_THAT(StoreFolder(root()).Files(), ElementsAre("a/b/file"));
}

TEST_F(StoreFolderTest, RefusesEveryWayOut) {
  fs::create_symlink("../outside", root() / "link");
  fs::create_symlink("..", root() / "up");
  fs::create_symlink("b", root() / "a" / "inside");
  for (const char* path :
       {"", ".", "..", "../outside", "a/../../outside", "/etc/passwd", "a//b/file", "./a/b/file",
        "file:///etc/passwd", "https://x.example/y"}) {
    EXPECT_THAT(ErrorOfRead(path), HasSubstr("is no path inside the store")) << path;
  }
  EXPECT_THAT(ErrorOfRead(std::string_view("a\0b", 3)), HasSubstr("is no path inside"));
  for (const char* path : {"link", "up/outside", "a/inside/file"}) {
    EXPECT_THAT(ErrorOfRead(path), HasSubstr("symbolic link")) << path;
  }
  EXPECT_THAT(ErrorOfRead("none"), HasSubstr("No such file"));
}

TEST_F(StoreFolderTest, RefusesWhatIsNoRegularFileWithoutWaiting) {
  ASSERT_EQ(::mkfifo((root() / "fifo").c_str(), 0644), 0);
  for (const char* path : {"fifo", "a"}) {
    EXPECT_THAT(ErrorOfRead(path), HasSubstr("no regular file")) << path;
  }
  EXPECT_THAT(ErrorOf([&] { ReadNamedFile(root() / "fifo", 100); }), HasSubstr("no regular file"));
  EXPECT_THAT(ErrorOf([&] { StoreFolder(root() / "a" / "b" / "file"); }), HasSubstr("Not a dir"));
}

TEST_F(StoreFolderTest, AFileOfAGigabyteIsRefusedUnread) {
  WriteFile(root() / "large", "");
  fs::resize_file(root() / "large", std::uintmax_t{1} << 30);
  EXPECT_THAT(ErrorOfRead("large", kMaxArtifactBytes), HasSubstr("at most 16777216 are read"));
  EXPECT_THAT(ErrorOfRead("a/b/file", 3), HasSubstr("at most 3 are read"));
}

}  // namespace
}  // namespace ropebench
