// SPDX-License-Identifier: MIT
// kloop sass on reports and stored runs.
#include "tests/cli/kloop.h"
#include "tests/support/real_reports.h"

#include <filesystem>

namespace kl::test {
namespace {

class SassCommand : public Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        ::setenv("KERNELLOOP_NVDISASM", "/nowhere/nvdisasm", 1);
        write("three_kernels.ncu-rep", ncuData("three_kernels.ncu-rep"));
    }
    void TearDown() override
    {
        ::unsetenv("KERNELLOOP_NVDISASM");
        Kloop::TearDown();
    }
    /// From now on there is a disassembler, which prints what nvdisasm did.
    void bringTool()
    {
        const std::string printed = std::string(KL_SOURCE_DIR) + "/tests/data/sass/three_kernels.nvdisasm.txt";
        write("nvdisasm", "#!/bin/sh\nexec cat " + printed + '\n');
        std::filesystem::permissions(file("nvdisasm"), std::filesystem::perms::owner_all);
        ::setenv("KERNELLOOP_NVDISASM", file("nvdisasm").c_str(), 1);
    }
    /// The instruction at an offset.
    static Json at(const Json& listing, int offset)
    {
        for (const Json& one : listing["instructions"])
            if (one["offset"] == offset)
                return one;
        return {};
    }
};

TEST_F(SassCommand, ListsAReportsInstructionsWithTheirCounters)
{
    const Answer plain = kloop({"sass", file("three_kernels.ncu-rep"), "--kernel", "strided", "--json"});
    ASSERT_EQ(plain.code, 0) << plain.err;
    EXPECT_EQ(plain.json()["schema"], "kernelloop.sass/1");
    EXPECT_EQ(plain.json()["language"], "ptx");
    EXPECT_EQ(plain.json()["samples"], 31487);
    EXPECT_EQ(at(plain.json(), 0x390)["executed"], 524288);
    EXPECT_EQ(at(plain.json(), 0x390)["threads"], 32 * 524288);
    EXPECT_EQ(at(plain.json(), 0x390)["sectors"], 16777216);
    EXPECT_EQ(at(plain.json(), 0x390)["line"], 2);
    EXPECT_EQ(plain.json()["lines"].size(), 1U);
    bringTool();
    const Json sass = kloop({"sass", file("three_kernels.ncu-rep"), "--kernel", "strided", "--json"}).json();
    EXPECT_EQ(sass["language"], "sass");
    EXPECT_EQ(at(sass, 0x390)["text"], "LDG.E R7, desc[UR8][R6.64]");
    EXPECT_EQ(at(sass, 0x390)["live_registers"], 7);
    const Answer words = kloop({"sass", file("three_kernels.ncu-rep"), "--kernel", "strided"});
    EXPECT_EQ(words.code, 0) << words.err;
    EXPECT_THAT(words.out, testing::HasSubstr("LDG.E R7, desc[UR8][R6.64]"));
}

TEST_F(SassCommand, WhatWasDisassembledOnceIsStoredWithTheRun)
{
    bringTool();
    const Answer analyzed = kloop({"analyze", file("three_kernels.ncu-rep"), "--kernel", "strided", "--json"});
    ASSERT_EQ(analyzed.code, 0) << analyzed.err;
    EXPECT_FALSE(analyzed.json()["results"][0]["source"].contains("code")) << "the listing is long and has a command of its own";
    const std::string run = "run:" + analyzed.json()["results"][0]["id"].get<std::string>();
    ::setenv("KERNELLOOP_NVDISASM", "/nowhere/nvdisasm", 1);
    const Answer later = kloop({"sass", run, "--json"});
    ASSERT_EQ(later.code, 0) << later.err;
    EXPECT_EQ(later.json()["language"], "sass");
    EXPECT_EQ(at(later.json(), 0x390)["text"], "LDG.E R7, desc[UR8][R6.64]");
}

TEST_F(SassCommand, WhatIsDisassembledLaterIsStoredThen)
{
    const Answer analyzed = kloop({"analyze", file("three_kernels.ncu-rep"), "--kernel", "strided", "--json"});
    ASSERT_EQ(analyzed.code, 0) << analyzed.err;
    const std::string run = "run:" + analyzed.json()["results"][0]["id"].get<std::string>();
    EXPECT_EQ(kloop({"sass", run, "--json"}).json()["language"], "ptx");
    bringTool();
    EXPECT_EQ(kloop({"sass", run, "--json"}).json()["language"], "sass");
    ::setenv("KERNELLOOP_NVDISASM", "/nowhere/nvdisasm", 1);
    const Json later = kloop({"sass", run, "--json"}).json();
    EXPECT_EQ(later["language"], "sass");
    EXPECT_EQ(at(later, 0x390)["live_registers"], 7);
    EXPECT_EQ(at(later, 0x390)["sectors"], 16777216);
}

TEST_F(SassCommand, ComparesTwoBuilds)
{
    bringTool();
    ASSERT_EQ(kloop({"analyze", file("three_kernels.ncu-rep"), "--json"}).code, 0);
    const Answer answer =
        kloop({"sass", file("three_kernels.ncu-rep"), "--kernel", "strided", "--diff", file("three_kernels.ncu-rep"), "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["schema"], "kernelloop.sass-diff/1");
    EXPECT_EQ(json["diff"]["added"], 0);
    EXPECT_EQ(json["diff"]["changed"], 0);
    EXPECT_EQ(json["diff"]["rows"].size(), 134U) << "padding left out";
    EXPECT_EQ(json["diff"]["most_live"]["a"], 20);
    EXPECT_EQ(kloop({"sass", file("three_kernels.ncu-rep"), "--kernel", "strided", "--diff", file("three_kernels.ncu-rep")}).code, 0);
}

TEST_F(SassCommand, SaysWhatIsNotKnown)
{
    write("basic.ncu-rep", ncuData("basic.ncu-rep"));
    EXPECT_EQ(kloop({"sass", "transpose/naive"}).code, 4);
    EXPECT_EQ(kloop({"sass", file("three_kernels.ncu-rep"), "--kernel", "nothing"}).code, 4);
    EXPECT_NE(kloop({"sass"}).code, 0);
}

TEST_F(SassCommand, TheKernelFilterIsForStoredRunsToo)
{
    const auto sass = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"sass", "transpose/naive", "--db", ":sample:", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return kloop(words);
    };
    EXPECT_EQ(sass({"--kernel", "naive"}).code, 0);
    const Answer none = sass({"--kernel", "nosuch"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["where"], "--kernel");
    EXPECT_THAT(none.json()["error"]["message"].get<std::string>(), testing::HasSubstr("naive"));
    EXPECT_EQ(sass({"--kernel", "NAIVE"}).code, 4);
    EXPECT_NE(sass({"--kernel", "strided", "--diff", file("three_kernels.ncu-rep")}).json()["error"]["where"], "--kernel")
        << "of the report";
}

} // namespace
} // namespace kl::test
