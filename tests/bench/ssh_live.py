#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The GPU of this machine, asked over a real sshd of its own on the loopback, beside the same commands without it, while the connection is
cut at random: are the answers the same, and what does the connection cost?

    tests/bench/ssh_live.py [--kloop build/bin/kloop] [--sshd /usr/sbin/sshd] [--cuts 20] [--only NAME]...

Needs a GPU, nvcc, openssh-server and openssh-client. Keys, configuration and the worker's home are in a temporary folder. Exit 1 if a row
fails.
"""
import argparse
import getpass
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

PROGRAM = r"""
#include <cstdio>
#include <unistd.h>
__global__ void scale(float* x, int n, float f) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= f; }
int main() {
  const int n = 1 << 24;
  float* x = nullptr;
  if (cudaMalloc(&x, n * sizeof(float)) != cudaSuccess) return 1;
  cudaMemset(x, 0, n * sizeof(float));
  for (int i = 1; i <= 100; ++i) {
    scale<<<n / 256, 256>>>(x, n, 2);
    cudaDeviceSynchronize();
    std::printf("line %d\n", i);
    std::fflush(stdout);
    usleep(20000);
  }
  return 3;
}
"""
SEARCH = ("search", "attention/fused@BLOCK_M=64,HALF2=on,SWIZZLE=xor,UNROLL=full", "--fresh", "--strategy", "brute_force", "--trials", "12",
          "--confirm", "10")


class Sshd:
    """An sshd that lets this user in as the host gpu7, whose home is a folder of its own."""

    def __init__(self, folder, program, port=2227):
        self.folder = folder
        for part in ("bin", "there"):
            (folder / part).mkdir()
        for key in ("host_key", "key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
        shutil.copy(folder / "key.pub", folder / "authorized_keys")
        host_key = (folder / "host_key.pub").read_text().split()[:2]
        (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {' '.join(host_key)}\n")
        (folder / "config").write_text(
            f"Host gpu7\n  HostName 127.0.0.1\n  Port {port}\n  User {getpass.getuser()}\n  IdentityFile {folder}/key\n"
            f"  UserKnownHostsFile {folder}/known_hosts\n  StrictHostKeyChecking yes\n")
        ssh = folder / "bin/ssh"
        ssh.write_text(f"#!/bin/sh\nexec {shutil.which('ssh')} -F {folder}/config \"$@\"\n")
        ssh.chmod(0o755)
        (folder / "sshd_config").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host_key\nAuthorizedKeysFile {folder}/authorized_keys\nPidFile none\n"
            "UsePAM no\nStrictModes no\nPermitRootLogin prohibit-password\nMaxStartups 100\nLogLevel ERROR\n"
            f"SetEnv HOME={folder}/there PATH={os.environ['PATH']}\n")
        self.log = open(folder / "sshd.log", "w")
        self.process = subprocess.Popen([program, "-D", "-e", "-f", folder / "sshd_config"], stderr=self.log)
        self.environment = os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}", "XDG_CONFIG_HOME": f"{folder}/config-home",
                                         "XDG_STATE_HOME": f"{folder}/state", "KERNELLOOP_DB": f"{folder}/kernelloop.db"}
        for _ in range(100):
            if subprocess.run([ssh, "gpu7", "true"], capture_output=True).returncode == 0:
                return
            time.sleep(0.05)
        sys.exit("sshd does not answer: " + (folder / "sshd.log").read_text())

    def carriers(self):
        """Processes that carry a connection: sshd's own of each, and kloop-worker --attach."""
        parents, lines = {}, {}
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                    lines[int(entry.name)] = (entry / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    pass
        ours = {self.process.pid}
        while more := {process for process, parent in parents.items() if parent in ours} - ours:
            ours |= more
        return [process for process in ours - {self.process.pid}
                if b"--attach" in lines[process] or lines[process][0].startswith(f"sshd: {getpass.getuser()}@".encode())]

    def cut(self):
        carriers = self.carriers()
        if carriers:
            try:
                os.kill(random.choice(carriers), signal.SIGKILL)
            except OSError:
                return False
        return bool(carriers)

    def close(self):
        for process in self.carriers():
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                pass
        self.process.terminate()
        self.process.wait()


class Cutting:
    def __init__(self, sshd, most):
        self.sshd, self.left, self.cuts, self.done = sshd, most, 0, threading.Event()

    def __enter__(self):
        def work():
            while self.cuts < self.left and not self.done.wait(random.uniform(0.05, 0.6)):
                self.cuts += self.sshd.cut()
        self.thread = threading.Thread(target=work)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()


class Rows:
    def __init__(self, options, sshd):
        self.kloop, self.cuts, self.sshd = options.kloop, options.cuts, sshd
        self.failed, self.only = 0, options.only

    def ask(self, *words, ok=(0, 1, 3)):
        begin = time.monotonic()
        done = subprocess.run([self.kloop, *words, "--json"], env=self.sshd.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=180)
        seconds = time.monotonic() - begin
        if done.returncode not in ok:
            raise RuntimeError(f"{' '.join(words)}: exit {done.returncode} {done.stdout[-300:]}{done.stderr[-300:]}")
        return json.loads(done.stdout), seconds

    def row(self, name, check):
        if self.only and name not in self.only:
            return
        try:
            true, figures = check()
        except (RuntimeError, KeyError, ValueError, subprocess.TimeoutExpired) as problem:
            true, figures = False, str(problem)[-600:]
        self.failed += not true
        print(f"{'ok  ' if true else 'FAIL'} {name}: {figures}", flush=True)

    def beside(self, *words):
        """Without the connection, with it, and with it cut; and its cuts."""
        here, here_s = self.ask(*words)
        there, there_s = self.ask(*words, "--on", "ssh:gpu7")
        with Cutting(self.sshd, self.cuts) as cutting:
            cut, cut_s = self.ask(*words, "--on", "ssh:gpu7")
        return (here, there, cut), f"{here_s:.2f} s here, {there_s:.2f} s over ssh, {cut_s:.2f} s with {cutting.cuts} cuts"

    def consent(self):
        refused, _ = self.ask("hosts", "check", "gpu7")
        answer, seconds = self.ask("hosts", "check", "gpu7", "--trust", ok=(0, 5))
        host = answer["hosts"][0]
        return (refused["error"]["code"], host["state"]) == ("needs-consent", "ready"), \
            f"refused without consent, copied and met in {seconds:.2f} s: {host['state']}, {host['gpus']} {host['reason']}"

    def env(self):
        answer, seconds = self.ask("env", "--on", "ssh:gpu7", ok=(0, 1, 5))
        failed = [check["id"] for check in answer["checks"] if check.get("state", check.get("status")) in ("failed", "error")]
        return any(check["id"] == "gpu" for check in answer["checks"]), f"{len(answer['checks'])} checks, failed {failed}, {seconds:.2f} s"

    def run(self):
        answers, figures = self.beside("run", "transpose/tiled")
        medians = [answer["timing"]["gpu_ns"]["median"] for answer in answers]
        return len({answer["status"] for answer in answers}) == 1, f"{answers[0]['status']}, medians {medians} ns; {figures}"

    def profile(self):
        answers, figures = self.beside("profile", "transpose/naive")
        classes = [answer["finding"]["class"] for answer in answers]
        counted = [sum(value is not None for value in answer["metrics"].values()) for answer in answers]
        return len(set(classes)) == 1 and len(set(counted)) == 1, f"{classes}, metrics {counted}; {figures}"

    def search(self):
        answers, figures = self.beside(*SEARCH)
        points = [sorted(point["kernel"] for point in answer["points"]) for answer in answers]
        best = [answer["best"]["kernel"] for answer in answers]
        verdicts = [answer["comparison"]["verdict"] for answer in answers]
        return points[0] == points[1] == points[2] and len(set(verdicts)) == 1, \
            f"{[len(each) for each in points]} points, the same; best {best}, verdicts {verdicts}; {figures}"

    def session(self):
        self.ask("session", "new", "N+1", "Make it fast.", "--kernel", "transpose/naive", "--on", "ssh:gpu7")
        phases = []
        with Cutting(self.sshd, self.cuts) as cutting:
            while not phases or phases[-1] != "done":
                answer, _ = self.ask("session", "step", "--session", "N+1", "--on", "ssh:gpu7")
                phases.append(answer["phase"])
                if len(phases) > 60:
                    break
        return phases[-1] == "done", f"{len(phases)} steps to {phases[-1]} with {cutting.cuts} cuts"

    def program(self):
        source = self.sshd.folder / "scale.cu"
        source.write_text(PROGRAM)
        subprocess.run(["nvcc", "-arch=native", "-o", self.sshd.folder / "scale", source], check=True)
        with Cutting(self.sshd, self.cuts) as cutting:
            done = subprocess.run([self.kloop, "profile", "--trust", "--on", "ssh:gpu7", "--out", self.sshd.folder / "answer.json", "--",
                                   self.sshd.folder / "scale"], env=self.sshd.environment, capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=180)
        answer = json.loads((self.sshd.folder / "answer.json").read_text())
        all_there = done.stdout == "".join(f"line {i}\n" for i in range(1, 101))
        runs = [(run["program"]["kernel"], run["program"].get("launches"), run.get("finding", {}).get("class")) for run in answer["results"]]
        return all_there and done.returncode == 3 and len(runs) == 1, \
            f"exit {done.returncode}, each line once {all_there}, {runs}, {cutting.cuts} cuts"

    def overhead(self):
        worker = pathlib.Path(self.kloop).parent / "kloop-worker"

        def median(command):
            process = subprocess.Popen(command, env=self.sshd.environment | {"KERNELLOOP_WORKER": str(worker)}, text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            times = []
            for number in range(1, 201):
                begin = time.monotonic()
                process.stdin.write(f'{{"id":{number},"verb":"no-such","body":{{}}}}\n')
                process.stdin.flush()
                while line := process.stdout.readline():
                    if f'"id":{number}' in line:
                        break
                times.append(time.monotonic() - begin)
            process.stdin.close()
            process.wait(timeout=20)
            return 1000 * statistics.median(times[20:])
        digest = next((self.sshd.folder / "there/.cache/kernelloop/workers").iterdir()).name
        here, trip = median([worker]), median(["ssh", "-T", "-C", "gpu7", "exec cat"])
        there = median([worker, "--relay", "gpu7", "--key", digest])
        return there - here - trip <= 5, f"request here {here:.2f} ms, round trip {trip:.2f} ms, request over ssh {there:.2f} ms"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kloop", default="build/bin/kloop")
    parser.add_argument("--sshd", default="/usr/sbin/sshd")
    parser.add_argument("--cuts", type=int, default=20)
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    options.kloop = str(pathlib.Path(options.kloop).resolve())
    random.seed(7)
    with tempfile.TemporaryDirectory(prefix="kl-ssh-") as folder:
        sshd = Sshd(pathlib.Path(folder), options.sshd)
        try:
            rows = Rows(options, sshd)
            for name in ("consent", "env", "overhead", "run", "profile", "search", "program", "session"):
                rows.row(name, getattr(rows, name))
        finally:
            sshd.close()
    return 1 if rows.failed else 0


if __name__ == "__main__":
    sys.exit(main())
