#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the calls of the corpus on a GPU.

    tests/corpus/record.py --list [--only REGEX]
    tests/corpus/record.py --dry-run [--only REGEX] [--modes counters,bare,ncu]
    tests/corpus/record.py [--modes counters,bare,ncu] [--only REGEX] [--framework NAME] [--seconds 570] [--out tests/corpus/recordings]
                           [--kloop build/bin/kloop] [--ncu ncu] [--again | --retry]
    tests/corpus/record.py --pack [--out tests/corpus/recordings]

counters: `kloop profile --executions -- …`; bare: the same with --no-counters, of what has no executions yet; ncu: the sections of Nsight
Compute that have rules. Many calls per process, told apart by their NVTX ranges; what does not come out of such a process is recorded
alone. A program is recorded by its times, in a process of its own. Modes are recorded in the order in which they are given. Each case and
mode is a line of OUT/FRAMEWORK.jsonl, written as soon as it is there; what is there is not recorded again, so that a run that ends early
(--seconds, a limit of the machine) is continued by the same command. What cannot be recorded is a line with the reason. --pack compresses
the files for the repository.
"""
import argparse
import collections
import contextlib
import datetime
import importlib.util
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import cases
import play
import reduce

PLAY = os.path.join(HERE, "play.py")
PER_PROCESS = 12  # cases in one profiled process
PER_REPORT = 20  # cases in one process of ncu
REPORT_SECONDS = 240


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def parsed(text):
    """The line of a recording, or None."""
    with contextlib.suppress(ValueError):
        line = json.loads(text)
        if isinstance(line, dict) and isinstance(line.get("id"), str) and line.get("mode") in reduce.MODES:
            return line
    return None


class Recording:
    """The files of a folder, by framework; later lines replace earlier ones of the same case and mode."""

    def __init__(self, folder):
        self.folder = folder
        self.lines = {}
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            path = os.path.join(folder, name)
            for number, text in enumerate(self.read(path), 1):
                line = parsed(text)
                if line:
                    self.lines[line["id"], line["mode"]] = line
                elif text.strip():
                    print(f"{path}:{number} cannot be read, as after a run that was cut off: it is recorded again", file=sys.stderr)

    @staticmethod
    def read(path):
        if path.endswith(".jsonl"):
            with open(path) as file:
                return file.readlines()
        if path.endswith(".jsonl.zst"):
            done = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if done.returncode != 0:
                sys.exit(f"{path} cannot be read: {done.stderr.strip()}")
            return done.stdout.splitlines()
        return []

    def add(self, case, line):
        os.makedirs(self.folder, exist_ok=True)
        self.lines[line["id"], line["mode"]] = line
        with open(os.path.join(self.folder, case["framework"] + ".jsonl"), "ab+") as file:
            if file.tell() > 0 and (file.seek(-1, os.SEEK_END), file.read(1))[1] != b"\n":
                file.write(b"\n")  # what was cut off stays a line of its own
            file.write((json.dumps(line, ensure_ascii=False) + "\n").encode())

    def wants(self, case, mode, options):
        if mode == "ncu" and case["subject"] == "program":
            return False  # its rules are about kernels
        if mode == "bare" and (case["subject"] == "program" or reduce.has_executions(self.lines.get((case["id"], "counters"), {}))):
            return False  # follows from the other line
        line = self.lines.get((case["id"], mode))
        return options.again or line is None or (options.retry and "failed" in line)


class Server:
    """A process of play.py that has imported the framework."""

    def __init__(self, framework, folder, environment):
        self.framework, self.environment = framework, environment
        self.path = os.path.join(folder, framework + ".socket")
        self.start()

    def start(self):
        self.process = subprocess.Popen([sys.executable, PLAY, "serve", self.path, self.framework], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, text=True, env=self.environment, start_new_session=True)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError(f"{self.framework} cannot be imported")

    def stop(self):
        """With the process of a call that has not ended."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
        os.unlink(self.path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def run(words, seconds, environment):
    """(exit code or None past the limit, standard output, standard error)"""
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    try:
        out, errors = process.communicate(timeout=seconds)
        return process.returncode, out, errors
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            out, errors = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, errors = process.communicate()
        return None, out, errors


def profile_words(options, batch, mode, server):
    """Of cases that are told apart by their ranges, or of one program, whose times say all."""
    if batch[0]["subject"] == "program":
        words, how = ["--no-counters", "--once", "--kernel", "^$"], "one"
    else:
        counted = ["--no-counters"] if mode == "bare" else ["--tier", "2", "--executions", "--once"]
        words, how = [*counted, "--range", "corpus", "--by-range", "--count", "1000"], "many"
    play_words = [PLAY, "ask", server.path, how] if server else [PLAY, how]
    return [options.kloop, "profile", "--json", *words, "--", sys.executable, *play_words, *[case["id"] for case in batch]]


def profile(options, batch, mode, server, recorded, environment):
    """The lines of a batch, by id; those that another process may still give are left out, unless the batch is of one."""
    limit = options.case_seconds * (1 if len(batch) == 1 else 2)
    code, out, errors = run(profile_words(options, batch, mode, server), limit, environment)
    if code is None and server:
        server.stop()
        server.start()
    why = {id: json.loads(text) for id, text in re.findall(r"^failed (\S+) (.*)$", errors, re.M)}
    answer = parsed_answer(out)
    lines = {}
    for case in batch:
        if code is None or answer is None:
            reason = f"it took more than {limit:g} s" if code is None else f"exit {code}: {errors.strip()[-300:]}"
        elif case["id"] in why or (answer.get("program") or {}).get("exit_code"):
            reason = f"the call failed: {why.get(case['id'], errors.strip()[-300:])}"
        else:
            lines[case["id"]] = reduce.from_profile(answer, case, mode, now(), recorded(case, mode))
            continue
        lines[case["id"]] = reduce.line(case, mode, now(), failed=reason)
    if len(batch) == 1:
        return lines
    return {id: line for id, line in lines.items() if "failed" not in line}


def parsed_answer(text):
    with contextlib.suppress(ValueError):
        return json.loads(text)
    return None


def batches(todo, mode):
    """Programs alone, then the rest; without counters, CUPTI counts one kernel per process."""
    programs = [case for case in todo if case["subject"] == "program"]
    kernels = [case for case in todo if case["subject"] != "program"]
    size = 1 if mode == "bare" else PER_PROCESS
    return [[case] for case in programs] + [kernels[at:at + size] for at in range(0, len(kernels), size)]


def report_words(options, path, batch):
    """`path` has no ending."""
    words = [options.ncu, "--target-processes", "all", "--clock-control", "none", "--nvtx", "--nvtx-include", "corpus/", "--import-source", "no",
             *[word for section in reduce.ncu_rules.RULED for word in ("--section", section)], "--force-overwrite", "-o", path]
    return [*words, sys.executable, PLAY, "each", *[case["id"] for case in batch]]


def report(options, batch, folder, environment):
    """The lines of a batch of cases under Nsight Compute."""
    path = os.path.join(folder, "batch.ncu-rep")
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
    code, out, errors = run(report_words(options, path[:-8], batch), REPORT_SECONDS, {**environment, "CORPUS_REPEATS": "1"})
    why = {id: json.loads(text) for id, text in re.findall(r"^failed (\S+) (.*)$", errors, re.M)}
    answer = {}
    if os.path.exists(path):
        with contextlib.suppress(ValueError):
            answer = json.loads(run([options.kloop, "--db", ":sample:", "analyze", path, "--json"], 120, environment)[1])
    lines = reduce.from_reports(answer, batch, now())
    ended = "it took too long" if code is None else f"ncu ended with {code}: {(errors or out).strip()[-300:]}"
    for line in lines:
        if "failed" in line:
            line["failed"] = why.get(line["id"], line["failed"] if code == 0 else ended)
    return lines


def record(options, chosen, recording):
    began, done = time.monotonic(), collections.Counter()
    environment = {name: value for name, value in os.environ.items() if name != "KERNELLOOP_DB"}

    def late():
        return options.seconds and time.monotonic() - began > options.seconds

    def counted(case, mode):
        return recording.lines.get((case["id"], "counters"), {}).get("run") if mode == "bare" else None

    def keep(case, line):
        recording.add(case, line)
        done["failed" if "failed" in line else "recorded"] += 1
        print(f"{time.monotonic() - began:6.1f} s  {line['mode']:8}  {case['id']}  {line.get('failed', '')}", flush=True)

    def profile_all(framework, mode, todo, folder):
        with Server(framework, folder, environment) if not options.fresh else contextlib.nullcontext() as server:
            waiting = batches(todo, mode)
            while waiting and not late():
                batch = waiting.pop(0)
                lines = profile(options, batch, mode, server, counted, environment)
                for case in batch:
                    if case["id"] in lines:
                        keep(case, lines[case["id"]])
                    else:
                        waiting.append([case])
                if len(lines) <= 1 < len(batch):  # no use for the others, either
                    waiting = [[case] for batch in waiting for case in batch]

    def report_all(todo, folder):
        while todo and not late():
            batch, todo = todo[:PER_REPORT], todo[PER_REPORT:]
            for line in report(options, batch, folder, environment):
                keep(next(case for case in batch if case["id"] == line["id"]), line)

    with tempfile.TemporaryDirectory() as folder:
        environment["XDG_DATA_HOME"] = folder  # a database of its own
        for mode in options.modes:
            for framework in dict.fromkeys(case["framework"] for case in chosen):
                todo = [case for case in chosen if case["framework"] == framework and recording.wants(case, mode, options)]
                if todo and not late():
                    report_all(todo, folder) if mode == "ncu" else profile_all(framework, mode, todo, folder)
    left = sum(recording.wants(case, mode, argparse.Namespace(again=False, retry=False)) for case in chosen for mode in options.modes)
    print(f"{done['recorded']} recorded, {done['failed']} not (the reason is in the file), {left} left")


def listing(chosen, recording):
    for case in chosen:
        marks = "".join(mode[0] if "failed" not in recording.lines.get((case["id"], mode), {"failed": ""}) else "-" for mode in reduce.MODES)
        print(f"{marks}  {case['framework']:6}  {case['expected']:17}  {'held out' if case['held_out'] else '        '}  {case['id']}")
    counts = collections.Counter(case["framework"] for case in chosen)
    print(f"{len(chosen)} cases ({', '.join(f'{name} {count}' for name, count in counts.items())}); recorded: c counters, b bare, n ncu")


def unready(options, chosen):
    """What this machine lacks to record these cases; empty if it has everything."""
    lacks = []
    if not os.access(options.kloop, os.X_OK):
        lacks.append(f"{options.kloop}: build kloop, or name it with --kloop")
    if "ncu" in options.modes and not shutil.which(options.ncu):
        lacks.append(f"{options.ncu}: install Nsight Compute, name it with --ncu, or leave it out with --modes counters,bare")
    modules = dict.fromkeys(module for case in chosen for module in play.IMPORTS[case["framework"]])
    for module in modules:
        if importlib.util.find_spec(module) is None:
            lacks.append(f"{module}: not installed for {sys.executable}")
    return lacks


def plan(options, chosen, recording):
    """Prints the commands that would record what is missing, and what this machine lacks; makes no call."""
    for case in chosen:
        for mode in options.modes:
            if recording.wants(case, mode, options):
                words = report_words(options, "REPORT", [case]) if mode == "ncu" else profile_words(options, [case], mode, None)
                print(f"{mode:8}  {case['id']}  {shlex.join(words)}")
    lacks = unready(options, chosen)
    for lack in lacks:
        print(f"missing: {lack}", file=sys.stderr)
    return 1 if lacks else 0


def kept(texts):
    """The lines that can be read, of the same case and mode the last that holds a recording. Those without counters go when their case is
    recorded with counters again: they would be of another run."""
    lines, failed = {}, {}
    for text in texts:
        line = parsed(text)
        if not line:
            continue
        key = line["id"], line["mode"]
        if "failed" in line and not failed.get(key, True):
            continue
        failed[key] = "failed" in line
        lines[key] = text.rstrip("\n") + "\n"
        if line["mode"] == "counters":
            lines.pop((line["id"], "bare"), None)
    return list(lines.values())


def pack(folder):
    """Compresses the files, with what was compressed before and without lines that were recorded again or cannot be read."""
    for name in sorted(os.listdir(folder)):
        if name.endswith(".jsonl"):
            path = os.path.join(folder, name)
            earlier = Recording.read(path + ".zst") if os.path.exists(path + ".zst") else []
            lines = kept([*earlier, *Recording.read(path)])
            with open(path, "w") as file:
                file.writelines(lines)
            subprocess.run(["zstd", "-19", "-q", "--force", "--rm", path], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the cases and what is recorded of them")
    parser.add_argument("--dry-run", action="store_true", help="print the commands of what is not recorded yet, and what this machine lacks to run them")
    parser.add_argument("--pack", action="store_true", help="compress the files of --out")
    parser.add_argument("--modes", type=lambda text: text.split(","), default=list(reduce.MODES))
    parser.add_argument("--only", default="", help="cases whose id matches this regular expression")
    parser.add_argument("--framework", default="")
    parser.add_argument("--out", default=os.path.join(HERE, "recordings"))
    parser.add_argument("--kloop", default="build/bin/kloop")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--seconds", type=float, default=0, help="start no case after this time; 0: no limit")
    parser.add_argument("--case-seconds", type=float, default=60, help="limit of one case")
    parser.add_argument("--again", action="store_true", help="record what is there, too")
    parser.add_argument("--retry", action="store_true", help="record what failed, too")
    parser.add_argument("--fresh", action="store_true", help="import the framework in every process, instead of once")
    options = parser.parse_args()
    unknown = set(options.modes) - set(reduce.MODES)
    if unknown:
        parser.error(f"unknown mode {', '.join(sorted(unknown))}; known: {', '.join(reduce.MODES)}")
    if options.pack:
        return pack(options.out)
    with open(cases.LABELS) as file:
        labels = json.load(file)["cases"]
    chosen = [case for case in labels if re.search(options.only, case["id"]) and options.framework in ("", case["framework"])]
    recording = Recording(options.out)
    if options.list:
        return listing(chosen, recording)
    if options.dry_run:
        return plan(options, chosen, recording)
    return record(options, chosen, recording)


if __name__ == "__main__":
    sys.exit(main())
