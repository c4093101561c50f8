# SPDX-License-Identifier: MIT
"""Reductions, scans, sorts and normalizations of PyTorch: long, short and many rows; CUB where PyTorch calls it."""
from functools import partial

from cases import Declare, Lazy

torch = Lazy("torch")
case = Declare(__name__, "torch", "torch")
cub = Declare(__name__, "torch", "cub")
MI = 1 << 20


def rows(count, width, dtype="float32"):
    return torch.rand(count, width, device="cuda", dtype=torch.float32).to(getattr(torch, dtype))


def norm(count, width, dtype="float32"):
    x, weight = rows(count, width, dtype), torch.ones(width, device="cuda", dtype=getattr(torch, dtype))
    return partial(torch.nn.functional.layer_norm, x, (width,), weight, weight)


def batch_norm(images, channels, side):
    x = torch.rand(images, channels, side, side, device="cuda")
    one = torch.ones(channels, device="cuda")
    return partial(torch.nn.functional.batch_norm, x, one, one, one, one, training=False)


case("torch-sum-fp32", "torch.sum(x)", "512 Mi float32", "dram-bound", "2.1 GB are read once for one addition per 4 B.",
     lambda: partial(torch.sum, rows(1, 512 * MI)))
case("torch-sum-rows-fp32", "torch.sum(x, 1)", "131072 rows of 4096 float32", "dram-bound", "2.1 GB are read once for one addition per 4 B.",
     lambda: partial(torch.sum, rows(131072, 4096), 1))
case("torch-sum-columns-fp32", "torch.sum(x, 0)", "32768 rows of 16384 float32", "dram-bound",
     "Neighboring threads take neighboring columns: 2.1 GB are read once, coalesced, for one addition per 4 B.",
     lambda: partial(torch.sum, rows(32768, 16384), 0))
case("torch-amax-bf16", "torch.amax(x, 1)", "262144 rows of 4096 bfloat16", "dram-bound", "2.1 GB are read once for one comparison per 2 B.",
     lambda: partial(torch.amax, rows(262144, 4096, "bfloat16"), 1))
case("torch-norm-fp32", "torch.linalg.vector_norm(x)", "512 Mi float32", "dram-bound",
     "2.1 GB are read once for one multiply-add per 4 B.", lambda: partial(torch.linalg.vector_norm, rows(1, 512 * MI)))
case("torch-softmax-1024", "torch.softmax(x, 1)", "262144 rows of 1024 float32", "dram-bound",
     "A row fits in a warp's registers (32 per thread), so that 2.1 GB move once; one exponential per 8 B takes 0.06 cycles of 0.39.",
     lambda: partial(torch.softmax, rows(262144, 1024), 1))
case("torch-log-softmax-512", "torch.log_softmax(x, 1)", "524288 rows of 512 float32", "dram-bound",
     "A row fits in a warp's registers (16 per thread), so that 2.1 GB move once.",
     lambda: partial(torch.log_softmax, rows(524288, 512), 1))
case("torch-layer-norm-4096", "F.layer_norm(x, (4096,), w, b)", "65536 rows of 4096 float32", "dram-bound",
     "2.1 GB move for about 8 FLOP per 8 B; what is read twice within a row of 16 KB comes from L1.", lambda: norm(65536, 4096))
case("torch-batch-norm-eval", "F.batch_norm(x, …, training=False)", "128×256×112×112 float32", "dram-bound",
     "3.3 GB stream through once for one multiply-add per 8 B.", lambda: batch_norm(128, 256, 112))
cub("torch-cumsum-1d", "torch.cumsum(x, 0)", "256 Mi float32", "dram-bound",
    "CUB's scan passes over the data once: 2.1 GB in and out for a few additions per 8 B.",
    lambda: partial(torch.cumsum, rows(1, 256 * MI)[0], 0))
case("torch-softmax-4-rows", "torch.softmax(x, 1)", "4 rows of 4 Mi float32", "small-grid",
     "A block makes a row: 4 blocks on 132 SMs, each through 16 MB.", lambda: partial(torch.softmax, rows(4, 4 * MI), 1))
case("torch-layer-norm-8-rows", "F.layer_norm(x, …)", "8 rows of 1 Mi float32", "small-grid",
     "A block makes a row: 8 blocks on 132 SMs, each through 4 MB.", lambda: norm(8, MI))
case("torch-median-8-rows", "torch.median(x, 1)", "8 rows of 4 Mi float32", "small-grid",
     "A block selects in a row: 8 blocks on 132 SMs, each several times through 16 MB.", lambda: partial(torch.median, rows(8, 4 * MI), 1))
case("torch-kthvalue-4-rows", "torch.kthvalue(x, 1000, 1)", "4 rows of 4 Mi float32", "small-grid",
     "A block selects in a row: 4 blocks on 132 SMs.", lambda: partial(torch.kthvalue, rows(4, 4 * MI), 1000, 1))
case("torch-cumsum-2-rows", "torch.cumsum(x, 1)", "2 rows of 8 Mi float32", "small-grid",
     "The inner scan gives a row to a block: at most 2 blocks on 132 SMs, each through 32 MB.", lambda: partial(torch.cumsum, rows(2, 8 * MI), 1))
case("torch-log-softmax-16-rows", "torch.log_softmax(x, 1)", "16 rows of 1 Mi float32", "small-grid",
     "A block makes a row: 16 blocks on 132 SMs, each through 4 MB.", lambda: partial(torch.log_softmax, rows(16, MI), 1))
