#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Launches of PyTorch, its libraries and Triton for tests/data/lift/walk.py.

    launches.py CASE REPEATS               runs the case as often, each time on an idle GPU with an empty L2
    launches.py --time FILE REPEATS MIB    writes the median GPU time of each case's kernel, ns, as JSON; MIB: physical memory to take
                                           before, without an address
"""
import ctypes
import json
import re
import statistics
import struct
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_rows(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf")).to(tl.float32)
    value = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * columns + at, (value / tl.sum(value, axis=0)).to(tl.bfloat16), mask=at < columns)


@triton.jit
def matmul_tiles(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    ks = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        left = tl.load(a + rows[:, None] * K + (k + ks)[None, :])
        right = tl.load(b + (k + ks)[:, None] * N + columns[None, :])
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.bfloat16))


def normal(*shape, dtype=torch.bfloat16):
    return torch.randn(*shape, device="cuda", dtype=dtype)


def triton_softmax():
    x = normal(4096, 2048)
    out = torch.empty_like(x)

    def call():
        softmax_rows[(x.shape[0],)](x, out, x.shape[1], BLOCK=2048, num_warps=8)
        return out
    return call


def triton_matmul():
    a, b = normal(1024, 1024), normal(1024, 1024)
    c = torch.empty_like(a)

    def call():
        matmul_tiles[(8, 8)](a, b, c, 1024, 1024, 1024, BM=128, BN=128, BK=64, num_warps=8, num_stages=3)
        return c
    return call


def flash_attention():
    q, k, v = (normal(2, 16, 1024, 64) for _ in range(3))

    def call():
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.FLASH_ATTENTION):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return call


def gemm_bf16():
    a, b = normal(2048, 2048), normal(2048, 2048)
    out = torch.empty_like(a)
    return lambda: torch.mm(a, b, out=out)


def gemm_fp32():
    torch.backends.cuda.matmul.allow_tf32 = False
    a, b = normal(1024, 1024, dtype=torch.float32), normal(1024, 1024, dtype=torch.float32)
    out = torch.empty_like(a)
    return lambda: torch.mm(a, b, out=out)


def gelu():
    x = normal(4096, 2048)
    return lambda: torch.nn.functional.gelu(x)


def layer_norm():
    x, weight, bias = normal(4096, 2048), normal(2048), normal(2048)
    return lambda: torch.nn.functional.layer_norm(x, (2048,), weight, bias)


def softmax():
    x = normal(4096, 2048)
    return lambda: torch.softmax(x, dim=-1)


def index_add():
    out = torch.zeros(4096, 256, device="cuda")
    index = torch.randint(0, 4096, (16384,), device="cuda")
    values = normal(16384, 256, dtype=torch.float32)
    return lambda: out.index_add_(0, index, values)


def transposed_copy():
    x = normal(2048, 2048, dtype=torch.float32)
    return lambda: x.t().contiguous()


def row_sums():
    x = normal(4096, 2048, dtype=torch.float32)
    return lambda: x.sum(dim=-1)


CASES = {
    "triton_softmax": (triton_softmax, "softmax_rows"),
    "triton_matmul": (triton_matmul, "matmul_tiles"),
    "flash_attention": (flash_attention, "flash_fwd"),
    "gemm_bf16": (gemm_bf16, "gemm|nvjet|cutlass"),
    "gemm_fp32": (gemm_fp32, "gemm|nvjet|cutlass"),
    "gelu": (gelu, "GeluCUDAKernel|[Gg]elu"),
    "layer_norm": (layer_norm, "layer_norm"),
    "softmax": (softmax, "[Ss]oft[Mm]ax"),
    "index_add": (index_add, "indexFunc|index_add|indexAdd"),
    "transposed_copy": (transposed_copy, "elementwise_kernel.*copy|copy.*elementwise_kernel|transpose"),
    "row_sums": (row_sums, "reduce_kernel"),
}


def run(case, repeats):
    torch.manual_seed(1)
    call = CASES[case][0]()
    flush = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size, dtype=torch.uint8, device="cuda")
    for _ in range(repeats):
        flush.fill_(1)
        torch.cuda.synchronize()  # the launch is alone, as those of a kernel that was lifted are
        result = call()
        torch.cuda.synchronize()
        result.zero_()  # else the next one would leave what is there already, and nothing could be compared
    torch.cuda.synchronize()


def take_memory(mib):
    """What is allocated later lies in other physical memory, at the addresses that it would have had."""
    torch.cuda.synchronize()  # creates the context
    pinned, device = 1, 1  # of CUmemAllocationProp: type, kind of location
    properties = struct.pack("iiiiQQ", pinned, 0, device, 0, 0, 0)
    memory = ctypes.c_uint64()
    if mib and ctypes.CDLL("libcuda.so.1").cuMemCreate(ctypes.byref(memory), ctypes.c_size_t(mib << 20), properties, ctypes.c_uint64(0)):
        sys.exit(f"{mib} MiB could not be taken")


def time_all(file, repeats):
    times = {}
    for case, (_, pattern) in CASES.items():
        try:
            run(case, 5)
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
                run(case, repeats)
            spans = [event.device_time_total * 1000 for event in profile.events()
                     if event.device_type == torch.autograd.DeviceType.CUDA and re.search(pattern, event.name)]
            times[case] = {"ns": statistics.median(spans[2:]), "n": len(spans)} if len(spans) > 5 else {"error": f"{len(spans)} launches"}
        except Exception as failure:  # one case does not stop the others
            times[case] = {"error": str(failure)[:300]}
    with open(file, "w", encoding="utf-8") as out:
        json.dump(times, out)


if __name__ == "__main__":
    if sys.argv[1] == "--time":
        take_memory(int(sys.argv[4]))
        time_all(sys.argv[2], int(sys.argv[3]))
    else:
        run(sys.argv[1], int(sys.argv[2]))
