#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# program_ncu.sh [KLOOP]: the attention kernel of a PyTorch program as `kloop profile -- CMD` and as Nsight Compute see it, as a table.
# Needs a GPU, ncu, and a python3 with PyTorch. Clocks are left alone on both sides.
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
print("| what | time, µs | over ncu's | SM clock, MHz |\n| --- | ---: | ---: | ---: |")
say = lambda what, ns, mhz: print(f"| {what} | {ns / 1000:.2f} | {100 * (ns / ncu - 1):+.2f} % | {mhz} |")
say(f"ncu, gpu__time_duration.sum, median of {len(rows)} launches", ncu, f"{clock:.0f}")
for how, words in (("", "one after the other"), ("wait", "each on an idle GPU")):
    run = json.load(open(f"{work}/kloop{how}.json"))["results"][0]
    mhz = run["collection"]["clock_mhz"]
    say(f"kloop, counters of one launch; launches {words}", run["metrics"]["gpu__time_duration.sum"], f"{mhz:.0f}")
    say(f"kloop, activity records, median of {run['timing']['gpu_ns']['n']}; launches {words}", run["timing"]["gpu_ns"]["median"], "not read")
print(f"\nKernel: {run['program']['kernel']}\n\nFinding: {run['finding']['title']} ({run['finding']['class']}, {run['finding']['priority']})")
P
