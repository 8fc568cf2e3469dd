// vec16: an invocation owns one 16-byte column of both halves of kHeads heads of a token and keeps
// its cos and sin in registers over them; q and k are one list of heads in one dispatch. All loads
// of q and k are issued before the table is asked for. Invocations follow the order of memory
// whatever the shape, so no group is left part empty by an odd head_dim. Expected: near the copy
// where a half is several columns wide; a half of one column shares its 32-byte sector with the
// other half, and one head per invocation then comes closest.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/rope.glsl"

layout(constant_id = 6) const uint kHeads = 1u;  // heads per invocation

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer InVectors {
  uvec4 v[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer OutVectors {
  uvec4 v[];
};

const uint kLog2PerVector = kDtype == kFp32 ? 2u : 3u;

// The table entries of a column, one vec2 per word of the column. The table has the dtype of q and
// k, or fp32.
void LoadTable(uvec2 address, Place place, out vec2 entries[4]) {
  InVectors table = InVectors(address);
  const uint vector = place.token * (p.table_stride >> kLog2PerVector) + place.column;
  if (kTableDtype == kFp32 && kDtype != kFp32) {
    const uvec4 low = table.v[2u * vector];
    const uvec4 high = table.v[2u * vector + 1u];
    entries[0] = uintBitsToFloat(low.xy);
    entries[1] = uintBitsToFloat(low.zw);
    entries[2] = uintBitsToFloat(high.xy);
    entries[3] = uintBitsToFloat(high.zw);
  } else {
    const uvec4 words = table.v[vector];
    [[unroll]] for (int i = 0; i < 4; ++i) entries[i] = Widen(words[i], kTableDtype);
  }
}

void main() {
  Place place;
  if (!FindPlace(place)) return;
  const uint heads = p.q_heads + p.kv_heads;
  const bool rotates = kColumns == kRotaryColumns || place.column < kRotaryColumns;

  // A column past the rotary ones has only a second vector: the tail follows the second half.
  uvec4 first[kHeads];
  uvec4 second[kHeads];
  [[unroll]] for (uint i = 0u; i < kHeads; ++i) {
    const uint h = place.group + i * kHeadGroups;
    if (kHeads > 1u && h >= heads) continue;
    const Head head = FindHead(place, h, kLog2PerVector);
    const uint at = head.offset + place.column;
    if (rotates) first[i] = InVectors(head.from).v[at];
    second[i] = InVectors(head.from).v[at + kRotaryColumns];
  }

  if (rotates) {
    vec2 c[4];
    vec2 s[4];
    LoadTable(p.cos, place, c);
    LoadTable(p.sin, place, s);
    [[unroll]] for (int w = 0; w < 4; ++w) s[w] = vec2(FlipSign(s[w].x), FlipSign(s[w].y));
    [[unroll]] for (uint i = 0u; i < kHeads; ++i) {
      [[unroll]] for (int w = 0; w < 4; ++w) {
        const vec2 x1 = Widen(first[i][w], kDtype);
        const vec2 x2 = Widen(second[i][w], kDtype);
        const vec2 low = Rotate(x1.x, x2.x, c[w].x, s[w].x);
        const vec2 high = kDtype == kFp32 ? vec2(0.0) : Rotate(x1.y, x2.y, c[w].y, s[w].y);
        first[i][w] = Narrow(vec2(low.x, high.x));
        second[i][w] = Narrow(vec2(low.y, high.y));
      }
    }
  }

  [[unroll]] for (uint i = 0u; i < kHeads; ++i) {
    const uint h = place.group + i * kHeadGroups;
    if (kHeads > 1u && h >= heads) continue;
    const Head head = FindHead(place, h, kLog2PerVector);
    const uint at = head.offset + place.column;
    if (rotates) OutVectors(head.to).v[at] = first[i];
    OutVectors(head.to).v[at + kRotaryColumns] = second[i];
  }
}
