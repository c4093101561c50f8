// SPDX-License-Identifier: MIT
// Attention, a block of 128 threads a query, with an indexing bug planted where PLANTED is 1: rows of Q are staged by tile and a block
// takes row query_idx % TILE of all tiles instead of its own. Up to TILE queries the answer is right.

using Half = unsigned short;

namespace {

__device__ float toFloat(Half value)
{
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(value));
    return result;
}

__device__ Half toHalf(float value)
{
    Half result;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(value));
    return result;
}

/// The same for each thread of a block of 128.
__device__ float sumOfBlock(float value)
{
    __shared__ float partial[4];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, step);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = value;
    __syncthreads();
    return partial[0] + partial[1] + partial[2] + partial[3];
}

} // namespace

/// Grid (queries, heads), block 128, dim <= 128.
extern "C" __global__ void attention(const Half* q, const Half* k, const Half* v, Half* o, int queries, int keys, int dim, float scale)
{
    const int query_idx = blockIdx.x;
    const int row = PLANTED ? query_idx % TILE : query_idx;
    const long long head = blockIdx.y;
    const bool inside = threadIdx.x < dim;
    const float element = inside ? toFloat(q[(head * queries + row) * dim + threadIdx.x]) * scale : 0;
    float highest = -1e30f, total = 0, sum = 0;
    for (int key = 0; key < keys; ++key) {
        const long long place = (head * keys + key) * dim + threadIdx.x;
        const float score = sumOfBlock(inside ? element * toFloat(k[place]) : 0);
        const float top = fmaxf(highest, score);
        const float shrink = __expf(highest - top), weight = __expf(score - top);
        highest = top;
        total = total * shrink + weight;
        sum = sum * shrink + (inside ? weight * toFloat(v[place]) : 0);
    }
    if (inside)
        o[(head * queries + query_idx) * dim + threadIdx.x] = toHalf(sum / total);
}
