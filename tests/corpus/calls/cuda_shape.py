# SPDX-License-Identifier: MIT
"""User kernels whose launch is the matter (kernels/shape.cu): few blocks, partial waves, uneven work, few warps, contended addresses.

The H200 has 132 SMs with room for 2048 threads and 227 KB of shared memory for blocks each."""
from functools import partial

from calls.cuda import MI, cupy, empty, floats, launch
from cases import Declare

case = Declare(__name__, "cuda", "own")
go = partial(launch, "shape")
FEW = "one short launch of few blocks: too little work per launch and too few blocks are the same fact"


def equal(blocks, threads, steps, shared=0):
    return go("equal_work", blocks, threads, empty(blocks * threads), steps, shared=shared)


def segments(lengths):
    offsets = cupy.concatenate([cupy.zeros(1, dtype=cupy.int32), cupy.cumsum(cupy.asarray(lengths, dtype=cupy.int32), dtype=cupy.int32)])
    return go("segment_sums", len(lengths), 256, floats(sum(lengths)), offsets, empty(len(lengths) * 256))


def sparse(lengths):
    offsets = cupy.concatenate([cupy.zeros(1, dtype=cupy.int32), cupy.cumsum(cupy.asarray(lengths, dtype=cupy.int32), dtype=cupy.int32)])
    entries, rows = sum(lengths), len(lengths)
    columns = cupy.arange(entries, dtype=cupy.int32) % 65536
    return go("sparse_rows", -(-rows // 8), 256, floats(entries), columns, offsets, floats(65536), empty(rows), rows)


def few_warps(blocks, threads, n, shared):
    return go("few_warps", blocks, threads, floats(n), empty(blocks * threads), n, shared=shared)


def bytes_below(high, count):
    return cupy.random.randint(0, high, count, dtype=cupy.uint8)


case("cuda-one-block-sum", "one_block_sum", "16 Mi float32 in one block", "small-grid", "One block on 132 SMs reads 67 MB.",
     lambda: go("one_block_sum", 1, 1024, floats(16 * MI), empty(1), 16 * MI))
case("cuda-eight-rows", "row_per_block", "8 rows of 1 Mi float32, a block each", "small-grid", "8 blocks on 132 SMs, each through 4 MB twice.",
     lambda: go("row_per_block", 8, 1024, floats(8 * MI), empty(8 * MI), MI))
case("cuda-33-blocks-compute", "equal_work", "33 blocks of 1024 threads, in registers", "small-grid",
     "33 blocks on 132 SMs leave three quarters of them empty.", lambda: equal(33, 1024, 20000))
case("cuda-66-blocks-compute", "equal_work", "66 blocks of 512 threads, in registers", "small-grid",
     "66 blocks on 132 SMs leave half of them empty, and the others at a quarter of their threads.", lambda: equal(66, 512, 20000))
case("cuda-16-rows", "row_per_block", "16 rows of 512 Ki float32, a block each", "small-grid", "16 blocks on 132 SMs, each through 2 MB twice.",
     lambda: go("row_per_block", 16, 512, floats(8 * MI), empty(8 * MI), MI // 2))
case("cuda-scale-tiny", "scale", "512 float32", "launch-overhead", "4 KB of work in two blocks: the launch costs a thousand times more.",
     lambda: go("scale", 2, 256, floats(512), 1.5, 512), also=("small-grid",), tie=FEW)

case("cuda-tail-140-of-132", "equal_work", "140 equal blocks, one per SM (150 KB of shared memory)", "tail-effect",
     "One wave is 132 blocks: the second wave has 8 blocks and takes as long, so that 47 % of the SM time is empty.",
     lambda: equal(140, 1024, 20000, shared=150 * 1024))
case("cuda-tail-133-of-132", "equal_work", "133 equal blocks, one per SM (120 KB of shared memory)", "tail-effect",
     "One wave is 132 blocks: the second wave has one block and takes as long, so that half of the SM time is empty.",
     lambda: equal(133, 1024, 20000, shared=120 * 1024))
case("cuda-tail-150-of-132", "equal_work", "150 equal blocks of 512 threads, one per SM (200 KB of shared memory)", "tail-effect",
     "One wave is 132 blocks: the second has 18, so that 43 % of the SM time is empty.",
     lambda: equal(150, 512, 20000, shared=200 * 1024))

case("cuda-quadratic-work", "quadratic_work", "132 blocks, block b with b² parts of the work", "load-imbalance",
     "All blocks run at once, one per SM; the last has 132² parts, the mean is a third of it.",
     lambda: go("quadratic_work", 132, 1024, empty(132 * 1024), 200, shared=150 * 1024))
case("cuda-one-long-segment", "segment_sums", "1056 segments, one of 2 Mi and the others of 1024 float32", "load-imbalance",
     "A block per segment: one has 66 % of all elements, and 131 SMs wait for it.", lambda: segments([1024] * 500 + [2 * MI] + [1024] * 555))
case("cuda-ragged-segments", "segment_sums", "264 segments, every 33rd of 2 Mi and the others of 8192 float32", "load-imbalance",
     "Eight blocks of 264 have 89 % of the elements: they run alone on 8 SMs of 132.",
     lambda: segments([2 * MI if k % 33 == 0 else 8192 for k in range(264)]))
case("cuda-sparse-power-law", "sparse_rows", "16384 rows, four of 512 Ki and the others of 64 entries", "load-imbalance",
     "A warp per row: four warps have 67 % of the entries, 16384 steps each where the others have 2.",
     lambda: sparse([MI // 2 if k % 4096 == 5 else 64 for k in range(16384)]))
case("cuda-heavy-warp", "heavy_warp", "1056 blocks of 32 warps, the first with 64 times the work of the others", "load-imbalance",
     "A block keeps its threads until its first warp is done: 2 working warps of 64 per SM.",
     lambda: go("heavy_warp", 1056, 1024, empty(1056 * 1024), 20000))
case("cuda-first-block-heavy", "segment_sums", "132 segments, the first of 4 Mi and the others of 4096 float32", "load-imbalance",
     "One block of 132 has 89 % of the elements.", lambda: segments([4 * MI] + [4096] * 131))

case("cuda-few-warps-64-threads", "few_warps", "2640 blocks of 64 threads, 200 KB of shared memory each", "occupancy-limited",
     "Two warps per SM of 64, each with 128 B under way: 34 KB for 132 SMs where DRAM at 0.65 µs needs 3 MB.",
     lambda: few_warps(2640, 64, 32 * MI, 200 * 1024))
case("cuda-few-warps-128-threads", "few_warps", "1320 blocks of 128 threads, 110 KB of shared memory each", "occupancy-limited",
     "Eight warps per SM of 64, each with 128 B under way: 135 KB for 132 SMs where DRAM at 0.65 µs needs 3 MB.",
     lambda: few_warps(1320, 128, 64 * MI, 110 * 1024))
case("cuda-few-warps-compute", "few_warps_compute", "2640 blocks of 64 threads, 200 KB of shared memory each", "occupancy-limited",
     "Two warps per SM for four schedulers, each issuing one dependent multiply-add in four cycles: an eighth of the slots at most.",
     lambda: go("few_warps_compute", 2640, 64, empty(2640 * 64), 20000, shared=200 * 1024))
case("cuda-few-warps-32-threads", "few_warps", "5280 blocks of 32 threads, 60 KB of shared memory each", "occupancy-limited",
     "Three warps per SM of 64, each with 128 B under way: 51 KB for 132 SMs where DRAM at 0.65 µs needs 3 MB.",
     lambda: few_warps(5280, 32, 32 * MI, 60 * 1024))

case("cuda-atomics-one-address", "sum_to_one", "8 Mi float32 to one sum", "atomics",
     "Every thread adds to one address; the 34 MB read would take 0.01 ms.",
     lambda: go("sum_to_one", 8 * MI // 256, 256, floats(8 * MI), empty(1), 8 * MI))
case("cuda-histogram-hot", "histogram", "64 Mi bytes, 16 global bins", "atomics",
     "4 Mi additions queue up at each of 16 addresses; the 67 MB read would take 0.02 ms.",
     lambda: go("histogram", 64 * MI // 256, 256, bytes_below(16, 64 * MI), empty(256, "uint32"), 64 * MI, 15))
case("cuda-histogram-256", "histogram", "64 Mi bytes, 256 global bins", "atomics",
     "256 Ki additions queue up at each of 256 addresses in 1 KB; the 67 MB read would take 0.02 ms.",
     lambda: go("histogram", 64 * MI // 256, 256, bytes_below(256, 64 * MI), empty(256, "uint32"), 64 * MI, 255))
case("cuda-sum-by-swap", "sum_by_swap", "65536 float32 into 64 sums by compare and swap", "atomics",
     "1024 threads contend for each of 64 words; all but one of those that try at once try again.",
     lambda: go("sum_by_swap", 256, 256, floats(65536), empty(64, "int32"), 65536, 63))
case("cuda-append-one-counter", "append", "4 Mi float32 appended behind one counter", "atomics",
     "4 Mi atomic additions with a result queue up at one address; the 34 MB moved would take 0.01 ms.",
     lambda: go("append", 4 * MI // 256, 256, floats(4 * MI), empty(4 * MI), empty(1, "uint64"), 4 * MI))
