// SPDX-License-Identifier: MIT
// Accumulates sums and squares in half precision, two elements per instruction.
#include "norm.cuh"

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

__device__ __forceinline__ float sumOfBoth(unsigned halves)
{
    float low, high;
    asm("cvt.f32.f16 %0, %1;" : "=f"(low) : "h"(static_cast<unsigned short>(halves)));
    asm("cvt.f32.f16 %0, %1;" : "=f"(high) : "h"(static_cast<unsigned short>(halves >> 16)));
    return low + high;
}

extern "C" __global__ void moments(const float* in, float* parts, int cols)
{
    const float* row = in + static_cast<long long>(blockIdx.y) * cols;
    const int part = (cols + 15) / 16;
    const int end = min(static_cast<int>(blockIdx.x + 1) * part, cols);
    unsigned sums = 0, squares = 0;
#pragma unroll 4
    for (int c = blockIdx.x * part + threadIdx.x * 2; c < end; c += 512) {
        const unsigned two = packed(row[c], c + 1 < end ? row[c + 1] : 0.0f);
        sums = multiplyAdd(two, 0x3c003c00, sums);
        squares = multiplyAdd(two, two, squares);
    }
    const float sum = blockSum(sumOfBoth(sums)), square = blockSum(sumOfBoth(squares));
    if (threadIdx.x == 0) {
        placeOfPart(parts)[0] = sum;
        placeOfPart(parts)[1] = square;
    }
}

extern "C" __global__ void apply(const float* parts, const float* in, const float* gamma, const float* beta, float* out, int cols)
{
    normalizeBy(parts, in, gamma, beta, out, cols);
}
