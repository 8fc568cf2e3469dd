// pair: an invocation owns the 32-bit words that hold its pairs, so that no two invocations write
// one word and no 16-bit storage is asked of the device. Computes every workload; the plain variant
// that the vectorised ones are compared with, and the only one for rows of odd halves.
//
// Halves of whole words: one word of each half, that is one pair of fp32 or two pairs of 16 bits.
// Interleaved: the one or two words of one pair. An odd half of 16-bit elements: pair i lies in
// words i/2 and (i + half)/2, and these chain all words of the row together, so a single invocation
// walks the row; each word is read before the walk writes it, which makes it safe in place.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/rope.glsl"

layout(constant_id = 6) const uint kPairing = 0u;
const uint kWordPerHalf = 0u;
const uint kWalkOddHalf = 1u;
const uint kInterleaved = 2u;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer InWords {
  uint v[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer OutWords {
  uint v[];
};

const uint kLog2PerWord = kDtype == kFp32 ? 0u : 1u;

float TableValue(uvec2 address, uint entry) {
  InWords table = InWords(address);
  if (kTableDtype == kFp32) return uintBitsToFloat(table.v[entry]);
  const vec2 both = Widen(table.v[entry >> 1], kTableDtype);
  return (entry & 1u) == 0u ? both.x : both.y;
}

vec2 RotateByEntry(float x1, float x2, uint entry) {
  return Rotate(x1, x2, TableValue(p.cos, entry), FlipSign(TableValue(p.sin, entry)));
}

void RotateWordPerHalf(Head head, uint column, uint entries) {
  InWords from = InWords(head.from);
  OutWords to = OutWords(head.to);
  const uint at = head.offset + column;
  const vec2 x1 = Widen(from.v[at], kDtype);
  const vec2 x2 = Widen(from.v[at + kRotaryColumns], kDtype);
  const uint entry = entries + (column << kLog2PerWord);
  const vec2 low = RotateByEntry(x1.x, x2.x, entry);
  vec2 high = vec2(0.0);
  if (kDtype != kFp32) high = RotateByEntry(x1.y, x2.y, entry + 1u);
  to.v[at] = Narrow(vec2(low.x, high.x));
  to.v[at + kRotaryColumns] = Narrow(vec2(low.y, high.y));
}

void RotateInterleaved(Head head, uint column, uint entries) {
  InWords from = InWords(head.from);
  OutWords to = OutWords(head.to);
  if (kDtype == kFp32) {
    const uint at = head.offset + 2u * column;
    const vec2 y = RotateByEntry(uintBitsToFloat(from.v[at]), uintBitsToFloat(from.v[at + 1u]),
                                 entries + column);
    to.v[at] = floatBitsToUint(y.x);
    to.v[at + 1u] = floatBitsToUint(y.y);
  } else {
    const uint at = head.offset + column;
    const vec2 x = Widen(from.v[at], kDtype);
    to.v[at] = Narrow(RotateByEntry(x.x, x.y, entries + column));
  }
}

// half = 2 m + 1. Word m is shared: its low element ends the first half, its high one begins the
// second. Step j rotates pairs 2 j and 2 j + 1, whose second elements are the high one of word
// m + j and the low one of word m + j + 1.
void RotateOddHalf(Head head, uint entries) {
  InWords from = InWords(head.from);
  OutWords to = OutWords(head.to);
  const uint m = p.rotary_dim >> 2;
  const uint middle = head.offset + m;
  const vec2 shared_word = Widen(from.v[middle], kDtype);
  float middle_high = 0.0;          // rotated; written last, with the low element
  float waiting = 0.0;              // rotated low element of word m + j
  float second = shared_word.y;     // high element of word m + j
  for (uint j = 0u; j < m; ++j) {
    const vec2 x1 = Widen(from.v[head.offset + j], kDtype);
    const vec2 x2 = Widen(from.v[middle + j + 1u], kDtype);
    const vec2 even = RotateByEntry(x1.x, second, entries + 2u * j);
    const vec2 odd = RotateByEntry(x1.y, x2.x, entries + 2u * j + 1u);
    to.v[head.offset + j] = Narrow(vec2(even.x, odd.x));
    if (j == 0u) {
      middle_high = even.y;
    } else {
      to.v[middle + j] = Narrow(vec2(waiting, even.y));
    }
    waiting = odd.y;
    second = x2.y;
  }
  const vec2 last = RotateByEntry(shared_word.x, second, entries + 2u * m);
  if (m == 0u) {
    to.v[middle] = Narrow(last);
  } else {
    to.v[middle] = Narrow(vec2(last.x, middle_high));
    to.v[middle + m] = Narrow(vec2(waiting, last.y));
  }
}

void main() {
  Place place;
  if (!FindPlace(place)) return;
  const Head head = FindHead(place, place.group, kLog2PerWord);
  const uint entries = place.token * p.table_stride;
  if (place.column >= kRotaryColumns) {
    const uint at =
        head.offset + (p.rotary_dim >> kLog2PerWord) + (place.column - kRotaryColumns);
    OutWords(head.to).v[at] = InWords(head.from).v[at];
  } else if (kPairing == kWordPerHalf) {
    RotateWordPerHalf(head, place.column, entries);
  } else if (kPairing == kInterleaved) {
    RotateInterleaved(head, place.column, entries);
  } else {
    RotateOddHalf(head, entries);
  }
}
