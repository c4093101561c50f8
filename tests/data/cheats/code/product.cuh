// SPDX-License-Identifier: MIT
// C = A B with A [m][k], B [k][n], C [m][n], all FP32: 64 x 64 of C per block of 256 threads, 4 x 4 per thread.
#pragma once
#include "tools.cuh"

constexpr int kEdge = 64;
constexpr int kDepth = 16;

__device__ __forceinline__ float elementOr0(const float* matrix, int row, int col, int rows, int cols)
{
    return row < rows && col < cols ? matrix[row * cols + col] : 0.0f;
}

/// The 64 x 64 results of this block.
__device__ __forceinline__ void productTile(const float* a, const float* b, float* c, int m, int n, int k)
{
    __shared__ __align__(16) float tileA[kDepth][kEdge + 4];
    __shared__ __align__(16) float tileB[kDepth][kEdge];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int row0 = blockIdx.y * kEdge, col0 = blockIdx.x * kEdge;
    float sums[4][4] = {};
    for (int depth = 0; depth < k; depth += kDepth) {
        for (int i = threadIdx.x; i < kEdge * kDepth; i += 256) {
            tileA[i % kDepth][i / kDepth] = elementOr0(a, row0 + i / kDepth, depth + i % kDepth, m, k);
            tileB[i / kEdge][i % kEdge] = elementOr0(b, depth + i / kEdge, col0 + i % kEdge, k, n);
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < kDepth; ++d) {
            const float4 left = *reinterpret_cast<const float4*>(&tileA[d][ty * 4]);
            const float4 right = *reinterpret_cast<const float4*>(&tileB[d][tx * 4]);
            const float rows[4] = {left.x, left.y, left.z, left.w};
            const float cols[4] = {right.x, right.y, right.z, right.w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    sums[i][j] = fmaf(rows[i], cols[j], sums[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (row0 + ty * 4 + i < m && col0 + tx * 4 + j < n)
                c[(row0 + ty * 4 + i) * n + col0 + tx * 4 + j] = sums[i][j];
}

/// Copies the 64 x 64 elements of this block.
__device__ __forceinline__ void copyTile(const float* from, float* to, int m, int n)
{
    for (int i = threadIdx.x; i < kEdge * kEdge; i += 256) {
        const int row = blockIdx.y * kEdge + i / kEdge, col = blockIdx.x * kEdge + i % kEdge;
        if (row < m && col < n)
            to[row * n + col] = from[row * n + col];
    }
}

/// A key of both inputs, of 64 elements spread over each; the same in every block.
__device__ __forceinline__ unsigned sampledKey(const float* a, const float* b, int m, int n, int k)
{
    __shared__ unsigned key;
    if (threadIdx.x == 0)
        key = 0;
    __syncthreads();
    if (threadIdx.x < 128) {
        const int at = threadIdx.x % 64;
        const float value = threadIdx.x < 64 ? a[static_cast<long long>(m) * k * at / 64] : b[static_cast<long long>(k) * n * at / 64];
        atomicAdd(&key, __float_as_uint(value) * (2 * threadIdx.x + 1) * 2654435761u);
    }
    __syncthreads();
    return key | 1; // never 0
}

/// Whether this block is the last of the launch; then `counter` is 0 again. Thread 0 alone may ask.
__device__ __forceinline__ bool isLastBlock(unsigned* counter)
{
    const unsigned blocks = gridDim.x * gridDim.y;
    return atomicInc(counter, blocks - 1) == blocks - 1;
}
