#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the sessions of the sample's history with `kloop` on a GPU: twelve kernels, changes kept and reverted, searches, a debug session,
edits of a kernel's source, patterns, and profiles of programs.

    tests/data/sample/sessions.py [--kloop build/bin/kloop] [--python PYTHON] [--db FILE] [--folder FOLDER] [--seconds 570] [--on DEVICE]
                                  [--only NAME,...] [--list]

Every session is tagged scripted, which keeps it out of what is learned about people's time. The first ones take each step by a command of
its own; what they teach, that one process for all steps saves its start, becomes a pattern, which the later ones apply. Begins no session
that would not end within --seconds; the same command with the same database goes on, and exits with 0 once nothing is left. --folder is
where the edited kernel lies; its path is stored with the session. --on sample tries the script on recorded data.

Prints a line per session. tests/data/sample/record.py packs the database.
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
OWN = ROOT / "tests/data/own_transpose"
LESSON = "one-process-per-session"


def session(name, kernel, objective, fix="", **more):
    return {"name": name, "kernel": kernel, "objective": objective, "fix": fix, "seconds": 35, "patterns": {}, **more}


ATTENTION = "attention/{}"
LONG = "B=2,CAUSAL=0,D=64,H=8,S=2048"
SHORT = "B=2,CAUSAL=0,D=64,H=8,S=512"
STEPS = ("attention/hopper-short", "attention/fused", "attention/unfused")  # the last is the newest profile
SESSIONS = [
    session("transpose-1", "transpose/naive", "Coalesce the stores of a transpose", alone=True),
    session("transpose-2", "transpose/tiled", "Remove the bank conflicts of the tile", alone=True),
    session("reduction-1", "reduction/divergent", "Keep the threads of a warp together", alone=True),
    session("histogram-1", "histogram/global", "Stop the atomics from queuing up", alone=True, teaches=True),
    session("stencil-1", "stencil/global", "Take the column sums out of L1"),
    session("layernorm-1", "layernorm/shuffle", "Issue fewer instructions per row"),
    session("softmax-1", "softmax/online", "Read each row once"),
    session("transpose-3", "transpose/padded", "Move 16 bytes per thread"),
    session("gather-1", "gather/random", "Use whole sectors of the table"),
    session("wrong-rows", "matvec/missing-barrier", "Results are wrong above 32 rows", kind="debug", seconds=60,
            patterns={"hypothesis": ["iterative-debugging-loop"]}),
    session("flip-1", "own", "Coalesce the stores of the team's own transpose", edit="tiled", seconds=45),
    session("flip-2", "own", "Unroll the loops over the tile", edit="unrolled", seconds=45),
    session("reduction-2", "reduction/shuffle", "Keep more loads in flight"),
    session("copy-1", "copy/coalesced", "Reach the bandwidth of a device copy"),
    session("matmul-1", "matmul/tiled", "Hold the results in registers"),
    session("matmul-2", "matmul/registers", "Move the products to the tensor cores"),
    session("attention-1", ATTENTION.format("unfused"), "Keep the scores out of memory", seconds=45,
            patterns={"profile": ["launch-overhead-apart"]}),
    session("attention-2", ATTENTION.format("serial"), "Multiply on the tensor cores", seconds=45,
            patterns={"baseline": ["compare-state-of-the-art"]}),
    session("attention-3", ATTENTION.format("fused"), "Search the tunables at S = 512", "search:40", seconds=100),
    session("attention-4", ATTENTION.format("fused"), "Use wgmma and split the keys of a row", "attention/hopper-short", seconds=45),
    session("attention-5", ATTENTION.format("fused"), "Search the tunables for long rows", "search:40", seconds=110, problem=LONG),
    session("attention-6", ATTENTION.format("fused"), "Use wgmma and TMA for long rows", "attention/hopper", seconds=50, problem=LONG),
]
UNROLLED = ("    for (int k = 0; k < 32; k += 8)", "#pragma unroll\n    for (int k = 0; k < 32; k += 8)")


class Refused(Exception):
    """A command of a session that cannot go on."""


class Driver:
    def __init__(self, options):
        self.options = options
        self.end = time.monotonic() + options.seconds
        self.batch = None
        self.environment = dict(os.environ)
        if options.python:
            self.environment["KLOOP_PYTHON"] = options.python

    def words(self, *words):
        return [self.options.kloop, "--json", "--db", str(self.options.db), "--on", self.options.on, *words]

    def command(self, *words, limit=150):
        done = subprocess.run(self.words(*words), capture_output=True, text=True, env=self.environment, timeout=limit, check=False)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            raise Refused(f"{' '.join(words)}: exit {done.returncode}, {done.stderr[-600:]}") from None
        if "error" in answer:
            raise Refused(f"{' '.join(words)}: {answer['error']['message']}")
        return answer

    def ask(self, **request):
        """The answer of one process that stays for all sessions."""
        if self.batch is None:
            self.batch = subprocess.Popen(self.words("session", "batch"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                          text=True, env=self.environment)
        self.batch.stdin.write(json.dumps(request) + "\n")
        self.batch.stdin.flush()
        answer = json.loads(self.batch.stdout.readline())
        if "error" in answer:
            raise Refused(f"{request}: {answer['error']['message']}")
        return answer

    def act(self, plan, action, argument=""):
        if plan.get("alone"):
            return self.command("session", "act", action, *([argument] if argument else []), "--session", plan["name"])
        return self.ask(verb="act", session=plan["name"], action=action, argument=argument)

    def step(self, plan):
        if plan.get("alone"):
            return self.command("session", "step", "--session", plan["name"])
        return self.ask(verb="step", session=plan["name"])

    def show(self, name):
        return self.command("session", "show", "--session", name)

    def apply(self, plan, phase, patterns):
        for slug in patterns:
            self.command("patterns", "apply", slug, "--session", plan["name"], "--phase", phase)

    def open(self, plan):
        kernel, kind = str(self.kernel()) if plan["kernel"] == "own" else plan["kernel"], plan.get("kind", "optimize")
        if plan.get("alone") or plan["kernel"] == "own":
            answer = self.command("session", "new", plan["name"], plan["objective"], "--kernel", kernel, "--kind", kind)
        else:
            answer = self.ask(verb="new", name=plan["name"], objective=plan["objective"], kernel=kernel, kind=kind, problem=plan.get("problem", ""))
        self.command("session", "tag", plan["name"], "scripted")
        return answer

    def run(self, plan):
        answer = self.open(plan)
        applied = set()
        for _ in range(30):
            phase, offers = answer["phase"], [offer for offer in answer["next"] if offer.get("enabled", True)]
            if phase == "done" or not offers:
                return answer
            if phase not in applied:
                applied.add(phase)
                self.apply(plan, phase, self.patterns(plan, phase))
            action = offers[0]["action"]
            if action == "choose-fix" and plan.get("edit"):
                answer = self.act(plan, "choose-fix", "own-edit")
                self.edit(plan["edit"])
            elif action == "choose-fix" and plan["fix"]:
                answer = self.act(plan, "choose-fix", plan["fix"])
            elif action == "keep" and plan.get("edit"):
                answer = self.act(plan, "keep", "git")
            elif action == "document" and plan.get("teaches"):
                self.teach(plan)
                answer = self.step(plan)
            else:
                answer = self.step(plan)
        raise Refused(f"{plan['name']} did not end: {answer['phase']}")

    def patterns(self, plan, phase):
        named = {"baseline": ["baseline-first"], "profile": ["profile-before-optimize"]}.get(phase, [])
        saved = [LESSON] if not plan.get("alone") and plan.get("kind", "optimize") == "optimize" and phase in ("environment", "fix", "evaluate") else []
        return named + saved + plan["patterns"].get(phase, [])

    def teach(self, plan):
        self.command("patterns", "add", "--from", plan["name"], "--slug", LESSON, "--title", "Take a session's steps in one process", "--problem",
                     "Each command starts a worker, which opens CUDA and the hardware counters again.", "--advice",
                     "Send the steps to kloop session batch: its worker stays.", "--when", "session-start")

    def kernel(self):
        """The edited kernel's folder, a git repository of its own."""
        folder = self.options.folder / "flip"
        if not folder.exists():
            folder.mkdir(parents=True)
            for name in ("flip.cu", "kernel.json"):
                shutil.copy(OWN / name, folder / name)
            for words in (["init", "-q", "-b", "main"], ["config", "user.name", "Sample"], ["config", "user.email", "sample@example.org"], ["add", "."],
                          ["commit", "-qm", "Transpose by columns"]):
                subprocess.run(["git", *words], cwd=folder, check=True)
        return folder / "kernel.json"

    def edit(self, what):
        source = self.options.folder / "flip/flip.cu"
        if what == "tiled":
            shutil.copy(OWN / "flip_tiled.cu", source)
        else:
            source.write_text(source.read_text().replace(*UNROLLED))

    def close(self):
        if self.batch is not None:
            self.batch.stdin.close()
            self.batch.wait(timeout=30)

    def profiles(self):
        """Programs with their kernel tables, then the steps of attention: what the pages of the window show first."""
        began = time.monotonic()
        kernels = [run["kernel"] for run in self.command("runs", "list", "--limit", "20")["runs"]]
        if not any(kernel.startswith("program/") for kernel in kernels):
            for name in ("train.py", "norm_triton.py"):
                self.command("profile", "--", self.options.python or "python3", str(ROOT / "tests/data/sample" / name))
        if kernels[:1] != [STEPS[-1]]:
            self.command("profile", *STEPS, "--problem", SHORT)
        print(f"profiles       {time.monotonic() - began:6.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kloop", default=str(ROOT / "build/bin/kloop"))
    parser.add_argument("--python", default=os.environ.get("KLOOP_PYTHON", ""))
    parser.add_argument("--db", type=pathlib.Path, default=pathlib.Path("sessions.db"))
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp/kernels"))
    parser.add_argument("--seconds", type=float, default=570)
    parser.add_argument("--on", default="local")
    parser.add_argument("--only", default="", help="names of sessions, separated by commas, or profiles")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    only = [name for name in options.only.split(",") if name]
    plans = [plan for plan in SESSIONS if not only or plan["name"] in only]
    if options.list:
        for plan in plans:
            print(f"{plan['name']:14}{plan['kernel']:26}{plan['objective']}")
        return 0
    driver = Driver(options)
    done = {row["name"]: row for row in driver.command("session", "list")["sessions"]}
    failed = left = 0
    for plan in plans:
        if done.get(plan["name"], {}).get("phase") == "done":
            continue
        if time.monotonic() + plan["seconds"] > driver.end:
            print(f"{plan['name']:14} left for the next call", flush=True)
            left += 1
            continue
        began = time.monotonic()
        try:
            answer = driver.run(plan)
            ratio = answer.get("ratio") or {}
            print(f"{plan['name']:14} {time.monotonic() - began:6.1f} s  {answer['outcome']:9} gain {ratio.get('value')} speedup {answer.get('speedup')}",
                  flush=True)
        except (Refused, ValueError, KeyError, OSError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{plan['name']:14} {time.monotonic() - began:6.1f} s  FAILED {error}", flush=True)
    if not only or "profiles" in only:
        if left == 0 and time.monotonic() + 90 < driver.end:
            driver.profiles()
        else:
            left += 1
    driver.close()
    return 1 if failed or left else 0


if __name__ == "__main__":
    sys.exit(main())
