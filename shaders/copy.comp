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

// A group moves kVectors consecutive runs of one vector per invocation.
void main() {
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint begin = group * (gl_WorkGroupSize.x * kVectors) + gl_LocalInvocationID.x;
  uvec4 v[kVectors];
  [[unroll]] for (uint j = 0u; j < kVectors; ++j) {
    const uint i = begin + j * gl_WorkGroupSize.x;
    if (i < p.vectors) v[j] = InVectors(p.from).v[i];
  }
  [[unroll]] for (uint j = 0u; j < kVectors; ++j) {
    const uint i = begin + j * gl_WorkGroupSize.x;
    if (i < p.vectors) OutVectors(p.to).v[i] = v[j] ^ p.mask;
  }
}
