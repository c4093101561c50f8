// SPDX-License-Identifier: MIT
// Transposes an m x n matrix: blocks of 32 x 8 threads, each block a tile of 32 x 32 elements.
#pragma once
#include "tools.cuh"

__device__ __forceinline__ void flipTile(const float* in, float* out, int m, int n)
{
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < n && y + k < m)
            tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    const int row = blockIdx.x * 32 + threadIdx.y;
    const int column = blockIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8)
        if (column < m && row + k < n)
            out[(row + k) * m + column] = tile[threadIdx.x][threadIdx.y + k];
}
