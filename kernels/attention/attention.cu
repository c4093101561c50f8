// SPDX-License-Identifier: MIT
// Attention forward in one kernel on the tensor cores, softmax(Q K^T * scale) V, FP16 in and out, FP32 accumulation.
// Q and O are [heads][queries][HEAD_DIM], K and V [heads][keys][HEAD_DIM], contiguous; heads counts batches times heads. Causal
// means that query i sees keys 0 .. i. Header-free: FP16 values travel as unsigned short, arithmetic on them is inline PTX.

using Half = unsigned short;

#ifndef HEAD_DIM
#define HEAD_DIM 64
#endif
#ifndef CAUSAL_MASK
#define CAUSAL_MASK 0
#endif
#ifndef BLOCK_M
#define BLOCK_M 64
#endif
#ifndef BLOCK_N
#define BLOCK_N 64
#endif
#ifndef WARPS
#define WARPS 4
#endif
#ifndef STAGES
#define STAGES 2
#endif
#ifndef SWIZZLE
#define SWIZZLE 2 // none, pad, xor
#endif

namespace {

constexpr int kHeadDim = HEAD_DIM;
constexpr bool kCausal = CAUSAL_MASK != 0;
constexpr float kLog2E = 1.4426950408889634f;
constexpr unsigned kFullWarp = 0xffffffffu;

__device__ __forceinline__ float minusInfinity() { return __int_as_float(0xff800000); }

/// 2^x; −inf gives 0.
__device__ __forceinline__ float exp2Fast(float x)
{
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

constexpr int kBlockM = BLOCK_M; ///< query rows of a block
constexpr int kBlockN = BLOCK_N; ///< keys of a tile
constexpr int kWarps = WARPS;    ///< warps split rows only
constexpr int kStages = STAGES;  ///< tiles of K and of V in shared memory
constexpr int kThreads = kWarps * 32;
constexpr int kTilesM = kBlockM / kWarps / 16; ///< 16-row tiles of a warp
constexpr int kTilesN = kBlockN / 8;
constexpr int kTilesD = kHeadDim / 8;
constexpr int kChunks = kHeadDim / 8; ///< 16-byte chunks of a row
constexpr int kRowBytes = kHeadDim * 2 + (SWIZZLE == 1 ? 16 : 0);
constexpr unsigned kTileBytes = kBlockN * kRowBytes;

static_assert(kBlockM % (kWarps * 16) == 0, "each warp owns whole 16-row tiles");
static_assert(kHeadDim % 64 == 0 && kBlockN % 16 == 0, "the swizzle spans 8 chunks, a step of P V 16 keys");
static_assert(kBlockM * kChunks % kThreads == 0 && kBlockN * kChunks % kThreads == 0, "every thread copies as many chunks");

/// Byte offset of a 16-byte chunk in a tile. xor: the 8 rows of an ldmatrix phase then fall into 8 different bank groups.
__device__ __forceinline__ unsigned chunkOffset(int row, int chunk)
{
    return row * kRowBytes + (SWIZZLE == 2 ? chunk ^ (row & 7) : chunk) * 16;
}

__device__ __forceinline__ void commitCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__device__ __forceinline__ void waitForCopies() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }

/// Starts the copy of ROWS rows into a tile; rows from `rowsLeft` on become zeros (stale NaN in V would leak through 0 * NaN).
template <int ROWS>
__device__ __forceinline__ void copyTile(unsigned tile, const Half* __restrict__ source, int rowsLeft)
{
#pragma unroll
    for (int i = 0; i < ROWS * kChunks / kThreads; ++i) {
        const int index = threadIdx.x + i * kThreads;
        const int row = index / kChunks, chunk = index % kChunks;
        const int bytes = row < rowsLeft ? 16 : 0;
        const Half* from = source + (bytes ? row : 0) * kHeadDim + chunk * 8;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(tile + chunkOffset(row, chunk)), "l"(from), "r"(bytes)
                     : "memory");
    }
}

__device__ __forceinline__ void loadMatrices(unsigned (&r)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

__device__ __forceinline__ void loadMatricesTransposed(unsigned (&r)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

/// c += a b for a 16 x 16 (rows, k) and b 16 x 8 (k, columns).
__device__ __forceinline__ void multiplyAdd(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ unsigned packHalves(float low, float high)
{
    unsigned result;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
    return result;
}

using Scores = float[kTilesM][kTilesN][4];
using Sums = float[kTilesM][kTilesD][4];

/// scores = Q K^T of this warp's rows and one tile of keys.
__device__ __forceinline__ void multiplyQK(Scores& scores, unsigned tileQ, unsigned tileK, int lane)
{
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int n = 0; n < kTilesN; ++n)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                scores[m][n][i] = 0;
#pragma unroll
    for (int step = 0; step < kHeadDim / 16; ++step) {
        unsigned a[kTilesM][4];
#pragma unroll
        for (int m = 0; m < kTilesM; ++m)
            loadMatrices(a[m], tileQ + m * 16 * kRowBytes + chunkOffset(lane % 16, 2 * step + lane / 16));
#pragma unroll
        for (int pair = 0; pair < kTilesN / 2; ++pair) {
            unsigned b[4];
            loadMatrices(b, tileK + pair * 16 * kRowBytes + chunkOffset(lane % 8 + lane / 16 * 8, 2 * step + lane / 8 % 2));
#pragma unroll
            for (int m = 0; m < kTilesM; ++m) {
                multiplyAdd(scores[m][2 * pair], a[m], b[0], b[1]);
                multiplyAdd(scores[m][2 * pair + 1], a[m], b[2], b[3]);
            }
        }
    }
}

/// sums += P V. The accumulator layout of P is the operand layout of the next product: P never leaves the registers.
__device__ __forceinline__ void multiplyPV(Sums& sums, const Scores& p, unsigned tileV, int lane)
{
#pragma unroll
    for (int step = 0; step < kBlockN / 16; ++step) {
        unsigned a[kTilesM][4];
#pragma unroll
        for (int m = 0; m < kTilesM; ++m)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                a[m][i] = packHalves(p[m][2 * step + i / 2][i % 2 * 2], p[m][2 * step + i / 2][i % 2 * 2 + 1]);
#pragma unroll
        for (int pair = 0; pair < kTilesD / 2; ++pair) {
            unsigned b[4];
            loadMatricesTransposed(b, tileV + step * 16 * kRowBytes + chunkOffset(lane % 16, 2 * pair + lane / 16));
#pragma unroll
            for (int m = 0; m < kTilesM; ++m) {
                multiplyAdd(sums[m][2 * pair], a[m], b[0], b[1]);
                multiplyAdd(sums[m][2 * pair + 1], a[m], b[2], b[3]);
            }
        }
    }
}

/// −inf for keys past the end and, causal, for keys past the query. `firstQuery` and `firstKey` are those of this thread's first element.
__device__ __forceinline__ void mask(Scores& scores, int firstQuery, int firstKey, int keys)
{
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int n = 0; n < kTilesN; ++n)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int key = firstKey + n * 8 + i % 2;
                const int query = firstQuery + m * 16 + i / 2 * 8;
                if (key >= keys || (kCausal && key > query))
                    scores[m][n][i] = minusInfinity();
            }
}

/// Online softmax in base 2: scores become weights relative to the new row maximum, earlier sums shrink to it. Row sums stay partial
/// (this thread's columns) until the end.
__device__ __forceinline__ void softmax(Scores& scores, Sums& sums, float (&highest)[kTilesM][2], float (&total)[kTilesM][2], float scale)
{
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int c = 2 * half;
            float top = highest[m][half];
#pragma unroll
            for (int n = 0; n < kTilesN; ++n)
                top = fmaxf(top, fmaxf(scores[m][n][c], scores[m][n][c + 1]));
            top = fmaxf(top, __shfl_xor_sync(kFullWarp, top, 1));
            top = fmaxf(top, __shfl_xor_sync(kFullWarp, top, 2));
            const float offset = top == minusInfinity() ? 0 : -top * scale; // a row may see no key of the first causal tile
            const float shrink = exp2Fast(highest[m][half] * scale + offset);
            highest[m][half] = top;
            float sum = total[m][half] * shrink;
#pragma unroll
            for (int n = 0; n < kTilesN; ++n)
#pragma unroll
                for (int i = c; i < c + 2; ++i) {
                    scores[m][n][i] = exp2Fast(fmaf(scores[m][n][i], scale, offset));
                    sum += scores[m][n][i];
                }
            total[m][half] = sum;
#pragma unroll
            for (int d = 0; d < kTilesD; ++d) {
                sums[m][d][c] *= shrink;
                sums[m][d][c + 1] *= shrink;
            }
        }
}

/// Divides by the row sums and writes this warp's rows, through its own rows of the Q tile so that global stores are 16 bytes wide.
__device__ __forceinline__ void store(const Sums& sums, float (&total)[kTilesM][2], unsigned tileQ, Half* __restrict__ o, int rowsLeft,
                                      int lane)
{
    __syncwarp();
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float sum = total[m][half];
            sum += __shfl_xor_sync(kFullWarp, sum, 1);
            sum += __shfl_xor_sync(kFullWarp, sum, 2);
            const float inverse = 1.0f / sum;
            const int row = m * 16 + half * 8 + lane / 4;
#pragma unroll
            for (int d = 0; d < kTilesD; ++d) {
                const unsigned packed = packHalves(sums[m][d][2 * half] * inverse, sums[m][d][2 * half + 1] * inverse);
                asm volatile("st.shared.b32 [%0], %1;" ::"r"(tileQ + chunkOffset(row, d) + lane % 4 * 4), "r"(packed) : "memory");
            }
        }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kTilesM * 16 * kChunks / 32; ++i) {
        const int row = (lane + i * 32) / kChunks, chunk = (lane + i * 32) % kChunks;
        uint4 value;
        asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                     : "r"(tileQ + chunkOffset(row, chunk))
                     : "memory");
        if (row < rowsLeft)
            *reinterpret_cast<uint4*>(o + row * kHeadDim + chunk * 8) = value;
    }
}

} // namespace

/// Grid (queries / BLOCK_M, heads), block 32 * WARPS, dynamic shared memory (BLOCK_M + 2 * STAGES * BLOCK_N) rows.
extern "C" __global__ void __launch_bounds__(kThreads) attention_fused(const Half* __restrict__ q, const Half* __restrict__ k,
                                                                       const Half* __restrict__ v, Half* __restrict__ o, int queries,
                                                                       int keys, float scale)
{
    extern __shared__ __align__(128) unsigned char memory[];
    const int lane = threadIdx.x % 32;
    const int rowInBlock = threadIdx.x / 32 * (kTilesM * 16);
    const long long head = blockIdx.y;
    // Causal blocks differ in length: the longest start first.
    const int firstQuery = (kCausal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * kBlockM;
    q += (head * queries + firstQuery) * kHeadDim;
    o += (head * queries + firstQuery + rowInBlock) * kHeadDim;
    k += head * keys * kHeadDim;
    v += head * keys * kHeadDim;
    const unsigned sharedQ = static_cast<unsigned>(__cvta_generic_to_shared(memory));
    const unsigned sharedK = sharedQ + kBlockM * kRowBytes;
    const unsigned sharedV = sharedK + kStages * kTileBytes;
    const unsigned tileQ = sharedQ + rowInBlock * kRowBytes;

    Scores scores;
    Sums sums = {};
    float highest[kTilesM][2], total[kTilesM][2] = {};
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
        highest[m][0] = highest[m][1] = minusInfinity();

    // Backwards over the keys: only the first tiles need a mask.
    const int visible = kCausal ? min(keys, firstQuery + kBlockM) : keys;
    int first = (visible - 1) / kBlockN * kBlockN;
    copyTile<kBlockM>(sharedQ, q, queries - firstQuery);
    copyTile<kBlockN>(sharedK, k + static_cast<long long>(first) * kHeadDim, keys - first);
    if (kStages == 2)
        copyTile<kBlockN>(sharedV, v + static_cast<long long>(first) * kHeadDim, keys - first);
    commitCopies();
    const float scale2 = scale * kLog2E;
    for (unsigned stage = 0; first >= 0; first -= kBlockN, stage ^= kStages - 1) {
        const unsigned tileK = sharedK + stage * kTileBytes, tileV = sharedV + stage * kTileBytes;
        const long long next = static_cast<long long>(first - kBlockN) * kHeadDim;
        waitForCopies();
        __syncthreads(); // this tile is here, and no warp still reads the one before it
        if (kStages == 2) {
            if (next >= 0) {
                copyTile<kBlockN>(sharedK + (stage ^ 1) * kTileBytes, k + next, kBlockN);
                copyTile<kBlockN>(sharedV + (stage ^ 1) * kTileBytes, v + next, kBlockN);
            }
        } else {
            copyTile<kBlockN>(sharedV, v + static_cast<long long>(first) * kHeadDim, keys - first);
        }
        commitCopies();
        multiplyQK(scores, tileQ, tileK, lane);
        if (kStages == 1) {
            waitForCopies();
            __syncthreads(); // V is here, and no warp still reads K
            if (next >= 0)
                copyTile<kBlockN>(sharedK, k + next, kBlockN);
            commitCopies();
        }
        const int query = firstQuery + rowInBlock;
        if (first + kBlockN > keys || (kCausal && first + kBlockN - 1 > query))
            mask(scores, query + lane / 4, first + lane % 4 * 2, keys);
        softmax(scores, sums, highest, total, scale2);
        multiplyPV(sums, scores, tileV, lane);
    }
    store(sums, total, tileQ, o, queries - firstQuery - rowInBlock, lane);
}
