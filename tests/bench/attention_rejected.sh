#!/bin/bash
# Would a point that a gate rejected have run well? Times every point of attention/fused that passes the gates, and SAMPLE rejected ones
# that can be built and launched, at S = 4096 and 16k tokens, D = 64 and 128. Exits with 1 if a rejected one is within 10 % of the best.
#   tests/bench/attention_rejected.sh         KLOOP: path of kloop (default build/bin/kloop); CUDA: the toolkit; SAMPLE=50
. "$(dirname "$0")/attention/build.sh"
faults=0
for d in 64 128; do
    addresses "$d" survivors >"$dir/survivors"
    addresses "$d" rejected | python3 -c '
import random, sys
lines = sys.stdin.read().split()
print("\n".join(random.Random(1).sample(lines, min(int(sys.argv[1]), len(lines)))))' "${SAMPLE:-50}" >"$dir/rejected"
    "$points" time "$dir/survivors" "$d" >"$dir/good" && "$points" time "$dir/rejected" "$d" >"$dir/bad" || exit 5
    python3 - "$d" "$dir/good" "$dir/bad" "$dir/space.json" <<'P' || faults=1
import json, sys
d, good, bad, space = sys.argv[1:]
gates = {p["kernel"]: p["gate"] for p in json.load(open(space))["points"]}
rows = lambda path: [line.split() for line in open(path) if not line.startswith("#")]
good, bad = rows(good), rows(bad)
best = float(good[0][0])
flops = 4 * 16384 * 4096 * 1024
print(f"D={d}: best of {len(good)} survivors {best / 1e3:.1f} us, {flops / best / 1e3:.0f} TFLOP/s, {good[0][3]}; "
      f"{len(bad)} rejected points of the sample could run\n")
print("| rejected point | gate | time / best | registers | local bytes |\n| --- | --- | --- | --- | --- |")
for time, registers, local, address in bad[:10]:
    print(f"| {address.split('@')[-1]} | {gates[address]} | {float(time) / best:.2f} | {registers} | {local} |")
near = [row for row in bad if float(row[0]) < 1.1 * best]
print(f"\n{len(near)} of them within 10 % of the best.\n")
sys.exit(1 if near else 0)
P
done
exit $faults
