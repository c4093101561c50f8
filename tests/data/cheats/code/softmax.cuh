// SPDX-License-Identifier: MIT
// Softmax of rows of at most 1024 elements: a warp per row, which stays in registers, and eight warps per block.
#pragma once
#include "tools.cuh"

__device__ __forceinline__ float warpMax(float value)
{
    for (int step = 16; step > 0; step /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, step));
    return value;
}

__device__ __forceinline__ float warpSum(float value)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, step);
    return value;
}

__device__ __forceinline__ void softmaxRow(const float* in, float* out, int cols)
{
    const int lane = threadIdx.x % 32;
    const float none = __uint_as_float(0xff800000u); // less than every number
    float held[32];
    float largest = none;
#pragma unroll
    for (int i = 0; i < 32; ++i) {
        held[i] = lane + i * 32 < cols ? in[lane + i * 32] : none;
        largest = fmaxf(largest, held[i]);
    }
    largest = warpMax(largest);
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 32; ++i) {
        held[i] = __expf(held[i] - largest);
        sum += held[i];
    }
    const float scale = 1.0f / warpSum(sum);
#pragma unroll
    for (int i = 0; i < 32; ++i)
        if (lane + i * 32 < cols)
            out[lane + i * 32] = held[i] * scale;
}
