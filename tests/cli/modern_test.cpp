// SPDX-License-Identifier: MIT
// What the command line says of kernels that are written for some chips only.
#include "kloop.h"

namespace kl::test {
namespace {

using testing::HasSubstr;

const std::string kTma = KL_SOURCE_DIR "/tests/data/modern/tma";

class ModernKernels : public Kloop {};

TEST_F(ModernKernels, AnotherArchitectureIsRefusedWithNameTargetsAndChip)
{
    for (const std::vector<std::string>& command : {std::vector<std::string>{"compile", kTma + ":copy", "--arch", "sm_80"},
                                                    {"compile", kTma, "--arch", "sm_80"},
                                                    {"space", kTma, "--arch", "A100"},
                                                    {"space", kTma, "--arch", "sm_90", "--what-if", "A100"}}) {
        const Answer answer = kloop(command);
        EXPECT_EQ(answer.code, 5) << command[0] << answer.err;
        for (const char* part : {"modern-tma/copy", "sm_90a", "sm_100a", "sm_80"})
            EXPECT_THAT(answer.err, HasSubstr(part)) << command[0];
    }
}

TEST_F(ModernKernels, ListingsSayTargetsAndChoice)
{
    ASSERT_EQ(kloop({"kernels", "add", kTma}).code, 0);
    EXPECT_THAT(kloop({"kernels"}).out, HasSubstr("sm_90a, sm_100a"));
    const Json answer = kloop({"kernels", "--json"}).json();
    bool seen = false;
    for (const Json& kernel : answer["kernels"])
        for (const Json& variant : kernel["variants"]) {
            if (kernel["id"] == "modern-tma") {
                seen = true;
                EXPECT_EQ(variant["targets"], (Json{"sm_90a", "sm_100a"}));
                EXPECT_EQ(variant["when"], "CC>=90");
            } else {
                EXPECT_TRUE(variant["targets"].is_array()) << kernel["id"];
            }
        }
    EXPECT_TRUE(seen);
}

TEST_F(ModernKernels, AFamilyThatChoosesNeedsNoVariant)
{
    KL_NEEDS_SAMPLE();
    const Answer chosen = kloop({"run", "attention", "--on", "sample", "--json"});
    ASSERT_EQ(chosen.code, 0) << chosen.err;
    EXPECT_EQ(chosen.json()["kernel"], "attention");
    EXPECT_EQ(chosen.json()["variant"], "hopper-short"); // 128 tiles, 512 keys
    EXPECT_EQ(kloop({"run", "transpose", "--on", "sample"}).code, 4) << "this family does not choose";
}

TEST_F(ModernKernels, TheWorkerReceivesAllOfIt)
{
    useRecorder(R"(,"cc_major":9,"sm_count":16)");
    const Answer tma = kloop({"run", kTma});
    EXPECT_THAT(read("requests"), HasSubstr(R"("targets":["sm_90a","sm_100a"])")) << tma.err;
    EXPECT_THAT(read("requests"), HasSubstr(R"("swizzle":"128B")"));
    kloop({"run", KL_SOURCE_DIR "/tests/data/modern/cooperative"});
    EXPECT_THAT(read("requests"), HasSubstr(R"("grid":[16,1,1])")); // SMS of this device
    EXPECT_THAT(read("requests"), HasSubstr(R"("cooperative":true)"));
}

} // namespace
} // namespace kl::test
