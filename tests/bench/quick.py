#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long does a command take to its finding, and where does the time go? Needs a GPU.

  tests/bench/quick.py [--kloop build/bin/kloop] [--rounds 5] [--before OTHER/kloop] [-o tests/bench/results/quick.md]

Fresh: a command in a process of its own, with an empty database and compiled code in the cache, after one round that is not counted.
"answer" is the time until its last byte was printed, "exit" the time until the process had ended. Warm: the same kernel repeatedly in one
process, whose worker stays, as in the window; from the request to the stored run, without the first one. First: with a running worker, from
the request to the first finding, which is inferred from time and code and which the window shows while counters are read; kloop's own
request, sent to a worker without kloop. --before measures another build, by turns with this one.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

KERNELS = [("chain/fused", "N=262144"), ("histogram/warps", "BINS=256,N=4194304"), ("attention/fused", "B=2,CAUSAL=0,D=64,H=8,S=512")]
CASES = [("run", ["run"]), ("profile --tier 0", ["profile", "--tier", "0"]), ("profile --tier 1", ["profile", "--tier", "1"]),
         ("profile", ["profile"])]
WARM = 6
PART = re.compile(r"^ *(\d+\.\d+) +(\d+\.\d+)  ( *)(.+)$")


class Command:
    """One run of a command: the time until its answer was complete, until it had ended, and its parts."""

    def __init__(self, kloop, words, timings):
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, KERNELLOOP_DB=os.path.join(folder, "quick.db"))
            begin = time.monotonic()
            process = subprocess.Popen([kloop] + words + ["--json"] + (["--timings"] if timings else []), env=environment,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            out = b""
            self.answer = 0.0
            while True:
                piece = os.read(process.stdout.fileno(), 1 << 20)
                if not piece:
                    break
                out += piece
                self.answer = time.monotonic() - begin
            errors = process.stderr.read().decode()
            self.code = process.wait()
            self.exit = time.monotonic() - begin
        if self.code != 0:
            sys.exit(f"{kloop} {' '.join(words)}: exit {self.code}\n{errors}")
        self.json = json.loads(out)
        self.parts = []
        for line in errors.splitlines():
            if found := PART.match(line):
                self.parts.append((float(found[1]), float(found[2]), len(found[3]) // 2, found[4]))


def fresh(kloops, words, rounds):
    """The runs of `rounds` rounds per program, by turns, after one that warms caches."""
    runs = [[] for _ in kloops]
    for i in range(rounds + 1):
        for number, kloop in enumerate(kloops):
            done = Command(kloop, words, number == 0)
            if i > 0:
                runs[number].append(done)
    return runs


def warm(kloop, words, problem):
    """Seconds of each profile with a running worker."""
    verb = words[0]
    again = Command(kloop, words + ["--problem", problem] * WARM, True)
    begins = [part[0] for part in again.parts if part[3] == f"request {verb}"]
    ends = [part[0] + part[1] for part in again.parts if part[3] == "store"]
    return [end - begin for begin, end in zip(begins, ends)][1:]


def first(kloop, words, problem):
    """Seconds from each request of a profile to the part of its answer that the first finding is made of, on a worker that is up."""
    worker = os.environ.get("KERNELLOOP_WORKER") or os.path.join(os.path.dirname(os.path.abspath(kloop)), "kloop-worker")
    with tempfile.TemporaryDirectory() as folder:
        listening = os.path.join(folder, "worker.sh")
        requests = os.path.join(folder, "requests")
        with open(listening, "w", encoding="utf-8") as script:
            script.write(f'#!/bin/sh\ntee "{requests}" | "{worker}" "$@"\n')
        os.chmod(listening, 0o755)
        environment = dict(os.environ, KERNELLOOP_DB=os.path.join(folder, "quick.db"), KERNELLOOP_WORKER=listening)
        subprocess.run([kloop] + words + ["--problem", problem, "--json"], env=environment, stdout=subprocess.DEVNULL, check=True)
        with open(requests, encoding="utf-8") as lines:
            asked = next(request for request in map(json.loads, lines) if request["verb"] == "profile")
    process = subprocess.Popen([worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    seconds = []
    for number in range(WARM):
        begin = time.monotonic()
        process.stdin.write(json.dumps(dict(asked, id=number)) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            event = json.loads(line)["event"]
            if event == "partial":
                seconds.append(time.monotonic() - begin)
            if event in ("result", "error"):
                break
    process.stdin.close()
    process.wait()
    return seconds[1:]


def parts_table(runs, lines):
    """Median of each part by name over the runs, in the order of the first run."""
    seen = []
    sums = []
    for run in runs:
        of_run = {}
        for begin, seconds, depth, name in run.parts:
            if name not in of_run:
                of_run[name] = [begin, 0.0, 0, depth]
            of_run[name][1] += seconds
            of_run[name][2] += 1
        sums.append(of_run)
        for name in of_run:
            if name not in seen:
                seen.append(name)
    rows = []
    for name in seen:
        there = [of_run[name] for of_run in sums if name in of_run]
        rows.append((statistics.median(row[0] for row in there), statistics.median(row[1] for row in there), there[0][2], there[0][3], name))
    lines.append("| begin s | seconds | times | part |")
    lines.append("| --- | --- | --- | --- |")
    for begin, seconds, times, depth, name in sorted(rows):
        if seconds >= 0.0005:
            lines.append(f"| {begin:.3f} | {seconds:.3f} | {times} | {'· ' * depth}{name} |")
    lines.append("")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kloop", default="build/bin/kloop")
    options.add_argument("--before")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("-o", "--out", default="tests/bench/results/quick.md")
    asked = options.parse_args()
    kloops = [asked.kloop] + ([asked.before] if asked.before else [])
    rows = []
    tables = []
    device = None
    for kernel, problem in KERNELS:
        for title, words in CASES:
            runs = fresh(kloops, words + [kernel, "--problem", problem], asked.rounds)
            device = device or runs[0][0].json["device"]
            again = warm(asked.kloop, words + [kernel], problem) if words[0] == "profile" else []
            row = [kernel, title] + [f"{statistics.median(r.answer for r in of):.3f} | {statistics.median(r.exit for r in of):.3f}" for of in runs]
            row.append(f"{statistics.median(again):.3f}" if again else "")
            early = first(asked.kloop, words + [kernel], problem) if words == ["profile"] else []
            row.append(f"{statistics.median(early):.3f}" if early else "")
            rows.append(row)
            print(" | ".join(row), flush=True)
            if kernel == KERNELS[0][0]:
                tables.append((f"{title} {kernel}", runs[0]))
    lines = [f"# From a command to its finding, on an {device['name']}", "",
             "Seconds, medians. " + " ".join(__doc__.split("\n\n")[2].split()) + " To repeat: `tests/bench/quick.py`.", "",
             f"{device['name']}, driver {device['driver_version']}; {time.strftime('%Y-%m-%d')}; {asked.rounds} rounds.", ""]
    head = ["kernel", "command", "answer", "exit"] + (["answer before", "exit before"] if asked.before else []) + ["warm", "first"]
    lines.append("| " + " | ".join(head) + " |")
    lines.append("|" + " --- |" * len(head))
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    lines.append("")
    for title, runs in tables:
        lines += [f"## Where the time goes: `kloop {title}`", ""]
        parts_table(runs, lines)
    with open(asked.out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
