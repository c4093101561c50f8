#!/bin/bash
# Kernels with one line each that is slow on purpose (tests/data/slow_lines, marked // SLOW): does the source view name it? Needs a GPU.
#   tests/bench/slow_line.sh [--program]          KLOOP: path of kloop (default build/bin/kloop)
# --program: profile a program that launches each kernel twelve times (`kloop profile --source -- CMD`) instead of the kernel.
# The named line is the cause of the hottest line: the line itself, or the one whose result most of its samples wait for.
# Prints a Markdown table. Exits with 1 if a line is not named.
set -u
cd "$(dirname "$0")/../.." || exit 4
KLOOP=${KLOOP:-build/bin/kloop}
folder=tests/data/slow_lines
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
for source in "$folder"/*.cu; do
    name=$(basename "$source" .cu)
    kernel=./$folder/slow_lines.json:${name//_/-}
    if [ "${1:-}" = --program ]; then
        "$KLOOP" --db "$dir/lines.db" profile --tier 0 --source --out "$dir/$name.json" -- "$KLOOP" launch "$kernel" --repeat 12 >"$dir/err" 2>&1
    else
        "$KLOOP" --db "$dir/lines.db" profile "$kernel" --tier 0 --source --json >"$dir/$name.json" 2>"$dir/err"
    fi || { cat "$dir/$name.json" "$dir/err" >&2; exit 5; }
done
python3 - "$folder" "$dir"/*.json <<'P'
import json, os, sys
folder, paths = sys.argv[1], sys.argv[2:]
print("| kernel | slow line | named | hottest | its share | waits there for | samples | |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
hits = 0
for path in paths:
    name = os.path.basename(path)[:-5]
    text = open(f"{folder}/{name}.cu").read().split("\n")
    slow = 1 + next(i for i, line in enumerate(text) if "// SLOW" in line)
    run = json.load(open(path))
    run = run["results"][0] if "results" in run else run
    if not run.get("hot_lines"):
        print(f'| {name} | {slow} | none: {run.get("source", {}).get("unavailable", "no samples asked for")} | | | | | no |')
        continue
    hot = run["hot_lines"][0]
    hit = hot["cause"]["line"] == slow
    hits += hit
    print(f'| {name} | {slow} | {hot["cause"]["line"]} | {hot["line"]} | {100 * hot["share"]:.0f} % | {hot["stall"].replace("_", " ")} | '
          f'{run["source"]["samples"]} | {"named" if hit else "no"} |')
print(f'\n{hits} of {len(paths)} named. {run["device"]["name"]}, driver {run["device"]["driver_version"]}, {run["started_at"]}')
sys.exit(0 if hits == len(paths) else 1)
P
