# SPDX-License-Identifier: MIT
"""PyTorch's scaled_dot_product_attention as the rival of a program: B H S D type causal launches. Each call is an NVTX range."""
import sys

import torch
import torch.nn.functional as F

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}


def main():
    b, h, s, d = (int(word) for word in sys.argv[1:5])
    dtype, causal, launches = TYPES[sys.argv[5]], sys.argv[6] == "1", int(sys.argv[7])
    torch.manual_seed(1)
    q, k, v = (torch.randn(b, h, s, d, device="cuda", dtype=dtype) for _ in range(3))
    F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    torch.cuda.synchronize()
    for _ in range(launches):
        torch.cuda.nvtx.range_push("kernelloop.rival")
        F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        torch.cuda.nvtx.range_pop()
    torch.cuda.synchronize()
    print("torch", torch.__version__)


main()
