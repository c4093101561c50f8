# SPDX-License-Identifier: MIT
"""Programs as a whole, each in a process of its own: the GPU waits for the host.

A launch from Python takes the host about 5 µs and an operation of a framework 10 to 50 µs; a kernel of a few KB takes the GPU 2 µs."""
import time
from functools import partial

from calls.cuda import cupy
from cases import Declare, Lazy

torch = Lazy("torch")
numpy = Lazy("numpy")
jax = Lazy("jax")
jnp = Lazy("jax.numpy")
torch_program = Declare(__name__, "torch", "torch")
jax_program = Declare(__name__, "jax", "xla")
cupy_program = Declare(__name__, "cupy", "cupy")


def network(width, layers):
    parts = [part for _ in range(layers) for part in (torch.nn.Linear(width, width), torch.nn.ReLU())]
    return torch.nn.Sequential(*parts).cuda()


def train_small(steps):
    model = network(64, 4)
    optimizer, x = torch.optim.Adam(model.parameters(), foreach=False), torch.randn(32, 64, device="cuda")

    def run():
        for _ in range(steps):
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()
    return run


def train_with_item(steps):
    model = network(256, 2)
    optimizer, x, losses = torch.optim.SGD(model.parameters(), lr=0.01), torch.randn(64, 256, device="cuda"), []

    def run():
        for _ in range(steps):
            optimizer.zero_grad()
            loss = model(x).square().mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return run


def elementwise_loop(steps):
    x = torch.rand(4096, device="cuda")

    def run():
        y = x
        for _ in range(steps):
            y = torch.sin(y) * 0.5 + x
        return y
    return run


def prepared_on_the_host(steps):
    model, data = network(1024, 2), numpy.random.rand(2048, 1024).astype("float32")

    def run():
        for step in range(steps):
            batch = numpy.sort(data, axis=1) + step  # what a data loader does: about 20 ms per batch
            with torch.no_grad():
                model(torch.from_numpy(batch).cuda())
    return run


def waits_for_input(steps):
    a = torch.randn(2048, 2048, device="cuda", dtype=torch.bfloat16)

    def run():
        for _ in range(steps):
            time.sleep(0.005)  # a request arrives
            torch.mm(a, a)
    return run


def decode_loop(tokens):
    layer = torch.nn.TransformerEncoderLayer(256, 4, 512, batch_first=True).cuda().eval()
    x = torch.randn(1, 1, 256, device="cuda")

    def run():
        with torch.no_grad():
            y = x
            for _ in range(tokens):
                for _ in range(6):
                    y = layer(y)
    return run


def jax_dispatch(steps):
    step, x = jax.jit(lambda x: x * 1.01 + 0.1), jnp.ones(1024)

    def run():
        y = x
        for _ in range(steps):
            y = step(y)
        y.block_until_ready()
    return run


def cupy_power_iteration(steps):
    a, x = cupy.random.random((256, 256), dtype=cupy.float32), cupy.ones(256, dtype=cupy.float32)

    def run():
        y = x
        for _ in range(steps):
            y = a @ y
            y = y / float(cupy.linalg.norm(y))
    return run


torch_program("program-torch-train-small", "training loop", "4 layers of 64, batch 32, Adam per parameter, 300 steps", "host-bound",
              "About 150 operations per step at over 5 µs of host time each, for kernels of at most 2 µs.", partial(train_small, 300))
torch_program("program-torch-train-item", "training loop with loss.item()", "2 layers of 256, batch 64, SGD, 500 steps", "host-bound",
              "Every step waits for the GPU to drain before the host prepares the next one; its kernels take about 2 µs each.",
              partial(train_with_item, 500))
torch_program("program-torch-elementwise-loop", "y = sin(y) * 0.5 + x in a loop", "4096 float32, 5000 steps", "host-bound",
              "Three launches per step, each 5 to 10 µs of host time for a kernel of 2 µs on 16 KB.", partial(elementwise_loop, 5000))
torch_program("program-torch-host-data", "inference on batches that NumPy prepares", "2 layers of 1024, batch 2048, 100 batches", "host-bound",
              "Sorting 2 Mi numbers takes the host over 10 ms; 8.6 GFLOP and a copy of 8 MB take the GPU well under 2.",
              partial(prepared_on_the_host, 100))
torch_program("program-torch-waits-for-input", "a product per request", "2048³ bfloat16, one request per 5 ms, 300 requests", "host-bound",
              "17 GFLOP take the GPU about 0.03 ms of every 5 ms.", partial(waits_for_input, 300))
torch_program("program-torch-decode", "a small transformer, token by token", "6 layers of 256, batch 1, 200 tokens", "host-bound",
              "Tens of operations per layer at over 5 µs of host time each, on 256 numbers.", partial(decode_loop, 200))
jax_program("program-jax-dispatch", "step(y) in a Python loop", "1024 float32, 5000 steps", "host-bound",
            "A call of a jitted function takes the host over 10 µs, its kernel on 4 KB about 2 µs.", partial(jax_dispatch, 5000))
cupy_program("program-cupy-power-iteration", "y = a @ y; y / float(norm(y))", "256×256 float32, 2000 steps", "host-bound",
             "Each step launches several kernels on at most 256 KB and waits for a number on the host.", partial(cupy_power_iteration, 2000))
