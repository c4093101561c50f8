# SPDX-License-Identifier: MIT
# One forward step of a small language model and a convolution, each call once after it was warmed up; ncu starts at cudaProfilerStart.
import torch
import torch.nn.functional as F

torch.manual_seed(1)
torch.backends.cuda.matmul.allow_tf32 = False
dev = "cuda"
tokens = torch.randint(0, 8000, (8, 512), device=dev)
table = torch.randn(8000, 1024, device=dev, dtype=torch.bfloat16)
w1 = torch.randn(1024, 4096, device=dev, dtype=torch.bfloat16) / 32
w2 = torch.randn(4096, 1024, device=dev, dtype=torch.bfloat16) / 64
g = torch.ones(1024, device=dev, dtype=torch.bfloat16)
b = torch.zeros(1024, device=dev, dtype=torch.bfloat16)
head = torch.randn(1024, 8000, device=dev, dtype=torch.bfloat16) / 32
image = torch.randn(8, 64, 112, 112, device=dev)
filt = torch.randn(64, 64, 3, 3, device=dev)


def step():
    n = torch.cuda.nvtx.range
    with n("embedding"):
        x = F.embedding(tokens, table)
    with n("attention"):
        q = x.view(8, 512, 16, 64).transpose(1, 2)
        a = F.scaled_dot_product_attention(q, q, q)
        a = a.transpose(1, 2).reshape(8, 512, 1024)
    with n("norm"):
        x = F.layer_norm(x + a, (1024,), g, b)
    with n("mlp"):
        h = F.gelu(x @ w1)
        x = x + h @ w2
    with n("loss"):
        logits = (x @ head).view(-1, 8000)
        p = torch.softmax(logits.float(), -1)
        top = p.amax(-1)
        total = -p.gather(1, tokens.view(-1, 1)).log().mean()
    with n("statistics"):
        running = torch.cumsum(top, 0)
        count = torch.bincount(tokens.view(-1), minlength=8000)
    with n("vision"):
        y = F.relu(F.conv2d(image, filt, padding=1))
        y = F.max_pool2d(y, 2)
        y = y.permute(0, 2, 3, 1).contiguous()
    return total, running, count, y


with torch.no_grad():
    for _ in range(2):
        step()
    torch.cuda.synchronize()
    torch.cuda.profiler.start()
    step()
    torch.cuda.synchronize()
    torch.cuda.profiler.stop()
