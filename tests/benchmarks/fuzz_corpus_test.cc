// Replays what fuzzing kept: inputs that each reached code of their own, and those of fixed bugs.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "benchmarks/text_file.h"
#include "tests/fuzz/fuzz_target.h"

namespace ropebench {
namespace {

void Replay(const std::string& folder, int (*target)(const std::uint8_t*, std::size_t)) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(ROPEBENCH_SOURCE_DIR "/tests/fuzz/corpus/" + folder)) {
    SCOPED_TRACE(entry.path());
    const std::string text = ReadTextFile(entry.path());
    EXPECT_EQ(target(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), 0);
    ++count;
  }
  EXPECT_GE(count, 20);
}

TEST(FuzzCorpus, SuiteConfig) { Replay("suite_config", FuzzSuiteConfig); }
TEST(FuzzCorpus, ModelConfig) { Replay("model_config", FuzzModelConfig); }

}  // namespace
}  // namespace ropebench
