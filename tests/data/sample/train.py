# SPDX-License-Identifier: MIT
"""A small transformer block in PyTorch, trained for some steps: a program to profile."""
import torch

BATCH, LENGTH, WIDTH, HEADS, STEPS = 8, 1024, 1024, 16, 20


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = torch.nn.LayerNorm(WIDTH), torch.nn.LayerNorm(WIDTH)
        self.project, self.out = torch.nn.Linear(WIDTH, 3 * WIDTH), torch.nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        parts = self.project(self.before(x)).view(BATCH, LENGTH, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        seen = torch.nn.functional.scaled_dot_product_attention(*parts, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(BATCH, LENGTH, WIDTH))
        return x + self.narrow(torch.nn.functional.gelu(self.wide(self.between(x))))


torch.manual_seed(1)
block = Block().cuda().bfloat16()
optimizer = torch.optim.SGD(block.parameters(), lr=0.01)
inputs = torch.randn(BATCH, LENGTH, WIDTH, device="cuda", dtype=torch.bfloat16)
for step in range(STEPS):
    optimizer.zero_grad()
    loss = (block(inputs) - inputs.roll(1, 1)).square().mean()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}")
