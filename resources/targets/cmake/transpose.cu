// SPDX-License-Identifier: MIT
#include "transpose.h"

__global__ void transpose(const float* in, float* out, int rows, int columns)
{
    const int column = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 32 + threadIdx.y;
    if (row < rows && column < columns)
        out[static_cast<size_t>(column) * rows + row] = in[static_cast<size_t>(row) * columns + column];
}

void launchTranspose(const float* in, float* out, int rows, int columns)
{
    const dim3 grid((columns + 31) / 32, (rows + 31) / 32);
    transpose<<<grid, dim3(32, 32)>>>(in, out, rows, columns);
}
