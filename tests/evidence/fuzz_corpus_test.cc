// Replays what fuzzing kept: inputs that each reached code of their own, and those of fixed bugs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/fuzz_target.h"

namespace ropebench {
namespace {

int Replay(const std::string& folder, int (*target)(const std::uint8_t*, std::size_t)) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(ROPEBENCH_SOURCE_DIR "/tests/fuzz/corpus/" + folder)) {
    SCOPED_TRACE(entry.path());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(target(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), 0);
    ++count;
  }
  return count;
}

TEST(FuzzCorpus, ManifestsEndWell) { EXPECT_GT(Replay("manifest", FuzzManifest), 10); }

TEST(FuzzCorpus, LigerCsvsEndWell) { EXPECT_GT(Replay("liger_csv", FuzzLigerCsv), 5); }

}  // namespace
}  // namespace ropebench
