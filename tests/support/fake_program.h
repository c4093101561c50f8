// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/data/npy.h"
#include "profiler/protocol/program_trace.h"
#include "tests/support/store_support.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace kl::test {

/// A target whose program is a shell script that leaves what the injected library would have: it needs no GPU. Its code is kernel.txt, with
/// lines "time=NS", "result=right", "wrong" or the one size N that comes out wrong, and "syntax error" for what does not build.
class FakeProgram {
public:
    explicit FakeProgram(std::filesystem::path folder, const std::string& gpu = "GPU-fake") : folder_(std::move(folder))
    {
        std::filesystem::create_directories(folder_ / "data");
        write("kernelloop.json", kTarget);
        write("build.sh",
              "set -e\nif grep -q 'syntax error' kernel.txt; then echo 'kernel.txt(1): error: expected an expression' >&2; exit 2; fi\n"
              "mkdir -p build\ncp kernel.txt build/kernel\necho built\n");
        write("run.sh", "set -e\n"
                        "ns=$(sed -n 's/^time=//p' build/kernel)\n"
                        "result=$(sed -n 's/^result=//p' build/kernel)\n"
                        "out=right\n"
                        "if [ \"$result\" = wrong ] || [ \"$result\" = \"$1\" ]; then out=wrong; fi\n"
                        "if [ -n \"$KLOOP_OUTPUT\" ]; then cp data/$out.npy \"$KLOOP_OUTPUT\"/out.npy; fi\n"
                        "if [ -z \"$KLOOP_INJECT_SPOOL\" ]; then exit 0; fi\n"
                        "kind=times\n"
                        "if grep -q '\"counters\":true' \"$KLOOP_INJECT_SPOOL\"/config.json; then kind=counts; fi\n"
                        "cp data/$kind-$ns \"$KLOOP_INJECT_SPOOL\"/1-1.trace\n");
        write("reference.sh", "cp data/right.npy \"$KLOOP_OUTPUT\"/out.npy\n");
        code(8000);
        write("data/right.npy", npy({1, 2, 3, 4}));
        write("data/wrong.npy", npy({1, 2, 7, 4}));
        for (const int ns : {8000, 7900, 4000}) {
            write(fmt::format("data/times-{}", ns), trace(ns, false, gpu));
            write(fmt::format("data/counts-{}", ns), trace(ns, true, gpu));
        }
    }

    const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path file(const std::string& name) const { return folder_ / name; }
    std::string text(const std::string& name) const { return support::readBytes(file(name)); }
    void write(const std::string& name, const std::string& text) const { support::writeBytes(file(name), text); }
    void code(int ns, const std::string& result = "right") const { write("kernel.txt", fmt::format("time={}\nresult={}\n", ns, result)); }
    /// Replaces a part of the target.
    void change(const std::string& from, const std::string& to) const
    {
        std::string target = text("kernelloop.json");
        const std::size_t at = target.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        write("kernelloop.json", target.replace(at, from.size(), to));
    }

    static constexpr const char* kTarget = R"({
  "schema": 2,
  "target": {
    "id": "sums",
    "sizes": ["N"],
    "problems": ["N=512"],
    "smallest": "N=1",
    "suite": ["N=1", "N=7", "N=512"],
    "build": "sh build.sh",
    "run": ["sh", "run.sh", "{N}"],
    "kernel": {"name": "column_sum"},
    "check": {"reference": ["sh", "reference.sh", "{N}"]},
    "rival": {"kernel": "^rival"},
    "edit": ["kernel.txt"]
  }
})";

    static std::string npy(const std::vector<float>& values)
    {
        return toNpy(DType::f32, {static_cast<std::int64_t>(values.size())}, reinterpret_cast<const std::byte*>(values.data()));
    }

    /// 70 launches of column_sum, `ns` long, each followed by one of its rival, 6 us long; with the counters of one more.
    static std::string trace(int ns, bool counted, const std::string& gpu = "GPU-fake")
    {
        DeviceInfo device;
        device.uuid = gpu;
        device.name = "NVIDIA H200";
        device.ccMajor = 9;
        device.smCount = 132;
        const std::string mangled = "_Z10column_sumPKfPfii";
        std::string text =
            traceLine(1, {"prog"}, "/x/libcupti.so.13") + traceLine(0, device) + traceLine(0, mangled) + traceLine(1, "_Z5rivalPf");
        for (std::uint64_t i = 0; i < 70; ++i) {
            const std::uint64_t at = 1 + i * (static_cast<std::uint64_t>(ns) + 12'000);
            const std::uint64_t then = at + static_cast<std::uint64_t>(ns) + 1000;
            const auto id = static_cast<std::uint32_t>(2 * i + 1);
            text +=
                traceLine(TracedLaunch{0, at, at + static_cast<std::uint64_t>(ns), 0, 7, id, {32, 4, 2}, {32, 4, 2}, 32, 0, 0, 0, false});
            text += traceLine(TracedLaunch{1, then, then + 6000, 0, 7, id + 1, {512, 1, 1}, {256, 1, 1}, 16, 0, 0, 0, false});
        }
        if (counted) {
            ProfiledLaunch launch{mangled, 0, 0, {32, 4, 2}, {32, 4, 2}, {}, {}, {}, "", 0.2};
            launch.metrics.plan = {9, 9};
            launch.metrics.values = {{"gpu__time_duration.sum", static_cast<double>(ns)},
                                     {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 10}};
            text += traceLine(launch);
        }
        return text + traceEnd();
    }

private:
    std::filesystem::path folder_;
};

} // namespace kl::test
