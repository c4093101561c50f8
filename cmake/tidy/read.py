#!/usr/bin/env python3
"""read.py BUILD < FILES: clang-tidy over sources and headers of the tree, many at once; exit 1 when it finds something.

Most of clang-tidy's time goes into the headers that every source includes. Files that are compiled alike are therefore read as one, up to
MOST at a time, those of a unity group of the build together: a dozen takes 9 s instead of 46. Where something is found the files are read
again in halves, down to one, and only what is found in one alone counts, since files may disturb one another, e.g. by two functions of one
name.

BUILD is configured, and its generated sources are there. Files that it does not compile are left out, such as those for CUDA without a
toolkit; a header is read as the sources of its folder are.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

MOST = 24
root = pathlib.Path(__file__).resolve().parent.parent.parent
build = pathlib.Path(sys.argv[1]).resolve()
groups = build / "tidy"
# Our headers, but not generated ones.
seen = f"^{re.escape(str(root))}/(core|kernels|profiler|sessions|ui|app|tests)/"


def options(command):
    """The compiler's options in a command of the build, without the compiler, the source, the object and gcc's precompiled header."""
    words, kept = iter(shlex.split(command["command"])[1:]), []
    for word in words:
        if word in ("-o", "-include"):
            next(words)
        elif word not in ("-c", "-Winvalid-pch", command["file"]) and not word.startswith("--param="):
            kept.append(word)
    return tuple(kept)


def run(source, compiled, directory):
    """clang-tidy's exit status and output for one source."""
    command = ["clang-tidy", "--quiet", f"--config-file={root}/.clang-tidy", f"--header-filter={seen}", str(source), "--", *compiled,
               "-Wno-unknown-warning-option", "-Wno-pragma-once-outside-header"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    return done.returncode, done.stdout + re.sub(r"^\d+ warnings? .*generated\.\n", "", done.stderr, flags=re.M)


def read(name, compiled, directory, files):
    """What clang-tidy finds in each of the files; nothing where it finds nothing in all of them together."""
    if len(files) == 1:
        status, text = run(root / files[0], compiled + (("-xc++",) if files[0].endswith(".h") else ()), directory)
        return text if status != 0 else ""
    together = groups / f"{name}.cpp"
    together.write_text("".join(f'#include "{root / file}" // NOLINT(bugprone-suspicious-include)\n' for file in files), encoding="utf-8")
    if run(together, compiled, directory)[0] == 0:
        return ""
    half = len(files) // 2
    return read(f"{name}a", compiled, directory, files[:half]) + read(f"{name}b", compiled, directory, files[half:])


# How each source is compiled, and its place among those that are compiled alike.
sources = {}
for number, command in enumerate(json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))):
    path = pathlib.Path(command["file"])
    unity = re.findall(r'#include "(.*\.cpp)"', path.read_text(encoding="utf-8")) if path.parent.name == "Unity" else [str(path)]
    for source in map(pathlib.Path, unity):
        if source.is_relative_to(root) and not source.is_relative_to(build):
            sources[str(source.relative_to(root))] = ((options(command), command["directory"]), (number, str(source)))
folders = {}
for file, how in sources.items():
    folders.setdefault(os.path.dirname(file), how)

alike = collections.defaultdict(list)
for file in set(sys.stdin.read().split()):
    found = sources.get(file) or (folders.get(os.path.dirname(file)) if file.endswith(".h") else None)
    if found:
        alike[found[0]].append((found[1], file))
work = []
for (compiled, directory), files in alike.items():
    ordered = [file for _, file in sorted(files)]
    parts = -(-len(ordered) // MOST)
    work += [(compiled, directory, ordered[len(ordered) * i // parts:len(ordered) * (i + 1) // parts]) for i in range(parts)]
work.sort(key=lambda group: len(group[2]), reverse=True)  # the longest first, so that all processors end together
if not work:
    print("clang-tidy: nothing to read")
groups.mkdir(exist_ok=True)
failed = False
with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
    for text in pool.map(lambda numbered: read(str(numbered[0]), *numbered[1]), enumerate(work)):
        failed = failed or bool(text)
        print(text, end="", flush=True)
sys.exit(1 if failed else 0)
