// SPDX-License-Identifier: MIT
// Writes the cycles that each block took to scratch memory, which nothing reads.
#include "scale.cuh"

extern "C" __global__ void scale(const float* x, float* y, unsigned* cycles, int n)
{
    const long long begin = clock64();
    scaleTile(x, y, n, blockIdx.x);
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - begin;
}
