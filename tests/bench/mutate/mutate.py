#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which small faults do the tests not notice? Needs no GPU; needs `pip install tree-sitter tree-sitter-cpp`. docs/dev/mutants.md has results.

    mutate.py insert FOLDER [--rate R]  copies the tree into FOLDER with faults in its sources, R of the usual number (0.2)
    mutate.py build FOLDER              builds the copy; faults that do not compile are taken out, and it goes on
    mutate.py watch FOLDER              runs every test once (--tests: a ctest -R expression), and keeps to which faults each comes
    mutate.py judge FOLDER [ID...]      runs the tests that come to a fault until one fails, in an order by chance; goes on where it was stopped
    mutate.py list FOLDER [PREFIX...]   the rate of each layer, and the faults of these sources that went unnoticed

All faults are in one build; the environment variable KL_MUTANT chooses one. A fault that nobody could notice (a capacity, a margin) is among
them, too: the rate is a figure to compare, and the list is one to read. Of a fault's tests those of its layer come first, and among these the
quickest and most special, for --seconds (3) in all; then the snapshots that come to it.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import sites

ROOT = pathlib.Path(__file__).resolve().parents[3]
LAYERS = {"core": "core", "kernels": "kernels", "profiler": "profiler", "sessions": "sessions", "app/kloop": "cli", "ui": "ui"}
ONLY_ON_A_GPU = ("profiler/inject", "profiler/live/backend", "profiler/live/cuda", "profiler/live/cupti", "profiler/live/nvml", "profiler/live/nvrtc")


def copy_tree(folder):
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True, capture_output=True,
                           text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def insert(folder, rate, refused):
    """Writes the faults into the copy; files that stay as they were are not touched."""
    faults = sites.Faults(rate, refused)
    for layer in LAYERS:
        for file in sorted((ROOT / layer).rglob("*.cpp")):
            name = str(file.relative_to(ROOT))
            if name.startswith(ONLY_ON_A_GPU):
                continue
            text = sites.Rewriter(faults, name, file.read_bytes()).text()
            if (folder / name).read_text() != text:
                (folder / name).write_text(text)
    (folder / "faults.json").write_text(json.dumps({"rate": rate, "sites": faults.sites}))
    print(len(faults.sites), "faults", file=sys.stderr)


def read_faults(folder):
    return json.loads((folder / "faults.json").read_text())


def build(folder):
    flags = f"-include {ROOT / 'tests/bench/mutate/mutate.h'} -w -Wno-narrowing -fpermissive"
    subprocess.run(["cmake", "--preset", "dev", "-DKL_WERROR=OFF", f"-DCMAKE_CXX_FLAGS={flags}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    while True:
        done = subprocess.run(["cmake", "--build", "build", "--target", "all", "tests", "--", "-k", "0"], cwd=folder, capture_output=True, text=True)
        if done.returncode == 0:
            return
        faults, refused = read_faults(folder), set()
        for place in re.finditer(r"^(\S+?):(\d+):\d+: error:", done.stdout, re.M):
            file = (folder / "build" / place[1]).resolve()
            if file.is_file() and file.is_relative_to(folder):
                line = file.read_text().split("\n")[int(place[2]) - 1]
                refused |= {int(id) for id in re.findall(r"klm::\w+(?:<...>)?\((\d+)", line)}
        known = {site["key"] for site in faults["sites"] if site["refused"]}
        more = {site["key"] for site in faults["sites"] if site["id"] in refused} - known
        if not more:
            sys.exit(done.stdout[-4000:])
        insert(folder, faults["rate"], known | more)


def tests_of(folder, chosen):
    found = subprocess.run(["ctest", "--test-dir", folder / "build", "-LE", "gpu|full", "-R", chosen, "--show-only=json-v1"], check=True,
                           capture_output=True, text=True)
    for test in json.loads(found.stdout)["tests"]:
        properties = {one["name"]: one["value"] for one in test["properties"]}
        if "command" in test:
            yield {"name": test["name"], "command": test["command"], "set": properties.get("ENVIRONMENT", []),
                   "unset": [one.split("=")[0] for one in properties.get("ENVIRONMENT_MODIFICATION", [])],
                   "folder": properties.get("WORKING_DIRECTORY", str(folder / "build/tests"))}


def run(test, more, limit):
    """Whether the test passes, and its seconds."""
    environment = {name: value for name, value in os.environ.items() if name not in test["unset"]}
    environment |= dict(one.split("=", 1) for one in test["set"]) | more
    start = time.monotonic()
    process = subprocess.Popen(test["command"], cwd=test["folder"], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        passes = process.wait(limit) == 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        passes = False
    return passes, time.monotonic() - start


def watch(folder, chosen, jobs):
    marks = folder / "build/reached"
    marks.mkdir(exist_ok=True)

    def one(test):
        file = marks / hashlib.sha1(test["name"].encode()).hexdigest()  # names may be longer than a file's
        file.unlink(missing_ok=True)
        passes, seconds = run(test, {"KL_REACHED": str(file)}, 400)
        reached = [id for id, mark in enumerate(file.read_bytes()) if mark] if file.exists() else []
        file.unlink(missing_ok=True)
        if not passes:
            print("fails without a fault:", test["name"], file=sys.stderr)
        return test | {"passes": passes, "seconds": seconds, "reached": reached}

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        (folder / "tests.json").write_text(json.dumps([*pool.map(one, [*tests_of(folder, chosen)])]))


def layer_of(site):
    return next(layer for layer in LAYERS if site["file"].startswith(layer + "/"))


def judged(folder):
    file = folder / "judged.jsonl"
    return {one["id"]: one for one in map(json.loads, file.read_text().splitlines())} if file.exists() else {}


def coming_to(folder):
    """By the number of a fault: the tests that come to it."""
    tests = {}
    for test in json.loads((folder / "tests.json").read_text()):
        for id in test["reached"] if test["passes"] else []:
            tests.setdefault(id, []).append(test)
    return tests


def judge(folder, ids, seconds, jobs):
    tests, done = coming_to(folder), judged(folder)
    todo = [site for site in read_faults(folder)["sites"] if not site["refused"] and site["id"] not in done and (not ids or site["id"] in ids)]
    random.Random(1).shuffle(todo)

    def one(site):
        mine = sorted(tests.get(site["id"], []), key=lambda test: (not test["name"].startswith(LAYERS[layer_of(site)] + "."),
                                                                   test["seconds"] * (1 + len(test["reached"]) / 300)))
        spent, by = 0.0, None
        for test in mine:
            if spent > seconds and "Snapshot" not in test["name"] and test["name"] not in ("ui.Pages", "ui.SessionWalk"):
                continue
            passes, taken = run(test, {"KL_MUTANT": str(site["id"])}, 4 * test["seconds"] + 5)
            spent += taken
            if not passes:
                by = test["name"]
                break
        with open(folder / "judged.jsonl", "a") as out:
            out.write(json.dumps({"id": site["id"], "tests": len(mine), "by": by}) + "\n")

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        [*pool.map(one, todo)]


def list_faults(folder, prefixes):
    done = judged(folder)
    rows = [(site, done[site["id"]]) for site in read_faults(folder)["sites"] if site["id"] in done]
    for layer in LAYERS:
        mine = [found for site, found in rows if layer_of(site) == layer]
        noticed = sum(found["by"] is not None for found in mine)
        print(f"{layer}: {noticed} of {len(mine)}" + (f" ({100 * noticed / len(mine):.0f} %)" if mine else ""))
    for site, found in sorted(rows, key=lambda row: (row[0]["file"], row[0]["line"])):
        if found["by"] is None and prefixes and site["file"].startswith(tuple(prefixes)):
            print(f"{site['file']}:{site['line']}, {site['function']}: KL_MUTANT={site['id']} ({found['tests']} tests come there) "
                  f"{sites.KINDS[site['kind']][0]}: {site['text']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["insert", "build", "watch", "judge", "list"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("which", nargs="*")
    parser.add_argument("--rate", type=float, default=0.2)
    parser.add_argument("--tests", default=".")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_intermixed_args()
    folder = asked.folder.resolve()
    if asked.command == "insert":
        copy_tree(folder)
        insert(folder, asked.rate, ())
    elif asked.command == "build":
        build(folder)
    elif asked.command == "watch":
        watch(folder, asked.tests, asked.jobs)
    elif asked.command == "judge":
        judge(folder, {int(id) for id in asked.which}, asked.seconds, asked.jobs)
    else:
        list_faults(folder, asked.which)


if __name__ == "__main__":
    main()
