#!/usr/bin/env python3
"""check.py VERSION FILE...: whether programs and libraries need no glibc newer than VERSION, and no library besides glibc's. What they need
and should not is printed, and the exit status is 1.
"""
import pathlib
import re
import subprocess
import sys

ALLOWED = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def number(version):
    return [int(part) for part in version.split(".")]


def problems(file, oldest):
    # readelf, since it reads files of every architecture.
    symbols = subprocess.run(["readelf", "--dyn-syms", "--wide", file], check=True, capture_output=True, text=True).stdout
    for name, version in re.findall(r" UND (\w+)@(\w[\w.]*)", symbols):
        if not version.startswith("GLIBC_"):
            yield f"{name} of another library, {version}"
        elif version == "GLIBC_PRIVATE" or number(version[len("GLIBC_"):]) > number(oldest):
            yield f"{name} of {version}"
    dynamic = subprocess.run(["readelf", "--dynamic", "--wide", file], check=True, capture_output=True, text=True).stdout
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if library not in ALLOWED:
            yield library


def main():
    oldest, *files = sys.argv[1:]
    found = [f"{pathlib.Path(file).name} needs {problem}" for file in files for problem in sorted(set(problems(file, oldest)))]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
