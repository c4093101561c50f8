# SPDX-License-Identifier: MIT
"""User kernels that compute (kernels/compute.cu, kernels/divergence.cu).

Per cycle an SM of the H200 issues 4 warp instructions and makes 128 lanes of FP32 multiply-add, 64 of FP64, 64 of the integer ALU (logic,
shifts, comparisons), 16 of the transcendental pipe; DRAM gives it 20.7 B. Every thread here reads and writes at most 16 B."""
from functools import partial

from calls.cuda import MI, cupy, empty, floats, launch
from cases import Declare

case = Declare(__name__, "cuda", "own")
go = partial(launch, "compute")
BOTH = "the pipe and the issue slots that feed it run out together"


def elements(name, n, steps, dtype="float32"):
    values = floats(n).astype(dtype) if dtype != "int32" else cupy.random.randint(0, 1 << 30, n, dtype=cupy.int32)
    return go(name, n // 256, 256, values, empty(n, dtype), steps)


def in_place(name, n, steps):
    return go(name, n // 256, 256, cupy.random.randint(0, 1 << 30, n, dtype=cupy.int32).astype(cupy.uint32), steps)


def bodies(name, n, dtype):
    return go(name, n // 256, 256, cupy.random.random(4 * n).astype(dtype), empty(4 * n, dtype), n)


def mixed(name, n, steps):
    return go(name, n // 256, 256, floats(n), empty(n), steps)


def diverge(name, n, *arguments):
    return launch("divergence", name, n // 256, 256, cupy.random.randint(0, 1 << 30, n, dtype=cupy.int32), empty(n), *arguments)


case("cuda-polynomial-fp32", "polynomial_fp32", "16 Mi float32, 4 × 512 terms", "fp32-bound",
     "2048 multiply-adds per 8 B take 16 cycles of 128 lanes; the bytes take 0.4.", lambda: elements("polynomial_fp32", 16 * MI, 512))
case("cuda-polynomial-fp32-short", "polynomial_fp32", "64 Mi float32, 4 × 128 terms", "fp32-bound",
     "512 multiply-adds per 8 B take 4 cycles; the bytes take 0.4.", lambda: elements("polynomial_fp32", 64 * MI, 128))
case("cuda-bodies-fp32", "bodies_fp32", "135168 bodies, all pairs", "fp32-bound",
     "Of about 17 instructions per pair 12 to 14 are FP32 (70 to 80 % of the slots), one is a reciprocal root (47 % of the transcendental pipe), "
     "one a load that 32 lanes share.", lambda: bodies("bodies_fp32", 135168, "float32"),
     also=("issue-bound",), tie=BOTH)
case("cuda-polynomial-fp64", "polynomial_fp64", "8 Mi float64, 4 × 256 terms", "fp64-bound",
     "1024 multiply-adds per 16 B take 16 cycles of 64 lanes; the bytes take 0.8.", lambda: elements("polynomial_fp64", 8 * MI, 256, "float64"))
case("cuda-bodies-fp64", "bodies_fp64", "135168 bodies, all pairs", "fp64-bound",
     "About 20 FP64 instructions per pair, the refined square root among them, take 0.31 cycles of 64 lanes; all others fit in the other issue "
     "slots.", lambda: bodies("bodies_fp64", 135168, "float64"))
case("cuda-double-literals", "double_literals", "32 Mi float32, 256 steps with double literals", "fp64-bound",
     "The literals make 512 FP64 multiply-adds per 8 B: 8 cycles of 64 lanes against 0.4 for the bytes.",
     lambda: elements("double_literals", 32 * MI, 256))
case("cuda-exponentials", "exponentials", "32 Mi float32, 128 times __expf", "xu-bound",
     "An exponential keeps the 16 lanes for 8 issue slots and comes with at most five other instructions: 8 cycles per element, the bytes 0.4.",
     lambda: elements("exponentials", 32 * MI, 128))
case("cuda-sines", "sines", "32 Mi float32, 64 times __sinf + __cosf", "xu-bound",
     "Two transcendental instructions of 16 lanes against four of other pipes: 8 cycles per element, the bytes 0.4.",
     lambda: elements("sines", 32 * MI, 64))
case("cuda-square-roots", "square_roots", "32 Mi float32, 128 times rsqrt", "xu-bound",
     "One transcendental instruction (8 slots' time) against two additions: 8 cycles per element, the bytes 0.4.",
     lambda: elements("square_roots", 32 * MI, 128))
case("cuda-quotients", "quotients", "32 Mi float32, 128 times __fdividef", "xu-bound",
     "A fast division is one reciprocal of the 16-lane pipe with one to five instructions around it: 8 of 8 slots against at most 5.",
     lambda: elements("quotients", 32 * MI, 128))
case("cuda-logarithms", "logarithms", "32 Mi float32, 128 times __log2f", "xu-bound",
     "A logarithm of the 16-lane pipe against at most five instructions around it: 8 of 8 slots against at most 5.",
     lambda: elements("logarithms", 32 * MI, 128))
case("cuda-xorshift", "xorshift", "32 Mi uint32, 256 steps", "int-bound",
     "Of six instructions per step at least four (right shift, three XORs) need the 64-lane ALU: at least 8 slots' time of 6 slots.",
     lambda: in_place("xorshift", 32 * MI, 256))
case("cuda-murmur", "murmur", "32 Mi uint32, 256 steps", "int-bound",
     "Of eight instructions per step six (shifts, XORs) need the 64-lane ALU, the two multiplications the FMA pipe.",
     lambda: in_place("murmur", 32 * MI, 256))
case("cuda-chacha", "chacha", "1 Mi threads × 64 blocks of ChaCha20", "int-bound",
     "Of twelve instructions per quarter round eight (XORs, rotations) need the 64-lane ALU: 16 slots' time of 12 slots; no memory.",
     lambda: go("chacha", 4096, 256, empty(MI, "uint32"), 64))
case("cuda-bounds", "bounds", "32 Mi int32, 256 steps", "int-bound",
     "Every instruction of a step (shift, XORs, minimum, maximum) needs the 64-lane ALU.", lambda: elements("bounds", 32 * MI, 256, "int32"))
case("cuda-filter-and-mix", "filter_and_mix", "32 Mi float32, 512 steps", "issue-bound",
     "Two multiply-adds (67 % of their pipe) and one rotation (67 % of the ALU) fill three of three issue slots; 8 B per 1536 instructions.",
     lambda: mixed("filter_and_mix", 32 * MI, 512))
case("cuda-filter-and-peak", "filter_and_peak", "32 Mi float32, 512 steps", "issue-bound",
     "Two multiply-adds (67 % of their pipe) and one maximum (67 % of the ALU) fill three of three issue slots.",
     lambda: mixed("filter_and_peak", 32 * MI, 512))
case("cuda-noise-and-filter", "noise_and_filter", "32 Mi float32, 256 steps", "issue-bound",
     "Four multiply-adds (67 %) and two integer operations (67 % of the ALU) fill six of six issue slots.",
     lambda: mixed("noise_and_filter", 32 * MI, 256))
case("cuda-interpreter", "interpret", "4 Mi threads, each with instructions of its own, 256 steps", "divergence",
     "32 lanes draw from 16 operations at random, so that a warp runs about 14 of 16 sides in turn, each for 2 lanes of 32.",
     lambda: diverge("interpret", 4 * MI, 256))
case("cuda-random-trips", "random_trips", "4 Mi threads, 8 to 4096 steps, mostly few", "divergence",
     "Half of the lanes take 8 steps, one of 32 takes 4096, 252 on average: a warp lasts as long as its longest lane, mostly 2048 or 4096.",
     lambda: diverge("random_trips", 4 * MI, 4096))
case("cuda-one-lane", "one_lane", "4 Mi threads, lane 0 of each warp works 1024 steps", "divergence",
     "31 of 32 lanes are idle while lane 0 computes.", lambda: diverge("one_lane", 4 * MI, 1024))
case("cuda-mandelbrot-shuffled", "escape_times", "4 Mi points in random order, up to 1024 steps", "divergence",
     "A point of six lies in the set and takes all 1024 steps, most others escape within 20: a warp lasts 1024 steps for about 6 of 32 lanes.",
     lambda: diverge("escape_times", 4 * MI, 1024))
case("cuda-eight-kinds", "eight_kinds", "4 Mi elements of eight kinds in random order", "divergence",
     "Each of eight kinds has a loop of its own; a warp with all eight runs them in turn, each for 4 lanes of 32.",
     lambda: diverge("eight_kinds", 4 * MI, 128))
