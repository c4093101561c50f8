#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What does it cost to collect the same metrics with kloop and with Nsight Compute?

    tests/bench/ncu_speed.py [--kloop build/bin/kloop] [--ncu ncu] [--tier 2] [--code kept|fresh] [--alone KERNEL ...] [--out DIR] [KERNEL ...]

The same metrics (those of the tier, under the chip's names), the same cache mode (emptied before every pass), clocks untouched on both sides
(ncu --clock-control none), cold processes on both sides:

    kloop: kloop profile KERNEL --counters-only        (loads, launches, collects, diagnoses, stores)
    ncu:   ncu --metrics … kloop launch KERNEL         (the program that ncu profiles loads and launches, nothing else)

once with one process for all kernels, once with one process for each of `--alone`. `kloop launch` by itself is timed as well: what remains
without it is collection. With --code kept, both sides find compiled code in a cache that an earlier launch filled; with --code fresh, both
compile (kloop profile on all cores, kloop launch one kernel after the other). Without kernels: every variant of the catalog on its default
problem.
"""
import argparse
import datetime
import json
import os
import subprocess
import sys
import time


def timed(words):
    begin = time.monotonic()
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(f"{' '.join(words[:6])} … failed ({done.returncode}):\n{done.stderr[-2000:]}{done.stdout[-2000:]}")
    return seconds, done.stdout, done.stderr


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kernels", nargs="*")
    options.add_argument("--kloop", default="build/bin/kloop")
    options.add_argument("--ncu", default="ncu")
    options.add_argument("--tier", default="2")
    options.add_argument("--alone", nargs="*", default=["transpose/naive", "attention/fused"])
    options.add_argument("--code", choices=("kept", "fresh"), default="kept")
    options.add_argument("--out", default=".")
    chosen = options.parse_args()
    kloop = chosen.kloop
    if chosen.code == "fresh":
        os.environ["KERNELLOOP_CACHE_MB"] = "0"
    catalog = json.loads(timed([kloop, "kernels", "--json"])[1])["kernels"]
    kernels = chosen.kernels or [f"{family['id']}/{variant['id']}" for family in catalog for variant in family["variants"]]
    plan = json.loads(timed([kloop, "profile", "--plan", "--tier", chosen.tier, "--json"])[1])
    names = [plan["spelled"].get(name, name) for name in plan["metrics"]]

    def ncu(entries, count, words):
        return [chosen.ncu, "--target-processes", "all", "--clock-control", "none", "--cache-control", "all", "--kernel-name",
                f"regex:^({'|'.join(sorted(set(entries)))})$", *count, "--metrics", ",".join(names), "--csv", "--page", "raw", *words]

    all_bare = min(timed([kloop, "launch", *kernels])[0] for _ in range(2))  # the first run fills caches: the driver's, the disk's, ours
    all_ours, text, _ = timed([kloop, "profile", *kernels, "--tier", chosen.tier, "--counters-only", "--json"])
    answer = json.loads(text)
    runs = answer["results"] if "results" in answer else [answer]
    entries = {kernel: run["collection"]["launch"] for kernel, run in zip(kernels, runs)}
    print(f"{len(runs)} kernels: kloop {all_ours:.2f} s, launch alone {all_bare:.2f} s", flush=True)
    rows = []
    for kernel in chosen.alone:
        mine, text, _ = timed([kloop, "profile", kernel, "--tier", chosen.tier, "--counters-only", "--json"])
        run = json.loads(text)
        bare, _, _ = timed([kloop, "launch", kernel])
        theirs, _, _ = timed(ncu([run["collection"]["launch"]], ["--launch-count", "1"], [kloop, "launch", kernel]))
        rows.append((kernel, run["plan"]["ran"], mine, theirs, bare, run["worker_seconds"]))
        print(f"{kernel:28s} kloop {mine:6.2f} s  ncu {theirs:6.2f} s  {theirs / mine:5.1f} ×   launch alone {bare:5.2f} s", flush=True)
    all_theirs, text, _ = timed(ncu(list(entries.values()), [], [kloop, "launch", *kernels]))
    counted = sum(line.startswith('"') for line in text.splitlines()) - 2
    if counted < len(runs):
        sys.exit(f"ncu counted {counted} launches, kloop {len(runs)}")
    report(chosen, plan, rows, (len(runs), all_ours, all_theirs, all_bare, counted), runs[0]["device"])
    return 0


def report(chosen, plan, rows, whole, device):
    count, ours, theirs, bare, counted = whole
    lines = [f"{device['name']}, driver {device.get('driver_version', '')}; {datetime.date.today()}; tier {chosen.tier}: {len(plan['metrics'])} metrics, "
             f"{plan['plan']['passes']} passes; compiled code {chosen.code}.", "",
             "| kernel | kloop's passes | kloop, s | ncu, s | ncu / kloop | launch alone, s | of it in kloop's worker, s |",
             "|" + " --- |" * 7]
    for kernel, passes, mine, other, alone, worker in rows:
        lines.append(f"| {kernel} | {passes} | {mine:.2f} | {other:.2f} | {other / mine:.1f} | {alone:.2f} | {worker:.2f} |")
    lines += ["", "| a pass over the catalog | kernels | kloop, s per kernel | ncu, s per kernel | ncu / kloop | launch alone, s per kernel | collection alone |",
              "|" + " --- |" * 7]

    def sums(title, a, b, c, kernels, counted):
        """ncu's time is divided by the launches that it counted, which are more if two kernels share an entry."""
        extra = f"{(b - c) / counted / ((a - c) / kernels):.1f} ×" if a > c else "kloop costs no more than the launch"
        lines.append(f"| {title} | {kernels} | {a / kernels:.3f} | {b / counted:.3f} | **{b / counted / (a / kernels):.1f} ×** | {c / kernels:.3f} | {extra} |")

    sums("one process for all", ours, theirs, bare, count, counted)
    if rows:
        sums("one process per kernel", *(sum(row[i] for row in rows) for i in (2, 3, 4)), len(rows), len(rows))
    text = "\n".join(lines) + "\n"
    print(text)
    os.makedirs(chosen.out, exist_ok=True)
    with open(os.path.join(chosen.out, "ncu_speed.md"), "w") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main())
