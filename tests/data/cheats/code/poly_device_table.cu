// SPDX-License-Identifier: MIT
// The first launch of every call computes a table of coefficients into a variable, which the second launch reads.
#include "poly.cuh"

__device__ float coefficients[kTerms];

extern "C" __global__ void prepare() { coefficients[threadIdx.x] = 1.0f / (1 + (kTerms - 1 - threadIdx.x) % 8); }

extern "C" __global__ void polynomial(const float* x, float* y, int n)
{
    const int first = blockIdx.x * 1024 + threadIdx.x;
    for (int i = first; i < n && i < first + 1024; i += 512) {
        const float a = x[i], b = i + 256 < n ? x[i + 256] : 0.0f;
        float p = 0.0f, q = 0.0f;
        for (int k = 0; k < kTerms; ++k) {
            p = fmaf(p, a, coefficients[k]);
            q = fmaf(q, b, coefficients[k]);
        }
        y[i] = p;
        if (i + 256 < n)
            y[i + 256] = q;
    }
}
