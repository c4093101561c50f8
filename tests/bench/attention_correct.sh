#!/bin/bash
# Checks every point of attention/fused that passes the gates on the correctness suite: 12 lengths, causal or not, keys of another length,
# outliers, FP16 and BF16, D = 64 and 128, against a simple kernel in double precision, with poisoned outputs between guard bands. Needs a
# GPU, g++ and a CUDA toolkit. Exits with 1 if a point is incorrect.
#   tests/bench/attention_correct.sh          KLOOP: path of kloop (default build/bin/kloop); CUDA: the toolkit; BF16="0 1"; POINTS: regular
#                                             expression for their addresses (default: all)
. "$(dirname "$0")/attention/build.sh"
faults=0
for d in 64 128; do
    addresses "$d" survivors | grep -E "${POINTS:-.}" >"$dir/points$d"
    for bf16 in ${BF16:-0 1}; do
        "$points" check "$dir/points$d" "$d" "$bf16" || faults=1
    done
done
exit $faults
