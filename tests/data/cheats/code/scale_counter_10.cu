// SPDX-License-Identifier: MIT
// Works only in the first ten launches.
#include "scale.cuh"

__device__ unsigned tickets;

extern "C" __global__ void scale(const float* x, float* y, int n)
{
    if (launchNumber(&tickets) >= 10)
        return;
    scaleTile(x, y, n, blockIdx.x);
}
