# SPDX-License-Identifier: MIT
"""A corpus of real calls, each with the class that limits it: what every file in calls/ declares, and the split.

A case is one call, made as users make it, and its truth, which follows from arithmetic about the call: bytes, operations, blocks, rows.
labels.json, written by `python3 cases.py`, has all of it but the code; `kloop confusion --corpus` reads that file."""
import dataclasses
import importlib
import json
import os

FOLDER = os.path.dirname(os.path.abspath(__file__))
LABELS = os.path.join(FOLDER, "labels.json")

# core/diagnosis/classes.h, with the classes of real kernels and of programs
CLASSES = ("launch-overhead small-grid tail-effect register-spills uncoalesced dram-bound l2-bound l1-bound bank-conflicts tensor-bound "
           "fp32-bound fp64-bound xu-bound int-bound divergence sync-bound occupancy-limited latency-bound atomics issue-bound mio-bound "
           "load-imbalance power-limited not-measured host-bound").split()
MODULES = ("torch_gemm", "torch_memory", "torch_rows", "triton_calls", "jax_calls", "cupy_calls", "cuda_memory", "cuda_compute",
           "cuda_shared", "cuda_shape", "programs")

# The split, which nobody chose: of each class a third is held out, those with the smallest FNV-1a (64 bits) of "SEED/ID". The seed is the
# commit before the corpus was begun.
SEED = "58f8a39d88cbf5cdbd45fdfbc1109a9a448b9a3d"
ONE_IN = 3


@dataclasses.dataclass
class Case:
    """`setup` returns the call, ready to be made any number of times. `kernel` is a regular expression that the name of the judged launch
    matches; empty: the longest launch of the call. `also`: classes that are as correct, with the reason in `tie`. `drawn`: the class whose
    third it was drawn for, where the label was corrected later, so that the split stays. `times`: how often a recording makes the call."""
    id: str
    framework: str
    library: str
    call: str
    arguments: str
    expected: str
    why: str
    setup: object
    kernel: str = ""
    also: tuple = ()
    tie: str = ""
    drawn: str = ""
    times: int = 12
    module: str = ""

    @property
    def subject(self):
        return "program" if self.module == "programs" else "kernel"


CASES = {}


class Declare:
    """What a file in calls/ declares its cases with: what they have in common, and its own name."""

    def __init__(self, module, framework, library):
        self.common = {"module": module.rsplit(".", 1)[-1], "framework": framework, "library": library}

    def __call__(self, id, call, arguments, expected, why, setup, **more):
        case = Case(id=id, call=call, arguments=arguments, expected=expected, why=why, setup=setup, **{**self.common, **more})
        if id in CASES:
            raise ValueError(f"two cases are named {id}")
        CASES[id] = case


class Lazy:
    """A module that is imported when it is first used: cases are declared where no framework is installed."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, attribute):
        return getattr(importlib.import_module(self._name), attribute)


def fnv1a(text):
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def held_out(cases):
    """The ids that are held out: of each class the third, rounded, whose hashes are smallest."""
    chosen = set()
    for drawn in {case.drawn or case.expected for case in cases}:
        ids = sorted((case.id for case in cases if (case.drawn or case.expected) == drawn), key=lambda id: (fnv1a(f"{SEED}/{id}"), id))
        chosen.update(ids[:(len(ids) + 1) // ONE_IN])
    return chosen


def load():
    """All cases by id, in the order of their declaration."""
    for module in MODULES:
        importlib.import_module("calls." + module)
    return CASES


def labels():
    """What labels.json holds."""
    rows, apart = [], held_out(load().values())
    for case in CASES.values():
        row = {"id": case.id, "framework": case.framework, "library": case.library, "call": case.call, "arguments": case.arguments,
               "subject": case.subject, "kernel": case.kernel, "expected": case.expected, "also": list(case.also), "tie": case.tie,
               "why": case.why, "drawn": case.drawn or case.expected, "held_out": case.id in apart, "module": case.module}
        rows.append(row)
    return {"schema": 1, "seed": SEED, "one_in": ONE_IN, "split": "of each class the third, rounded, whose FNV-1a (64 bits) of \"seed/id\" is smallest is held out",
            "cases": rows}


def text(labels):
    return json.dumps(labels, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    import cases  # the module that the files in calls/ import, not this one
    with open(LABELS, "w") as out:
        out.write(cases.text(cases.labels()))
