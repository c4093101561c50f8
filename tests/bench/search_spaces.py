#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays recorded spaces with every search strategy and writes results/search_spaces.md; fails below the default's thresholds.

    tests/bench/search_spaces.py FOLDER [--repeats 100] [--kloop build/bin/kloop] [--out FILE]

FOLDER holds convolution and dedispersion of the AutoTuningAssociation's benchmark hub on A100 and MI250X (KERNEL_GPU_T4.json.gz). Beside
these, spaces that no setting was chosen by: models of kernels' times, and other cuts of the four with noise. They are made here, the same in
every run. Needs no GPU.
"""
import argparse
import gzip
import json
import math
import pathlib
import platform
import random
import subprocess
import sys
import tempfile

RECORDED = ["convolution_A100_T4", "convolution_MI250X_T4", "dedispersion_A100_T4", "dedispersion_MI250X_T4"]
MEAN_LEAST, DEDISPERSION_LEAST = 0.45, 0.75  # lower ends of the default's 95 % interval


def result(configuration, value, cost_ms):
    valid = value is not None
    return {"configuration": configuration, "times": {"compilation": cost_ms, "benchmark": 0, "framework": 0},
            "invalidity": "correct" if valid else "runtime", "objectives": ["time"],
            "measurements": [{"name": "time", "value": value if valid else "RuntimeFailedConfig", "unit": "ms"}]}


def save(folder, name, results):
    file = folder / f"{name}.json.gz"
    with gzip.open(file, "wt", compresslevel=1) as out:
        json.dump({"schema_version": "1.0.0", "metadata": {"timeunit": "milliseconds"}, "results": results}, out)
    return file


def part_of(recorded, seed):
    """Some values of each tunable, times raised to a power, 3 % noise."""
    draw = random.Random(seed)
    values = {}
    for entry in recorded["results"]:
        for name, value in entry["configuration"].items():
            values.setdefault(name, set()).add(value)
    kept = {}
    for name in sorted(values):
        some = {value for value in sorted(values[name]) if draw.random() < 0.7}
        kept[name] = some if len(some) > 1 else values[name]
    power = 0.5 + draw.random()
    results = []
    for entry in recorded["results"]:
        if any(value not in kept[name] for name, value in entry["configuration"].items()):
            continue
        times, value = entry["times"], entry["measurements"][0]["value"]
        noisy = value ** power * (1 + 0.03 * draw.gauss(0, 0.5)) if isinstance(value, float) else None
        results.append(result(entry["configuration"], noisy, times["compilation"] + times["framework"] + sum(times.get("runtimes", []))))
    return results


def attention(s, noise, draw):
    """A tiled attention forward pass on 132 SMs: waves of blocks, occupancy, latency hidden by warps and stages, bank conflicts."""
    for bm in (16, 32, 64, 128):
        for bn in (16, 32, 64, 128):
            for warps in (1, 2, 4, 8):
                for stages in (1, 2, 3, 4):
                    for swizzle in (0, 1, 2):
                        for unroll in (1, 2, 4, 8):
                            for split in (1, 2, 4, 8):
                                smem = 2 * 64 * (bm + 2 * bn * stages)
                                registers = 32 + bm * 64 / (warps * 32) + bm * bn / (warps * 32) + 4 * unroll
                                if smem > 232448 or registers > 255:
                                    continue
                                per_sm = min(232448 // smem, 64 // warps, int(65536 // (registers * warps * 32)), 32)
                                if per_sm < 1:
                                    continue
                                blocks = 32 * math.ceil(s / bm) * split
                                waves = math.ceil(blocks / (132 * per_sm))
                                hidden = 1 - math.exp(-(per_sm * warps * (0.6 + 0.4 * stages) * (1 + 0.1 * math.log2(unroll))) / 12)
                                steps = math.ceil(s / bn / split)
                                step = bm * bn * 64 / 5e4 / hidden * (1.6, 1.15, 1.0)[swizzle] + 0.4 + (0.3 if warps * 16 > bm else 0)
                                spills = 1 + max(0, registers - 168) / 60
                                time = waves * per_sm ** 0.7 * steps * step * spills * 1e-4 + 0.002 * math.log2(2 * split)
                                yield result({"BLOCK_M": bm, "BLOCK_N": bn, "WARPS": warps, "STAGES": stages, "SWIZZLE": swizzle,
                                              "UNROLL": unroll, "SPLIT": split}, time * (1 + noise * draw.gauss(0, 1)),
                                             1500 + 12 * registers + 300 * time)


def matmul(n, noise, draw):
    """A tiled matrix product with double buffering: constraints on the block, cliffs of occupancy, vector loads."""
    for bm in (16, 32, 64, 96, 128, 256):
        for bn in (16, 32, 64, 96, 128, 256):
            for bk in (8, 16, 32, 64):
                for tm in (1, 2, 4, 8, 16):
                    for tn in (1, 2, 4, 8, 16):
                        for vector in (1, 2, 4):
                            for buffers in (1, 2, 3):
                                threads = bm // tm * (bn // tn)
                                if bm % tm or bn % tn or not 32 <= threads <= 1024 or bk % vector:
                                    continue
                                smem, registers = 4 * buffers * bk * (bm + bn), 24 + tm * tn + tm + tn + 2 * vector
                                failed = smem > 166912 or registers > 255
                                if failed:
                                    if draw.random() < 0.05:
                                        yield result(dict(BM=bm, BN=bn, BK=bk, TM=tm, TN=tn, V=vector, B=buffers), None, 900)
                                    continue
                                per_sm = max(1, min(166912 // smem, 2048 // threads, 65536 // (registers * threads), 32))
                                warps = per_sm * threads / 32
                                waves = math.ceil(math.ceil(n / bm) * math.ceil(n / bn) / (108 * per_sm))
                                reuse = 1 / tm + 1 / tn
                                hidden = min(1, warps * tm * tn * buffers / 160)
                                time = waves * bm * bn * n * per_sm * (1 + 1.5 * reuse) / hidden / 9e10 * (1 + 0.15 / vector) * (1 + 4 / bk)
                                yield result(dict(BM=bm, BN=bn, BK=bk, TM=tm, TN=tn, V=vector, B=buffers),
                                             time * (1 + noise * draw.gauss(0, 1)) * 1e3, 1200 + 10 * registers + 30 * time)


def held_out(folder, recorded):
    files = []
    for name in RECORDED:
        for seed in (1001, 1002):
            files.append(save(folder, f"{name[:-3]}_part{seed - 1000}", part_of(recorded[name], f"{name}/{seed}")))
    for name, model in [("attention_512", attention(512, 0.01, random.Random(1))), ("attention_4096", attention(4096, 0.02, random.Random(2))),
                        ("matmul_1024", matmul(1024, 0.01, random.Random(3))), ("matmul_4096", matmul(4096, 0.05, random.Random(4)))]:
        files.append(save(folder, name, list(model)))
    return files


def replay(kloop, files, repeats, strategies):
    words = [kloop, "search", "--json", "--repeats", str(repeats), "--strategy", strategies]
    for file in files:
        words += ["--simulate", str(file)]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def text(score):
    return f"{score['value']:.2f}"


def with_interval(score):
    return f"{score['value']:.3f} [{score['low']:.3f}, {score['high']:.3f}]"


def table(answer):
    """A row per strategy: the mean with its interval, then every space."""
    spaces = list(dict.fromkeys(each["space"] for each in answer["results"]))
    lines = ["| strategy | mean P [95 %] | " + " | ".join(space.removesuffix("_T4") for space in spaces) + " |",
             "| --- | --- |" + " --- |" * len(spaces)]
    for mean in sorted(answer["mean"], key=lambda each: -each["score"]["value"]):
        of = {each["space"]: each["score"] for each in answer["results"] if each["strategy"] == mean["strategy"]}
        lines.append(f"| {mean['strategy']} | {with_interval(mean['score'])} | " + " | ".join(text(of[space]) for space in spaces) + " |")
    return lines


def evaluations(answer, strategies):
    lines = ["| space | points | budget, evaluations | " + " | ".join(strategies) + " |", "| --- | --- | --- |" + " --- |" * len(strategies)]
    for space in dict.fromkeys(each["space"] for each in answer["results"]):
        rows = {each["strategy"]: each for each in answer["results"] if each["space"] == space}
        any_row = next(iter(rows.values()))
        cells = [" / ".join("–" if n is None else f"{n:.0f}" for n in rows[name]["evaluations_to"].values()) for name in strategies]
        lines.append(f"| {space.removesuffix('_T4')} | {any_row['points']} | {any_row['budget']['random_evaluations']} | " + " | ".join(cells) + " |")
    return lines


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--repeats", type=int, default=100)
    options.add_argument("--held-out-repeats", type=int, default=40)
    options.add_argument("--kloop", default="build/bin/kloop")
    options.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent / "results" / "search_spaces.md")
    asked = options.parse_args()
    recorded = {}
    for name in RECORDED:
        with gzip.open(asked.folder / f"{name}.json.gz") as file:
            recorded[name] = json.load(file)
    files = [asked.folder / f"{name}.json.gz" for name in RECORDED]
    answer = replay(asked.kloop, files, asked.repeats, "all")
    dedispersion = replay(asked.kloop, files[2:], asked.repeats, "portfolio")["mean"][0]["score"]
    with tempfile.TemporaryDirectory() as folder:
        others = replay(asked.kloop, held_out(pathlib.Path(folder), recorded), asked.held_out_repeats,
                        "portfolio,random_forest,vndx,tpe,genetic_algorithm,greedy_mls,random_sample")
    default = next(each["score"] for each in answer["mean"] if each["strategy"] == "portfolio")
    best_other = max(each["score"]["value"] for each in answer["mean"] if each["strategy"] != "portfolio")
    lines = ["# Search strategies on recorded spaces", "",
             "`tests/bench/search_spaces.py` writes this page. Score P and its interval: [docs/search.md](../../../docs/search.md#the-score).",
             f"All figures are of one run: {asked.repeats} replays of each recorded space by each strategy, seeds 1 to {asked.repeats}, "
             f"default settings, {platform.system()} {platform.machine()}.", "",
             "## Recorded spaces", "", *table(answer), "",
             f"The default on dedispersion (mean of two): {with_interval(dedispersion)}.", "",
             "Evaluations until a point is within 90 / 95 / 99 % of the optimum (median; – where fewer than half of the replays get there "
             "within the budget):", "", *evaluations(answer, ["portfolio", "random_forest", "vndx", "tpe", "random_sample"]), "",
             "## Other spaces", "",
             f"No setting was chosen by these, {asked.held_out_repeats} replays each: parts of the recorded spaces (70 % of the values of each "
             f"tunable, times to a random power, noise of 3 %), which are not independent of the whole ones, and models of an attention and a "
             f"matrix product kernel with occupancy, waves, spills and noise of 1 to 5 %, which are.",
             "", *table(others), ""]
    asked.out.write_text("\n".join(lines))
    failures = []
    if default["low"] < MEAN_LEAST:
        failures.append(f"mean P of the default: {with_interval(default)}, lower end below {MEAN_LEAST}")
    if dedispersion["low"] < DEDISPERSION_LEAST:
        failures.append(f"dedispersion: {with_interval(dedispersion)}, lower end below {DEDISPERSION_LEAST}")
    if default["value"] <= best_other:
        failures.append(f"the default's mean P {default['value']:.3f} is not above the best single strategy's {best_other:.3f}")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
