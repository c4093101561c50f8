// SPDX-License-Identifier: MIT
// kloop sweep on the recorded sample: what was recorded is measured, the rest is missing.
#include "kloop.h"

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class Sweep : public Kloop {};

TEST_F(Sweep, EverySizeHasARowAndWhatWasNotRecordedIsMissing)
{
    KL_NEEDS_SAMPLE();
    const Answer answer = kloop({"sweep", "transpose/naive", "transpose/tiled", "--problem", "M=4096,N=1024..4096 x2", "--on", "sample",
                                 "--csv", file("sweep.csv"), "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    const Json rows = answer.json()["rows"];
    ASSERT_THAT(rows, SizeIs(6));
    EXPECT_EQ(rows[0]["problem"], "M=4096,N=1024");
    const std::string missing = rows[0]["missing"];
    EXPECT_NE(missing, "");
    EXPECT_TRUE(rows[0]["gpu_ns"].is_null());
    EXPECT_THAT(rows[0]["hint"].get<std::string>(), HasSubstr("M=4096,N=4096")) << "which sizes are recorded";
    const Json& naive = rows[2];
    EXPECT_EQ(naive["class"], "uncoalesced");
    EXPECT_TRUE(naive["missing"].is_null());
    EXPECT_NEAR(naive["bytes_per_s"].get<double>(), 2.0 * 4096 * 4096 * 4 / naive["gpu_ns"].get<double>() * 1e9, 1e6);
    EXPECT_GT(naive["gpu_ns"], rows[5]["gpu_ns"]) << "tiled is faster";
    EXPECT_FALSE(naive["speedup"].is_null());
    const std::string csv = read("sweep.csv");
    EXPECT_TRUE(csv.starts_with("kernel,M,N,gpu_ns,")) << csv;
    EXPECT_THAT(csv, HasSubstr("transpose/naive,4096,1024,,,,,,,,," + missing + '\n'));
}

TEST_F(Sweep, WhatIsNoAxisIsRefused)
{
    EXPECT_EQ(kloop({"sweep", "transpose/naive", "--problem", "M=8..4", "--on", "sample"}).code, 2);
    EXPECT_EQ(kloop({"sweep", "transpose/naive", "--on", "sample"}).code, 2);
    EXPECT_EQ(kloop({"sweep", "transpose/naive", "--problem", "M=M", "--on", "sample"}).code, 2) << "linked to itself";
    EXPECT_EQ(kloop({"sweep", "no/kernel", "--problem", "M=8", "--on", "sample"}).code, 4);
}

TEST_F(Sweep, SizesThatNoKernelTakesAreAnErrorUnlessOthersAreTaken)
{
    KL_NEEDS_SAMPLE();
    for (const char* problem : {"X=4", "M=-1", "M=1e3"}) {
        const Answer answer = kloop({"sweep", "transpose/naive", "--problem", problem, "--on", "sample", "--json"});
        EXPECT_EQ(answer.code, 4) << problem;
        EXPECT_EQ(answer.json()["error"]["code"], "bad-input") << problem;
    }
    const Answer some = kloop({"sweep", "transpose/naive", "--problem", "M=[-1,4096]", "--on", "sample", "--json"});
    EXPECT_EQ(some.code, 0) << some.err;
    ASSERT_THAT(some.json()["rows"], SizeIs(2));
    EXPECT_FALSE(some.json()["rows"][0]["missing"].is_null());
    EXPECT_TRUE(some.json()["rows"][1]["missing"].is_null());
}

} // namespace
} // namespace kl::test
