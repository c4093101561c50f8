# SPDX-License-Identifier: MIT
"""Matrix products, convolutions and attention of PyTorch: cuBLAS and cuDNN.

H200: 989 TFLOP/s dense BF16 and FP16, 495 TF32, 1979 FP8 and INT8, 67 FP32, 67 FP64 on tensor cores; 4.8 TB/s. A product is limited by the
tensor cores where its FLOP per byte are well above 206 (BF16), and by DRAM where they are well below."""
import os
from functools import partial

from cases import Declare, Lazy

torch = Lazy("torch")
gemm = Declare(__name__, "torch", "cublas")
dnn = Declare(__name__, "torch", "cudnn")
REREAD = "a launch of few blocks that ends within a few µs: too little work per launch and too few blocks are the same fact"
SAME_PIPE = "double-precision matrix instructions run on the FP64 tensor pipe: both classes name that unit"


def normal(*shape, dtype="float32"):
    return torch.randn(*shape, device="cuda", dtype=torch.float32).to(getattr(torch, dtype))


def product(m, n, k, dtype, tf32=False):
    """(m×k)·(k×n)"""
    torch.backends.cuda.matmul.allow_tf32 = tf32
    return partial(torch.mm, normal(m, k, dtype=dtype), normal(k, n, dtype=dtype))


def linear(tokens, features, outputs, dtype="bfloat16"):
    return partial(torch.nn.functional.linear, normal(tokens, features, dtype=dtype), normal(outputs, features, dtype=dtype))


def batched(batch, m, n, k, dtype="bfloat16"):
    return partial(torch.bmm, normal(batch, m, k, dtype=dtype), normal(batch, k, n, dtype=dtype))


def fp8(n):
    one = torch.ones((), device="cuda")
    a, b = normal(n, n).to(torch.float8_e4m3fn), normal(n, n).to(torch.float8_e4m3fn).t()
    return partial(torch._scaled_mm, a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)


def int8(n):
    a, b = (torch.randint(-100, 100, (n, n), device="cuda", dtype=torch.int8) for _ in range(2))
    return partial(torch._int_mm, a, b.t())


def in_graph(call):
    call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph.replay


def repeated(call, times):
    """Once under a profiler that repeats every launch itself."""
    def run():
        for _ in range(int(os.environ.get("CORPUS_REPEATS", times))):
            call()
    return run


gemm("torch-mm-bf16-8192", "torch.mm(a, b)", "8192³, bfloat16", "tensor-bound",
     "1.1 TFLOP over 403 MB is 2731 FLOP/B, 13 times the 206 where tensor cores and DRAM take equally long.",
     lambda: product(8192, 8192, 8192, "bfloat16"))
gemm("torch-mm-fp16-6144", "torch.mm(a, b)", "6144³, float16", "tensor-bound",
     "464 GFLOP over 226 MB is 2048 FLOP/B, ten times the ridge of 206; 1152 tiles of 128×256 are 8.7 waves of 132 SMs.",
     lambda: product(6144, 6144, 6144, "float16"))
gemm("torch-mm-bf16-wide", "torch.mm(a, b)", "16384×4096 by 4096×16384, bfloat16", "tensor-bound",
     "2.2 TFLOP over 805 MB is 2731 FLOP/B, 13 times the ridge of 206.", lambda: product(16384, 16384, 4096, "bfloat16"))
gemm("torch-mm-bf16-long-k", "torch.mm(a, b)", "8192×16384 by 16384×8192, bfloat16", "tensor-bound",
     "2.2 TFLOP over 671 MB is 3277 FLOP/B, 16 times the ridge of 206.", lambda: product(8192, 8192, 16384, "bfloat16"))
gemm("torch-mm-bf16-transposed", "torch.mm(a.t(), b.t())", "8192³, bfloat16, both operands transposed views", "tensor-bound",
     "A transposed operand is another layout of the same kernel, without a copy: 2731 FLOP/B, 13 times the ridge.",
     lambda: partial(torch.mm, normal(8192, 8192, dtype="bfloat16").t(), normal(8192, 8192, dtype="bfloat16").t()))
gemm("torch-linear-bf16-prefill", "F.linear(x, w)", "8192 tokens, 8192 to 28672 features, bfloat16", "tensor-bound",
     "3.8 TFLOP over 1.07 GB is 3585 FLOP/B, 17 times the ridge of 206.", lambda: linear(8192, 8192, 28672))
gemm("torch-mm-bf16-sustained", "500 times torch.mm(a, b)", "12288³, bfloat16, normal random values", "tensor-bound",
     "3.7 TFLOP at 4096 FLOP/B each, for more than two seconds without a pause.", lambda: repeated(product(12288, 12288, 12288, "bfloat16"), 500),
     times=1, also=("power-limited",), tie="the tensor pipe is busy in every cycle, and under its power limit the GPU lowers the clock of the cycles")
gemm("torch-mm-tf32-8192", "torch.mm(a, b), allow_tf32", "8192³, float32 as TF32", "tensor-bound",
     "1.1 TFLOP over 805 MB is 1365 FLOP/B, 13 times the TF32 ridge of 103.", lambda: product(8192, 8192, 8192, "float32", tf32=True))
gemm("torch-mm-fp8-8192", "torch._scaled_mm(a, b)", "8192³, float8_e4m3fn to bfloat16", "tensor-bound",
     "1.1 TFLOP over 268 MB is 4096 FLOP/B, ten times the FP8 ridge of 412.", lambda: fp8(8192))
gemm("torch-mm-int8-8192", "torch._int_mm(a, b)", "8192³, int8 to int32", "tensor-bound",
     "1.1 Top over 403 MB is 2731 operations per byte, 6.6 times the INT8 ridge of 412.", lambda: int8(8192))
gemm("torch-bmm-bf16-16x4096", "torch.bmm(a, b)", "16 × 4096³, bfloat16", "tensor-bound",
     "2.2 TFLOP over 1.6 GB is 1365 FLOP/B, 6.6 times the ridge of 206.", lambda: batched(16, 4096, 4096, 4096))
gemm("torch-bmm-fp16-32x2048", "torch.bmm(a, b)", "32 × 2048³, float16", "tensor-bound",
     "550 GFLOP over 805 MB is 683 FLOP/B, 3.3 times the ridge of 206.", lambda: batched(32, 2048, 2048, 2048, "float16"))
gemm("torch-mm-fp32-4096", "torch.mm(a, b), no TF32", "4096³, float32", "fp32-bound",
     "Without TF32 the multiply-adds run on the FP32 pipe: 137 GFLOP at 67 TFLOP/s take 2.1 ms, 201 MB at 4.8 TB/s take 0.04 ms.",
     lambda: product(4096, 4096, 4096, "float32"))
gemm("torch-mm-fp32-8192", "torch.mm(a, b), no TF32", "8192³, float32", "fp32-bound",
     "1.1 TFLOP at 67 TFLOP/s take 16 ms, 805 MB at 4.8 TB/s take 0.17 ms.", lambda: product(8192, 8192, 8192, "float32"))
gemm("torch-bmm-fp32-64x1024", "torch.bmm(a, b), no TF32", "64 × 1024³, float32", "fp32-bound",
     "137 GFLOP at 67 TFLOP/s take 2.1 ms, 805 MB at 4.8 TB/s take 0.17 ms.", lambda: fp32_batch(64, 1024))
gemm("torch-mm-fp64-4096", "torch.mm(a, b)", "4096³, float64", "fp64-bound",
     "137 GFLOP at the FP64 peak of 67 TFLOP/s take 2.1 ms, 403 MB at 4.8 TB/s take 0.08 ms.",
     lambda: product(4096, 4096, 4096, "float64"), also=("tensor-bound",), tie=SAME_PIPE)
gemm("torch-bmm-fp64-16x2048", "torch.bmm(a, b)", "16 × 2048³, float64", "fp64-bound",
     "275 GFLOP at the FP64 peak of 67 TFLOP/s take 4.1 ms, 1.6 GB at 4.8 TB/s take 0.34 ms.",
     lambda: batched(16, 2048, 2048, 2048, "float64"), also=("tensor-bound",), tie=SAME_PIPE)
gemm("torch-linear-bf16-decode-1", "F.linear(x, w)", "1 token, 8192 to 28672 features, bfloat16", "dram-bound",
     "Each of 470 MB of weights is read once for one multiply-add: 1 FLOP/B against a ridge of 206, nine times what L2 holds.",
     lambda: linear(1, 8192, 28672))
gemm("torch-linear-bf16-decode-8", "F.linear(x, w)", "8 tokens, 8192 to 28672 features, bfloat16", "dram-bound",
     "470 MB of weights at 8 FLOP/B against a ridge of 206.", lambda: linear(8, 8192, 28672))
gemm("torch-linear-bf16-decode-16", "F.linear(x, w)", "16 tokens, 16384 to 53248 features, bfloat16", "dram-bound",
     "1.7 GB of weights at 16 FLOP/B against a ridge of 206.", lambda: linear(16, 16384, 53248))
gemm("torch-mv-fp32", "torch.mv(a, x)", "32768×16384 by 16384, float32", "dram-bound",
     "2.1 GB are read once for 0.5 FLOP/B; the FP32 ridge is 14.", lambda: partial(torch.mv, normal(32768, 16384), normal(16384)))
gemm("torch-mv-fp64", "torch.mv(a, x)", "16384×16384 by 16384, float64", "dram-bound",
     "2.1 GB are read once for 0.25 FLOP/B; the FP64 ridge is 7.",
     lambda: partial(torch.mv, normal(16384, 16384, dtype="float64"), normal(16384, dtype="float64")))
gemm("torch-dot-fp32", "torch.dot(a, b)", "2 × 128 Mi float32", "dram-bound", "1.07 GB are read once for 0.25 FLOP/B; the ridge is 14.",
     lambda: partial(torch.dot, normal(1 << 27), normal(1 << 27)))
gemm("torch-mm-bf16-128", "torch.mm(a, b)", "128³, bfloat16", "small-grid",
     "16 Ki outputs are 4 tiles of 64×64, or 16 of 32×32, on 132 SMs; 4 MFLOP are nanoseconds of work.",
     lambda: product(128, 128, 128, "bfloat16"), also=("launch-overhead",), tie=REREAD)
gemm("torch-mm-fp16-256", "torch.mm(a, b)", "256³, float16", "small-grid",
     "64 Ki outputs are 16 tiles of 64×64 on 132 SMs; 34 MFLOP are nanoseconds of work.",
     lambda: product(256, 256, 256, "float16"), also=("launch-overhead",), tie=REREAD)
gemm("torch-graph-mm-bf16", "CUDAGraph.replay() of torch.mm(a, b)", "8192³, bfloat16", "tensor-bound",
     "The graph's one node is the product of 2731 FLOP/B.", lambda: in_graph(product(8192, 8192, 8192, "bfloat16")),
     kernel="nvjet|gemm|cutlass|xmma", also=("not-measured",), tie="launches from a graph are not repeated for counters, and without any the class is open")
dnn("torch-conv3x3-bf16-nhwc", "F.conv2d(x, w, padding=1)", "128×256×56×56, 3×3, 256 to 256 channels, bfloat16, channels last", "tensor-bound",
    "474 GFLOP over 412 MB is 1149 FLOP/B, 5.6 times the ridge of 206.", lambda: convolution(128, 256, 256, 56, 3, "bfloat16"))
dnn("torch-conv3x3-fp16-nhwc", "F.conv2d(x, w, padding=1)", "64×512×28×28, 3×3, 512 to 512 channels, float16, channels last", "tensor-bound",
    "237 GFLOP over 107 MB is 2210 FLOP/B, eleven times the ridge of 206.", lambda: convolution(64, 512, 512, 28, 3, "float16"))
dnn("torch-conv1x1-fp32", "F.conv2d(x, w), no TF32", "128×512×28×28, 1×1, 512 to 512 channels, float32", "fp32-bound",
    "53 GFLOP at 67 TFLOP/s take 0.79 ms, 412 MB at 4.8 TB/s take 0.09 ms; a 1×1 filter leaves Winograd and FFT nothing to save.",
    lambda: convolution(128, 512, 512, 28, 1, "float32"))
dnn("torch-conv3d-bf16", "F.conv3d(x, w, padding=1)", "8×256×16×56×56, 3×3×3, 256 to 256 channels, bfloat16, channels last", "tensor-bound",
    "1.4 TFLOP over 414 MB is 3430 FLOP/B, 17 times the ridge of 206.", lambda: convolution3d())
dnn("torch-sdpa-cudnn-bf16-d128", "F.scaled_dot_product_attention(q, k, v), cuDNN", "4×32 heads, 8192 tokens, 128 wide, bfloat16, not causal",
    "tensor-bound", "Per score 512 FLOP on tensor cores (0.12 cycles of an SM) against one exponential (0.06 cycles), and 2 KB per score row of "
    "8192: 4.4 TFLOP over 1.07 GB.", lambda: attention())


def fp32_batch(batch, n):
    torch.backends.cuda.matmul.allow_tf32 = False
    return batched(batch, n, n, n, "float32")


def convolution(images, inputs, outputs, side, window, dtype):
    torch.backends.cudnn.allow_tf32 = False
    x = normal(images, inputs, side, side, dtype=dtype)
    w = normal(outputs, inputs, window, window, dtype=dtype)
    if dtype != "float32":
        x, w = x.to(memory_format=torch.channels_last), w.to(memory_format=torch.channels_last)
    return partial(torch.nn.functional.conv2d, x, w, padding=window // 2)


def convolution3d():
    x = normal(8, 256, 16, 56, 56, dtype="bfloat16").to(memory_format=torch.channels_last_3d)
    w = normal(256, 256, 3, 3, 3, dtype="bfloat16").to(memory_format=torch.channels_last_3d)
    return partial(torch.nn.functional.conv3d, x, w, padding=1)


def attention():
    from torch.nn.attention import SDPBackend, sdpa_kernel
    q, k, v = (normal(4, 32, 8192, 128, dtype="bfloat16") for _ in range(3))

    def run():
        with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return run
