#!/usr/bin/env python3
"""remote_program_test.py [BUILD]: programs and large inputs over a real sshd: `kloop profile --on ssh:HOST -- CMD` with the connection cut at
random, what a stopped one leaves, inputs that are sent once, and what the connection adds to a request.

The program is a shell script that leaves the trace that the library inside would leave. Run by ./dev test --system.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
import unittest

from other_host import Cutter, OtherHost

root = pathlib.Path(__file__).resolve().parents[2]
build = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else root / "build").resolve()
kloop, worker = str(build / "bin/kloop"), str(build / "bin/kloop-worker")
GPU = {"uuid": "GPU-1", "name": "NVIDIA H200", "cc_major": 9, "cc_minor": 0, "sm_count": 132}


def trace():
    """Ten launches of 8 us of one kernel, as profiler/protocol/program_trace.h describes the file."""
    lines = [{"t": "process", "version": 1, "pid": 1, "command": ["prog"], "cupti": "/x/libcupti.so.13"},
             {"t": "device", "index": 0, "device": GPU}, {"t": "kernel", "id": 0, "name": "_Z5scalePfif"}]
    lines += [["k", 0, i * 9000 + 1, i * 9000 + 8001, 0, 7, 1, 66000, 1, 1, 256, 1, 1, 32, 0, 0, 0, 0] for i in range(10)]
    return "".join(json.dumps(line) + "\n" for line in lines + [{"t": "end"}])


class RemotePrograms(unittest.TestCase):
    def setUp(self):
        self.host = OtherHost(None)
        self.addCleanup(self.host.close)
        there = self.host.folder / "there"
        (there / "inject.so").write_text("not loaded by programs without CUDA")
        (there / "trace").write_text(trace())
        self.host.install(f"export KERNELLOOP_INJECT=/root/inject.so; exec {worker} --replay {root}/resources/captures \"$@\"")

    def run_there(self, *words, ok=(0,), options=("--trust", "--once")):
        done = self.host.run([kloop, "profile", *options, "--on", "ssh:gpu7", "--out", f"{self.host.folder}/here/answer.json", "--", *words],
                             check=False)
        self.assertIn(done.returncode, ok, f"{words}\n{done.stdout}{done.stderr}")
        return done, json.loads((self.host.folder / "here/answer.json").read_text())

    def test_the_program_runs_there_and_its_kernels_come_back(self):
        done, answer = self.run_there("sh", "-c", "hostname; pwd; echo bad >&2; cp trace $KLOOP_INJECT_SPOOL/1-1.trace; exit 3", ok=(3,))
        self.assertEqual(done.stdout, "farm-7\n/root\n")
        self.assertIn("bad\n", done.stderr)
        self.assertEqual((answer["program"]["exit_code"], answer["program"]["host"]), (3, "farm-7"))
        self.assertEqual([run["program"]["kernel"] for run in answer["results"]], ["scale(float*, int, float)"])
        self.assertEqual(answer["results"][0]["device"]["host"], "farm-7")
        shown = self.host.run([kloop, "runs", "list", "--json"])
        self.assertEqual(len(json.loads(shown.stdout)["runs"]), 1)

    def test_bytes_arrive_as_they_are(self):
        words = ("/usr/bin/python3", "-c", "import sys; sys.stdout.buffer.write(bytes(range(256)) * 4000); sys.stderr.buffer.write(b'\\xff\\0x')")
        command = [kloop, "profile", "--trust", "--once", "--on", "ssh:gpu7", "--", *words]
        done = subprocess.run(self.host.prefix() + command, env=self.host.environment(), capture_output=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.stdout, bytes(range(256)) * 4000)
        self.assertIn(b"\xff\0x", done.stderr)

    def test_a_program_needs_consent(self):
        for words in (("touch", "ran"), ("sh", "-c", "touch ran")):
            done = self.host.run([kloop, "profile", "--once", "--json", "--on", "ssh:gpu7", "--", *words], check=False)
            self.assertEqual((done.returncode, json.loads(done.stdout)["error"]["code"]), (1, "needs-consent"), done.stderr)
        self.assertFalse((self.host.folder / "there/ran").exists())
        self.run_there("touch", "ran")
        self.assertTrue((self.host.folder / "there/ran").exists())
        self.run_there("touch", "ran", options=("--once",))  # it is remembered

    def test_words_are_words(self):
        done, _ = self.run_there("printf", "%s|", "a b", "$(touch /tmp/x)", "'", "\"; exit 9", "*", "\n", "ä")
        self.assertEqual(done.stdout, "a b|$(touch /tmp/x)|'|\"; exit 9|*|\n|ä|")

    def test_one_that_is_not_there(self):
        done = self.host.run([kloop, "profile", "--trust", "--once", "--json", "--on", "ssh:gpu7", "--", "no-such-program"], check=False)
        self.assertEqual((done.returncode, json.loads(done.stdout)["error"]["code"]), (127, "not-found"), done.stderr)

    def test_all_output_arrives_once_whatever_is_cut(self):
        script = "for i in $(seq 1 400); do echo line $i; [ $((i % 7)) = 0 ] && echo bad $i >&2; sleep 0.02; done; " \
                 "cp trace $KLOOP_INJECT_SPOOL/1-1.trace; echo once >> runs; exit 5"
        cuts = runs = 0
        while cuts < 20:
            with Cutter(self.host) as cutter:
                done, answer = self.run_there("sh", "-c", script, ok=(5,))
            cuts += cutter.cuts
            runs += 1
            self.assertEqual(done.stdout, "".join(f"line {i}\n" for i in range(1, 401)))
            self.assertEqual(re.findall(r"^bad (\d+)$", done.stderr, re.M), [str(i) for i in range(7, 401, 7)])
            self.assertEqual(answer["results"][0]["timing"]["gpu_ns"]["median"], 8000)
        self.assertEqual((self.host.folder / "there/runs").read_text(), "once\n" * runs)
        print(f"cut {cuts} times in {runs} runs", file=sys.stderr)

    def test_counters_are_read_in_a_second_run(self):
        done, answer = self.run_there("sh", "-c", "cp trace $KLOOP_INJECT_SPOOL/1-1.trace; echo shown; echo x >> runs", options=("--trust",))
        self.assertEqual(done.stdout, "shown\n")
        self.assertEqual((self.host.folder / "there/runs").read_text(), "x\nx\n")
        self.assertTrue(answer["program"]["second_run"])

    def test_a_stopped_one_leaves_nothing_there(self):
        for number in (signal.SIGINT, signal.SIGKILL):
            process = self.host.start([kloop, "profile", "--trust", "--once", "--on", "ssh:gpu7", "--",
                                       "sh", "-c", "trap '' TERM; sleep 1000 & sleep 1000"])
            self.wait(lambda: len(self.host.processes("sleep", "1000")) >= 2, "it does not run")
            process.send_signal(number)
            process.communicate(timeout=30)
            self.wait(lambda: not self.host.processes("sleep", "1000") and not self.host.processes("kloop-worker"), "something is left")

    def wait(self, true, why):
        for _ in range(200):
            if true():
                return
            time.sleep(0.1)
        self.fail(why)

    def test_large_inputs_are_sent_once(self):
        folder = self.kernel_with_input(os.urandom(4 << 20))
        first, again = self.bytes_sent_for(folder), self.bytes_sent_for(folder)
        kept = list((self.host.folder / "there/.cache/kernelloop/contents").rglob("*.entry"))
        self.assertEqual(len(kept), 2)  # 5.6 MB of base64, in pieces of 4 MiB
        self.assertGreater(first, 4 << 20)
        self.assertLess(again, 200_000)
        for entry in kept:  # a damaged one is not trusted
            entry.write_bytes(entry.read_bytes()[:-1] + b"x")
        self.assertGreater(self.bytes_sent_for(folder), 4 << 20)
        print(f"sent {first} bytes at first, {again} again", file=sys.stderr)

    def test_a_full_disk_there_keeps_nothing_and_stops_nothing(self):
        subprocess.run(["nsenter", f"--target={self.host.process.pid}", "--mount", "--wdns=/", "sh", "-c",
                        "mkdir -p /root/.cache && mount -t tmpfs -o size=1m full /root/.cache"], check=True)
        self.assertGreater(self.bytes_sent_for(self.kernel_with_input(os.urandom(4 << 20))), 4 << 20)
        self.run_there("true")
        (self.host.folder / "there/.local/bin/kloop-worker").unlink()
        done = self.host.run([kloop, "hosts", "check", "gpu7", "--trust", "--json"], check=False)
        answer = json.loads(done.stdout)["hosts"][0]
        self.assertEqual((done.returncode, answer["state"]), (5, "unusable"), done.stdout)
        self.assertIn("No space left on device", answer["reason"])
        left = subprocess.run(["nsenter", f"--target={self.host.process.pid}", "--mount", "--wdns=/", "find", "/root/.cache", "-type", "f"],
                              check=True, capture_output=True, text=True).stdout
        self.assertEqual(left, "")

    def kernel_with_input(self, content):
        folder = self.host.folder / "here/flip"
        shutil.copytree(root / "tests/data/own_transpose", folder)
        kernel = json.loads((folder / "kernel.json").read_text())
        size = f"M={len(content) // 4 // 1024},N=1024"
        kernel |= {"problems": [size], "smallest": size, "suite": [size]}
        kernel["buffers"][0] |= {"fill": "file", "file": "in.bin"}
        (folder / "kernel.json").write_text(json.dumps(kernel))
        (folder / "in.bin").write_bytes(content)
        return folder

    def bytes_sent_for(self, folder):
        """Over the network, by a request with all that it needs; the answer is that it was not recorded."""
        counter = pathlib.Path(f"/sys/class/net/{self.host.device}a/statistics/tx_bytes")
        before = int(counter.read_text())
        done = self.host.run([kloop, "run", str(folder), "--on", "ssh:gpu7", "--json"], check=False)
        self.assertEqual(json.loads(done.stdout)["error"]["code"], "not-recorded", done.stdout + done.stderr)
        return int(counter.read_text()) - before

    def test_what_a_connection_adds_to_a_request(self):
        """At most 5 ms, besides the round trip of ssh itself."""
        def median(command, count=200):
            process = subprocess.Popen(self.host.prefix() + command, env=self.host.environment() | {"KERNELLOOP_WORKER": worker}, text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            times = []
            for number in range(count):
                begin = time.monotonic()
                process.stdin.write(f'{{"id":{number + 1},"verb":"no-such","body":{{}}}}\n')
                process.stdin.flush()
                while f'"id":{number + 1}' not in process.stdout.readline():
                    pass
                times.append(time.monotonic() - begin)
            process.stdin.close()
            process.wait(timeout=20)
            return 1000 * statistics.median(times[20:])
        here = median([worker, "--replay", f"{root}/resources/captures"])
        trip = median(["ssh", "-T", "-C", "gpu7", "exec cat"])
        there = median([worker, "--relay", "gpu7"])
        print(f"request here {here:.2f} ms, round trip of ssh {trip:.2f} ms, request there {there:.2f} ms", file=sys.stderr)
        self.assertLess(there - here - trip, 5)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
