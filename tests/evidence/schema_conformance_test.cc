// Every document that this suite can produce passes the JSON Schemas of KernelIndex, which are not
// part of this project: ROPEBENCH_KERNELINDEX_SCHEMAS names their folder.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "evidence/bundle.h"
#include "evidence/import_liger.h"
#include "evidence/store.h"
#include "evidence/verify.h"
#include "manifests/jcs.h"
#include "tests/evidence/sample_store.h"

namespace ropebench {
namespace {

namespace fs = std::filesystem;

fs::path SchemaFolder() {
  if (const char* folder = std::getenv("ROPEBENCH_KERNELINDEX_SCHEMAS")) return folder;
  return fs::path(ROPEBENCH_SOURCE_DIR) / "../shared/kernelindex/schemas";
}

// Exit code and output of the validator over `manifests`.
std::pair<int, std::string> Validate(const fs::path& manifests) {
  const std::string command =
      fmt::format("/usr/bin/python3 '{}/tests/manifests/validate_manifests.py' '{}' '{}' 2>&1",
                  ROPEBENCH_SOURCE_DIR, SchemaFolder().string(), manifests.string());
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, "popen failed"};
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), n);
  }
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

void WriteEveryDocument(Store& store) {
  for (const Pass pass : {Pass::kForward, Pass::kBackward, Pass::kFull}) {
    for (const Dtype dtype : {Dtype::kFp32, Dtype::kFp16, Dtype::kBf16}) {
      RunRecord record = SampleRecord();
      record.workload.pass = pass;
      record.workload.dtype = record.workload.table_dtype = dtype;
      record.identity = Identity::kLiger;
      store.PutRun(BuildRun(record));
      record.identity = Identity::kStrict;
      for (const Style style : {Style::kHalf, Style::kInterleaved}) {
        for (const Placement placement : {Placement::kInPlace, Placement::kOutOfPlace}) {
          for (const Layout layout : {Layout::kBshd, Layout::kBhsd}) {
            record.workload.style = style;
            record.workload.placement = placement;
            record.workload.layout = layout;
            record.workload.position_offset = layout == Layout::kBhsd ? 3 : 0;
            store.PutRun(BuildRun(record));
          }
        }
      }
    }
  }

  RunRecord failed = SampleRecord();
  failed.status = "runtime_error";
  failed.correctness.reset();
  failed.timing.reset();
  failed.raw_samples.reset();
  failed.log.reset();
  store.PutRun(BuildRun(failed));

  RunRecord bare = SampleRecord();  // a CPU, a source tree without a commit
  bare.backend = "cpu";
  bare.environment = {.vendor = "amd", .product = "EPYC", .architecture = "x86_64"};
  bare.implementation.requirements.clear();
  bare.harness.commit = bare.implementation.revision.commit = "";
  bare.timing->confidence95_ns.reset();
  bare.timing->percent_of_copy.reset();
  bare.protocol.warmup_launches.reset();
  store.PutRun(BuildRun(bare));

  SoftwareProject project;
  project.metadata.name = "ropebench";
  project.name = "ropebench";
  project.repository = "https://example.invalid/ropebench";
  project.host = SoftwareProject::Host{"other", "example.invalid/ropebench"};
  store.PutManifest(Build(project));
}

class SchemaConformance : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(SchemaFolder())) {
      GTEST_SKIP() << "no schemas at " << SchemaFolder() << "; set ROPEBENCH_KERNELINDEX_SCHEMAS";
    }
  }

  TemporaryFolder folder_;
};

TEST_F(SchemaConformance, EveryManifestIsValid) {
  Store store(folder_.path());
  WriteEveryDocument(store);
  const auto [code, output] = Validate(folder_.path() / "manifests");
  if (code == 77) GTEST_SKIP() << output;
  EXPECT_EQ(code, 0) << output;
  EXPECT_NE(output.find(" of 7 kinds"), std::string::npos) << output;
}

TEST_F(SchemaConformance, EveryPublishedResultIsValid) {
  const auto [code, output] =
      Validate(fs::path(ROPEBENCH_SOURCE_DIR) / "results" / "nvidia-h200" / "manifests");
  if (code == 77) GTEST_SKIP() << output;
  EXPECT_EQ(code, 0) << output;
}

// Writes a document as a file of its own; the store's rules do not matter here.
void WriteDocument(const fs::path& folder, const nlohmann::json& document) {
  static int count = 0;
  WriteFileAtomically(folder / fmt::format("{}.json", ++count), ReadableJson(document));
}

TEST_F(SchemaConformance, EveryDocumentOfABundleIsValid) {
  Store store(folder_.path() / "store");
  PutSampleRun(store, {.variant = "vec16", .base_ns = 100.0});
  PutSampleRun(store, {.variant = "plain", .base_ns = 200.0});
  const PublishOptions options{.licence = "Apache-2.0",
                               .repository = "https://github.com/example/ropebench",
                               .artifact_base = "https://example.com/data"};
  const StoreReport report = VerifyStore(store.folder());
  ASSERT_TRUE(WhyNotPublished(report, options).empty());
  const nlohmann::json bundle = nlohmann::json::parse(BundleText(report, options));
  const fs::path documents = folder_.path() / "documents";
  fs::create_directory(documents);
  for (const char* list : {"projects", "operations", "workloads"}) {
    for (const nlohmann::json& document : bundle[list]) WriteDocument(documents, document);
  }
  for (const nlohmann::json& entry : bundle["implementations"]) {
    WriteDocument(documents, entry["manifest"]);
  }
  for (const nlohmann::json& entry : bundle["runs"]) {
    for (const nlohmann::json& document : entry) WriteDocument(documents, document);
  }
  const auto [code, output] = Validate(documents);
  if (code == 77) GTEST_SKIP() << output;
  EXPECT_EQ(code, 0) << output;
  EXPECT_NE(output.find("11 manifests of 7 kinds, 0 errors"), std::string::npos) << output;
}

TEST_F(SchemaConformance, EveryImportedDocumentIsValid) {
  const std::string csv =
      "kernel_name,kernel_provider,kernel_operation_mode,metric_name,metric_unit,x_name,x_label,"
      "x_value,y_value_50,y_value_20,y_value_80,extra_benchmark_config_str,gpu_name,timestamp,"
      "liger_version\n";
  std::string rows = csv;
  for (const char* provider : {"liger", "huggingface"}) {
    for (const char* pass : {"forward", "backward", "full"}) {
      for (const char* metric : {"speed,ms", "memory,MB"}) {
        rows += fmt::format(
            "rope,{},{},{},H,size,256,0.5,0.25,0.75,\"{{\"\"dtype\"\": \"\"torch.float16\"\", "
            "\"\"seq_len\"\": 64, \"\"num_q_heads\"\": 4, \"\"num_kv_heads\"\": 2}}\",NVIDIA "
            "A100-SXM4-80GB,2024-09-03 15:39:55,0.2.1\n",
            provider, pass, metric);
      }
    }
  }
  const LigerImport imported = ImportLiger(rows);
  ASSERT_EQ(imported.runs.size(), 12u);
  Store store(folder_.path());
  for (const ImportedRun& run : imported.runs) store.PutRun(run.documents);
  const auto [code, output] = Validate(folder_.path() / "manifests");
  if (code == 77) GTEST_SKIP() << output;
  EXPECT_EQ(code, 0) << output;
}

TEST_F(SchemaConformance, TheValidatorSeesABreach) {
  Store store(folder_.path());
  Manifest manifest = BuildRun(SampleRecord()).run;
  manifest.document["spec"]["note"] = "no such field";
  store.PutManifest(manifest);
  const auto [code, output] = Validate(folder_.path() / "manifests");
  if (code == 77) GTEST_SKIP() << output;
  EXPECT_EQ(code, 1) << output;
}

}  // namespace
}  // namespace ropebench
