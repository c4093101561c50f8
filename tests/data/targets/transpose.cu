// SPDX-License-Identifier: MIT
#include "transpose.h"

__global__ void transpose(const float* in, float* out, int rows, int columns)
{
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < rows && column < columns)
        tile[threadIdx.y][threadIdx.x] = in[static_cast<size_t>(row) * columns + column];
    __syncthreads();
    column = blockIdx.x * 32 + threadIdx.y;
    row = blockIdx.y * 32 + threadIdx.x;
    if (row < rows && column < columns)
        out[static_cast<size_t>(column) * rows + row] = tile[threadIdx.x][threadIdx.y];
}

void launchTranspose(const float* in, float* out, int rows, int columns)
{
    const dim3 grid((columns + 31) / 32, (rows + 31) / 32);
    transpose<<<grid, dim3(32, 32)>>>(in, out, rows, columns);
}
