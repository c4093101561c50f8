#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/data/ncu_rules.json: what the rules of Nsight Compute say about the kernels of the catalog.

    tests/bench/ncu_rules.py [--kloop build/bin/kloop] [--ncu ncu] [--set full | --rules] [--out ncu_rules.json] [--reports DIR] [--seconds 0]
                           [--collect-only] [FAMILY ...]

ncu profiles `kloop launch`, one process per family, every labeled variant on the first problem of the family; for a variant with several
launches the longest of the large ones counts. kloop's own importer reads the report. If DIR already has the report and the list of launches
of a family, ncu is not run. `kloop confusion --ncu tests/data/ncu_rules.json` maps the top rule to our classes and counts.
"""
import argparse
import json
import os
import subprocess
import sys
import time

TIME = "gpu__time_duration.sum"
UNITS = [TIME] + [name + ".avg.pct_of_peak_sustained_elapsed" for name in (
    "sm__throughput", "gpu__compute_memory_throughput", "gpu__dram_throughput", "lts__throughput", "l1tex__throughput",
    "sm__pipe_tensor_cycles_active")] + [f"sm__inst_executed_pipe_{pipe}.avg.pct_of_peak_sustained_active" for pipe in (
        "fma", "fp64", "xu", "alu", "lsu")]

RULED = ["SpeedOfLight", "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis", "MemoryWorkloadAnalysis_Tables", "SchedulerStats", "WarpStateStats",
         "InstructionStats", "LaunchStats", "Occupancy", "SourceCounters", "WorkloadDistribution"]


def chosen(options):
    return [word for section in RULED for word in ("--section", section)] if options.rules else ["--set", options.set]


def call(words, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words[:6])} … failed ({done.returncode}):\n{done.stderr[-2000:]}{done.stdout[-2000:]}")
    return done.stdout


def verdict(result):
    """What the rules say of one result of `kloop analyze REPORT --json`, and the figures that tell units apart where a rule says "memory"."""
    rules = [{key: rule[key] for key in ("rule", "title", "kind", "text", "speedup_percent", "speedup_scope", "section") if key in rule}
             for rule in result["imported"]["rules"]]
    return {"rules": rules, "metrics": {name: result["metrics"].get(name) for name in UNITS}}


def busiest_entries(options, variants, problem):
    """The entries of each variant's launch with the most threads; small launches of a sequence are left out."""
    launches = json.loads(call([options.kloop, "launch", *variants, "--problem", problem, "--json"]))["launches"]
    most = {}
    for one in launches:
        size = one["grid_blocks"] * one["block_threads"]
        if one["kernel"] not in most or size > most[one["kernel"]][0]:
            most[one["kernel"]] = (size, one["entry"])
    return {entry for _, entry in most.values()}


def report(options, family, problem, variants):
    """(path of the report, [kernel of each launch in order])"""
    path = os.path.join(options.reports, family)
    if not (os.path.exists(path + ".ncu-rep") and os.path.exists(path + ".launches")):
        entries = busiest_entries(options, variants, problem)
        text = call([options.ncu, "--target-processes", "all", "--clock-control", "none", *chosen(options), "--import-source", "no",
                     "--kernel-name", f"regex:^({'|'.join(sorted(entries))})$", "--force-overwrite", "-o", path,
                     options.kloop, "launch", *variants, "--problem", problem])
        with open(path + ".launches", "w") as out:
            out.writelines(line + "\n" for line in text.splitlines() if " blocks of " in line and line.split(": ", 1)[1].split(",")[0] in entries)
    with open(path + ".launches") as launches:
        return path + ".ncu-rep", [line.split(" on ", 1)[0] for line in launches]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*")
    parser.add_argument("--kloop", default="build/bin/kloop")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--set", default="full")
    parser.add_argument("--rules", action="store_true", help="only the sections of the full set that have rules: half the time")
    parser.add_argument("--out", default="ncu_rules.json")
    parser.add_argument("--reports", default=".")
    parser.add_argument("--seconds", type=float, default=0, help="start no family after this time; 0: no limit")
    parser.add_argument("--collect-only", action="store_true", help="make the reports and stop; read them elsewhere with --reports")
    options = parser.parse_args()
    began = time.time()
    answer = {"schema": 1, "tool": "", "device": "", "kernels": {}}
    families = {family["id"]: family for family in json.loads(call([options.kloop, "kernels", "--json"]))["kernels"]}
    for family in [families[name] for name in options.families or families]:
        if options.seconds and time.time() - began > options.seconds:
            print(f"{family['id']}: no time left", file=sys.stderr)
            continue
        problem = family["problems"][0]
        labeled = [f"{family['id']}/{one['id']}" for one in family["variants"] if one["expected"]]
        if not labeled:
            continue
        path, launches = report(options, family["id"], problem, labeled)
        print(f"{family['id']}: {len(launches)} launches, {time.time() - began:.0f} s so far", file=sys.stderr)
        if options.collect_only:
            continue
        results = json.loads(call([options.kloop, "--db", ":sample:", "analyze", path, "--json"]))["results"]
        if len(results) != len(launches):
            sys.exit(f"{path} holds {len(results)} results where {len(launches)} launches were made")
        longest = {}
        for kernel, result in zip(launches, results):
            if kernel not in longest or result["metrics"].get(TIME, 0) > longest[kernel]["metrics"].get(TIME, 0):
                longest[kernel] = result
        for kernel, result in longest.items():
            answer["tool"], answer["device"] = result["imported"]["tool"], result["device"]["name"]
            answer["kernels"][f"{kernel} {problem}"] = verdict(result)
    if options.collect_only:
        return
    with open(options.out, "w") as out:
        json.dump(answer, out, indent=1, ensure_ascii=False)
        out.write("\n")


if __name__ == "__main__":
    main()
