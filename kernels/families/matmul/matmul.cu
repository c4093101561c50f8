// SPDX-License-Identifier: MIT
// C = A B with A [m][k] and B [k][n] in FP16, C [m][n] and all sums in FP32, row after row. Header-free: FP16 values travel as unsigned
// short.

using Half = unsigned short;

__device__ __forceinline__ float toFloat(Half value)
{
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(value));
    return result;
}

// Neighboring lanes take neighboring rows: each of their loads of A lies in a row of its own, each store in another sector.
extern "C" __global__ void matmul_rows(const Half* __restrict__ a, const Half* __restrict__ b, float* c, int m, int n, int k)
{
    const int row = blockIdx.x * 32 + threadIdx.x;
    const int col = blockIdx.y * 8 + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
        sum = fmaf(toFloat(a[row * k + i]), toFloat(b[i * n + col]), sum);
    c[row * n + col] = sum;
}

// Neighboring lanes take neighboring columns: one value of A for all, a row of B. Two loads for each multiply-add.
extern "C" __global__ void matmul_columns(const Half* __restrict__ a, const Half* __restrict__ b, float* c, int m, int n, int k)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
#pragma unroll 8
    for (int i = 0; i < k; ++i)
        sum = fmaf(toFloat(a[row * k + i]), toFloat(b[i * n + col]), sum);
    c[row * n + col] = sum;
}

// Tiles of 32 x 32 in shared memory: DRAM and L2 are relieved, but each multiply-add still reads shared memory.
extern "C" __global__ void matmul_tiled(const Half* __restrict__ a, const Half* __restrict__ b, float* c, int m, int n, int k)
{
    __shared__ float tileA[32][32];
    __shared__ float tileB[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * 32 + tx;
    const int row = blockIdx.y * 32 + ty;
    float sum = 0.0f;
    for (int first = 0; first < k; first += 32) {
        tileA[ty][tx] = row < m && first + tx < k ? toFloat(a[row * k + first + tx]) : 0.0f;
        tileB[ty][tx] = first + ty < k && col < n ? toFloat(b[(first + ty) * n + col]) : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; ++i)
            sum = fmaf(tileA[ty][i], tileB[i][tx], sum);
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

/// Eight neighboring values of a row, zeros beyond the matrix; 16 bytes at once where they are aligned.
__device__ __forceinline__ void loadEight(Half (&values)[8], const Half* matrix, int row, int col, int rows, int cols)
{
    if (row < rows && col + 8 <= cols && cols % 8 == 0) {
        *reinterpret_cast<uint4*>(values) = *reinterpret_cast<const uint4*>(matrix + row * cols + col);
        return;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
        values[i] = row < rows && col + i < cols ? matrix[row * cols + col + i] : Half(0);
}

// 128 x 128 of C per block of 256 threads, 8 x 8 per thread: 64 multiply-adds for 16 values read from shared memory. The next tiles are on
// their way while this one is used.
extern "C" __global__ void __launch_bounds__(256, 2)
    matmul_registers(const Half* __restrict__ a, const Half* __restrict__ b, float* c, int m, int n, int k)
{
    constexpr int kDepth = 16;
    constexpr int kPadded = 132;
    __shared__ __align__(16) float tileA[kDepth][kPadded]; // transposed: a column of A is a row here
    __shared__ __align__(16) float tileB[kDepth][kPadded];
    const int t = threadIdx.x;
    const int tx = t % 16, ty = t / 16;
    const int rowA = t / 2, colA = t % 2 * 8; // what this thread loads of A: 8 values of one of 128 rows
    const int rowB = t / 16, colB = t % 16 * 8;
    const int firstRow = blockIdx.y * 128, firstCol = blockIdx.x * 128;
    __align__(16) Half nextA[8], nextB[8];
    loadEight(nextA, a, firstRow + rowA, colA, m, k);
    loadEight(nextB, b, rowB, firstCol + colB, k, n);
    float sum[8][8] = {};
    for (int first = 0; first < k; first += kDepth) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            tileA[colA + i][rowA] = toFloat(nextA[i]);
            tileB[rowB][colB + i] = toFloat(nextB[i]);
        }
        __syncthreads();
        if (first + kDepth < k) {
            loadEight(nextA, a, firstRow + rowA, first + kDepth + colA, m, k);
            loadEight(nextB, b, first + kDepth + rowB, firstCol + colB, k, n);
        }
#pragma unroll
        for (int i = 0; i < kDepth; ++i) {
            float fromA[8], fromB[8]; // rows ty * 4 + 0 ... 3 and 64 more, columns alike: reads of 16 bytes without conflicts
            *reinterpret_cast<float4*>(fromA) = *reinterpret_cast<const float4*>(&tileA[i][ty * 4]);
            *reinterpret_cast<float4*>(fromA + 4) = *reinterpret_cast<const float4*>(&tileA[i][ty * 4 + 64]);
            *reinterpret_cast<float4*>(fromB) = *reinterpret_cast<const float4*>(&tileB[i][tx * 4]);
            *reinterpret_cast<float4*>(fromB + 4) = *reinterpret_cast<const float4*>(&tileB[i][tx * 4 + 64]);
#pragma unroll
            for (int r = 0; r < 8; ++r)
#pragma unroll
                for (int s = 0; s < 8; ++s)
                    sum[r][s] = fmaf(fromA[r], fromB[s], sum[r][s]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 8; ++r)
#pragma unroll
        for (int s = 0; s < 8; ++s) {
            const int row = firstRow + ty * 4 + r % 4 + r / 4 * 64;
            const int col = firstCol + tx * 4 + s % 4 + s / 4 * 64;
            if (row < m && col < n)
                c[row * n + col] = sum[r][s];
        }
}
