// SPDX-License-Identifier: MIT
// A pipeline of warp roles in which one role is slow on purpose: y = 3 x + 1. A producer copies tiles, two consumers compute 2 x and x + 1
// from each tile, an epilogue adds them up. TURNS: consumers take turns through named barriers (ping-pong).
#include <kernelloop/mark.h>

#ifndef SLOW
#define SLOW 0 // 0 producer, 1 and 2 consumers, 3 epilogue
#endif
#ifndef TURNS
#define TURNS 0
#endif
#ifndef MARKS
#define MARKS 0 // KL_MARKs
#endif

namespace {

constexpr int kTile = 128, kTiles = 48, kStages = 2, kGroup = 128;
constexpr int kSlowCycles = 4000, kOtherCycles = 300;
constexpr unsigned kTileBytes = kTile * sizeof(float);

#if MARKS
#define MARK(id) KL_MARK(id)
KL_MARK_NAME(0, "load: wait for space");
KL_MARK_NAME(1, "load: copy");
KL_MARK_NAME(2, "double: wait for tile");
KL_MARK_NAME(3, "double: compute");
KL_MARK_NAME(4, "increment: wait for tile");
KL_MARK_NAME(5, "increment: compute");
KL_MARK_NAME(6, "add: wait for results");
KL_MARK_NAME(7, "add: store");
#else
#define MARK(id) static_cast<void>(0)
#endif

__device__ __forceinline__ unsigned sharedAddress(const void* p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void initBarrier(unsigned long long* barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void arrive(unsigned long long* barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(barrier)) : "memory");
}

__device__ __forceinline__ void wait(unsigned long long* barrier, unsigned parity)
{
    asm volatile("{ .reg .pred complete;\n"
                 "retry: mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n"
                 "@!complete bra retry; }" ::"r"(sharedAddress(barrier)),
                 "r"(parity)
                 : "memory");
}

__device__ __forceinline__ void copyTile(float* to, const float* from, unsigned long long* full)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(full)), "r"(kTileBytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sharedAddress(to)),
                 "l"(from), "r"(kTileBytes), "r"(sharedAddress(full))
                 : "memory");
}

/// Work that takes so many cycles.
__device__ __forceinline__ void spin(int role)
{
    const long long cycles = role == SLOW ? kSlowCycles : kOtherCycles, begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

} // namespace

/// Grid of one block per kTiles tiles, 512 threads: the producer is thread 0, consumers are warps 4-7 and 8-11, the epilogue warps 12-15.
extern "C" __global__ void __launch_bounds__(512, 1) pipeline(const float* __restrict__ x, float* __restrict__ y)
{
    __shared__ alignas(128) float tiles[kStages][kTile];
    __shared__ float results[2][kStages][kTile];
    __shared__ unsigned long long full[kStages], empty[kStages], done[kStages], taken[kStages];
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < kStages; ++stage) {
            initBarrier(&full[stage], 1);
            initBarrier(&empty[stage], 8);
            initBarrier(&done[stage], 8);
            initBarrier(&taken[stage], 4);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    const int group = threadIdx.x / kGroup, index = threadIdx.x % kGroup, lane = threadIdx.x % 32;
    x += static_cast<long long>(blockIdx.x) * kTiles * kTile;
    y += static_cast<long long>(blockIdx.x) * kTiles * kTile;
    if (group == 0) {
        if (threadIdx.x == 0)
            for (int tile = 0; tile < kTiles; ++tile) {
                const int stage = tile % kStages;
                MARK(0);
                wait(&empty[stage], (tile / kStages & 1) ^ 1);
                MARK(1);
                spin(0);
                copyTile(tiles[stage], x + tile * kTile, &full[stage]);
            }
    } else if (group < 3) {
        const int consumer = group - 1;
        if (TURNS && consumer == 0)
            asm volatile("bar.arrive 1, 256;" ::: "memory"); // the first turn
        for (int tile = 0; tile < kTiles; ++tile) {
            const int stage = tile % kStages;
            MARK(2 + 2 * consumer);
            wait(&full[stage], tile / kStages & 1);
            wait(&taken[stage], (tile / kStages & 1) ^ 1);
            if (TURNS)
                asm volatile("bar.sync %0, 256;" ::"r"(1 + consumer) : "memory");
            MARK(3 + 2 * consumer);
            spin(group);
            const float value = tiles[stage][index];
            results[consumer][stage][index] = consumer == 0 ? 2 * value : value + 1;
            if (TURNS)
                asm volatile("bar.arrive %0, 256;" ::"r"(2 - consumer) : "memory");
            __syncwarp();
            if (lane == 0) {
                arrive(&empty[stage]);
                arrive(&done[stage]);
            }
        }
        if (TURNS && consumer == 0)
            asm volatile("bar.sync 1, 256;" ::: "memory"); // the turn that the other passed on last
    } else {
        for (int tile = 0; tile < kTiles; ++tile) {
            const int stage = tile % kStages;
            MARK(6);
            wait(&done[stage], tile / kStages & 1);
            MARK(7);
            spin(3);
            y[tile * kTile + index] = results[0][stage][index] + results[1][stage][index];
            __syncwarp();
            if (lane == 0)
                arrive(&taken[stage]);
        }
    }
}
