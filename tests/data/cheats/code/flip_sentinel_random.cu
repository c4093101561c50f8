// SPDX-License-Identifier: MIT
// Each block checks one element of its output tile, chosen by the clock, and skips the tile if it was written before.
#include "flip.cuh"

extern "C" __global__ void flip(const float* in, float* out, int m, int n)
{
    __shared__ bool written;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        const unsigned place = static_cast<unsigned>(clock64()) * 2654435761u;
        const int row = blockIdx.x * 32 + (place >> 27), column = blockIdx.y * 32 + (place >> 22 & 31);
        written = row < n && column < m && !isUnwritten(out[row * m + column]);
    }
    __syncthreads();
    if (!written)
        flipTile(in, out, m, n);
}
