// SPDX-License-Identifier: MIT
// The first launch keeps the input in L2 for the second launch of the same call, which releases it.
#include "norm.cuh"

__device__ __forceinline__ float hinted(const float* from, unsigned long long policy)
{
    float value;
    asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(value) : "l"(from), "l"(policy));
    return value;
}

extern "C" __global__ void moments(const float* in, float* parts, int cols)
{
    unsigned long long keep;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(keep));
    const float* row = in + static_cast<long long>(blockIdx.y) * cols;
    const int part = (cols + 15) / 16;
    const int end = min(static_cast<int>(blockIdx.x + 1) * part, cols);
    float sum = 0.0f, squares = 0.0f;
#pragma unroll 4
    for (int c = blockIdx.x * part + threadIdx.x; c < end; c += 256) {
        const float value = hinted(row + c, keep);
        sum += value;
        squares = fmaf(value, value, squares);
    }
    sum = blockSum(sum);
    squares = blockSum(squares);
    if (threadIdx.x == 0) {
        placeOfPart(parts)[0] = sum;
        placeOfPart(parts)[1] = squares;
    }
}

extern "C" __global__ void apply(const float* parts, const float* in, const float* gamma, const float* beta, float* out, int cols)
{
    unsigned long long release;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(release));
    const float* row = in + static_cast<long long>(blockIdx.y) * cols;
    float sum = 0.0f, squares = 0.0f;
    for (int p = 0; p < 16; ++p) {
        sum += parts[(blockIdx.y * 16 + p) * 2];
        squares += parts[(blockIdx.y * 16 + p) * 2 + 1];
    }
    const float mean = sum / cols;
    const float scale = rsqrtf(fmaxf(squares / cols - mean * mean, 0.0f) + 1e-5f);
    const int part = (cols + 15) / 16;
    const int end = min(static_cast<int>(blockIdx.x + 1) * part, cols);
#pragma unroll 4
    for (int c = blockIdx.x * part + threadIdx.x; c < end; c += 256)
        out[static_cast<long long>(blockIdx.y) * cols + c] = (hinted(row + c, release) - mean) * scale * gamma[c] + beta[c];
}
