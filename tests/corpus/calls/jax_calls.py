# SPDX-License-Identifier: MIT
"""Calls of JAX: what XLA compiles, and cuBLAS."""
from cases import Declare, Lazy

jax = Lazy("jax")
jnp = Lazy("jax.numpy")
case = Declare(__name__, "jax", "xla")
gemm = Declare(__name__, "jax", "cublas")
MI = 1 << 20


def uniform(*shape, dtype="float32"):
    return jax.random.uniform(jax.random.PRNGKey(7), shape, dtype=jnp.float32).astype(dtype)


def jitted(function, *arguments):
    compiled = jax.jit(function)
    return lambda: compiled(*arguments).block_until_ready()


def product(n, dtype, precision=None):
    return jitted(lambda a, b: jnp.matmul(a, b, precision=precision), uniform(n, n, dtype=dtype), uniform(n, n, dtype=dtype))


def polynomial(terms):
    def evaluate(x):
        total = x
        for k in range(terms):
            total = total * x + 0.001 * (k + 1)
        return total
    return jitted(evaluate, uniform(64 * MI))


def indices(high, count):
    return jax.random.randint(jax.random.PRNGKey(3), (count,), 0, high, dtype=jnp.int32)


gemm("jax-matmul-bf16-8192", "jnp.matmul(a, b)", "8192³ bfloat16", "tensor-bound",
     "1.1 TFLOP over 403 MB is 2731 FLOP/B, 13 times the ridge of 206.", lambda: product(8192, "bfloat16"))
gemm("jax-matmul-fp16-4096", "jnp.matmul(a, b)", "4096³ float16", "tensor-bound",
     "137 GFLOP over 101 MB is 1365 FLOP/B, 6.6 times the ridge of 206.", lambda: product(4096, "float16"))
gemm("jax-matmul-fp32-highest", "jnp.matmul(a, b, precision='highest')", "4096³ float32", "fp32-bound",
     "The highest precision leaves out TF32: 137 GFLOP at 67 TFLOP/s take 2.1 ms, 201 MB at 4.8 TB/s take 0.04 ms.",
     lambda: product(4096, "float32", "highest"))
case("jax-axpy", "jit(a * x + y)", "256 Mi float32", "dram-bound", "3.2 GB stream through once for one multiply-add per 12 B.",
     lambda: jitted(lambda x, y: 2.5 * x + y, uniform(256 * MI), uniform(256 * MI)))
case("jax-fused-chain", "jit(max(x * y + x, 0) - 0.5 * y)", "256 Mi float32", "dram-bound",
     "XLA fuses the chain into one kernel: 3.2 GB for four FLOP per 12 B.",
     lambda: jitted(lambda x, y: jnp.maximum(x * y + x, 0) - 0.5 * y, uniform(256 * MI), uniform(256 * MI)))
case("jax-cast-bf16", "jit(x.astype(bfloat16))", "512 Mi float32", "dram-bound", "3.2 GB stream through once for one conversion per 6 B.",
     lambda: jitted(lambda x: x.astype(jnp.bfloat16), uniform(512 * MI)))
case("jax-sum", "jit(x.sum())", "512 Mi float32", "dram-bound", "2.1 GB are read once for one addition per 4 B.",
     lambda: jitted(lambda x: x.sum(), uniform(512 * MI)))
case("jax-sum-rows", "jit(x.sum(axis=1))", "131072 rows of 4096 float32", "dram-bound", "2.1 GB are read once for one addition per 4 B.",
     lambda: jitted(lambda x: x.sum(axis=1), uniform(131072, 4096)))
case("jax-transpose", "jit(transpose(x) + 0)", "16384² float32", "dram-bound",
     "XLA transposes through tiles in shared memory: 2.1 GB move, coalesced on both sides, without arithmetic.",
     lambda: jitted(lambda x: jnp.transpose(x) + 0.0, uniform(16384, 16384)))
case("jax-polynomial", "jit of 256 multiply-adds", "64 Mi float32", "fp32-bound",
     "256 multiplications and additions per 8 B take 2 to 4 cycles of 128 lanes, the bytes 0.4.", lambda: polynomial(256))
case("jax-take-random", "jit(table[index])", "64 Mi random of 512 Mi float32", "uncoalesced",
     "The table is 43 times what L2 holds: 4 B used of each sector of 32 B.",
     lambda: jitted(lambda t, i: t[i], uniform(512 * MI), indices(512 * MI, 64 * MI)))
case("jax-strided-slice", "jit(x[::16] * 2)", "32 Mi of 512 Mi float32", "uncoalesced",
     "Neighboring lanes read 64 B apart: 4 B used of each sector of 32 B.", lambda: jitted(lambda x: x[::16] * 2, uniform(512 * MI)))
case("jax-segment-sum-64", "jit(segment_sum(x, index, 64))", "16 Mi float32 into 64 places", "atomics",
     "262144 additions queue up at each of 64 addresses; the 134 MB read would take 0.03 ms.",
     lambda: jitted(lambda x, i: jax.ops.segment_sum(x, i, 64), uniform(16 * MI), indices(64, 16 * MI)))
case("jax-add-tiny", "jit(x + 1)", "1024 float32", "launch-overhead", "8 KB of work in at most eight blocks: the launch costs a thousand times more.",
     lambda: jitted(lambda x: x + 1, uniform(1024)), also=("small-grid",),
     tie="one short launch of few blocks: too little work per launch and too few blocks are the same fact")
