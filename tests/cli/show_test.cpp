// SPDX-License-Identifier: MIT
// kloop show: roofline, memory chart, stalls and occupancy of stored profiles and of files.

#include "core/base/format.h"
#include "tests/cli/kloop.h"

#include <algorithm>

namespace kl {
namespace {

using testing::HasSubstr;
using testing::Not;

class ShowCli : public test::Kloop {
protected:
    void profile(const std::string& kernel, const std::vector<std::string>& more = {})
    {
        std::vector<std::string> words{"profile", kernel, "--on", "sample"};
        words.insert(words.end(), more.begin(), more.end());
        const test::Answer answer = kloop(words);
        ASSERT_EQ(answer.code, 0) << answer.err;
    }
};

TEST_F(ShowCli, AllFourPartsOfTheNewestProfile)
{
    profile("transpose/naive");
    const test::Answer words = kloop({"show", "transpose/naive"});
    EXPECT_EQ(words.code, 0) << words.err;
    for (const char* part : {"Roofline", "Memory chart", "Occupancy", "long scoreboard"})
        EXPECT_THAT(words.out, HasSubstr(part));

    const Json json = kloop({"show", "transpose/naive", "--json"}).json();
    EXPECT_EQ(json["schema"], "kernelloop.show/1");
    const Json& one = json["results"][0];
    EXPECT_EQ(one["memory"]["units"].size(), 5U);
    EXPECT_GT(one["roofline"]["reached"]["dram"].get<double>(), 1e11);
    EXPECT_EQ(one["stalls"][0]["id"], "long_scoreboard");
    EXPECT_EQ(one["occupancy"]["now"]["limiter"], "warps");
}

TEST_F(ShowCli, APointIsUnderTheLowerOfTwoRoofs)
{
    profile("matmul/registers"); // far to the right of where the roofs meet
    const std::string words = kloop({"show", "matmul/registers", "--roofline"}).out;
    const std::string from = words.substr(std::min(words.find("useful, DRAM bytes"), words.size()));
    const Json line = kloop({"show", "matmul/registers", "--roofline", "--json"}).json()["results"][0]["roofline"];
    const auto compute = std::ranges::find_if(
        line["roofs"], [&](const Json& roof) { return roof["id"] == line["compute"] && !roof["measured"].get<bool>(); });
    EXPECT_THAT(from.substr(0, from.find('\n')), HasSubstr(formatFlops((*compute)["value"].get<double>())));
}

TEST_F(ShowCli, OnePartAloneAndWhatIsMissingIsReported)
{
    profile("matmul/registers", {"--no-counters"});
    const test::Answer words = kloop({"show", "matmul/registers", "--memory"});
    EXPECT_EQ(words.code, 0) << words.err;
    EXPECT_THAT(words.out, Not(HasSubstr("Roofline")));
    EXPECT_THAT(words.out, HasSubstr("counters"));
    const Json json = kloop({"show", "matmul/registers", "--roofline", "--json"}).json();
    EXPECT_FALSE(json["results"][0].contains("memory"));
    EXPECT_EQ(json["results"][0]["roofline"]["points"][0]["bytes"], "formula");
}

TEST_F(ShowCli, FilesAreTakenAsAnalyzeTakesThemAndARooflineIsDrawn)
{
    const test::Answer profiled = kloop({"profile", "matmul/registers", "--on", "sample", "--json"});
    std::ofstream(file("profile.json")) << profiled.out;
    const test::Answer drawn = kloop({"show", file("profile.json"), "--roofline", "--svg", file("roof.svg")});
    EXPECT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_THAT(read("roof.svg"), HasSubstr("</svg>"));
    EXPECT_THAT(read("roof.svg"), HasSubstr("matmul/registers (L2)"));
    EXPECT_EQ(kloop({"show", file("profile.json"), "--svg", file("no/such/folder/roof.svg")}).code, 4);
}

TEST_F(ShowCli, HalvesMadeFloatsAreNoWork)
{
    profile("matmul/rows"); // FP16 in, FP32 sums: HADD2 converts each element
    const Json line = kloop({"show", "matmul/rows", "--roofline", "--json"}).json()["results"][0]["roofline"];
    EXPECT_NEAR(line["flop_amplification"].get<double>(), 1, 0.01);
}

TEST_F(ShowCli, WhatIsNotThereIsAClearError)
{
    const test::Answer none = kloop({"show", "transpose/naive"});
    EXPECT_EQ(none.code, 4);
    EXPECT_THAT(none.err, HasSubstr("kloop profile transpose/naive"));
    EXPECT_EQ(kloop({"show", "run:ffff"}).code, 4);
    EXPECT_EQ(kloop({"show"}).code, 2);
    const test::Answer file = kloop({"show", "nowhere.ncu-rep"});
    EXPECT_EQ(file.code, 4);
    EXPECT_THAT(file.err, HasSubstr("nowhere.ncu-rep")) << "a file name is not a kernel name";
}

TEST_F(ShowCli, TheKernelFilterChoosesAmongStoredRunsToo)
{
    profile("transpose/naive");
    profile("transpose/tiled");
    const Json json = kloop({"show", "transpose/naive", "transpose/tiled", "--kernel", "tiled", "--json"}).json();
    ASSERT_EQ(json["results"].size(), 1U);
    EXPECT_EQ(json["results"][0]["variant"], "tiled");
    const test::Answer none = kloop({"show", "transpose/naive", "--kernel", "nosuch", "--json"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["where"], "--kernel");
}

} // namespace
} // namespace kl
