// SPDX-License-Identifier: MIT
#pragma once

namespace kl::test {

/// Script of a worker with an H200 that is none. Programs differ by WARPS and BLOCK_N alone, and so do their made-up times: 1000 ns +
/// BLOCK_N + 10 × WARPS. WARPS=2 is wrong on the suite. While a file "slow" lies beside the script, timing waits for it to go.
inline constexpr const char* kFakeGpu = R"(#!/usr/bin/env python3
import json, os, sys, time
device = {"uuid": "GPU-1", "name": "NVIDIA H200", "cc_major": 9, "cc_minor": 0, "sm_count": 132, "driver_version": "580.1"}

def tunables(address):
    found = {"WARPS": "4", "BLOCK_N": "64"}
    found.update(pair.split("=") for pair in address.partition("@")[2].split(",") if pair)
    return found

def ns(address):
    return 1000 + int(tunables(address)["BLOCK_N"]) + 10 * int(tunables(address)["WARPS"])

def built(point):
    launches = [{"entry": l["entry"], "threads": l["threads"], "registers": 64, "static_smem": 0, "dynamic_smem": l["dynamic_smem"],
                 "opcodes": {"mma": 64}} for l in point["launches"]]
    return {"kernel": point["kernel"], "ok": True, "arch": "sm_90", "seconds": 0.25, "code": str(ns(point["kernel"])), "launches": launches}

def ran(body):
    while os.path.exists(os.path.join(os.path.dirname(__file__), "slow")):
        time.sleep(0.01)
    median = ns(body["work"]["kernel"])
    wrong = bool(body["suite"]) and tunables(body["work"]["kernel"])["WARPS"] == "2"
    answer = {"status": "validation_failed" if wrong else "ok", "reason": "one row is wrong" if wrong else "", "device": device,
              "correctness": {"result": "fail" if wrong else "pass"}}
    if not wrong:
        answer["timing"] = {"gpu_ns": {"median": median, "low": median, "high": median, "n": 100}, "clock_mhz": 1755.0}
    return answer

def ab(body):
    a, b = float(ns(body["a"]["kernel"])), float(ns(body["b"]["kernel"]))
    return {"status": "ok", "device": device, "blocks": [{"a": [a * (1 + 0.0001 * i)] * 10, "b": [b] * 10} for i in range(body["blocks"])],
            "correctness_a": {"result": "pass"}, "correctness_b": {"result": "pass"}}

print(json.dumps({"event": "hello", "protocol": 1, "version": "test", "devices": [device], "unavailable": None}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    verb, body = request["verb"], request.get("body") or {}
    if verb == "shutdown":
        break
    if verb == "build-many":
        answer = {"compiler": "NVRTC 13.0", "arch": body["arch"], "jobs": 2, "seconds": 1.5, "points": [built(p) for p in body["points"]]}
    elif verb == "run":
        answer = ran(body)
    elif verb == "ab":
        answer = ab(body)
    else:
        print(json.dumps({"event": "error", "id": request["id"], "code": "environment", "message": "no " + verb, "hint": "", "where": verb, "detail": ""}), flush=True)
        continue
    print(json.dumps({"event": "result", "id": request["id"], "body": answer}), flush=True)
)";

} // namespace kl::test
