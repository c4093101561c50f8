// SPDX-License-Identifier: MIT
// Attention forward in one kernel on the CUDA cores, softmax(Q K^T * scale) V, FP16 or BF16 in and out, FP32 in between.
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

constexpr int kLanes = kHeadDim / 32;     ///< neighboring lanes share one query row, 32 of its elements each
constexpr int kSerialRows = 128 / kLanes; ///< query rows of a block
constexpr int kSerialKeys = 32;           ///< keys staged in shared memory at a time
constexpr int kBatch = 8;                 ///< keys whose scores are taken before the running maximum is updated

} // namespace

/// Online softmax on the CUDA cores, one pass over K and V, nothing but O leaves the chip. Grid (queries / rows, heads), block 128.
extern "C" __global__ void __launch_bounds__(128) attention_serial(const Half* __restrict__ q, const Half* __restrict__ k,
                                                                   const Half* __restrict__ v, Half* __restrict__ o, int queries,
                                                                   int keys, float scale)
{
    __shared__ __align__(16) float stagedK[kSerialKeys][kHeadDim];
    __shared__ __align__(16) float stagedV[kSerialKeys][kHeadDim];
    const long long head = blockIdx.y;
    const int lane = threadIdx.x % kLanes;
    const int query = blockIdx.x * kSerialRows + threadIdx.x / kLanes;
    const int lastQuery = min(queries, static_cast<int>(blockIdx.x + 1) * kSerialRows) - 1;
    const bool inside = query < queries;
    const Half* rowQ = q + (head * queries + (inside ? query : 0)) * kHeadDim;

    // Element i of a lane is column 4 * (lane + kLanes * (i / 4)) + i % 4, so that the lanes of a row read different banks.
    float rowOfQ[32], sums[32];
#pragma unroll
    for (int i = 0; i < 32; ++i) {
        rowOfQ[i] = toFloat(rowQ[4 * (lane + kLanes * (i / 4)) + i % 4]) * scale * kLog2E;
        sums[i] = 0;
    }
    float highest = minusInfinity(), total = 0;
    const int visible = kCausal ? min(keys, lastQuery + 1) : keys;
    for (int first = 0; first < visible; first += kSerialKeys) {
        __syncthreads();
        for (int i = threadIdx.x; i < kSerialKeys * kHeadDim; i += 128) {
            const int key = first + i / kHeadDim;
            const long long place = (head / GROUP * keys + key) * kHeadDim + i % kHeadDim;
            stagedK[i / kHeadDim][i % kHeadDim] = key < keys ? toFloat(k[place]) : 0;
            stagedV[i / kHeadDim][i % kHeadDim] = key < keys ? toFloat(v[place]) : 0;
        }
        __syncthreads();
        for (int batch = 0; batch < kSerialKeys; batch += kBatch) {
            float score[kBatch];
            float newHighest = highest;
#pragma unroll
            for (int j = 0; j < kBatch; ++j) {
                float sum = 0;
#pragma unroll
                for (int c = 0; c < 8; ++c) {
                    const float4 part = *reinterpret_cast<const float4*>(&stagedK[batch + j][4 * (lane + kLanes * c)]);
                    sum += rowOfQ[4 * c] * part.x + rowOfQ[4 * c + 1] * part.y + rowOfQ[4 * c + 2] * part.z + rowOfQ[4 * c + 3] * part.w;
                }
#pragma unroll
                for (int step = 1; step < kLanes; step *= 2)
                    sum += __shfl_xor_sync(kFullWarp, sum, step);
                const int key = first + batch + j;
                score[j] = key < keys && !(kCausal && key > query) ? sum : minusInfinity();
                newHighest = fmaxf(newHighest, score[j]);
            }
            const float offset = newHighest == minusInfinity() ? 0 : newHighest; // no key of this row seen yet
            const float shrink = exp2Fast(highest - offset);
            highest = newHighest;
            total *= shrink;
#pragma unroll
            for (int i = 0; i < 32; ++i)
                sums[i] *= shrink;
#pragma unroll
            for (int j = 0; j < kBatch; ++j) {
                const float weight = exp2Fast(score[j] - offset);
                total += weight;
#pragma unroll
                for (int c = 0; c < 8; ++c) {
                    const float4 part = *reinterpret_cast<const float4*>(&stagedV[batch + j][4 * (lane + kLanes * c)]);
                    sums[4 * c] += weight * part.x;
                    sums[4 * c + 1] += weight * part.y;
                    sums[4 * c + 2] += weight * part.z;
                    sums[4 * c + 3] += weight * part.w;
                }
            }
        }
    }
    if (!inside)
        return;
    const float inverse = 1.0f / total;
    Half* rowO = o + (head * queries + query) * kHeadDim;
#pragma unroll
    for (int i = 0; i < 32; ++i)
        rowO[4 * (lane + kLanes * (i / 4)) + i % 4] = toHalf(sums[i] * inverse);
}
