#!/bin/bash
# What does a profile at tier 0 cost, compared with the plain measurement? Wall time inside one worker, every variant of the catalog, both by
# turns, medians of three rounds (or TIER0_ROUNDS) after one that compiles. The plain measurement is correctness and timing without a
# baseline; a baseline would cost both sides the same. Needs a GPU.
#   tests/bench/tier0_cost.sh [FAMILY | FAMILY/VARIANT ...]     TEST_GPU: path of test_gpu (default build/tests/test_gpu)
# Exits with 1 if a variant costs 1.5 times the plain measurement or more.
set -u
filter=
for name in "${@:-*}"; do
    case $name in \* | */*) ;; *) name+=/\* ;; esac
    filter+="*Tier0Cost.*/${name//[\/-]/_}:"
done
rows=$(mktemp); trap 'rm -f "$rows"' EXIT
printf '%-28s %-28s %10s %10s %12s %7s\n' variant problem "run s" "tier 0 s" "counting s" ratio
"${TEST_GPU:-build/tests/test_gpu}" --gtest_filter="$filter" | grep --line-buffered -E '^[a-z0-9_-]+/[a-z]|no GPU|Failure' | tee "$rows"
[ "${PIPESTATUS[0]}" -eq 0 ] || exit 1
awk '/^[a-z0-9_-]+\/[a-z]/ { n++; run += $3; with += $4; r = $NF; sub(/x$/, "", r); if (r + 0 > worst) { worst = r + 0; who = $1 }; if (r + 0 >= 1.5) over++ }
END { if (!n) exit 5; printf "\n%d variants, %.1f s of runs, %.1f s with tier 0: %.2fx; worst %.2fx (%s), %d at 1.5x or above\n", n, run, with, with / run, worst, who, over; exit over > 0 }' "$rows"
