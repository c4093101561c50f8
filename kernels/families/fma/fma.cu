// SPDX-License-Identifier: MIT
// Chains of one kind of instruction in registers: each thread reads one float, works, writes one float.

extern "C" __global__ void fma_fp32(const float* in, float* out, int n, int iters)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
#pragma unroll 16
    for (int k = 0; k < iters; ++k)
        x = fmaf(x, 0.999f, 0.001f);
    out[i] = x;
}

extern "C" __global__ void fma_fp64(const float* in, float* out, int n, int iters)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = in[i];
#pragma unroll 16
    for (int k = 0; k < iters; ++k)
        x = fma(x, 0.999, 0.001);
    out[i] = static_cast<float>(x);
}

// Marsaglia's xorshift: shifts and exclusive ors, no multiplications, which would run on the FMA pipe.
extern "C" __global__ void fma_integer(const float* in, float* out, int n, int iters)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = static_cast<unsigned>(i) + 1u + static_cast<unsigned>(in[i] > 2.0f);
#pragma unroll 16
    for (int k = 0; k < iters; ++k) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    out[i] = static_cast<float>(x & 0xffffu);
}

extern "C" __global__ void fma_transcendental(const float* in, float* out, int n, int iters)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
#pragma unroll 16
    for (int k = 0; k < iters; ++k)
        asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(-x));
    out[i] = x;
}
