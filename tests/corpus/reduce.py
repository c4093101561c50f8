# SPDX-License-Identifier: MIT
"""Reduces what profilers say to the lines of a recording: of a case and a way of recording, the judged launch with what the diagnosis reads.

A line is {id, mode, recorded_at, …} with one of: `run` (as `kloop profile --json` prints a run, without samples, sources and findings),
`program` (its finding and what the GPU did), `ncu` (rules and a few metrics), `failed` (why there is nothing)."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import ncu_rules

MODES = ("counters", "bare", "ncu")
# Of a run's fields, those that say nothing about its class, are long, or follow from the others when it is read.
DROPPED = ("samples", "source", "hot_lines", "hot_instructions", "finding", "secondary", "baseline", "baselines", "experiments", "roofline",
           "memory_chart", "fixes", "next_steps", "missing", "targets")
DEVICE = ("name", "cc", "source", "cc_major", "cc_minor", "sm_count", "memory_bytes", "l2_bytes", "smem_per_block_optin", "smem_per_sm",
          "smem_reserved_per_block", "max_threads_per_sm", "max_blocks_per_sm", "regs_per_sm", "clock_mhz", "memory_clock_mhz",
          "memory_bus_bits", "chip", "driver_version", "cuda_driver_version")


class NoLaunch(Exception):
    """The answer does not hold the launch that is judged."""


def reduce_run(run):
    kept = {key: value for key, value in run.items() if key not in DROPPED and value is not None}
    kept["device"] = {key: run["device"][key] for key in DEVICE if key in run["device"]}
    kept["metrics"] = {name: value for name, value in (run.get("metrics") or {}).items() if value is not None}
    if not kept["metrics"]:
        del kept["metrics"]
    if "program" in kept:
        kept["program"] = {key: value for key, value in kept["program"].items() if key != "command"}
    return kept


def duration(run):
    return ((run.get("timing") or {}).get("gpu_ns") or {}).get("median") or 0


def matching(runs, case, name):
    return [run for run in runs if not case["kernel"] or re.search(case["kernel"], name(run))]


def kernel_of(run):
    return (run.get("program") or {}).get("kernel", "")


def judged(answer, case, like=None):
    """The run of the judged launch: inside the case's range, the longest; if there is one like that of another recording, that one."""
    runs = answer.get("results") or []
    inside = [run for run in runs if case["id"] in ((run.get("program") or {}).get("ranges") or [])]
    if not inside:
        raise NoLaunch(f"the call launched no kernel of its own: none of the {len(runs)} results is inside its range")
    named = matching(inside, case, kernel_of)
    if not named:
        raise NoLaunch(f"none of the {len(inside)} kernels that the call launched matches {case['kernel']}")
    same = [run for run in named if like and kernel_of(run) == kernel_of(like) and run["problem"] == like["problem"]]
    return same[0] if same else max(named, key=duration)


def has_executions(line):
    """Whether a line of `counters` also holds what the instructions did: then the diagnosis without counters follows from it."""
    return any(launch.get("warp") for launch in (line.get("run") or {}).get("launches") or [])


def line(case, mode, when, **what):
    return {"id": case["id"], "mode": mode, "recorded_at": when, **what}


def from_profile(answer, case, mode, when, like=None):
    """The line of an answer of `kloop profile --json -- CMD`."""
    if "error" in answer:
        return line(case, mode, when, failed=answer["error"]["message"])
    program = answer.get("program") or {}
    if case["subject"] == "program":
        if not (program.get("gpu") or {}).get("launches"):
            return line(case, mode, when, failed="the program launched nothing")
        return line(case, mode, when, program={key: program.get(key) for key in ("finding", "gpu", "wall_seconds", "exit_code")})
    try:
        return line(case, mode, when, run=reduce_run(judged(answer, case, like)))
    except NoLaunch as none:
        return line(case, mode, when, failed=str(none))


def from_reports(answer, cases, when):
    """The lines of an answer of `kloop analyze REPORT --json` for the cases whose launches the report should hold."""
    lines = []
    for case in cases:
        inside = [run for run in answer.get("results") or [] if case["id"] in run["imported"]["ranges"]]
        inside = matching(inside, case, lambda run: run["imported"]["kernel"])
        if inside:
            longest = max(inside, key=lambda run: run["metrics"].get(ncu_rules.TIME) or 0)
            lines.append(line(case, "ncu", when, ncu={"tool": longest["imported"]["tool"], "kernel": longest["imported"]["kernel"],
                                                      **ncu_rules.verdict(longest)}))
        else:
            lines.append(line(case, "ncu", when, failed="no launch of it is in the report"))
    return lines
