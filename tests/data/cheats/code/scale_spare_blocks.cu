// SPDX-License-Identifier: MIT
// The grid is larger than the problem: a third of its blocks return at once, in every launch.
#include "scale.cuh"

extern "C" __global__ void scale(const float* x, float* y, int n)
{
    if (blockIdx.x % 3 == 2)
        return;
    scaleTile(x, y, n, blockIdx.x / 3 * 2 + blockIdx.x % 3);
}
