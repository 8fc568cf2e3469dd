// configs/schema.json, which editors use, accepts and refuses the same documents as the loader.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/benchmarks/config_documents.h"

namespace ropebench {
namespace {

// Standard output and exit code of a command.
std::pair<std::string, int> RunCommand(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  for (std::size_t count; (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.append(buffer.data(), count);
  }
  const int status = pclose(pipe);
  return {output, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

TEST(ConfigSchema, AgreesWithTheLoader) {
  std::vector<std::string> texts;
  std::vector<bool> expected;
  for (const BadDocumentGroup& group : BadDocuments()) {
    if (!group.is_yaml) continue;
    for (const BadDocument& bad : group.documents) {
      texts.push_back(bad.text);
      expected.push_back(bad.by == RefusedBy::kLoader);
    }
  }
  for (const std::string& good : GoodDocuments()) {
    texts.push_back(good);
    expected.push_back(true);
  }
  const std::string file = testing::TempDir() + "config_documents.json";
  std::ofstream(file) << nlohmann::json(texts);
  const auto [output, exit_code] = RunCommand(
      "/usr/bin/python3 " ROPEBENCH_SOURCE_DIR
      "/tests/benchmarks/validate_configs.py " ROPEBENCH_SOURCE_DIR "/configs/schema.json " +
      file);
  std::filesystem::remove(file);
  if (exit_code == 77) GTEST_SKIP() << output;
  ASSERT_EQ(exit_code, 0) << output;
  const auto accepted = nlohmann::json::parse(output).get<std::vector<bool>>();
  ASSERT_EQ(accepted.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(accepted[i], expected[i]) << texts[i].substr(0, 200);
  }
}

}  // namespace
}  // namespace ropebench
