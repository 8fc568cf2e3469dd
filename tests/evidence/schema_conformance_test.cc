// Every document that this suite can produce passes the JSON Schemas of KernelIndex, which are not
// part of this project: ROPEBENCH_KERNELINDEX_SCHEMAS names their folder.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "evidence/store.h"
#include "tests/evidence/sample_record.h"

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
