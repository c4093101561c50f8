// SPDX-License-Identifier: MIT
#include "tests/cli/kloop.h"

namespace kl::test {
namespace {

/// A stand-in for compute-sanitizer: writes what the real one wrote of the tool's seeded fault, then runs the worker as it does.
constexpr const char* kTool = R"(
while [ $# -gt 0 ]; do
    case "$1" in
    --tool) tool=$2; shift 2 ;;
    --log-file) log=$2; shift 2 ;;
    --show-backtrace|--print-limit|--report-api-errors|--padding|--racecheck-report) shift 2 ;;
    *) break ;;
    esac
done
cp "$DATA/$tool.txt" "$log" 2>/dev/null || printf '========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n' > "$log"
exec "$@"
)";

constexpr const char* kLaunches = R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"name":"Fake GPU","uuid":"GPU-1"}],"unavailable":null}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"launch"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"status\":\"ok\"}}" ;;
    *'"verb":"shutdown"'*) exit 0 ;;
    esac
done
)";

class Sanitize : public Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        useWorker(kLaunches);
        write("tool.sh", std::string("#!/bin/sh\nDATA='" KL_SOURCE_DIR "/tests/data/sanitizer'\n") + kTool);
        std::filesystem::permissions(file("tool.sh"), std::filesystem::perms::owner_all);
    }
    Answer sanitize(const std::vector<std::string>& words) const { return kloop(words, "KERNELLOOP_SANITIZER='" + file("tool.sh") + "'"); }
    static constexpr const char* kKernel = KL_SOURCE_DIR "/tests/data/sanitizer:unwritten_read";
};

TEST_F(Sanitize, FindingsAreReportedWithFileLineThreadAndBlockAndExitWithOne)
{
    const Answer answer = sanitize({"sanitize", kKernel, "--tool", "initcheck", "--json"});
    EXPECT_EQ(answer.code, 1) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["schema"], "kernelloop.sanitize/1");
    EXPECT_EQ(json["findings"], 1);
    const Json& kernel = json["kernels"][0];
    EXPECT_EQ(kernel["kernel"], "faults/unwritten_read");
    EXPECT_EQ(kernel["problem"], "N=1024") << "the smallest size, where none is named";
    const Json& one = kernel["checks"][0]["findings"][0];
    EXPECT_EQ(one["file"], "faults.cu") << "the user's name of the file";
    EXPECT_EQ(one["line"], 30);
    EXPECT_EQ(one["kernel"], "unwritten_read");
    EXPECT_EQ(one["thread"], (Json{32, 0, 0}));
    EXPECT_EQ(one["block"], (Json{0, 0, 0}));
    EXPECT_EQ(one["address"], "0x7fadf7801080");
}

TEST_F(Sanitize, EveryToolRunsWhereNoneIsNamed)
{
    const Answer answer = sanitize({"sanitize", kKernel, "--json"});
    EXPECT_EQ(answer.code, 1) << answer.err;
    const Json checks = answer.json()["kernels"][0]["checks"];
    ASSERT_EQ(checks.size(), 4U);
    for (const Json& check : checks)
        EXPECT_EQ(check["findings"].size(), 1U) << check;
    EXPECT_THAT(sanitize({"sanitize", kKernel}).out, testing::HasSubstr("faults.cu:30"));
}

TEST_F(Sanitize, NothingFoundIsAPass)
{
    write("tool.sh", std::string("#!/bin/sh\nDATA=/nowhere\n") + kTool);
    const Answer answer = sanitize({"sanitize", kKernel, "--tool", "memcheck"});
    EXPECT_EQ(answer.code, 0) << answer.err;
}

TEST_F(Sanitize, AKernelThatDidNotRunIsNotAPass)
{
    write("tool.sh", std::string("#!/bin/sh\nDATA=/nowhere\n") + kTool);
    std::string failing = kLaunches;
    failing.replace(failing.find(R"(\"status\":\"ok\")"), 17, R"(\"status\":\"computation_failed\",\"reason\":\"no room\")");
    useWorker(failing);
    const Answer answer = sanitize({"sanitize", kKernel, "--tool", "memcheck", "--json"});
    EXPECT_EQ(answer.code, 1) << answer.err;
    EXPECT_EQ(answer.json()["findings"], 0);
    EXPECT_EQ(answer.json()["kernels"][0]["checks"][0]["trouble"], "no room");
}

TEST_F(Sanitize, AToolThatIsMissingSaysWhereItIsLookedForAndFound)
{
    const Answer answer = kloop({"sanitize", kKernel}, "KERNELLOOP_SANITIZER= PATH=/nowhere CUDA_HOME=/nowhere");
    if (std::filesystem::exists("/usr/local/cuda/bin/compute-sanitizer"))
        GTEST_SKIP() << "compute-sanitizer is installed here";
    EXPECT_EQ(answer.code, 5);
    EXPECT_THAT(answer.err, testing::HasSubstr("/usr/local/cuda/bin"));
    EXPECT_THAT(answer.err, testing::HasSubstr("KERNELLOOP_SANITIZER"));
}

TEST_F(Sanitize, WhatCannotBeSanitizedIsRefused)
{
    EXPECT_EQ(sanitize({"sanitize", kKernel, "--on", "sample"}).code, 4);
    EXPECT_EQ(sanitize({"sanitize", kKernel, "--tool", "valgrind"}).code, 2);
    EXPECT_EQ(sanitize({"sanitize", "no/such"}).code, 4);
}

} // namespace
} // namespace kl::test
