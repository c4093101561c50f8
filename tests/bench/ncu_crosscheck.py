#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares kloop's hardware metrics with those of Nsight Compute, launch by launch.

    tests/bench/ncu_crosscheck.py [--kloop build/bin/kloop] [--ncu ncu] [--tier 0] [--rounds 3] [--out DIR] [KERNEL[@PROBLEM] ...]

Both sides launch the same kernels of the catalog on the same generated inputs: kloop collects by itself (`kloop profile
--counters-only`), ncu profiles `kloop launch`, which does nothing but launch. Both empty the caches before every pass (ncu --cache-control
all) and leave the clocks alone (--clock-control none). Each round is one process per side, by turns, so that the placement of buffers in
memory and the temperature of the GPU vary within a side as much as between the two. Medians over the rounds are compared: work counters
within 1 %, percentages within 3 points, time within 3 %. A launch agrees if every value does.

A counter that ncu itself does not repeat within the limit cannot be matched by anybody: if kloop's median is inside the range of ncu's own
rounds, and that range is wider than the limit, the value is listed as "inside ncu's range", with that range, and never counted as within.
Everything else is over.

Tier 0 takes one pass on both sides. For the 19 passes of tier 2 ncu saves and restores memory, which leaves about 2.4 MB of written lines
in L2 that it counts as DRAM writes of the kernel (on an H200 a reduction shows 2.4 MB, and 0.06 MB if ncu collects six metrics in one
pass). Values that are over the limit there are therefore collected by ncu again, in one pass at a time and as often; the table lists them
separately.

Without kernels: every variant of the catalog on its default problem. Writes DIR/ncu_crosscheck_tierN.md and .csv.
"""
import argparse
import csv
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile

TIME = "gpu__time_duration.sum"
WITHIN, INSIDE, ALONE, OVER = "within", "inside ncu's range", "within ncu in one pass", "over"
LIMITS = {"work": 1.0, "points": 3.0, "time": 3.0}
# Traffic below this is the launch itself (its arguments, instructions, tables), whose lines may or may not be in a cache.
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
    """The run of each kernel, in one process for all."""
    answer = json.loads(call([kloop, "profile", *kernels, *problem, "--tier", tier, "--counters-only", "--json"]))
    runs = answer["results"] if "results" in answer else [answer]
    for run in runs:
        if run["status"] != "ok" or run["plan"]["passes"] != run["plan"]["ran"]:
            sys.exit(f"{run['kernel']}/{run['variant']} {problem}: {run['status']} {run['reason']} {run.get('plan')}")
    return dict(zip(kernels, runs))


def theirs(ncu, kloop, kernels, problem, entries, names):
    """The values of each kernel's launch with its entry, in one process for all; launches are identified by their order."""
    wanted = set(entries.values())
    with tempfile.NamedTemporaryFile() as listed:  # a file of its own: ncu prints in between what its program prints
        text = call([ncu, "--target-processes", "all", "--clock-control", "none", "--cache-control", "all",
                     "--kernel-name", f"regex:^({'|'.join(sorted(wanted))})$", "--metrics", ",".join(names), "--csv", "--page", "raw",
                     "--print-units", "base", "sh", "-c", 'file=$1; shift; exec "$@" >"$file"', "sh", listed.name,
                     kloop, "launch", *kernels, *problem, "--json"])
        made = [(one["kernel"], one["entry"]) for one in json.load(open(listed.name))["launches"] if one["entry"] in wanted]
    lines = list(csv.reader(line for line in text.splitlines() if line.startswith('"')))
    if len(lines) - 2 != len(made) or not made:
        sys.exit(f"ncu saw {max(len(lines) - 2, 0)} launches where {len(made)} were made:\n{text[-1500:]}")
    columns = {name: lines[0].index(name) for name in names if name in lines[0]}
    called = lines[0].index("Kernel Name")
    values = {kernel: {name: [] for name in columns} for kernel in kernels}
    for (kernel, entry), line in zip(made, lines[2:]):
        if line[called].split("(")[0] != entry:
            sys.exit(f"ncu reports {line[called]} where {entry} was launched")
        if entry == entries[kernel]:
            for name, column in columns.items():
                values[kernel][name].append(float(line[column].replace(",", "") or "nan"))
    return {kernel: {name: cells for name, cells in found.items() if cells and all(cell == cell for cell in cells)}
            for kernel, found in values.items()}


class Difference:
    """One value on both sides: medians, and the spread of the rounds of each; all in percent of ncu's median, or in points."""

    def __init__(self, name, mine, other):
        self.kind = kind(name)
        self.a, self.b = statistics.median(mine), statistics.median(other)
        nothing = self.kind != "points" and (max(self.a, self.b) <= floor_of(name) or self.a == self.b == 0)
        scale = 1 if self.kind == "points" else (abs(self.b) or abs(self.a) or 1) / 100
        self.difference = abs(self.a - self.b) / scale
        self.spread, self.ncus = (max(mine) - min(mine)) / scale, (max(other) - min(other)) / scale
        limit = LIMITS.get(self.kind)
        if nothing or limit is None:
            self.verdict = ""
        elif self.difference <= limit:
            self.verdict = WITHIN
        else:
            self.verdict = INSIDE if self.ncus > limit and min(other) <= self.a <= max(other) else OVER


def merged(rounds):
    """The values of all rounds, by kernel and metric."""
    return {kernel: {name: [value for one in rounds for value in one[kernel].get(name, [])] for name in rounds[0][kernel]}
            for kernel in rounds[0]}


def counted(run):
    return {name: [value] for name, value in run["metrics"].items() if value is not None}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kernels", nargs="*")
    options.add_argument("--kloop", default="build/bin/kloop")
    options.add_argument("--ncu", default="ncu")
    options.add_argument("--tier", default="0", choices=("0", "1", "2"), help="set of metrics; tier 0 takes one pass, so that ncu restores nothing")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--out", default=".")
    chosen = options.parse_args()
    catalog = json.loads(call([chosen.kloop, "kernels", "--json"]))["kernels"]
    groups = {}
    for text in chosen.kernels or [f"{family['id']}/{variant['id']}" for family in catalog for variant in family["variants"]]:
        kernel, _, problem = text.partition("@")
        groups.setdefault(problem, []).append(kernel)
    table, rows, version = [], [], call([chosen.ncu, "--version"]).strip().splitlines()[-1]
    for problem, kernels in groups.items():
        words = ["--problem", problem] if problem else []
        mine, other, launched = [], [], {kernel: set() for kernel in kernels}
        for done in range(1, chosen.rounds + 1):
            runs = ours(chosen.kloop, kernels, words, chosen.tier)
            names = sorted({name for run in runs.values() for name in run["metrics"]})
            entries = {kernel: run["collection"]["launch"] for kernel, run in runs.items()}
            for kernel, entry in entries.items():
                launched[kernel].add(entry)
            mine.append({kernel: counted(run) for kernel, run in runs.items()})
            other.append(theirs(chosen.ncu, chosen.kloop, kernels, words, entries, names))
            left_out = {kernel: f"its longest launch differs between rounds: {', '.join(sorted(launched[kernel]))}" for kernel in kernels
                        if len(launched[kernel]) > 1}
            left_out |= {kernel: f"it launches {entries[kernel]} several times" for kernel in kernels
                         if any(len(cells) > 1 for cells in other[-1][kernel].values())}
            found = []
            lines = [hold(kernel, run["problem"], entries[kernel], merged(mine)[kernel], merged(other)[kernel], found)
                     for kernel, run in runs.items() if kernel not in left_out]
            title = f"{run_on(runs)}; ncu {version}; {datetime.date.today()}; tier {chosen.tier}; medians of {done} processes on both sides."
            write(chosen, table + lines, rows + found, title)  # keeps what was measured if the rest is interrupted
        for kernel, why in left_out.items():
            print(f"left out: {kernel}: {why}")
        if chosen.tier != "0":
            again(chosen, words, entries, merged(mine), [row for row in found if row[-1] == OVER])
        table, rows = table + lines, rows + found
        write(chosen, table, rows, title)
    print(summary(table, rows))
    return 1 if any(row[-1] == OVER for row in rows) else 0


def run_on(runs):
    device = next(iter(runs.values()))["device"]
    return f"{device['name']}, driver {device.get('driver_version', '')}"


def of_launch(line, rows):
    """The values of one line of the table that have a verdict."""
    return [row for row in rows if row[:2] == line[:2] and row[-1]]


def holds(line, rows):
    verdicts = {row[-1] for row in of_launch(line, rows)}
    return "no" if OVER in verdicts else "except ncu's own range" if INSIDE in verdicts else "except ncu's passes" if ALONE in verdicts else "yes"


def summary(table, rows):
    judged = [row for row in rows if row[-1]]
    count = lambda verdict, what=None: sum(row[-1] == verdict and what in (None, row[4]) for row in judged)
    held = [holds(line, rows) for line in table]
    lines = [f"**{len(table)} launches: {held.count('yes')} agree in every value**, {sum(one.startswith('except') for one in held)} more except for values "
             f"that ncu does not repeat itself or that its own passes change, {held.count('no')} do not. {len(judged)} values: {count(WITHIN)} within the "
             f"limits, {count(INSIDE)} inside ncu's range, {count(ALONE)} within if ncu collects them in one pass, {count(OVER)} over."]
    for what, words in (("time", "time"), ("work", "work counters"), ("points", "percentages")):
        lines.append(f"{words}: {sum(row[4] == what for row in judged)} values, {count(WITHIN, what)} within, {count(INSIDE, what)} inside ncu's "
                     f"range, {count(ALONE, what)} in one pass, {count(OVER, what)} over.")
    return "\n".join(lines)


def hold(kernel, problem, entry, mine, other, rows):
    """Compares one launch and returns its line of the table; every value is added to `rows`."""
    worst = {what: ("", 0.0) for what in LIMITS}
    for name in sorted(set(mine) & set(other)):
        found = Difference(name, mine[name], other[name])
        rows.append([kernel, problem, entry, name, found.kind, f"{found.a:.6g}", f"{found.b:.6g}", f"{found.difference:.3f}", f"{found.spread:.3f}",
                     f"{found.ncus:.3f}", found.verdict])
        if found.verdict and found.difference >= worst[found.kind][1]:
            worst[found.kind] = (name, found.difference)
    cell = lambda what, unit: f"{worst[what][1]:.2f} {unit}" + (f" `{worst[what][0]}`" if worst[what][0] not in ("", TIME) else "")
    return [kernel, problem, entry, f"{statistics.median(other[TIME]) / 1000:.2f}", f"{statistics.median(mine[TIME]) / 1000:.2f}",
            cell("time", "%"), cell("work", "%"), cell("points", "points")]


def one_pass_groups(chosen, names):
    """The names in groups that are each collected in one pass; a metric that needs more passes is in no group."""
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
    """Has ncu collect those over their limit once more, in one pass at a time; a row that then agrees says so."""
    for names in one_pass_groups(chosen, sorted({row[3] for row in over})):
        kernels = [kernel for kernel in entries if any(row[0] == kernel and row[3] in names for row in over)]
        rounds = theirs(chosen.ncu, chosen.kloop, kernels, [*problem, "--repeat", str(chosen.rounds)],
                        {kernel: entries[kernel] for kernel in kernels}, names)
        for row in over:
            values = rounds.get(row[0], {}).get(row[3])
            if not values or row[3] not in names:
                continue
            found = Difference(row[3], mine[row[0]][row[3]], values)
            row[6] += f" (in one pass {found.b:.6g})"
            if found.verdict != OVER:
                row[-1] = ALONE


def lines_of(cells):
    return "".join("| " + " | ".join(row) + " |\n" for row in cells)


def write(chosen, table, rows, title):
    os.makedirs(chosen.out, exist_ok=True)
    stem = os.path.join(chosen.out, f"ncu_crosscheck_tier{chosen.tier}")
    with open(stem + ".csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["kernel", "problem", "entry", "metric", "kind", "kloop", "ncu", "difference", "kloop's spread", "ncu's spread", "verdict"])
        out.writerows(rows)
    with open(stem + ".md", "w") as file:
        head = ["kernel", "problem", "entry", "ncu, µs", "kloop, µs", "time", "worst work counter", "worst percentage", "values within", "agrees"]
        file.write(title + "\n\n" + summary(table, rows).replace("\n", "  \n") + "\n\n" + lines_of([head, ["---"] * len(head)]))
        for line in table:
            judged = of_launch(line, rows)
            file.write(lines_of([[*line, f"{sum(row[-1] == WITHIN for row in judged)} of {len(judged)}", holds(line, rows)]]))
        for verdict, heading in ((OVER, "Over the limit"), (ALONE, "Over the limit, but not if ncu collects them in one pass"),
                               (INSIDE, "Over the limit, inside the range of ncu's own rounds")):
            beyond = [row for row in rows if row[-1] == verdict]
            if not beyond:
                continue
            head = ["kernel", "problem", "metric", "kloop", "ncu", "difference", "kloop's own spread", "ncu's own spread"]
            file.write(f"\n## {heading}\n\n" + lines_of([head, ["---"] * len(head)]))
            for row in beyond:
                unit = "points" if row[4] == "points" else "%"
                file.write(lines_of([[row[0], row[1], f"`{row[3]}`", f"{float(row[5]):.6g}", row[6], *(f"{cell} {unit}" for cell in row[7:10])]]))


if __name__ == "__main__":
    sys.exit(main())
