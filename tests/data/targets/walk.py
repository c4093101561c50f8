#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Walks the live examples of targets on a GPU: a PyTorch extension, a Triton kernel, a CMake program, and one with a report of its own.

    tests/data/targets/walk.py [--kloop build/bin/kloop] [--python /opt/torch/.venv/bin/python] [--out FOLDER] [--folder FOLDER]
                               [--parts fix,fault,wrong] [pytorch triton cmake report window]

Each is made by `kloop new-target`, committed to a git repository of its own and taken from its first gate to a kept, committed fix, which is
the file of this folder. Then a build fault and an incorrect result are planted as commits, and each is traced: the first by the gate, the
second by a debug session and a search of the history. In "report", a CMake program, a report of Nsight Compute takes the place of the
profile. In "window", the CMake program is profiled in the window, which writes its target and walks the session by clicks and keys
(`kernelloop --shots --set target`). The reports are written to the folder --out; the last line says how many checks hold. With --folder,
what was walked stays, and a call with other --parts, or one after a call that was cut off, goes on from there.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = {
    "pytorch": {
        "file": "attention.cu",
        "fixed": "attention.cu",
        "fault": ("float sum = 0;", "float sum = 0"),
        "wrong": ("for (int key = 0; key < length; ++key)\n            value", "for (int key = 1; key < length; ++key)\n            value"),
    },
    "triton": {
        "file": "softmax.py",
        "fixed": "softmax.py",
        "fault": ("def softmax(x):", "def softmax(x)"),
        "wrong": ("sums += tl.exp(tl.load(x + row + at, mask=at < columns,", "sums += tl.exp(tl.load(x + row + at, mask=at < columns - 1,"),
    },
    "cmake": {
        "file": "transpose.cu",
        "fixed": "transpose.cu",
        "fault": ("const int row =", "const int row"),
        "wrong": ("if (row < rows && column < columns)", "if (row < rows && column < columns - 1)"),
    },
}
EXAMPLES["report"] = dict(EXAMPLES["cmake"], template="cmake")
EXAMPLES["window"] = dict(EXAMPLES["cmake"], template="cmake")


class Stopped(Exception):
    """A command that a part cannot do without was refused."""


class Walk:
    def __init__(self, options, kind, folder):
        self.kind, self.options, self.example = kind, options, EXAMPLES[kind]
        self.project = folder / kind
        self.database = folder / (kind + ".db")
        self.name = "live-" + kind
        self.checks = []

    def kloop(self, *words, fails=False):
        command = [self.options.kloop, "--db", str(self.database), *words, "--json"]
        print("$ kloop", *words, flush=True)
        environment = dict(os.environ, KLOOP_PYTHON=self.options.python)
        environment["PATH"] = f"{pathlib.Path(self.options.python).parent}:{environment['PATH']}:/usr/local/cuda/bin"
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        answer = json.loads(done.stdout) if done.stdout.strip() else {}
        if "error" in answer and not fails:
            raise Stopped(f"{' '.join(words)}: {answer['error']}\n{done.stderr[-2000:]}")
        return answer

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=Walk", "-c", "user.email=walk@example.org", *words], cwd=self.project, check=True,
                       stdout=subprocess.DEVNULL)

    def hold(self, what, good, seen=""):
        self.checks.append(bool(good))
        print(f"{'ok  ' if good else 'FAIL'} {self.kind}: {what} {seen}", flush=True)

    def edit(self, replaced):
        path = self.project / self.example["file"]
        text = path.read_text()
        assert replaced[0] in text, replaced
        path.write_text(text.replace(*replaced, 1))

    def session(self, name, kind, objective):
        if "error" not in self.kloop("session", "show", "--session", name, fails=True):
            return  # of a call before
        self.kloop("session", "new", name, objective, "--kind", kind, "--kernel", str(self.project / "kernelloop.json"), "--trust")

    def step_until(self, session, *actions):
        for _ in range(20):
            answer = self.kloop("session", "show", "--session", session)
            first = answer["next"][0]["action"] if answer["next"] else ""
            if first in actions or not first:
                return answer
            self.kloop("session", "step", "--session", session, "--trust")
        return answer

    def gate(self, session, gate):
        shown = self.kloop("session", "show", "--session", session)
        return next((one for one in shown["gates"] if one["id"] == gate), {"result": "missing", "checks": []})

    def take_report(self, name):
        report = self.project.parent / name
        ncu = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
        subprocess.run(["cmake", "--build", "build"], cwd=self.project, check=True, stdout=subprocess.DEVNULL)
        subprocess.run([ncu, "--set", "full", "--import-source", "yes", "--kernel-name", "regex:transpose", "--launch-skip", "10", "--launch-count",
                        "1", "--force-overwrite", "--export", str(report), "build/program", "4096", "4096"],
                       cwd=self.project, check=True, stdout=subprocess.DEVNULL)
        return str(report)

    def bring_report(self, session):
        self.step_until(session, "profile")
        source = self.project / self.example["file"]
        text = source.read_text()
        source.write_text(text + "// Of another version.\n")
        foreign = self.take_report("foreign.ncu-rep")
        source.write_text(text)
        refused = self.kloop("session", "act", "profile", foreign, "--session", session, "--trust", fails=True).get("error", {})
        self.hold("a report of another text is refused", "another text" in refused.get("message", ""), refused)
        self.kloop("session", "act", "profile", self.take_report("own.ncu-rep"), "--session", session, "--trust")
        self.hold("a report takes the place of the profile", self.gate(session, "G3")["result"] == "pass", self.gate(session, "G3")["verdict"])

    def fix(self):
        session = "fix"
        self.session(session, "optimize", f"Make {self.name} faster")
        if self.kind == "report":
            self.bring_report(session)
        at = self.step_until(session, "choose-fix", "keep", "revert", "document")
        self.hold("reaches the choice of a fix", self.gate(session, "G3")["result"] == "pass", at["why"])
        for gate in ("G1", "G2", "G3"):
            self.hold(f"{gate} is evaluated", self.gate(session, gate)["result"] in ("pass", "fail"), self.gate(session, gate)["verdict"])
        if at["next"] and at["next"][0]["action"] == "choose-fix":
            self.kloop("session", "fix", "own-edit", "--session", session)
            shutil.copy(HERE / self.example["fixed"], self.project / self.example["file"])
        at = self.step_until(session, "keep", "revert")
        self.hold("G4 passes", self.gate(session, "G4")["result"] == "pass", self.gate(session, "G4")["verdict"])
        self.hold("G5 passes", self.gate(session, "G5")["result"] == "pass", self.gate(session, "G5")["verdict"])
        kept = self.kloop("session", "keep", "--git", "--session", session, fails=True)
        self.hold("the fix is kept and committed", "error" not in kept, kept.get("ratio"))
        self.step_until(session, "")
        self.kloop("report", session, "--md", str(self.options.out / f"{self.kind}.md"), fails=True)

    def build_fault(self):
        session = "fault"
        before = (self.project / self.example["file"]).read_text()
        self.git("checkout", "-q", "HEAD~1", "--", self.example["file"])
        self.edit(self.example["fault"])
        self.session(session, "optimize", "Find the fault of the build")
        self.kloop("session", "step", "--session", session, "--trust")
        rows = [row for row in self.gate(session, "G1")["checks"] if row["id"] in ("target-build", "target-launch", "extension-build")]
        told = " ".join(row["found"] for row in rows if row["result"] == "fail")
        self.hold("a build fault is named by G1", "rror" in told, told[:200])
        (self.project / self.example["file"]).write_text(before)
        self.git("reset", "-q", "--hard")

    def incorrect_result(self):
        session = "wrong"
        self.git("checkout", "-q", "-b", "fault", "HEAD~1")
        self.git("commit", "-q", "--allow-empty", "-m", "Nothing yet")
        self.edit(self.example["wrong"])
        self.git("commit", "-qam", "Simplify a bound")
        self.git("commit", "-q", "--allow-empty", "-m", "Nothing more")
        self.session(session, "debug", "Results are off")
        at = self.step_until(session, "choose-fix", "document")
        self.hold("an incorrect result is found on its smallest size", at["next"] and at["next"][0]["action"] == "choose-fix", at["why"])
        searched = self.kloop("session", "act", "bisect", "--session", session, "--trust", fails=True)
        found = json.dumps(searched)
        self.hold("the commit that broke it is named", "Simplify a bound" in found)

    def window(self):
        (self.project / "kernelloop.json").unlink()
        (self.project / "kernelloop.schema.json").unlink()
        self.git("commit", "-qam", "Without a target")
        for words in (["-B", "build", "-DCMAKE_BUILD_TYPE=Release"], ["--build", "build"]):
            subprocess.run(["cmake", *words], cwd=self.project, check=True, stdout=subprocess.DEVNULL)
        program = pathlib.Path(self.options.kloop).with_name("kernelloop")
        command = [program, "--on", "local", "--db", self.database, "--shots", self.options.out / "window", "--set", "target",
                   "--program", "build/program 4096 4096", "--edit", HERE / self.example["fixed"]]
        done = subprocess.run(command, cwd=self.project, check=False)
        self.hold("the session in the window comes to its end", done.returncode == 0)
        sessions = self.kloop("session", "list")["sessions"]
        self.hold("the session is kept", [one["outcome"] for one in sessions] == ["kept"], sessions)
        log = subprocess.run(["git", "log", "--format=%s"], cwd=self.project, check=True, capture_output=True, text=True).stdout
        self.hold("the edit is committed", len(log.splitlines()) == 3, log)
        self.kloop("report", sessions[0]["id"], "--md", str(self.options.out / "window.md"), fails=True)

    def make(self):
        if self.project.exists():
            return
        self.kloop("new-target", self.name, "--template", self.example.get("template", self.kind), "--dir", str(self.project))
        (self.project / ".gitignore").write_text("build/\n*.so\n*.egg-info/\n__pycache__/\n")
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "Walk")
        self.git("config", "user.email", "walk@example.org")
        self.git("add", ".")
        self.git("commit", "-qm", "First version")

    def run(self):
        self.make()
        parts = {"report": {"fix": self.fix}, "window": {"window": self.window}}.get(
            self.kind, {"fix": self.fix, "fault": self.build_fault, "wrong": self.incorrect_result})
        for name, part in parts.items():
            if self.options.parts and name not in self.options.parts.split(","):
                continue
            began = time.monotonic()
            try:
                part()
            except (Stopped, AssertionError, subprocess.CalledProcessError) as error:
                self.hold(f"{name} comes to its end", False, str(error))
            print(f"{self.kind}: {name} took {time.monotonic() - began:.0f} s", flush=True)
        return self.checks


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("examples", nargs="*", default=list(EXAMPLES), help=", ".join(EXAMPLES))
    parser.add_argument("--kloop", default="build/bin/kloop")
    parser.add_argument("--python", default="/opt/torch/.venv/bin/python")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("targets-live"))
    parser.add_argument("--folder", type=pathlib.Path, help="where it works; stays (default: a temporary one)")
    parser.add_argument("--parts", help="only these of fix, fault, wrong; comma-separated")
    options = parser.parse_args()
    options.kloop = str(pathlib.Path(options.kloop).resolve())
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    checks = []
    with tempfile.TemporaryDirectory(prefix="kloop-targets-") as temporary:
        folder = options.folder.resolve() if options.folder else pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for kind in options.examples:
            checks += Walk(options, kind, folder).run()
    print(f"{sum(checks)} of {len(checks)} checks hold")
    return 0 if all(checks) else 1


if __name__ == "__main__":
    sys.exit(main())
