# SPDX-License-Identifier: MIT
"""What a program tells KernelLoop about itself. Without KernelLoop around it, none of this has an effect."""
import contextlib
import ctypes
import os
import struct

TYPES = {"float16": "<f2", "float32": "<f4", "float64": "<f8", "int8": "|i1", "uint8": "|u1", "int32": "<i4", "int64": "<i8", "bool": "|b1"}


def launches():
    """How often to launch the kernel: warm-up and measured launches of kernelloop.json."""
    return int(os.environ.get("KLOOP_LAUNCHES", "60"))


def seed():
    """Seed of the random inputs: the program and its reference get the same."""
    return int(os.environ.get("KLOOP_SEED", "1"))


def dump(**tensors):
    """Writes the named outputs (PyTorch tensors) as .npy files, if they are asked for. bfloat16 and FP8 become float32, which holds each."""
    folder = os.environ.get("KLOOP_OUTPUT")
    if not folder:
        return
    for name, tensor in tensors.items():
        tensor = tensor.detach().cpu().contiguous()
        kind = str(tensor.dtype).replace("torch.", "")
        if kind not in TYPES:
            tensor, kind = tensor.float(), "float32"
        shape = "(" + "".join("%d, " % extent for extent in tensor.shape) + ")"
        header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (TYPES[kind], shape)
        header += " " * (-(len(header) + 11) % 64) + "\n"
        with open(os.path.join(folder, name + ".npy"), "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
            file.write(ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size()) if tensor.numel() else b"")


@contextlib.contextmanager
def nvtx(name):
    """An NVTX range: what kernelloop.json can measure as a whole."""
    import torch

    torch.cuda.nvtx.range_push(name)
    try:
        yield
    finally:
        torch.cuda.nvtx.range_pop()
