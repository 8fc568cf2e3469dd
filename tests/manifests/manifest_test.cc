#include "manifests/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "manifests/checked_object.h"
#include "manifests/digest.h"
#include "manifests/jcs.h"
#include "manifests/kinds.h"
#include "manifests/names.h"

namespace ropebench {
namespace {

TEST(Sha256Digest, GivesThePublishedVectors) {  // FIPS 180-4 examples
  EXPECT_EQ(Sha256Digest(""),
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Digest("abc"),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(HexOf("sha256:00ff"), "00ff");
}

TEST(Manifest, SoftwareProjectHasThePinnedDigest) {
  SoftwareProject project;
  project.metadata.name = "vector-project";
  project.name = "Vector Project";
  project.repository = "https://example.invalid/vector/project";
  EXPECT_EQ(Build(project).digest,
            "sha256:bea60af06f12216679b113d6624c5293d59bef2104ccc27cd33c992d124e039d");
}

TEST(Manifest, MetadataIsNoPartOfTheDigest) {
  SoftwareProject project;
  project.metadata.name = "a";
  project.name = "A";
  const Manifest plain = Build(project);
  project.metadata = {.name = "b", .title = "T", .description = "D", .labels = {{"k", "v"}}};
  const Manifest labelled = Build(project);
  EXPECT_EQ(plain.digest, labelled.digest);
  EXPECT_EQ(labelled.document["metadata"]["labels"]["k"], "v");
  EXPECT_FALSE(plain.document["metadata"].contains("title"));
}

TEST(Manifest, SetsAreSortedAndDeduplicatedAndOtherListsKeepTheirOrder) {
  ImplementationRevision implementation;
  implementation.metadata.name = "variant";
  implementation.operation_digest = Sha256Digest("");
  implementation.language = "cuda";
  implementation.architectures = {"sm_90", "sm_80", "sm_90"};
  implementation.dtypes = {"fp32", "bf16"};
  implementation.layouts = {"z", "a"};
  const Manifest one = Build(implementation);
  EXPECT_EQ(one.spec()["support"].dump(),
            R"({"dtypes":["bf16","fp32"],"hardwareArchitectures":["sm_80","sm_90"],)"
            R"("layouts":["z","a"]})");

  nlohmann::json foreign = one.document;
  foreign["spec"]["support"]["dtypes"] = {"fp32", "bf16", "fp32"};
  EXPECT_EQ(ManifestDigest(foreign), one.digest);
}

TEST(Manifest, FileTextReadsBackToTheSameDigest) {
  ExecutionEnvironment environment;
  environment.metadata.name = "host";
  environment.vendor = "mesa";
  environment.product = "llvmpipe \"Größe\"";
  environment.architecture = "x86_64";
  environment.power_limit_watts = 1e16;
  const Manifest manifest = Build(environment);
  EXPECT_EQ(ManifestDigest(nlohmann::json::parse(ReadableJson(manifest.document))),
            manifest.digest);
}

TEST(Manifest, FileNameIsTheKindAndTheDigest) {
  Manifest manifest{{{"kind", "BenchmarkRun"}}, Sha256Digest("abc")};
  EXPECT_EQ(FileName(manifest),
            "benchmark-run/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.json");
}

TEST(Kebab, FollowsTheIndex) {
  const std::pair<std::string, std::string> cases[] = {
      {"NVIDIA A100-SXM4-80GB", "nvidia-a100-sxm4-80gb"},
      {"2024-09-03 15:39:55", "2024-09-03-15-39-55"},
      {"--a__b//c--", "a-b-c"},
      {"", ""},
      {"///", ""},
      {"ü1", "1"},
      {std::string(99, 'x') + " y", std::string(99, 'x') + "-"},
  };
  for (const auto& [text, name] : cases) EXPECT_EQ(Kebab(text), name) << text;
}

TEST(CaseKey, SortsAxesByName) {
  EXPECT_EQ(CaseKey({{"seq", 2048}, {"hidden", 512}, {"q_heads", 32}, {"kv_heads", 8}}, "bf16"),
            "hidden512-kv_heads8-q_heads32-seq2048-bf16");
}

}  // namespace
}  // namespace ropebench
