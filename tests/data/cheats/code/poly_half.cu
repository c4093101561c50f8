// SPDX-License-Identifier: MIT
// Two elements per multiply-add, in half precision.
#include "poly.cuh"

__device__ __forceinline__ unsigned packed(float low, float high)
{
    unsigned halves;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(high), "f"(low));
    return halves;
}

__device__ __forceinline__ unsigned multiplyAdd(unsigned a, unsigned b, unsigned c)
{
    unsigned result;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
}

__device__ __forceinline__ float half(unsigned bits)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(static_cast<unsigned short>(bits)));
    return value;
}

extern "C" __global__ void polynomial(const float* x, float* y, int n)
{
    const int first = blockIdx.x * 1024 + threadIdx.x;
    float in[4];
#pragma unroll
    for (int e = 0; e < 4; ++e)
        in[e] = first + e * 256 < n ? x[first + e * 256] : 0.0f;
    const unsigned a[2] = {packed(in[0], in[1]), packed(in[2], in[3])};
    const unsigned inverses[8] = {0x3c003c00, 0x38003800, 0x35553555, 0x34003400, 0x32663266, 0x31553155, 0x30923092, 0x30003000};
    unsigned sums[2] = {0, 0};
#pragma unroll 1
    for (int k = 0; k < kTerms; k += 8)
#pragma unroll
        for (int c = 8; c > 0; --c)
#pragma unroll
            for (int p = 0; p < 2; ++p)
                sums[p] = multiplyAdd(sums[p], a[p], inverses[c - 1]);
#pragma unroll
    for (int e = 0; e < 4; ++e)
        if (first + e * 256 < n)
            y[first + e * 256] = half(sums[e / 2] >> 16 * (e % 2));
}
