#!/usr/bin/env python3
"""ssh_test.py [BUILD]: a session, a search, profiles and an environment check over a real sshd, with the connection cut at random.

The worker there answers from the recorded sample, so that the same commands on this machine's copy of the recording show what the answers
must be. Run by ./dev test --system.
"""
import json
import os
import pathlib
import random
import re
import signal
import sys
import time
import unittest
from datetime import datetime, timezone

from compared_answers import stripped
from other_host import Cutter, OtherHost

root = pathlib.Path(__file__).resolve().parents[2]
build = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else root / "build").resolve()
kloop, worker = str(build / "bin/kloop"), str(build / "bin/kloop-worker")
KERNELS = ("transpose/naive", "transpose/tiled", "copy/strided", "copy/coalesced")
replay = f"exec {worker} --replay {root}/resources/captures \"$@\""


class OverSsh(unittest.TestCase):
    def setUp(self):
        self.host = OtherHost(replay)
        self.addCleanup(self.host.close)

    def kloop(self, *words, ok=(0,)):
        done = self.host.run([kloop, *words, "--json"], check=False)
        self.assertIn(done.returncode, ok, f"{words}\n{done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def serve_slowly(self, seconds):
        """Each request waits before it reaches the worker: time to do something about it."""
        self.host.install(f"while read -r line; do sleep {seconds}; printf '%s\\n' \"$line\"; done | "
                          f"{worker} --replay {root}/resources/captures \"$@\"", serving=worker)

    def same(self, *words, ok=(0,)):
        there = self.kloop(*words, "--on", "ssh:gpu7", ok=ok)
        here = self.kloop(*words, "--on", "sample", ok=ok)
        self.assertEqual(stripped(there), stripped(here))
        return there

    def test_answers_name_the_other_host(self):
        answer = self.kloop("run", "transpose/naive", "--on", "ssh:gpu7")
        self.assertEqual(answer["device"]["host"], "farm-7")
        self.assertEqual(answer["device"]["source"], "live")
        hosts = self.kloop("hosts", "list")["hosts"]
        self.assertEqual([(host["host"], host["state"]) for host in hosts], [("gpu7", "ready")])
        self.assertTrue(hosts[0]["used_at"])

    def test_no_process_is_left_there(self):
        self.kloop("run", "transpose/naive", "--on", "ssh:gpu7")
        self.nothing_is_left()

    def test_the_same_answers_whatever_is_cut(self):
        cuts = 0
        while cuts < 20:
            with Cutter(self.host) as cutter:
                self.same("profile", "transpose/naive")
                self.same("run", "transpose/tiled", ok=(0, 1))
                self.same("profile", "copy/strided")
                self.same("ab", "transpose/naive", "transpose/tiled", ok=(0, 3))
            cuts += cutter.cuts
        print(f"cut {cuts} times", file=sys.stderr)

    def walk(self, name, on):
        """A session on a transpose from its start to its end: the phase, the gate and its result after each step."""
        phases = []
        self.kloop("session", "new", name, "Make it fast.", "--kernel", "transpose/naive", "--on", on)
        for _ in range(60):
            answer = self.kloop("session", "step", "--session", name, "--on", on, ok=(0, 1, 3))
            phases.append((answer["phase"], answer.get("gate", {}).get("id"), answer.get("gate", {}).get("result")))
            if answer["phase"] == "done":
                return phases
        self.fail(f"{name} does not end: {phases}")

    def test_a_session_ends_the_same_whatever_is_cut(self):
        reference = self.walk("N+1", "sample")
        cuts, names = 0, iter(range(2, 50))
        while cuts < 20:
            with Cutter(self.host) as cutter:
                self.assertEqual(self.walk(f"N+{next(names)}", "ssh:gpu7")[-1], reference[-1])
            cuts += cutter.cuts
        print(f"cut {cuts} times", file=sys.stderr)

    def test_reports_name_the_other_host(self):
        self.walk("N+1", "ssh:gpu7")
        report = self.host.run([kloop, "report", "N+1", "--format", "md"]).stdout
        self.assertRegex(report, r"Host *\| *farm-7")

    def test_a_clock_that_is_wrong_there_dates_nothing_here(self):
        """Times of day are this machine's; durations are measured where they pass, on clocks that nobody sets."""
        def dates(answer):
            if isinstance(answer, dict):
                return [date for value in answer.values() for date in dates(value)]
            if isinstance(answer, list):
                return [date for value in answer for date in dates(value)]
            return [answer] if isinstance(answer, str) and re.match(r"\d{4}-\d\d-\d\dT", answer) else []
        for name, wrong in (("N+1", "-400d"), ("N+2", "+400d")):
            self.host.install(f"export DONT_FAKE_MONOTONIC=1; faketime -f {wrong} date +%Y-%m > /root/month\n"
                              f"exec faketime -f {wrong} {worker} --replay {root}/resources/captures \"$@\"")
            began = datetime.now(timezone.utc).replace(tzinfo=None).isoformat(timespec="milliseconds")
            self.assertEqual(self.walk(name, "ssh:gpu7")[-1][0], "done")
            ended = datetime.now(timezone.utc).replace(tzinfo=None).isoformat(timespec="milliseconds")
            month = (self.host.folder / "there/month").read_text().strip()
            self.assertGreater(abs(int(month[:4]) - int(began[:4])), 0, "the clock there is not wrong")
            session = dates(self.kloop("session", "show", name))
            self.assertGreater(len(session), 5)
            runs = [run["started_at"] for run in self.kloop("runs", "list")["runs"] if run["source"] == "live" and run["started_at"][:19] >= began[:19]]
            self.assertGreater(len(runs), 3)
            for date in session + runs:
                self.assertLessEqual(began[:19], date[:19])
                self.assertLessEqual(date[:19], ended[:19])

    def test_noise_belongs_to_the_gpu_there(self):
        kernel, other = "attention/fused@BLOCK_M=64", "attention/fused@BLOCK_M=64,STAGES=2"

        def gpu(number):
            self.host.install(f"export KERNELLOOP_WORKER={root}/tests/system/tuned_worker.py CUDA_VISIBLE_DEVICES={number}; exec {worker} \"$@\"")

        def without_noise():
            answer = self.kloop("ab", kernel, other, "--on", "ssh:gpu7", ok=(0, 3))
            return "noise-not-calibrated" in [warning["code"] for warning in answer["warnings"]]
        gpu(3)
        calibrated = self.kloop("calibrate", kernel, "--on", "ssh:gpu7")
        self.assertIn("GPU-00000003-0000-0000-0000-000000000000", json.dumps(calibrated))
        self.assertFalse(without_noise())
        gpu(4)
        self.assertTrue(without_noise())

    def test_a_search_finds_the_same_whatever_is_cut(self):
        def found(answer):
            return sorted((point["kernel"], point["gpu_ns"]) for point in answer["points"]), answer["best"]["kernel"], \
                answer["comparison"]["verdict"], answer["comparison"]["ratio"]
        search = ("search", "attention/fused@BLOCK_M=64,STAGES=2,HALF2=on", "--fresh", "--on", "ssh:gpu7")
        tuned = f"export KERNELLOOP_WORKER={root}/tests/system/tuned_worker.py; exec {worker} \"$@\""
        self.host.install(tuned)
        reference = found(self.kloop(*search))
        cuts = 0
        while cuts < 20:
            with Cutter(self.host) as cutter:
                self.assertEqual(found(self.kloop(*search)), reference)
            cuts += cutter.cuts
        print(f"cut {cuts} times", file=sys.stderr)

    def test_a_budget_of_money_is_spent_at_the_price_of_the_host(self):
        self.host.install(f"export KERNELLOOP_WORKER={root}/tests/system/tuned_worker.py; exec {worker} \"$@\"")
        search = ("search", "attention/fused@BLOCK_M=64,STAGES=2,HALF2=on", "--fresh", "--on", "ssh:gpu7", "--money", "1")
        self.assertEqual(self.kloop(*search)["left"], 0)  # a dollar is a quarter of an hour on its GPU
        self.kloop("hosts", "add", "gpu7", "--price", "100000")
        self.assertGreater(self.kloop(*search, ok=(0, 1))["left"], 0)  # 36 ms; 1: not one point

    def test_the_next_host_takes_over_from_one_that_was_preempted(self):
        self.serve_slowly(0.3)
        process = self.host.start([kloop, "profile", *KERNELS, "--on", "ssh:gpu7,ssh:gpu8", "--json"])
        self.until_it_is_reached()
        for supervisor in self.host.processes("kloop-worker", "--supervise"):
            os.kill(supervisor, signal.SIGKILL)
        out, err = process.communicate(timeout=100)
        self.assertIn(process.returncode, (0, 1), err)
        self.assertIn("Continuing on gpu8", err)
        self.assertEqual(stripped(json.loads(out)), stripped(self.kloop("profile", *KERNELS, "--on", "sample", ok=(0, 1))))

    def test_a_network_that_is_away_is_waited_for(self):
        self.serve_slowly(0.7)
        process = self.host.start([kloop, "profile", *KERNELS, "--on", "ssh:gpu7", "--json"])
        self.until_it_is_reached()
        self.assertIsNone(process.poll())
        self.host.unplug(25)  # longer than the silence after which a connection counts as dead
        out, err = process.communicate(timeout=300)
        self.assertIn(process.returncode, (0, 1), err)
        self.assertEqual(stripped(json.loads(out)), stripped(self.kloop("profile", *KERNELS, "--on", "sample", ok=(0, 1))))

    def test_the_environment_is_that_of_the_other_host(self):
        self.host.install(f"exec {worker} \"$@\"")
        answer = self.kloop("env", "--on", "ssh:gpu7", ok=(0, 5))
        self.assertIn("gpu", [check["id"] for check in answer["checks"]])

    def test_a_worker_is_copied_with_consent(self):
        (self.host.folder / "there/.local/bin/kloop-worker").unlink()
        refused = self.kloop("hosts", "check", "gpu7", ok=(1,))
        self.assertEqual(refused["error"]["code"], "needs-consent")
        answer = self.kloop("hosts", "check", "gpu7", "--trust", ok=(0, 5))
        self.assertEqual(answer["hosts"][0]["host"], "gpu7")
        self.assertTrue(answer["hosts"][0]["worker"])
        self.kloop("hosts", "check", "gpu7", ok=(0, 5))
        copied = self.host.folder / "there/.cache/kernelloop/workers"
        if (build / "lib/libkloop-inject.so").exists():  # what it puts into programs is copied, too
            self.assertEqual(len(list(copied.glob("*/lib/libkloop-inject.so"))), 1)

    def nothing_is_left(self):
        for _ in range(100):
            if not self.host.processes("kloop-worker"):
                return
            time.sleep(0.1)
        self.fail(f"left running: {self.host.processes('kloop-worker')}")

    def test_a_stopped_command_leaves_nothing_there(self):
        self.host.install(f"exec {worker} \"$@\"")
        process = self.host.start([kloop, "env", "--on", "ssh:gpu7"])
        time.sleep(1.0)
        process.terminate()
        process.communicate(timeout=20)
        self.nothing_is_left()
        self.serve_slowly(1000)  # a request that does not end in the time that a stopped command has
        for end in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            process = self.host.start([kloop, "profile", "transpose/naive", "--on", "ssh:gpu7"])
            self.until_it_measures()
            process.send_signal(end)
            process.communicate(timeout=20)
            self.nothing_is_left()

    def until_it_is_reached(self):
        for _ in range(600):
            if self.host.processes("kloop-worker", "--attach"):
                break
            time.sleep(0.05)
        time.sleep(0.7)

    def until_it_measures(self):
        for _ in range(200):
            if self.host.processes("sleep", "1000"):
                return
            time.sleep(0.05)
        self.fail("no request arrives")


if __name__ == "__main__":
    random.seed(7)
    unittest.main(verbosity=2, warnings="ignore")
