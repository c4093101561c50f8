// SPDX-License-Identifier: MIT
// The product on the tensor cores in a narrower type: 64 x 64 of C per block of four warps, 32 x 32 per warp, 16 deep. KIND: 0 FP16,
// accumulating 16 products in FP16; 1 BF16; 2 TF32, dropping the low bits; 3 TF32 with two more products for the dropped bits of either
// input, which is as accurate as FP32.
#pragma once
#include "product.cuh"

#if KIND >= 2
using Narrow = float;
constexpr int kStride = kDepth + 4;
#else
using Narrow = unsigned short;
constexpr int kStride = kDepth + 8;
#endif

__device__ __forceinline__ Narrow narrow(float value)
{
#if KIND >= 2
    return value;
#else
    Narrow bits;
#if KIND == 0
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
#else
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
#endif
    return bits;
#endif
}

__device__ __forceinline__ float fromHalf(unsigned bits)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(static_cast<unsigned short>(bits)));
    return value;
}

/// What the tensor cores read of a float as TF32.
__device__ __forceinline__ float cutOff(float value) { return __uint_as_float(__float_as_uint(value) & 0xffffe000u); }

/// c += a b for a 16 x 8 of A and 8 x 8 of B, as TF32.
__device__ __forceinline__ void multiplyAdd8(float (&c)[4], const float (&a)[4], const float (&b)[2])
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])),
          "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
}

/// c += a b for a 16 x 16 of A and 16 x 8 of B. a and b point at this lane's first elements: rows lie kStride apart, B is transposed.
__device__ __forceinline__ void multiplyAdd(float (&c)[4], const Narrow* a, const Narrow* b)
{
#if KIND >= 2
#pragma unroll
    for (int d = 0; d < kDepth; d += 8) {
        const float left[4] = {a[d], a[8 * kStride + d], a[d + 4], a[8 * kStride + d + 4]};
        const float right[2] = {b[d], b[d + 4]};
#if KIND == 3
        float leftRest[4], rightRest[2];
        for (int i = 0; i < 4; ++i)
            leftRest[i] = left[i] - cutOff(left[i]);
        for (int i = 0; i < 2; ++i)
            rightRest[i] = right[i] - cutOff(right[i]);
        multiplyAdd8(c, leftRest, right);
        multiplyAdd8(c, left, rightRest);
#endif
        multiplyAdd8(c, left, right);
    }
#else
    const auto pair = [](const Narrow* at) { return *reinterpret_cast<const unsigned*>(at); };
    const unsigned a0 = pair(a), a1 = pair(a + 8 * kStride), a2 = pair(a + 8), a3 = pair(a + 8 * kStride + 8);
    const unsigned b0 = pair(b), b1 = pair(b + 8);
#if KIND == 1
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
#else
    unsigned d0 = 0, d1 = 0;
    asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
        : "+r"(d0), "+r"(d1)
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    c[0] += fromHalf(d0);
    c[1] += fromHalf(d0 >> 16);
    c[2] += fromHalf(d1);
    c[3] += fromHalf(d1 >> 16);
#endif
#endif
}

extern "C" __global__ void product(const float* a, const float* b, float* c, int m, int n, int k)
{
    alignas(16) __shared__ Narrow tileA[kEdge * kStride];
    alignas(16) __shared__ Narrow tileB[kEdge * kStride]; // transposed
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int group = lane / 4, inGroup = lane % 4 * (KIND >= 2 ? 1 : 2);
    const int warpRow = warp / 2 * 32, warpCol = warp % 2 * 32;
    const int row0 = blockIdx.y * kEdge, col0 = blockIdx.x * kEdge;
    float sums[2][4][4] = {};
    for (int depth = 0; depth < k; depth += kDepth) {
        for (int i = threadIdx.x; i < kEdge * kDepth; i += 128) {
            tileA[i / kDepth * kStride + i % kDepth] = narrow(elementOr0(a, row0 + i / kDepth, depth + i % kDepth, m, k));
            tileB[i % kEdge * kStride + i / kEdge] = narrow(elementOr0(b, depth + i / kEdge, col0 + i % kEdge, k, n));
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                multiplyAdd(sums[i][j], tileA + (warpRow + i * 16 + group) * kStride + inGroup,
                            tileB + (warpCol + j * 8 + group) * kStride + inGroup);
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int e = 0; e < 4; ++e) {
                const int row = row0 + warpRow + i * 16 + group + e / 2 * 8;
                const int col = col0 + warpCol + j * 8 + lane % 4 * 2 + e % 2;
                if (row < m && col < n)
                    c[row * n + col] = sums[i][j][e];
            }
}
