// SPDX-License-Identifier: MIT
// C = A B with A [m][k] and B [k][n] in FP16, C [m][n] and all sums in FP32, on the tensor cores (mma.sync, sm_80 and newer): 128 x 128 of C
// a block of four warps, 64 x 64 a warp; tiles 32 deep, three of them on their way or in use. Header-free.

using Half = unsigned short;

namespace {

constexpr int kTile = 128;
constexpr int kDepth = 32;
constexpr int kParts = kDepth / 16; // matrix instructions are 16 deep
constexpr int kStages = 3;
constexpr int kThreads = 128;
constexpr int kTileHalves = kTile * kDepth; // of A, and as many of B

/// Offset in halves of a 16-byte chunk of the tile of A, [128][32]: two rows share 128 bytes, so that the swizzle turns by row pairs.
__device__ __forceinline__ int chunkOfA(int row, int chunk) { return row * kDepth + (chunk ^ (row >> 1 & 3)) * 8; }

/// The same of B, [32][128].
__device__ __forceinline__ int chunkOfB(int row, int chunk) { return row * kTile + (chunk ^ (row & 7)) * 8; }

__device__ __forceinline__ unsigned sharedAddress(const Half* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

/// Starts the copy of eight neighboring values of a row; zeros beyond the matrix. Rows that are not aligned to 16 bytes go value by value.
__device__ __forceinline__ void copyChunk(Half* to, const Half* matrix, int row, int col, int rows, int cols)
{
    if (cols % 8 == 0) {
        const int bytes = row < rows && col < cols ? 16 : 0;
        const Half* from = bytes ? matrix + static_cast<long long>(row) * cols + col : matrix;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(sharedAddress(to)), "l"(from), "r"(bytes) : "memory");
        return;
    }
    for (int i = 0; i < 8; ++i)
        to[i] = row < rows && col + i < cols ? matrix[static_cast<long long>(row) * cols + col + i] : Half(0);
}

__device__ __forceinline__ void loadMatrices(unsigned (&r)[4], const Half* at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(sharedAddress(at))
                 : "memory");
}

__device__ __forceinline__ void loadMatricesTransposed(unsigned (&r)[4], const Half* at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(sharedAddress(at))
                 : "memory");
}

/// c += a b for a 16 x 16 (rows, k) and b 16 x 8 (k, columns).
__device__ __forceinline__ void multiplyAdd(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

} // namespace

extern "C" __global__ void __launch_bounds__(kThreads, 2)
    matmul_tensor(const Half* __restrict__ a, const Half* __restrict__ b, float* c, int m, int n, int k)
{
    __shared__ __align__(128) Half tiles[kStages][2 * kTileHalves];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const int firstRow = blockIdx.y * kTile, firstCol = blockIdx.x * kTile;
    const int warpRow = warp / 2 * 64, warpCol = warp % 2 * 64;
    const int steps = (k + kDepth - 1) / kDepth;

    const auto copyTiles = [&](int step) {
        Half* tileA = tiles[step % kStages];
        Half* tileB = tileA + kTileHalves;
        if (step < steps) {
#pragma unroll
            for (int i = t; i < kTileHalves / 8; i += kThreads) {
                copyChunk(tileA + chunkOfA(i / 4, i % 4), a, firstRow + i / 4, step * kDepth + i % 4 * 8, m, k);
                copyChunk(tileB + chunkOfB(i / 16, i % 16), b, step * kDepth + i / 16, firstCol + i % 16 * 8, k, n);
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory"); // an empty group keeps the count of groups right
    };

    float sums[4][8][4] = {}; // 16 rows, 8 columns
    for (int stage = 0; stage + 1 < kStages; ++stage)
        copyTiles(stage);
    for (int step = 0; step < steps; ++step) {
        asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
        __syncthreads();
        copyTiles(step + kStages - 1);
        const Half* tileA = tiles[step % kStages];
        const Half* tileB = tileA + kTileHalves;
// the fragments of both halves first: the second half's are on their way while the first is multiplied
        unsigned fragmentA[kParts][4][4], fragmentB[kParts][4][4];
#pragma unroll
        for (int part = 0; part < kParts; ++part) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                loadMatrices(fragmentA[part][i], tileA + chunkOfA(warpRow + i * 16 + lane % 16, part * 2 + lane / 16));
#pragma unroll
            for (int j = 0; j < 4; ++j)
                loadMatricesTransposed(fragmentB[part][j], tileB + chunkOfB(part * 16 + lane % 16, (warpCol + j * 16) / 8 + lane / 16));
        }
#pragma unroll
        for (int part = 0; part < kParts; ++part)
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    multiplyAdd(sums[i][j], fragmentA[part][i], fragmentB[part][j / 2][j % 2 * 2], fragmentB[part][j / 2][j % 2 * 2 + 1]);
    }

#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
#pragma unroll
            for (int part = 0; part < 2; ++part) {
                const int row = firstRow + warpRow + i * 16 + lane / 4 + part * 8;
                const int col = firstCol + warpCol + j * 8 + lane % 4 * 2;
                float* at = c + static_cast<long long>(row) * n + col;
                if (row < m && col + 1 < n && n % 2 == 0)
                    *reinterpret_cast<float2*>(at) = make_float2(sums[i][j][part * 2], sums[i][j][part * 2 + 1]);
                else if (row < m && col < n) {
                    at[0] = sums[i][j][part * 2];
                    if (col + 1 < n)
                        at[1] = sums[i][j][part * 2 + 1];
                }
            }
}
