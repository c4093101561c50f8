// SPDX-License-Identifier: MIT
// Sixteen dependent element-wise operations, y = max(0.9 y + 0.1, -1), on n floats.

constexpr int kSteps = 16;

__device__ float operation(float y)
{
    return fmaxf(0.9f * y + 0.1f, -1.0f);
}

extern "C" __global__ void chain_first(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = operation(in[i]);
}

extern "C" __global__ void chain_next(float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = operation(out[i]);
}

extern "C" __global__ void chain_fused(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float y = in[i];
#pragma unroll
    for (int k = 0; k < kSteps; ++k)
        y = operation(y);
    out[i] = y;
}
