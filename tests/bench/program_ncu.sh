#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# program_ncu.sh [KLOOP]: the attention kernel of a PyTorch program, measured by `kloop profile -- CMD` and by Nsight Compute, as a table.
# Needs a GPU, ncu, and a python3 with PyTorch. Neither side changes the clocks.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
kloop=${1:-$here/../../build/bin/kloop}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
export KERNELLOOP_DB=$work/runs.db
for how in "" wait; do
  "$kloop" profile --kernel sdpa --out "$work/kloop$how.json" -- python3 "$here/attention.py" $how >/dev/null 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
done
ncu --clock-control none --cache-control none --metrics gpu__time_duration.sum,gpc__cycles_elapsed.max -k regex:sdpa --csv --page raw \
  --print-units base python3 "$here/attention.py" >"$work/ncu.csv"
python3 - "$work" <<'P'
import csv, io, json, statistics, sys
work = sys.argv[1]
text = open(work + "/ncu.csv").read()
rows = [row for row in csv.DictReader(io.StringIO(text[text.index('"ID"'):])) if row["ID"]]
figure = lambda row, name: float(row[name].replace(",", ""))
ncu = statistics.median(figure(row, "gpu__time_duration.sum") for row in rows)
clock = statistics.median(1000 * figure(row, "gpc__cycles_elapsed.max") / figure(row, "gpu__time_duration.sum") for row in rows)
print("| measurement | time, µs | difference from ncu | SM clock, MHz |\n| --- | ---: | ---: | ---: |")
say = lambda what, ns, mhz: print(f"| {what} | {ns / 1000:.2f} | {100 * (ns / ncu - 1):+.2f} % | {mhz} |")
say(f"ncu, gpu__time_duration.sum, median of {len(rows)} launches", ncu, f"{clock:.0f}")
notes = []
for how, words in (("", "one after the other"), ("wait", "each on an idle GPU")):
    answer = json.load(open(f"{work}/kloop{how}.json"))
    run, times = answer["results"][0], answer["results"][0]["timing"]["gpu_ns"]
    kernel = next(row for row in answer["program"]["kernels"] if row["run"])
    notes += [note["text"] for note in run["warnings"]]
    say(f"kloop, `timing.gpu_ns`, median of {times['n']} launches that run alone; the program's launches {words}", times["median"], "not read")
    say(f"kloop, counters of one launch; launches {words}", run["metrics"]["gpu__time_duration.sum"], f'{run["collection"]["clock_mhz"]:.0f}')
    say(f"kloop, `median_ns`, among the program's other launches; launches {words}", kernel["median_ns"], "not read")
for text in notes:
    print(f"\nNote: {text}")
print(f"\nKernel: {run['program']['kernel']}\n\nFinding: {run['finding']['title']} ({run['finding']['class']}, {run['finding']['priority']})")
P
