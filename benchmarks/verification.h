// The data of a case and the judgement of what a kernel did to it: seeded inputs, poisoned outputs,
// guard zones on either side of every buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "kernels/case_plan.h"
#include "kernels/correctness_policy.h"
#include "kernels/rope_workload.h"

namespace ropebench {

// Owns one image (guard zone, payload, guard zone) per buffer of a plan.
//
// Rotations: q, k and their gradients hold FillUniform with the seeds of input_data.h plus
// `seed_offset`; cos and sin hold the tables. Copies hold a pattern. Buffers that are only written
// hold poison: every byte 0xff, a NaN in every dtype, so an element left unwritten cannot pass.
class CaseData {
 public:
  CaseData(const RopeWorkload& workload, KernelRole role, std::uint64_t seed_offset);

  // Writes every image to the device.
  void Load(PreparedCase& prepared) const;

  // How often the case has run since Load().
  enum class Calls : std::uint8_t { kOne, kMany };

  // Reads every buffer back and checks it: rotations by the correctness policy, copies bit for bit,
  // and in both the guard zones and the buffers that are only read, which must be untouched. After
  // many calls nothing is known of a tensor that is rotated in place but its guard zones.
  CorrectnessReport Check(PreparedCase& prepared, Calls calls = Calls::kOne) const;

 private:
  RopeWorkload workload_;
  CasePlan plan_;
  std::vector<std::vector<std::byte>> images_;
};

}  // namespace ropebench
