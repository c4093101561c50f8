#!/bin/bash
# A/A repeats on a GPU: how often does the A/B procedure call a kernel equivalent to itself?
#   tests/bench/aa_repeats.sh [--repeats N] ['KERNEL PROBLEM' ...]      KLOOP: path of kloop (default build/bin/kloop)
# Prints a Markdown table. Exits with 1 if a kernel has fewer than 95 equivalents in 100, or more than one false alarm in 100.
set -u
KLOOP=${KLOOP:-build/bin/kloop}
repeats=100
if [ "${1:-}" = --repeats ]; then repeats=$2; shift 2; fi
# Small, large, memory-bound, compute-bound, many launches; sizes that the host fills quickly.
[ $# -gt 0 ] || set -- \
    "copy/coalesced N=1048576" "transpose/tiled M=1024,N=1024" "reduction/shuffle N=1048576" "fma/fp32 N=262144,ITERS=256" \
    "chain/separate N=262144" "attention/fused B=2,CAUSAL=0,D=64,H=8,S=128"
n=0; dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
for item in "$@"; do
    read -r kernel problem <<<"$item"
    n=$((n + 1))
    "$KLOOP" --db "$dir/aa.db" calibrate "$kernel" ${problem:+--problem "$problem"} --repeats "$repeats" --json >"$dir/$n.json" 2>"$dir/err" ||
        { cat "$dir/$n.json" "$dir/err" >&2; exit 5; }
done
python3 - "$dir"/*.json <<'P'
import json, math, sys
print("| kernel | problem | repeats | equivalent | faster or slower | noise % | largest \\|ratio − 1\\| % |\n| --- | --- | --- | --- | --- | --- | --- |")
bad = False
for path in sys.argv[1:]:
    for c in json.load(open(path))["calibrations"]:
        worst = max(abs(r - 1) for r in c["ratios"])
        print(f'| {c["kernel"]} | {c["problem"]} | {c["repeats"]} | {c["equivalent"]} | {c["different"]} | {100 * c["noise"]:.3f} | {100 * worst:.3f} |')
        bad |= c["equivalent"] < 0.95 * c["repeats"] or c["different"] > 0.01 * c["repeats"]
print(f'\n{c["device"]["name"]}, driver {c["driver"]}, {c["at"]}')
sys.exit(1 if bad else 0)
P
