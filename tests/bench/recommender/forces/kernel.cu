// SPDX-License-Identifier: MIT
// Pull of all bodies on each, on a line: sum over j of d / sqrt(d^2 + 1)^3. Bodies from global memory or from a tile in shared memory.
__device__ float pull(float xi, float xj)
{
    const float d = xj - xi;
    const float s = d * d + 1.0f;
#if FAST
    const float inv = rsqrtf(s);
#else
    const float inv = 1.0f / sqrtf(s);
#endif
    return d * inv * inv * inv;
}

extern "C" __global__ void forces_plain(const float* x, float* y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = 0; j < n; ++j)
        sum += pull(x[i], x[j]);
    y[i] = sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) forces_tuned(const float* x, float* y, int n)
{
    const int i = (blockIdx.x * BLOCK + threadIdx.x) / SPLIT;
    const int part = (blockIdx.x * BLOCK + threadIdx.x) % SPLIT;
    const float xi = x[i];
    float sum = 0;
#if STAGED
    __shared__ float tile[BLOCK];
    for (int base = 0; base < n; base += BLOCK) {
        __syncthreads();
        tile[threadIdx.x] = x[base + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int j = part; j < BLOCK; j += SPLIT)
            sum += pull(xi, tile[j]);
    }
#else
#pragma unroll 4
    for (int j = part; j < n; j += SPLIT)
        sum += pull(xi, x[j]);
#endif
    for (int half = SPLIT / 2; half > 0; half /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, half);
    if (part == 0)
        y[i] = sum;
}
