// What the rotation shaders share: dtypes, exact conversions, the arithmetic of one pair, and the
// mapping of invocations to heads. The conversions are those of kernels/dtype.h, line by line.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require

#include "kernels/launch_params.h"

layout(push_constant) uniform Params { RopeParams p; };

// As enum class Dtype.
const uint kFp32 = 0u;
const uint kFp16 = 1u;

// Every pipeline is built for one case, so what the case fixes is constant: the divisions by
// kColumns and kHeadGroups become multiplications.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kDtype = 2u;
layout(constant_id = 2) const uint kTableDtype = 2u;
layout(constant_id = 3) const uint kColumns = 1u;        // invocations per head
layout(constant_id = 4) const uint kRotaryColumns = 1u;  // the first of these rotate, the rest copy
layout(constant_id = 5) const uint kHeadGroups = 1u;     // invocations per column of a token

float Fp16ToFloat(uint bits) {
  const uint sign = (bits & 0x8000u) << 16;
  const uint magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u) {
    return uintBitsToFloat(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  }
  if (magnitude >= 0x0400u) return uintBitsToFloat(sign | ((magnitude << 13) + (112u << 23)));
  const float value = float(magnitude) * 5.9604644775390625e-8;  // 2^-24, exact
  return uintBitsToFloat(sign | floatBitsToUint(value));
}

uint FloatToFp16(float x) {
  const uint bits = floatBitsToUint(x);
  const uint sign = (bits >> 16) & 0x8000u;
  const uint magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;
  if (magnitude >= 0x38800000u) {
    const uint rounded = magnitude + 0x0fffu + ((magnitude >> 13) & 1u);
    return sign | ((rounded - (112u << 23)) >> 13);
  }
  if (magnitude < 0x33000000u) return sign;
  const uint shift = 126u - (magnitude >> 23);
  const uint significand = (magnitude & 0x007fffffu) | 0x00800000u;
  const uint kept = significand >> shift;
  const uint rest = significand & ((1u << shift) - 1u);
  const uint midpoint = 1u << (shift - 1u);
  const bool up = rest > midpoint || (rest == midpoint && (kept & 1u) != 0u);
  return sign | (kept + (up ? 1u : 0u));
}

uint FloatToBf16(float x) {
  const uint bits = floatBitsToUint(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (bits >> 16) | 0x0040u;
  return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
}

// The elements of a 32-bit word: one fp32 in x, or two 16-bit elements, the lower address in x.
vec2 Widen(uint word, uint dtype) {
  if (dtype == kFp32) return vec2(uintBitsToFloat(word), 0.0);
  if (dtype == kFp16) return vec2(Fp16ToFloat(word & 0xffffu), Fp16ToFloat(word >> 16));
  return vec2(uintBitsToFloat(word << 16), uintBitsToFloat(word & 0xffff0000u));
}

uint Narrow(vec2 elements) {
  if (kDtype == kFp32) return floatBitsToUint(elements.x);
  if (kDtype == kFp16) return FloatToFp16(elements.x) | (FloatToFp16(elements.y) << 16);
  return FloatToBf16(elements.x) | (FloatToBf16(elements.y) << 16);
}

float FlipSign(float x) { return uintBitsToFloat(floatBitsToUint(x) ^ p.sin_sign_bit); }

// (y1, y2) of one pair; each product and each sum is rounded on its own.
vec2 Rotate(float x1, float x2, float c, float s) {
  precise const float x1c = x1 * c;
  precise const float x2s = x2 * s;
  precise const float x2c = x2 * c;
  precise const float x1s = x1 * s;
  precise const float y1 = x1c - x2s;
  precise const float y2 = x2c + x1s;
  return vec2(y1, y2);
}

// Which part of which token an invocation works on: neighbours take neighbouring columns, then
// neighbouring head groups, then neighbouring tokens, whatever the shape.
struct Place {
  uint column;
  uint group;
  uint batch;
  uint token;
};

// False for the surplus invocations at the end of the grid.
bool FindPlace(out Place place) {
  const uint index = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) *
                         gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  const uint rest = index / kColumns;
  place.column = index - rest * kColumns;
  place.token = rest / kHeadGroups;
  place.group = rest - place.token * kHeadGroups;
  place.batch = 0u;
  if (p.batch > 1u) {
    place.batch = place.token / p.seq;
    place.token -= place.batch * p.seq;
  }
  return place.token < p.seq && place.batch < p.batch;
}

// A head of q or k: where its tensors begin and its offset in them, in units of 2^log2_unit
// elements, of which every stride is a multiple.
struct Head {
  uvec2 from;
  uvec2 to;
  uint offset;
};

Head FindHead(Place place, uint h, uint log2_unit) {
  if (h < p.q_heads) {
    return Head(p.q_in, p.q_out,
                place.batch * (p.q_batch_stride >> log2_unit) +
                    place.token * (p.q_seq_stride >> log2_unit) +
                    h * (p.q_head_stride >> log2_unit));
  }
  return Head(p.k_in, p.k_out,
              place.batch * (p.k_batch_stride >> log2_unit) +
                  place.token * (p.k_seq_stride >> log2_unit) +
                  (h - p.q_heads) * (p.k_head_stride >> log2_unit));
}
