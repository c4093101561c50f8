// SPDX-License-Identifier: MIT
// Sums of rows: a block a row, its parts added up by a tree in shared memory or by shuffles.
extern "C" __global__ void rowsum_plain(const float* x, float* y, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int c = 0; c < cols; ++c)
        sum += x[(long long)row * cols + c];
    y[row] = sum;
}

__device__ float treeSum(float sum)
{
    __shared__ float parts[BLOCK];
    parts[threadIdx.x] = sum;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    return parts[0];
}

__device__ float shuffleSum(float sum)
{
    __shared__ float parts[32];
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, half);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < BLOCK / 32; ++w)
        sum += parts[w];
    return sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) rowsum_tuned(const float* x, float* y, int rows, int cols)
{
    const float* row = x + (long long)blockIdx.x * cols;
    float sum = 0;
#if WIDTH == 4
    for (int c = threadIdx.x; c < cols / 4; c += BLOCK) {
        const float4 v = ((const float4*)row)[c];
        sum += v.x + v.y + v.z + v.w;
    }
#else
    for (int c = threadIdx.x; c < cols; c += BLOCK)
        sum += row[c];
#endif
    sum = SHUFFLE ? shuffleSum(sum) : treeSum(sum);
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}
