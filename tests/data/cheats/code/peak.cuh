// SPDX-License-Identifier: MIT
// The largest magnitude of each row of a matrix, 16 blocks of 256 per row.
#pragma once
#include "tools.cuh"

/// Of this block's part of its row, in thread 0.
__device__ __forceinline__ float peakOfPart(const float* in, int cols)
{
    __shared__ float warps[8];
    const float* row = in + static_cast<long long>(blockIdx.y) * cols;
    const int part = (cols + 15) / 16;
    const int end = min((blockIdx.x + 1) * part, cols);
    float largest = 0.0f;
#pragma unroll 4
    for (int c = blockIdx.x * part + threadIdx.x; c < end; c += 256)
        largest = fmaxf(largest, fabsf(row[c]));
    for (int step = 16; step > 0; step /= 2)
        largest = fmaxf(largest, __shfl_down_sync(0xffffffffu, largest, step));
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = largest;
    __syncthreads();
    for (int w = 0; threadIdx.x == 0 && w < 8; ++w)
        largest = fmaxf(largest, warps[w]);
    return largest;
}
