#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws one problem size per family of the catalog on which no threshold was ever tuned, and prints a line for each family: its variants
with an expected class, and the size.

unseen_sizes.py SEED: each size is drawn uniformly between the smallest and the largest one that the family is measured at, in steps of 1/64
of their greatest common divisor (at least 1). The same seed draws the same sizes. Problems that are already measured are drawn again.
"""

import json
import math
import pathlib
import random
import sys


def parse(problem):
    return {name: int(value) for name, value in (part.split("=") for part in problem.split(","))}


def draw(dice, problems):
    measured = [parse(problem) for problem in problems]
    while True:
        drawn = {}
        for name in measured[0]:
            values = [problem[name] for problem in measured]
            step = max(math.gcd(*values) // 64, 1)
            drawn[name] = dice.randrange(min(values), max(values) + 1, step)
        if drawn not in measured:
            return drawn


def main():
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    dice = random.Random(int(sys.argv[1]))
    kernels = pathlib.Path(__file__).resolve().parents[2] / "kernels" / "families"
    for path in sorted(kernels.glob("*/*.json")):
        family = json.loads(path.read_text())
        if "variants" not in family:
            continue
        drawn = draw(dice, family["problems"])
        expected = [f"{family['id']}/{one['id']}" for one in family["variants"] if "expected" in one]
        print(" ".join(expected), "--problem", ",".join(f"{name}={value}" for name, value in drawn.items()))


if __name__ == "__main__":
    main()
