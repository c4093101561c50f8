#!/bin/bash
# Profiles every point of these tunable kernels on the GPU, one file of answers per kernel: `kloop learn model FILE` learns from them and
# from the recorded catalog. learn.sh takes them from measured/KERNEL.json.zst. measure.sh KLOOP FOLDER [KERNEL…]; needs a GPU. About 0.7 s
# per point on an H200.
set -u
here=$(cd "$(dirname "$0")" && pwd)
kloop=$1
out=$2
shift 2
[ $# -gt 0 ] || set -- rowsum product flip counts forces
for kernel; do
    points=$("$kloop" space "$here/$kernel:tuned" --arch sm_90 --list survivors --json |
        python3 -c "import json,sys; print(*('$here/$kernel:tuned@'+p['point'] for p in json.load(sys.stdin)['points']))")
    start=$(date +%s)
    "$kloop" profile $points --tier 2 --no-source --json >"$out/$kernel.json" 2>"$out/$kernel.err"
    echo "$kernel: rc $?, $(wc -w <<<"$points") points, $(($(date +%s) - start)) s"
done
