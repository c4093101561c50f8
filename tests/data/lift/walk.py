#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lifts launches of PyTorch, Triton, cuBLAS, CUB and CUDA programs on a GPU, and holds the standalone kernels against the programs.

    tests/data/lift/walk.py [--kloop build/bin/kloop] [--python /opt/torch/.venv/bin/python] [--out FOLDER] [--seconds 190] [CASE...]

Of each case: the launch is lifted, `kloop run` finds the results of the program's own launch (bit by bit, or within the tolerance of a case
that is declared non-deterministic), and its time is within 2 % or 0.2 us of the program's own in the same state of the L2: empty, or for
warm_scan with its data. Both times are medians over five places in physical memory, which alone moves that of CUB's reduction by 4 %
(places.cu): the lifted launch's moves by itself, and the program is run with five amounts of memory taken before its own. One case is
profiled, rewritten, compared with its rewrite and checked by compute-sanitizer. Launches that cannot be lifted must say why. Logs and
lift.json files go to FOLDER; a case that fails does not stop the others; the last line says how many checks hold.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PYTHON_CASES = {  # kernel's expression, more options of `kloop lift`
    "triton_softmax": ("softmax_rows", []),
    "triton_matmul": ("matmul_tiles", []),
    "flash_attention": ("flash_fwd", []),
    "gemm_bf16": ("gemm|nvjet|cutlass", []),
    "gemm_fp32": ("gemm|nvjet|cutlass", []),
    "gelu": ("[Gg]elu", []),
    "layer_norm": ("layer_norm", []),
    "softmax": ("[Ss]oft[Mm]ax", []),
    "index_add": ("indexFunc|index_add|indexAdd", ["--type", "f32", "--tolerance", "1e-3", "--nondeterministic"]),
    "transposed_copy": ("elementwise_kernel.*copy|copy.*elementwise_kernel|transpose", []),
    "row_sums": ("reduce_kernel", []),
}
CUDA_CASES = {
    "cub_reduce": ("DeviceReduceKernel", []),
    "cub_scan": ("DeviceScanKernel", []),
    "warm_scan": ("DeviceScanKernel", []),
    "saxpy": ("saxpy", []),
    "neighbors": ("neighbors", []),
    "launched_clusters": ("launched_clusters", []),
    "two_steps": ("two_steps", []),
    "through_table": ("through_table", []),
}
WARM = {"warm_scan"}  # its own time is that of launches whose data is in the L2
REFUSED = {"from_texture": ("from_texture", "texture"), "from_managed": ("from_anywhere", "managed"), "from_host": ("from_anywhere", "host")}
REPEATS_LIFTED, REPEATS_TIMED = 4, 60
PLACES = (0, 2, 16, 64, 256)  # MiB of physical memory that a program takes before its own, which keeps its addresses


class Walk:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.end = time.monotonic() + options.seconds
        self.rows, self.checks = [], []

    def left(self):
        return self.end - time.monotonic()

    def call(self, name, words, limit=60):
        """What a command printed as JSON; {"error": ...} for one that failed or took too long."""
        limit = max(1, min(limit, self.left()))
        environment = dict(os.environ, KLOOP_PYTHON=self.options.python)
        begin = time.monotonic()
        try:
            done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=limit, check=False, env=environment,
                                  stdin=subprocess.DEVNULL)
            out, err, code = done.stdout, done.stderr, done.returncode
        except subprocess.TimeoutExpired as late:
            out, err, code = (late.stdout or b"").decode(errors="replace"), f"no answer within {limit:.0f} s", -1
        log = self.options.out / f"{name}.log"
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(map(str, words))}\n{out}\n{err}\n[{code}, {time.monotonic() - begin:.1f} s]\n\n")
        try:
            return json.loads(out)
        except ValueError:
            return {"error": {"message": (err or out)[-300:]}}

    def kloop(self, name, *words, program=(), limit=60):
        command = [self.options.kloop, "--db", str(self.folder / f"{name}.db"), *map(str, words), "--json"]
        return self.call(name, command + (["--", *map(str, program)] if program else []), limit)

    def hold(self, case, what, good, seen=""):
        self.checks.append(bool(good))
        print(f"{'ok  ' if good else 'FAIL'} {case}: {what} {seen}", flush=True)

    def program(self, case, repeats, mib=0):
        if case in PYTHON_CASES:
            return [self.options.python, HERE / "launches.py", case, repeats]
        return [self.folder / "launches", case, repeats, mib]

    def build(self):
        nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        self.call("nvcc", [nvcc, "-std=c++17", "-O3", "-arch=native", "-o", self.folder / "launches", HERE / "launches.cu", "-lcuda"], 120)
        return (self.folder / "launches").exists()

    def lift(self, case):
        pattern, more = {**PYTHON_CASES, **CUDA_CASES}[case]
        out = self.folder / case
        answer = self.kloop(case, "lift", "--kernel", pattern, "--skip", REPEATS_LIFTED - 2, "--out", out, "--name", f"lifted-{case}", "--yes",
                            *more, program=self.program(case, REPEATS_LIFTED), limit=90)
        for file in ("lift.json", "kernel.json", "rewrite.cu"):
            if (out / file).exists():
                shutil.copy(out / file, self.options.out / f"{case}.{file}")
        return answer

    def own_times(self):
        """Median GPU times of each case's kernel in the program itself, ns, each launch on an idle GPU: one for each place."""
        own = {case: [] for case in self.options.cases}
        for mib in PLACES:
            file = self.folder / f"times-{mib}.json"
            if set(own) & set(PYTHON_CASES):
                self.call("times", [self.options.python, HERE / "launches.py", "--time", file, str(REPEATS_TIMED), str(mib)], 60)
            for case, time_of in (json.loads(file.read_text()) if file.exists() else {}).items():
                if case in own and "ns" in time_of:
                    own[case].append(time_of["ns"])
            for case in set(own) & set(CUDA_CASES):
                answer = self.kloop(f"{case}-own", "profile", "--no-counters", "--kernel", CUDA_CASES[case][0],
                                    program=self.program(case, REPEATS_TIMED, mib))
                own[case] += [result["timing"]["gpu_ns"]["median"] for result in (answer.get("results") or [])[:1]]
        return {case: seen for case, seen in own.items() if len(seen) == len(PLACES)}

    def run_case(self, case, lifted, own):
        row = {"case": case, "kernel": str(lifted.get("name", ""))[:60], "bytes": lifted.get("bytes"), "stored": lifted.get("stored_bytes"),
               "changed": lifted.get("changed_bytes")}
        self.rows.append(row)
        self.hold(case, "is lifted", "error" not in lifted, lifted.get("error", {}).get("message", ""))
        if "error" in lifted:
            return
        self.hold(case, "leaves something to compare", lifted["changed_bytes"] > 0)
        answer = self.kloop(case, "run", self.folder / case)
        run = (answer.get("runs") or answer.get("results") or [answer])[0]
        correctness = run.get("correctness") or {}
        row["result"], row["max_abs"] = correctness.get("result", "none"), correctness.get("max_abs")
        exact = "--nondeterministic" in CUDA_CASES.get(case, PYTHON_CASES.get(case))[1] or not row["max_abs"]
        self.hold(case, "gives the program's results", row["result"] == "correct" and exact,
                  correctness.get("reason") or run.get("reason") or answer.get("error", ""))
        timing = run.get("timing") or {}
        ns = timing.get("gpu_ns_hot") if case in WARM else (timing.get("gpu_ns") or {}).get("median")
        row["ns"], row["own"] = ns, own.get(case)
        wanted = statistics.median(own[case]) if case in own else None
        near = ns and wanted and abs(ns - wanted) <= max(0.02 * wanted, 200)
        self.hold(case, "takes the program's time", near, f"{ns} ns, its own {wanted} ns of {own.get(case)}")

    def refusals(self):
        for case, (pattern, reason) in REFUSED.items():
            answer = self.kloop(case, "lift", "--kernel", pattern, "--out", self.folder / case, "--yes", program=self.program(case, 1))
            self.hold(case, "cannot be lifted, and says why", reason in answer.get("error", {}).get("message", ""), str(answer)[:200])

    def rewrite(self):
        folder = self.folder / "saxpy"
        answer = self.kloop("rewrite", "profile", folder, "--tier", 1)
        run = (answer.get("results") or answer.get("runs") or [answer])[0]
        self.hold("saxpy", "is profiled", (run.get("finding") or {}).get("class"), str(run.get("warnings"))[:200])
        empty = self.kloop("rewrite", "run", f"{folder}:rewrite")
        run = (empty.get("runs") or empty.get("results") or [empty])[0]
        self.hold("saxpy", "an empty rewrite is incorrect", (run.get("correctness") or {}).get("result") == "incorrect", str(run.get("reason")))
        shutil.copy(HERE / "saxpy_rewrite.cu", folder / "rewrite.cu")
        descriptor = json.loads((folder / "kernel.json").read_text())
        descriptor["variants"][1]["launches"][0]["grid"] = [str(int(descriptor["variants"][0]["launches"][0]["grid"][0]) // 4)]
        (folder / "kernel.json").write_text(json.dumps(descriptor, indent=1))
        answer = self.kloop("rewrite", "run", f"{folder}:rewrite")
        run = (answer.get("runs") or answer.get("results") or [answer])[0]
        self.hold("saxpy", "a rewrite is held against the program's results", (run.get("correctness") or {}).get("result") == "correct",
                  (run.get("correctness") or {}).get("reason") or str(answer.get("error", "")))
        answer = self.kloop("rewrite", "ab", f"{folder}:lifted", f"{folder}:rewrite")
        self.hold("saxpy", "is compared with its rewrite", answer.get("verdict") in ("faster", "slower", "equivalent", "inconclusive"),
                  str(answer.get("verdict") or answer.get("error")))
        answer = self.kloop("rewrite", "sanitize", folder, "--tool", "memcheck", limit=90)
        missing = "compute-sanitizer" in str(answer.get("error", "")) and "found" in str(answer.get("error", ""))
        trouble = [check["trouble"] for kernel in answer.get("kernels", []) for check in kernel["checks"]]
        if missing:
            print("skip saxpy: there is no compute-sanitizer here", flush=True)
        else:
            self.hold("saxpy", "is checked by compute-sanitizer", answer.get("findings") == 0 and not any(trouble), f"{trouble} {answer.get('error')}")

    def table(self):
        print(f"\n{'case':<18}{'memory':>12}{'stored':>12}{'changed':>12}{'lifted ns':>12}{'own ns':>9}{' in five places':<36}  result")
        for row in self.rows:
            own = row.get("own") or []
            median = f"{statistics.median(own):.0f}" if own else ""
            print(f"{row['case']:<18}{row['bytes'] or '':>12}{row['stored'] or '':>12}{row['changed'] or '':>12}{row.get('ns') or '':>12}"
                  f"{median:>9} {' '.join(f'{ns:.0f}' for ns in own):<35}  {row.get('result', '')} {row['kernel']}")
        (self.options.out / "table.json").write_text(json.dumps(self.rows, indent=1))

    def guarded(self, case, what):
        try:
            return what()
        except Exception as failure:  # one case does not stop the others
            self.hold(case, "ends", False, repr(failure))
            return {}

    def run(self):
        built = self.build()
        cases = [case for case in self.options.cases if built or case in PYTHON_CASES]
        self.hold("launches.cu", "compiles", built)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            lifted = dict(zip(cases, pool.map(lambda case: self.guarded(case, lambda: self.lift(case)), cases)))
        print(f"lifted, {self.left():.0f} s left", flush=True)
        own = self.guarded("times", self.own_times)
        print(f"timed, {self.left():.0f} s left", flush=True)
        for case in cases:
            self.guarded(case, lambda case=case: self.run_case(case, lifted[case], own))
        if built:
            self.guarded("refusals", self.refusals)
        if built and "saxpy" in cases:
            self.guarded("rewrite", self.rewrite)
        self.table()
        print(f"{sum(self.checks)} of {len(self.checks)} checks hold, {self.left():.0f} s left")
        return 0 if all(self.checks) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", default=[*PYTHON_CASES, *CUDA_CASES])
    parser.add_argument("--kloop", default="build/bin/kloop")
    parser.add_argument("--python", default="/opt/torch/.venv/bin/python")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("lift-live"))
    parser.add_argument("--seconds", type=float, default=190, help="after which what is left fails")
    options = parser.parse_args()
    options.kloop = str(pathlib.Path(options.kloop).resolve())
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="kloop-lift-") as folder:
        return Walk(options, pathlib.Path(folder)).run()


if __name__ == "__main__":
    sys.exit(main())
