#!/usr/bin/env python3
"""slurm_test.py [BUILD]: measuring on GPUs that a real Slurm grants: jobs and job arrays, their cancel, time limit, requeue and lost node.

The workers answer from the recorded sample, so that the same commands on this machine's copy of the recording show what the answers must be.
Run by ./dev test --system.
"""
import json
import os
import pathlib
import random
import signal
import sys
import time
import unittest

from compared_answers import stripped
from slurm_cluster import SlurmCluster

root = pathlib.Path(__file__).resolve().parents[2]
build = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else root / "build").resolve()
kloop, worker = str(build / "bin/kloop"), str(build / "bin/kloop-worker")


FEW = ("profile", "transpose/naive", "transpose/tiled", "copy/strided", "copy/coalesced", "transpose/padded", "transpose/vector")
SEARCH = ("search", "attention/fused@BLOCK_M=64,STAGES=2,HALF2=on", "--fresh")


class OnSlurm(unittest.TestCase):
    def setUp(self):
        self.cluster = SlurmCluster()
        self.addCleanup(self.cluster.close)
        self.serve(f"exec {worker} --replay {root}/resources/captures \"$@\"")

    def serve(self, script, idle=600):
        """What serves requests, on the node; everything else that a worker does is done by the real one. `idle`: seconds without a client."""
        file = self.cluster.folder / "kloop-worker"
        file.write_text(f"#!/bin/sh\ncase \" $* \" in *' --supervise '*) exec {worker} \"$@\" --idle {idle} ;; "
                        f"*' --attach '*|*' --relay '*) exec {worker} \"$@\" ;; esac\n{script}\n")
        file.chmod(0o755)
        self.environment = {"KERNELLOOP_WORKER": str(file)}

    def serve_slowly(self, seconds, **options):
        """Each request waits before it reaches the worker: time to do something about it."""
        self.serve(f"while read -r line; do sleep {seconds}; printf '%s\\n' \"$line\"; done | "
                   f"{worker} --replay {root}/resources/captures \"$@\"", **options)

    def serve_search(self, seconds):
        self.serve(f"exec /usr/bin/python3 {root}/tests/system/tuned_worker.py --seconds {seconds} \"$@\"")

    def start(self, *words):
        """Its output goes to files: nobody reads it before its end."""
        out, err = (open(self.cluster.folder / f"{stream}-{random.random()}", "w+") for stream in ("out", "err"))
        process = self.cluster.start([kloop, *words, "--json"], self.environment, out, err)
        self.addCleanup(out.close)
        self.addCleanup(err.close)
        process.files = out, err
        return process

    def end(self, process, ok=(0,)):
        process.wait(timeout=200)
        texts = [pathlib.Path(file.name).read_text() for file in process.files]
        self.assertIn(process.returncode, ok, f"{process.args}\n{texts[0][-3000:]}{texts[1]}{self.cluster.logs()}")
        return json.loads(texts[0]), texts[1]

    def kloop(self, *words, ok=(0,)):
        return self.end(self.start(*words), ok)[0]

    def same(self, *words, on, ok=(0,)):
        there = self.kloop(*words, "--on", on, ok=ok)
        here = self.kloop(*words, "--on", "sample", ok=ok)
        self.assertEqual(stripped(there), stripped(here))
        return there

    def nothing_is_left(self):
        self.cluster.wait(lambda: not self.cluster.running() and "PENDING" not in self.cluster.tasks().values(), "a job is left")
        self.cluster.wait(lambda: not self.cluster.processes("kloop-worker"), "a worker is left")

    def until_it_measures(self, process, workers=1):
        """Until so many workers have been reached."""
        def reached():
            self.assertIsNone(process.poll(), "".join(pathlib.Path(file.name).read_text() for file in process.files))
            return sum(line.startswith(f"{worker} --attach") for line in self.cluster.processes("--attach").values()) >= workers
        self.cluster.wait(reached, "no worker is reached")
        time.sleep(0.3)

    def kill_client(self, number, *words):
        for client in self.cluster.processes(*(words or (f"{kloop} ", "--json"))):
            os.kill(client, number)

    def test_answers_are_those_of_the_recording(self):
        answer = self.kloop("run", "transpose/naive", "--on", "slurm:gpu")
        self.assertEqual(answer["device"]["host"], "node1")
        self.same("profile", "transpose/naive", on="slurm:gpu,time=00:10:00,gres=gpu:2")
        self.same("ab", "transpose/naive", "transpose/tiled", on="slurm:gpu", ok=(0, 3))
        self.nothing_is_left()

    def test_a_session_runs_in_one_job_that_the_user_holds(self):
        def walk(name, on):
            self.kloop("session", "new", name, "Make it fast.", "--kernel", "transpose/naive", "--on", on)
            phases = []
            for _ in range(60):
                answer = self.kloop("session", "step", "--session", name, "--on", on, ok=(0, 1, 3))
                phases.append((answer["phase"], answer.get("gate", {}).get("result")))
                if answer["phase"] == "done":
                    return phases
            self.fail(f"{name} does not end: {phases}")
        (self.cluster.folder / "hold.sh").write_text("#!/bin/sh\nexec sleep 600\n")
        held = self.cluster.slurm("sbatch", "--parsable", "--gres=gpu:1", f"{self.cluster.folder}/hold.sh").strip()
        self.cluster.wait(lambda: self.cluster.running(), "no job runs")
        self.assertEqual(walk("N+1", f"slurm:gpu,job={held}")[-1], walk("N+2", "sample")[-1])
        self.assertEqual(self.cluster.running(), {held: "RUNNING"})

    def test_a_program_runs_in_the_job(self):
        self.serve(f"export KERNELLOOP_INJECT=/dev/null; exec {worker} --replay {root}/resources/captures \"$@\"")
        process = self.start("profile", "--once", "--trust", "--json", "--on", "slurm:gpu", "--", "sh", "-c", "hostname; echo $SLURM_JOB_ID; exit 3")
        answer, errors = self.end(process, ok=(3,))
        self.assertIn("node1\n1\n", errors)
        self.assertEqual((answer["program"]["host"], answer["program"]["exit_code"]), ("node1", 3))
        self.nothing_is_left()

    def test_options_reach_sbatch(self):
        process = self.start("run", "transpose/naive", "--on", "slurm:other,time=00:07:00,comment=a b;$(touch /tmp/x),gres=gpu:3,hold")
        self.cluster.wait(lambda: self.cluster.tasks(), "nothing was submitted")
        job = self.cluster.slurm("scontrol", "--oneliner", "show", "job", "1")
        for part in ("Partition=other", "TimeLimit=00:07:00", "Comment=a b;$(touch /tmp/x)", "gres:gpu:3", "Requeue=1"):
            self.assertIn(part, job)
        self.assertFalse((self.cluster.folder / "tmp/x").exists())
        self.cluster.slurm("scontrol", "release", "1")
        self.end(process)

    def test_sbatch_says_why_it_refuses(self):
        answer = self.kloop("run", "transpose/naive", "--on", "slurm:nowhere", ok=(5,))
        self.assertIn("Invalid partition", answer["error"]["message"])
        self.assertEqual(self.kloop("run", "transpose/naive", "--on", "slurm:gpu,array=1-5", ok=(2,))["error"]["code"], "usage")
        self.assertEqual(self.cluster.tasks(), {})

    def test_a_batch_is_spread_over_an_array_in_order(self):
        self.serve_slowly(0.05)
        kernels = [f"{family['id']}/{variant['id']}" for family in self.kloop("kernels")["kernels"] for variant in family["variants"]
                   if family["id"] != "matvec"]  # of which not everything is recorded
        process = self.start("profile", *kernels, "--on", "slurm:gpu,workers=4")
        self.until_it_measures(process, 4)
        there, _ = self.end(process, ok=(0, 1))
        self.assertEqual(stripped(there), stripped(self.kloop("profile", *kernels, "--on", "sample", ok=(0, 1))))
        self.nothing_is_left()

    def test_the_whole_catalog_is_spread_over_an_array(self):
        self.serve_slowly(0.02)
        process = self.start("profile", "--all", "--on", "slurm:gpu,workers=4")
        self.until_it_measures(process, 4)
        there, _ = self.end(process, ok=(0, 1))
        here = self.kloop("profile", "--all", "--on", "sample", ok=(0, 1))
        self.assertEqual(stripped(there), stripped(here))
        self.assertGreater(len(there["results"]), 150)
        self.nothing_is_left()

    def test_a_sweep_is_spread_over_an_array(self):
        sweep = ("sweep", "transpose/naive", "transpose/tiled", "--problem", "M=4096,N=1024..4096 x2")
        self.serve_slowly(0.2)
        process = self.start(*sweep, "--on", "slurm:gpu,workers=3")
        self.until_it_measures(process, 3)
        there, _ = self.end(process, ok=(0, 1))
        self.assertEqual(stripped(there), stripped(self.kloop(*sweep, "--on", "sample", ok=(0, 1))))
        self.nothing_is_left()

    def test_a_search_finds_the_same_whatever_is_lost(self):
        def points(answer):
            return sorted((point["kernel"], point["gpu_ns"]) for point in answer["points"]), answer["best"]["kernel"], \
                answer["comparison"]["verdict"], answer["comparison"]["ratio"]
        self.serve_search(0.4)
        process = self.start(*SEARCH, "--batch", "8", "--on", "slurm:gpu,workers=4")
        self.until_it_measures(process, 4)
        cuts = 0
        while process.poll() is None and cuts < 20:  # the steps that are connections, and now and then a whole task
            cuts += self.cluster.kill("srun", "--attach") if random.random() < 0.7 else self.cluster.kill("kloop-worker", "--attach")
            running = sorted(self.cluster.running())
            if cuts in (5, 10) and len(running) > 1:
                self.cluster.slurm("scancel", running[-1])
            time.sleep(random.uniform(0.02, 0.2))
        self.assertGreaterEqual(cuts, 15, "it was too quick")
        there, _ = self.end(process)
        print(f"cut {cuts} times", file=sys.stderr)
        self.serve_search(0)
        here = self.kloop(*SEARCH, "--batch", "8", "--on", "slurm:gpu")
        self.assertEqual(points(there), points(here))

    def test_canceling_leaves_nothing(self):
        self.cluster.slurm("scontrol", "update", "PartitionName=gpu", "State=DOWN")
        process = self.start("run", "transpose/naive", "--on", "slurm:gpu,workers=3")
        self.cluster.wait(lambda: len(self.cluster.tasks("PENDING")) == 3, "it is not in the queue")
        self.interrupt(process)
        self.cluster.slurm("scontrol", "update", "PartitionName=gpu", "State=UP")
        self.serve_slowly(0.5)
        process = self.start("profile", "--all", "--on", "slurm:gpu,workers=2")
        self.until_it_measures(process, 2)
        self.interrupt(process)

    def test_canceling_at_any_moment_leaves_nothing(self):
        """Requests that never end, and signals between the order of a job and the first answers."""
        self.serve_slowly(1000)
        for moment in (0.0, 0.1, 0.2, 0.4, 0.7, 1.0, 1.3, 1.7, 2.5):
            process = self.start("profile", "--all", "--on", "slurm:gpu,workers=3")
            self.cluster.wait(lambda: self.cluster.processes(f"{kloop} ", "--json"), "it does not start")
            time.sleep(moment)
            self.interrupt(process, random.choice((signal.SIGTERM, signal.SIGHUP)))

    def interrupt(self, process, number=signal.SIGTERM):
        self.assertIsNone(process.poll())
        self.kill_client(number)
        process.wait(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.nothing_is_left()

    def test_a_client_that_was_killed_leaves_a_job_that_ends(self):
        self.serve_slowly(0.5, idle=3)
        process = self.start("profile", "--all", "--on", "slurm:gpu")
        self.until_it_measures(process)
        self.kill_client(signal.SIGKILL)
        self.kill_client(signal.SIGKILL, worker, "--relay")
        process.wait(timeout=20)
        self.nothing_is_left()

    def test_a_job_that_somebody_cancels_is_an_error(self):
        self.serve_slowly(0.5)
        process = self.start("profile", "--all", "--on", "slurm:gpu")
        self.until_it_measures(process)
        self.cluster.slurm("scancel", "1")
        answer, _ = self.end(process, ok=(5,))
        self.assertEqual(answer["error"]["code"], "environment")
        self.assertEqual(list(self.cluster.tasks()), ["1"])

    def test_a_job_that_is_queued_again_goes_on(self):
        self.serve_slowly(0.7)
        process = self.start(*FEW, "--on", "slurm:gpu")
        self.until_it_measures(process)
        self.cluster.slurm("scontrol", "requeue", "1")
        self.cluster.wait(lambda: "PENDING" in self.cluster.tasks().values(), "it is not queued again")
        errors = self.ends_after_requeue(process)
        self.assertEqual(list(self.cluster.tasks()), ["1"])
        self.assertIn("Slurm", errors)

    def ends_after_requeue(self, process):
        time.sleep(2)  # slurmd refuses a credential of the second in which it revoked the one before
        self.cluster.slurm("scontrol", "update", "JobId=1", "StartTime=now")
        there, errors = self.end(process, ok=(0, 1))
        here = self.kloop(*FEW, "--on", "sample", ok=(0, 1))
        self.assertEqual(stripped(there), stripped(here))
        return errors

    def test_a_job_that_is_preempted_goes_on_and_all_of_its_time_counts(self):
        self.kloop("hosts", "add", "slurm:gpu", "--price", "3600")
        self.serve_slowly(0.7)
        process = self.start(*FEW, "--on", "slurm:gpu,gres=gpu:4")
        self.until_it_measures(process)
        time.sleep(3)  # none of which squeue is asked in
        (self.cluster.folder / "urgent.sh").write_text("#!/bin/sh\nexec sleep 3\n")
        self.cluster.slurm("sbatch", "--partition=urgent", "--gres=gpu:4", f"{self.cluster.folder}/urgent.sh")
        self.cluster.wait(lambda: self.cluster.tasks() == {"1": "PENDING", "2": "RUNNING"}, "it is not preempted")
        self.cluster.wait(lambda: self.cluster.tasks().get("2") == "COMPLETED", "the urgent job does not end")
        self.ends_after_requeue(process)
        host = next(host for host in self.kloop("hosts", "list")["hosts"] if host["host"] == "slurm:gpu")
        again = self.cluster.slurm("squeue", "--noheader", "--states=all", "--jobs=1", "--format=%M").strip()
        self.assertGreaterEqual(host["held_seconds"], 3 + int(again.split(":")[-1]))
        self.assertEqual(host["dollars"], host["held_seconds"])

    def test_a_job_at_its_time_limit_is_replaced(self):
        self.serve_slowly(3)
        process = self.start("profile", "--all", "--on", "slurm:gpu,time=1")
        self.until_it_measures(process)
        self.cluster.wait(lambda: self.cluster.tasks().get("1") == "TIMEOUT", "there is no time limit", 120)
        self.cluster.wait(lambda: self.cluster.tasks().get("2") == "RUNNING", "no other job takes its place")
        self.interrupt(process)

    def test_a_node_that_is_down_is_waited_for(self):
        self.serve_slowly(0.7)
        process = self.start(*FEW, "--on", "slurm:gpu")
        self.until_it_measures(process)
        for name in ("slurmd ", "slurmstepd", "--supervise"):  # as when the power fails
            while self.cluster.kill(name):
                time.sleep(0.1)
        self.cluster.wait(lambda: "down" in self.cluster.slurm("sinfo", "--noheader", "--format=%T"), "the node is not down", 90)
        self.assertIsNone(process.poll())
        self.cluster.start_node()
        self.cluster.slurm("scontrol", "update", "NodeName=node1", "State=RESUME")
        self.cluster.wait(lambda: "PENDING" in self.cluster.tasks().values() or self.cluster.running(), "the job is lost")
        self.cluster.slurm("scontrol", "update", "JobId=1", "StartTime=now")
        there, _ = self.end(process, ok=(0, 1))
        here = self.kloop(*FEW, "--on", "sample", ok=(0, 1))
        self.assertEqual(stripped(there), stripped(here))

    def test_the_time_of_a_partition_has_a_price(self):
        self.kloop("hosts", "add", "slurm:gpu", "--price", "3600")
        self.serve_slowly(2)
        self.kloop("run", "transpose/naive", "--on", "slurm:gpu,workers=2")
        host = self.kloop("hosts", "check", "slurm:gpu")["hosts"][0]
        self.assertEqual((host["host"], host["state"], host["gpus"]), ("slurm:gpu", "ready", ["gpu:4"]))
        self.assertGreaterEqual(host["held_seconds"], 2)
        self.assertEqual(host["dollars"], host["held_seconds"])  # a dollar a second
        self.cluster.slurm("scontrol", "update", "NodeName=node1", "State=DOWN", "Reason=test")
        self.assertEqual(self.kloop("hosts", "check", "slurm:gpu", ok=(5,))["hosts"][0]["state"], "unusable")


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup, programs leave it ignored, as they should
    random.seed(7)
    unittest.main(verbosity=2, warnings="ignore")
