#!/bin/bash
# Rewrites resources/fix-cases.json, the cases that the recommender ships with, and results/recommender.md, its cross-validation, from the
# recorded catalog and from the output of measure.sh. Needs no GPU. learn.sh KLOOP
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"
kernels=()
for kernel in rowsum product flip counts forces; do kernels+=(--kernel "$here/$kernel"); done
for packed in "$here"/measured/*.json.zst; do zstd -qdc "$packed" >"$scratch/$(basename "$packed" .zst)"; done
"$1" learn model "$scratch"/*.json "${kernels[@]}" --on sample --db "$scratch/learn.db" \
    --write resources/fix-cases.json --markdown tests/bench/results/recommender.md >/dev/null
echo "$(grep -c '"outcomes"' resources/fix-cases.json) states in resources/fix-cases.json, tables in tests/bench/results/recommender.md"
