# SPDX-License-Identifier: MIT
"""Attention through cuDNN: a program for KernelLoop and Nsight Compute to profile. attention.py [wait]

Without "wait" the launches follow each other, as in a program. With it each one starts on an idle GPU, as under Nsight Compute."""
import sys
import time

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.manual_seed(0)
q, k, v = (torch.randn(4, 16, 2048, 64, device="cuda", dtype=torch.float16) for _ in range(3))
with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
    for _ in range(20):
        with torch.cuda.nvtx.range("attention"):
            out = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        if "wait" in sys.argv:
            torch.cuda.synchronize()
            time.sleep(0.02)
torch.cuda.synchronize()
print("sum", out.float().abs().sum().item())
