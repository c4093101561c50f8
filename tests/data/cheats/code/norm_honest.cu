// SPDX-License-Identifier: MIT
// Computes mean and variance of every row in every call.
#include "norm.cuh"

extern "C" __global__ void moments(const float* in, float* parts, int cols) { writeMoments(in, parts, cols); }

extern "C" __global__ void apply(const float* parts, const float* in, const float* gamma, const float* beta, float* out, int cols)
{
    normalizeBy(parts, in, gamma, beta, out, cols);
}
