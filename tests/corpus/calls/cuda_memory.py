# SPDX-License-Identifier: MIT
"""User kernels that move data (kernels/memory.cu).

H200: 132 SMs, DRAM 4.8 TB/s (20.7 B per cycle of an SM at 1.755 GHz), L2 50 MB and about 5.5 TB/s (24 B), L1 and shared memory 128 B per
cycle and SM. An access of a warp takes L1 one cycle per 128-byte line that it touches."""
from functools import partial

from calls.cuda import MI, cupy, empty, floats, launch, wide
from cases import Declare

case = Declare(__name__, "cuda", "own")
go = partial(launch, "memory")


def stream(name, n, inputs=1):
    return go(name, n // 256, 256, *(floats(n) for _ in range(inputs)), empty(n), wide(n))


def triad(n):
    return go("triad", n // 256, 256, floats(n), floats(n), empty(n), 3.0, wide(n))


def strided(name, n, stride):
    long, short = floats(n * stride), floats(n)
    return go(name, n // 256, 256, *((long, short) if name == "strided_read" else (short, long)), wide(n), stride)


def indexed(name, index, table):
    n = index.size
    return go(name, n // 256, 256, *((floats(table), index, empty(n)) if name == "gather" else (floats(n), index, empty(table))), wide(n))


def random_index(high, n):
    return cupy.random.randint(0, high, n, dtype=cupy.int32)


def walk(name, nodes, steps, blocks=132 * 8, threads=256):
    table = cupy.empty(nodes * 32, dtype=cupy.uint32)
    launch("memory", "make_list", nodes // 8, 256, table, cupy.uint32(nodes - 1))()
    return go(name, blocks, threads, table, empty(blocks * threads, "uint32"), cupy.uint32(nodes - 1), steps)


def square(name, n, block):
    grid = (n // block[0], n // (block[1] if name == "transpose_naive" else 32))
    return go(name, grid, block, floats(n * n), empty(n * n), n)


def gemm(n, side):
    return go("gemm_naive", (n // side, n // side), (side, side), floats(n * n), floats(n * n), empty(n * n), n)


def between_copies(n):
    """A short kernel between copies from and to pageable host memory."""
    import numpy
    kernel, host = triad(n), numpy.random.rand(32 * MI).astype(numpy.float32)

    def run():
        there = cupy.asarray(host)
        kernel()
        there.get()
    return run


case("cuda-triad", "triad", "128 Mi float32", "dram-bound", "1.6 GB stream through once for one multiply-add per 12 B (ridge: 14 FLOP/B).",
     lambda: triad(128 * MI))
case("cuda-copy-float4", "copy4", "128 Mi float32 as float4", "dram-bound", "1.07 GB are copied without arithmetic, 21 times what L2 holds.",
     lambda: go("copy4", 132 * 16, 256, floats(128 * MI), empty(128 * MI), wide(32 * MI)))
case("cuda-shifted-read", "shifted", "256 Mi float32, off by one", "latency-bound",
     "2.1 GB move once (the fifth sector of a load is a neighbor's, from cache), half of them reads. A thread waits for 4 B: 1.1 MB are under "
     "way, where 2.4 TB/s of reads at 0.65 µs need 1.6 MB.",
     lambda: stream("shifted", 256 * MI), drawn="dram-bound")
case("cuda-stencil-2d", "stencil5", "16384×16384 float32", "latency-bound",
     "Rows of 64 KB stay in L2 for their neighbors: of a thread's loads one waits for DRAM. 1.1 MB are under way, where 2.4 TB/s of reads at "
     "0.65 µs need 1.6 MB; six accesses take L1 half of the cycles that the 8 B per point take DRAM.",
     lambda: go("stencil5", (64, 4096), (256, 4), floats(16384 ** 2), empty(16384 ** 2), 16384, 16384), drawn="dram-bound")
case("cuda-column-sums", "column_sums", "32768×16384 float32, a thread per column and 256 rows", "dram-bound",
     "Neighboring threads read neighboring columns: 2.1 GB are read once for one addition per 4 B.",
     lambda: go("column_sums", (64, 128), 256, floats(32768 * 16384), empty(128 * 16384), 32768, 16384, 256))
case("cuda-transpose-tiled", "transpose_tiled", "16384² float32", "dram-bound",
     "Both sides are coalesced through a padded tile: 2.1 GB move without arithmetic.",
     lambda: square("transpose_tiled", 16384, (32, 8)))
case("cuda-gather-identity", "gather", "128 Mi float32, index[i] = i", "latency-bound",
     "Equal to neighbors' order: 12 B per element, all used, two thirds of them reads. A thread waits for its index, then for its value: 1.1 MB "
     "are under way, where 3.2 TB/s of reads at 0.65 µs need 2.1 MB.",
     lambda: indexed("gather", cupy.arange(128 * MI, dtype=cupy.int32), 128 * MI), drawn="dram-bound")
case("cuda-gather-hot-line", "gather", "256 Mi of 32 float32", "latency-bound",
     "The 128 B that are gathered from stay in L1; index and result stream 2.1 GB, half of them reads. A thread waits for 4 B of index: 1.1 MB "
     "are under way, where 2.4 TB/s of reads at 0.65 µs need 1.6 MB.",
     lambda: indexed("gather", random_index(32, 256 * MI), 32), drawn="dram-bound")
case("cuda-triad-between-copies", "cupy.asarray(host); triad; get", "24 Mi float32 between copies of 134 MB", "dram-bound",
     "The kernel streams 302 MB, six times what L2 holds, for one multiply-add per 12 B; that the program waits for its copies is another matter.",
     lambda: between_copies(24 * MI), kernel="triad")

case("cuda-strided-read-32", "strided_read", "8 Mi of 256 Mi float32, every 32nd", "uncoalesced",
     "Each lane reads another line: 4 B used of a sector of 32 B.", lambda: strided("strided_read", 8 * MI, 32))
case("cuda-strided-read-8", "strided_read", "32 Mi of 256 Mi float32, every 8th", "uncoalesced",
     "Each lane reads a sector of its own: 4 B used of 32 B, 1.07 GB moved for 134 MB.", lambda: strided("strided_read", 32 * MI, 8))
case("cuda-strided-write-16", "strided_write", "16 Mi into 256 Mi float32, every 16th", "uncoalesced",
     "Each lane writes 4 B of a sector of 32 B of its own.", lambda: strided("strided_write", 16 * MI, 16))
case("cuda-aos-one-field", "masses", "16 Mi structures of 64 B, one float of each", "uncoalesced",
     "Structures lie 64 B apart: 4 B used of each sector of 32 B.",
     lambda: go("masses", 16 * MI // 256, 256, floats(256 * MI), empty(16 * MI), wide(16 * MI)))
case("cuda-aos-update", "move_particles", "16 Mi structures of 64 B, two floats of each", "uncoalesced",
     "8 B of each 64-byte structure are read, in one sector, and 4 B written: a quarter and an eighth of the sectors' bytes.",
     lambda: go("move_particles", 16 * MI // 256, 256, floats(256 * MI), 0.01, wide(16 * MI)))
case("cuda-row-per-thread", "row_sums", "524288×512 float32, a thread per row", "uncoalesced",
     "Lanes read 2 KB apart: 32 lines per access, so that 128 B take L1 32 cycles where DRAM would take 6.",
     lambda: go("row_sums", 2048, 256, floats(524288 * 512), empty(524288), 524288, 512))
case("cuda-transpose-naive", "transpose_naive", "16384² float32, blocks of 32×8", "uncoalesced",
     "Lanes write 64 KB apart: 32 sectors per store instead of 4.", lambda: square("transpose_naive", 16384, (32, 8)))
case("cuda-gather-random", "gather", "32 Mi random of 512 Mi float32", "uncoalesced",
     "The table is 43 times what L2 holds: 4 B used of each sector of 32 B.",
     lambda: indexed("gather", random_index(512 * MI, 32 * MI), 512 * MI))
case("cuda-scatter-random", "scatter", "32 Mi random of 512 Mi float32", "uncoalesced",
     "4 B written of each sector of 32 B, over 43 times what L2 holds.",
     lambda: indexed("scatter", random_index(512 * MI, 32 * MI), 512 * MI))

case("cuda-read-all-from-l2", "read_all", "264 blocks each read 16 MB, past L1", "l2-bound",
     "4.4 GB come out of L2, which holds the 16 MB; of DRAM they take 3 µs. 24 B per cycle and SM come from L2, L1 could take 128.",
     lambda: go("read_all", 264, 1024, floats(4 * MI), empty(264), MI, 1))
case("cuda-read-all-small", "read_all", "264 blocks each read 4 MB, eight times, past L1", "l2-bound",
     "8.9 GB come out of L2, which holds the 4 MB.", lambda: go("read_all", 264, 1024, floats(MI), empty(264), MI // 4, 8))
case("cuda-relax-in-l2", "relax", "12 MB in place, 100 times", "l2-bound",
     "1.3 GB are read from and 1.3 GB written to L2, which holds the 12 MB, for one multiplication per 8 B.",
     lambda: go("relax", 264, 1024, floats(3 * MI), wide(3 * MI // 4), 100))
case("cuda-reread-l1", "reread", "1056 blocks each read 16 KB 512 times", "l1-bound",
     "8 blocks' 128 KB per SM stay in L1, which gives one access of 128 B per cycle; each comes with one addition of four that could issue.",
     lambda: go("reread", 1056, 256, floats(1056 * 4096), empty(1056), 512))
case("cuda-gemm-naive", "gemm_naive", "2048³ float32, blocks of 32×32", "l1-bound",
     "Two loads per multiply-add take L1 two cycles per warp, the FP32 pipe a quarter; the 50 MB of matrices are read mostly from L1.",
     lambda: gemm(2048, 32))
case("cuda-gemm-naive-4096", "gemm_naive", "4096³ float32, blocks of 32×32", "l1-bound",
     "Two loads per multiply-add take L1 two cycles per warp, the FP32 pipe a quarter.", lambda: gemm(4096, 32))

case("cuda-walk-lists-dram", "walk", "a list per warp, 32 Mi nodes of 128 B, 64 warps per SM", "latency-bound",
     "Every step waits for the one before: 8448 warps each have one sector under way, which at 0.65 µs is 0.4 TB/s of DRAM's 4.8.",
     lambda: walk("walk", 32 * MI, 1000))
case("cuda-walk-lists-l2", "walk", "a list per warp, 64 Ki nodes of 128 B, 64 warps per SM", "latency-bound",
     "The 8 MB stay in L2; 8448 warps each have one sector under way, which at 0.2 µs is 1.4 TB/s of L2's 5.5.",
     lambda: walk("walk", 64 * 1024, 4000))
case("cuda-walk-lines-dram", "walk_lines", "a list of 128-byte nodes per warp, 32 Mi nodes, 64 warps per SM", "latency-bound",
     "8448 warps each have one line under way, which at 0.65 µs is 1.7 TB/s of DRAM's 4.8; every step waits for the one before.",
     lambda: walk("walk_lines", 32 * MI, 1000))
