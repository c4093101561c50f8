#!/usr/bin/env python3
"""check.py: names every line of the tree with an idiom of idioms.tsv, and what to write instead; exit 1 when there is one.

An idiom may wrap: the lines of a comment, of a paragraph and of a string are read as one, and the line named is the one where it begins.

Files of pending.txt are only counted: they are not clean yet. One of them that is clean has to leave the list.
"""
import bisect
import fnmatch
import multiprocessing
import pathlib
import re
import subprocess
import sys

folder = pathlib.Path(__file__).resolve().parent
root = folder.parent.parent
# Recorded data, sources that recordings hash, measured tables, and this list itself.
skipped = re.compile(r"\.(cu|cuh|zst|png|svg|bundle|ncu-rep)$|^resources/(captures/|fix-cases\.json)|^tests/data/|^tests/fuzz/seeds/"
                     r"|^tests/bench/results/|^cmake/idioms/|^LICENSE$")


def rows(name):
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


idioms = []
for row in rows("idioms.tsv"):
    pattern, instead, *allowed = row.split("\t")
    idioms.append((re.compile(pattern, re.M), instead, allowed[0].split() if allowed else []))
pending = set(rows("pending.txt"))


# Files by how a line continues the one before, and what such a line begins with: a comment or a string in code, a comment after # elsewhere,
# anything in prose except a row of a table, an item of a list, a heading and a fence.
code = re.compile(r"\.(cpp|h|in|js|qml|json|jsonl)$")
prose = re.compile(r"\.(md|txt)$")
slashes, hashes, quote = re.compile(r"\s*//[/!]?<? *"), re.compile(r"\s*# *"), re.compile(r"""\s*"(?!["'])""")
paragraph = re.compile(r"\s*(?![\s|#>`\[$]|[-*+] |\d+\. )")


def join_lines(path, text):
    """The text with each broken sentence on one line, and the place in it where each line of the file begins."""
    joined, length, starts, before = [], 0, [], ""
    for line in text.split("\n"):
        piece = "\n" + line
        if code.search(path):
            if "//" in before and (marker := slashes.match(line)):
                piece = " " + line[marker.end():]
            elif before.endswith('"') and (marker := quote.match(line)):
                joined[-1], length, piece = joined[-1][:-1], length - 1, line[marker.end():]
        elif prose.search(path):
            if before.strip() and not before.lstrip().startswith(("|", "#", "```")) and (marker := paragraph.match(line)):
                piece = " " + line[marker.end():]
        elif "#" in before and (marker := hashes.match(line)):
            piece = " " + line[marker.end():]
        starts.append(length)
        joined.append(piece)
        length += len(piece)
        before = line
    return "".join(joined), starts


def idioms_in(path):
    """The path, and for each idiom in the file its line, its text and what to write instead."""
    try:
        text = (root / path).read_text(encoding="utf-8")
    except (UnicodeDecodeError, FileNotFoundError):
        return path, []
    mine = [idiom for idiom in idioms if not any(fnmatch.fnmatch(path, glob) for glob in idiom[2])]
    joined, starts = join_lines(path, text)
    return path, [(bisect.bisect(starts, found.start()), found[0], instead) for pattern, instead, _ in mine for found in pattern.finditer(joined)]


failed, left, dirty = False, 0, set()
listed = subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()
with multiprocessing.get_context("fork").Pool() as pool:
    for path, found in pool.imap(idioms_in, [path for path in listed if not skipped.search(path)], 16):
        if found:
            dirty.add(path)
        if path in pending:
            left += len(found)
            continue
        for line, text, instead in found:
            failed = True
            print(f'{path}:{line}: "{text}"; write: {instead}')
for path in sorted(pending - dirty):
    failed = True
    print(f"{path} is clean: remove it from cmake/idioms/pending.txt")
if pending:
    print(f"{left} idioms left in {len(pending & dirty)} files of cmake/idioms/pending.txt")
sys.exit(1 if failed else 0)
