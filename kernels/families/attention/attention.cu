// SPDX-License-Identifier: MIT
// Attention forward in one kernel on the tensor cores, softmax(Q K^T * scale) V, FP16 or BF16 in and out, FP32 accumulation.
// Q and O are [heads][queries][HEAD_DIM], K and V [heads / GROUP][keys][HEAD_DIM], contiguous; heads counts batches times heads. Causal
// means that query i sees keys 0 .. i. Header-free: 16-bit values travel as unsigned short, arithmetic on them is inline PTX. sm_80 and
// newer. Each warp owns 16 * kTilesM query rows, walks over tiles of BLOCK_N keys from the last to the first, and keeps scores, weights
// and sums in registers.

using Half = unsigned short;

#ifndef HEAD_DIM
#define HEAD_DIM 64
#endif
#ifndef BF16
#define BF16 0
#endif
#ifndef GROUP
#define GROUP 1 // heads of Q that share a head of K and V
#endif
#ifndef BLOCK_M
#define BLOCK_M 64 // query rows of a block
#endif
#ifndef BLOCK_N
#define BLOCK_N 64 // keys of a tile
#endif
#ifndef WARPS
#define WARPS 4 // warps that share a block's rows
#endif
#ifndef STAGES
#define STAGES 2 // tiles of K and of V in shared memory
#endif
#ifndef SWIZZLE
#define SWIZZLE 2 // none, pad, xor
#endif
#ifndef HALF2
#define HALF2 1 // conversion of sums and weights: one at a time, in pairs
#endif
#ifndef UNROLL
#define UNROLL 0 // full, 1
#endif
#ifndef SPLIT_KV
#define SPLIT_KV 0 // keys of a tile are shared by two groups of warps, tiles by the blocks of the grid's z axis
#endif
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 // blocks of an SM that the compiler must leave registers for
#endif

namespace {

constexpr int kHeadDim = HEAD_DIM;
constexpr int kBlockM = BLOCK_M;
constexpr int kBlockN = BLOCK_N;
constexpr int kStages = STAGES;
constexpr int kGroups = SPLIT_KV ? 2 : 1; ///< groups of WARPS warps; each takes its share of the keys of every tile
constexpr int kGroupThreads = WARPS * 32;
constexpr int kThreads = kGroups * kGroupThreads;
constexpr int kKeys = kBlockN / kGroups;      ///< keys of a tile that a warp works on
constexpr int kTilesM = kBlockM / WARPS / 16; ///< 16-row tiles of a warp
constexpr int kTilesN = kKeys / 8;
constexpr int kTilesD = kHeadDim / 8;
constexpr int kStepsD = kHeadDim / 16;
constexpr int kChunks = kHeadDim / 8; ///< 16-byte chunks of a row
constexpr int kRowBytes = kHeadDim * 2 + (SWIZZLE == 1 ? 16 : 0);
constexpr unsigned kTileBytes = kBlockN * kRowBytes;
constexpr int kUnroll = UNROLL == 0 ? kStepsD : 1; ///< steps of Q K^T in a row

// Registers of a thread that hold sums, scores and Q; all that it may have.
constexpr int kSumRegisters = kTilesM * kTilesD * 4, kScoreRegisters = kTilesM * kTilesN * 4, kQueryRegisters = kTilesM * kStepsD * 4;
constexpr int kRegisters = kThreads * MIN_BLOCKS > 256 ? 65536 / (kThreads * MIN_BLOCKS) : 256;
/// Scores of the next tile are computed beside the softmax of this one, where there are registers for both and two tiles of K. Margins as
/// found by compiling for sm_90: little of what they let through spills.
constexpr bool kAhead = kStages == 2 && kSumRegisters + 2 * kScoreRegisters <= kRegisters - 96;
/// Then two tiles make one round of the loop, so that scores need no copying; not where that much code costs more to fetch.
constexpr bool kTwoTiles = UNROLL == 0 && kTilesN <= 8;
constexpr bool kHoldQ = UNROLL == 0 && kSumRegisters + (kAhead ? 2 : 1) * kScoreRegisters + kQueryRegisters <= kRegisters - (kAhead ? 96 : 64);

static_assert(kBlockM % (WARPS * 16) == 0, "each warp owns whole 16-row tiles");
static_assert(kHeadDim % 64 == 0 && kKeys % 16 == 0, "the swizzle spans 8 chunks, a step of P V 16 keys");

constexpr float kLog2E = 1.4426950408889634f;
constexpr unsigned kFullWarp = 0xffffffffu;
/// Weights are relative to a row maximum that may lag behind by so many powers of two: few tiles shrink the sums. 2^8 fits FP16.
constexpr float kLag = 8;

using Query = unsigned[kTilesM][kStepsD][4];
using Scores = float[kTilesM][kTilesN][4];
using Sums = float[kTilesM][kTilesD][4];
using RowPair = float[kTilesM][2]; ///< one value for each of the two rows of a 16-row tile that a thread holds elements of

__device__ __forceinline__ float minusInfinity() { return __int_as_float(0xff800000); }

/// 2^x; −inf gives 0.
__device__ __forceinline__ float exp2Fast(float x)
{
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

__device__ __forceinline__ unsigned packHalves(float low, float high)
{
    unsigned result;
#if HALF2 && BF16
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
#elif HALF2
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
#else
    Half first, second;
#if BF16
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(first) : "f"(low));
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(second) : "f"(high));
#else
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(first) : "f"(low));
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(second) : "f"(high));
#endif
    asm("mov.b32 %0, {%1, %2};" : "=r"(result) : "h"(first), "h"(second));
#endif
    return result;
}

#if BF16
#define KL_MMA "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
#else
#define KL_MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#endif

/// c += a b for a 16 x 16 (rows, k) and b 16 x 8 (k, columns).
__device__ __forceinline__ void multiplyAdd(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm(KL_MMA " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ void loadMatrices(unsigned (&r)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}

__device__ __forceinline__ void loadMatricesTransposed(unsigned (&r)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}

/// Byte offset of a 16-byte chunk in a tile. xor: the 8 rows of an ldmatrix phase then fall into 8 different bank groups.
__device__ __forceinline__ unsigned chunkOffset(int row, int chunk)
{
    return row * kRowBytes + (SWIZZLE == 2 ? chunk ^ (row & 7) : chunk) * 16;
}

__device__ __forceinline__ void commitCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int PENDING>
__device__ __forceinline__ void waitForCopies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

/// Starts the copy of ROWS rows into a tile; rows from `rowsLeft` on become zeros (stale NaN in V would leak through 0 * NaN).
template <int ROWS>
__device__ __forceinline__ void copyTile(unsigned tile, const Half* __restrict__ source, int rowsLeft)
{
    constexpr int kRowsAtOnce = kThreads / kChunks;
    const int firstRow = threadIdx.x / kChunks, chunk = threadIdx.x % kChunks;
    const Half* from = source + firstRow * kHeadDim + chunk * 8;
    const unsigned to = tile + chunkOffset(firstRow, chunk);
#pragma unroll
    for (int i = 0; i < (ROWS + kRowsAtOnce - 1) / kRowsAtOnce; ++i) {
        const int row = firstRow + i * kRowsAtOnce;
        if (kRowsAtOnce > ROWS && row >= ROWS)
            return;
        const unsigned address = kRowsAtOnce % 8 == 0 ? to + i * kRowsAtOnce * kRowBytes : tile + chunkOffset(row, chunk);
        const bool inside = row < rowsLeft;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address),
                     "l"(inside ? from + i * kRowsAtOnce * kHeadDim : source), "r"(inside ? 16 : 0)
                     : "memory");
    }
}

/// The same for a tile that lies wholly inside.
template <int ROWS>
__device__ __forceinline__ void copyWholeTile(unsigned tile, const Half* __restrict__ source)
{
    constexpr int kRowsAtOnce = kThreads / kChunks;
    const int firstRow = threadIdx.x / kChunks, chunk = threadIdx.x % kChunks;
    const Half* from = source + firstRow * kHeadDim + chunk * 8;
    const unsigned to = tile + chunkOffset(firstRow, chunk);
#pragma unroll
    for (int i = 0; i < (ROWS + kRowsAtOnce - 1) / kRowsAtOnce; ++i) {
        if (kRowsAtOnce > ROWS && firstRow >= ROWS)
            return;
        const unsigned address =
            kRowsAtOnce % 8 == 0 ? to + i * kRowsAtOnce * kRowBytes : tile + chunkOffset(firstRow + i * kRowsAtOnce, chunk);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from + i * kRowsAtOnce * kHeadDim) : "memory");
    }
}

__device__ __forceinline__ void loadQuery(unsigned (&a)[4], unsigned tileQ, int m, int step, int lane)
{
    loadMatrices(a, tileQ + m * 16 * kRowBytes + chunkOffset(lane % 16, 2 * step + lane / 16));
}

/// scores = Q K^T of this warp's rows and one tile of keys.
__device__ __forceinline__ void multiplyQK(Scores& scores, const Query& query, unsigned tileQ, unsigned tileK, int lane)
{
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int n = 0; n < kTilesN; ++n)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                scores[m][n][i] = 0;
#pragma unroll kUnroll
    for (int step = 0; step < kStepsD; ++step) {
        unsigned a[kTilesM][4];
#pragma unroll
        for (int m = 0; m < kTilesM; ++m)
            if (kHoldQ) {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    a[m][i] = query[m][step][i];
            } else {
                loadQuery(a[m], tileQ, m, step, lane);
            }
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
    for (int step = 0; step < kKeys / 16; ++step) {
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
__device__ __forceinline__ void mask(Scores& scores, int firstQuery, int firstKey, int keys, bool causal)
{
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int query = firstQuery + m * 16 + half * 8;
            const int visible = (causal ? min(keys, query + 1) : keys) - firstKey;
#pragma unroll
            for (int n = 0; n < kTilesN; ++n)
#pragma unroll
                for (int i = 0; i < 2; ++i)
                    if (n * 8 + i >= visible)
                        scores[m][n][2 * half + i] = minusInfinity();
        }
}

/// Online softmax in base 2: scores become weights relative to `highest`, which follows the row maximum once that is 2^kLag ahead.
/// `shrink` is what earlier sums must be multiplied with. Row sums stay partial (this thread's columns) until the end.
__device__ __forceinline__ bool softmax(Scores& scores, RowPair& highest, RowPair& total, RowPair& shrink, float scale)
{
    bool changed = false;
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int c = 2 * half;
            float top = fmaxf(scores[m][0][c], scores[m][0][c + 1]);
#pragma unroll
            for (int n = 1; n < kTilesN; ++n)
                top = fmaxf(top, fmaxf(scores[m][n][c], scores[m][n][c + 1]));
            top = fmaxf(top, __shfl_xor_sync(kFullWarp, top, 1));
            top = fmaxf(top, __shfl_xor_sync(kFullWarp, top, 2));
            const float before = highest[m][half];
            const bool ahead = (top - before) * scale > kLag; // not so where a row has seen no key yet: −inf − −inf
            const float now = ahead ? top : before;
            changed |= ahead;
            const float offset = now == minusInfinity() ? 0 : -now * scale; // a row may see no key of the first causal tile
            shrink[m][half] = exp2Fast(fmaf(before, scale, offset));
            highest[m][half] = now;
            float sum = total[m][half] * shrink[m][half];
#pragma unroll
            for (int n = 0; n < kTilesN; ++n)
#pragma unroll
                for (int i = c; i < c + 2; ++i) {
                    scores[m][n][i] = exp2Fast(fmaf(scores[m][n][i], scale, offset));
                    sum += scores[m][n][i];
                }
            total[m][half] = sum;
        }
    return changed;
}

/// Multiplies each row of the sums with its factor.
__device__ __forceinline__ void scaleRows(Sums& sums, const RowPair& factor)
{
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int d = 0; d < kTilesD; ++d)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                sums[m][d][i] *= factor[m][i / 2];
}

/// One tile: softmax of its scores, then sums += P V.
__device__ __forceinline__ void addTile(Scores& scores, Sums& sums, RowPair& highest, RowPair& total, float scale, unsigned tileV, int lane)
{
    RowPair shrink;
    if (__any_sync(kFullWarp, softmax(scores, highest, total, shrink, scale)))
        scaleRows(sums, shrink);
    multiplyPV(sums, scores, tileV, lane);
}

/// Divides by the row sums and writes this warp's rows, through its own rows of the Q tile so that global stores are 16 bytes wide.
__device__ __forceinline__ void store(Sums& sums, RowPair& total, unsigned tileQ, Half* __restrict__ o, int rowsLeft, int lane)
{
    __syncwarp();
    RowPair inverse;
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float sum = total[m][half];
            sum += __shfl_xor_sync(kFullWarp, sum, 1);
            sum += __shfl_xor_sync(kFullWarp, sum, 2);
            inverse[m][half] = 1.0f / sum;
        }
    scaleRows(sums, inverse);
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int row = m * 16 + half * 8 + lane / 4;
#pragma unroll
            for (int d = 0; d < kTilesD; ++d) {
                const unsigned packed = packHalves(sums[m][d][2 * half], sums[m][d][2 * half + 1]);
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

#if SPLIT_KV
/// Sums, row maxima and row totals of one part of the keys become those of two: this one scaled by `shrink`, the other by `weight`.
__device__ __forceinline__ void mergeRows(float (&highest)[2], float (&total)[2], const float4& other, float scale, float (&shrink)[2],
                                          float (&weight)[2])
{
    const float tops[2] = {other.x, other.y}, totals[2] = {other.z, other.w};
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const float now = fmaxf(highest[half], tops[half]);
        const float offset = now == minusInfinity() ? 0 : -now * scale;
        shrink[half] = exp2Fast(fmaf(highest[half], scale, offset));
        weight[half] = exp2Fast(fmaf(tops[half], scale, offset));
        highest[half] = now;
        total[half] = fmaf(total[half], shrink[half], totals[half] * weight[half]);
    }
}

__device__ __forceinline__ void mergeSums(float (&sums)[4], const float4& other, const float (&shrink)[2], const float (&weight)[2])
{
    sums[0] = fmaf(sums[0], shrink[0], other.x * weight[0]);
    sums[1] = fmaf(sums[1], shrink[0], other.y * weight[0]);
    sums[2] = fmaf(sums[2], shrink[1], other.z * weight[1]);
    sums[3] = fmaf(sums[3], shrink[1], other.w * weight[1]);
}

/// The first group of warps takes over what the second found, through shared memory where tiles of K and V were, as many columns at a time
/// as fit.
__device__ __forceinline__ void mergeGroups(Sums& sums, RowPair& highest, RowPair& total, float4* exchange, int group, float scale)
{
    constexpr int kFit = 2 * kStages * kTileBytes / (kTilesM * kGroupThreads * 16);
    constexpr int kAtOnce = kFit < kTilesD ? kFit : kTilesD;
    static_assert(kAtOnce >= 1, "one column of tiles fits where K and V were");
    float4* own = exchange + threadIdx.x % kGroupThreads;
    float shrink[kTilesM][2], weight[kTilesM][2];
    __syncthreads();
    if (group == 1)
#pragma unroll
        for (int m = 0; m < kTilesM; ++m)
            own[m * kGroupThreads] = make_float4(highest[m][0], highest[m][1], total[m][0], total[m][1]);
    __syncthreads();
    if (group == 0)
#pragma unroll
        for (int m = 0; m < kTilesM; ++m)
            mergeRows(highest[m], total[m], own[m * kGroupThreads], scale, shrink[m], weight[m]);
#pragma unroll
    for (int first = 0; first < kTilesD; first += kAtOnce) {
        __syncthreads();
        if (group == 1)
#pragma unroll
            for (int d = first; d < first + kAtOnce && d < kTilesD; ++d)
#pragma unroll
                for (int m = 0; m < kTilesM; ++m)
                    own[((d - first) * kTilesM + m) * kGroupThreads] = make_float4(sums[m][d][0], sums[m][d][1], sums[m][d][2], sums[m][d][3]);
        __syncthreads();
        if (group == 0)
#pragma unroll
            for (int d = first; d < first + kAtOnce && d < kTilesD; ++d)
#pragma unroll
                for (int m = 0; m < kTilesM; ++m)
                    mergeSums(sums[m][d], own[((d - first) * kTilesM + m) * kGroupThreads], shrink[m], weight[m]);
    }
}

/// Adds up the parts of one tile of queries that several blocks hold. Each leaves its sums, row maxima and row totals in `parts`, thread by
/// thread as they lie in registers of its first group; the last one to arrive reads them all, in their order, so that the result does not
/// depend on who is last. True for that block; it leaves `arrived` at 0 again. `before`: a word of shared memory.
__device__ __forceinline__ bool combineBlocks(Sums& sums, RowPair& highest, RowPair& total, float4* __restrict__ parts, unsigned* arrived,
                                              unsigned* before, int group, int part, int count, float scale)
{
    constexpr int kVectors = kTilesM * (kTilesD + 1);
    if (group == 0) {
        float4* own = parts + part * kVectors * kGroupThreads + threadIdx.x;
#pragma unroll
        for (int m = 0; m < kTilesM; ++m) {
#pragma unroll
            for (int d = 0; d < kTilesD; ++d)
                __stcg(own + (m * (kTilesD + 1) + d) * kGroupThreads,
                       make_float4(sums[m][d][0], sums[m][d][1], sums[m][d][2], sums[m][d][3]));
            __stcg(own + (m * (kTilesD + 1) + kTilesD) * kGroupThreads,
                   make_float4(highest[m][0], highest[m][1], total[m][0], total[m][1]));
        }
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *before = atomicInc(arrived, count - 1);
    __syncthreads();
    if (*before != count - 1)
        return false;
    if (group != 0)
        return true;
    __threadfence();
    const float4* all = parts + threadIdx.x;
#pragma unroll
    for (int m = 0; m < kTilesM; ++m) {
        highest[m][0] = highest[m][1] = minusInfinity();
        total[m][0] = total[m][1] = 0;
#pragma unroll
        for (int d = 0; d < kTilesD; ++d)
            sums[m][d][0] = sums[m][d][1] = sums[m][d][2] = sums[m][d][3] = 0;
    }
    for (int other = 0; other < count; ++other, all += kVectors * kGroupThreads)
#pragma unroll
        for (int m = 0; m < kTilesM; ++m) {
            float weight[2], shrink[2];
            mergeRows(highest[m], total[m], __ldcg(all + (m * (kTilesD + 1) + kTilesD) * kGroupThreads), scale, shrink, weight);
#pragma unroll
            for (int d = 0; d < kTilesD; ++d)
                mergeSums(sums[m][d], __ldcg(all + (m * (kTilesD + 1) + d) * kGroupThreads), shrink, weight);
        }
    return true;
}
#endif

} // namespace

/// Grid (queries / BLOCK_M, heads, parts: 1 without SPLIT_KV), block 32 * WARPS, twice that with SPLIT_KV, dynamic shared memory
/// (BLOCK_M + 2 * STAGES * BLOCK_N) rows. With more than one part SPLIT_KV `parts` holds gridDim.x * gridDim.y * gridDim.z * BLOCK_M * (HEAD_DIM + 8) floats and `arrived` gridDim.x *
/// gridDim.y zeros.
extern "C" __global__ void __launch_bounds__(kThreads, MIN_BLOCKS)
    attention_fused(const Half* __restrict__ q, const Half* __restrict__ k, const Half* __restrict__ v, Half* __restrict__ o,
                    float4* __restrict__ parts, unsigned* arrived, int queries, int keys, int causal, float scale)
{
    extern __shared__ __align__(128) unsigned char memory[];
    const int lane = threadIdx.x % 32;
    const int group = threadIdx.x / kGroupThreads;
    const int rowInBlock = threadIdx.x % kGroupThreads / 32 * (kTilesM * 16);
    const long long head = blockIdx.y;
    // Causal blocks differ in length: the longest start first.
    const int rows = causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    const int firstQuery = rows * kBlockM;
    // Backwards over the keys: only the first tiles need a mask.
    const int visible = causal ? min(keys, firstQuery + kBlockM) : keys;
    int tiles = (visible + kBlockN - 1) / kBlockN;
    int first = (tiles - 1) * kBlockN;
#if SPLIT_KV
    const int count = min(static_cast<int>(gridDim.z), tiles), part = blockIdx.z;
    if (part >= count)
        return;
    first = ((part + 1) * tiles / count - 1) * kBlockN;
    tiles = (part + 1) * tiles / count - part * tiles / count;
#endif
    q += (head * queries + firstQuery) * kHeadDim;
    o += (head * queries + firstQuery + rowInBlock) * kHeadDim;
    k += (head / GROUP * keys + first) * kHeadDim;
    v += (head / GROUP * keys + first) * kHeadDim;
    const unsigned sharedQ = static_cast<unsigned>(__cvta_generic_to_shared(memory));
    const unsigned sharedK = sharedQ + kBlockM * kRowBytes;
    const unsigned sharedV = sharedK + kStages * kTileBytes;
    const unsigned tileQ = sharedQ + rowInBlock * kRowBytes, ownKeys = group * kKeys * kRowBytes;
    const int query = firstQuery + rowInBlock;
    const auto maskTile = [&](Scores& scores, int firstKey) {
        firstKey += group * kKeys;
        if (firstKey + kKeys > keys || (causal && firstKey + kKeys - 1 > query))
            mask(scores, query + lane / 4, firstKey + lane % 4 * 2, keys, causal);
    };

    Query heldQ;
    Scores scores;
    Sums sums = {};
    RowPair highest, total = {};
#pragma unroll
    for (int m = 0; m < kTilesM; ++m)
        highest[m][0] = highest[m][1] = minusInfinity();
    const auto holdQuery = [&] {
#pragma unroll
        for (int m = 0; m < kTilesM; ++m)
#pragma unroll
            for (int step = 0; step < kStepsD; ++step)
                loadQuery(heldQ[m][step], tileQ, m, step, lane);
    };
    constexpr int kTileElements = kBlockN * kHeadDim;
    const float scale2 = scale * kLog2E;

    copyTile<kBlockM>(sharedQ, q, queries - firstQuery);
    copyTile<kBlockN>(sharedK, k, keys - first);
    if constexpr (kAhead) {
        // Tile i lies in stage i % 2. During tile i: scores of tile i + 1, softmax of tile i, P V of tile i.
        commitCopies();
        if (tiles > 1)
            copyWholeTile<kBlockN>(sharedK + kTileBytes, k - kTileElements);
        copyTile<kBlockN>(sharedV, v, keys - first);
        commitCopies();
        waitForCopies<1>();
        __syncthreads();
        if (kHoldQ)
            holdQuery();
        multiplyQK(scores, heldQ, tileQ, sharedK + ownKeys, lane);
        maskTile(scores, first);
        const auto step = [&](Scores& now, Scores& next, unsigned stage, bool twoMore) {
            waitForCopies<0>();
            __syncthreads(); // the next K and this V are here, and no warp still reads this K and the V before
            if (twoMore)
                copyWholeTile<kBlockN>(sharedK + stage * kTileBytes, k - 2 * kTileElements);
            copyWholeTile<kBlockN>(sharedV + (stage ^ 1) * kTileBytes, v - kTileElements);
            commitCopies();
            multiplyQK(next, heldQ, tileQ, sharedK + (stage ^ 1) * kTileBytes + ownKeys, lane);
            addTile(now, sums, highest, total, scale2, sharedV + stage * kTileBytes + ownKeys, lane);
            first -= kBlockN;
            k -= kTileElements;
            v -= kTileElements;
            maskTile(next, first);
        };
        Scores others;
        unsigned last = 0;
        if (kTwoTiles) {
            for (; tiles > 2; tiles -= 2) {
                step(scores, others, 0, true);
                step(others, scores, 1, tiles > 3);
            }
        }
        for (; tiles > 1; --tiles, last ^= 1) {
            step(scores, others, last, tiles > 2);
#pragma unroll
            for (int m = 0; m < kTilesM; ++m)
#pragma unroll
                for (int n = 0; n < kTilesN; ++n)
#pragma unroll
                    for (int i = 0; i < 4; ++i)
                        scores[m][n][i] = others[m][n][i];
        }
        waitForCopies<0>();
        __syncthreads();
        addTile(scores, sums, highest, total, scale2, sharedV + last * kTileBytes + ownKeys, lane);
    } else {
        if (kStages == 2)
            copyTile<kBlockN>(sharedV, v, keys - first);
        commitCopies();
        const int all = tiles;
        for (unsigned stage = 0; tiles > 0; --tiles, stage ^= kStages - 1) {
            const unsigned tileK = sharedK + stage * kTileBytes, tileV = sharedV + stage * kTileBytes;
            waitForCopies<0>();
            __syncthreads(); // this tile is here, and no warp still reads the one before it
            if (kStages == 1)
                copyTile<kBlockN>(sharedV, v, keys - first);
            else if (tiles > 1) {
                copyWholeTile<kBlockN>(sharedK + (stage ^ 1) * kTileBytes, k - kTileElements);
                copyWholeTile<kBlockN>(sharedV + (stage ^ 1) * kTileBytes, v - kTileElements);
            }
            commitCopies();
            if (kHoldQ && tiles == all)
                holdQuery();
            multiplyQK(scores, heldQ, tileQ, tileK + ownKeys, lane);
            if (kStages == 1) {
                waitForCopies<0>();
                __syncthreads(); // V is here, and no warp still reads K
                if (tiles > 1)
                    copyWholeTile<kBlockN>(sharedK, k - kTileElements);
                commitCopies();
            }
            maskTile(scores, first);
            addTile(scores, sums, highest, total, scale2, tileV + ownKeys, lane);
            first -= kBlockN;
            k -= kTileElements;
            v -= kTileElements;
        }
    }
#if SPLIT_KV
    const long long tile = head * gridDim.x + rows;
    float4* exchange = reinterpret_cast<float4*>(memory + kBlockM * kRowBytes); // where tiles of K and V were
    mergeGroups(sums, highest, total, exchange, group, scale2);
    parts += tile * gridDim.z * (kBlockM * (kHeadDim + 8) / 4);
    if (count > 1 &&
        !combineBlocks(sums, highest, total, parts, arrived + tile, reinterpret_cast<unsigned*>(exchange), group, part, count, scale2))
        return;
    if (group != 0)
        return;
#endif
    store(sums, total, tileQ, o, queries - query, lane);
}
