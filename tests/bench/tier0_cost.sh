#!/bin/bash
# What a profile at tier 0 costs beside the plain measurement: wall time inside one worker, every variant of the catalogue, both in turn,
# medians of three rounds after one that compiles. The plain measurement is correctness and timing without a baseline, the strictest
# reading: a baseline costs both sides the same. Needs a GPU.     TEST_GPU=path of test_gpu, default build/tests/test_gpu
# Exits 1 when a variant costs 1.5 times the plain measurement or more.
set -u
out=$("${TEST_GPU:-build/tests/test_gpu}" --gtest_filter='Tier0Cost.*')
rc=$?
printf '%s\n' "$out" | grep -E '^(variant|[a-z_]+/)|SKIPPED|no GPU|FAILED|Failure'
[ $rc -eq 0 ] || exit $rc
printf '%s\n' "$out" | awk '/^[a-z_]+\// { n++; r = $NF; sub(/x$/, "", r); if (r + 0 > worst) { worst = r + 0; who = $1 }; if (r + 0 >= 1.5) over++ }
END { if (!n) exit 1; printf "\n%d variants, worst %.2fx (%s), %d at 1.5x or above\n", n, worst, who, over; exit over > 0 }'
