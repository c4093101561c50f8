// SPDX-License-Identifier: MIT
// Work that differs from element to element, on n floats in registers. by_…: four recurrences, element i takes number i % 4.
// trips_…: one recurrence, element i takes it iters * (i % 32 + 1) / 32 times. The input is added to the result, which would
// otherwise forget it.

// Each recurrence costs two multiply-adds per step and contracts towards a fixed point, so that rounding does not grow.
__device__ float first(float x, int iters)
{
#pragma unroll 8
    for (int k = 0; k < iters; ++k)
        x = fmaf(fmaf(x, 0.999f, 0.001f), 0.5f, 0.25f);
    return x;
}

__device__ float second(float x, int iters)
{
#pragma unroll 8
    for (int k = 0; k < iters; ++k)
        x = fmaf(x * -0.5f, x, 0.75f);
    return x;
}

__device__ float third(float x, int iters)
{
#pragma unroll 8
    for (int k = 0; k < iters; ++k)
        x = fmaf(fmaf(x, 0.5f, 0.25f), x, 0.125f);
    return x;
}

__device__ float fourth(float x, int iters)
{
#pragma unroll 8
    for (int k = 0; k < iters; ++k)
        x = fmaf(x, fmaf(x, -0.25f, 0.5f), -0.125f);
    return x;
}

__device__ float path(float x, int kind, int iters)
{
    switch (kind) {
    case 0: return first(x, iters);
    case 1: return second(x, iters);
    case 2: return third(x, iters);
    default: return fourth(x, iters);
    }
}

// Neighboring lanes take different paths: a warp goes through all four, each with 8 of its lanes active.
extern "C" __global__ void branch_by_lane(const float* in, float* out, int n, int iters)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + path(in[i], i % 4, iters);
}

// Of each 128 elements the first warp takes those of the first path, the second those of the second, and so on.
extern "C" __global__ void branch_by_warp(const float* in, float* out, int n, int iters)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int kind = t / 32 % 4;
    const int i = t / 128 * 128 + t % 32 * 4 + kind;
    if (i < n)
        out[i] = in[i] + path(in[i], kind, iters);
}

__device__ float manyTimes(float x, int trips)
{
#pragma unroll 4
    for (int k = 0; k < trips; ++k)
        x = fmaf(fmaf(x, 0.5f, 0.25f), x, 0.125f);
    return x;
}

// Each lane leaves the loop at a different trip; the warp stays for the longest.
extern "C" __global__ void branch_trips_by_lane(const float* in, float* out, int n, int iters)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + manyTimes(in[i], iters * (i % 32 + 1) / 32);
}

// A warp takes the elements of one trip count, of each 1,024 elements.
extern "C" __global__ void branch_trips_by_warp(const float* in, float* out, int n, int iters)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int trips = t / 32 % 32;
    const int i = t / 1024 * 1024 + t % 32 * 32 + trips;
    if (i < n)
        out[i] = in[i] + manyTimes(in[i], iters * (trips + 1) / 32);
}
