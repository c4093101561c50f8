# SPDX-License-Identifier: MIT
"""Compiles the .cu files of kernels/ with NVRTC, through CuPy, and launches their kernels."""
import functools
import os

from cases import FOLDER, Lazy

cupy = Lazy("cupy")
MI = 1 << 20


@functools.lru_cache(maxsize=None)
def module(name):
    with open(os.path.join(FOLDER, "kernels", name + ".cu")) as source:
        return cupy.RawModule(code=source.read(), options=("-std=c++17", "-lineinfo"))


def typed(argument):
    """Python's int and float are C's int and float."""
    if isinstance(argument, int):
        return cupy.int32(argument)
    return cupy.float32(argument) if isinstance(argument, float) else argument


def launch(file, name, grid, block, *arguments, shared=0):
    """A call that launches kernels/FILE.cu's kernel NAME; grid and block are numbers or tuples, `shared` is dynamic shared memory, bytes."""
    kernel = module(file).get_function(name)
    if shared > 48 * 1024:
        kernel.max_dynamic_shared_size_bytes = shared
    shape = [one if isinstance(one, tuple) else (one,) for one in (grid, block)]
    arguments = tuple(typed(argument) for argument in arguments)
    return lambda: kernel(shape[0], shape[1], arguments, shared_mem=shared)


def wide(number):
    return cupy.int64(number)


def floats(count):
    return cupy.random.random(count, dtype=cupy.float32)


def empty(count, dtype="float32"):
    return cupy.zeros(count, dtype=dtype)
