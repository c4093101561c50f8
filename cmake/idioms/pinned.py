#!/usr/bin/env python3
"""pinned.py: names every assertion of a test that holds words of the product; exit 1 when there is one.

Words of the product are three in a row of a string in its sources or of its data. A test asserts codes, ids and values; what words say is
held by tests with "Snapshot" in their names, so that a text can be made better in one place. What a test gives and expects back is its own:
words that also appear in it outside an expected text, or in data, fakes and helpers of tests. Words of others, such as SQL, are in others.txt.
"""
import json
import pathlib
import re
import subprocess
import sys

WORDS = 3
LETTERS = 8
folder = pathlib.Path(__file__).resolve().parent
root = folder.parent.parent
token = re.compile(r'R"(\w*)\((?P<raw>.*?)\)\1"|"(?P<text>(?:[^"\\\n]|\\.)*)"|//[^\n]*|/\*.*?\*/|(?<!\w)\'(?:[^\'\\\n]|\\.)+\'', re.S)
# What a literal may be an argument of, to be what a test expects: an assertion, a matcher, a search in a text, or a constructor of a text.
expecting = re.compile(r"(EXPECT|ASSERT)_\w+|HasSubstr|StartsWith|EndsWith|\w+Regex|StrEq|Eq|Ne|Not|AllOf|AnyOf|Contains|Each|Pair|Key|Field|Property"
                       r"|Optional|Pointee|\w*ElementsAre\w*|IsSu(b|per)setOf|find|contains|starts_with|ends_with|startsWith|endsWith"
                       r"|Q?String\w*|string\w*|vector|QLatin1String|QStringLiteral|fromUtf8|q|Json|std|pair|toText")
test = re.compile(r"^TEST\w*\(\w+, \w+\)", re.M)


def strings(source):
    """(place, text) of every string literal; neighbors that the compiler joins are one."""
    found, end = [], 0
    for match in token.finditer(source):
        text = match["raw"] if match["raw"] is not None else match["text"]
        if text is None:
            continue
        if found and not source[end:match.start()].strip():
            found[-1] = (found[-1][0], found[-1][1] + text)
        else:
            found.append((match.start(), text))
        end = match.end()
    return found


def runs(text):
    """Every WORDS words in a row; a place for a value, a digit or a mark of punctuation other than a comma ends a row."""
    for part in re.split(r"\{[\w:.,<>+#%]*\}|\\n|[^A-Za-z' ,-]", text):
        words = [word.lower() for word in re.findall(r"[A-Za-z]+(?:['-][A-Za-z]+)*", part)]
        for i in range(len(words) - WORDS + 1):
            run = tuple(words[i:i + WORDS])
            if sum(map(len, run)) >= LETTERS and run[0] != "kloop":  # not "A, B, C"
                yield run


def texts(value):
    """Every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts(item)


def expected(code, place):
    """Whether what is at a place of a source without its literals is expected by an assertion: neither an argument of another call nor a key."""
    depth, asserted = 0, False
    for at in range(place - 1, -1, -1):
        mark = code[at]
        if mark in ")]":
            depth += 1
        elif mark in "([" and depth:
            depth -= 1
        elif mark in ";" and not depth:
            return asserted
        elif mark == "[":
            return asserted
        elif mark == "(":
            name = re.search(r"(\w*)(<[^<>()]*>)?$", code[max(0, at - 80):at])[1]
            if name and not expecting.fullmatch(name):
                return asserted
            asserted = asserted or bool(re.match("EXPECT_|ASSERT_", name))
            if asserted:
                return True
    return False


def content(path):
    return (root / path).read_text(encoding="utf-8")


listed = subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()
files = [path for path in listed if (root / path).is_file()]
product, shared = set(), set()
for path in files:
    if re.search(r"^(app|core|kernels|profiler|sessions|ui)/.*\.(cpp|h)$", path):
        product.update(run for _, text in strings(content(path)) for run in runs(text))
    elif re.search(r"^(resources|sessions/templates)/.*\.json$", path):
        product.update(run for text in texts(json.loads(content(path))) for run in runs(text))
    elif re.search(r"^tests/.*\.(cpp|h)$", path):
        source = content(path)
        shared.update(run for _, text in strings(source) if not test.search(source) for run in runs(text))
    elif re.search(r"^tests/(?!snapshots/|bench/|fuzz/).*\.(json|jsonl|csv|txt|py|sh|cu)$", path):
        shared.update(runs(content(path)))
for line in (folder / "others.txt").read_text(encoding="utf-8").splitlines():
    if not line.startswith("#"):
        shared.update(runs(line))

failed = False
for path in files:
    if not re.search(r"^tests/(core|kernels|profiler|sessions|cli|ui|gpu)/.*\.(cpp|h)$", path):
        continue
    source = content(path)
    code, literals = token.sub(lambda match: " " * len(match[0]), source), strings(source)
    inside = {place for place, _ in literals if expected(code, place)}
    own = {run for place, text in literals if place not in inside for run in runs(text)}
    snapshots = [(match.start(), "Snapshot" in match[0]) for match in test.finditer(source)]
    for place, text in literals:
        if place not in inside or text.startswith("kloop ") or next((held for start, held in reversed(snapshots) if start < place), False):
            continue
        pinned = next((run for run in runs(text) if run in product and run not in own and run not in shared), None)
        if pinned:
            failed = True
            line = source.count("\n", 0, place) + 1
            print(f'{path}:{line}: "{" ".join(pinned)}" is wording; assert a code, an id or a value, or move it to a test with Snapshot in its name')
sys.exit(1 if failed else 0)
