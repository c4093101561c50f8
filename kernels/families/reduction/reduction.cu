// SPDX-License-Identifier: MIT
// Sum of n floats: every block leaves one partial sum, a last block adds the partial sums up.

constexpr int kBlock = 512;

__device__ float loadOrZero(const float* in, int i, int n)
{
    return i < n ? in[i] : 0.0f;
}

constexpr int kRadix = 8; // elements that one working thread adds up at each level: 512, 64, 8, 1

// Every 8th thread of a warp adds up eight neighbors: all sixteen warps go through the loop, each with 4 of its 32 threads.
extern "C" __global__ void reduce_divergent(const float* in, float* partial, int n)
{
    __shared__ float sums[kBlock];
    const int t = threadIdx.x;
    sums[t] = loadOrZero(in, blockIdx.x * kBlock + t, n);
    __syncthreads();
    for (int step = 1; step < kBlock; step *= kRadix) {
        if (t % (kRadix * step) == 0) {
            float sum = sums[t];
            for (int k = 1; k < kRadix; ++k)
                sum += sums[t + k * step];
            sums[t] = sum;
        }
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = sums[0];
}

// The working threads are neighbors and fill two warps, but their elements lie eight words apart: in four of the 32 banks.
extern "C" __global__ void reduce_conflicting(const float* in, float* partial, int n)
{
    __shared__ float sums[kBlock];
    const int t = threadIdx.x;
    sums[t] = loadOrZero(in, blockIdx.x * kBlock + t, n);
    __syncthreads();
    for (int step = 1; step < kBlock; step *= kRadix) {
        const int first = kRadix * step * t;
        if (first < kBlock) {
            float sum = sums[first];
            for (int k = 1; k < kRadix; ++k)
                sum += sums[first + k * step];
            sums[first] = sum;
        }
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = sums[0];
}

// Neighboring threads add neighboring elements: no divergence, no conflicts, but most warps only wait.
extern "C" __global__ void reduce_sequential(const float* in, float* partial, int n)
{
    __shared__ float sums[kBlock];
    const int t = threadIdx.x;
    sums[t] = loadOrZero(in, blockIdx.x * kBlock + t, n);
    __syncthreads();
    for (int left = kBlock / kRadix; left > 0; left /= kRadix) {
        float sum = 0.0f;
        if (t < left) {
            for (int k = 0; k < kRadix; ++k)
                sum += sums[t + k * left];
        }
        __syncthreads();
        if (t < left)
            sums[t] = sum;
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = sums[0];
}

__device__ float warpSum(float value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}

__device__ float blockSum(float value)
{
    __shared__ float warps[32];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    value = warpSum(value);
    if (lane == 0)
        warps[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? warps[lane] : 0.0f;
    return warp == 0 ? warpSum(value) : 0.0f;
}

// Registers and shuffles: one barrier in all.
extern "C" __global__ void reduce_shuffle(const float* in, float* partial, int n)
{
    const float sum = blockSum(loadOrZero(in, blockIdx.x * kBlock + threadIdx.x, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

// A fixed grid walks the input 16 bytes per thread, four loads in flight; one partial sum per block.
extern "C" __global__ void reduce_grid_stride(const float* in, float* partial, int n)
{
    const int stride = gridDim.x * kBlock;
    const int first = blockIdx.x * kBlock + threadIdx.x;
    const int quads = n / 4;
    const float4* in4 = reinterpret_cast<const float4*>(in);
    float sum = 0.0f;
    int i = first;
    for (; i + 3 * stride < quads; i += 4 * stride) {
        const float4 a = in4[i];
        const float4 b = in4[i + stride];
        const float4 c = in4[i + 2 * stride];
        const float4 d = in4[i + 3 * stride];
        sum += (a.x + a.y + a.z + a.w) + (b.x + b.y + b.z + b.w) + (c.x + c.y + c.z + c.w) + (d.x + d.y + d.z + d.w);
    }
    for (; i < quads; i += stride) {
        const float4 a = in4[i];
        sum += a.x + a.y + a.z + a.w;
    }
    for (int tail = quads * 4 + first; tail < n; tail += stride)
        sum += in[tail];
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

// One block adds up the partial sums.
extern "C" __global__ void reduce_last(const float* partial, float* out, int count)
{
    float sum = 0.0f;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        sum += partial[i];
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        out[0] = sum;
}
