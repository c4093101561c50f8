// SPDX-License-Identifier: MIT
// Layer norm of long rows. Two launches of (16, rows) blocks of 256: sums of parts of a row, then the row's elements.
#pragma once
#include "tools.cuh"

struct Moments {
    float sum, squares;
};

/// Sums over `share` of this block's part of its row, in thread 0.
__device__ __forceinline__ Moments momentsOfPart(const float* in, int cols, int share)
{
    const float* row = in + static_cast<long long>(blockIdx.y) * cols;
    const int part = (cols + 15) / 16;
    const int first = blockIdx.x * part;
    const int end = min(first + part / share, cols);
    float sum = 0.0f, squares = 0.0f;
#pragma unroll 4
    for (int c = first + threadIdx.x; c < end; c += 256) {
        sum += row[c];
        squares = fmaf(row[c], row[c], squares);
    }
    return {blockSum(sum), blockSum(squares)};
}

/// Where this block's moments are kept.
__device__ __forceinline__ float* placeOfPart(float* parts) { return parts + (blockIdx.y * 16 + blockIdx.x) * 2; }

__device__ __forceinline__ void writeMoments(const float* in, float* parts, int cols)
{
    const Moments moments = momentsOfPart(in, cols, 1);
    if (threadIdx.x == 0) {
        placeOfPart(parts)[0] = moments.sum;
        placeOfPart(parts)[1] = moments.squares;
    }
}

/// Normalizes this block's part of its row by a mean and a standard deviation.
__device__ __forceinline__ void normalize(const float* in, const float* gamma, const float* beta, float* out, int cols, float mean,
                                          float deviation)
{
    const long long row = static_cast<long long>(blockIdx.y) * cols;
    const float scale = 1.0f / deviation;
    const int part = (cols + 15) / 16;
    const int end = min((blockIdx.x + 1) * part, cols);
#pragma unroll 4
    for (int c = blockIdx.x * part + threadIdx.x; c < end; c += 256)
        out[row + c] = (in[row + c] - mean) * scale * gamma[c] + beta[c];
}

/// The same by the moments of the row's sixteen parts.
__device__ __forceinline__ void normalizeBy(const float* parts, const float* in, const float* gamma, const float* beta, float* out,
                                            int cols)
{
    float sum = 0.0f, squares = 0.0f;
    for (int p = 0; p < 16; ++p) {
        sum += parts[(blockIdx.y * 16 + p) * 2];
        squares += parts[(blockIdx.y * 16 + p) * 2 + 1];
    }
    const float mean = sum / cols;
    normalize(in, gamma, beta, out, cols, mean, sqrtf(fmaxf(squares / cols - mean * mean, 0.0f) + 1e-5f));
}
