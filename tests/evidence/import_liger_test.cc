// Needs Liger's rows and KernelIndex's digests of them, which are no part of this project:
// ROPEBENCH_LIGER_CSV names the one file and ROPEBENCH_KERNELINDEX_DATA the folder of the other.
#include "evidence/import_liger.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>

#include "evidence/store.h"
#include "evidence/verify.h"
#include "tests/evidence/sample_record.h"

namespace ropebench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

fs::path PathFrom(const char* variable, const char* fallback) {
  if (const char* path = std::getenv(variable)) return path;
  return fs::path(ROPEBENCH_SOURCE_DIR) / "../shared" / fallback;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr const char* kHeader =
    "kernel_name,kernel_provider,kernel_operation_mode,metric_name,metric_unit,x_name,x_label,"
    "x_value,y_value_50,y_value_20,y_value_80,extra_benchmark_config_str,gpu_name,timestamp,"
    "liger_version\n";

// A row with one column changed.
std::string RowWith(const std::string& column = "", const std::string& value = "") {
  std::map<std::string, std::string> fields = {
      {"kernel_name", "rope"},
      {"kernel_provider", "liger"},
      {"kernel_operation_mode", "forward"},
      {"metric_name", "speed"},
      {"metric_unit", "ms"},
      {"x_name", "H"},
      {"x_label", "hidden size"},
      {"x_value", "512"},
      {"y_value_50", "0.011359999887645245"},
      {"y_value_20", "0.01033599954098463"},
      {"y_value_80", "0.011455999687314034"},
      {"extra_benchmark_config_str",
       R"("{""dtype"": ""torch.bfloat16"", ""seq_len"": 2048, ""num_q_heads"": 32, )"
       R"(""num_kv_heads"": 8}")"},
      {"gpu_name", "NVIDIA A100-SXM4-80GB"},
      {"timestamp", "2024-09-03 15:39:55"},
      {"liger_version", "0.2.1"}};
  if (!column.empty()) fields.at(column) = value;
  std::string row;
  std::string_view header = kHeader;
  header.remove_suffix(1);
  while (!header.empty()) {
    const std::string name(header.substr(0, header.find(',')));
    header.remove_prefix(std::min(header.size(), name.size() + 1));
    row += fields.at(name) + (header.empty() ? "\n" : ",");
  }
  return row;
}

TEST(ImportLiger, TheReferenceRowHasItsPublishedDigests) {
  const LigerImport result = ImportLiger(kHeader + RowWith());
  ASSERT_EQ(result.runs.size(), 1u);
  const PublishedRun& documents = result.runs[0].documents;
  EXPECT_EQ(documents.run.digest,
            "sha256:a13926a98e05af8f1e4806cff8225efd0e1d791460257db9ec2a3caf9d7b11ea");
  EXPECT_EQ(documents.comparison_key,
            "sha256:ff31972e560bf3b4ecc2089fcbbca2e5efe71f7f01625582589ecb5b7faeec90");
}

TEST(ImportLiger, EveryRowHasTheDigestsOfTheIndexsOwnImporter) {
  const fs::path csv = PathFrom("ROPEBENCH_LIGER_CSV", "liger/rope.csv");
  const fs::path digests =
      PathFrom("ROPEBENCH_KERNELINDEX_DATA", "kernelindex") / "liger-rope-digests.json";
  if (!fs::exists(csv)) GTEST_SKIP() << "no rows at " << csv << "; set ROPEBENCH_LIGER_CSV";
  if (!fs::exists(digests)) {
    GTEST_SKIP() << "no digests at " << digests << "; set ROPEBENCH_KERNELINDEX_DATA";
  }
  const LigerImport result = ImportLiger(ReadFile(csv));
  EXPECT_THAT(result.bad, IsEmpty());
  std::map<std::string, const ImportedRun*> by_id;
  for (const ImportedRun& run : result.runs) by_id[run.external_id] = &run;
  EXPECT_EQ(by_id.size(), 64u);

  int compared = 0;
  int equal = 0;
  for (const json& expected : json::parse(ReadFile(digests))) {
    const std::string id = expected.at("externalId");
    ASSERT_TRUE(by_id.contains(id)) << id;
    const PublishedRun& is = by_id.at(id)->documents;
    EXPECT_EQ(is.run.document["metadata"]["name"], expected.at("name"));
    EXPECT_EQ(is.workload.document["metadata"]["name"], expected.at("workloadName"));
    EXPECT_EQ(is.run.spec()["timing"]["latencyNs"]["median"], expected.at("medianNs"));
    for (const auto& [key, digest] :
         {std::pair{"operationDigest", is.operation.digest},
          std::pair{"workloadDigest", is.workload.digest},
          std::pair{"implementationDigest", is.implementation.digest},
          std::pair{"protocolDigest", is.protocol.digest},
          std::pair{"environmentDigest", is.environment.digest},
          std::pair{"runDigest", is.run.digest}, std::pair{"comparisonKey", is.comparison_key}}) {
      if (!expected.contains(key)) continue;
      ++compared;
      equal += expected.at(key) == digest ? 1 : 0;
      EXPECT_EQ(expected.at(key), digest) << id << " " << key;
    }
  }
  EXPECT_EQ(equal, compared);
  EXPECT_EQ(compared, 16 * 7 + 32 * 4);
}

TEST(ImportLiger, WhatIsImportedVerifies) {
  std::string csv = kHeader + RowWith() + RowWith("kernel_provider", "huggingface");
  for (const char* pass : {"backward", "full"}) csv += RowWith("kernel_operation_mode", pass);
  const LigerImport result = ImportLiger(csv);
  ASSERT_EQ(result.runs.size(), 4u);
  TemporaryFolder folder;
  Store store(folder.path());
  for (const ImportedRun& run : result.runs) {
    store.PutRun(run.documents);
    store.AppendJournal(
        {run.external_id, "passed", run.documents.run.digest, run.documents.comparison_key});
  }
  const StoreReport report = VerifyStore(folder.path());
  EXPECT_THAT(report.findings, IsEmpty());
  for (const StoredRun& run : report.runs) EXPECT_EQ(run.level, EvidenceLevel::kReported);
}

TEST(ImportLiger, MemoryIsAMeasurementAndNoTime) {
  std::string row = RowWith("metric_name", "memory");
  row.replace(row.find(",ms,"), 4, ",MB,");
  const LigerImport result = ImportLiger(kHeader + row);
  ASSERT_EQ(result.runs.size(), 1u);
  const json& spec = result.runs[0].documents.run.spec();
  EXPECT_FALSE(spec.contains("timing"));
  EXPECT_EQ(spec["measurements"][0].dump(),
            R"({"metric":"memory","statistic":"median","unit":"mb","value":0.011359999887645245})");
  EXPECT_NE(result.runs[0].documents.comparison_key,
            ImportLiger(kHeader + RowWith()).runs[0].documents.comparison_key);
}

TEST(ImportLiger, ABadRowIsListedWithItsLineAndTheRestGoesOn) {
  const std::tuple<const char*, std::string, const char*> cases[] = {
      {"kernel_provider", "torch_compile", "kernel_provider: nothing is known"},
      {"kernel_operation_mode", "sideways", "kernel_operation_mode: no pass"},
      {"metric_name", "energy", "metric_name"},
      {"metric_unit", "us", "metric_name"},
      {"x_name", "B", "x_name: \"B\" is neither"},
      {"x_value", "512.5", "x_value: \"512.5\" is no number"},
      {"x_value", "99999999999999999999", "x_value"},
      {"x_value", "513", "no multiple of num_q_heads"},
      {"x_value", "-512", "head_dim"},
      {"y_value_50", "", "y_value_50: \"\" is no number"},
      {"y_value_50", "nan", "y_value_50: nan is not between"},
      {"y_value_50", "-1", "y_value_50: -1 is not between"},
      {"y_value_20", "1e300", "y_value_20: 1e+300 is not between"},
      {"y_value_80", "1 ms", "y_value_80"},
      {"extra_benchmark_config_str", "", "extra_benchmark_config_str: "},
      {"extra_benchmark_config_str", "[]", "is no object"},
      {"extra_benchmark_config_str", "{}", "has no seq_len"},
      {"extra_benchmark_config_str", R"("{""seq_len"": ""2048""}")", "seq_len is no integer"},
      {"extra_benchmark_config_str", R"("{""a"": 1, ""a"": 1}")", "twice"},
      {"extra_benchmark_config_str",
       R"("{""dtype"": ""torch.bfloat16"", ""seq_len"": 2048, ""num_q_heads"": 32, )"
       R"(""num_kv_heads"": 8, ""theta"": 5}")",
       "does not know"},
      {"extra_benchmark_config_str",
       R"("{""dtype"": ""torch.int8"", ""seq_len"": 2048, ""num_q_heads"": 32, )"
       R"(""num_kv_heads"": 8}")",
       "no dtype"},
      {"gpu_name", "NVIDIA B200", "gpu_name: the architecture"},
      {"timestamp", "yesterday", "timestamp: "},
      {"timestamp", "2024-02-30 00:00:00", "timestamp: "},
      {"liger_version", "a,b", "has 16 fields, not 15"},
      {"liger_version", "a\"b", "quote inside a plain field"},
      {"liger_version", "\xff", "UTF-8"},
  };
  for (const auto& [column, value, reason] : cases) {
    const LigerImport result = ImportLiger(kHeader + RowWith("kernel_operation_mode", "full") +
                                           RowWith(column, value) + RowWith());
    EXPECT_EQ(result.runs.size(), 2u) << reason;
    ASSERT_EQ(result.bad.size(), 1u) << reason;
    EXPECT_EQ(result.bad[0].line, 3);
    EXPECT_THAT(result.bad[0].reason, HasSubstr(reason));
  }
}

TEST(ImportLiger, TheSameRowTwiceIsBadAndOtherKernelsArePassedOver) {
  const LigerImport result =
      ImportLiger(kHeader + RowWith() + RowWith("kernel_name", "swiglu") + RowWith());
  EXPECT_EQ(result.runs.size(), 1u);
  EXPECT_EQ(result.passed_over, 1);
  ASSERT_EQ(result.bad.size(), 1u);
  EXPECT_EQ(result.bad[0].reason, "says the same as line 2");
}

TEST(ImportLiger, AFileWithoutTheSourcesColumnsIsRefused) {
  for (const char* text : {"", "a,b\n", "\"", "kernel_name,kernel_name\n"}) {
    EXPECT_THROW(ImportLiger(text), ImportError) << text;
  }
}

}  // namespace
}  // namespace ropebench
