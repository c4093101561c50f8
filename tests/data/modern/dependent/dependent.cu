// SPDX-License-Identifier: MIT
// The first lets the second begin early; the second waits for the first one's results before it reads them.

extern "C" __global__ void first(const float* x, float* between, int n)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        between[i] = 2 * x[i];
}

extern "C" __global__ void second(const float* between, float* y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    if (i < n)
        y[i] = __ldcg(&between[i]) + 1;
}
