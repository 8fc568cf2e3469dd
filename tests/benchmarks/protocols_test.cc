#include "benchmarks/protocols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ropebench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kBackends[] = {"cuda", "vulkan", "cpu"};
constexpr Pass kPasses[] = {Pass::kForward, Pass::kBackward, Pass::kFull};

Protocol Get(std::string_view name, std::string_view backend, Pass pass = Pass::kForward) {
  return std::get<Protocol>(ResolveProtocol(name, backend, pass));
}

std::string Why(std::string_view name, std::string_view backend) {
  return std::get<std::string>(ResolveProtocol(name, backend, Pass::kForward));
}

TEST(ResolveProtocol, ColdTakesEachBackendsBestTimer) {
  EXPECT_EQ(Get("cold", "cuda").timer, Timer::kCupti);
  EXPECT_EQ(Get("cold", "vulkan").timer, Timer::kVulkanTimestamps);
  EXPECT_EQ(Get("cold", "cpu").timer, Timer::kHostClock);
  for (const std::string_view backend : kBackends) {
    const Protocol protocol = Get("cold", backend, Pass::kFull);
    EXPECT_EQ(protocol.procedure, Procedure::kCold);
    EXPECT_EQ(protocol.flush_bytes, 0u);
    EXPECT_EQ(protocol.pass, Pass::kFull);
    EXPECT_EQ(protocol.name, "cold");
    EXPECT_EQ(protocol.version, "1");
    EXPECT_EQ(protocol.min_samples, 30);
  }
}

TEST(ResolveProtocol, EventsExistOnCudaAlone) {
  EXPECT_EQ(Get("cold_events", "cuda").timer, Timer::kCudaEvents);
  EXPECT_EQ(Get("cold_events", "cuda").procedure, Procedure::kCold);
  EXPECT_EQ(Why("cold_events", "vulkan"), "protocol cold_events does not exist on vulkan");
  EXPECT_EQ(Why("do_bench", "cpu"), "protocol do_bench does not exist on cpu");
  EXPECT_EQ(Why("cold", "metal"), "protocol cold does not exist on metal");
}

TEST(ResolveProtocol, DoBenchFlushesExactly256MiB) {
  const Protocol protocol = Get("do_bench", "cuda");
  EXPECT_EQ(protocol.procedure, Procedure::kDoBench);
  EXPECT_EQ(protocol.timer, Timer::kCudaEvents);
  EXPECT_EQ(protocol.flush_bytes, 268'435'456u);
}

TEST(ResolveProtocol, UnknownNameBringsTheNearest) {
  EXPECT_EQ(Why("colt", "cuda"), "no protocol colt; did you mean cold?");
  EXPECT_EQ(Why("dobench", "cuda"), "no protocol dobench; did you mean do_bench?");
  EXPECT_EQ(Why("nvbench_style", "cuda"), "no protocol nvbench_style");
}

TEST(ProtocolNames, EachResolvesOnCuda) {
  EXPECT_EQ(ProtocolNames().front(), "cold");
  for (const std::string_view name : ProtocolNames()) EXPECT_EQ(Get(name, "cuda").name, name);
}

TEST(ProtocolNotes, FitTheDocumentAndDifferPerPassAndTimer) {
  std::set<std::string> notes;
  std::size_t protocols = 0;
  for (const std::string_view name : ProtocolNames()) {
    for (const std::string_view backend : kBackends) {
      for (const Pass pass : kPasses) {
        const auto resolved = ResolveProtocol(name, backend, pass);
        if (std::holds_alternative<std::string>(resolved)) continue;
        Protocol protocol = std::get<Protocol>(resolved);
        const std::string text = ProtocolNotes(protocol);
        EXPECT_LE(text.size(), 1000u) << text;
        for (const unsigned char c : text) EXPECT_TRUE(c >= ' ' && c < 0x7f) << text;
        for (const char* part :
             {"Timed: ", "Flush: ", "Quantiles: linear interpolation at q (n - 1)",
              "No sample is dropped", "Wall limit: "}) {
          EXPECT_THAT(text, HasSubstr(part));
        }
        notes.insert(text);
        ++protocols;
        // The longest numbers must fit as well.
        protocol.warmup_calls = protocol.min_samples = protocol.max_samples = protocol.min_time_ns =
            protocol.wall_limit_ns = INT64_MAX;
        protocol.flush_bytes = UINT64_MAX;
        EXPECT_LE(ProtocolNotes(protocol).size(), 980u) << "the document adds the pass";
      }
    }
  }
  EXPECT_EQ(notes.size(), protocols);
}

TEST(ProtocolNotes, OverridesChangeTheText) {
  const Protocol protocol = Get("cold", "cuda");
  Protocol longer = protocol;
  EXPECT_EQ(OverrideMinTime(longer, 500'000'000), std::nullopt);
  EXPECT_THAT(ProtocolNotes(longer), HasSubstr("500000000 ns"));
  EXPECT_NE(ProtocolNotes(longer), ProtocolNotes(protocol));
  EXPECT_THAT(ProtocolNotes(protocol), HasSubstr("twice the last-level cache"));
  longer.flush_bytes = 123;
  EXPECT_THAT(ProtocolNotes(longer), HasSubstr("123 bytes"));
  EXPECT_THAT(ProtocolNotes(longer), Not(HasSubstr("twice")));
}

TEST(OverrideMinTime, DoBenchFixesItsOwn) {
  Protocol protocol = Get("do_bench", "cuda");
  const Protocol before = protocol;
  EXPECT_EQ(OverrideMinTime(protocol, 1), "protocol do_bench fixes its own sampling time");
  EXPECT_EQ(protocol, before);
}

}  // namespace
}  // namespace ropebench
