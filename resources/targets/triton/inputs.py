# SPDX-License-Identifier: MIT
"""The inputs of the program and of its reference."""
import torch

import kloop_target


def inputs(rows, columns):
    generator = torch.Generator("cuda").manual_seed(kloop_target.seed())
    return torch.randn(rows, columns, device="cuda", generator=generator)
