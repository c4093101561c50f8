#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has kloop judge kernels that cheat, and honest ones that look alike (tests/data/cheats), on a GPU.

    tests/bench/cheats.py [--kloop build/bin/kloop] [--on DEVICE] [--all] [--catalog] [--only REGEX] [--timeout 120]

Each is judged by `kloop run`; with --all also by `kloop ab`, against its honest twin, and by `kloop profile`. With --catalog every variant
of the catalog is judged as an honest kernel as well. The manifest's limits are kernels that rely on what their descriptor promises about the
inputs: they are correct by it, and are listed but not counted. One process at a time, with a temporary database; one that fails or hangs
gets a row like any other.

A cheat is named if the result is one of its words in the manifest. If the manifest says that it may gain nothing (a judge that overwrites
what it relies on makes it honest), `correct` counts as well, unless it is faster than its twin. Any result of an honest kernel other than
`correct` is a false alarm. Prints a Markdown table. Exits with 1 unless every cheat is caught and there is no false alarm.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "data" / "cheats"
WORDS = {"pass": "correct", "fail": "incorrect"}  # of older answers
RESULTS = re.compile("incorrect-when-timed|incorrect|stateful|replays|non-deterministic|below-physics|precision-downgrade")
NO_GAIN = 0.97  # the least share of its twin's time that a cheat without gain takes


class Judge:
    """Runs one command of kloop after the other, each in a process of its own."""

    def __init__(self, chosen, folder):
        self.limit = chosen.timeout
        self.words = [chosen.kloop, "--db", str(pathlib.Path(folder) / "cheats.db")] + (["--on", chosen.on] if chosen.on else [])

    def __call__(self, *words):
        """The answer's JSON, or {"failed": why}."""
        try:
            done = subprocess.run([*self.words, *words, "--json"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  errors="replace", timeout=self.limit)
        except subprocess.TimeoutExpired:
            return {"failed": f"no answer in {self.limit:g} s"}
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            return {"failed": f"exit {done.returncode}"}
        return answer if isinstance(answer, dict) else {"failed": f"exit {done.returncode}"}


def results(answer):
    """Every correctness.result in an answer, wherever it is."""
    found = []
    if isinstance(answer, dict):
        checked = answer.get("correctness")
        if isinstance(checked, dict) and isinstance(checked.get("result"), str):
            found.append(WORDS.get(checked["result"], checked["result"]))
        for value in answer.values():
            found += results(value)
    elif isinstance(answer, list):
        for value in answer:
            found += results(value)
    return found


def word(answer):
    """The result in a word: the first that is not `correct`, or the one in the reason of a refusal; if it could not be judged, why."""
    if "failed" in answer:
        return answer["failed"]
    found = results(answer)
    for one in found:
        if one not in ("correct", "not-checked"):
            return one
    error = answer.get("error") or {}
    for reason in (answer.get("reason"), error.get("code"), error.get("message")):
        if named := RESULTS.search(str(reason or "")):
            return named[0]
    if error:
        return f"error: {error.get('code')}"
    if answer.get("status", "ok") != "ok":
        return answer["status"]
    return "correct" if "correct" in found else "not-checked"


def median(answer):
    """GPU time of a call in ns, or None."""
    try:
        return float(answer["timing"]["gpu_ns"]["median"])
    except (KeyError, TypeError, ValueError):
        return None


class Row:
    def __init__(self, kernel, expected, kind, address, idle=False, suite=False):
        self.kernel, self.expected, self.kind, self.address, self.idle, self.suite = kernel, expected, kind, address, idle, suite
        self.cells, self.gain, self.seconds, self.named, self.ok = [], None, 0.0, True, True

    def accept(self, got, gains):
        """Takes the word of one command: as expected, or the harmless kind of correct."""
        named = got in self.expected
        self.cells.append(got if named or not (self.idle and got == "correct" and not gains) else "correct, no gain")
        self.named = self.named and named
        self.ok = self.ok and (named or self.cells[-1] == "correct, no gain")

    def text(self):
        gain = "" if self.gain is None else f"{self.gain:.2f}"
        result = "yes" if self.ok else "**no**"
        return f"| {self.kernel} | {', '.join(self.expected)} | {' | '.join(self.cells)} | {gain} | {self.seconds:.1f} | {result} |"


def judge_row(row, judge, chosen, twin, times):
    begin = time.monotonic()
    ran = judge("run", row.address, *(["--suite"] if row.suite else []))
    took, base = median(ran), times.get(twin)
    if row.address == twin and took:
        times[twin] = took
    if took and base:
        row.gain = base / took
    row.accept(word(ran), row.gain is not None and row.gain > 1 / NO_GAIN)
    if chosen.all:
        against = twin if twin and twin != row.address else None
        compared = judge("ab", against, row.address) if against else None
        if compared is None:
            row.cells.append("")
        else:
            row.accept("correct" if word(compared) == "not-checked" and "verdict" in compared else word(compared),
                       compared.get("verdict") == "faster")
        # A profile that says correct has its time from a run like the first.
        row.accept(word(judge("profile", row.address)), row.gain is not None and row.gain > 1 / NO_GAIN)
    row.seconds = time.monotonic() - begin


def rows_of(chosen, judge):
    """Each row with its twin's address; honest ones first, since the others are compared with their times."""
    manifest = json.loads((FOLDER / "cheats.json").read_text())
    rows = []
    for kind in ("honest", "cheats", "limits"):
        for one in manifest[kind]:
            folder, variant = one["id"].split("/")
            path = FOLDER / folder / "kernel.json"
            row = Row(one["id"], one["expected"], kind, f"{path}:{variant}", one.get("may_gain_nothing", False), one.get("suite", False))
            rows.append((row, f"{path}:honest"))
    if chosen.catalog:
        for family in judge("kernels").get("kernels", []):
            for variant in family["variants"]:
                address = f"{family['id']}/{variant['id']}"
                rows.append((Row(address, ["correct"], "honest", address), None))
    wanted = [pair for pair in rows if re.search(chosen.only, pair[0].kernel)]
    twins = {twin for _, twin in wanted}
    return [pair for pair in rows if pair in wanted or pair[0].address in twins]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kloop", default="build/bin/kloop")
    options.add_argument("--on", default="", help="device, as kloop takes it")
    options.add_argument("--all", action="store_true", help="kloop ab and kloop profile as well")
    options.add_argument("--catalog", action="store_true", help="every variant that kloop carries as well")
    options.add_argument("--only", default="", help="only kernels that match, and their honest twins")
    options.add_argument("--timeout", type=float, default=120, help="seconds that one process may take")
    chosen = options.parse_args()
    verbs = ["run", "ab", "profile"] if chosen.all else ["run"]
    print(f"| kernel | expected | {' | '.join(verbs)} | twin's time / its own | s | ok |\n|{' --- |' * (len(verbs) + 5)}")
    with tempfile.TemporaryDirectory(prefix="kloop-cheats-") as folder:
        judge = Judge(chosen, folder)
        times, rows = {}, []
        for row, twin in rows_of(chosen, judge):
            judge_row(row, judge, chosen, twin, times)
            rows.append(row)
            print(row.text(), flush=True)
    cheats, honest, limits = ([row for row in rows if row.kind == kind] for kind in ("cheats", "honest", "limits"))
    idle = sum(row.ok and not row.named for row in cheats)
    alarms = sum(not row.ok for row in honest)
    print(f"\n{sum(row.named for row in cheats)} of {len(cheats)} named{f', {idle} more without gain' if idle else ''}, "
          f"{alarms} false alarms of {len(honest)}; {len(limits)} known limits")
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
