#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records everything in the sample again, on a GPU host, in parts that a limit of ten minutes does not cut off.

    tests/data/sample/record.py --out FOLDER [--kloop build/bin/kloop] [--python PYTHON] [--seconds 570] [--parts PART,...] [--list]
    tests/data/sample/record.py --out FOLDER --pack

Parts: a family of kernels each, which becomes resources/captures/h200-FAMILY.zst; "searches", every point of two spaces; "sessions", the
history and the profiled programs; "corpus", the real calls that judge the diagnosis. A part that is done is not done again. Of searches,
sessions and corpus, what is there is not recorded again, either; a family that was cut off is. Call it until it says that nothing is left.
--pack puts what is in FOLDER into resources/ and tests/corpus/recordings; it needs no GPU.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
EVERYWHERE = ("attention", "chain", "fma", "transpose") # families that are recorded in full on every problem
SWEEPS = {"attention": "B=2,H=8,S=128..4096,D=64,CAUSAL=0", "transpose": "M=1024..8192,N=M"}
USUAL = {"attention": 200, "matvec": 90, "matmul": 90, "transpose": 90, "searches": 250, "corpus": 60} # seconds that a part is given at least
LEAST = 60
CARD = "NVIDIA H200"
OWN = pathlib.Path("/srv/kernels/flip/kernel.json") # where the sessions edit a kernel; the history shows the path


def card():
    """The name of this machine's first GPU; empty without one."""
    if not shutil.which("nvidia-smi"):
        return ""
    done = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, check=False)
    return done.stdout.split("\n", maxsplit=1)[0].strip()


class Recorder:
    def __init__(self, options):
        self.options, self.out = options, options.out
        self.end = time.monotonic() + options.seconds
        self.out.mkdir(parents=True, exist_ok=True)
        self.finished = self.out / "finished.txt"

    def call(self, words, name):
        """Whether the command succeeded in the time that is left; its output is kept."""
        log = self.out / f"{name}.log"
        environment = dict(os.environ, KERNELLOOP_DB=str(self.out / "scratch.db"))
        if self.options.python:
            environment["KLOOP_PYTHON"] = self.options.python
        with open(log, "ab") as file:
            try:
                done = subprocess.run(words, stdout=file, stderr=file, env=environment, cwd=ROOT, check=False,
                                      timeout=max(1, self.end - time.monotonic()))
            except subprocess.TimeoutExpired:
                return False
        return done.returncode == 0

    def parts(self):
        done = subprocess.run([self.options.kloop, "--db", ":memory:", "kernels", "--json"], capture_output=True, text=True, check=True)
        return [family["id"] for family in json.loads(done.stdout)["kernels"]] + ["searches", "sessions", "corpus"]

    def is_done(self, part):
        return self.finished.exists() and part in self.finished.read_text().split()

    def record(self, part):
        python = [sys.executable]
        kloop = self.options.kloop
        if part == "sessions":
            return self.call([*python, ROOT / "tests/data/sample/sessions.py", "--kloop", kloop, "--python", self.options.python, "--db",
                              self.out / "sessions.db", "--folder", OWN.parent.parent, "--seconds", str(self.end - time.monotonic() - 10)], part)
        if part == "searches":
            return self.call([*python, ROOT / "tests/bench/search_live.py", "--kloop", kloop, "--pieces", "exhaustive512,exhaustive4096", "--out",
                              self.out / "searches", "--total", str(self.end - time.monotonic() - 10)], part)
        if part == "corpus":
            return self.record_corpus()
        words = [kloop, "record", self.out / f"h200-{part}.zst", "--only", part]
        if part in EVERYWHERE:
            words.append("--everywhere")
        if part in SWEEPS:
            words += ["--sweep", SWEEPS[part]]
        return self.call(words, part)

    def record_corpus(self):
        """Whether nothing is left; a case that takes long can outlast the time, what is there by then is kept."""
        words = [sys.executable, ROOT / "tests/corpus/record.py", "--kloop", self.options.kloop, "--out", self.out / "corpus"]
        self.call([*words, "--seconds", str(self.end - time.monotonic() - 30)], "corpus")
        left = subprocess.run([*words, "--dry-run"], capture_output=True, text=True, check=False)
        return not left.stdout

    def record_all(self, wanted):
        left = 0
        for part in wanted:
            if self.is_done(part):
                continue
            if time.monotonic() + USUAL.get(part, LEAST) > self.end:
                print(f"{part:12} left", flush=True)
                left += 1
                continue
            began = time.monotonic()
            done = self.record(part)
            print(f"{part:12} {time.monotonic() - began:6.1f} s  {'done' if done else f'not done, see {part}.log'}", flush=True)
            if done:
                with open(self.finished, "a", encoding="utf-8") as file:
                    file.write(part + "\n")
            left += not done
        print(f"{left} parts are left." if left else "Nothing is left.")
        return 1 if left else 0

    def pack(self):
        for file in sorted(self.out.glob("h200-*.zst")):
            shutil.copy(file, ROOT / "resources/captures" / file.name)
            print(file.name)
        for file, name in ((self.out / "searches/exhaustive512.zst", "h200-attention-s512.zst"),
                           (self.out / "searches/exhaustive4096.zst", "h200-attention-s4096.zst")):
            if file.exists():
                shutil.copy(file, ROOT / "resources/searches" / name)
                print(name)
        if (self.out / "corpus").exists():
            folder = ROOT / "tests/corpus/recordings"
            shutil.copytree(self.out / "corpus", folder, dirs_exist_ok=True)
            subprocess.run([sys.executable, ROOT / "tests/corpus/record.py", "--pack", "--out", folder], check=True)
            print("corpus")
        if (self.out / "sessions.db").exists():
            self.pack_sessions()
        return 0

    def pack_sessions(self):
        """The database without its write-ahead log, packed."""
        copy = self.out / "packed.db"
        copy.unlink(missing_ok=True)
        subprocess.run([self.options.kloop, "--db", self.out / "sessions.db", "kernels", "remove", OWN], capture_output=True, check=False)
        subprocess.run([self.options.kloop, "--db", self.out / "sessions.db", "db", "backup", copy], capture_output=True, check=True)
        target = ROOT / "resources/sessions/h200.db.zst"
        target.parent.mkdir(exist_ok=True)
        subprocess.run(["zstd", "-19", "-q", "-f", copy, "-o", target], check=True)
        print(f"{target.name} {target.stat().st_size / 2**20:.1f} MiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kloop", default=str(ROOT / "build/bin/kloop"))
    parser.add_argument("--python", default=os.environ.get("KLOOP_PYTHON", ""))
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=570)
    parser.add_argument("--parts", default="")
    parser.add_argument("--pack", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    recorder = Recorder(options)
    if options.pack:
        return recorder.pack()
    parts = recorder.parts()
    wanted = options.parts.split(",") if options.parts else parts
    unknown = [part for part in wanted if part not in parts]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}")
    if options.list:
        print("\n".join(f"{part:12} {'done' if recorder.is_done(part) else ''}" for part in wanted))
        return 0
    if card() != CARD:
        parser.error(f"the sample is of an {CARD}, this machine has {card() or 'no GPU'}")
    return recorder.record_all(wanted)


if __name__ == "__main__":
    sys.exit(main())
