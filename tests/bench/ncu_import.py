#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reading Nsight Compute's reports with kloop and with ncu itself, side by side: time, and every metric value for value.

    tests/bench/ncu_import.py [--kloop build/bin/kloop] [--ncu ncu] [--repeats 7] REPORT.ncu-rep ...

ncu:    ncu --import REPORT --csv --page raw             prints every metric
kloop:  kloop analyze REPORT --json                      prints every metric and ncu's rules, diagnoses, stores the runs in a new database
        the same again                                   with the runs already in the database
        kloop analyze REPORT --json --no-store           the same without storing
Processes alternate, a new one each time; medians of wall time. "Times faster" is about the first of kloop's. Then each figure of the page is
compared with kloop's: equal if kloop's, in the unit of the page, is within half of the last digit that the page prints.
"""
import argparse
import csv
import glob
import io
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

TIMES = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "nsecond": 1, "usecond": 1e3, "msecond": 1e6, "second": 1e9}  # also the words of ncu 2024
RATES = {word: 1e9 / factor for word, factor in TIMES.items()}


def factor(unit):
    """Factor from a printed unit to the base unit of reports."""
    above, _, below = unit.partition("/")
    prefix = lambda word: {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}.get(word[:1], 1) if re.search("(byte|hz)$", word) else 1
    return TIMES.get(above, 1) * prefix(above) * RATES.get(below, 1) * prefix(below)


def timed(words):
    begin = time.monotonic()
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} failed ({done.returncode}):\n{done.stderr[-2000:]}")
    return seconds, done.stdout


def differing(page, answer):
    """(figures compared, those that differ)."""
    rows = list(csv.reader(io.StringIO(page)))
    names, units = rows[0], rows[1]
    compared, wrong = 0, []
    for row, result in zip(rows[2:], json.loads(answer)["results"], strict=True):
        for name, unit, printed in zip(names, units, row):
            if "__" not in name and not name.startswith("derived_"):
                continue
            compared += 1
            value = result["metrics"].get(name, "absent")
            text = printed.replace(",", "")
            if isinstance(value, (int, float)):
                digits = len(text.partition(".")[2])
                try:
                    fine = abs(value / factor(unit) - float(text)) <= 0.5001 * 10**-digits + 1e-12 * abs(float(text))
                except ValueError:
                    fine = False
            else:
                fine = printed == value or (value in (None, "absent") and printed in ("", "no data", "nan"))
            if not fine:
                wrong.append(f"{name}: {value} is not {printed} {unit}")
    return compared, wrong


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("reports", nargs="+")
    options.add_argument("--kloop", default="build/bin/kloop")
    options.add_argument("--ncu", default="ncu")
    options.add_argument("--repeats", type=int, default=7)
    chosen = options.parse_args()
    print("| report | results | figures compared | differing | ncu --import --csv | kloop analyze | again | without storing | times faster |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    failed = False
    folder = tempfile.TemporaryDirectory()
    database = f"{folder.name}/runs.db"
    for report in chosen.reports:
        words = {"ncu": [chosen.ncu, "--import", report, "--csv", "--page", "raw"],
                 "kloop": [chosen.kloop, "analyze", report, "--json", "--db", database],
                 "again": [chosen.kloop, "analyze", report, "--json", "--db", database],
                 "bare": [chosen.kloop, "analyze", report, "--json", "--no-store", "--db", database]}
        seconds, text = {name: [] for name in words}, {}
        for _ in range(chosen.repeats):
            for left in glob.glob(f"{database}*"):
                os.remove(left)
            for name, line in words.items():
                took, text[name] = timed(line)
                seconds[name].append(took)
        median = {name: statistics.median(took) for name, took in seconds.items()}
        compared, wrong = differing(text["ncu"], text["kloop"])
        failed = failed or bool(wrong)
        print(f"| {report.rsplit('/', 1)[-1]} | {len(json.loads(text['kloop'])['results'])} | {compared} | {len(wrong)} "
              f"| {1000 * median['ncu']:.0f} ms | {1000 * median['kloop']:.0f} ms | {1000 * median['again']:.0f} ms | {1000 * median['bare']:.0f} ms "
              f"| {median['ncu'] / median['kloop']:.1f} |")
        for line in wrong[:5]:
            print(f"    {line}", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
