// SPDX-License-Identifier: MIT
// y = 2 x + 1. ITEMS accesses of WIDTH floats a thread, either spread over the block (neighbours touch neighbours) or one after another.
#if WIDTH == 4
typedef float4 Word;
#elif WIDTH == 2
typedef float2 Word;
#else
typedef float Word;
#endif

__device__ float one(float x)
{
    return 2 * x + 1;
}
__device__ float2 one(float2 x)
{
    return make_float2(one(x.x), one(x.y));
}
__device__ float4 one(float4 x)
{
    return make_float4(one(x.x), one(x.y), one(x.z), one(x.w));
}

extern "C" __global__ void scale_plain(const float* x, float* y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i] + 1;
}

extern "C" __global__ void __launch_bounds__(BLOCK) scale_tuned(const float* x, float* y, int n)
{
    const int words = n / WIDTH;
    const int base = blockIdx.x * BLOCK * ITEMS;
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        const int i = base + (NEIGHBOURS ? k * BLOCK + (int)threadIdx.x : (int)threadIdx.x * ITEMS + k);
        if (i < words)
            ((Word*)y)[i] = one(((const Word*)x)[i]);
    }
}
