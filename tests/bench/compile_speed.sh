#!/bin/bash
# What does compiling cost? Cold on one core: as many points as fit into SECONDS_ON_ONE, which the order of compiling takes from all over the
# space. 24 variants on all cores. Every point of attention that passes the gates, at D = 64 and 128. A warm hit of the cache.
# Needs a CUDA toolkit, no GPU.     KLOOP: path of kloop (default build/bin/kloop)   ARCH=sm_90
# Targets: 0.35 s per variant on one core on average, all points of D = 64 in less than 30 s on 16 cores, a warm hit in less than 2 ms.
# Exits with 1 if one is missed; the second needs 16 processors to be judged. KEEP=folder keeps the answers.
set -eu
kloop=${KLOOP:-build/bin/kloop}
arch=${ARCH:-sm_90}
folder=$(mktemp -d)
trap '[ -n "${KEEP:-}" ] && cp "$folder"/*.json "$KEEP"; rm -rf "$folder"' EXIT
export KERNELLOOP_DB=$folder/none.db
seconds=${SECONDS_ON_ONE:-25}
some=attention@WARPS=4,SWIZZLE=xor,SPLIT_KV=off,UNROLL=full,MIN_BLOCKS=1

# NAME KERNEL JOBS PROBLEM CACHE: one line of the table, and the answer in $folder/NAME.json
measure() {
    XDG_CACHE_HOME=$folder/$5 "$kloop" compile "$2" --all --arch "$arch" --jobs "$3" --problem "$4" --json > "$folder/$1.json" 2> /dev/null
    python3 - "$folder/$1.json" "$1" << 'P'
import json, sys
a = json.load(open(sys.argv[1]))
n = a["compiled"]
print("| %s | %d | %d | %d | %.2f | %.1f |" % (sys.argv[2], a["jobs"], n, a["cached"], a["seconds"], 1000 * a["seconds"] / n))
P
}

cores=$(nproc)
printf 'kloop compile --all for %s, %s, %s processors\n\n' "$arch" "$("$kloop" --version)" "$cores"
echo "| what | threads | variants | from the cache | wall s | ms per variant |"
echo "| --- | --- | --- | --- | --- | --- |"
# Interrupted, kloop says how many it has compiled. Its start counts; what was being compiled does not.
XDG_CACHE_HOME=$folder/a timeout --signal=INT "$seconds" "$kloop" compile attention --all --arch "$arch" --jobs 1 --problem D=64 \
    > "$folder/one-core.txt" 2>&1 || true
one=$(sed -n 's/.*Stopped after \([0-9]*\) of .*/\1/p' "$folder/one-core.txt")
[ -n "$one" ] || { cat "$folder/one-core.txt"; exit 1; }
python3 -c "print('| one-core | 1 | %d | 0 | %.2f | %.1f |' % ($one, $seconds, 1000 * $seconds / $one))"
measure all-cores "$some" "$cores" D=64 b
measure warm "$some" 1 D=64 b
measure survivors-64 attention "$cores" D=64 c
measure survivors-128 attention "$cores" D=128 c
measure warm-64 attention "$cores" D=64 c
python3 - "$folder" "$cores" "$seconds" "$one" << 'P'
import json, sys
read = lambda name: json.load(open(sys.argv[1] + "/" + name + ".json"))
each = lambda a: a["seconds"] / a["compiled"]
missed = []
def judge(what, found, bar, judged=True):
    print("%s: %.4g (target %g)%s" % (what, found, bar, "" if judged else ", not judged here"))
    if judged and found > bar:
        missed.append(what)
print()
judge("cold seconds per variant on one core", float(sys.argv[3]) / int(sys.argv[4]), 0.35)
judge("seconds for all points of D = 64", read("survivors-64")["seconds"], 30, int(sys.argv[2]) >= 16)
judge("warm hit, ms, one thread", 1000 * each(read("warm")), 2)
for name in ("survivors-64", "survivors-128"):
    a = read(name)
    print("%s: %d of %d pass the six gates; %s; %d pass, %d different programs; compiler time %.3g s per variant" % (
        name, a["compiled"], a["total"], ", ".join("%d %s" % (g["rejected"], g["gate"]) for g in a["gates"]), a["survivors"],
        a["programs"], a["cold_seconds_each"]))
    assert a["cached"] == 0
sys.exit(1 if missed else 0)
P
