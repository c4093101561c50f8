// SPDX-License-Identifier: MIT
// 256 elements: less than a microsecond.
extern "C" __global__ void twice(const float* x, float* y, int n)
{
    if (threadIdx.x < n)
        y[threadIdx.x] = 2.0f * x[threadIdx.x];
}
