# SPDX-License-Identifier: MIT
"""Baseline helper: runs library operations on the GPU for KernelLoop's worker and reports their GPU time from activity records.

One JSON object a line, requests on standard input, answers on standard output:
  {"id": 1, "verb": "hello", "device": "GPU-..."}                         -> {"id": 1, "versions": {...}}
  {"id": 2, "verb": "measure", "op": "sdpa", "params": {...}, "samples": 20}
      -> {"id": 2, "name": ..., "version": ..., "gpu_ns": [...], "kernels_ns": [...], "host_ns": [...], "kernels": [...],
          "memory_bytes": inputs and what a call allocates at its peak, null where the memory is not PyTorch's}
  {"id": 3, "verb": "output", "op": "sdpa", "params": {...}, "inputs": [file, ...], "output": file}   -> {"id": 3}
  {"id": 4, "verb": "versions"}                                           -> {"id": 4, "versions": {...}}
What cannot run answers {"id": n, "unavailable": why, "hint": what to do}; a failure answers {"id": n, "error": what}.
The helper ends when its input does.
"""
import ctypes
import json
import os
import signal
import sys
import time

# Libraries print to standard output: answers go to a private copy of it, everything else to standard error.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt of the terminal is the parent's to handle

FLUSH_MARK = "bitwise_not"  # kernel that writes the flush buffer: its activity records separate the calls
WAIT_MARK = "spin_kernel"   # kernel that keeps the GPU busy while a call is being queued
MAX_WAIT_NS = 5_000_000


class Unavailable(Exception):
    """The operation cannot run here. Arguments: why, what to do."""


class State:
    torch = None
    flush = None
    prepared = {}


def versions():
    torch = State.torch
    found = {"python": sys.version.split()[0], "torch": torch.__version__, "device": torch.cuda.get_device_name(0)}
    number = torch.backends.cudnn.version() or 0
    if number:
        # 9.19.0 is 91900; before version 9 it was 8.9.7, 8907.
        found["cudnn"] = "%d.%d.%d" % ((number // 10000, number % 10000 // 100, number % 100) if number >= 90000
                                       else (number // 1000, number % 1000 // 100, number % 100))
    return found


def hello(request):
    device = request.get("device") or ""
    if device:
        os.environ["CUDA_VISIBLE_DEVICES"] = device if device.startswith(("GPU-", "MIG-")) else "GPU-" + device
    try:
        import torch
    except ImportError as problem:
        raise Unavailable("python3 cannot import torch: %s." % problem,
                          "Install PyTorch for the python3 on PATH (pip install torch), or name another one in KLOOP_PYTHON.")
    if not torch.cuda.is_available():
        raise Unavailable("PyTorch %s sees no CUDA device." % torch.__version__,
                          "Install a PyTorch built for CUDA whose version the driver supports.")
    State.torch = torch
    l2 = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 0) or 64 << 20
    State.flush = torch.zeros(max(2 * l2, 32 << 20) // 4, dtype=torch.int32, device="cuda")
    return {"versions": versions()}


def sdpa_call(q, k, v, causal, backend):
    """A call of SDPA on these tensors, by PyTorch's own choice or one backend."""
    torch = State.torch
    import torch.nn.functional as functional
    from torch.nn.attention import SDPBackend, sdpa_kernel

    known = {"flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION, "math": SDPBackend.MATH,
             "cudnn": getattr(SDPBackend, "CUDNN_ATTENTION", None)}
    if backend == "own":
        chosen = [known["flash"], known["efficient"], known["math"]]
    else:
        chosen = known.get(backend)

    shared = {"enable_gqa": True} if q.shape[1] != k.shape[1] else {}

    def default():
        with torch.no_grad():
            return functional.scaled_dot_product_attention(q, k, v, is_causal=causal, **shared)

    def forced():
        with torch.no_grad(), sdpa_kernel(chosen):
            return functional.scaled_dot_product_attention(q, k, v, is_causal=causal, **shared)

    if backend != "default" and chosen is None:
        raise Unavailable("PyTorch %s has no SDPA backend %s." % (torch.__version__, backend), "Use sdpa, or a newer PyTorch.")
    return default if backend == "default" else forced


def sdpa_shapes(params):
    batch, heads, queries, dim = (int(params[key]) for key in ("B", "H", "S", "D"))
    keys = int(params.get("SK", queries))
    dtype = State.torch.bfloat16 if params.get("BF16", 0) else State.torch.float16
    own = heads // int(params.get("GROUP", 1))  # heads of K and V
    return [(batch, heads, queries, dim), (batch, own, keys, dim), (batch, own, keys, dim)], dtype, bool(params.get("CAUSAL", 0))


def tried(call, backend):
    """The first result of a call; why where PyTorch refuses it."""
    try:
        result = call()
        State.torch.cuda.synchronize()
        return result
    except (RuntimeError, TypeError) as problem:  # TypeError: a PyTorch without enable_gqa
        why = str(problem).splitlines()[0].rstrip(".")
        raise Unavailable("PyTorch's SDPA backend %s cannot run this problem: %s." % (backend, why), "")


def prepare_sdpa(params, backend):
    torch = State.torch
    shapes, dtype, causal = sdpa_shapes(params)
    generator = torch.Generator(device="cuda").manual_seed(1)
    inputs = [torch.randn(shape, device="cuda", generator=generator).to(dtype) for shape in shapes]
    call = sdpa_call(*inputs, causal, backend)
    tried(call, backend)

    def name(kernels):
        text = " ".join(kernels).lower()
        for word, label in (("cudnn", "cuDNN"), ("flash", "FlashAttention"), ("fmha", "memory-efficient")):
            if word in text:
                return "PyTorch SDPA (%s)" % label
        return "PyTorch SDPA (math)"

    found = versions()
    version = "torch %s" % found["torch"] + (", cuDNN %s" % found["cudnn"] if "cudnn" in found else "")
    return call, name, version, sum(tensor.numel() * tensor.element_size() for tensor in inputs)


def output(request):
    """Computes an operation on the inputs in files and writes what it gives into another."""
    torch = State.torch
    backend = sdpa_backend(request["op"])
    if torch is None or backend is None:
        raise Unavailable("The helper computes no output of %s." % request["op"], "Known: sdpa, sdpa-own, sdpa-flash and its like.")
    shapes, dtype, causal = sdpa_shapes(request["params"])
    tensors = []
    for path, shape in zip(request["inputs"], shapes):
        with open(path, "rb") as file:
            tensors.append(torch.frombuffer(bytearray(file.read()), dtype=dtype).reshape(shape).to("cuda"))
    result = tried(sdpa_call(*tensors, causal, backend), backend).contiguous().cpu()
    with open(request["output"], "wb") as file:
        file.write(ctypes.string_at(result.data_ptr(), result.numel() * result.element_size()))
    return {}


def prepare_cub_sum(params):
    try:
        import cupy
    except ImportError as problem:
        raise Unavailable("python3 cannot import cupy: %s." % problem,
                          "Install CuPy for the python3 in use (pip install cupy-cuda12x or cupy-cuda13x).")
    torch = State.torch
    # CuPy chooses CUB for whole reductions when it is among the accelerators; set both lists, whatever CUPY_ACCELERATORS says.
    cupy._core.set_routine_accelerators(["cub"])
    cupy._core.set_reduction_accelerators(["cub"])
    values = torch.randn(int(params["N"]), device="cuda", generator=torch.Generator(device="cuda").manual_seed(1))
    array = cupy.asarray(values)  # shares the memory; `values` stays alive with `call`; both libraries use the default stream

    def call():
        return array.sum(), values

    call()
    torch.cuda.synchronize()

    def name(kernels):
        if not any("cub" in kernel.lower() or "devicereduce" in kernel.lower() for kernel in kernels):
            raise Unavailable("CuPy %s did not use CUB for the sum (it ran %s)." % (cupy.__version__, ", ".join(kernels)), "")
        return "CUB DeviceReduce::Sum (CuPy)"

    return call, name, "cupy %s" % cupy.__version__, None  # CuPy's own memory, which PyTorch does not count


def sdpa_backend(op):
    return "default" if op == "sdpa" else op[len("sdpa-"):] if op.startswith("sdpa-") else None


def prepare(op, params):
    backend = sdpa_backend(op)
    if backend is not None:
        return prepare_sdpa(params, backend)
    if op == "cub-sum":
        return prepare_cub_sum(params)
    raise Unavailable("The helper does not support the operation %s." % op, "Known: sdpa, sdpa-flash, sdpa-efficient, sdpa-math, sdpa-cudnn, cub-sum.")


def activities(profile):
    """GPU activities as (start, end, name) in nanoseconds, in order of start."""
    torch = State.torch
    cuda = torch.autograd.DeviceType.CUDA
    found = []
    for event in profile.profiler.kineto_results.events():
        if event.device_type() == cuda:
            start = event.start_ns()
            found.append((start, start + event.duration_ns(), event.name()))
    found.sort()
    return found


def spans(records):
    """Per call, of what ran between two flushes: first start to last end, and the kernels' times added up; and all names."""
    calls, names = [], []
    for start, end, name in records:
        if FLUSH_MARK in name:
            calls.append(None)
            continue
        if not calls or WAIT_MARK in name:
            continue  # before the first flush, or between two calls
        first, last, busy = calls[-1] or (start, end, 0)
        calls[-1] = (min(start, first), max(end, last), busy + (0 if name.startswith(("Memset", "Memcpy")) else end - start))
        if name not in names:
            names.append(name)
    calls = [call for call in calls if call is not None]
    return [last - first for first, last, _ in calls], [busy for _, _, busy in calls], names


def peak_bytes(call, inputs):
    """The inputs, and what a warm call allocates at its peak; null without the bytes of the inputs."""
    cuda = State.torch.cuda
    if inputs is None:
        return None
    cuda.synchronize()
    cuda.reset_peak_memory_stats()
    before = cuda.memory_allocated()
    call()
    cuda.synchronize()
    return inputs + cuda.max_memory_allocated() - before


def measure(request):
    torch = State.torch
    if torch is None:
        raise Unavailable("The helper was not greeted with a device.", "")
    op, params, samples = request["op"], request.get("params", {}), int(request["samples"])
    key = json.dumps([op, params], sort_keys=True)
    if key not in State.prepared:
        State.prepared[key] = prepare(op, params)
    call, name, version, inputs = State.prepared[key]
    from torch.profiler import ProfilerActivity, profile

    queueing = 0
    for _ in range(3):
        start = time.perf_counter_ns()
        call()
        queueing = time.perf_counter_ns() - start  # of the last one, warm
        torch.cuda.synchronize()
    memory = peak_bytes(call, inputs)
    # A call of several activities must not wait for this interpreter between them: the GPU spins until all are queued. Recording
    # makes queueing slower, hence three times; about two clock cycles a nanosecond.
    wait_cycles = 2 * min(max(3 * queueing, 100_000), MAX_WAIT_NS)
    with profile(activities=[ProfilerActivity.CUDA]) as recorded:
        for _ in range(samples + 1):  # the first one still meets the profiler's own start-up
            torch.cuda._sleep(wait_cycles)
            State.flush.bitwise_not_()
            call()
        torch.cuda.synchronize()
    gpu, busy, kernels = spans(activities(recorded))
    if len(gpu) != samples + 1:
        raise RuntimeError("%d calls gave %d groups of activity records" % (samples + 1, len(gpu)))

    host = []
    for _ in range(samples):
        State.flush.bitwise_not_()
        torch.cuda.synchronize()
        start = time.perf_counter_ns()
        call()
        torch.cuda.synchronize()
        host.append(time.perf_counter_ns() - start)
    return {"name": name(kernels), "version": version, "gpu_ns": gpu[1:], "kernels_ns": busy[1:], "host_ns": host, "kernels": kernels,
            "memory_bytes": memory}


def main():
    verbs = {"hello": hello, "measure": measure, "output": output, "versions": lambda request: {"versions": versions()}}
    for line in sys.stdin:
        answer = {}
        try:
            request = json.loads(line)
            answer["id"] = request.get("id")
            answer.update(verbs[request["verb"]](request))
        except Unavailable as reason:
            answer["unavailable"], answer["hint"] = reason.args
        except Exception as problem:  # whatever an operation raises must reach the worker as an answer
            answer["error"] = "%s: %s" % (type(problem).__name__, problem)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
