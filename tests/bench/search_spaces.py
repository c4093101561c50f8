#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays recorded spaces with every search strategy and writes results/search_spaces.md; fails below the default's thresholds.

    tests/bench/search_spaces.py FOLDER [--repeats 100] [--kloop build/bin/kloop] [--out FILE]

FOLDER holds convolution and dedispersion of the AutoTuningAssociation's benchmark hub on A100 and MI250X (KERNEL_GPU_T4.json.gz); the
sample has two of attention on an H200. Beside these six, spaces that no setting was chosen by: models of kernels' times, other cuts of the
four with noise, and spaces of known kinds. They are made here, the same in every run. Needs no GPU.
"""
import argparse
import gzip
import itertools
import json
import math
import pathlib
import platform
import random
import re
import subprocess
import sys
import tempfile

RECORDED = ["convolution_A100_T4", "convolution_MI250X_T4", "dedispersion_A100_T4", "dedispersion_MI250X_T4"]
OTHERS_BY = "portfolio,random_forest,vndx,tpe,genetic_algorithm,greedy_mls,random_sample"
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


AXES = [[16, 32, 64, 128, 256, 512], [1, 2, 4, 8, 16], [1, 2, 3, 4, 5, 6], [0, 1], [1, 2, 4, 8], [0, 1, 2]]


def known_kind(kind, draw):
    """Every combination of AXES, with times of one kind: `smooth` has one valley, with interactions; `additive` an effect for each value,
    in no order; `rugged` is an NK landscape, in which an axis depends on three others; `infeasible` is smooth, and 85 % of it fail."""
    names = [f"T{i}" for i in range(len(AXES))]
    best = [draw.random() for _ in AXES]
    weight = [draw.uniform(0.2, 1.5) for _ in AXES]
    cross = [[draw.uniform(-0.4, 0.4) for _ in AXES] for _ in AXES]
    effects = [[draw.uniform(0, 0.6) for _ in values] for values in AXES]
    others = [draw.sample([j for j in range(len(AXES)) if j != i], 3) for i in range(len(AXES))]
    parts = [{} for _ in AXES]
    for places in itertools.product(*(range(len(values)) for values in AXES)):
        x = [place / (len(values) - 1) - b for place, values, b in zip(places, AXES, best)]
        if kind == "additive":
            time = math.exp(sum(effect[place] for effect, place in zip(effects, places)))
        elif kind == "rugged":
            parts_of = [part.setdefault((places[i], *(places[j] for j in others[i])), draw.random()) for i, part in enumerate(parts)]
            time = math.exp(sum(parts_of))
        else:
            time = 1 + sum(w * v * v for w, v in zip(weight, x)) + sum(cross[i][j] * x[i] * x[j] for i in range(6) for j in range(i))
            time = max(time, 0.3)
        fails = kind == "infeasible" and (abs(x[0] + x[1] - x[4]) > 0.25 or draw.random() < 0.3)
        yield result(dict(zip(names, (values[place] for values, place in zip(AXES, places)))),
                     None if fails else time * (1 + 0.01 * draw.gauss(0, 1)), 1000 + 50 * min(time, 20))


def held_out(folder, recorded):
    files = []
    for name in RECORDED:
        for seed in (1001, 1002):
            files.append(save(folder, f"{name[:-3]}_part{seed - 1000}", part_of(recorded[name], f"{name}/{seed}")))
    for name, model in [("attention_512", attention(512, 0.01, random.Random(1))), ("attention_4096", attention(4096, 0.02, random.Random(2))),
                        ("matmul_1024", matmul(1024, 0.01, random.Random(3))), ("matmul_4096", matmul(4096, 0.05, random.Random(4)))]:
        files.append(save(folder, name, list(model)))
    return files


def known_kinds(folder):
    return [save(folder, f"{kind}_{seed}", list(known_kind(kind, random.Random(f"{kind}/{seed}"))))
            for kind in ("smooth", "additive", "rugged", "infeasible") for seed in (1, 2)]


def sample_searches(kloop):
    done = subprocess.run([kloop, "--db", ":sample:", "search", "list", "--json"], stdout=subprocess.PIPE, check=True)
    return [f"search:{each['id']}" for each in json.loads(done.stdout)["searches"]]


def replay(kloop, files, repeats, strategies):
    words = [kloop, "--db", ":sample:", "search", "--json", "--repeats", str(repeats), "--strategy", strategies]
    for file in files:
        words += ["--simulate", str(file)]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def text(score):
    return f"{score['value']:.2f}"


def with_interval(score):
    return f"{score['value']:.3f} [{score['low']:.3f}, {score['high']:.3f}]"


def short(space):
    """attention/fused B=2,…,S=512 on NVIDIA H200: attention S=512."""
    size = re.match(r"(\w+)/.*\b(S=\d+)", space)
    return " ".join(size.groups()) if size else space.removesuffix("_T4")


def table(answer):
    """A row per strategy: the mean with its interval, then every space."""
    spaces = list(dict.fromkeys(each["space"] for each in answer["results"]))
    lines = ["| strategy | mean P [95 %] | " + " | ".join(short(space) for space in spaces) + " |",
             "| --- | --- |" + " --- |" * len(spaces)]
    for mean in sorted(answer["mean"], key=lambda each: -each["score"]["value"]):
        of = {each["space"]: each["score"] for each in answer["results"] if each["strategy"] == mean["strategy"]}
        lines.append(f"| {mean['strategy']} | {with_interval(mean['score'])} | " + " | ".join(text(of[space]) for space in spaces) + " |")
    return lines


def table_by_space(answer):
    """A row per space, each score with its interval; the mean last."""
    means = sorted(answer["mean"], key=lambda each: -each["score"]["value"])
    names = [mean["strategy"] for mean in means]
    lines = ["| space | " + " | ".join(names) + " |", "| --- |" + " --- |" * len(names)]
    for space in dict.fromkeys(each["space"] for each in answer["results"]):
        of = {each["strategy"]: each["score"] for each in answer["results"] if each["space"] == space}
        cells = [f"{of[name]['value']:.2f} [{of[name]['low']:.2f}, {of[name]['high']:.2f}]" for name in names]
        lines.append(f"| {short(space)} | " + " | ".join(cells) + " |")
    return [*lines, "| mean | " + " | ".join(with_interval(mean["score"]) for mean in means) + " |"]


def leaders(answer):
    """By space, the strategies whose score is above the default's, best first."""
    lines = []
    for space in dict.fromkeys(each["space"] for each in answer["results"]):
        of = {each["strategy"]: each["score"]["value"] for each in answer["results"] if each["space"] == space}
        above = [name for name in sorted(of, key=of.get, reverse=True) if of[name] > of["portfolio"]]
        said = ", ".join(f"{name} {of[name]:.2f}" for name in above) or "none"
        lines.append(f"| {short(space)} | {of['portfolio']:.2f} | {said} |")
    return ["| space | portfolio | above it |", "| --- | --- | --- |", *lines]


def mean_of_six(hub, attention_searches):
    """Of the values, best first."""
    values = {}
    for each in hub["results"] + attention_searches["results"]:
        values.setdefault(each["strategy"], []).append(each["score"]["value"])
    means = [{"strategy": strategy, "score": {"value": sum(of) / len(of)}} for strategy, of in values.items()]
    return sorted(means, key=lambda each: -each["score"]["value"])


def evaluations(answer, strategies):
    lines = ["| space | points | budget, evaluations | " + " | ".join(strategies) + " |", "| --- | --- | --- |" + " --- |" * len(strategies)]
    for space in dict.fromkeys(each["space"] for each in answer["results"]):
        rows = {each["strategy"]: each for each in answer["results"] if each["space"] == space}
        any_row = next(iter(rows.values()))
        cells = [" / ".join("–" if n is None else f"{n:.0f}" for n in rows[name]["evaluations_to"].values()) for name in strategies]
        lines.append(f"| {short(space)} | {any_row['points']} | {any_row['budget']['random_evaluations']} | " + " | ".join(cells) + " |")
    return lines


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--repeats", type=int, default=100)
    options.add_argument("--held-out-repeats", type=int, default=30)
    options.add_argument("--kinds-repeats", type=int, default=20)
    options.add_argument("--kloop", default="build/bin/kloop")
    options.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent / "results" / "search_spaces.md")
    asked = options.parse_args()
    recorded = {}
    for name in RECORDED:
        with gzip.open(asked.folder / f"{name}.json.gz") as file:
            recorded[name] = json.load(file)
    files = [asked.folder / f"{name}.json.gz" for name in RECORDED]
    answer = replay(asked.kloop, files, asked.repeats, "all")
    attention_searches = replay(asked.kloop, sample_searches(asked.kloop), asked.repeats, "all")
    dedispersion = replay(asked.kloop, files[2:], asked.repeats, "portfolio")["mean"][0]["score"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        others = replay(asked.kloop, held_out(folder, recorded), asked.held_out_repeats, OTHERS_BY)
        kinds = replay(asked.kloop, known_kinds(folder), asked.kinds_repeats, OTHERS_BY)
    hub = next(each["score"] for each in answer["mean"] if each["strategy"] == "portfolio")
    six = {"mean": mean_of_six(answer, attention_searches)}
    ranking = ", ".join(f"{each['strategy']} {each['score']['value']:.3f}" for each in six["mean"])
    lines = ["# Search strategies on recorded spaces", "",
             "`tests/bench/search_spaces.py` writes this page. Score P and its interval: [docs/search.md](../../../docs/search.md#the-score).",
             f"{asked.repeats} replays of each recorded space by each strategy, seeds 1 to {asked.repeats}, default settings, one build, "
             f"{platform.system()} {platform.machine()}; {asked.kinds_repeats} of the spaces of known kinds and {asked.held_out_repeats} of "
             "the other spaces.", "",
             "## Recorded spaces", "", *table(answer), "",
             f"The default on dedispersion (mean of two): {with_interval(dedispersion)}.", "",
             "The sample's two searches of attention, which alone have a default point to start from and facts from the compiler:", "",
             *table(attention_searches), "",
             f"Mean over the six: {ranking}.", "",
             "The default is best in that mean, not on each space:", "",
             *leaders({"results": answer["results"] + attention_searches["results"]}), "",
             "Evaluations until a point is within 90 / 95 / 99 % of the optimum (median; – where fewer than half of the replays get there "
             "within the budget):", "", *evaluations({"results": answer["results"] + attention_searches["results"]},
                          ["portfolio", "random_forest", "vndx", "tpe", "random_sample"]), "",
             "## Other spaces", "",
             f"No setting was chosen by these, {asked.held_out_repeats} replays each: parts of the recorded spaces (70 % of the values of each "
             f"tunable, times to a random power, noise of 3 %), which are not independent of the whole ones, and models of an attention and a "
             f"matrix product kernel with occupancy, waves, spills and noise of 1 to 5 %, which are.",
             "", *table_by_space(others), "",
             "## Spaces of known kinds", "",
             f"Nothing was replayed on these before the default was fixed; {asked.kinds_repeats} replays each of 4,320 "
             "points with noise of 1 %: one smooth valley; independent effects of unordered values; an NK landscape, in which each tunable's "
             "effect depends on three others; a smooth one of which 85 % fail.", "", *table(kinds), ""]
    asked.out.write_text("\n".join(lines))
    failures = []
    if hub["low"] < MEAN_LEAST:
        failures.append(f"mean P of the default: {with_interval(hub)}, lower end below {MEAN_LEAST}")
    if dedispersion["low"] < DEDISPERSION_LEAST:
        failures.append(f"dedispersion: {with_interval(dedispersion)}, lower end below {DEDISPERSION_LEAST}")
    for name, of in [("the recorded spaces", six), ("other spaces", others), ("spaces of known kinds", kinds)]:
        means = {each["strategy"]: each["score"]["value"] for each in of["mean"]}
        default = means.pop("portfolio")
        best = max(means, key=means.get)
        if default <= means[best]:
            failures.append(f"on {name} the default's mean P {default:.3f} is not above {best}'s {means[best]:.3f}")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
