# SPDX-License-Identifier: MIT
"""Calls of Triton kernels (calls/triton_kernels.py)."""
from cases import Declare, Lazy

torch = Lazy("torch")
kernels = Lazy("calls.triton_kernels")
case = Declare(__name__, "triton", "own")
MI = 1 << 20


def uniform(*shape, dtype="float32"):
    return torch.rand(*shape, device="cuda", dtype=torch.float32).to(getattr(torch, dtype))


def launch(name, programs, *arguments, **options):
    return lambda: getattr(kernels, name)[(programs,)](*arguments, **options)


def elementwise(name, n, inputs, dtype="float32"):
    values = [uniform(n, dtype=dtype) for _ in range(inputs)]
    return launch(name, n // 1024, *values, torch.empty_like(values[0]), n, BLOCK=1024)


def looped(name, n, steps, dtype="float32"):
    x = uniform(n) if dtype == "float32" else torch.randint(1, 1 << 30, (n,), device="cuda", dtype=torch.int32)
    return launch(name, n // 1024, x, torch.empty_like(x), steps, BLOCK=1024)


def rows(name, count, columns, *more, num_warps=4, dtype="float32"):
    x = uniform(count, columns, dtype=dtype)
    return launch(name, count, x, *more, torch.empty_like(x), columns, BLOCK=columns, num_warps=num_warps)


def rms_norm(count, columns):
    return rows("rms_norm", count, columns, torch.ones(columns, device="cuda", dtype=torch.bfloat16), num_warps=8, dtype="bfloat16")


def strided(n, stride):
    return launch("strided", n // 1024, uniform(n * stride), uniform(n), n, stride, BLOCK=1024)


def gather(table, n):
    index = torch.randint(0, table, (n,), device="cuda", dtype=torch.int64)
    return launch("gather", n // 1024, uniform(table), index, uniform(n), n, BLOCK=1024)


def matmul(m, n, k, blocks, dtype="bfloat16", **options):
    a, b = uniform(m, k, dtype=dtype), uniform(k, n, dtype=dtype)
    c = torch.empty(m, n, device="cuda", dtype=a.dtype)
    return launch("matmul", (m // blocks[0]) * (n // blocks[1]), a, b, c, m, n, k, BLOCK_M=blocks[0], BLOCK_N=blocks[1], BLOCK_K=blocks[2],
                  **options)


def histogram(bins, n):
    index = torch.randint(0, bins, (n,), device="cuda", dtype=torch.int64)
    return launch("histogram", n // 1024, index, torch.zeros(bins, device="cuda"), n, BLOCK=1024)


def ragged(lengths):
    offsets = torch.tensor([0] + lengths, device="cuda").cumsum(0).to(torch.int32)
    return launch("ragged_sums", len(lengths), uniform(sum(lengths)), offsets, uniform(len(lengths)), BLOCK=1024)


case("triton-add", "add", "256 Mi float32", "dram-bound", "3.2 GB stream through once for one addition per 12 B.",
     lambda: elementwise("add", 256 * MI, 2))
case("triton-swiglu-fp32", "swiglu", "256 Mi float32", "dram-bound",
     "12 B take 0.58 cycles of an SM at DRAM's peak; an exponential and a division take 0.13 of the transcendental pipe, about 20 instructions 0.16.",
     lambda: elementwise("swiglu", 256 * MI, 2))
case("triton-softmax-2048", "softmax", "131072 rows of 2048 float32, a program per row", "dram-bound",
     "A row stays in the registers of its program (16 per thread): 2.1 GB move once for one exponential per 8 B.",
     lambda: rows("softmax", 131072, 2048))
case("triton-rms-norm-bf16", "rms_norm", "131072 rows of 4096 bfloat16, a program per row", "dram-bound",
     "A row stays in the registers of its program: 2.1 GB move once; about ten instructions per 4 B take 0.08 cycles of 0.19.",
     lambda: rms_norm(131072, 4096))
case("triton-strided-16", "strided", "16 Mi of 256 Mi float32, every 16th", "uncoalesced",
     "Neighboring lanes read 64 B apart: 4 B used of each sector of 32 B.", lambda: strided(16 * MI, 16))
case("triton-gather-random", "gather", "64 Mi random of 512 Mi float32", "uncoalesced",
     "The table is 43 times what L2 holds: 4 B used of each sector of 32 B.", lambda: gather(512 * MI, 64 * MI))
case("triton-matmul-bf16-8192", "matmul", "8192³ bfloat16, tiles of 128×256×64", "tensor-bound",
     "1.1 TFLOP over 403 MB is 2731 FLOP/B, 13 times the ridge of 206; 2048 tiles are 15.5 waves of 132 SMs.",
     lambda: matmul(8192, 8192, 8192, (128, 256, 64), num_warps=8, num_stages=3))
case("triton-matmul-fp16-wide", "matmul", "16384×4096 by 4096×8192 float16, tiles of 128×256×64", "tensor-bound",
     "1.1 TFLOP over 470 MB is 2341 FLOP/B, eleven times the ridge of 206; 4096 tiles are 31 waves.",
     lambda: matmul(16384, 8192, 4096, (128, 256, 64), "float16", num_warps=8, num_stages=3))
case("triton-matmul-tail", "matmul", "1536×1536×16384 bfloat16, tiles of 128×128×64, four stages", "tail-effect",
     "144 tiles with 131 KB of shared memory, thus one per SM: the second wave of 132 has 12, and 45 % of the SM time is empty.",
     lambda: matmul(1536, 1536, 16384, (128, 128, 64), num_warps=8, num_stages=4))
case("triton-matmul-few-tiles", "matmul", "512×512×16384 bfloat16, tiles of 128×128×64", "small-grid",
     "16 tiles on 132 SMs, each through all of K.", lambda: matmul(512, 512, 16384, (128, 128, 64), num_warps=8, num_stages=4))
case("triton-exponentials", "exponentials", "32 Mi float32, 128 times exp2", "xu-bound",
     "An exponential keeps the 16 lanes for 8 issue slots and comes with at most five other instructions: 8 cycles per element, the bytes 0.4.",
     lambda: looped("exponentials", 32 * MI, 128))
case("triton-polynomial", "polynomial", "32 Mi float32, 1024 multiply-adds", "fp32-bound",
     "1024 multiply-adds per 8 B take 8 cycles of 128 lanes, the bytes 0.4.", lambda: looped("polynomial", 32 * MI, 1024))
case("triton-hashes", "hashes", "32 Mi int32, 256 steps of xorshift", "int-bound",
     "Of six instructions per step at least four (right shift, three XORs) need the 64-lane ALU: at least 8 slots' time of 6 slots.",
     lambda: looped("hashes", 32 * MI, 256, "int32"))
case("triton-column-means-8", "column_means", "65536×1024 float32, 8 programs of 128 columns", "small-grid",
     "8 programs on 132 SMs, each through 65536 rows.",
     lambda: launch("column_means", 8, uniform(65536, 1024), uniform(1024), 65536, 1024, BLOCK=128))
case("triton-softmax-few-rows", "softmax", "16 rows of 8192 float32, 500 KB", "small-grid",
     "16 programs on 132 SMs, each with a row of 32 KB.", lambda: rows("softmax", 16, 8192, num_warps=8), also=("launch-overhead",),
     tie="one short launch of few blocks: too little work per launch and too few blocks are the same fact")
case("triton-histogram-16", "histogram", "16 Mi indices, 16 bins", "atomics",
     "1 Mi additions queue up at each of 16 addresses; the 134 MB read would take 0.03 ms.", lambda: histogram(16, 16 * MI))
case("triton-softmax-one-warp", "softmax", "8192 rows of 16384 float32, one warp per program", "register-spills",
     "A row is 512 values per thread of a single warp, where 255 registers are the most: the rest of it is stored and loaded again.",
     lambda: rows("softmax", 8192, 16384, num_warps=1))
case("triton-ragged-sums", "ragged_sums", "264 sequences, two of 8 Mi and the others of 16384 float32", "load-imbalance",
     "A program per sequence: two of 264 have 80 % of the elements.",
     lambda: ragged([8 * MI if k in (17, 200) else 16384 for k in range(264)]))
