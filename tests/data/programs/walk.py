#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Profiles programs with CUDA graphs, NVTX ranges, streams and processes on a GPU, and checks what `kloop profile` says of them.

    tests/data/programs/walk.py [--kloop build/bin/kloop] [--python /opt/torch/.venv/bin/python] [--out FOLDER] [CASE ...]

Cases: graph ranges streams processes nested. The answers are kept in FOLDER; a case that fails stops no other. The last line says how
many checks hold. Takes about a minute.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

WORK = pathlib.Path(__file__).resolve().parent / "work.py"
NO_KERNEL = "^no kernel has this name$"  # times alone: no second run


class Walk:
    def __init__(self, options, folder):
        self.options, self.folder, self.checks = options, folder, []

    def hold(self, what, good, seen=""):
        self.checks.append(bool(good))
        print(f"{'ok  ' if good else 'FAIL'} {what}: {seen}", flush=True)

    def profile(self, name, *options, command=None):
        """The part "program" of the answer, and what kloop wrote for people."""
        out = self.folder / f"{name}.json"
        words = [self.options.kloop, "--db", str(self.folder / "walk.db"), "profile", "--out", str(out), *options, "--"]
        words += command or [self.options.python, str(WORK), name.split("-")[0]]
        begin = time.monotonic()
        done = subprocess.run(words, capture_output=True, text=True, timeout=80, check=False)
        print(f"$ {name}: exit {done.returncode} after {time.monotonic() - begin:.1f} s", flush=True)
        (self.folder / f"{name}.txt").write_text(done.stderr)
        if done.returncode != 0:
            print(done.stderr[-3000:], flush=True)
        return json.loads(out.read_text())["program"], done.stderr

    def graph(self):
        def plain_step():
            plain, _ = self.profile(f"plain-{len(self.checks)}", "--kernel", NO_KERNEL, "--range", "measured")
            return plain["range"]["gpu_ns"] / 50, plain

        before, plain = plain_step()
        graph, text = self.profile("graph")
        after, _ = plain_step()
        self.hold("one graph is found", len(graph["graphs"]) == 1, [one["graph"] for one in graph["graphs"]])
        one = graph["graphs"][0]
        self.hold("it was launched 50 times", one["launches"] == 50, one["launches"])
        self.hold("its kernels are those of a step", one["kernel_launches"] * 1 == plain["range"]["launches"],
                  f"{one['kernel_launches']} and {plain['range']['launches']}")
        ratio = one["kernel_ns"] / 50 / ((before + after) / 2)
        self.hold("its kernels take as long as without a graph, within 2 %", abs(ratio - 1) < 0.02,
                  f"{ratio:.4f} of {before / 1000:.1f} and {after / 1000:.1f} us")
        names = {kernel["name"] for kernel in one["kernels"]}
        self.hold("each kernel has its name and grid", all(kernel["grid"][0] > 0 for kernel in one["kernels"]) and len(names) >= 2, names)
        self.hold("the table marks them", "graph" in text and "CUDA graph" in text)

    def ranges(self):
        program, text = self.profile("ranges", "--range", "step", "--count", "4")
        step = program["range"]
        self.hold("the range was entered 120 times", step["count"] == 120, step["count"])
        self.hold("with the same launches each", step["launches"] % 120 == 0 and step["launches"] >= 360, step["launches"])
        self.hold("its times are in order", 0 < step["union_ns"] <= step["busy_ns"] <= step["span_ns"],
                  [step[key] for key in ("gpu_ns", "union_ns", "busy_ns", "span_ns")])
        self.hold("it has a share of the program", 0.5 < step["share"] < 1, step["share"])
        counters = step["counters"] or {"covered": 0, "values": {}}
        self.hold("its kernels were counted", counters["covered"] > 0.9, counters["covered"])
        dram = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
        self.hold("weighted by time they load DRAM", 30 < counters["values"].get(dram, 0) <= 100, counters["values"].get(dram))
        whole = step["whole"] or {"failure": "it was not tried", "metrics": {}, "entries": 0}
        self.hold("it was counted as a whole", whole["failure"] == "", f"{whole['entries']} entries {whole['failure']}")
        read = "dram__bytes_read.sum"
        each = counters["values"].get(read, 0) / 120
        self.hold("as a whole it reads the bytes of its kernels", abs((whole["metrics"].get(read) or 0) / (each or 1) - 1) < 0.1,
                  f"{whole['metrics'].get(read)} and {each}")
        took = whole["metrics"].get("gpu__time_duration.sum") or 0
        self.hold("as a whole it takes the time of an entry or more", took > 0.9 * step["span_ns"] / 120, took)
        self.hold("the answer for people has it", "step as a whole" in text)

    def streams(self):
        program, text = self.profile("streams", "--kernel", NO_KERNEL)
        kernels = {kernel["name"]: kernel for kernel in program["kernels"]}

        def named(part):
            return next(kernel for name, kernel in kernels.items() if part in name)

        sleep = named("spin")
        add = next(kernel for kernel in kernels.values() if kernel["launches"] == 800)
        mul = next(kernel for kernel in kernels.values() if kernel["launches"] == 100)
        self.hold("kernels of two streams ran beside each other", sleep["name"] in [other["name"] for other in add["beside"]],
                  [other["name"][:50] for other in add["beside"]])
        self.hold("the small ones had little time to themselves", add["exclusive_ns"] < 0.3 * add["total_ns"],
                  f"{add['exclusive_ns']:.0f} of {add['total_ns']:.0f}")
        self.hold("a serial one has all of its time", not mul["beside"] and abs(mul["exclusive_ns"] / mul["total_ns"] - 1) < 0.01,
                  f"{mul['exclusive_ns']:.0f} of {mul['total_ns']:.0f}")
        gpu = program["gpu"]
        self.hold("overlaps are counted once", gpu["kernel_union_ns"] < gpu["kernel_ns"] - 0.5 * add["total_ns"],
                  f"{gpu['kernel_union_ns']:.0f} of {gpu['kernel_ns']:.0f}")
        exclusive = sum(kernel["exclusive_ns"] for kernel in kernels.values())
        self.hold("no time is exclusive twice", exclusive <= gpu["kernel_union_ns"] * 1.0001, f"{exclusive:.0f}")

    def processes(self):
        program, text = self.profile("processes", "--kernel", NO_KERNEL)
        ranks = program["ranks"]
        self.hold("two ranks are found", [one["rank"] for one in ranks] == [0, 1], [(one["rank"], one["pids"], one["device"]) for one in ranks])
        self.hold("their launches add up", sum(one["launches"] for one in ranks) == program["gpu"]["launches"], program["gpu"]["launches"])
        self.hold("rank 1 did twice the steps", 1.7 < ranks[1]["launches"] / ranks[0]["launches"] < 2.1,
                  [one["launches"] for one in ranks])
        self.hold("their kernel times add up", abs(sum(one["kernel_ns"] for one in ranks) / program["gpu"]["kernel_ns"] - 1) < 1e-6)
        self.hold("the table has them", "rank 0" in text and "rank 1" in text and "in total" in text)

    def nested(self):
        program, _ = self.profile("nested", "--kernel", NO_KERNEL,
                                  command=[self.options.kloop, "--db", str(self.folder / "inner.db"), "launch", "copy/vector", "--repeat", "5"])
        self.hold("a program that measures by itself does not wait for the lock of its own profile", program["exit_code"] == 0,
                  program["exit_code"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kloop", default="build/bin/kloop")
    parser.add_argument("--python", default="/opt/torch/.venv/bin/python")
    parser.add_argument("--out")
    parser.add_argument("cases", nargs="*", default=["graph", "ranges", "streams", "processes", "nested"])
    options = parser.parse_args()
    options.kloop = str(pathlib.Path(options.kloop).resolve())
    folder = pathlib.Path(options.out or tempfile.mkdtemp(prefix="kloop-programs-"))
    folder.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    walk = Walk(options, folder)
    for case in options.cases:
        try:
            getattr(walk, case)()
        except Exception:  # what one case lacks says nothing of the others
            walk.hold(case, False, traceback.format_exc(limit=2))
    print(f"{sum(walk.checks)} of {len(walk.checks)} checks hold, {time.monotonic() - begin:.0f} s; answers are in {folder}")
    return 0 if walk.checks and all(walk.checks) else 1


if __name__ == "__main__":
    sys.exit(main())
