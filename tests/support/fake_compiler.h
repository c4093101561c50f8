// SPDX-License-Identifier: MIT
#pragma once

namespace kl::test {

/// Script of a worker without a GPU that compiles everything to one program, but for BLOCK_M=128, which spills.
inline constexpr const char* kFakeCompiler = R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[],"unavailable":"There is no NVIDIA GPU on this machine."}'
while read -r line; do
    case "$line" in
    *'"verb":"build-many"'*) printf '%s' "$line" | python3 -c '
import json, sys
request = json.load(sys.stdin)
points = []
for p in request["body"]["points"]:
    big = any(o == "-DBLOCK_M=128" for o in p["options"])
    launches = [{"entry": l["entry"], "threads": l["threads"], "registers": 255 if big else 128, "stack_bytes": 96 if big else 0,
                 "spill_stores": 96 if big else 0, "spill_loads": 32 if big else 0, "static_smem": 0, "dynamic_smem": l["dynamic_smem"],
                 "barriers": 1, "opcodes": {"mma": 64, "ld.global": 8},
                 "lines": [{"line": 9, "opcodes": {"ld.global": 8}}, {"line": 12, "opcodes": {"mma": 64}}] if request["body"]["lines"] else []} for l in p["launches"]]
    points.append({"kernel": p["kernel"], "ok": p["arch"] != "sm_75", "arch": p["arch"] or request["body"]["arch"],
                   "log": "kernel.cu(1): error: too old" if p["arch"] == "sm_75" else "", "seconds": 0.25, "cached": False,
                   "code": "big" if big else "small", "launches": launches})
body = {"compiler": "NVRTC 13.0", "arch": request["body"]["arch"], "jobs": 2, "seconds": 1.5, "points": points}
print(json.dumps({"event": "result", "id": request["id"], "body": body}))
' ;;
    *'"verb":"shutdown"'*) exit 0 ;;
    esac
done
)";

} // namespace kl::test
