# SPDX-License-Identifier: MIT
"""Calls of CuPy: its elementwise kernels, CUB, cuBLAS and cuFFT."""
from functools import partial

from calls.cuda import MI, cupy, floats
from cases import Declare

case = Declare(__name__, "cupy", "cupy")
cub = Declare(__name__, "cupy", "cub")
gemm = Declare(__name__, "cupy", "cublas")
SAME_PIPE = "double-precision matrix instructions run on the FP64 tensor pipe: both classes name that unit"


def elementwise(code, n, *arrays):
    """A kernel of one output from cupy.ElementwiseKernel."""
    kernel = cupy.ElementwiseKernel(", ".join(f"T x{k}" for k in range(len(arrays))), "T y", code, "corpus_kernel")
    out = cupy.empty(n, dtype=arrays[0].dtype)
    return partial(kernel, *arrays, out)


def binary(name, n, dtype="float32"):
    a, b = floats(n).astype(dtype), floats(n).astype(dtype)
    return partial(getattr(cupy, name), a, b, out=cupy.empty_like(a))


def scatter_add(bins, n):
    into, index, values = cupy.zeros(bins, dtype=cupy.float32), cupy.random.randint(0, bins, n, dtype=cupy.int32), floats(n)
    return lambda: cupy.add.at(into, index, values)


def fft(batch, n):
    return partial(cupy.fft.fft, (floats(batch * n) + 1j * floats(batch * n)).astype(cupy.complex64).reshape(batch, n))


case("cupy-add-fp32", "cupy.add(a, b)", "256 Mi float32", "dram-bound", "3.2 GB stream through once for one addition per 12 B.",
     lambda: binary("add", 256 * MI))
case("cupy-multiply-fp64", "cupy.multiply(a, b)", "128 Mi float64", "dram-bound", "3.2 GB for one FP64 multiplication per 24 B.",
     lambda: binary("multiply", 128 * MI, "float64"))
case("cupy-fft-1024", "cupy.fft.fft(x)", "131072 transforms of 1024 complex64", "dram-bound",
     "One pass of 2.1 GB for 5·10 FLOP per 16 B: 3 FLOP/B against a ridge of 14.", lambda: fft(131072, 1024), library="cufft")
case("cupy-take-random", "cupy.take(table, index)", "64 Mi random of 512 Mi float32", "uncoalesced",
     "The table is 43 times what L2 holds: 4 B used of each sector of 32 B.",
     lambda: partial(cupy.take, floats(512 * MI), cupy.random.randint(0, 512 * MI, 64 * MI, dtype=cupy.int32)))
case("cupy-strided-add", "a[::8] + b[::8]", "32 Mi of 256 Mi float32, twice", "uncoalesced",
     "Each operand's 4 B cost a sector of 32 B: 64 B are read where 8 are used.",
     lambda: partial(cupy.add, floats(256 * MI)[::8], floats(256 * MI)[::8]))
case("cupy-scatter-add-32", "cupy.add.at(out, index, values)", "16 Mi float32 into 32 places", "atomics",
     "524288 additions queue up at each of 32 addresses; the 134 MB read would take 0.03 ms.", lambda: scatter_add(32, 16 * MI))
case("cupy-elementwise-polynomial-fp64", "cupy.ElementwiseKernel", "16 Mi float64, 512 multiply-adds", "fp64-bound",
     "512 multiply-adds per 16 B take 8 cycles of 64 lanes, the bytes 0.8.",
     lambda: elementwise("T x = x0, value = x0; for (int k = 0; k < 512; ++k) value = value * x + 0.1; y = value;", 16 * MI, floats(16 * MI).astype("float64")))
case("cupy-elementwise-hash", "cupy.ElementwiseKernel", "32 Mi uint32, 256 steps of a hash", "int-bound",
     "Of eight instructions per step six (shifts, XORs) need the 64-lane ALU.",
     lambda: elementwise("y = x0; for (int k = 0; k < 256; ++k) { y ^= y >> 16; y *= 0x85ebca6bu; y ^= y >> 13; y *= 0xc2b2ae35u; y ^= y >> 16; }",
                         32 * MI, cupy.random.randint(0, 1 << 30, 32 * MI, dtype=cupy.int32).astype(cupy.uint32)))
case("cupy-elementwise-exp", "cupy.ElementwiseKernel", "32 Mi float32, 128 times __expf", "xu-bound",
     "An exponential keeps the 16 lanes for 8 issue slots and comes with at most five other instructions: 8 cycles per element, the bytes 0.4.",
     lambda: elementwise("y = x0; for (int k = 0; k < 128; ++k) y = __expf(-y);", 32 * MI, floats(32 * MI)))
cub("cupy-sum", "cupy.sum(x)", "512 Mi float32, CUB", "dram-bound", "2.1 GB are read once for one addition per 4 B.",
    lambda: partial(cupy.sum, floats(512 * MI)))
cub("cupy-sort-1024", "cupy.sort(x)", "1024 float32", "small-grid",
    "1024 keys are at most four tiles of a block-wide sort, on 132 SMs.", lambda: partial(cupy.sort, floats(1024)), also=("launch-overhead",),
    tie="one short launch of few blocks: too little work per launch and too few blocks are the same fact")
gemm("cupy-matmul-fp64-8192", "cupy.matmul(a, b)", "8192³ float64", "fp64-bound",
     "1.1 TFLOP at the FP64 peak of 67 TFLOP/s take 16 ms, 1.6 GB at 4.8 TB/s take 0.34 ms.",
     lambda: square(8192, "float64"), also=("tensor-bound",), tie=SAME_PIPE)
gemm("cupy-matmul-fp32-4096", "cupy.matmul(a, b)", "4096³ float32", "fp32-bound",
     "CuPy leaves TF32 off: 137 GFLOP at 67 TFLOP/s take 2.1 ms, 201 MB at 4.8 TB/s take 0.04 ms.", lambda: square(4096, "float32"))
gemm("cupy-matmul-fp16-8192", "cupy.matmul(a, b)", "8192³ float16", "tensor-bound",
     "1.1 TFLOP over 403 MB is 2731 FLOP/B, 13 times the ridge of 206.", lambda: square(8192, "float16"))


def square(n, dtype):
    return partial(cupy.matmul, floats(n * n).astype(dtype).reshape(n, n), floats(n * n).astype(dtype).reshape(n, n))
