# SPDX-License-Identifier: MIT
"""Makes the calls of the corpus, each inside NVTX ranges "corpus" and its id, for a profiler that runs around this process.

    play.py one ID           its call, as often as it is recorded; a program as a whole
    play.py many ID …        each call, as often as it is recorded, after one outside the ranges
    play.py each ID …        each call once, after one outside the ranges
    play.py serve SOCKET FRAMEWORK
                             imports the framework once, and plays for `ask` in processes of their own, which start in no time
    play.py ask SOCKET one|many ID …
                             has the server play with the environment of this process, and ends as it ends
"""
import gc
import json
import os
import socket
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cases

IMPORTS = {"torch": ("torch",), "triton": ("torch", "triton"), "jax": ("torch", "jax"), "cupy": ("torch", "cupy"), "cuda": ("torch", "cupy")}
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("CUPY_ACCELERATORS", "cub")


def synchronize():
    if "cupy" in sys.modules:
        sys.modules["cupy"].cuda.runtime.deviceSynchronize()
    elif "torch" in sys.modules and sys.modules["torch"].cuda.is_initialized():
        sys.modules["torch"].cuda.synchronize()


class Ranges:
    """NVTX through PyTorch, the one library here that has it in every process."""

    def __init__(self, *names):
        self.names = names

    def __enter__(self):
        import torch
        for name in self.names:
            torch._C._nvtx.rangePushA(name)

    def __exit__(self, *_):
        import torch
        for _ in self.names:
            torch._C._nvtx.rangePop()


def release():
    """Gives back the memory of the last case."""
    gc.collect()
    if "cupy" in sys.modules:
        sys.modules["cupy"].get_default_memory_pool().free_all_blocks()
    if "torch" in sys.modules and sys.modules["torch"].cuda.is_initialized():
        sys.modules["torch"].cuda.empty_cache()


def play_one(id):
    case = cases.load()[id]
    call = case.setup()
    synchronize()
    times = 1 if case.subject == "program" else case.times
    with Ranges("corpus", id):
        for _ in range(times):
            call()
        synchronize()


def play_each(ids, times=None):
    """A case that fails is named on standard error, and the next one is played. `times` of None: as often as it is recorded."""
    for id in ids:
        try:
            case = cases.load()[id]
            call = case.setup()
            call()
            synchronize()
            with Ranges("corpus", id):
                for _ in range(times or case.times):
                    call()
                synchronize()
        except Exception:
            print(f"failed {id} {json.dumps(traceback.format_exc(limit=1)[-300:])}", file=sys.stderr, flush=True)
        call = None
        release()


def answer(connection):
    """In a process of its own: what the server was asked for."""
    with connection.makefile("r") as lines:
        request = json.loads(lines.readline())
    os.environ.clear()
    os.environ.update(request["environment"])
    out = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(out, 1)
    os.dup2(out, 2)
    code = 1
    try:
        PLAYS[request["how"]](*request["ids"])
        code = 0
    except BaseException:
        traceback.print_exc()
    connection.sendall(f"{code}\n".encode())
    os.dup(connection.fileno())  # open until the process has ended: that is what the other side waits for
    sys.exit(code)  # not os._exit: profilers write what they have when a process ends


def serve(path, framework):
    for module in IMPORTS[framework]:
        __import__(module)
    cases.load()
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen()
    print("ready", flush=True)
    while True:
        connection, _ = server.accept()
        child = os.fork()
        if child == 0:
            server.close()
            answer(connection)
        connection.close()
        os.waitpid(child, 0)


def ask(path, how, *ids):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        log = f"{path}.log"
        connection.sendall((json.dumps({"how": how, "ids": ids, "environment": dict(os.environ), "log": log}) + "\n").encode())
        with connection.makefile("r") as lines:
            code = lines.readline().strip()
            lines.read()  # until the process has ended
    with open(log) as text:
        sys.stderr.write(text.read()[-20000:])
    sys.exit(int(code) if code else 1)


PLAYS = {"one": play_one, "many": lambda *ids: play_each(ids), "each": lambda *ids: play_each(ids, 1)}

if __name__ == "__main__":
    {**PLAYS, "serve": serve, "ask": ask}[sys.argv[1]](*sys.argv[2:])
