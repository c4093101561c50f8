#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Takes the steps to the Hopper attention kernel again as gated sessions. Needs a GPU of compute capability 9.0.

    tests/bench/attention_steps.py [--kloop build/bin/kloop] [--out FOLDER] [--only NAME]

The kernel is attention/hopper with one tunable more, GRID: one thread block per tile of query rows, or as many as multiprocessors. Each
session sets small proven steps aside (option cumulative), so that a step whose gain is certain but below the session's 1.20 is neither lost
nor called a success: the session keeps all of them if together they reach it, and otherwise goes back to where it started. Prints a Markdown
table with the gain of every step, and writes each session's report to FOLDER.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAMILY = ROOT / "kernels" / "families" / "attention"
TILES = "ceildiv(S,64*(CONSUMERS==0?(D==64?4:2):CONSUMERS))*B*H"
SESSIONS = [
    ("overlap", "Let the softmax run under the products, on every multiprocessor to the end", "B=4,H=8,S=4096,D=128,CAUSAL=1",
     {"OVERLAP": "off", "TURNS": "off", "GRID": "tiles"}, ["OVERLAP=on", "TURNS=on", "GRID=persistent"]),
    ("tiles", "Find the size of tiles for heads of 64", "B=4,H=16,S=4096,D=64,CAUSAL=1",
     {"CONSUMERS": 3, "KEYS": 128, "BUFFERS": 2}, ["KEYS=64", "CONSUMERS=4", "BUFFERS=4"]),
]
STEPS = 60  # more than any session takes


def write_family(folder):
    """The family's descriptor with the one variant and the tunable GRID, beside the kernel's source."""
    family = json.loads((FAMILY / "attention.json").read_text())
    hopper = next(variant for variant in family["variants"] if variant["id"] == "hopper")
    for key in ("fixes", "fix_title", "changes", "when"):
        hopper.pop(key)
    hopper["tunables"].append("GRID")
    launch = hopper["launches"][0]
    if launch["grid"] != [f"min(SMS,{TILES})"]:
        sys.exit("attention.json has another grid than this script knows: update TILES")
    launch["grid"] = [f"GRID==0?min(SMS,{TILES}):{TILES}"]
    family["tunables"].append({"name": "GRID", "values": ["persistent", "tiles"], "default": "persistent",
                               "help": "as many thread blocks as multiprocessors, or one per tile", "meaning": {"persistent": "persistent-grid"}})
    family["id"], family["variants"], family["source"] = "attention_steps", [hopper], hopper.pop("source")
    (folder / family["source"]).write_text((FAMILY / family["source"]).read_text())
    (folder / "kernel.json").write_text(json.dumps(family, indent=1))
    return folder / "kernel.json"


class Batch:
    """kloop session batch: a request per line, an answer per line."""

    def __init__(self, kloop, database):
        self.process = subprocess.Popen([kloop, "--db", database, "session", "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, verb, **fields):
        began = time.monotonic()
        self.process.stdin.write(json.dumps({"verb": verb, **fields}) + "\n")
        self.process.stdin.flush()
        text = self.process.stdout.readline()
        if not text:
            sys.exit(f"kloop ended with {self.process.wait()}")
        answer = json.loads(text)
        error = answer.get("error") or {}
        print(f"{time.monotonic() - began:6.1f} s  {verb} {fields.get('action') or ''} {fields.get('argument') or ''}  "
              f"{error.get('message') or answer.get('why') or ''}", file=sys.stderr, flush=True)
        return answer


def offers(answer, action):
    return any(row["action"] == action and row["enabled"] for row in answer.get("next") or [])


def step_until(batch, answer, *actions):
    """Takes the recommended step until one of these actions is recommended, or a fix may be chosen if that is one; the last answer."""
    for _ in range(STEPS):
        rows = [row for row in answer.get("next") or [] if row["enabled"]]
        if "error" in answer or not rows or rows[0]["action"] in actions or ("choose-fix" in actions and offers(answer, "choose-fix")):
            return answer
        answer = batch("step")
    sys.exit("the session does not end")


def walk(kloop, database, kernel, name, objective, problem, start, changes):
    """A session, step by step: a row per change, and the session's end."""
    at, rows = dict(start), []

    def tunables():
        return ",".join(f"{key}={value}" for key, value in sorted(at.items()))

    opened = subprocess.run([kloop, "--db", database, "--json", "session", "new", name, objective, "--cumulative", "--problem", problem,
                             "--kernel", f"{kernel}@{tunables()}"], capture_output=True, text=True)
    if opened.returncode != 0:
        sys.exit(f"{opened.stdout}{opened.stderr}")
    batch = Batch(kloop, database)
    answer = batch("show")
    answer = step_until(batch, answer, "choose-fix")
    for change in changes:
        if "error" in answer:
            break
        before = dict(at)
        key, value = change.split("=")
        at[key] = value
        answer = batch("act", action="choose-fix", argument=f"attention_steps/hopper@{tunables()}")
        if "error" in answer:
            rows.append((change, None, answer["error"]["message"]))
            at, answer = before, batch("show")
            continue
        answer = step_until(batch, answer, "park", "keep", "revert")
        ratio = answer.get("ratio")
        verdict = "parked" if offers(answer, "park") else "kept" if offers(answer, "keep") else "reverted"
        answer = batch({"parked": "park", "kept": "keep", "reverted": "revert"}[verdict])
        rows.append((change, ratio, verdict))
        if verdict == "reverted":
            at = before
        answer = step_until(batch, answer, "choose-fix")
    together = (answer.get("parked_ratio") or {}).get("value")
    for last in ("keep", "revert"):
        if offers(answer, last):
            answer = batch(last)
            break
    answer = step_until(batch, answer)
    batch.process.stdin.close()
    batch.process.wait()
    return rows, together, answer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kloop", default="build/bin/kloop")
    parser.add_argument("--out", default="", help="folder for the sessions' reports")
    parser.add_argument("--only", default="", help="one session: " + ", ".join(session[0] for session in SESSIONS))
    options = parser.parse_args()
    kloop = os.path.abspath(options.kloop)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        kernel, database = write_family(folder), str(folder / "steps.db")
        print("| session | step | old / new | session |\n| --- | --- | ---: | --- |")
        for session, objective, problem, start, changes in SESSIONS:
            if options.only in ("", session):
                rows, together, end = walk(kloop, database, kernel, session, objective, problem, start, changes)
                for change, ratio, verdict in rows:
                    figures = f"{ratio['value']:.3f} ({ratio['low']:.3f} to {ratio['high']:.3f})" if ratio else ""
                    print(f"| {session} | {change} | {figures} | {verdict} |")
                print(f"| {session} | together | {together or ''} | {end.get('outcome') or end.get('why')} |", flush=True)
                if options.out:
                    report = subprocess.run([kloop, "--db", database, "session", "report", session], capture_output=True, text=True)
                    (pathlib.Path(options.out) / f"{session}.md").write_text(report.stdout + report.stderr)
                    (pathlib.Path(options.out) / f"{session}.json").write_text(json.dumps(end, indent=1))


if __name__ == "__main__":
    main()
