// SPDX-License-Identifier: MIT
#include "kloop.h"
#include "tests/support/fake_compiler.h"
#include "tests/support/fake_gpu.h"

#include <algorithm>

namespace kl::test {
namespace {

using Space = Kloop;
using testing::HasSubstr;

TEST_F(Space, TheFunnelOfAttentionNeedsNoGpu)
{
    const Answer answer = kloop({"space", "attention/fused", "--arch", "sm_90", "--problem", "B=2,H=8,S=512,D=64", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["total"], 2592);
    ASSERT_EQ(json["gates"].size(), 6U);
    const std::vector<std::string> order{"shared-memory", "threads", "occupancy", "registers", "coalescing", "bank-conflicts"};
    int left = 2592;
    for (std::size_t i = 0; i < order.size(); ++i) {
        EXPECT_EQ(json["gates"][i]["gate"], order[i]);
        left -= json["gates"][i]["rejected"].get<int>();
        EXPECT_EQ(json["gates"][i]["left"], left);
    }
    EXPECT_EQ(json["survivors"], left);
    EXPECT_FALSE(json.contains("points"));
    const Answer words = kloop({"space", "attention/fused", "--problem", "D=128", "--arch", "L40S"});
    ASSERT_EQ(words.code, 0) << words.err;
    EXPECT_THAT(words.out, HasSubstr("sm_89"));
}

TEST_F(Space, PointsAreListedWithTheirReason)
{
    const Json json = kloop({"space", "attention/fused@WARPS=4,HALF2=on,UNROLL=full,SPLIT_KV=off", "--list", "all", "--json"}).json();
    EXPECT_EQ(json["total"], 108);
    ASSERT_EQ(json["points"].size(), 108U);
    const auto survivors = std::count_if(json["points"].begin(), json["points"].end(), [](const Json& p) { return p["survives"] == true; });
    EXPECT_EQ(json["survivors"], survivors);
    for (const Json& point : json["points"]) {
        EXPECT_THAT(point["kernel"].get<std::string>(), testing::StartsWith("attention/fused"));
        if (point["survives"] == false) {
            EXPECT_FALSE(point["gate"].get<std::string>().empty());
            EXPECT_FALSE(point["reason"].get<std::string>().empty());
        }
    }
    const Answer rejected = kloop({"space", "attention/fused", "--list", "rejected", "--json"});
    const Json points = rejected.json()["points"];
    EXPECT_FALSE(points.empty());
    for (const Json& point : points)
        EXPECT_EQ(point["survives"], false);
}

TEST_F(Space, OnePointShowsAllItsGates)
{
    const Answer good = kloop({"space", "attention/fused", "--point", "BLOCK_M=128,BLOCK_N=128,STAGES=1", "--json"});
    EXPECT_EQ(good.code, 0) << good.out;
    const Json json = good.json();
    ASSERT_EQ(json["gates"].size(), 6U);
    EXPECT_EQ(json["survives"], true);
    EXPECT_EQ(json["gates"][3]["value"], 255) << "192 of fragments, 63 others";
    const Answer bad = kloop({"space", "attention/fused", "--point", "SWIZZLE=none"});
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.out, HasSubstr("8-way"));
    EXPECT_EQ(kloop({"space", "attention/fused", "--point", "BLOCK_M=7"}).code, 4);
}

TEST_F(Space, OtherGpusBesides)
{
    const Answer answer =
        kloop({"space", "attention/fused", "--problem", "D=128", "--what-if", "L40S", "--what-if", "A100", "--what-if", "sm_90", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    ASSERT_EQ(json["what_if"].size(), 3U);
    EXPECT_EQ(json["what_if"][0]["arch"], "sm_89");
    EXPECT_GT(json["what_if"][0]["lost"], 0) << "99 KB of shared memory";
    EXPECT_EQ(json["what_if"][2]["lost"], 0);
    EXPECT_EQ(json["what_if"][2]["survivors"], json["survivors"]);
    for (const Json& other : json["what_if"])
        EXPECT_EQ(other["survivors"].get<int>(), json["survivors"].get<int>() - other["lost"].get<int>() + other["gained"].get<int>());
}

TEST_F(Space, WhatCannotBeAskedIsExplained)
{
    const Answer arch = kloop({"space", "attention/fused", "--arch", "sm_12"});
    EXPECT_EQ(arch.code, 4);
    EXPECT_THAT(arch.err, HasSubstr("sm_90"));
    EXPECT_EQ(kloop({"space", "nonsense"}).code, 4);
    const Answer none = kloop({"space", "copy"});
    EXPECT_EQ(none.code, 4);
    EXPECT_THAT(none.err, HasSubstr("tunables"));
    EXPECT_EQ(kloop({"space", "attention/fused", "--list", "some"}).code, 2);
    EXPECT_EQ(kloop({"space", "attention/fused", "--problem", "Q=1"}).code, 4);
    EXPECT_EQ(kloop({"space"}).code, 2);
    EXPECT_EQ(kloop({"space", "attention/fused", "--min-occupancy", "150"}).code, 2);
}

TEST_F(Space, CompilingTellsRegistersAndOccupancyOfEveryGpu)
{
    useWorker(kFakeCompiler);
    const Answer answer = kloop({"compile", "attention/fused", "--arch", "sm_89", "--all-gpus", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["arch"], "sm_89");
    EXPECT_EQ(json["launches"][0]["registers"], 128);
    EXPECT_EQ(json["launches"][0]["occupancy"]["blocks_per_sm"], 2); // 40 KB a block of 100
    EXPECT_EQ(json["launches"][0]["opcodes"]["mma"], 64);
    ASSERT_EQ(json["launches"][0]["lines"].size(), 2U);
    EXPECT_EQ(json["launches"][0]["lines"][1]["line"], 12);
    EXPECT_EQ(json["launches"][0]["lines"][1]["instructions"], 64);
    EXPECT_EQ(json["launches"][0]["lines"][1]["opcodes"]["mma"], 64);
    bool t4 = false;
    for (const Json& gpu : json["gpus"]) {
        t4 = t4 || (gpu["arch"] == "sm_75" && gpu["ok"] == false && gpu["why"] == "kernel.cu(1): error: too old");
        if (gpu["arch"] == "sm_90") {
            EXPECT_EQ(gpu["occupancy"]["percent"], 25);
        }
    }
    EXPECT_TRUE(t4);
    const Answer words = kloop({"compile", "attention/fused", "--all-gpus", "--on", "sample"}); // which compiles nothing itself
    EXPECT_THAT(words.out, HasSubstr("mma 64"));
    EXPECT_THAT(words.out, testing::ContainsRegex("kernel.cu:12: 64 .*\n.*kernel.cu:9: 8 ")) << "most first";
    EXPECT_THAT(words.out, HasSubstr("kernel.cu(1)"));
    const Answer old = kloop({"compile", "attention/fused", "--arch", "sm_75"});
    EXPECT_EQ(old.code, 1);
    EXPECT_THAT(old.err, HasSubstr("too old"));
}

TEST_F(Space, CompilingIsForTheArchitectureRequestedAndKeepsItsFeatures)
{
    useWorker(kFakeCompiler);
    const Json json = kloop({"compile", "attention/fused", "--arch", "sm_90a", "--json"}).json();
    EXPECT_EQ(json["arch"], "sm_90a");
    int runs = 0;
    for (const Json& gpu : json["gpus"]) {
        runs += gpu["ok"] == true ? 1 : 0;
        EXPECT_EQ(gpu["ok"] == true, gpu["arch"] == "sm_90a") << gpu;
        EXPECT_EQ(gpu.contains("why"), gpu["ok"] == false) << gpu;
        EXPECT_EQ(gpu.contains("registers"), gpu["ok"] == true) << gpu;
    }
    EXPECT_EQ(runs, 2); // H100 and H200
    EXPECT_THAT(kloop({"compile", "attention/fused", "--arch", "9.0a"}).out, testing::AllOf(HasSubstr("sm_90a"), HasSubstr("--all-gpus")));
    const Json ampere = kloop({"compile", "attention/fused", "--arch", "sm_80", "--json"}).json();
    for (const Json& gpu : ampere["gpus"]) // code for 8.0 runs on 8.6 and 8.9, too
        EXPECT_EQ(gpu["ok"] == true, gpu["arch"] == "sm_80") << gpu;
    EXPECT_EQ(std::ranges::count_if(ampere["gpus"], [](const Json& gpu) { return gpu["ok"] == true; }), 6);
    const Json all = kloop({"compile", "attention/fused", "--arch", "sm_90a", "--all-gpus", "--json"}).json();
    for (const Json& gpu : all["gpus"])
        EXPECT_NE(gpu["arch"], "sm_90") << gpu;
    EXPECT_EQ(std::ranges::count(all["gpus"], "sm_120a", [](const Json& gpu) { return gpu["arch"].get<std::string>(); }), 1);
    EXPECT_EQ(kloop({"compile", "attention/fused@WARPS=4,SPLIT_KV=off", "--all", "--arch", "sm_90a", "--json"}).json()["arch"], "sm_90a");
    EXPECT_EQ(kloop({"space", "attention/fused", "--arch", "sm_90a", "--json"}).json()["arch"], "sm_90"); // whose limits are looked up
    for (const char* none : {"sm_80a", "sm_90f", "sm_90b", "sm_a"}) {
        const Answer unknown = kloop({"compile", "attention/fused", "--arch", none});
        EXPECT_EQ(unknown.code, 4) << none;
        EXPECT_THAT(unknown.err, HasSubstr("sm_100a, sm_100f")) << none;
    }
}

TEST_F(Space, CompilingTheSurvivorsRejectsWhatSpillsAndCountsProgramsOnce)
{
    useWorker(kFakeCompiler);
    const Answer answer = kloop({"compile", "attention/fused@WARPS=4,SPLIT_KV=off", "--all", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    const Json space = kloop({"space", "attention/fused@WARPS=4,SPLIT_KV=off", "--json"}).json();
    EXPECT_EQ(json["total"], space["total"]);
    EXPECT_EQ(json["compiled"], space["survivors"]);
    EXPECT_EQ(json["gates"][1]["gate"], "spills");
    EXPECT_GT(json["gates"][1]["rejected"], 0);
    EXPECT_EQ(json["compiled"].get<int>(), json["survivors"].get<int>() + json["gates"][0]["rejected"].get<int>() +
                                               json["gates"][1]["rejected"].get<int>() + json["gates"][2]["rejected"].get<int>());
    EXPECT_EQ(json["programs"], 1);
    for (const Json& point : json["points"])
        EXPECT_EQ(point["survives"] == true, point["gate"].is_null());
    EXPECT_THAT(kloop({"compile", "attention/fused@WARPS=4", "--all"}).out, HasSubstr("255"));
}

TEST_F(Space, CompilingWithoutACompilerSaysWhatIsMissing)
{
    useWorker(R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[],"unavailable":"No GPU."}'
while read -r line; do
    case "$line" in
    *'"verb":"build-many"'*) echo '{"event":"error","id":1,"code":"environment","message":"libnvrtc.so.13 was not found.","hint":"Install the toolkit.","where":"","detail":""}' ;;
    *'"verb":"shutdown"'*) exit 0 ;;
    esac
done
)");
    const Answer answer = kloop({"compile", "attention/fused"});
    EXPECT_EQ(answer.code, 5);
    EXPECT_THAT(answer.err, HasSubstr("libnvrtc"));
    EXPECT_EQ(kloop({"compile", "transpose"}).code, 4) << "a family has several variants";
}

TEST_F(Space, AKernelOfTheUsersByItsPath)
{
    ASSERT_EQ(kloop({"new-kernel", "mine", "--template", "matmul", "--dir", file("mine")}).code, 0);
    const Answer answer = kloop({"space", file("mine"), "--arch", "L40S", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_GT(answer.json()["total"], 1);
    EXPECT_THAT(answer.json()["kernel"].get<std::string>(), testing::StartsWith("mine/"));
    EXPECT_EQ(kloop({"space", file("mine") + ":naive"}).code, 4) << "that variant has no tunables";
}

TEST_F(Space, ASearchNeedsAGpu)
{
    EXPECT_EQ(kloop({"search", "attention/fused"}).code, 5);
    const Answer sample = kloop({"search", "attention/fused", "--on", "sample"});
    EXPECT_EQ(sample.code, 2);
    EXPECT_THAT(sample.err, HasSubstr("kloop space"));
    EXPECT_EQ(kloop({"search", "attention/fused", "--strategy", "genetic"}).code, 2);
    EXPECT_EQ(kloop({"search", "copy"}).code, 4);
}

TEST_F(Space, ASearchRemembersWhatItTimedUnlessItIsToBeFresh)
{
    write("worker.sh", kFakeGpu);
    const auto remembered = [&](const char* option) {
        std::vector<std::string> words{"search", "attention/fused@WARPS=4,HALF2=on,UNROLL=full,SPLIT_KV=off", "--on", "local", "--json"};
        if (*option != '\0')
            words.emplace_back(option);
        const Json answer = kloop(words, "XDG_CACHE_HOME='" + file("cache") + "'").json();
        EXPECT_GT(answer["measured"], 1) << answer;
        return std::ranges::count_if(answer["points"], [](const Json& point) { return point["remembered"].get<bool>(); });
    };
    EXPECT_EQ(remembered(""), 0);
    EXPECT_GT(remembered(""), 0);
    EXPECT_EQ(remembered("--fresh"), 0);
}

TEST_F(Space, TheCacheIsShownAndCleared)
{
    const std::string where = "XDG_CACHE_HOME='" + file("cache") + "'";
    EXPECT_EQ(kloop({"cache", "info", "--json"}, where).json()["entries"], 0);
    std::filesystem::create_directories(file("cache/kernelloop/compile/ab"));
    write("cache/kernelloop/compile/ab/cd.entry", "12345");
    const Json info = kloop({"cache", "info", "--json"}, where).json();
    EXPECT_EQ(info["entries"], 1);
    EXPECT_EQ(info["bytes"], 5);
    EXPECT_EQ(kloop({"cache", "clear", "--json"}, where).json()["entries"], 1);
    EXPECT_EQ(kloop({"cache", "info", "--json"}, where).json()["entries"], 0);
    EXPECT_EQ(kloop({"cache", "info", "--json"}, where + " KERNELLOOP_CACHE_MB=0").json()["folder"], "");
}

} // namespace
} // namespace kl::test
