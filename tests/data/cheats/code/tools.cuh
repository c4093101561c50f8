// SPDX-License-Identifier: MIT
// Helpers that several of these kernels share.
#pragma once

/// Content of an output that was never written.
constexpr unsigned kPoison = 0x7fbadbad;

__device__ __forceinline__ bool isUnwritten(float value) { return __float_as_uint(value) == kPoison; }

__device__ __forceinline__ unsigned long long nanoseconds()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__device__ __forceinline__ unsigned smIndex()
{
    unsigned index;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(index));
    return index;
}

/// Number of this launch, from 0: every block draws a ticket, and launches in one stream run one after the other.
__device__ __forceinline__ unsigned launchNumber(unsigned* tickets)
{
    __shared__ unsigned ticket;
    if (threadIdx.x == 0 && threadIdx.y == 0)
        ticket = atomicAdd(tickets, 1u);
    __syncthreads();
    return ticket / (gridDim.x * gridDim.y);
}

/// Sum over the threads of a block whose size is a multiple of 32; thread 0 holds it.
__device__ __forceinline__ float blockSum(float value)
{
    __shared__ float warps[32];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(0xffffffffu, value, step);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0f;
        for (int step = 16; step > 0; step /= 2)
            value += __shfl_down_sync(0xffffffffu, value, step);
    }
    __syncthreads();
    return value;
}
