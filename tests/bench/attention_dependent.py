#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time of one call of the short attention kernel in a sequence of calls back to back, with and without programmatic dependent launch.

  tests/bench/attention_dependent.py [path of kloop], default build/bin/kloop. Needs a GPU of compute capability 9.0.

Both are attention/hopper-short of the catalog, launched CALLS times in a row by a descriptor of their own; they differ only in "programmatic". GPU
time of the sequence divided by its calls, median, with L2 cold before the sequence; calls after the first find their inputs in L2."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

CALLS = 64
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "kernels" / "families" / "attention"
PROBLEMS = ["B=2,H=8,S=128,D=64,CAUSAL=0", "B=2,H=8,S=512,D=64,CAUSAL=0"]


def descriptor():
    family = json.loads((FOLDER / "attention.json").read_text())
    family["id"] = "attention-calls"
    family["problems"] = PROBLEMS
    short = next(variant for variant in family["variants"] if variant["id"] == "hopper-short")
    family["variants"] = []
    for name, programmatic in (("plain", False), ("dependent", True)):
        variant = {key: value for key, value in short.items() if key not in ("fixes", "fix_title", "changes", "when")}
        variant["id"] = name
        variant["launches"] = [dict(short["launches"][0], repeat=str(CALLS), programmatic=programmatic)]
        family["variants"].append(variant)
    family["source"] = "attention_hopper.cu"
    for key in ("baseline", "baselines"):
        family.pop(key, None)
    family["suite"] = [row for row in family["suite"] if "S=4096" not in row][:4]
    return family


def main():
    kloop = sys.argv[1] if len(sys.argv) > 1 else "build/bin/kloop"
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "kernel.json").write_text(json.dumps(descriptor()))
        shutil.copy(FOLDER / "attention_hopper.cu", folder)
        print("| problem | us per call, plain | programmatic | ratio |")
        print("| --- | ---: | ---: | ---: |")
        for problem in PROBLEMS:
            times = []
            for variant in ("plain", "dependent"):
                done = subprocess.run([kloop, "--db", folder + "/calls.db", "run", f"{folder}:{variant}", "--problem", problem, "--json"],
                                      capture_output=True, text=True, timeout=120)
                if done.returncode != 0:
                    sys.exit(f"{variant}, {problem}: exit {done.returncode}\n{done.stderr[-800:]}")
                times.append(json.loads(done.stdout)["timing"]["gpu_ns"]["median"] / CALLS / 1e3)
            print(f"| {problem} | {times[0]:.2f} | {times[1]:.2f} | {times[0] / times[1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
