#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Timelines on a GPU of compute capability 9.0 or newer: the pipeline of kernel.json, in which one role is slow on purpose, in eight cases,
and the catalog's attention kernel for Hopper. Checks that each timeline names the slow role and those that wait for it, and prints what
marking costs.

    walk.py KLOOP [FOLDER]

KLOOP: the program, with kloop-worker beside it. FOLDER: where answers and traces go; a temporary one without. Exit status 1: a check failed.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FIRST, SECOND, EPILOGUE = "warps 4-7", "warps 8-11", "warps 12-15"

# variant: the role that is waited for, those that wait
CASES = {
    "slow-producer": ("producer", {FIRST, SECOND, EPILOGUE}),
    "slow-first": (FIRST, {"producer", SECOND, EPILOGUE}),
    "slow-second": (SECOND, {"producer", FIRST, EPILOGUE}),
    "slow-epilogue": (EPILOGUE, {"producer", FIRST, SECOND}),
    "turns-first": (FIRST, {"producer", SECOND, EPILOGUE}),
    "turns-second": (SECOND, {"producer", FIRST, EPILOGUE}),
    "marked-producer": ("load", {"double", "increment", "add"}),
    "marked-second": ("increment", {"load", "double", "add"}),
}
ATTENTION = [
    ("attention/hopper", "B=2,H=8,S=2048,D=64,CAUSAL=0"),
    ("attention/hopper", "B=2,H=16,S=4096,D=128,CAUSAL=0"),
    ("attention/hopper", "B=2,H=16,S=4096,D=128,CAUSAL=1"),
]


def call(kloop, folder, name, arguments):
    """The answer of `kloop timeline`, and how it ended; the text goes to FOLDER/NAME.txt, the JSON and the trace beside it."""
    command = [kloop, "--db", str(folder / "timeline.db"), "timeline", *arguments]
    begin = time.monotonic()
    asked = subprocess.run([*command, "--json", "--out", str(folder / f"{name}.trace.json")], capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    try:
        answer = json.loads(asked.stdout)
    except ValueError:
        answer = {"error": {"message": asked.stdout + asked.stderr}}
    (folder / f"{name}.json").write_text(json.dumps(answer, indent=1))
    if "id" in answer:
        shown = subprocess.run([*command[:4], "run:" + answer["id"]], capture_output=True, text=True, check=False)
        (folder / f"{name}.txt").write_text(shown.stdout + shown.stderr)
    return answer, asked.returncode, seconds


def describe(answer):
    if "finding" not in answer:
        error = answer.get("error", {})
        return answer.get("reason") or f"{error.get('message', '')} {error.get('hint', '')} {error.get('detail', '')}"
    overhead = answer.get("overhead")
    cost = f"marks cost {100 * (overhead['value'] - 1):+.1f} %" if overhead else "cost not measured"
    return f"{answer['finding']['sentence']} ({cost}; {' '.join(answer['notes'])})"


def check_case(kloop, folder, variant):
    waited_for, waiting = CASES[variant]
    answer, status, seconds = call(kloop, folder, variant, [f"{HERE / 'kernel.json'}:{variant}"])
    finding = answer.get("finding", {})
    good = status == 0 and finding.get("waited_for") == waited_for and set(finding.get("waiting", [])) == waiting
    print(f"{'ok  ' if good else 'FAIL'} {variant}, {seconds:.1f} s: {describe(answer)}", flush=True)
    return good


def check_attention(kloop, folder, number, kernel, problem):
    name = f"attention-{number}"
    answer, status, seconds = call(kloop, folder, name, [kernel, "--problem", problem, "--auto"])
    roles = [role["name"] for role in answer.get("roles", [])]
    good = status == 0 and "producer" in roles and any(role.startswith("consumer") for role in roles) and bool(answer.get("overhead"))
    print(f"{'ok  ' if good else 'FAIL'} {kernel} on {problem}, {seconds:.1f} s: {describe(answer)}", flush=True)
    if (folder / f"{name}.txt").exists():
        print((folder / f"{name}.txt").read_text(), flush=True)
    return good


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    kloop = str(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(tempfile.mkdtemp(prefix="timeline-"))
    folder.mkdir(parents=True, exist_ok=True)
    named = sum(check_case(kloop, folder, variant) for variant in CASES)
    print(f"{named} of {len(CASES)} cases named", flush=True)
    attention = [check_attention(kloop, folder, number, *one) for number, one in enumerate(ATTENTION)]
    print(f"answers and traces: {folder}")
    sys.exit(0 if named == len(CASES) and all(attention) else 1)


main()
