// The parameter blocks that kernels are launched with, one definition for C++, CUDA and GLSL.
//
// A block is at most 128 bytes, so that it fits the smallest push-constant range that Vulkan
// promises. In GLSL an address is a uvec2 (GL_EXT_buffer_reference_uvec2), so no 64-bit integers
// are asked of the device. Strides count elements.
#ifndef ROPEBENCH_KERNELS_LAUNCH_PARAMS_H_
#define ROPEBENCH_KERNELS_LAUNCH_PARAMS_H_

#ifdef __cplusplus
#include <cstdint>
#define ROPE_ADDRESS std::uint64_t
#define ROPE_UINT std::uint32_t
namespace ropebench {
#else
#define ROPE_ADDRESS uvec2
#define ROPE_UINT uint
#endif

// One rotation of q and k. Element (b, t, h, d) of q lies at
//   b * q_batch_stride + t * q_seq_stride + h * q_head_stride + d
// in both q_in and q_out, and likewise for k. Row t of cos and sin lies at t * table_stride.
struct RopeParams {
  ROPE_ADDRESS q_in;
  ROPE_ADDRESS k_in;
  ROPE_ADDRESS q_out;  // equal to q_in in place
  ROPE_ADDRESS k_out;  // equal to k_in in place
  ROPE_ADDRESS cos;
  ROPE_ADDRESS sin;
  ROPE_UINT batch;
  ROPE_UINT seq;
  ROPE_UINT q_heads;
  ROPE_UINT kv_heads;
  ROPE_UINT head_dim;
  ROPE_UINT rotary_dim;
  ROPE_UINT q_batch_stride;
  ROPE_UINT q_seq_stride;
  ROPE_UINT q_head_stride;
  ROPE_UINT k_batch_stride;
  ROPE_UINT k_seq_stride;
  ROPE_UINT k_head_stride;
  ROPE_UINT table_stride;
  ROPE_UINT sin_sign_bit;  // 0x80000000 negates the sine (backward), 0 keeps it
};

// The ceiling: moves as many bytes as the rotation does, in 16-byte vectors and in two tensors, as
// the rotation has them: where memory lies decides a few percent. Each 32-bit word is XORed with
// `mask`, which keeps a compiler from removing an in-place copy and lets a check see that every
// byte was touched.
struct CopyParams {
  ROPE_ADDRESS q_in;
  ROPE_ADDRESS k_in;
  ROPE_ADDRESS q_out;   // equal to q_in in place
  ROPE_ADDRESS k_out;   // equal to k_in in place
  ROPE_UINT q_vectors;  // counts of 16-byte vectors
  ROPE_UINT k_vectors;
  ROPE_UINT mask;
};

#ifdef __cplusplus
static_assert(sizeof(RopeParams) == 104 && sizeof(CopyParams) == 48);

// A kernel with one work group and nothing to do: the floor of a timer.
struct EmptyParams {};
}  // namespace ropebench
#endif

#endif  // ROPEBENCH_KERNELS_LAUNCH_PARAMS_H_
