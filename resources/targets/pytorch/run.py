# SPDX-License-Identifier: MIT
import sys

import torch

import kloop_target
import naive_attention
from inputs import inputs

q, k, v = inputs(int(sys.argv[1]))
for _ in range(kloop_target.launches()):
    out = naive_attention.forward(q, k, v)
torch.cuda.synchronize()
kloop_target.dump(out=out)
