#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How good and how quick is a search on this GPU? Needs a GPU; PyTorch for the rival, and Kernel Tuner for the comparison with it.

    tests/bench/search_live.py [--kloop build/bin/kloop] [--out FOLDER] [--pieces NAME,...] [--total SECONDS] [--list]

Pieces, each from an empty database, in a process group of its own with a time limit. The compile cache is empty, too, but that S = 4096 has the
code of the same piece for S = 512 if that ran before: the programs are the same.

    where512, where4096            what a trial takes and where: 60 random points, the parts of their requests summed
    loop512, loop4096              Loop 1 of attention/fused as `kloop search` does it, to its verdict against PyTorch
    exhaustive512, exhaustive4096  every point with its counters, without confirmation and diagnosis; also written as the sample has it
    notes512                       the documents' protocol: 20 points of a Latin hypercube, 100 of TPE, 100 passes to confirm
    counters512                    Loop 1 without one-pass counters: what they cost
    tuner512                       Kernel Tuner on the same kernel and space, then its best against that of loop512, in turns (kloop ab)
    gpus512                        the same search on one and on two GPUs of this host: trials per second, and whether the winners agree
    agree512                       that with two seeds, in the order 1, 2, 2, 1 GPUs; the A/A noise of each GPU, and the winners in turns on each

Prints a Markdown table, and writes answers, logs and databases to FOLDER/records.tar.gz, the table to FOLDER/search_live.md.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = {"512": "B=2,H=8,S=512,D=64", "4096": "B=2,H=8,S=4096,D=64"}
PLAIN = ["--confirm", "0", "--no-diagnosis", "--no-counters"]
FEW = ["--trials", "60", "--strategy", "random_sample", "--timings", *PLAIN]
ALL = ["--strategy", "brute_force", "--confirm", "0", "--no-diagnosis", "--count-seconds", "120"]
PIECES = { # name: (size, options, limit in seconds)
    "where512": ("512", FEW, 120),
    "where4096": ("4096", FEW, 120),
    "loop512": ("512", ["--trials", "120"], 180),
    "loop4096": ("4096", ["--trials", "120"], 180),
    "exhaustive512": ("512", ALL, 240),
    "exhaustive4096": ("4096", ALL, 240),
    "notes512": ("512", ["--protocol", "notes"], 180),
    "counters512": ("512", ["--trials", "120", "--no-counters"], 180),
    "tuner512": ("512", [], 180),
    "gpus512": ("512", ["--trials", "240", "--batch", "4", *PLAIN], 100),
    "agree512": ("512", ["--trials", "120", "--batch", "4", *PLAIN], 100),
}
ON = {1: "local:0", 2: "local:0+local:1"}
SPACE = "attention/fused@SPLIT_KV=off" # what both tuners search: the other half needs more buffers


class Bench:
    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="kl-search-"))
        self.end = time.monotonic() + options.total
        self.rows = []
        self.notes = [] # where the time of trials goes
        self.best = {}
        self.cache = None # a folder that pieces share

    def environment(self, piece):
        folder = self.work / piece
        folder.mkdir(exist_ok=True)
        compiled = self.work / piece.replace("4096", "512") / "cache"
        return dict(os.environ, XDG_CACHE_HOME=str(self.cache or (compiled if compiled.is_dir() else folder / "cache")), KERNELLOOP_DB=str(folder / "search.db"),
                    XDG_STATE_HOME=str(folder / "state"))

    def run(self, piece, words, limit):
        """(exit status or None when the time was over, seconds, stdout); both streams are kept in files."""
        folder = self.work / piece
        limit = min(limit, self.end - time.monotonic())
        if limit < 5:
            return None, 0.0, ""
        began = time.monotonic()
        with open(folder / "out", "wb") as out, open(folder / "err", "ab") as err:
            process = subprocess.Popen(words, stdout=out, stderr=err, env=self.environment(piece), start_new_session=True)
            try:
                code = process.wait(timeout=limit)
            except subprocess.TimeoutExpired:
                code = None
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return code, time.monotonic() - began, (folder / "out").read_text(errors="replace")

    def search(self, piece, size, options, limit, on="local"):
        self.environment(piece)
        kernel = SPACE if piece == "tuner512" else "attention/fused"
        words = [self.options.kloop, "search", kernel, "--problem", SIZES[size], "--on", on, "--json", *options]
        code, seconds, text = self.run(piece, words, limit)
        (self.work / piece / "answer.json").write_text(text)
        try:
            answer = json.loads(text)
        except ValueError:
            answer = {}
        if "points" not in answer:
            why = "time limit" if code is None else answer.get("error", {}).get("message", f"exit {code}")
            return self.row(piece, seconds, why=why)
        points = [point for point in answer["points"] if not point["remembered"]]
        best = answer["best"] or {}
        self.best[piece] = best.get("kernel")
        confirmed = answer.get("confirmation") or {}
        verdict = confirmed.get("verdict", "–")
        if "ratio" in confirmed:
            ratio, sampled = confirmed["ratio"], confirmed["bootstrap"]
            verdict += f" {ratio['value']:.3f} (t {ratio['low']:.3f} to {ratio['high']:.3f}, bootstrap {sampled['low']:.3f} to {sampled['high']:.3f})"
        elif confirmed:
            verdict += f": {confirmed.get('reason', '')}"
        per_point = max((point["at_s"] for point in points), default=0) / max(1, len(points)) # without counters and the best again
        if "phases" in answer:
            self.parts(piece, answer["phases"])
        if piece.startswith("exhaustive"):
            self.run(piece, [self.options.kloop, "search", "show", answer["search"], "--json", "--export", str(self.folder() / f"{piece}.zst")], 60)
        self.row(piece, seconds, compiling=answer["compile_seconds"], measuring=answer["measure_seconds"], points=len(points), left=answer["left"],
                 per_point=per_point, ns=best.get("gpu_ns"), kernel=best.get("kernel"), verdict=verdict)

    def row(self, piece, seconds, compiling=None, measuring=None, points=None, left=None, per_point=None, ns=None, kernel=None, verdict="–", why=""):
        def shown(value, form):
            return "–" if value is None else format(value, form)
        line = (f"| {piece} | {seconds:.1f} | {shown(compiling, '.1f')} | {shown(measuring, '.1f')} | {shown(points, 'd')} | {shown(left, 'd')} | "
                f"{shown(per_point, '.3f')} | {shown(None if ns is None else ns / 1000, '.3f')} | {kernel or why} | {verdict} |")
        self.rows.append(line)
        print(line, flush=True)

    def folder(self):
        out = pathlib.Path(self.options.out)
        out.mkdir(parents=True, exist_ok=True)
        return out

    def parts(self, piece, phases):
        """Sums of the parts of all trials, per trial, ms: those of a name together, each with what is inside it."""
        trials = sum(phase["name"] == "request run" for phase in phases)
        sums = {}
        for phase in phases:
            name = phase["name"].partition(": correctness")[0]
            if phase["begin"] >= next(one["begin"] for one in phases if one["name"] == "request run"):
                count, seconds = sums.get(name, (0, 0.0))
                sums[name] = (count + 1, seconds + phase["seconds"])
        for name, (count, seconds) in sorted(sums.items(), key=lambda item: -item[1][1]):
            line = f"{piece}: {1000 * seconds / trials:8.2f} ms  {count / trials:6.2f} x  {name}"
            self.notes.append(line)
            print(line, flush=True)

    def gpus(self, piece, size, options, limit):
        """One cache for both: what is compiled for the first is there for the second; times are measured again."""
        self.cache = self.work / "gpus-cache"
        winners = []
        for count, on in ON.items():
            self.search(f"{piece}-{count}", size, ["--fresh", *options], limit, on)
            winners.append(self.best.get(f"{piece}-{count}"))
        one, two = winners
        if one and two and one != two:
            self.pair(f"{piece}-1", "one GPU's winner (A) against two GPUs' (B)", one, two)

    def answer(self, piece, words, limit):
        """What kloop answers in JSON, an empty object where it does not."""
        try:
            return json.loads(self.run(piece, [self.options.kloop, *words, "--json"], limit)[2])
        except ValueError:
            return {}

    def agree(self, piece, size, options, limit):
        """Winners are measured in turns on each GPU, with that GPU's own A/A noise: they agree where no verdict calls one faster."""
        self.cache = self.work / "agree-cache"
        self.environment(piece)
        winners = {}
        for seed, count in ((1, 1), (1, 2), (2, 2), (2, 1)):
            name = f"{piece}-{count}-seed{seed}"
            self.search(name, size, ["--fresh", "--seed", str(seed), *options], limit, ON[count])
            winners[seed, count] = self.best.get(name)
            found = json.loads((self.work / name / "answer.json").read_text() or "{}").get("search", "")
            for one in self.answer(name, ["search", "show", found], 20).get("references", []):
                self.notes.append(f"{name}: {one['gpu'][:12]} {one['gpu_ns']:.0f} ns for the reference, noise {100 * one['noise']:.2f} %, {one.get('clock_mhz')} MHz")
        first = winners[1, 1]
        for on in (ON[1], "local:1"):
            answer = self.answer(piece, ["calibrate", first, "--problem", SIZES[size], "--repeats", "3", "--on", on], 40)
            for one in answer.get("calibrations", []):
                self.notes.append(f"{piece}: {on} {one['device']['uuid'][:12]}: A/A noise {100 * one['noise']:.3f} %, ratios {one['ratios']}")
        self.notes.append("| seed | GPUs | winner | on | first winner's time / its time | noise | verdict |\n| --- | --- | --- | --- | --- | --- | --- |")
        for (seed, count), winner in winners.items():
            for on in (ON[1], "local:1") if winner and winner != first else ():
                pair = self.answer(piece, ["ab", first, winner, "--problem", SIZES[size], "--on", on], 40)
                ratio, noise = pair.get("ratio") or {}, (pair.get("noise") or {}).get("value")
                self.notes.append(f"| {seed} | {count} | {winner} | {on} | {ratio.get('value')} [{ratio.get('low')}, {ratio.get('high')}] | {noise} | {pair.get('verdict')} |")
            if winner == first:
                self.notes.append(f"| {seed} | {count} | {winner} | | the same point | | |")
        print("\n".join(self.notes), flush=True)

    def tuner(self, piece, limit):
        """Kernel Tuner in this script's own process, as a child; then both winners in turns."""
        self.environment(piece)
        code, seconds, text = self.run(piece, [self.options.python, __file__, "--tuner", str(limit - 40)], limit)
        found = next((json.loads(line[6:]) for line in text.splitlines() if line.startswith("FOUND ")), None)
        if not found:
            log = (self.work / piece / "err").read_text(errors="replace").strip().splitlines()
            return self.row(piece, seconds, why="time limit" if code is None else f"exit {code}: {log[-1] if log else 'no output'}")
        self.row(piece, seconds, measuring=found["seconds"], points=found["points"], per_point=found["seconds"] / max(1, found["points"]),
                 ns=found["ns"], kernel=found["kernel"], verdict=f"best found after {found['to_best']:.1f} s ({found['strategy']})")
        self.search(piece, "512", ["--trials", "120", *PLAIN], 120) # the same half of the space
        if self.best.get(piece):
            self.pair(piece, "Kernel Tuner's best (A) against kloop's (B)", found["kernel"], self.best[piece])

    def pair(self, piece, what, a, b):
        _, _, text = self.run(piece, [self.options.kloop, "ab", a, b, "--problem", SIZES["512"], "--on", "local", "--json"], 60)
        try:
            pair = json.loads(text)
            self.rows.append(f"\n{what}, in turns: {pair['verdict']}, {pair['ratio']}")
        except (ValueError, KeyError) as error:
            self.rows.append(f"\n{what}: kloop ab gave no ratio: {error!r}")
        print(self.rows[-1], flush=True)

    def go(self):
        print("| piece | s in all | compiling | measuring | points | left | s per point | best, µs | best | against its rival |\n"
              "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |", flush=True)
        for piece in self.options.pieces.split(","):
            size, options, limit = PIECES[piece]
            if piece.startswith("tuner"):
                self.tuner(piece, limit)
            elif piece.startswith("gpus"):
                self.gpus(piece, size, options, limit)
            elif piece.startswith("agree"):
                self.agree(piece, size, options, limit)
            else:
                self.search(piece, size, options, limit)
            self.write() # what there is, should this be killed

    def write(self):
        out = self.folder()
        (out / "search_live.md").write_text("\n".join(self.rows + self.notes) + "\n")
        with tarfile.open(out / "records.tar.gz", "w:gz") as archive:
            for file in sorted(self.work.rglob("*")):
                if file.is_file() and "cache" not in file.parts:
                    archive.add(file, file.relative_to(self.work))


def tune(limit):
    """Kernel Tuner on attention/fused without SPLIT_KV, S = 512, D = 64. Prints FOUND and JSON."""
    import numpy
    import kernel_tuner
    from kernel_tuner.backends import cupy as backend

    compile_kernel = backend.CupyFunctions.compile

    def compile_with_memory(self, instance): # which Kernel Tuner leaves at 48 KB
        function = compile_kernel(self, instance)
        function.max_dynamic_shared_size_bytes = 227 * 1024
        return function
    backend.CupyFunctions.compile = compile_with_memory
    source = (ROOT / "kernels/families/attention/attention.cu").read_text()
    code = "#define WARPS (block_size_x / 32)\n#define SPLIT_KV 0\n" + source
    batch, heads, length, depth = 2, 8, 512, 64
    random = numpy.random.default_rng(1)
    q, k, v = (random.standard_normal(batch * heads * length * depth).astype(numpy.float16) for _ in range(3))
    arguments = [q, k, v, numpy.zeros_like(q), numpy.zeros(4, numpy.float32), numpy.zeros(4, numpy.uint32), numpy.int32(length), numpy.int32(length),
                 numpy.int32(0), numpy.float32(depth ** -0.5)]
    params = {"block_size_x": [64, 128, 256], "BLOCK_M": [32, 64, 128], "BLOCK_N": [32, 64, 128], "STAGES": [1, 2], "SWIZZLE": [0, 1, 2],
              "HALF2": [0, 1], "UNROLL": [0, 1], "MIN_BLOCKS": [1, 2]}

    def memory(p):
        return (p["BLOCK_M"] + 2 * p["STAGES"] * p["BLOCK_N"]) * (2 * depth + (16 if p["SWIZZLE"] == 1 else 0))
    strategy = "genetic_algorithm"
    headers = [f"-I{folder}" for folder in ("/usr/local/cuda/include",) if os.path.isdir(folder)]
    began = time.time()
    results, _ = kernel_tuner.tune_kernel(
        "attention_fused", code, (length, batch * heads), arguments, params, grid_div_x=["BLOCK_M"], grid_div_y=[],
        restrictions=["BLOCK_M % (block_size_x // 2) == 0"], smem_args={"size": memory}, lang="cupy", iterations=12,
        compiler_options=["-std=c++17", f"-DHEAD_DIM={depth}", "-DBF16=0", "-DGROUP=1", *headers], strategy=strategy,
        strategy_options={"max_fevals": 120, "time_limit": limit}, quiet=True)
    ended = time.time()
    timed = [result for result in results if isinstance(result.get("time"), (int, float))]
    best = min(timed, key=lambda result: result["time"])
    words = {"SWIZZLE": ["none", "pad", "xor"], "HALF2": ["off", "on"], "UNROLL": ["full", "1"]}
    point = ",".join(f"{name}={words[name][best[name]] if name in words else best[name]}" for name in params if name != "block_size_x")
    from datetime import datetime
    stamp = best.get("timestamp")
    to_best = datetime.fromisoformat(str(stamp)).timestamp() - began if stamp else ended - began
    print("FOUND " + json.dumps({"kernel": f"attention/fused@{point},WARPS={best['block_size_x'] // 32},SPLIT_KV=off", "ns": best["time"] * 1e6,
                                 "points": len(results), "seconds": ended - began, "to_best": to_best, "strategy": strategy}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kloop", default=str(ROOT / "build/bin/kloop"))
    parser.add_argument("--python", default=sys.executable, help="which has Kernel Tuner and CuPy")
    parser.add_argument("--out", default="search_live")
    parser.add_argument("--pieces", default="loop512,loop4096,exhaustive512,exhaustive4096,tuner512")
    parser.add_argument("--total", type=float, default=540, help="seconds for all pieces")
    parser.add_argument("--list", action="store_true", help="only name the pieces and their limits")
    parser.add_argument("--tuner", type=float, help=argparse.SUPPRESS) # seconds: the child that runs Kernel Tuner
    options = parser.parse_args()
    if options.tuner is not None:
        return tune(options.tuner)
    if options.list:
        for name, (size, words, limit) in PIECES.items():
            print(f"{name:16} {limit:4} s  S={size} {' '.join(words)}")
        return 0
    unknown = [piece for piece in options.pieces.split(",") if piece not in PIECES]
    if unknown:
        sys.exit(f"unknown pieces: {', '.join(unknown)}; see --list")
    Bench(options).go()
    return 0


if __name__ == "__main__":
    sys.exit(main())
