# SPDX-License-Identifier: MIT
"""The inputs of the program and of its reference."""
import torch

import kloop_target


def inputs(length):
    generator = torch.Generator("cuda").manual_seed(kloop_target.seed())
    return [torch.randn(2, 8, length, 64, device="cuda", dtype=torch.float16, generator=generator) for _ in range(3)]
