#!/usr/bin/env python3
"""ssh_overhead.py [BUILD] > tests/bench/results/ssh_overhead.md: what a worker over ssh costs per request, and what compression saves.

A real sshd in a network namespace of this machine (tests/system/other_host.py; root). The worker answers from the recorded sample, so that
what is left is the way there and back. No GPU.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/system"))
from other_host import OtherHost  # noqa: E402

build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else root / "build").resolve()
worker = str(build / "bin/kloop-worker")
replay = ["--replay", str(root / "resources/captures/h200-transpose.zst")]


def lines(process, request):
    """Sends a request and waits for its answer: seconds."""
    begin = time.perf_counter()
    process.stdin.write(request)
    process.stdin.flush()
    while True:
        line = process.stdout.readline()
        if '"event":"result"' in line or '"event":"error"' in line:
            return time.perf_counter() - begin


def series(process, request, count=200):
    process.stdout.readline()  # hello
    for _ in range(10):
        lines(process, request)
    return [1e3 * lines(process, request) for _ in range(count)]


def round_trip(host, count=200):
    """Of the ssh connection itself: one byte to cat and back."""
    process = host.start(["ssh", "-T", "-C", "gpu7", "cat"], stdin=subprocess.PIPE)
    times = []
    for _ in range(count + 10):
        begin = time.perf_counter()
        process.stdin.write("x\n")
        process.stdin.flush()
        while process.stdout.readline() != "x\n":
            pass
        times.append(1e3 * (time.perf_counter() - begin))
    process.kill()
    return times[10:]


def describe(times):
    times = sorted(times)
    return f"{statistics.median(times):.2f} | {times[int(len(times) * 0.95)]:.2f}"


def sent(host):
    return int(pathlib.Path(f"/sys/class/net/{host.device}a/statistics/tx_bytes").read_text())


def carried(host, options, data):
    """Bytes on the wire, and seconds."""
    before, begin = sent(host), time.perf_counter()
    process = subprocess.run(host.prefix() + ["ssh", "-T", *options, "gpu7", "cat >/dev/null"], input=data, env=host.environment(), check=True,
                   stdout=subprocess.DEVNULL)
    return sent(host) - before, time.perf_counter() - begin


def main():
    host = OtherHost(f"exec {worker} {' '.join(replay)} \"$@\"")
    try:
        request = json.dumps({"id": 1, "verb": "run", "body": {"work": {"kernel": "transpose/naive", "problem": "M=64,N=65", "source": "x" * 4000}}}) + "\n"
        here = series(subprocess.Popen([worker, *replay], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True), request)
        relay = host.start([worker, "--relay", "gpu7", "--key", "none"], stdin=subprocess.PIPE)
        there = series(relay, request)
        relay.stdin.close()
        trip = round_trip(host)
        starts = []
        for _ in range(10):
            begin = time.perf_counter()
            process = host.start([worker, "--relay", "gpu7", "--key", "none"], stdin=subprocess.PIPE)
            process.stdout.readline()
            starts.append(1e3 * (time.perf_counter() - begin))
            process.stdin.close()
            process.wait()
        print("# A worker over ssh\n\n`tests/bench/ssh_overhead.py`, with a real sshd on this machine and a worker that replays: ms per request.\n")
        print("| | median | 95 % |\n| --- | --: | --: |")
        print(f"| worker of this host | {describe(here)} |\n| the same over ssh | {describe(there)} |\n| a byte to cat over ssh and back | {describe(trip)} |")
        extra = statistics.median(there) - statistics.median(here) - statistics.median(trip)
        print(f"| overhead besides the round trip | {extra:.2f} | |\n| from start to hello | {describe(starts)} |\n")
        captures = sorted((root / "resources/captures").glob("*.zst"))
        text = b"".join(subprocess.run(["zstd", "-dcq", file], stdout=subprocess.PIPE, check=True).stdout for file in captures)
        code = b"".join(file.read_bytes() for file in sorted((root / "kernels/families").rglob("*.cu")))
        empty, _ = carried(host, [], b"")
        print("| content | MB | plain | `ssh -C` | zstd -3 | `ssh -C`, s |\n| --- | --: | --: | --: | --: | --: |")
        for name, data in (("recorded answers", text), ("kernel sources", code), ("random floats", os.urandom(4 << 20))):
            plain, _ = carried(host, [], data)
            packed, seconds = carried(host, ["-C"], data)
            zstd = len(subprocess.run(["zstd", "-3", "-cq"], input=data, stdout=subprocess.PIPE, check=True).stdout)
            share = lambda number: f"{100 * number / len(data):.0f} %"
            print(f"| {name} | {len(data) / 1e6:.1f} | {share(plain - empty)} | {share(packed - empty)} | {share(zstd)} | {seconds:.2f} |")
    finally:
        host.close()


main()
