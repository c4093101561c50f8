#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The attention kernels compared with every library that computes the same, in one run: blocks of kernel and baselines alternate, GPU time
is from activity records, and L2 is full of another buffer's written lines before each call on both sides.

Needs a GPU, PyTorch and cuDNN: attention_speed.py [path of kloop], default build/bin/kloop. Prints tables for results/attention_speed.md;
--json FILE also keeps the answers. --quick compares with PyTorch's choice and cuDNN only."""
import json
import subprocess
import sys

LONG = "sdpa,sdpa-cudnn,sdpa-flash,sdpa-efficient,cudnn,cublas"
QUICK = "sdpa,sdpa-cudnn,cudnn"
LONG_PROBLEMS = ["B=4,H=16,S=4096,D=64,CAUSAL=0", "B=4,H=16,S=4096,D=64,CAUSAL=1", "B=4,H=8,S=4096,D=128,CAUSAL=0", "B=4,H=8,S=4096,D=128,CAUSAL=1"]
SHORT_PROBLEMS = ["B=2,H=8,S=512,D=64,CAUSAL=0", "B=2,H=8,S=512,D=64,CAUSAL=1", "B=2,H=8,S=128,D=64,CAUSAL=0"]
# Address of the kernel, its problems, the libraries. Without a variant kloop takes the one that chip and problem call for.
RUNS = [
    ("attention", LONG_PROBLEMS, LONG),
    ("attention", SHORT_PROBLEMS, "all"),
]

# TFLOP/s of FlashAttention-3 forward at 16 k tokens and a hidden size of 2048 on an H100 SXM5, FP16, read from the plots of its paper (Shah
# et al., 2024).
PUBLISHED = {"S=4096,D=64,CAUSAL=0": 476, "S=4096,D=64,CAUSAL=1": 420, "S=4096,D=128,CAUSAL=0": 638, "S=4096,D=128,CAUSAL=1": 579}


def measured(kloop, kernel, problems, baselines):
    command = [kloop, "baselines", kernel, "--baseline", baselines, "--json", "--on", "local"]
    for problem in problems:
        command += ["--problem", problem]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    if done.returncode != 0:
        print("%s: exit %d\n%s%s" % (" ".join(command), done.returncode, done.stdout[-800:], done.stderr[-800:]), file=sys.stderr)
    answer = json.loads(done.stdout)
    return answer.get("results", [answer])


def us(ns):
    return "–" if ns is None else "%.3g" % (ns / 1e3) if ns < 1e5 else "%.0f" % (ns / 1e3)


def rows(answer):
    own = answer["rows"][0]
    name = "%s<br>%s" % (answer["problem"].replace(",BF16=0", ""), answer["tunables"])
    print("| %s | **ours** | %s | | %s | %.0f | | %.1e |" % (name, us(own["gpu_ns"]["median"]), us(own["host_ns"]), own["tflops"], own["max_abs"]))
    for row in answer["rows"][1:]:
        if row["gpu_ns"] is None:
            print("| | %s | unavailable: %s | | | | | |" % (row["id"], row["unavailable"]))
            continue
        time, kernels = row["gpu_ns"], row["kernels_ns"]
        ratio = "%.2f (%.2f to %.2f)" % (time["median"] / own["gpu_ns"]["median"], time["low"] / own["gpu_ns"]["high"],
                                         time["high"] / own["gpu_ns"]["low"])
        alone = "" if kernels is None else "; %.2f" % (kernels / own["gpu_ns"]["median"])
        error = "–" if row["max_abs"] is None else "%.1e" % row["max_abs"]
        print("| | %s | %s | %s | %s | %.0f | %s%s | %s |" % (row["id"], us(time["median"]), us(kernels), us(row["host_ns"]), row["tflops"],
                                                         ratio, alone, error))


def kernels_time(row):
    return row["kernels_ns"] or row["gpu_ns"]["median"]


def summary(answers):
    """One row per problem: ours, the best cuDNN of this run, PyTorch's choice, kernels only, and what FlashAttention-3 published."""
    print("| problem | kernel | ours, TFLOP/s | best cuDNN | ours / cuDNN | PyTorch's choice / ours, kernels only | FA3, published |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for answer in answers:
        own, others = answer["rows"][0], [row for row in answer["rows"][1:] if row["gpu_ns"] is not None]
        mine = own["gpu_ns"]["median"]
        cudnn = min((kernels_time(row) for row in others if "cudnn" in row["id"]), default=None)
        chosen = next((kernels_time(row) for row in others if row["id"] == "sdpa"), None)
        published = next((figure for sizes, figure in PUBLISHED.items() if all(size in answer["problem"].split(",") for size in sizes.split(","))), None)
        print("| %s | %s | %.0f | %s | %s | %s | %s |" % (
            answer["problem"].replace(",BF16=0", ""), answer["variant"] + ("@" + answer["tunables"] if answer["tunables"] else ""), own["tflops"],
            "–" if cudnn is None else "%.0f" % (own["tflops"] * mine / cudnn), "–" if cudnn is None else "%.2f" % (cudnn / mine),
            "–" if chosen is None else "%.2f" % (chosen / mine), published or "–"))
    print()


def main():
    arguments = sys.argv[1:]
    runs = RUNS
    if "--quick" in arguments:
        arguments.remove("--quick")
        runs = [(kernel, problems, QUICK) for kernel, problems, _ in RUNS]
    keep = None
    if "--json" in arguments:
        at = arguments.index("--json")
        keep = arguments[at + 1]
        del arguments[at:at + 2]
    kloop = arguments[0] if arguments else "build/bin/kloop"
    answers = [answer for run in runs for answer in measured(kloop, *run)]
    if keep:
        with open(keep, "w") as file:
            json.dump(answers, file, indent=1)
    answers = [answer for answer in answers if answer.get("rows")]
    if not answers:
        return 5
    versions = sorted({row["version"] for answer in answers for row in answer["rows"][1:] if row.get("version")})
    print("%s; %s.\n" % (answers[0]["device"]["name"], "; ".join(versions)))
    summary(answers)
    print("| problem, point | | GPU µs | its kernels µs | host µs | TFLOP/s | speedup (interval; of its kernels) | largest error |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for answer in answers:
        rows(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
