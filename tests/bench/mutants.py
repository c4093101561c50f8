#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the tests notice single-line faults (tests/data/mutants.json)? Needs no GPU. The result is docs/dev/mutants.md.

    tests/bench/mutants.py check              does each place still occur, once?
    tests/bench/mutants.py insert FOLDER      copies the tree into FOLDER and writes every fault into the copy
    tests/bench/mutants.py run FOLDER [ID...] runs the tests of each fault's layer, then of those above, until one fails;
                                              --layer: of its layer alone; --jobs N: for N faults at once

All faults are in one build, and the environment variable KL_MUTANT chooses one; without it the programs are sound. So build the copy once,
with its own cmake --preset dev and cmake --build --preset dev, before running. A test that takes longer than its limit (tests/CMakeLists.txt) has failed. `run` prints a row
per fault: its number, its layer, and the first test that failed, or "unnoticed". Exits with 1 if a fault went unnoticed.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MUTANTS = json.loads((ROOT / "tests/data/mutants.json").read_text())["mutants"]
TESTS = {"core": ["core"], "kernels": ["kernels"], "profiler": ["profiler"], "sessions": ["sessions"], "app": ["cli"], "ui": ["ui"]}
ABOVE = {"core": ["sessions", "cli", "ui"], "kernels": ["sessions", "cli", "ui"], "profiler": ["sessions", "cli"], "sessions": ["cli", "ui"],
         "app": ["ui"], "ui": []}
SWITCH = """#ifndef KL_MUTANTS
#define KL_MUTANTS
#include <cstdlib>

/// Whether the environment chooses this fault.
inline bool klMutant(int id)
{
    static const int chosen = [] { const char* text = std::getenv("KL_MUTANT"); return text ? std::atoi(text) : 0; }();
    return chosen == id;
}
#endif
"""


def misplaced(mutant):
    """Why the fault cannot be written into its file; empty if it can."""
    file = ROOT / mutant["file"]
    count = file.read_text().count(mutant["find"]) if file.exists() else 0
    return "" if count == 1 else f"{mutant['id']}: {mutant['file']} has its text {count} times: {mutant['find']}"


def insert(folder):
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    for name in filter(None, files.split("\0")):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    for mutant in MUTANTS:
        file = folder / mutant["file"]
        text = file.read_text().replace(mutant["find"], mutant["replace"])
        if SWITCH not in text:  # not a header: the layering test knows every file that is included
            license, rest = text.split("\n", 1)
            text = license + "\n" + SWITCH + rest
        file.write_text(text)
    (folder / "tests/core/mutants_test.cpp").unlink()  # it looks for the faults' places in sound sources


def failing(folder, part, mutant):
    """The first test of the part that fails with the fault, or None."""
    done = subprocess.run(["ctest", "--test-dir", folder / "build", "-R", rf"^{part}\.", "-LE", "gpu", "--stop-on-failure"],
                          env={**os.environ, "KL_MUTANT": str(mutant["id"])}, capture_output=True, text=True)
    if done.returncode == 0:
        return None
    found = re.search(r"^\s*\d+ - (\S+) \((?!Skipped)", done.stdout, re.M)
    return found[1] if found else f"{part}: ctest ended with {done.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["check", "insert", "run"])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("ids", nargs="*", type=int)
    parser.add_argument("--layer", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_intermixed_args()
    gone = [why for why in map(misplaced, MUTANTS) if why]
    if chosen.command == "check" or gone:
        sys.exit("\n".join(gone) or None)
    if chosen.folder is None:
        parser.error("the folder is missing")
    if chosen.command == "insert":
        return insert(chosen.folder.resolve())
    def notice(mutant):
        parts = TESTS[mutant["layer"]] + ([] if chosen.layer else ABOVE[mutant["layer"]])
        test = next(filter(None, (failing(chosen.folder, part, mutant) for part in parts)), None)
        print(mutant["id"], mutant["layer"], test or "unnoticed", flush=True)
        return test

    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        unnoticed = [*pool.map(notice, (m for m in MUTANTS if not chosen.ids or m["id"] in chosen.ids))].count(None)
    sys.exit(1 if unnoticed else 0)


if __name__ == "__main__":
    main()
