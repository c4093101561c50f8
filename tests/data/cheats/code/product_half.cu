// SPDX-License-Identifier: MIT
// Multiplies in half precision, two products per instruction, and accumulates 16 of them in half precision before adding to FP32.
#include "product.cuh"

__device__ __forceinline__ unsigned twice(float value)
{
    unsigned halves;
    asm("cvt.rn.f16x2.f32 %0, %1, %1;" : "=r"(halves) : "f"(value));
    return halves;
}

__device__ __forceinline__ unsigned short toHalf(float value)
{
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}

__device__ __forceinline__ unsigned multiplyAdd(unsigned a, unsigned b, unsigned c)
{
    unsigned result;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
}

__device__ __forceinline__ float fromHalf(unsigned bits)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(static_cast<unsigned short>(bits)));
    return value;
}

extern "C" __global__ void product(const float* a, const float* b, float* c, int m, int n, int k)
{
    __shared__ unsigned tileA[kDepth][kEdge + 4]; // each element twice
    __shared__ unsigned short tileB[kDepth][kEdge];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int row0 = blockIdx.y * kEdge, col0 = blockIdx.x * kEdge;
    float sums[4][4] = {};
    for (int depth = 0; depth < k; depth += kDepth) {
        for (int i = threadIdx.x; i < kEdge * kDepth; i += 256) {
            tileA[i % kDepth][i / kDepth] = twice(elementOr0(a, row0 + i / kDepth, depth + i % kDepth, m, k));
            tileB[i / kEdge][i % kEdge] = toHalf(elementOr0(b, depth + i / kEdge, col0 + i % kEdge, k, n));
        }
        __syncthreads();
        unsigned parts[4][2] = {};
#pragma unroll
        for (int d = 0; d < kDepth; ++d) {
            const uint4 left = *reinterpret_cast<const uint4*>(&tileA[d][ty * 4]);
            const uint2 right = *reinterpret_cast<const uint2*>(&tileB[d][tx * 4]);
            const unsigned rows[4] = {left.x, left.y, left.z, left.w};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                parts[i][0] = multiplyAdd(rows[i], right.x, parts[i][0]);
                parts[i][1] = multiplyAdd(rows[i], right.y, parts[i][1]);
            }
        }
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                sums[i][j] += fromHalf(parts[i][j / 2] >> 16 * (j % 2));
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (row0 + ty * 4 + i < m && col0 + tx * 4 + j < n)
                c[(row0 + ty * 4 + i) * n + col0 + tx * 4 + j] = sums[i][j];
}
