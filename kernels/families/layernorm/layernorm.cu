// SPDX-License-Identifier: MIT
// Layer norm of each row of a matrix of `rows` x `cols` floats: (x - mean) / sqrt(variance + epsilon) * gamma + beta.

#ifndef HELD
#define HELD 32 // values that a lane keeps: cols / 32, rounded up
#endif

constexpr unsigned kFullWarp = 0xffffffffu;
constexpr int kBlock = 1024;

// Sum over the block in shared memory, halving the threads at work with a barrier each time.
__device__ float treeSum(float* sums, float value)
{
    const int t = threadIdx.x;
    sums[t] = value;
    __syncthreads();
#pragma unroll
    for (int half = kBlock / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    const float sum = sums[0];
    __syncthreads();
    return sum;
}

// One block a row; mean and variance by a tree each: twenty-four barriers.
extern "C" __global__ void __launch_bounds__(kBlock, 2) layernorm_tree(const float* in, const float* gamma, const float* beta, float* out, int rows, int cols,
                                          float epsilon)
{
    __shared__ float sums[kBlock];
    const float* x = in + static_cast<long long>(blockIdx.x) * cols;
    float* y = out + static_cast<long long>(blockIdx.x) * cols;
    float own = 0.0f;
#pragma unroll 1
    for (int c = threadIdx.x; c < cols; c += kBlock)
        own += x[c];
    const float mean = treeSum(sums, own) / static_cast<float>(cols);
    own = 0.0f;
#pragma unroll 1
    for (int c = threadIdx.x; c < cols; c += kBlock)
        own += (x[c] - mean) * (x[c] - mean);
    const float scale = rsqrtf(treeSum(sums, own) / static_cast<float>(cols) + epsilon);
#pragma unroll 1
    for (int c = threadIdx.x; c < cols; c += kBlock)
        y[c] = (x[c] - mean) * scale * gamma[c] + beta[c];
}

__device__ float warpSum(float value)
{
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(kFullWarp, value, offset);
    return value;
}

// Every warp of the block adds up the warps' sums for itself: one barrier a sum.
__device__ float shuffleSum(float* warps, float value)
{
    const int lane = threadIdx.x % 32;
    value = warpSum(value);
    if (lane == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    return warpSum(warps[lane]);
}

// One block a row, sums by shuffles: two barriers.
extern "C" __global__ void layernorm_shuffle(const float* in, const float* gamma, const float* beta, float* out, int rows, int cols,
                                             float epsilon)
{
    __shared__ float warps[2][kBlock / 32];
    const float* x = in + static_cast<long long>(blockIdx.x) * cols;
    float* y = out + static_cast<long long>(blockIdx.x) * cols;
    float own = 0.0f;
#pragma unroll 1
    for (int c = threadIdx.x; c < cols; c += kBlock)
        own += x[c];
    const float mean = shuffleSum(warps[0], own) / static_cast<float>(cols);
    own = 0.0f;
#pragma unroll 1
    for (int c = threadIdx.x; c < cols; c += kBlock)
        own += (x[c] - mean) * (x[c] - mean);
    const float scale = rsqrtf(shuffleSum(warps[1], own) / static_cast<float>(cols) + epsilon);
#pragma unroll 1
    for (int c = threadIdx.x; c < cols; c += kBlock)
        y[c] = (x[c] - mean) * scale * gamma[c] + beta[c];
}

// One warp a row, which stays in registers; no barrier.
extern "C" __global__ void layernorm_registers(const float* __restrict__ in, const float* __restrict__ gamma,
                                               const float* __restrict__ beta, float* __restrict__ out, int rows, int cols, float epsilon)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows)
        return;
    const int lane = threadIdx.x % 32;
    const float* x = in + static_cast<long long>(row) * cols;
    float* y = out + static_cast<long long>(row) * cols;
    float held[HELD];
#pragma unroll
    for (int h = 0; h < HELD; ++h)
        held[h] = h * 32 + lane < cols ? x[h * 32 + lane] : 0.0f;
    float own = 0.0f;
#pragma unroll
    for (int h = 0; h < HELD; ++h)
        own += held[h];
    const float mean = warpSum(own) / static_cast<float>(cols);
    own = 0.0f;
#pragma unroll
    for (int h = 0; h < HELD; ++h)
        own += h * 32 + lane < cols ? (held[h] - mean) * (held[h] - mean) : 0.0f;
    const float scale = rsqrtf(warpSum(own) / static_cast<float>(cols) + epsilon);
#pragma unroll
    for (int h = 0; h < HELD; ++h)
        if (h * 32 + lane < cols)
            y[h * 32 + lane] = (held[h] - mean) * scale * gamma[h * 32 + lane] + beta[h * 32 + lane];
}
