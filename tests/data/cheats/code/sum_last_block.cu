// SPDX-License-Identifier: MIT
// One launch: the last block to finish adds the partial sums. Its counter wraps around to 0 by itself.
#include "sum.cuh"

__device__ unsigned blocksDone;

extern "C" __global__ void sum_parts(const float* in, float* partial, float* out, int n)
{
    __shared__ bool last;
    writePartial(in, partial, n);
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(&blocksDone, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < gridDim.x; i += 256)
        sum += static_cast<volatile float*>(partial)[i];
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}
