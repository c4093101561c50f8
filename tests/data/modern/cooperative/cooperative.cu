// SPDX-License-Identifier: MIT
// Every block doubles its part, all wait for all, then each element is taken from the other end: one that another block made.

__device__ void waitForAll(unsigned* arrived)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (*(volatile unsigned*)arrived < gridDim.x)
            __nanosleep(20);
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void reverse_twice(const float* x, float* between, unsigned* arrived, float* y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        between[i] = 2 * x[i];
    waitForAll(arrived);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = __ldcg(&between[n - 1 - i]);
}
