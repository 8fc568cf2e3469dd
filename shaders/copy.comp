// copy: the ceiling. Reads and writes as many bytes as the rotation, in 16-byte vectors, and flips
// the bits of a mask on the way. A family: several vectors in flight per invocation win while the
// dispatch is short, a single one where it is long; the best at a workload is what a rotation is
// compared with.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#include "kernels/launch_params.h"

layout(push_constant) uniform Params { CopyParams p; };

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kVectors = 1u;  // per invocation

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer InVectors {
  uvec4 v[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer OutVectors {
  uvec4 v[];
};

// A group moves kVectors consecutive runs of one vector per invocation, of q or of k.
void main() {
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint per_group = gl_WorkGroupSize.x * kVectors;
  const uint q_groups = (p.q_vectors + per_group - 1u) / per_group;
  const bool is_q = group < q_groups;
  const uvec2 from = is_q ? p.q_in : p.k_in;
  const uvec2 to = is_q ? p.q_out : p.k_out;
  const uint vectors = is_q ? p.q_vectors : p.k_vectors;
  const uint begin = (is_q ? group : group - q_groups) * per_group + gl_LocalInvocationID.x;
  uvec4 v[kVectors];
  [[unroll]] for (uint j = 0u; j < kVectors; ++j) {
    const uint i = begin + j * gl_WorkGroupSize.x;
    if (i < vectors) v[j] = InVectors(from).v[i];
  }
  [[unroll]] for (uint j = 0u; j < kVectors; ++j) {
    const uint i = begin + j * gl_WorkGroupSize.x;
    if (i < vectors) OutVectors(to).v[i] = v[j] ^ p.mask;
  }
}
