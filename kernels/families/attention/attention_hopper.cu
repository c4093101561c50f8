// SPDX-License-Identifier: MIT
// Attention forward for Hopper (sm_90a), softmax(Q K^T * scale) V, FP16 or BF16 in and out, FP32 accumulation. Q and O are
// [heads][queries][HEAD_DIM], K and V [heads / GROUP][keys][HEAD_DIM], contiguous; heads counts batches times heads. Causal means that
// query i sees keys 0 .. i. Header-free: 16-bit values travel as unsigned short, everything of the chip is inline PTX.
//
// One warpgroup is the producer: one of its threads copies tiles of Q, K and V into shared memory with the bulk tensor copy engine (TMA).
// Each of the CONSUMERS other warpgroups owns 64 query rows and multiplies with wgmma: scores, weights and sums stay in its registers.
// Per block of BLOCK_N keys, from the last to the first, a consumer issues S = Q K^T of this block and O += P V of the one before, and runs
// the softmax of S while the latter still runs (OVERLAP). Consumers take turns in issuing (PINGPONG), so that one's softmax runs under
// another's products. A thread block works through several tiles of rows; causal tiles differ in length: longest first.
//
// SPLIT_KEYS is another kernel, for rows of few keys, where latency counts: no producer and no tensor maps, whose fetch comes before the
// first copy; all warpgroups of a thread block own the same 64 query rows, and each takes every CONSUMERS-th block of keys.
//
// Found fastest on an H200: HEAD_DIM 64: CONSUMERS 4, BLOCK_N 64, STAGES 4; HEAD_DIM 128: CONSUMERS 2, BLOCK_N 128, STAGES 2; each with as
// many thread blocks as multiprocessors. Where there are no more tiles of 64 query rows than multiprocessors, SPLIT_KEYS: up to 128 keys
// CONSUMERS 1, BLOCK_N 128, STAGES 1; up to 512 CONSUMERS 2, BLOCK_N 64, STAGES 4.

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
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef BLOCK_N
#define BLOCK_N 128 // keys of a block: 32, 64, 96, 128, 160, 176, 192
#endif
#ifndef STAGES
#define STAGES 2 // blocks of K and of V in shared memory; with SPLIT_KEYS, of each warpgroup
#endif
#ifndef SPLIT_KEYS
#define SPLIT_KEYS 0
#endif
#ifndef PINGPONG
#define PINGPONG (CONSUMERS > 1 && !SPLIT_KEYS)
#endif
#ifndef OVERLAP
#define OVERLAP 1
#endif

namespace {

constexpr int kHeadDim = HEAD_DIM;
constexpr int kBlockN = BLOCK_N;
constexpr int kConsumers = CONSUMERS;
constexpr int kStages = STAGES;
constexpr int kGroupRows = 64; ///< query rows of a warpgroup: the M of wgmma
constexpr int kBlockM = SPLIT_KEYS ? kGroupRows : kGroupRows * kConsumers;
constexpr int kWarpgroup = 128;
constexpr int kThreads = (SPLIT_KEYS ? kConsumers : kConsumers + 1) * kWarpgroup;
constexpr int kPanels = kHeadDim / 64; ///< a panel is 64 columns: rows of 128 bytes, what the swizzle spans
constexpr unsigned kPanelRow = 128;
constexpr unsigned kQueryPanel = kGroupRows * kPanelRow, kKeyPanel = kBlockN * kPanelRow;
constexpr unsigned kQueryBytes = kPanels * kQueryPanel, kTileBytes = kPanels * kKeyPanel;

static_assert(kHeadDim == 64 || kHeadDim == 128, "sums are 64 or 128 columns");
static_assert(kConsumers >= 1 && kConsumers <= 4, "1 to 4 consumers");
static_assert(!PINGPONG || (kConsumers > 1 && !SPLIT_KEYS), "turns are taken by several consumers");

constexpr float kLog2E = 1.4426950408889634f;
constexpr unsigned kFullWarp = 0xffffffffu;
/// Weights are relative to a row maximum that may lag behind by so many powers of two: few blocks shrink the sums. 2^8 fits FP16.
constexpr float kLag = 8;

// Layout of wgmma accumulators: element 4 n + 2 h + i of a thread is row lane / 4 + 8 h of its warp's 16, column 8 n + lane % 4 * 2 + i.
using Scores = float[kBlockN / 2];
using Weights = unsigned[kBlockN / 4]; ///< pairs of scores, in the same order: the layout of wgmma's operand A
using Sums = float[kHeadDim / 2];

/// Of the two rows that a thread holds elements of.
struct Rows {
    float highest[2]; ///< what weights are relative to
    float total[2];   ///< sums of weights, this thread's columns alone
};

struct Problem {
    int queries, keys, heads, causal;
};

__device__ __forceinline__ float minusInfinity()
{
    return __int_as_float(0xff800000);
}

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
#if BF16
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
#else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
#endif
    return result;
}

__device__ __forceinline__ void syncNamed(int barrier, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

// ---- Products

#if BF16
#define KL_TYPES ".f32.bf16.bf16"
#else
#define KL_TYPES ".f32.f16.f16"
#endif

// Accumulators as inline PTX wants them: names, constraints, and the operands that follow.
#define KL_R16 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define KL_R32 KL_R16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define KL_R48 KL_R32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define KL_R64 KL_R48 ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define KL_R80 KL_R64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define KL_R88 KL_R80 ", %80, %81, %82, %83, %84, %85, %86, %87"
#define KL_R96 KL_R88 ", %88, %89, %90, %91, %92, %93, %94, %95"
#define KL_F8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define KL_F16(i) KL_F8(i), KL_F8(i + 8)
#define KL_F32 KL_F16(0), KL_F16(16)
#define KL_F48 KL_F32, KL_F16(32)
#define KL_F64 KL_F48, KL_F16(48)
#define KL_F80 KL_F64, KL_F16(64)
#define KL_F88 KL_F80, KL_F8(80)
#define KL_F96 KL_F88, KL_F8(88)

#if BLOCK_N == 32
#define KL_SCORES(op) op("32", KL_R16, "%16, %17", "%18", KL_F16(0))
#elif BLOCK_N == 64
#define KL_SCORES(op) op("64", KL_R32, "%32, %33", "%34", KL_F32)
#elif BLOCK_N == 96
#define KL_SCORES(op) op("96", KL_R48, "%48, %49", "%50", KL_F48)
#elif BLOCK_N == 128
#define KL_SCORES(op) op("128", KL_R64, "%64, %65", "%66", KL_F64)
#elif BLOCK_N == 160
#define KL_SCORES(op) op("160", KL_R80, "%80, %81", "%82", KL_F80)
#elif BLOCK_N == 176
#define KL_SCORES(op) op("176", KL_R88, "%88, %89", "%90", KL_F88)
#elif BLOCK_N == 192
#define KL_SCORES(op) op("192", KL_R96, "%96, %97", "%98", KL_F96)
#else
#error "BLOCK_N is 32, 64, 96, 128, 160, 176 or 192"
#endif
#if HEAD_DIM == 64
#define KL_SUMS(op) op("64", KL_R32, "{%32, %33, %34, %35}, %36", KL_F32)
#else
#define KL_SUMS(op) op("128", KL_R64, "{%64, %65, %66, %67}, %68", KL_F64)
#endif

#define KL_MULTIPLY_QK(n, registers, operands, flag, ...)                                                                                  \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, " flag ", 0; wgmma.mma_async.sync.aligned.m64n" n "k16" KL_TYPES " {" registers           \
                 "}, " operands ", p, 1, 1, 0, 0; }"                                                                                       \
                 : __VA_ARGS__                                                                                                             \
                 : "l"(a), "l"(b), "r"(add))
#define KL_MULTIPLY_PV(n, registers, operands, ...)                                                                                        \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n" n "k16" KL_TYPES " {" registers "}, " operands   \
                 ", p, 1, 1, 1; }"                                                                                                         \
                 : __VA_ARGS__                                                                                                             \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))

/// Matrix descriptor of a tile with 128-byte swizzle: 1024 bytes from 8 rows to the next 8, `panelBytes` from panel to panel (of V alone,
/// whose columns are the N of the product).
__device__ __forceinline__ unsigned long long describe(unsigned address, unsigned panelBytes)
{
    return (1ull << 62) | (1024ull >> 4 << 32) | (static_cast<unsigned long long>(panelBytes >> 4) << 16) | (address >> 4 & 0x3fff);
}

/// Registers written before are seen by the products that follow.
__device__ __forceinline__ void beginProducts()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void commitProducts()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Until no more than PENDING committed groups are unfinished.
template <int PENDING> __device__ __forceinline__ void waitForProducts()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
}

/// d = Q K^T.
__device__ __forceinline__ void multiplyQK(Scores& d, unsigned query, unsigned key)
{
    const unsigned long long firstA = describe(query, 0), firstB = describe(key, 0);
#pragma unroll
    for (int step = 0; step < kHeadDim / 16; ++step) {
        const unsigned long long a = firstA + (step / 4 * kQueryPanel + step % 4 * 32) / 16;
        const unsigned long long b = firstB + (step / 4 * kKeyPanel + step % 4 * 32) / 16;
        const int add = step > 0;
        KL_SCORES(KL_MULTIPLY_QK);
    }
    commitProducts();
}

/// d += P V; V lies with its columns contiguous: transposed.
__device__ __forceinline__ void multiplyPV(Sums& d, const Weights& weights, unsigned value)
{
    const unsigned long long firstB = describe(value, kKeyPanel);
#pragma unroll
    for (int step = 0; step < kBlockN / 16; ++step) {
        const unsigned* a = weights + 4 * step;
        const unsigned long long b = firstB + step * 16 * kPanelRow / 16;
        KL_SUMS(KL_MULTIPLY_PV);
    }
    commitProducts();
}

// ---- Softmax

/// −inf for keys past the end and, causal, for keys past the query. `query` and `key` are those of this thread's first element.
__device__ __forceinline__ void mask(Scores& scores, int query, int key, const Problem& problem)
{
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int visible = (problem.causal ? min(problem.keys, query + 8 * half + 1) : problem.keys) - key;
#pragma unroll
        for (int n = 0; n < kBlockN / 8; ++n)
#pragma unroll
            for (int i = 0; i < 2; ++i)
                if (n * 8 + i >= visible)
                    scores[4 * n + 2 * half + i] = minusInfinity();
    }
}

/// Online softmax in base 2: scores become weights relative to `highest`, which follows the row maximum once that is 2^kLag ahead. True if
/// earlier sums of some row of the warp must be multiplied with `shrink`. MASKED: a row may have seen no key yet.
template <bool MASKED> __device__ __forceinline__ bool softmax(Scores& scores, Rows& rows, float (&shrink)[2], float scale)
{
    float top[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float other = fmaxf(scores[4 + 2 * half], scores[5 + 2 * half]); // two chains are half as long as one
        top[half] = fmaxf(scores[2 * half], scores[1 + 2 * half]);
#pragma unroll
        for (int n = 2; n < kBlockN / 8; n += 2) {
            top[half] = fmaxf(top[half], fmaxf(scores[4 * n + 2 * half], scores[4 * n + 2 * half + 1]));
            other = fmaxf(other, fmaxf(scores[4 * n + 4 + 2 * half], scores[4 * n + 5 + 2 * half]));
        }
        top[half] = fmaxf(top[half], other);
    }
    // Not so where a row has seen no key yet: −inf − −inf.
    const bool changed = __any_sync(kFullWarp, (top[0] - rows.highest[0]) * scale > kLag || (top[1] - rows.highest[1]) * scale > kLag);
    if (changed) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            top[half] = fmaxf(top[half], __shfl_xor_sync(kFullWarp, top[half], 1));
            top[half] = fmaxf(top[half], __shfl_xor_sync(kFullWarp, top[half], 2));
            const float before = rows.highest[half];
            const bool ahead = (top[half] - before) * scale > kLag;
            shrink[half] = ahead ? exp2Fast((before - top[half]) * scale) : 1;
            rows.highest[half] = ahead ? top[half] : before;
            rows.total[half] *= shrink[half];
        }
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const float offset = MASKED && rows.highest[half] == minusInfinity() ? 0 : rows.highest[half] * scale;
#pragma unroll
        for (int n = 0; n < kBlockN / 8; ++n)
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                float& score = scores[4 * n + 2 * half + i];
                score = exp2Fast(fmaf(score, scale, -offset));
                rows.total[half] += score;
            }
    }
    return changed;
}

__device__ __forceinline__ void packWeights(Weights& weights, const Scores& scores)
{
#pragma unroll
    for (int i = 0; i < kBlockN / 4; ++i)
        weights[i] = packHalves(scores[2 * i], scores[2 * i + 1]);
}

__device__ __forceinline__ void shrinkSums(Sums& sums, const float (&shrink)[2])
{
#pragma unroll
    for (int i = 0; i < kHeadDim / 2; ++i)
        sums[i] *= shrink[i / 2 % 2];
}

template <bool VALUE> struct Constant {
    static constexpr bool value = VALUE;
};

// ---- Results

/// One over the totals of whole rows: of all four threads that share them.
__device__ __forceinline__ void invertTotals(const Rows& rows, float (&inverse)[2])
{
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float total = rows.total[half] + __shfl_xor_sync(kFullWarp, rows.total[half], 1);
        total += __shfl_xor_sync(kFullWarp, total, 2);
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse[half]) : "f"(total));
    }
}

/// Writes 32 columns of this thread's two rows. The four threads of a row swap pairs of columns until each has 8 neighbors: 16 bytes.
__device__ __forceinline__ void storeColumns(const float* sums, const float (&weight)[2], Half* row, int rowsLeft, int lane)
{
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        unsigned w[4];
#pragma unroll
        for (int n = 0; n < 4; ++n)
            w[n] = packHalves(sums[4 * n + 2 * half] * weight[half], sums[4 * n + 2 * half + 1] * weight[half]);
        const bool odd = lane & 1, high = lane & 2;
#pragma unroll
        for (int n = 0; n < 4; n += 2) {
            const unsigned got = __shfl_xor_sync(kFullWarp, odd ? w[n] : w[n + 1], 1);
            (odd ? w[n] : w[n + 1]) = got;
        }
#pragma unroll
        for (int n = 0; n < 2; ++n) {
            const unsigned got = __shfl_xor_sync(kFullWarp, high ? w[n] : w[n + 2], 2);
            (high ? w[n] : w[n + 2]) = got;
        }
        if (8 * half < rowsLeft)
            *reinterpret_cast<uint4*>(row + 8 * half * kHeadDim + lane % 4 * 8) = make_uint4(w[0], w[1], w[2], w[3]);
    }
}

/// Writes this thread's two rows of sums, divided by their totals.
__device__ __forceinline__ void storeRows(const Sums& sums, const Rows& rows, Half* row, int rowsLeft, int lane)
{
    float inverse[2];
    invertTotals(rows, inverse);
#pragma unroll
    for (int columns = 0; columns < kHeadDim; columns += 32)
        storeColumns(sums + columns / 2, inverse, row + columns, rowsLeft, lane);
}

#if SPLIT_KEYS
// ---- Short rows of keys: warpgroups of a thread block share them

static_assert(kConsumers != 3, "the rows of Q are divided among the warpgroups");
static_assert(kHeadDim / 2 + kBlockN * 3 / 4 <= (kConsumers <= 2 ? 160 : 80), "sums, scores and weights fit the registers");

/// What a warpgroup leaves for another that writes a slice of 32 columns: vectors of 4 floats of a thread, 4 of sums and one of its rows.
constexpr int kSlices = kHeadDim / 32, kVectors = 5;
constexpr unsigned kVectorBytes = 16 * kWarpgroup;
static_assert(kQueryBytes + 2 * kStages * kConsumers * kTileBytes <= 227 * 1024, "shared memory of a thread block");
static_assert(kConsumers == 1 || kSlices * kConsumers * kVectors * kVectorBytes <= 227 * 1024, "and of the exchange");

/// Starts the copy of ROWS rows by THREADS threads, in the layout of the copy engine's 128-byte swizzle: chunk c of 16 bytes of a row lies
/// at c ^ row % 8. Rows from `rowsLeft` on become zeros (stale NaN in V would leak through 0 * NaN). Whole tiles take a path of few
/// instructions: all that run before the first product count.
template <int ROWS, int THREADS>
__device__ __forceinline__ void copyRows(unsigned to, const Half* __restrict__ source, int rowsLeft, unsigned thread)
{
    constexpr int kRowsAtOnce = THREADS / 8;
    static_assert(kRowsAtOnce % 8 == 0 && ROWS % kRowsAtOnce == 0, "a thread copies the same chunk of rows that are multiples of 8 apart");
    const unsigned row = thread / 8, chunk = thread % 8;
    const unsigned address = to + row * kPanelRow + (chunk ^ (row & 7)) * 16;
    const Half* from = source + row * kHeadDim + chunk * 8;
    if (rowsLeft >= ROWS) {
        asm volatile("" : "+l"(from)); // so that what follows are constant offsets from one register
#pragma unroll
        for (int i = 0; i < ROWS / kRowsAtOnce; ++i)
#pragma unroll
            for (int panel = 0; panel < kPanels; ++panel)
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address + (panel * ROWS + i * kRowsAtOnce) * kPanelRow),
                             "l"(from + i * kRowsAtOnce * kHeadDim + panel * 64)
                             : "memory");
        return;
    }
#pragma unroll 1
    for (int i = 0; i < ROWS / kRowsAtOnce; ++i) {
        const bool inside = static_cast<int>(row) + i * kRowsAtOnce < rowsLeft;
#pragma unroll
        for (int panel = 0; panel < kPanels; ++panel)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address + (panel * ROWS + i * kRowsAtOnce) * kPanelRow),
                         "l"(inside ? from + i * kRowsAtOnce * kHeadDim + panel * 64 : source), "r"(inside ? 16 : 0)
                         : "memory");
    }
}

__device__ __forceinline__ void commitCopies()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Until no more than PENDING groups of this thread's copies are unfinished; wgmma may then read what the others wrote.
template <int PENDING> __device__ __forceinline__ void waitForCopies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Where a warpgroup leaves a vector of a slice.
__device__ __forceinline__ unsigned vectorAt(unsigned exchange, int slice, int part, int vector)
{
    return exchange + ((slice * kConsumers + part) * kVectors + vector) * kVectorBytes + threadIdx.x % kWarpgroup * 16;
}

__device__ __forceinline__ void leaveVector(unsigned address, float a, float b, float c, float d)
{
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(a), "f"(b), "f"(c), "f"(d) : "memory");
}

__device__ __forceinline__ float4 takeVector(unsigned address)
{
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(address) : "memory");
    return v;
}

/// Adds up what the warpgroups found for the same rows and writes it; each does so for every CONSUMERS-th slice. They leave each other the
/// rest where Q, K and V were, thread by thread as it lies in registers.
__device__ __forceinline__ void mergeAndStore(const Sums& sums, const Rows& rows, unsigned exchange, float scale, int part, Half* row,
                                              int rowsLeft, int lane)
{
    __syncthreads(); // no product still reads Q, K and V
#pragma unroll
    for (int slice = 0; slice < kSlices; ++slice)
        if (slice % kConsumers != part) {
            const float* own = sums + slice * 16;
#pragma unroll
            for (int i = 0; i < 4; ++i)
                leaveVector(vectorAt(exchange, slice, part, i), own[4 * i], own[4 * i + 1], own[4 * i + 2], own[4 * i + 3]);
            leaveVector(vectorAt(exchange, slice, part, 4), rows.highest[0], rows.highest[1], rows.total[0], rows.total[1]);
        }
    __syncthreads();
#pragma unroll
    for (int slice = 0; slice < kSlices; ++slice) {
        if (slice % kConsumers != part)
            continue;
        float merged[16];
        Rows all = rows;
#pragma unroll
        for (int i = 0; i < 16; ++i)
            merged[i] = sums[slice * 16 + i];
#pragma unroll
        for (int p = 0; p < kConsumers; ++p) {
            if (p == part)
                continue;
            const float4 other = takeVector(vectorAt(exchange, slice, p, 4));
            const float highest[2] = {other.x, other.y}, total[2] = {other.z, other.w};
            float shrink[2], weight[2];
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const float now = fmaxf(all.highest[half], highest[half]);
                const float offset = now == minusInfinity() ? 0 : now; // neither has seen a key
                shrink[half] = exp2Fast((all.highest[half] - offset) * scale);
                weight[half] = exp2Fast((highest[half] - offset) * scale);
                all.highest[half] = now;
                all.total[half] = fmaf(all.total[half], shrink[half], total[half] * weight[half]);
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float4 v = takeVector(vectorAt(exchange, slice, p, i));
                merged[4 * i] = fmaf(merged[4 * i], shrink[0], v.x * weight[0]);
                merged[4 * i + 1] = fmaf(merged[4 * i + 1], shrink[0], v.y * weight[0]);
                merged[4 * i + 2] = fmaf(merged[4 * i + 2], shrink[1], v.z * weight[1]);
                merged[4 * i + 3] = fmaf(merged[4 * i + 3], shrink[1], v.w * weight[1]);
            }
        }
        float inverse[2];
        invertTotals(all, inverse);
        storeColumns(merged, inverse, row + slice * 32, rowsLeft, lane);
    }
}

} // namespace

/// Grid (ceil(queries / 64), heads), block 128 * CONSUMERS. Dynamic shared memory 2 * HEAD_DIM * (64 + 2 * CONSUMERS * STAGES * BLOCK_N)
/// bytes, with more than one warpgroup no less than 320 * HEAD_DIM * CONSUMERS for their exchange. Best with a stage for each block of a
/// warpgroup.
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    attention_hopper_short(const Half* __restrict__ q, const Half* __restrict__ k, const Half* __restrict__ v, Half* __restrict__ o,
                           int queries, int keys, int causal, float scale)
{
    extern __shared__ __align__(1024) unsigned char buffers[]; // Q, then of each warpgroup STAGES blocks of K and of V
    const unsigned thread = threadIdx.x % kWarpgroup, lane = threadIdx.x % 32;
    const int part = __shfl_sync(kFullWarp, threadIdx.x / kWarpgroup, 0); // the same in all lanes, as the compiler can tell
    const long long head = blockIdx.y;
    // Causal blocks differ in length: the longest start first.
    const int firstQuery = (causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * kBlockM;
    const Problem problem = {queries, keys, static_cast<int>(gridDim.y), causal};
    const int visible = causal ? min(keys, firstQuery + kBlockM) : keys;
    const int free = (causal ? min(keys, firstQuery + 1) : keys) / kBlockN; // so many blocks need no mask
    int block = (visible + kBlockN - 1) / kBlockN - 1 - part;
    q += (head * queries + firstQuery) * kHeadDim;
    k += head / GROUP * keys * kHeadDim;
    v += head / GROUP * keys * kHeadDim;
    const unsigned query = static_cast<unsigned>(__cvta_generic_to_shared(buffers));
    const unsigned key = query + kQueryBytes + part * kStages * 2 * kTileBytes;
    const auto copyBlock = [&](unsigned to, const Half* from, int which) {
        copyRows<kBlockN, kWarpgroup>(to, from + static_cast<long long>(which) * kBlockN * kHeadDim, keys - which * kBlockN, thread);
    };
    const auto meet = [&] { syncNamed(1 + part, kWarpgroup); };

    // With programmatic dependent launch the next launch may begin already, and nothing is read before the one before has ended.
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    copyRows<kGroupRows, kThreads>(query, q, queries - firstQuery, threadIdx.x);
#pragma unroll 1
    for (int stage = 0; stage < kStages; ++stage) {
        const int which = block - stage * kConsumers;
        if (which >= 0)
            copyBlock(key + stage * 2 * kTileBytes, k, which);
        commitCopies();
        if (which >= 0)
            copyBlock(key + (stage * 2 + 1) * kTileBytes, v, which);
        commitCopies();
    }
    Scores scores;
    Weights weights;
    Sums sums = {};
    Rows rows = {{minusInfinity(), minusInfinity()}, {0, 0}};
    float shrink[2];
    scale *= kLog2E;
    const int ownRow = thread / 32 * 16 + lane / 4;
    constexpr int kPending = 2 * kStages - 1; // groups of copies started after the one that is waited for
    waitForCopies<kPending>();
    __syncthreads();
#pragma unroll 1
    for (unsigned stage = 0; block >= 0; stage = stage + 1 == kStages ? 0 : stage + 1) {
        const unsigned keyStage = key + stage * 2 * kTileBytes, valueStage = keyStage + kTileBytes;
        beginProducts();
        multiplyQK(scores, query, keyStage);
        waitForProducts<0>();
        const int another = block - kStages * kConsumers; // a block to copy where this one lies
        if (another >= 0) {
            meet(); // no warp of this warpgroup still reads K
            copyBlock(keyStage, k, another);
        }
        commitCopies();
        if (block >= free)
            mask(scores, firstQuery + ownRow, block * kBlockN + lane % 4 * 2, problem);
        if (softmax<true>(scores, rows, shrink, scale))
            shrinkSums(sums, shrink);
        packWeights(weights, scores);
        waitForCopies<kPending>();
        meet(); // V is here
        beginProducts();
        multiplyPV(sums, weights, valueStage);
        waitForProducts<0>();
        if (another >= 0) {
            meet(); // no warp still reads V
            copyBlock(valueStage, v, another);
        }
        commitCopies();
        block -= kConsumers;
        if (block >= 0) {
            waitForCopies<kPending>();
            meet(); // the next K is here
        }
    }
    Half* row = o + (head * queries + firstQuery + ownRow) * kHeadDim;
    const int rowsLeft = queries - firstQuery - ownRow;
    if (kConsumers == 1)
        storeRows(sums, rows, row, rowsLeft, lane);
    else
        mergeAndStore(sums, rows, query, scale, part, row, rowsLeft, lane);
}

#else
// ---- Long rows of keys: a producer and several consumers

static_assert(kStages >= 2, "a block to prefetch");
static_assert(kHeadDim / 2 + kBlockN * 3 / 4 <= (kConsumers == 1 ? 216
                                                 : kConsumers == 2 ? 200
                                                 : kConsumers == 3 ? 128
                                                                   : 80),
              "sums, scores and weights fit the registers of a consumer");
static_assert(kConsumers * kQueryBytes + 2 * kStages * kTileBytes <= 226 * 1024, "shared memory of a thread block");

// Barriers in shared memory. "Full" completes with the bytes of a copy, "empty" with an arrival of each warp that reads the buffer.
constexpr int kQueryFull = 0, kQueryEmpty = kQueryFull + kConsumers;
constexpr int kKeyFull = kQueryEmpty + kConsumers, kKeyEmpty = kKeyFull + kStages;
constexpr int kValueFull = kKeyEmpty + kStages, kValueEmpty = kValueFull + kStages;
constexpr int kBarriers = kValueEmpty + kStages;
constexpr int kReadingWarps = 4; ///< of a consumer
constexpr int kTurn = 1;         ///< + consumer: named barriers; 0 is that of __syncthreads

/// A CUtensorMap: box 64 columns by rows by 1 head of a 3-D tensor {HEAD_DIM, rows, heads}, 128-byte swizzle, zeros where out of bounds.
struct alignas(64) TensorMap {
    unsigned long long words[16];
};

__device__ __forceinline__ void initBarrier(unsigned barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/// The initialized barriers are seen by the copy engine, too.
__device__ __forceinline__ void publishBarriers()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void expectBytes(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ __forceinline__ void arrive(unsigned barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/// Until the phase of this parity is complete.
__device__ __forceinline__ void wait(unsigned barrier, unsigned parity)
{
    asm volatile("{ .reg .pred complete;\n"
                 "retry: mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n"
                 "@!complete bra retry; }" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

__device__ __forceinline__ void arriveNamed(int barrier, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ __forceinline__ void prefetchMap(const TensorMap& map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// Copies all panels of a tile, whose bytes complete `barrier`.
__device__ __forceinline__ void copyTile(unsigned to, unsigned panelBytes, const TensorMap& map, unsigned barrier, int row, int head)
{
    expectBytes(barrier, kPanels * panelBytes);
#pragma unroll
    for (int panel = 0; panel < kPanels; ++panel)
        asm volatile(
            "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(
                to + panel * panelBytes),
            "l"(&map), "r"(barrier), "r"(panel * 64), "r"(row), "r"(head)
            : "memory");
}

/// Use number `use` of a ring of kStages buffers.
__device__ __forceinline__ unsigned stageOf(unsigned use)
{
    return use % kStages;
}
__device__ __forceinline__ unsigned parityOf(unsigned use)
{
    return use / kStages & 1;
}

// ---- Tiles

struct Tile {
    int firstQuery;
    int head;
    int blocks; ///< of keys
};

/// The tile that this thread block works on in a round; false past the last one. Blocks of the grid take tiles in order, every other round
/// backwards: where each tile is shorter than the one before, all get about as much work.
__device__ __forceinline__ bool findTile(Tile& tile, unsigned round, const Problem& problem)
{
    const unsigned rows = (problem.queries + kBlockM - 1) / kBlockM;
    const unsigned index = round * gridDim.x + (round & 1 ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
    if (index >= rows * problem.heads)
        return false;
    const unsigned row = problem.causal ? rows - 1 - index / problem.heads : index % rows;
    tile.head = problem.causal ? index % problem.heads : index / rows;
    tile.firstQuery = row * kBlockM;
    const int visible = problem.causal ? min(problem.keys, tile.firstQuery + kBlockM) : problem.keys;
    tile.blocks = (visible + kBlockN - 1) / kBlockN;
    return true;
}

/// Addresses in shared memory.
struct Memory {
    unsigned query, key, value, barriers;

    __device__ unsigned barrier(int index) const { return barriers + 8 * index; }
};

/// One thread: copies what consumers need, in the order in which they need it: K of a block before V of the one before.
__device__ __forceinline__ void produce(const TensorMap& q, const TensorMap& k, const TensorMap& v, const Memory& memory,
                                        const Problem& problem)
{
    Tile tile;
    unsigned first = 0; // use number of the tile's first block
    for (unsigned round = 0; findTile(tile, round, problem); ++round) {
        const int keyHead = tile.head / GROUP;
        for (int i = 0; i <= tile.blocks; ++i) {
            if (i < tile.blocks) {
                const unsigned stage = stageOf(first + i);
                wait(memory.barrier(kKeyEmpty + stage), parityOf(first + i) ^ 1);
                copyTile(memory.key + stage * kTileBytes, kKeyPanel, k, memory.barrier(kKeyFull + stage), (tile.blocks - 1 - i) * kBlockN,
                         keyHead);
            }
            if (i == 0)
                for (int consumer = 0; consumer < kConsumers; ++consumer) {
                    wait(memory.barrier(kQueryEmpty + consumer), (round & 1) ^ 1);
                    copyTile(memory.query + consumer * kQueryBytes, kQueryPanel, q, memory.barrier(kQueryFull + consumer),
                             tile.firstQuery + consumer * kGroupRows, tile.head);
                }
            if (i > 0) {
                const unsigned stage = stageOf(first + i - 1);
                wait(memory.barrier(kValueEmpty + stage), parityOf(first + i - 1) ^ 1);
                copyTile(memory.value + stage * kTileBytes, kKeyPanel, v, memory.barrier(kValueFull + stage), (tile.blocks - i) * kBlockN,
                         keyHead);
            }
        }
        first += tile.blocks;
    }
}

/// A consumer's turn to issue products: so that its softmax runs under those of others, and theirs under its own.
__device__ __forceinline__ void takeTurn(int consumer)
{
    if (PINGPONG)
        syncNamed(kTurn + consumer, 2 * kWarpgroup);
}

__device__ __forceinline__ void passTurn(int consumer)
{
    if (PINGPONG)
        arriveNamed(kTurn + (consumer + 1 == kConsumers ? 0 : consumer + 1), 2 * kWarpgroup);
}

__device__ __forceinline__ void consume(const Memory& memory, Half* __restrict__ o, const Problem& problem, float scale)
{
    const int consumer = __shfl_sync(kFullWarp, threadIdx.x / kWarpgroup, 0) - 1; // the same in all lanes, as the compiler can tell
    const int lane = threadIdx.x % 32;
    const unsigned query = memory.query + consumer * kQueryBytes;
    const int ownRow = consumer * kGroupRows + threadIdx.x % kWarpgroup / 32 * 16 + lane / 4;
    const auto release = [&](int barrier) { // the buffer may be overwritten, as far as this warp is concerned
        __syncwarp();
        if (lane == 0)
            arrive(memory.barrier(barrier));
    };
    const auto awaitBlock = [&](int full, unsigned use) { wait(memory.barrier(full + stageOf(use)), parityOf(use)); };

    if (PINGPONG && consumer == 0)
        arriveNamed(kTurn, 2 * kWarpgroup); // the first turn
    Tile tile;
    unsigned first = 0; // use number of the tile's first block
    for (unsigned round = 0; findTile(tile, round, problem); ++round) {
        Scores scores;
        Weights weights;
        Sums sums = {};
        Rows rows = {{minusInfinity(), minusInfinity()}, {0, 0}};
        float shrink[2];
        const int firstQuery = tile.firstQuery + consumer * kGroupRows;
        const int free = (problem.causal ? min(problem.keys, firstQuery + 1) : problem.keys) / kBlockN; // so many blocks need no mask
        int block = tile.blocks - 1;
        unsigned use = first;
        const auto maskBlock = [&] { mask(scores, tile.firstQuery + ownRow, block * kBlockN + lane % 4 * 2, problem); };
        const auto addBlock = [&](unsigned from) {
            awaitBlock(kValueFull, from);
            beginProducts();
            multiplyPV(sums, weights, memory.value + stageOf(from) * kTileBytes);
        };

        wait(memory.barrier(kQueryFull + consumer), round & 1);
#if OVERLAP
        awaitBlock(kKeyFull, use);
        beginProducts();
        multiplyQK(scores, query, memory.key + stageOf(use) * kTileBytes);
        waitForProducts<0>();
        release(kKeyEmpty + stageOf(use));
        maskBlock();
        softmax<true>(scores, rows, shrink, scale);
        packWeights(weights, scores);
        --block;
        const auto step = [&](auto masked) {
            const unsigned before = use++;
            awaitBlock(kKeyFull, use);
            takeTurn(consumer);
            beginProducts();
            multiplyQK(scores, query, memory.key + stageOf(use) * kTileBytes);
            addBlock(before);
            passTurn(consumer);
            waitForProducts<1>();
            release(kKeyEmpty + stageOf(use));
            if (masked.value)
                maskBlock();
            const bool changed = softmax<masked.value>(scores, rows, shrink, scale);
            waitForProducts<0>();
            release(kValueEmpty + stageOf(before));
            packWeights(weights, scores);
            if (changed)
                shrinkSums(sums, shrink);
        };
#else
        const auto step = [&](auto masked) {
            awaitBlock(kKeyFull, use);
            takeTurn(consumer);
            beginProducts();
            multiplyQK(scores, query, memory.key + stageOf(use) * kTileBytes);
            waitForProducts<0>();
            passTurn(consumer);
            release(kKeyEmpty + stageOf(use));
            if (masked.value)
                maskBlock();
            if (softmax<masked.value>(scores, rows, shrink, scale))
                shrinkSums(sums, shrink);
            packWeights(weights, scores);
            addBlock(use);
            waitForProducts<0>();
            release(kValueEmpty + stageOf(use));
            ++use;
        };
#endif
#pragma unroll 1
        for (; block >= free; --block)
            step(Constant<true>{});
#pragma unroll 1
        for (; block >= 0; --block)
            step(Constant<false>{});
        release(kQueryEmpty + consumer);
#if OVERLAP
        addBlock(use);
        waitForProducts<0>();
        release(kValueEmpty + stageOf(use));
#endif
        first += tile.blocks;

        Half* row = o + (static_cast<long long>(tile.head) * problem.queries + tile.firstQuery + ownRow) * kHeadDim;
        const int rowsLeft = problem.queries - tile.firstQuery - ownRow;
        storeRows(sums, rows, row, rowsLeft, lane);
    }
}

} // namespace

/// One-dimensional grid, at most one thread block per tile of BLOCK_M = 64 * CONSUMERS rows of a head, best as many as multiprocessors;
/// block 128 * (CONSUMERS + 1). Dynamic shared memory 2 * HEAD_DIM * (BLOCK_M + 2 * STAGES * BLOCK_N) bytes. Boxes of the tensor maps: {64,
/// 64, 1} for q, {64, BLOCK_N, 1} for k and v.
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    attention_hopper(const __grid_constant__ TensorMap q, const __grid_constant__ TensorMap k, const __grid_constant__ TensorMap v,
                     Half* __restrict__ o, int queries, int keys, int heads, int causal, float scale)
{
    extern __shared__ __align__(1024) unsigned char buffers[]; // Q, then kStages of K, then of V
    __shared__ unsigned long long barriers[kBarriers];
    Memory memory;
    memory.query = static_cast<unsigned>(__cvta_generic_to_shared(buffers));
    memory.key = memory.query + kConsumers * kQueryBytes;
    memory.value = memory.key + kStages * kTileBytes;
    memory.barriers = static_cast<unsigned>(__cvta_generic_to_shared(barriers));
    const Problem problem = {queries, keys, heads, causal};
    if (threadIdx.x == 0) {
        prefetchMap(q);
        prefetchMap(k);
        prefetchMap(v);
        for (int consumer = 0; consumer < kConsumers; ++consumer) {
            initBarrier(memory.barrier(kQueryFull + consumer), 1);
            initBarrier(memory.barrier(kQueryEmpty + consumer), kReadingWarps);
        }
        for (int stage = 0; stage < kStages; ++stage) {
            initBarrier(memory.barrier(kKeyFull + stage), 1);
            initBarrier(memory.barrier(kKeyEmpty + stage), kReadingWarps * kConsumers);
            initBarrier(memory.barrier(kValueFull + stage), 1);
            initBarrier(memory.barrier(kValueEmpty + stage), kReadingWarps * kConsumers);
        }
        publishBarriers();
    }
    __syncthreads();
    // The producer needs few registers: consumers get the rest of the thread block's.
    if (threadIdx.x < kWarpgroup) {
#if CONSUMERS == 3
        asm volatile("setmaxnreg.dec.sync.aligned.u32 32;");
#elif CONSUMERS > 1
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
#endif
        if (threadIdx.x == 0)
            produce(q, k, v, memory, problem);
    } else {
#if CONSUMERS == 2
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
#elif CONSUMERS == 3
        asm volatile("setmaxnreg.inc.sync.aligned.u32 160;");
#elif CONSUMERS == 4
        asm volatile("setmaxnreg.inc.sync.aligned.u32 112;");
#endif
        consume(memory, o, problem, scale * kLog2E);
    }
}
#endif
