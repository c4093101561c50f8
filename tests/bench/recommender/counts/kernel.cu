// SPDX-License-Identifier: MIT
// How many elements are negative, small or large: four counts, in global memory, or of a block in shared memory first; lanes that agree may
// send one atomic.
__device__ int binOf(float v)
{
    return (v < 0 ? 0 : 2) + (v * v < 0.5f ? 0 : 1);
}

extern "C" __global__ void counts_clear(int* counts)
{
    counts[threadIdx.x] = 0;
}

extern "C" __global__ void counts_plain(const float* x, int* counts, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(counts + binOf(x[i]), 1);
}

__device__ void add(int* counts, int bin)
{
#if AGGREGATE
    const unsigned same = __match_any_sync(__activemask(), bin);
    if (threadIdx.x % 32 == __ffs(same) - 1)
        atomicAdd(counts + bin, __popc(same));
#else
    atomicAdd(counts + bin, 1);
#endif
}

extern "C" __global__ void __launch_bounds__(256) counts_tuned(const float* x, int* counts, int n)
{
#if PRIVATE
    __shared__ int mine[4];
    if (threadIdx.x < 4)
        mine[threadIdx.x] = 0;
    __syncthreads();
#else
    int* mine = counts;
#endif
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        const int i = (blockIdx.x * ITEMS + k) * 256 + threadIdx.x;
        if (i < n)
            add(mine, binOf(x[i]));
    }
#if PRIVATE
    __syncthreads();
    if (threadIdx.x < 4)
        atomicAdd(counts + threadIdx.x, mine[threadIdx.x]);
#endif
}
