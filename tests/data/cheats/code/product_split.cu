// SPDX-License-Identifier: MIT
// Four blocks per tile each take a quarter of the depth and write to scratch memory; a second launch adds the quarters.
#include "product.cuh"

extern "C" __global__ void product_parts(const float* a, const float* b, float* parts, int m, int n, int k)
{
    __shared__ float tileA[kDepth][kEdge + 1], tileB[kDepth][kEdge];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int row0 = blockIdx.y * kEdge, col0 = blockIdx.x * kEdge;
    const int quarter = (k + 3) / 4, end = min((static_cast<int>(blockIdx.z) + 1) * quarter, k);
    float sums[4][4] = {};
    for (int depth = blockIdx.z * quarter; depth < end; depth += kDepth) {
        for (int i = threadIdx.x; i < kEdge * kDepth; i += 256) {
            const bool inside = depth + i % kDepth < end;
            tileA[i % kDepth][i / kDepth] = inside ? elementOr0(a, row0 + i / kDepth, depth + i % kDepth, m, k) : 0.0f;
            tileB[i / kEdge][i % kEdge] = elementOr0(b, depth + i / kEdge, col0 + i % kEdge, k, n);
        }
        __syncthreads();
        for (int d = 0; d < kDepth; ++d)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sums[i][j] = fmaf(tileA[d][ty * 4 + i], tileB[d][tx * 4 + j], sums[i][j]);
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (row0 + ty * 4 + i < m && col0 + tx * 4 + j < n)
                parts[(blockIdx.z * m + row0 + ty * 4 + i) * n + col0 + tx * 4 + j] = sums[i][j];
}

extern "C" __global__ void product_sum(const float* parts, float* c, int count)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < count)
        c[i] = (parts[i] + parts[count + i]) + (parts[2 * count + i] + parts[3 * count + i]);
}
