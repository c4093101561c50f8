#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds kloop's hardware metrics against Nsight Compute's, launch by launch.

    tests/bench/ncu_crosscheck.py [--kloop build/bin/kloop] [--ncu ncu] [--repeats 3] [--out DIR] [KERNEL[@PROBLEM] ...]

Both sides launch the same kernels of the catalogue on the same generated inputs: kloop collects by itself
(`kloop profile --counters-only`), ncu looks at `kloop launch`, which launches and does nothing else. Both empty the caches before every
pass (ncu --cache-control all) and leave the clocks alone (--clock-control none). Each launch is collected `--repeats` times on both
sides, and medians are compared: work counters within 1 %, percentages within 3 points, time within 3 %. Where the repeats of one side
lie further apart than the limit, that spread is the limit, and the table says so.

What is over its limit and in tier 0 is asked of ncu once more, in one pass: then ncu neither saves nor restores memory. With many passes
its restoring leaves about 2.4 MB of written lines in the L2, which it counts as the kernel's DRAM writes (on an H200 a reduction shows
2.4 MB, and 0.06 MB where ncu collects six metrics in one pass).

Without kernels: every variant of the catalogue on its first two problems. Writes DIR/ncu_crosscheck.md and DIR/ncu_crosscheck.csv.
"""
import argparse
import csv
import datetime
import json
import os
import statistics
import subprocess
import sys

TIME = "gpu__time_duration.sum"
WORK_LIMIT, POINTS_LIMIT, TIME_LIMIT = 1.0, 3.0, 3.0
# Traffic below this is the launch itself (its arguments, instructions, tables), whose lines a driver may hold warm or not.
TRAFFIC_FLOOR = {"dram__": 64 * 1024, "lts__t_bytes": 64 * 1024, "lts__t_sectors": 2048, "l1tex__": 0, "smsp__": 0, "sm__": 0}


def call(words, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words[:6])} … failed ({done.returncode}):\n{done.stderr[-2000:]}{done.stdout[-2000:]}")
    return done.stdout


def kind(name):
    if name == TIME:
        return "time"
    if name.endswith(".pct") or ".pct_of_peak" in name:
        return "points"
    if name.endswith(".sum") and "cycles" not in name:
        return "work"
    return "other"


def floor_of(name):
    return next((value for prefix, value in TRAFFIC_FLOOR.items() if name.startswith(prefix)), 0)


def ours(kloop, kernels, problem, repeats):
    """Of each kernel, its runs; one process for all."""
    words = [kernel for kernel in kernels for _ in range(repeats)]
    answer = json.loads(call([kloop, "profile", *words, "--problem", problem, "--counters-only", "--json"]))
    runs = answer["results"] if "results" in answer else [answer]
    for run in runs:
        if run["status"] != "ok" or run["plan"]["passes"] != run["plan"]["ran"]:
            sys.exit(f"{run['kernel']}/{run['variant']} {problem}: {run['status']} {run['reason']} {run['plan']}")
    return {kernel: runs[i * repeats:(i + 1) * repeats] for i, kernel in enumerate(kernels)}


def theirs(ncu, kloop, kernels, problem, repeats, entries, names):
    """Of each kernel, the values of the launch with its entry; one process for all, launches told apart by their order."""
    wanted = set(entries.values())
    text = call([ncu, "--target-processes", "all", "--clock-control", "none", "--cache-control", "all",
                 "--kernel-name", f"regex:^({'|'.join(sorted(wanted))})$", "--metrics", ",".join(names), "--csv", "--page", "raw",
                 "--print-units", "base", kloop, "launch", *kernels, "--problem", problem, "--repeat", str(repeats)])
    made = [line.split(" on ", 1)[0] + " " + line.split(": ", 1)[1].split(",")[0] for line in text.splitlines() if " blocks of " in line]
    made = [tuple(one.split(" ")) for one in made]
    made = [(kernel, entry) for kernel, entry in made if entry in wanted]
    lines = list(csv.reader(line for line in text.splitlines() if line.startswith('"')))
    if len(lines) - 2 != len(made) or not made:
        sys.exit(f"ncu saw {max(len(lines) - 2, 0)} launches where {len(made)} were made:\n{text[-1500:]}")
    columns = {name: lines[0].index(name) for name in names if name in lines[0]}
    called = lines[0].index("Kernel Name")
    values = {kernel: {name: [] for name in columns} for kernel in kernels}
    for (kernel, entry), line in zip(made, lines[2:]):
        if line[called].split("(")[0] != entry:
            sys.exit(f"ncu's launch {line[called]} stands where {entry} was made")
        if entry == entries[kernel]:
            for name, column in columns.items():
                values[kernel][name].append(float(line[column].replace(",", "") or "nan"))
    return {kernel: {name: cells for name, cells in found.items() if cells and all(cell == cell for cell in cells)}
            for kernel, found in values.items()}


def compare(name, mine, other):
    """(difference, limit, whether the limit is a spread) or None where both are as good as nothing."""
    a, b = statistics.median(mine), statistics.median(other)
    spread = max(max(other) - min(other), max(mine) - min(mine))
    what = kind(name)
    if what == "points":
        difference, own, limit = abs(a - b), spread, POINTS_LIMIT
    else:
        if max(a, b) <= floor_of(name) or (a == 0 and b == 0):
            return None
        scale = abs(b) or abs(a)
        difference, own, limit = abs(a - b) / scale * 100, spread / scale * 100, TIME_LIMIT if what == "time" else WORK_LIMIT
    return difference, max(limit, own), difference > limit and own >= difference


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kernels", nargs="*")
    options.add_argument("--kloop", default="build/bin/kloop")
    options.add_argument("--ncu", default="ncu")
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--problems", type=int, default=2, help="of each family, where no kernel is named")
    options.add_argument("--out", default=".")
    chosen = options.parse_args()
    catalogue = json.loads(call([chosen.kloop, "kernels", "--json"]))["kernels"]
    groups = {}
    if chosen.kernels:
        for text in chosen.kernels:
            kernel, _, problem = text.partition("@")
            family = next(one for one in catalogue if one["id"] == kernel.split("/")[0])
            groups.setdefault((family["id"], problem or family["problems"][0]), []).append(kernel)
    else:
        for family in catalogue:
            for problem in family["problems"][:chosen.problems]:
                groups[(family["id"], problem)] = [f"{family['id']}/{variant['id']}" for variant in family["variants"]]
    table, rows, device, version = [], [], "", call([chosen.ncu, "--version"]).strip().splitlines()[-1]
    for (_, problem), kernels in groups.items():
        runs = ours(chosen.kloop, kernels, problem, chosen.repeats)
        names = sorted({name for one in runs.values() for name in one[0]["metrics"]})
        entries = {kernel: one[0]["collection"]["launch"] for kernel, one in runs.items()}
        other = theirs(chosen.ncu, chosen.kloop, kernels, problem, chosen.repeats, entries, names)
        for kernel, one in runs.items():
            device = f"{one[0]['device']['name']}, driver {one[0]['device'].get('driver_version', '')}"
            mine = {name: [run["metrics"][name] for run in one] for name in names
                    if all(run["metrics"].get(name) is not None for run in one)}
            table.append(hold(kernel, problem, entries[kernel], mine, other[kernel], rows))
            print(" | ".join(table[-1]), flush=True)
        group = [line for line in table if line[1] == problem]
        again(chosen, kernels, problem, entries, runs, [row for row in rows if row[1] == problem and row[-1] == "over" and row[4] != "other"])
        for line in group:
            judged = [row for row in rows if row[0] == line[0] and row[1] == line[1] and row[-1] and row[4] != "other"]
            line[-1] = f"{sum(row[-1] != 'over' for row in judged)} of {len(judged)}"
        write(chosen, table, rows, device, version)  # after each group: what was measured stays when the rest is cut short
    judged = [row for row in rows if row[-1] and row[4] != "other"]
    over = sum(row[-1] == "over" for row in judged)
    print(f"{len(table)} launches, {len(judged)} values, {over} over their limit")
    return 1 if over else 0


def hold(kernel, problem, entry, mine, other, rows):
    """Compares one launch: its line of the table; every value goes into `rows`."""
    worst = {"time": ("", 0.0), "work": ("", 0.0), "points": ("", 0.0)}
    compared = over = 0
    for name in sorted(set(mine) & set(other)):
        what, found = kind(name), compare(name, mine[name], other[name])
        verdict = "" if found is None else "over" if found[0] > found[1] else "within the repeats' spread" if found[2] else "within"
        rows.append([kernel, problem, entry, name, what, repr(statistics.median(mine[name])), repr(statistics.median(other[name])),
                     "" if found is None else f"{found[0]:.3f}", "" if found is None else f"{found[1]:.3f}", verdict])
        if found is None or what == "other":
            continue
        compared += 1
        over += verdict == "over"
        if found[0] >= worst[what][1]:
            worst[what] = (name, found[0])
    cell = lambda what, unit: f"{worst[what][1]:.2f} {unit}" + (f" `{worst[what][0]}`" if worst[what][0] not in ("", TIME) else "")
    return [kernel, problem, entry, f"{statistics.median(other[TIME]) / 1000:.2f}", f"{statistics.median(mine[TIME]) / 1000:.2f}",
            cell("time", "%"), cell("work", "%"), cell("points", "points"), f"{compared - over} of {compared}"]


def again(chosen, kernels, problem, entries, runs, over):
    """Asks ncu once more for those over their limit that fit into one pass; a row that then agrees says so."""
    one_pass = json.loads(call([chosen.kloop, "metrics", "--chip", "GH100", "--json"]))["tiers"][0]["metrics"]
    names = sorted({row[3] for row in over} & set(one_pass))
    if not names:
        return
    alone = theirs(chosen.ncu, chosen.kloop, kernels, problem, chosen.repeats, entries, names)
    for row in over:
        values = alone.get(row[0], {}).get(row[3])
        if values is None:
            continue
        found = compare(row[3], [run["metrics"][row[3]] for run in runs[row[0]]], values)
        row[6] += f" (in one pass {statistics.median(values)!r})"
        if found is None or found[0] <= found[1]:
            row[-1] = "within ncu in one pass"


def write(chosen, table, rows, device, version):
    os.makedirs(chosen.out, exist_ok=True)
    with open(os.path.join(chosen.out, "ncu_crosscheck.csv"), "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["kernel", "problem", "entry", "metric", "kind", "kloop", "ncu", "difference", "limit", "verdict"])
        out.writerows(rows)
    with open(os.path.join(chosen.out, "ncu_crosscheck.md"), "w") as file:
        head = ["kernel", "problem", "entry", "ncu, µs", "kloop, µs", "time", "worst work counter", "worst percentage", "within"]
        file.write(f"{device}; ncu {version}; {datetime.date.today()}; median of {chosen.repeats} on both sides.\n\n")
        file.write("| " + " | ".join(head) + " |\n|" + " --- |" * len(head) + "\n")
        for row in table:
            file.write("| " + " | ".join(row) + " |\n")
        for verdict, title in (("over", "Over the limit"), ("within ncu in one pass", "Over the limit, but not where ncu collects them in one pass"),
                               ("within the repeats' spread", "Over the limit, and within the spread of the repeats")):
            beyond = [row for row in rows if row[-1] == verdict and row[4] != "other"]
            if not beyond:
                continue
            file.write(f"\n## {title}\n\n| kernel | problem | metric | kloop | ncu | difference | limit |\n|" + " --- |" * 7 + "\n")
            for row in beyond:
                unit = "points" if row[4] == "points" else "%"
                file.write(f"| {row[0]} | {row[1]} | `{row[3]}` | {float(row[5]):.6g} | {row[6]} | {row[7]} {unit} | {row[8]} {unit} |\n")


if __name__ == "__main__":
    sys.exit(main())
