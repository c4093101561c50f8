# SPDX-License-Identifier: MIT
"""A Triton kernel that normalizes rows, launched from PyTorch: a program to profile."""
import torch
import triton
import triton.language as tl

ROWS, COLUMNS, STEPS = 16384, 2048, 50


@triton.jit
def normalize(source, target, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(source + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
    mean = tl.sum(values, 0) / columns
    centered = tl.where(at < columns, values - mean, 0.0)
    spread = tl.sum(centered * centered, 0) / columns
    tl.store(target + row * columns + at, (centered * tl.rsqrt(spread + 1e-5)).to(tl.float16), mask=at < columns)


torch.manual_seed(1)
inputs = torch.randn(ROWS, COLUMNS, device="cuda", dtype=torch.float16)
outputs = torch.empty_like(inputs)
for step in range(STEPS):
    normalize[(ROWS,)](inputs, outputs, COLUMNS, BLOCK=triton.next_power_of_2(COLUMNS))
worst = (outputs - torch.nn.functional.layer_norm(inputs, (COLUMNS,))).abs().max()
print(f"largest difference {worst.item():.4f}")
