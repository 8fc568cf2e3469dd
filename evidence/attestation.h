// Attestation: a reader's note on a published run, in the form that KernelIndex takes.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "evidence/run_record.h"

namespace ropebench {

// A run and a second attempt at it: the same workload, variant and protocol.
struct Replication {
  struct Times {
    std::int64_t median_ns = 0;
    std::int64_t mad_ns = 0;
    std::optional<std::array<std::int64_t, 2>> confidence95_ns = std::nullopt;
  };

  std::string run_digest;
  std::string case_id;
  Times published;
  std::optional<Times> here;  // nothing if the attempt failed
  std::string trouble;        // then why, in one line
  std::string observed_digest;
  bool is_same_hardware = false;
  std::vector<std::string> differences;  // of environment and source, one line each
  std::string environment;               // in a few words
};

struct Attestation {
  std::string type;  // reproduced, could_not_reproduce, environment_note or regression_observed
  std::string body;  // at most 2000 bytes
  std::optional<std::int64_t> observed_ns;
  std::string environment_summary;  // at most 200 bytes
};

// Two medians agree if their 95 % intervals have a point in common, or if they lie no further apart
// than the noise: three standard deviations, estimated from the larger median absolute deviation,
// and 2 % at least. However wide the noise, more than 10 % of `published` is no agreement.
bool AgreeWithinNoise(const Replication::Times& published, const Replication::Times& here);

// reproduced: they agree. environment_note: they do not, and the hardware is another one.
// could_not_reproduce: failed, or on the same hardware faster, or too noisy to tell (a standard
// deviation above 10 %). regression_observed: slower on the same hardware.
Attestation Attest(const Replication& replication);

nlohmann::json ToJson(const Attestation& attestation, const Replication& replication);

}  // namespace ropebench
