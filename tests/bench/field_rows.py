#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs whose kernels were once diagnosed falsely: profiles each live, and prints what is reported beside the truth.

    /opt/torch/.venv/bin/python tests/bench/field_rows.py [--kloop build/bin/kloop] [--only REGEX] [--json FILE] [--list]

Needs a GPU, PyTorch, and permission for hardware counters. Exit 1 if a row does not report the truth.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

PREAMBLE = "import torch\nimport torch.nn.functional as F; d = 'cuda'\n"
LOOP = "for _ in range(14):\n    call()\ntorch.cuda.synchronize()\n"


def longest(answer):
    """The class of the kernel that takes most of the time."""
    runs = answer["results"]
    return max(runs, key=lambda run: run["program"]["total_ns"])["finding"]["class"] if runs else "nothing"


def counted(run):
    return any(value is not None for value in (run.get("metrics") or {}).values())


def of(*classes):
    """The longest kernel has one of these classes."""
    def check(answer):
        said = longest(answer)
        return said, said in classes
    return check


def leading(answer):
    said = longest(answer)
    return said, said not in ("balanced", "not-measured", "nothing")


def uncounted_is_not_measured(answer):
    bare = [run for run in answer["results"] if not counted(run)]
    said = bare[0]["finding"]["class"] if bare else "every kernel was counted"
    return said, said == "not-measured"


def host_bound(answer):
    program = (answer["program"].get("finding") or {}).get("class", "no finding")
    return f"program {program}, kernel {longest(answer)}", program == "host-bound" and longest(answer) == "dram-bound"


def no_counters(answer):
    runs = answer["results"]
    read = sum(counted(run) for run in runs)
    return f"counters of {read} of {len(runs)} kernels, {longest(answer)}", read == 0 and bool(runs)


def those_that_take_the_time(answer):
    """Counters for 90 % of the time, and the two shapes of one kernel in a row each."""
    runs = answer["results"]
    share = sum(run["program"]["share"] for run in runs if counted(run))
    shapes = {}
    for run in runs:
        shapes.setdefault(run["program"]["kernel"], set()).add(run["problem"])
    rows = max((len(problems) for problems in shapes.values()), default=0)
    return f"counters for {100 * share:.0f} % of the time, {rows} shapes of one kernel", share >= 0.9 and rows >= 2


# name, truth, options of kloop profile, program, check
ROWS = [
    ("BF16 GEMM 8192³", "tensor-bound, at its roof", [],
     "a, b = (torch.randn(8192, 8192, device=d, dtype=torch.bfloat16) for _ in 'ab')\ncall = lambda: torch.mm(a, b)\n" + LOOP, of("tensor-bound")),
    ("layer norm", "dram-bound: the excess at L1 costs nothing", [],
     "x, w = torch.randn(65536, 4096, device=d), torch.ones(4096, device=d)\ncall = lambda: F.layer_norm(x, (4096,), w, w)\n" + LOOP, of("dram-bound")),
    ("index_add into 64 bins", "contended atomics", [],
     "i = torch.randint(64, (1 << 24,), device=d)\nv, out = torch.rand(1 << 24, device=d), torch.zeros(64, device=d)\n"
     "call = lambda: out.index_add_(0, i, v)\n" + LOOP, of("atomics")),
    ("softmax of 8192-wide rows", "a leading reason", [],
     "x = torch.randn(32768, 8192, device=d)\ncall = lambda: torch.softmax(x, 1)\n" + LOOP, leading),
    ("randn", "a leading reason: instruction issue, or the pipe that fills it", [],
     "x = torch.empty(1 << 28, device=d)\ncall = lambda: x.normal_()\n" + LOOP, of("issue-bound", "int-bound", "xu-bound", "fp32-bound")),
    ("a kernel whose counters were not read", "not measured", ["--once", "--count", "1"],
     "x, y = torch.rand(1 << 26, device=d), torch.rand(1 << 27, device=d)\nfor _ in range(30):\n    x.add_(1)\n    y.mul_(2)\ntorch.cuda.synchronize()\n",
     uncounted_is_not_measured),
    ("a kernel of 38 us between copies", "the program is host-bound, the kernel dram-bound", [],
     "h = torch.rand(1 << 22).pin_memory()\nx = torch.zeros(1 << 24, device=d)\nimport time\n"
     "for _ in range(40):\n    x[:1 << 22].copy_(h)\n    z = torch.add(x, 1)\n    h.copy_(z[:1 << 22])\n    time.sleep(0.004)\ntorch.cuda.synchronize()\n", host_bound),
    ("--no-counters", "no counter is read", ["--no-counters"],
     "x = torch.rand(1 << 28, device=d)\ncall = lambda: torch.exp(x)\n" + LOOP, no_counters),
    ("28 kernels", "those that take the time are counted, a row per shape", [],
     "x, big = torch.rand(1 << 16, device=d), torch.rand(1 << 27, device=d)\n"
     "small = [torch.sin, torch.cos, torch.tan, torch.exp, torch.log, torch.sqrt, torch.rsqrt, torch.abs, torch.neg, torch.floor, torch.ceil, torch.round,\n"
     "         torch.sigmoid, torch.tanh, torch.relu, torch.erf, torch.sign, torch.reciprocal, torch.square, torch.log1p, torch.expm1, torch.sinh,\n"
     "         torch.cosh, torch.atan, torch.trunc, torch.frac]\n"
     "for _ in range(14):\n    [f(x) for f in small]\n    torch.exp(big)\n    torch.exp(big[:1 << 26])\n    torch.sum(big)\ntorch.cuda.synchronize()\n",
     those_that_take_the_time),
]


def profile(kloop, options, program, folder):
    path = os.path.join(folder, "program.py")
    with open(path, "w") as file:
        file.write(PREAMBLE + program)
    out = os.path.join(folder, "answer.json")
    done = subprocess.run([kloop, "profile", "--out", out, *options, "--", sys.executable, path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, env={**os.environ, "XDG_DATA_HOME": folder}, timeout=300)
    if not os.path.exists(out):
        return None, done.stderr.strip()[-300:]
    with open(out) as file:
        answer = json.load(file)
    os.remove(out)
    return answer, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kloop", default="build/bin/kloop")
    parser.add_argument("--only", default="", help="rows whose name matches this regular expression")
    parser.add_argument("--json", help="write the rows to this file")
    parser.add_argument("--list", action="store_true", help="print the rows, and profile nothing")
    options = parser.parse_args()
    rows = [row for row in ROWS if re.search(options.only, row[0])]
    if options.list:
        for name, truth, *_ in rows:
            print(f"{name}: {truth}")
        return 0
    told = []
    with tempfile.TemporaryDirectory() as folder:
        for name, truth, words, program, check in rows:
            answer, error = profile(options.kloop, words, program, folder)
            said, right = check(answer) if answer else (f"failed: {error}", False)
            told.append({"program": name, "truth": truth, "said": said, "right": right})
            print(f"{'ok ' if right else 'NO '}  {name}: {said}  (truth: {truth})", flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(told, file, indent=1, ensure_ascii=False)
    print(f"{sum(row['right'] for row in told)} of {len(told)} tell the truth")
    return 0 if all(row["right"] for row in told) else 1


if __name__ == "__main__":
    sys.exit(main())
