// BenchCase: one workload, on one device, by one variant, under one protocol; and the id that names
// it in every output.
//
//   rope/forward/cpu/fp32/seq:2048/hidden:512/q_heads:32/kv_heads:8/dtype:bf16/protocol:cold
//
// More `key:value` parts follow, in the order of CaseKeys, only where they differ from the default:
//   device:0  batch:1  rotary_dim:<head_dim>  table_dtype:<dtype>  style:half  layout:bshd
//   placement:in_place  theta:10000  position_offset:0  scaling:none  identity:strict
//
// A scaling is its kind and its numbers in the order of RopeScaling's fields, llama3~8~8192~1~4;
// that of longrope ends with the first 64 bits of a digest of its factor lists.
//
// The identity is part of a case although it is not computed: under two identities the same
// workload is published as two different runs, so it is two cases. Numbers that override a
// protocol's own are not part of the id; they change the protocol's digest.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "backends/protocol.h"
#include "evidence/identity.h"
#include "kernels/rope_workload.h"

namespace ropebench {

struct BenchCase {
  RopeWorkload workload;
  std::string backend;  // cuda, vulkan or cpu
  int device = 0;       // index within the backend
  std::string variant;
  Protocol protocol;
  Identity identity = Identity::kStrict;

  friend bool operator==(const BenchCase&, const BenchCase&) = default;
};

// Equal exactly for equal cases (overrides of the protocol aside). Backend, variant and protocol
// names contain neither '/' nor ':'.
std::string CaseId(const BenchCase& bench_case);

// The case with that id, its protocol as ResolveProtocol gives it, or one line on what is wrong.
// Accepts only what CaseId prints: every part in its place, no default spelled out; not longrope,
// whose factors an id does not hold. The workload is valid; whether the variant exists is not known
// here.
std::variant<BenchCase, std::string> ParseCaseId(std::string_view id);

// Every key with its value as in the id, defaults included, and head_dim and timer besides: what
// --select matches. Always the same keys in the same order.
std::vector<std::pair<std::string, std::string>> CaseKeys(const BenchCase& bench_case);

// The keys of CaseKeys alone.
std::vector<std::string> CaseKeyNames();

}  // namespace ropebench
