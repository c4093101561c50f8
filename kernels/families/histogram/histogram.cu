// SPDX-License-Identifier: MIT
// Histogram of n floats over [-1, 1) in equal bins, a power of two of them, at most 1,024.

constexpr int kMaxBins = 1024;
constexpr int kWarps = 8; // of a block

__device__ int binOf(float x, int bins)
{
    const int bin = static_cast<int>((x + 1.0f) * (0.5f * static_cast<float>(bins)));
    return min(max(bin, 0), bins - 1);
}

extern "C" __global__ void histogram_clear(unsigned* counts, int bins)
{
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        counts[bin] = 0;
}

// Every element is an atomic on one of few addresses.
extern "C" __global__ void histogram_global(const float* in, unsigned* counts, int n, int bins)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counts[binOf(in[i], bins)], 1u);
}

// The lanes of a warp that fall into one bin send one atomic for all of them.
extern "C" __global__ void histogram_aggregated(const float* in, unsigned* counts, int n, int bins)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned inside = __ballot_sync(0xffffffffu, i < n);
    if (i >= n)
        return;
    const int bin = binOf(in[i], bins);
    const unsigned same = __match_any_sync(inside, bin);
    if (__ffs(same) - 1 == static_cast<int>(threadIdx.x % 32))
        atomicAdd(&counts[bin], static_cast<unsigned>(__popc(same)));
}

// Each block counts in shared memory, and adds its counts to the result once.
extern "C" __global__ void histogram_private(const float* in, unsigned* counts, int n, int bins)
{
    __shared__ unsigned own[kMaxBins];
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        own[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[binOf(in[i], bins)], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        if (own[bin] > 0)
            atomicAdd(&counts[bin], own[bin]);
}

// Each warp has counts of its own and reads 16 bytes per lane.
extern "C" __global__ void histogram_warps(const float* in, unsigned* counts, int n, int bins)
{
    __shared__ unsigned own[kWarps][kMaxBins];
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        for (int warp = 0; warp < kWarps; ++warp)
            own[warp][bin] = 0;
    __syncthreads();
    unsigned* mine = own[threadIdx.x / 32];
    const int quads = n / 4;
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < quads; i += gridDim.x * blockDim.x) {
        const float4 x = reinterpret_cast<const float4*>(in)[i];
        atomicAdd(&mine[binOf(x.x, bins)], 1u);
        atomicAdd(&mine[binOf(x.y, bins)], 1u);
        atomicAdd(&mine[binOf(x.z, bins)], 1u);
        atomicAdd(&mine[binOf(x.w, bins)], 1u);
    }
    if (first < n % 4)
        atomicAdd(&mine[binOf(in[quads * 4 + first], bins)], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        unsigned sum = 0;
        for (int warp = 0; warp < kWarps; ++warp)
            sum += own[warp][bin];
        if (sum > 0)
            atomicAdd(&counts[bin], sum);
    }
}
