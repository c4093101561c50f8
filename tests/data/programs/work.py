# SPDX-License-Identifier: MIT
"""What walk.py profiles: one kind of work per call, with PyTorch."""
import os
import subprocess
import sys

import torch

STEPS = 50


def step(x, y):
    """Kernels of some 20 to 60 us each on an H200."""
    torch.mul(x, 2.0, out=y)
    z = torch.softmax(y, dim=-1)
    return torch.sum(z, dim=0)


def inputs(rows=8192):
    torch.manual_seed(1)
    x = torch.randn(rows, 4096, device="cuda")
    return x, torch.empty_like(x)


def warm_up(x, y, times=200):
    for _ in range(times):
        step(x, y)
    torch.cuda.synchronize()


def plain():
    x, y = inputs()
    warm_up(x, y)
    torch.cuda.nvtx.range_push("measured")
    for _ in range(STEPS):
        step(x, y)
    torch.cuda.nvtx.range_pop()
    torch.cuda.synchronize()


def graph():
    x, y = inputs()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        warm_up(x, y)
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured):
        step(x, y)
    for _ in range(STEPS):
        captured.replay()
    torch.cuda.synchronize()


def ranges():
    x, y = inputs()
    warm_up(x, y, 20)
    for _ in range(3):
        torch.exp(x)  # outside of the range
    for _ in range(120):
        torch.cuda.nvtx.range_push("step")
        step(x, y)
        torch.cuda.nvtx.range_pop()
    torch.cuda.synchronize()


def streams():
    small = torch.zeros(4096, device="cuda")
    one, other = torch.cuda.Stream(), torch.cuda.Stream()
    torch.cuda.synchronize()
    for _ in range(20):
        with torch.cuda.stream(one):
            torch.cuda._sleep(2_000_000)  # a kernel of one block, about 1 ms
        with torch.cuda.stream(other):
            for _ in range(40):
                small.add_(1)
        torch.cuda.synchronize()
    for _ in range(100):
        small.mul_(1.5)  # by itself
    torch.cuda.synchronize()


def processes():
    """Two ranks as torchrun starts them, each on a GPU of its own where there are two."""
    if "RANK" in os.environ:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count())
        x, y = inputs(1024)
        warm_up(x, y, 30 * (1 + int(os.environ["RANK"])))
        return
    ranks = [subprocess.Popen([sys.executable, __file__, "processes"],
                              env=dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2")) for rank in range(2)]
    sys.exit(max(rank.wait() for rank in ranks))


{"plain": plain, "graph": graph, "ranges": ranges, "streams": streams, "processes": processes}[sys.argv[1]]()
