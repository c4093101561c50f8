# SPDX-License-Identifier: MIT
"""Triton kernels as users write them. Imported on a machine with Triton only."""
import triton
import triton.language as tl


@triton.jit
def add(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(a + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)


@triton.jit
def swiglu(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(a + at, mask=at < n)
    tl.store(out + at, x * tl.sigmoid(x) * tl.load(b + at, mask=at < n), mask=at < n)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * columns + tl.arange(0, BLOCK)
    row = tl.load(x + at)
    powers = tl.exp(row - tl.max(row, 0))
    tl.store(out + at, powers / tl.sum(powers, 0))


@triton.jit
def rms_norm(x, weight, out, columns, BLOCK: tl.constexpr):
    columns_at = tl.arange(0, BLOCK)
    at = tl.program_id(0).to(tl.int64) * columns + columns_at
    row = tl.load(x + at).to(tl.float32)
    scale = tl.rsqrt(tl.sum(row * row, 0) / columns + 1e-5)
    tl.store(out + at, (row * scale * tl.load(weight + columns_at).to(tl.float32)).to(out.dtype.element_ty))


@triton.jit
def strided(x, out, n, stride, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at * stride, mask=at < n), mask=at < n)


@triton.jit
def gather(table, index, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(table + tl.load(index + at, mask=at < n), mask=at < n), mask=at < n)


@triton.jit
def matmul(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    tiles = tl.cdiv(M, BLOCK_M)
    m = tl.program_id(0) % tiles * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(0) // tiles * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_at, b_at = a + m[:, None] * K + k[None, :], b + k[:, None] * N + n[None, :]
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, K, BLOCK_K):
        sums = tl.dot(tl.load(a_at), tl.load(b_at), sums)
        a_at += BLOCK_K
        b_at += BLOCK_K * N
    tl.store(c + m[:, None] * N + n[None, :], sums.to(c.dtype.element_ty))


@triton.jit
def exponentials(x, out, steps, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    for _ in range(steps):
        value = tl.exp2(-value)
    tl.store(out + at, value)


@triton.jit
def polynomial(x, out, steps, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    total = value
    for _ in range(steps):
        total = total * value + 0.1
    tl.store(out + at, total)


@triton.jit
def hashes(x, out, steps, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at).to(tl.uint32, bitcast=True)
    for _ in range(steps):
        value ^= value << 13
        value ^= value >> 17
        value ^= value << 5
    tl.store(out + at, value.to(tl.int32, bitcast=True))


@triton.jit
def column_means(x, out, rows, columns, BLOCK: tl.constexpr):
    """A program per block of columns, through all rows."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(rows):
        total += tl.load(x + row * columns + at)
    tl.store(out + at, total / rows)


@triton.jit
def histogram(index, bins, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(bins + tl.load(index + at, mask=at < n), 1.0, mask=at < n)


@triton.jit
def ragged_sums(x, offsets, out, BLOCK: tl.constexpr):
    """A program per sequence."""
    first, last = tl.load(offsets + tl.program_id(0)), tl.load(offsets + tl.program_id(0) + 1)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for begin in range(first, last, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        total += tl.load(x + at, mask=at < last, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(total, 0))
