#include "evidence/attestation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace ropebench {
namespace {

constexpr std::size_t kMaxBody = 2000;
constexpr std::size_t kMaxSummary = 200;
constexpr double kMostNoise = 0.1;  // of a median

// Cuts between characters.
std::string Cut(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

std::string Text(const Replication::Times& times) {
  return times.confidence95_ns
             ? fmt::format("{} ns [{}, {}]", times.median_ns, times.confidence95_ns->front(),
                           times.confidence95_ns->back())
             : fmt::format("{} ns", times.median_ns);
}

// The standard deviation of a normal distribution with that median absolute deviation.
double Sigma(const Replication::Times& times) { return 1.4826 * static_cast<double>(times.mad_ns); }

}  // namespace

bool AgreeWithinNoise(const Replication::Times& published, const Replication::Times& here) {
  const auto& a = published.confidence95_ns;
  const auto& b = here.confidence95_ns;
  const auto median = static_cast<double>(published.median_ns);
  const double apart = std::abs(median - static_cast<double>(here.median_ns));
  if (apart > kMostNoise * median) return false;
  if (a && b && a->front() <= b->back() && b->front() <= a->back()) return true;
  return apart <= std::max({3.0 * Sigma(published), 3.0 * Sigma(here), 0.02 * median});
}

Attestation Attest(const Replication& replication) {
  Attestation attestation;
  attestation.environment_summary = Cut(replication.environment, kMaxSummary);
  std::string body =
      fmt::format("{}. Published: median {}.", replication.case_id, Text(replication.published));
  if (replication.here) {
    const Replication::Times& here = *replication.here;
    attestation.observed_ns = here.median_ns;
    const double ratio =
        static_cast<double>(here.median_ns) /
        static_cast<double>(std::max<std::int64_t>(1, replication.published.median_ns));
    body += fmt::format(" Here: median {}, {:.3f} times the published one.", Text(here), ratio);
    if (AgreeWithinNoise(replication.published, here)) {
      attestation.type = "reproduced";
    } else if (!replication.is_same_hardware) {
      attestation.type = "environment_note";
    } else if (Sigma(here) > kMostNoise * static_cast<double>(here.median_ns)) {
      attestation.type = "could_not_reproduce";
      body += " The times here spread too widely to tell.";
    } else {
      attestation.type = ratio > 1.0 ? "regression_observed" : "could_not_reproduce";
    }
  } else {
    attestation.type = "could_not_reproduce";
    body += fmt::format(" Here: {}.", replication.trouble);
  }
  for (const std::string& difference : replication.differences)
    body += fmt::format(" {}.", difference);
  attestation.body = Cut(std::move(body), kMaxBody);
  return attestation;
}

nlohmann::json ToJson(const Attestation& attestation, const Replication& replication) {
  nlohmann::json value = {{"run", replication.run_digest},
                          {"observedRun", replication.observed_digest},
                          {"type", attestation.type},
                          {"body", attestation.body},
                          {"environmentSummary", attestation.environment_summary}};
  if (attestation.observed_ns) value["observedNs"] = *attestation.observed_ns;
  return value;
}

}  // namespace ropebench
