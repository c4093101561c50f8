// SPDX-License-Identifier: MIT
// Attention forward in three kernels, softmax(Q K^T * scale) V, FP16 or BF16 in and out, FP32 in between.
// Q and O are [heads][queries][HEAD_DIM], K and V [heads / GROUP][keys][HEAD_DIM], contiguous; heads counts batches times heads. Causal
// means that query i sees keys 0 .. i. Header-free: 16-bit values travel as unsigned short, arithmetic on them is inline PTX.

using Half = unsigned short;

#ifndef HEAD_DIM
#define HEAD_DIM 64
#endif
#ifndef BF16
#define BF16 0
#endif
#ifndef GROUP
#define GROUP 1 // heads of Q that share a head of K and V
#endif
#ifndef CAUSAL_MASK
#define CAUSAL_MASK 0
#endif

namespace {

constexpr int kHeadDim = HEAD_DIM;
constexpr bool kCausal = CAUSAL_MASK != 0;
constexpr float kLog2E = 1.4426950408889634f;
constexpr unsigned kFullWarp = 0xffffffffu;

__device__ __forceinline__ float minusInfinity() { return __int_as_float(0xff800000); }

__device__ __forceinline__ float toFloat(Half value)
{
#if BF16
    return __uint_as_float(static_cast<unsigned>(value) << 16);
#else
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(value));
    return result;
#endif
}

__device__ __forceinline__ Half toHalf(float value)
{
    Half result;
#if BF16
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(value));
#else
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(value));
#endif
    return result;
}

/// 2^x; −inf gives 0.
__device__ __forceinline__ float exp2Fast(float x)
{
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

} // namespace

/// scores[head][query][key] = Q K^T * scale, −inf where masked. Grid (keys/32, queries/8, heads), block (32, 8): a thread an element.
extern "C" __global__ void attention_scores(const Half* __restrict__ q, const Half* __restrict__ k, float* __restrict__ scores,
                                            int queries, int keys, float scale)
{
    const int key = blockIdx.x * 32 + threadIdx.x;
    const int query = blockIdx.y * 8 + threadIdx.y;
    if (key >= keys || query >= queries)
        return;
    const long long head = blockIdx.z;
    const Half* rowQ = q + (head * queries + query) * kHeadDim;
    const Half* rowK = k + (head / GROUP * keys + key) * kHeadDim;
    float sum = 0;
    for (int d = 0; d < kHeadDim; ++d)
        sum += toFloat(rowQ[d]) * toFloat(rowK[d]);
    scores[(head * queries + query) * keys + key] = kCausal && key > query ? minusInfinity() : sum * scale;
}

/// Softmax of each row of scores, in place. Grid (heads * queries), block 128: a block a row.
extern "C" __global__ void __launch_bounds__(128) attention_softmax(float* __restrict__ scores, int keys)
{
    __shared__ float partial[4];
    float* row = scores + static_cast<long long>(blockIdx.x) * keys;
    const int warp = threadIdx.x / 32;

    float highest = minusInfinity();
    for (int i = threadIdx.x; i < keys; i += 128)
        highest = fmaxf(highest, row[i]);
    for (int step = 16; step > 0; step /= 2)
        highest = fmaxf(highest, __shfl_xor_sync(kFullWarp, highest, step));
    if (threadIdx.x % 32 == 0)
        partial[warp] = highest;
    __syncthreads();
    highest = fmaxf(fmaxf(partial[0], partial[1]), fmaxf(partial[2], partial[3]));
    __syncthreads();

    float sum = 0;
    for (int i = threadIdx.x; i < keys; i += 128) {
        const float value = exp2Fast((row[i] - highest) * kLog2E);
        row[i] = value;
        sum += value;
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(kFullWarp, sum, step);
    if (threadIdx.x % 32 == 0)
        partial[warp] = sum;
    __syncthreads();
    const float inverse = 1.0f / (partial[0] + partial[1] + partial[2] + partial[3]);
    for (int i = threadIdx.x; i < keys; i += 128)
        row[i] *= inverse;
}

/// O = P V. Grid (queries, heads), block HEAD_DIM: a thread an output element.
extern "C" __global__ void attention_output(const float* __restrict__ probabilities, const Half* __restrict__ v, Half* __restrict__ o,
                                            int queries, int keys)
{
    const long long head = blockIdx.y;
    const long long query = head * queries + blockIdx.x;
    const float* row = probabilities + query * keys;
    const Half* column = v + head / GROUP * keys * kHeadDim + threadIdx.x;
    float sum = 0;
    for (int key = 0; key < keys; ++key)
        sum += row[key] * toFloat(column[static_cast<long long>(key) * kHeadDim]);
    o[query * kHeadDim + threadIdx.x] = toHalf(sum);
}
