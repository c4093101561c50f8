#!/usr/bin/env python3
"""tuned_worker.py [--seconds S] [...]: a worker of made-up figures, for searches in tests: the time of a point is a known function of its
tunables, and everything is correct. Each measurement takes S seconds. Other options are ignored.
"""
import hashlib
import json
import os
import re
import socket
import sys
import time

GPU = {"uuid": "GPU-0000aaaa-0000-0000-0000-000000000000", "name": "NVIDIA H200", "cc_major": 9, "cc_minor": 0, "sm_count": 132,
       "memory_bytes": 150109880320, "l2_bytes": 62914560, "smem_per_block_optin": 232448, "smem_per_sm": 233472,
       "smem_reserved_per_block": 1024, "max_threads_per_sm": 2048, "max_blocks_per_sm": 32, "regs_per_sm": 65536, "clock_mhz": 1980.0,
       "memory_clock_mhz": 3201.0, "memory_bus_bits": 6016, "chip": "GH100", "driver_version": "1", "cuda_driver_version": 13000}


def nanoseconds(kernel):
    tunables = dict(pair.split("=") for pair in kernel.partition("@")[2].split(",") if pair)
    return 10000 + 10 * int(tunables.get("BLOCK_N", 64)) + 100 * int(tunables.get("WARPS", 4)) + 1000 * int(tunables.get("STAGES", 2)) \
        + sum(map(ord, kernel)) % 97


def correct():
    return {"result": "correct", "max_abs": 0.0, "rel_l2": 0.0, "nonfinite": 0, "unwritten": 0, "reason": "", "suite": []}


def run(body):
    ns = nanoseconds(body["work"]["kernel"])
    rival = {"name": body["work"]["baseline"]["name"], "gpu_ns": {"median": 1.3 * ns, "low": 1.3 * ns, "high": 1.3 * ns, "n": 10}}
    return {"status": "ok", "reason": "", "device": GPU, "correctness": correct(), "memory_bytes": 1 << 20,
            "baseline": rival if body["with_baseline"] else None, "launches": [],
            "timing": {"gpu_ns": {"median": ns, "low": ns - 1, "high": ns + 1, "n": 100}, "clock_mhz": 1980.0}, "warnings": []}


def compare(body):
    a, b = nanoseconds(body["a"]["kernel"]), nanoseconds(body["b"]["kernel"])
    jitter = [1 + 0.001 * ((i * 7) % 5 - 2) for i in range(20)]
    blocks = [{"a": [a * x for x in jitter], "b": [b * x * (1 + 0.0004 * (n % 3 - 1)) for x in jitter]} for n in range(10)]
    return {"status": "ok", "reason": "", "device": GPU, "blocks": blocks, "correctness_a": correct(), "correctness_b": correct(),
            "warnings": []}


def build(body):
    points = []
    for point in body["points"]:
        launches = [{"entry": one["entry"], "threads": one["threads"], "registers": 64, "dynamic_smem": one["dynamic_smem"],
                     "barriers": 1} for one in point["launches"]]
        code = hashlib.sha1(" ".join(point["options"]).encode()).hexdigest()
        points.append({"kernel": point["kernel"], "ok": True, "arch": body["arch"], "code": code, "launches": launches})
    return {"compiler": "none", "arch": body["arch"], "jobs": 1, "seconds": 0.0, "points": points}


def main():
    seconds = float(sys.argv[sys.argv.index("--seconds") + 1]) if "--seconds" in sys.argv else 0

    def say(event, **fields):
        print(json.dumps({"event": event, **fields}), flush=True)
    gpu = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    if re.fullmatch(r"\d+", gpu): # of several, each is another one
        GPU["uuid"] = f"GPU-{int(gpu):08d}-0000-0000-0000-000000000000"
    say("hello", protocol=1, version="tuned", host=socket.gethostname(), devices=[GPU], device=0, unavailable=None)
    for line in sys.stdin:
        request = json.loads(line)
        verb, body = request["verb"], request["body"]
        if verb == "shutdown":
            return
        answer = {"run": run, "ab": compare, "build-many": build}.get(verb)
        if answer is None:
            say("error", id=request["id"], code="not-recorded", message=f"This worker does not support {verb}.", hint="", where=verb, detail="")
            continue
        if verb != "build-many":
            time.sleep(seconds)
        say("result", id=request["id"], body=answer(body), phases=[])


if __name__ == "__main__":
    main()
