# SPDX-License-Identifier: MIT
# Sourced by attention_correct.sh and attention_rejected.sh: builds the program "$points" in the folder "$dir", which is removed at the end.
set -u
cd "$(dirname "$0")/../.." || exit 4
KLOOP=${KLOOP:-build/bin/kloop}
CUDA=${CUDA:-/usr/local/cuda}
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
points=$dir/attention_points
arch=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .) || { echo "This needs a GPU and nvidia-smi." >&2; exit 5; }
g++ -std=c++20 -O2 -I"$CUDA/include" tests/bench/attention/*.cpp -o "$points" -L"$CUDA/lib64" -L"$CUDA/lib64/stubs" \
    -Wl,-rpath,"$CUDA/lib64" -lcuda -lnvrtc -lpthread || { echo "This needs g++ and a CUDA toolkit in CUDA=$CUDA." >&2; exit 5; }

# addresses D survivors|rejected
addresses() {
    "$KLOOP" space attention/fused --arch "$arch" --problem "B=4,H=$((1024 / $1)),S=4096,D=$1,CAUSAL=0" --list "$2" --json >"$dir/space.json" ||
        { cat "$dir/space.json" >&2; exit 5; }
    python3 -c 'import json, sys; print("\n".join(p["kernel"] for p in json.load(open(sys.argv[1]))["points"]))' "$dir/space.json"
}
