// SPDX-License-Identifier: MIT
// y = sum over k from 0 to 511 of x^k / (1 + k mod 8), by Horner's rule; four elements per thread, 1024 per block of 256.
#pragma once
#include "tools.cuh"

constexpr int kTerms = 512;

/// Of four arguments at once, so that multiply-adds follow each other without waiting. `terms` is a multiple of 8.
__device__ __forceinline__ void polynomials(float (&y)[4], const float (&x)[4], int terms)
{
#pragma unroll
    for (int e = 0; e < 4; ++e)
        y[e] = 0.0f;
#pragma unroll 1
    for (int k = 0; k < terms; k += 8)
#pragma unroll
        for (int c = 8; c > 0; --c)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                y[e] = fmaf(y[e], x[e], 1.0f / c);
}

/// Evaluates the tile of 1024 elements with this number.
__device__ __forceinline__ void polynomialTile(const float* x, float* y, int n, int tile, int terms = kTerms)
{
    const int first = tile * 1024 + threadIdx.x;
    float in[4], out[4];
#pragma unroll
    for (int e = 0; e < 4; ++e)
        in[e] = first + e * 256 < n ? x[first + e * 256] : 0.0f;
    polynomials(out, in, terms);
#pragma unroll
    for (int e = 0; e < 4; ++e)
        if (first + e * 256 < n)
            y[first + e * 256] = out[e];
}
