#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds kloop's hardware metrics against Nsight Compute's, launch by launch.

    tests/bench/ncu_crosscheck.py [--kloop build/bin/kloop] [--ncu ncu] [--tier 2] [--rounds 3] [--out DIR] [KERNEL[@PROBLEM] ...]

Both sides launch the same kernels of the catalogue on the same generated inputs: kloop collects by itself
(`kloop profile --counters-only`), ncu looks at `kloop launch`, which launches and does nothing else. Both empty the caches before every
pass (ncu --cache-control all) and leave the clocks alone (--clock-control none). Each round is a process on either side, in turn, so that
where buffers lie in memory, and how warm the GPU is, differ within a side as they do between the two. Medians over the rounds are
compared: work counters within 1 %, percentages within 3 points, time within 3 %. Where the rounds of one side lie further apart than the
limit, that spread is the limit, and the table says so.

What is over its limit is asked of ncu again, in one pass at a time, as often: then ncu neither saves nor restores memory. With many passes
its restoring leaves about 2.4 MB of written lines in the L2, which it counts as the kernel's DRAM writes (on an H200 a reduction shows
2.4 MB, and 0.06 MB where ncu collects six metrics in one pass). The table keeps those apart.

Without kernels: every variant of the catalogue on its default problem. Writes DIR/ncu_crosscheck.md and DIR/ncu_crosscheck.csv.
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
SPREAD, ALONE = "within the rounds' spread", "within ncu in one pass"
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


def ours(kloop, kernels, problem, tier):
    """Of each kernel, its run; one process for all."""
    answer = json.loads(call([kloop, "profile", *kernels, *problem, "--tier", tier, "--counters-only", "--json"]))
    runs = answer["results"] if "results" in answer else [answer]
    for run in runs:
        if run["status"] != "ok" or run["plan"]["passes"] != run["plan"]["ran"]:
            sys.exit(f"{run['kernel']}/{run['variant']} {problem}: {run['status']} {run['reason']} {run.get('plan')}")
    return dict(zip(kernels, runs))


def theirs(ncu, kloop, kernels, problem, entries, names):
    """Of each kernel, the values of the launch with its entry; one process for all, launches told apart by their order."""
    wanted = set(entries.values())
    text = call([ncu, "--target-processes", "all", "--clock-control", "none", "--cache-control", "all",
                 "--kernel-name", f"regex:^({'|'.join(sorted(wanted))})$", "--metrics", ",".join(names), "--csv", "--page", "raw",
                 "--print-units", "base", kloop, "launch", *kernels, *problem])
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


def merged(rounds):
    """Of each kernel and metric, the values of all rounds."""
    return {kernel: {name: [value for one in rounds for value in one[kernel].get(name, [])] for name in rounds[0][kernel]}
            for kernel in rounds[0]}


def counted(run):
    return {name: [value] for name, value in run["metrics"].items() if value is not None}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kernels", nargs="*")
    options.add_argument("--kloop", default="build/bin/kloop")
    options.add_argument("--ncu", default="ncu")
    options.add_argument("--tier", default="2", choices=("0", "1", "2"), help="metrics; those of tier 0 take one pass, so that ncu restores nothing")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--out", default=".")
    chosen = options.parse_args()
    catalogue = json.loads(call([chosen.kloop, "kernels", "--json"]))["kernels"]
    groups = {}
    for text in chosen.kernels or [f"{family['id']}/{variant['id']}" for family in catalogue for variant in family["variants"]]:
        kernel, _, problem = text.partition("@")
        groups.setdefault(problem, []).append(kernel)
    table, rows, version = [], [], call([chosen.ncu, "--version"]).strip().splitlines()[-1]
    for problem, kernels in groups.items():
        words = ["--problem", problem] if problem else []
        mine, other, launched = [], [], {}
        for _ in range(chosen.rounds):
            runs = ours(chosen.kloop, kernels, words, chosen.tier)
            names = sorted({name for run in runs.values() for name in run["metrics"]})
            entries = {kernel: run["collection"]["launch"] for kernel, run in runs.items()}
            for kernel, entry in entries.items():
                launched.setdefault(kernel, set()).add(entry)
            mine.append({kernel: counted(run) for kernel, run in runs.items()})
            other.append(theirs(chosen.ncu, chosen.kloop, kernels, words, entries, names))
        mine, other = merged(mine), merged(other)
        found = []
        for kernel, run in runs.items():
            if len(launched[kernel]) > 1:  # launches of nearly one length
                print(f"left out: {kernel}, whose longest launch is not always the same: {', '.join(sorted(launched[kernel]))}")
                continue
            device = f"{run['device']['name']}, driver {run['device'].get('driver_version', '')}"
            table.append(hold(kernel, run["problem"], entries[kernel], mine[kernel], other[kernel], found))
        write(chosen, table, rows + found, device, version)  # what was measured stays when the rest is cut short
        again(chosen, words, entries, mine, [row for row in found if row[-1] == "over" and row[4] != "other"])
        rows += found
        for line in table:
            judged = [row for row in rows if row[0] == line[0] and row[1] == line[1] and row[-1] and row[4] != "other"]
            line[-1] = f"{sum(row[-1] != 'over' for row in judged)} of {len(judged)}"
        write(chosen, table, rows, device, version)
    print("\n".join(" | ".join(line) for line in table))
    print(summary(table, rows))
    return 1 if any(row[-1] == "over" and row[4] != "other" for row in rows) else 0


def summary(table, rows):
    judged = [row for row in rows if row[-1] and row[4] != "other"]
    count = lambda verdict, what: sum(row[-1] == verdict and (not what or row[4] == what) for row in judged)
    lines = [f"{len(table)} launches, {len(judged)} values: {count('within', '')} within the plain limits, "
             f"{count(SPREAD, '')} within the spread of the rounds, {count(ALONE, '')} within them where ncu collects them in one pass, "
             f"{count('over', '')} over."]
    for what, words in (("time", "time"), ("work", "work counters"), ("points", "percentages")):
        lines.append(f"{words}: {sum(row[4] == what for row in judged)} values, {count('within', what)} plainly, {count(SPREAD, what)} by spread, "
                     f"{count(ALONE, what)} in one pass, {count('over', what)} over.")
    return "\n".join(lines)


def hold(kernel, problem, entry, mine, other, rows):
    """Compares one launch: its line of the table; every value goes into `rows`."""
    worst = {"time": ("", 0.0), "work": ("", 0.0), "points": ("", 0.0)}
    compared = over = 0
    for name in sorted(set(mine) & set(other)):
        what, found = kind(name), compare(name, mine[name], other[name])
        verdict = "" if found is None else "over" if found[0] > found[1] else SPREAD if found[2] else "within"
        rows.append([kernel, problem, entry, name, what, f"{statistics.median(mine[name]):.6g}", f"{statistics.median(other[name]):.6g}",
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


def one_pass_groups(chosen, names):
    """The names in groups, each of which is collected in one pass; what takes more passes by itself is in none."""
    groups = []
    for name in names:
        for group in groups + [[]]:
            plan = json.loads(call([chosen.kloop, "profile", "--plan", "--metrics", ",".join(group + [name]), "--json"]))
            if plan["plan"]["passes"] == 1:
                if not group:
                    groups.append(group)
                group.append(name)
                break
    return groups


def again(chosen, problem, entries, mine, over):
    """Asks ncu once more for those over their limit, in one pass at a time; a row that then agrees says so."""
    for names in one_pass_groups(chosen, sorted({row[3] for row in over})):
        kernels = [kernel for kernel in entries if any(row[0] == kernel and row[3] in names for row in over)]
        rounds = theirs(chosen.ncu, chosen.kloop, kernels, [*problem, "--repeat", str(chosen.rounds)],
                        {kernel: entries[kernel] for kernel in kernels}, names)
        for row in over:
            values = rounds.get(row[0], {}).get(row[3])
            if not values or row[3] not in names:
                continue
            found = compare(row[3], mine[row[0]][row[3]], values)
            row[6] += f" (in one pass {statistics.median(values):.6g})"
            if found is None or found[0] <= found[1]:
                row[-1] = ALONE


def write(chosen, table, rows, device, version):
    os.makedirs(chosen.out, exist_ok=True)
    with open(os.path.join(chosen.out, "ncu_crosscheck.csv"), "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["kernel", "problem", "entry", "metric", "kind", "kloop", "ncu", "difference", "limit", "verdict"])
        out.writerows(rows)
    with open(os.path.join(chosen.out, "ncu_crosscheck.md"), "w") as file:
        head = ["kernel", "problem", "entry", "ncu, µs", "kloop, µs", "time", "worst work counter", "worst percentage", "within"]
        file.write(f"{device}; ncu {version}; {datetime.date.today()}; tier {chosen.tier}; median of {chosen.rounds} processes on both sides.\n\n")
        file.write(summary(table, rows).replace("\n", "  \n") + "\n\n")
        file.write("| " + " | ".join(head) + " |\n|" + " --- |" * len(head) + "\n")
        for row in table:
            file.write("| " + " | ".join(row) + " |\n")
        for verdict, title in (("over", "Over the limit"), (ALONE, "Over the limit, but not where ncu collects them in one pass"),
                               (SPREAD, "Over the limit, and within the spread of the rounds")):
            beyond = [row for row in rows if row[-1] == verdict and row[4] != "other"]
            if not beyond:
                continue
            file.write(f"\n## {title}\n\n| kernel | problem | metric | kloop | ncu | difference | limit |\n|" + " --- |" * 7 + "\n")
            for row in beyond:
                unit = "points" if row[4] == "points" else "%"
                file.write(f"| {row[0]} | {row[1]} | `{row[3]}` | {float(row[5]):.6g} | {row[6]} | {row[7]} {unit} | {row[8]} {unit} |\n")


if __name__ == "__main__":
    sys.exit(main())
