# SPDX-License-Identifier: MIT
"""User kernels around shared and local memory (kernels/shared.cu, kernels/local.cu).

Per cycle an SM of the H200 serves one access of a warp to shared memory, 32 banks of 4 B, or one shuffle, and issues 4 instructions. Lanes
that need different words of one bank are served one after another."""
from functools import partial

from calls.cuda import MI, cupy, empty, floats, launch
from cases import Declare

case = Declare(__name__, "cuda", "own")
go = partial(launch, "shared")
local = partial(launch, "local")
DATA_STAGE = "shared memory is reached through the queue of memory instructions and read in L1's data stage: both are full of the same accesses"
SHUFFLES = "shuffles pass through L1's data stage, one per cycle, so that the unit and the queue in front of it are full together"


def strided_sums(stride, times):
    return go("strided_sums", 1056, 256, empty(1056 * 256), stride, times, shared=256 * stride * 4)


def letters(count, skewed):
    """Bytes whose low five bits are a bin: nearly always bin 3 if `skewed`."""
    drawn = cupy.random.randint(0, 32, count, dtype=cupy.uint8)
    return cupy.where(cupy.random.randint(0, 64, count, dtype=cupy.uint8) > 0, cupy.uint8(3), drawn) if skewed else drawn


def private_counts(skewed):
    return go("private_counts", 1056, 256, letters(1056 * 256 * 16 * 64, skewed), empty(1056 * 256, "int32"), 64, shared=256 * 32 * 4)


def seeds(count):
    return cupy.random.randint(0, 1 << 30, count, dtype=cupy.int32).astype(cupy.uint32)


case("cuda-bank-conflicts-32", "strided_sums", "shared arrays of 32 floats, one per thread", "bank-conflicts",
     "Lanes read 32 words apart, thus from one bank: 32 cycles per access for one addition.", lambda: strided_sums(32, 200))
case("cuda-bank-conflicts-16", "strided_sums", "shared arrays of 16 floats, one per thread", "bank-conflicts",
     "Lanes read 16 words apart, thus from two banks: 16 cycles per access for one addition.", lambda: strided_sums(16, 800))
case("cuda-bank-conflicts-8", "strided_sums", "shared arrays of 8 floats, one per thread", "bank-conflicts",
     "Lanes read 8 words apart, thus from four banks: 8 cycles per access for one addition.", lambda: strided_sums(8, 3000))
case("cuda-transpose-unpadded", "transpose_unpadded", "16384² float32, tile of 32×32", "bank-conflicts",
     "Reading the tile's columns takes 32 cycles per access, 1056 per tile; DRAM moves the tile's 8 KB in 400.",
     lambda: go("transpose_unpadded", (512, 512), (32, 8), floats(16384 ** 2), empty(16384 ** 2), 16384))
case("cuda-private-counts-skewed", "private_counts", "32 bins per thread, values nearly all equal", "bank-conflicts",
     "Bin b of every thread lies in bank b, and 63 of 64 values are the same: 31 lanes on one bank, twice per byte that is read.",
     lambda: private_counts(True))
case("cuda-column-filter", "column_filter", "64 rows of 64 complex numbers, a row per thread", "bank-conflicts",
     "Rows are 512 B apart, so that all lanes start in one bank: 32 cycles per access, two or three accesses for four FLOP.",
     lambda: go("column_filter", 2640, 64, empty(2640 * 128), 100))
case("cuda-shared-sums", "shared_sums", "16 loads of shared memory per round, no conflicts", "l1-bound",
     "One load (a cycle of the SM's shared memory) for one addition (a quarter of a cycle); nothing else is read.",
     lambda: go("shared_sums", 1056, 256, empty(1056 * 256), 1000), also=("mio-bound",), tie=DATA_STAGE)
case("cuda-gemm-tiled", "gemm_tiled", "4096³ float32, tile of 32×32", "l1-bound",
     "Two loads of shared memory, a cycle each but for what one load of four words saves, for a multiply-add (a quarter of a cycle); DRAM "
     "moves 201 MB.", lambda: go("gemm_tiled", (128, 128), (32, 32), floats(4096 ** 2), floats(4096 ** 2), empty(4096 ** 2), 4096),
     also=("mio-bound",), tie=DATA_STAGE)
case("cuda-butterflies", "butterflies", "2 Mi float32, 500 rounds of five shuffles", "mio-bound",
     "A shuffle takes a cycle of the SM, the multiply-add that uses it a quarter: 8 B per 2500 shuffles.",
     lambda: go("butterflies", 8192, 256, floats(2 * MI), empty(2 * MI), 500), also=("l1-bound",), tie=SHUFFLES)
case("cuda-warp-scans", "warp_scans", "2 Mi float32, 500 scans of a warp", "mio-bound",
     "A shuffle takes a cycle of the SM, the one or two instructions that use it half of one.",
     lambda: go("warp_scans", 8192, 256, floats(2 * MI), empty(2 * MI), 500), also=("l1-bound",), tie=SHUFFLES)
case("cuda-rotate-lanes", "rotate_lanes", "2 Mi int32, 2000 shuffles", "mio-bound",
     "A shuffle takes a cycle of the SM, the addition that uses it a quarter to a half.",
     lambda: go("rotate_lanes", 8192, 256, empty(2 * MI, "int32"), empty(2 * MI, "int32"), 1000), also=("l1-bound",), tie=SHUFFLES)
case("cuda-tree-sums", "tree_sums", "blocks of 1024 threads, 100 tree sums", "sync-bound",
     "Twelve barriers per round; in the last six steps one warp of 32 adds and 31 wait.",
     lambda: go("tree_sums", 528, 1024, floats(528 * 1024), empty(528 * 1024), 100))
case("cuda-take-turns", "take_turns", "blocks of 16 warps that take turns, 20 rounds", "sync-bound",
     "Between two barriers one warp makes 200 dependent multiply-adds (about 1000 cycles) and 15 wait; over the rounds all work equally.",
     lambda: go("take_turns", 528, 512, floats(528 * 512), empty(528 * 512), 20))
case("cuda-leader-scans", "leader_scans", "blocks of 32 warps, 50 rounds", "sync-bound",
     "The first warp makes 32 dependent steps through shared memory (over 1000 cycles) while 31 wait at the barrier.",
     lambda: go("leader_scans", 264, 1024, floats(264 * 1024), empty(264 * 1024), 50), also=("load-imbalance",),
     tie="what the other warps wait for at the barrier is the one warp that has all the work")
case("cuda-one-thread-combines", "one_thread_combines", "blocks of 256 threads, 50 rounds", "sync-bound",
     "One thread makes 256 dependent steps (thousands of cycles) while 255 wait at the barrier.",
     lambda: go("one_thread_combines", 528, 256, floats(528 * 256), empty(528 * 256), 50), also=("load-imbalance",),
     tie="what the other warps wait for at the barrier is the one warp that has all the work")

case("cuda-sort-in-thread", "sort_in_thread", "270336 threads sort 64 float32 each", "register-spills",
     "The array's index is known at run time, so that it lies in local memory: about 1000 moves there per 64 values read.",
     lambda: local("sort_in_thread", 1056, 256, floats(64 * 270336), empty(270336), 270336))
case("cuda-letter-counts", "letter_counts", "270336 threads count 4096 letters in 64 counters", "register-spills",
     "Counters that data index lie in local memory: a load and a store there per letter, and no other memory but 8 B per thread.",
     lambda: local("letter_counts", 1056, 256, seeds(270336), empty(270336, "int32"), 270336, 4096))
case("cuda-permute-in-thread", "permute_in_thread", "270336 threads exchange elements of arrays of 128, 1024 times", "register-spills",
     "512 B per thread at indices that data give: four accesses of local memory per step, and no other memory but 8 B per thread.",
     lambda: local("permute_in_thread", 1056, 256, seeds(270336), empty(270336), 1024))
case("cuda-many-sums", "many_sums", "540672 threads with 96 sums and 32 registers", "register-spills",
     "96 values live through every step where the launch bounds leave 32 registers: at least 64 loads and stores of local memory per 96 "
     "multiply-adds.", lambda: local("many_sums", 528, 1024, floats(540672), empty(540672), 100))
case("cuda-solve-in-thread", "solve_in_thread", "67584 threads solve 16×16 systems", "register-spills",
     "1088 B of matrix per thread, with a pivot row found at run time, lie in local memory: three accesses there per multiply-add.",
     lambda: local("solve_in_thread", 528, 128, floats(67584), empty(67584), 67584))
