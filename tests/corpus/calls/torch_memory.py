# SPDX-License-Identifier: MIT
"""Elementwise calls, copies, optimizers and indexing of PyTorch.

H200: DRAM moves 4.8 TB/s, which is 20.7 B per cycle of an SM at 1.755 GHz; the SM issues 4 warp instructions per cycle, thus 128 lanes. L2
holds 50 MB. DRAM and L2 move sectors of 32 B."""
from functools import partial

from cases import Declare, Lazy

torch = Lazy("torch")
case = Declare(__name__, "torch", "torch")
MI = 1 << 20


def uniform(*shape, dtype="float32"):
    return torch.rand(*shape, device="cuda", dtype=torch.float32).to(getattr(torch, dtype))


def integers(high, count, dtype="int64"):
    return torch.randint(0, high, (count,), device="cuda", dtype=getattr(torch, dtype))


def unary(name, count=256 * MI, dtype="float32"):
    x = uniform(count, dtype=dtype)
    return partial(getattr(torch, name), x, out=torch.empty_like(x))


def binary(name, count=256 * MI, dtype="float32"):
    a, b = uniform(count, dtype=dtype), uniform(count, dtype=dtype)
    return partial(getattr(torch, name), a, b, out=torch.empty_like(a))


def adam(count):
    weights = torch.nn.Parameter(uniform(count))
    weights.grad = uniform(count)
    optimizer = torch.optim.Adam([weights], lr=1e-3, fused=True)
    return optimizer.step


def gather(rows, count):
    table, index = uniform(rows), integers(rows, count)
    return partial(torch.gather, table, 0, index, out=torch.empty(count, device="cuda"))


def rows_by_index(rows, width, count, dtype="float32"):
    table = uniform(rows, width, dtype=dtype)
    return partial(torch.index_select, table, 0, integers(rows, count))


def embedding(rows, width, count, used=None):
    table = uniform(rows, width, dtype="bfloat16")
    return partial(torch.nn.functional.embedding, integers(used or rows, count), table)


def add_at(method, bins, count):
    """One atomic addition per element of `count`, to `bins` places."""
    into, index, values = torch.zeros(bins, device="cuda"), integers(bins, count), uniform(count)
    return partial(getattr(into, method), 0, index, values)


def amax_at(bins, count):
    into, index, values = torch.zeros(bins, device="cuda"), integers(bins, count), uniform(count)
    return partial(into.scatter_reduce_, 0, index, values, reduce="amax")


def between_copies(count):
    """A kernel of about 60 µs between two copies from and to the host."""
    a, b, host = uniform(count), uniform(count), torch.rand(64 * MI)
    out, there = torch.empty_like(a), torch.empty(64 * MI, device="cuda")

    def run():
        there.copy_(host)
        torch.add(a, b, out=out)
        host.copy_(there)
    return run


def in_graph(call):
    call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph.replay


case("torch-add-fp32", "torch.add(a, b)", "256 Mi float32", "dram-bound",
     "3.2 GB stream through once for one addition per 12 B: at least 0.67 ms of DRAM against 4 µs of FP32 pipe.", lambda: binary("add"))
case("torch-mul-bf16", "torch.mul(a, b)", "512 Mi bfloat16", "dram-bound",
     "3.2 GB stream through once for one multiplication per 6 B; about ten instructions per element take a third of DRAM's time.",
     lambda: binary("mul", 512 * MI, "bfloat16"))
case("torch-add-fp64", "torch.add(a, b)", "128 Mi float64", "dram-bound",
     "3.2 GB for one FP64 addition per 24 B: 0.67 ms of DRAM against 8 µs of FP64 pipe.", lambda: binary("add", 128 * MI, "float64"))
case("torch-relu-fp16", "torch.relu(x)", "512 Mi float16", "dram-bound", "2.1 GB stream through once for one comparison per 4 B.",
     lambda: partial(torch.relu, uniform(512 * MI, dtype="float16")))
case("torch-fill-fp32", "x.fill_(1)", "1 Gi float32", "dram-bound", "4.3 GB are written once, nothing is read or computed.",
     lambda: partial(uniform(1024 * MI).fill_, 1.0))
case("torch-exp-fp32", "torch.exp(x)", "256 Mi float32", "dram-bound",
     "8 B take 0.39 cycles of an SM at DRAM's peak; one exponential takes 0.06 of the transcendental pipe and about 15 instructions 0.12.",
     lambda: unary("exp"))
case("torch-exp-fp64", "torch.exp(x)", "128 Mi float64", "dram-bound",
     "16 B take 0.77 cycles of an SM at DRAM's peak; an FP64 exponential of about 20 multiply-adds takes 0.31 of the FP64 pipe.",
     lambda: unary("exp", 128 * MI, "float64"))
case("torch-sqrt-fp32", "torch.sqrt(x)", "256 Mi float32", "dram-bound",
     "8 B take 0.39 cycles of an SM at DRAM's peak; a square root is one instruction of the transcendental pipe (0.06) and about ten others.",
     lambda: unary("sqrt"))
case("torch-to-bf16", "x.to(torch.bfloat16)", "512 Mi float32", "dram-bound", "3.2 GB stream through once for one conversion per 6 B.",
     lambda: partial(uniform(512 * MI).to, torch.bfloat16), kernel="elementwise|copy|Copy")
case("torch-where-fp32", "torch.where(m, a, b)", "256 Mi float32", "dram-bound", "13 B per selection, 3.5 GB in all.",
     lambda: partial(torch.where, uniform(256 * MI) > 0.5, uniform(256 * MI), uniform(256 * MI)))
case("torch-cat-fp32", "torch.cat([a, b])", "2 × 256 Mi float32", "dram-bound", "4.3 GB are copied without arithmetic.",
     lambda: partial(torch.cat, [uniform(256 * MI), uniform(256 * MI)]))
case("torch-adam-fused", "torch.optim.Adam(fused=True).step()", "256 Mi float32 weights", "dram-bound",
     "28 B per weight (four reads, three writes) take 1.4 cycles of an SM; about 30 instructions take 0.25.", lambda: adam(256 * MI),
     kernel="multi_tensor|[Aa]dam")
case("torch-add-between-copies", "x.copy_(host); torch.add(a, b); host.copy_(x)", "20 Mi float32 between copies of 256 MB", "dram-bound",
     "The kernel streams 252 MB, five times what L2 holds, for one addition per 12 B; that the program waits for its copies is another matter.",
     lambda: between_copies(20 * MI), kernel="elementwise")
case("torch-graph-add-fp32", "CUDAGraph.replay() of torch.add(a, b)", "256 Mi float32", "dram-bound",
     "The graph's one node streams 3.2 GB for one addition per 12 B.", lambda: in_graph(binary("add")), kernel="CUDAFunctor",
     also=("not-measured",), tie="launches from a graph are not repeated for counters, and without any the class is open")

case("torch-strided-clone-16", "x[::16].clone()", "32 Mi of 512 Mi float32", "uncoalesced",
     "Neighboring threads read 64 B apart: each 4 B cost a sector of 32 B, eight times the useful bytes.",
     lambda: uniform(512 * MI)[::16].clone, kernel="elementwise|copy|Copy")
case("torch-column-contiguous", "x[:, 0].contiguous()", "column of 64 Mi rows of 16 float32", "uncoalesced",
     "Rows are 64 B apart: each 4 B cost a sector of 32 B, eight times the useful bytes.",
     lambda: uniform(64 * MI, 16)[:, 0].contiguous, kernel="elementwise|copy|Copy")
case("torch-strided-add-8", "torch.add(a[::8], b[::8])", "32 Mi of 256 Mi float32, twice", "uncoalesced",
     "Each operand's 4 B cost a sector of 32 B: 64 B are read where 8 are used.",
     lambda: partial(torch.add, uniform(256 * MI)[::8], uniform(256 * MI)[::8]))
case("torch-strided-mul-fp16", "torch.mul(x[:, 0], 2)", "column of 32 Mi rows of 32 float16", "uncoalesced",
     "Rows are 64 B apart: each 2 B cost a sector of 32 B, sixteen times the useful bytes.",
     lambda: partial(torch.mul, uniform(32 * MI, 32, dtype="float16")[:, 0], 2.0))
case("torch-gather-random", "torch.gather(table, 0, index)", "64 Mi random of 512 Mi float32", "uncoalesced",
     "The table is 43 times what L2 holds: each 4 B cost a sector of 32 B, eight times the useful bytes.",
     lambda: gather(512 * MI, 64 * MI))
case("torch-take-random", "torch.take(table, index)", "64 Mi random of 512 Mi float32", "uncoalesced",
     "The table is 43 times what L2 holds: each 4 B cost a sector of 32 B.",
     lambda: partial(torch.take, uniform(512 * MI), integers(512 * MI, 64 * MI)))
case("torch-scatter-random", "out.scatter_(0, index, values)", "64 Mi random of 512 Mi float32", "uncoalesced",
     "Each 4 B that are written touch a sector of 32 B of 2.1 GB, and no two neighbors the same.",
     lambda: partial(uniform(512 * MI).scatter_, 0, integers(512 * MI, 64 * MI), uniform(64 * MI)))
case("torch-index-select-rows", "torch.index_select(table, 0, index)", "256 Ki random of 512 Ki rows of 1024 float32", "dram-bound",
     "A row is 4 KB of neighboring bytes, so that random rows waste no sector: 1.07 GB in, 1.07 GB out.",
     lambda: rows_by_index(512 * 1024, 1024, 256 * 1024))
case("torch-embedding-wide", "F.embedding(index, table)", "128 Ki tokens of 128 Ki rows of 4096 bfloat16", "dram-bound",
     "A row is 8 KB of neighboring bytes: 1.07 GB in, 1.07 GB out, no arithmetic.", lambda: embedding(128 * 1024, 4096, 128 * 1024))
case("torch-embedding-hot", "F.embedding(index, table)", "256 Ki tokens of 64 rows of 4096 bfloat16", "dram-bound",
     "64 rows are 512 KB and stay in cache, but 2.1 GB are written.", lambda: embedding(128 * 1024, 4096, 256 * 1024, used=64))
case("torch-index-add-64", "out.index_add_(0, index, values)", "16 Mi values into 64 places, float32", "atomics",
     "262144 additions queue up at each of 64 addresses, which fit in 256 B; their 200 MB would take 0.04 ms.",
     lambda: add_at("index_add_", 64, 16 * MI))
case("torch-scatter-add-16", "out.scatter_add_(0, index, values)", "32 Mi values into 16 places, float32", "atomics",
     "2 Mi additions queue up at each of 16 addresses; the 403 MB read would take 0.08 ms.", lambda: add_at("scatter_add_", 16, 32 * MI))
case("torch-scatter-amax-16", "out.scatter_reduce_(0, index, values, 'amax')", "32 Mi values into 16 places, float32", "atomics",
     "2 Mi atomic maxima queue up at each of 16 addresses; the 403 MB read would take 0.08 ms.", lambda: amax_at(16, 32 * MI))
case("torch-scatter-add-uniform", "out.scatter_add_(0, index, values)", "64 Mi values into 512 Mi places, float32", "uncoalesced",
     "One addition per eight places: no address queues up, and each 4 B touch a sector of 32 B of 2.1 GB.",
     lambda: add_at("scatter_add_", 512 * MI, 64 * MI))
case("torch-add-tiny", "torch.add(a, b)", "1024 float32", "launch-overhead",
     "12 KB of work in one to four blocks: the launch costs a thousand times more.", lambda: binary("add", 1024), also=("small-grid",),
     tie="a launch of few blocks that ends within a few µs: too little work per launch and too few blocks are the same fact")
case("torch-mul-tiny-bf16", "torch.mul(a, b)", "4096 bfloat16", "launch-overhead",
     "24 KB of work in at most 16 blocks: the launch costs hundreds of times more.", lambda: binary("mul", 4096, "bfloat16"),
     also=("small-grid",),
     tie="a launch of few blocks that ends within a few µs: too little work per launch and too few blocks are the same fact")
case("torch-randn", "x.normal_()", "512 Mi float32", "issue-bound",
     "A normal number takes 40 to 60 instructions (Philox: multiplications, XORs; Box–Muller: logarithm, root, sine) spread over four pipes: "
     "0.3 to 0.5 cycles of an SM's issue slots, against 0.2 for writing its 4 B.", lambda: torch.empty(512 * MI, device="cuda").normal_)
