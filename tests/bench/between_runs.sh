#!/bin/bash
# How much does the median of the same kernel move from run to run, each in a process of its own? This is how far apart two stored runs of
# identical code can be (kBetweenRunNoise in sessions/measure/compare.cpp). Needs a GPU.
#   tests/bench/between_runs.sh [--runs N] ['KERNEL PROBLEM' ...]      KLOOP: path of kloop (default build/bin/kloop)
set -u
KLOOP=${KLOOP:-build/bin/kloop}
runs=10
if [ "${1:-}" = --runs ]; then runs=$2; shift 2; fi
[ $# -gt 0 ] || set -- \
    "copy/coalesced N=1048576" "transpose/tiled M=1024,N=1024" "fma/fp32 N=262144,ITERS=256" "chain/separate N=262144" \
    "chain/graph N=262144" "chain/fused N=262144"
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
for item in "$@"; do
    read -r kernel problem <<<"$item"
    for i in $(seq "$runs"); do
        "$KLOOP" --db "$dir/runs.db" run "$kernel" --problem "$problem" --json 2>>"$dir/err"
    done >"$dir/answers.json"
    python3 - "$dir/answers.json" "$kernel" "$problem" <<'P'
import json, math, statistics, sys
text, decoder, at, medians = open(sys.argv[1]).read(), json.JSONDecoder(), 0, []
while at < len(text.rstrip()):
    answer, end = decoder.raw_decode(text, at)
    at = end + len(text[end:]) - len(text[end:].lstrip())
    medians.append(answer["timing"]["gpu_ns"]["median"])
logs = [math.log(m) for m in medians]
print(f'| {sys.argv[2]} | {sys.argv[3]} | {len(medians)} | {min(medians) / 1000:.2f} | {max(medians) / 1000:.2f} | '
      f'{100 * (max(medians) / min(medians) - 1):.2f} | {100 * statistics.stdev(logs):.2f} |')
P
done | { printf '| kernel | problem | runs | least µs | most µs | most / least − 1 %% | standard deviation %% |\n| --- | --- | --- | --- | --- | --- | --- |\n'; cat; }
