// SPDX-License-Identifier: MIT
// Sum of n floats: one partial sum per block of 256, then one block of 1024 adds those.
#pragma once
#include "tools.cuh"

/// This block's part, in thread 0.
__device__ __forceinline__ float partialSum(const float* in, int n)
{
    const int vectors = n / 4;
    float sum = 0.0f;
#pragma unroll 4
    for (int i = blockIdx.x * 256 + threadIdx.x; i < vectors; i += gridDim.x * 256) {
        const float4 v = reinterpret_cast<const float4*>(in)[i];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    if (blockIdx.x == 0 && threadIdx.x < n % 4)
        sum += in[4 * vectors + threadIdx.x];
    return blockSum(sum);
}

__device__ __forceinline__ void writePartial(const float* in, float* partial, int n)
{
    const float sum = partialSum(in, n);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

/// The sum of all parts, in thread 0 of a block of 1024.
__device__ __forceinline__ float sumOfPartials(const float* partial, int parts)
{
    float sum = 0.0f;
    for (int i = threadIdx.x; i < parts; i += 1024)
        sum += partial[i];
    return blockSum(sum);
}

__device__ __forceinline__ void addPartials(const float* partial, float* out, int parts)
{
    const float sum = sumOfPartials(partial, parts);
    if (threadIdx.x == 0)
        *out = sum;
}
