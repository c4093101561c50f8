// SPDX-License-Identifier: MIT
// Exit codes of commands that measure several things, of which one fails, and of gates.
#include "kloop.h"

namespace kl::test {
namespace {

using testing::SizeIs;
using Words = std::vector<std::string>;

/// transpose/naive faults, whatever is measured; everything else is correct.
constexpr const char* kNaiveFaults =
    R"(*'"verb":"timeline"'*|*transpose/naive*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"status\":\"computation_failed\",\"reason\":\"it faulted\"}}" ;;
    *'"verb":"launch"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"launches\":[{\"entry\":\"f\",\"grid_blocks\":2,\"block_threads\":64}]}}" ;;)";

class ExitCodes : public Kloop {
protected:
    int code(const Words& words) const { return kloop(words).code; }
};

TEST_F(ExitCodes, OneFailureAmongSeveralIsOne)
{
    useRecorder({}, kNaiveFaults);
    for (const char* verb : {"run", "profile", "launch"}) {
        EXPECT_EQ(code({verb, "transpose/tiled"}), 0) << verb;
        EXPECT_EQ(code({verb, "transpose/naive"}), 1) << verb;
    }
    for (const char* verb : {"profile", "launch"})
        for (const Words& both : {Words{"transpose/naive", "transpose/tiled"}, {"transpose/tiled", "transpose/naive"}})
            EXPECT_EQ(code({verb, both[0], both[1]}), 1) << verb << ' ' << both[0];
    EXPECT_EQ(code({"sweep", "transpose/naive", "transpose/tiled", "--problem", "M=64,N=64"}), 1);
    EXPECT_EQ(code({"sweep", "transpose/tiled", "--problem", "M=64,N=64"}), 0);
    EXPECT_EQ(code({"timeline", "transpose/tiled"}), 1);
}

TEST_F(ExitCodes, WhatFailsDoesNotKeepTheOthersFromBeingLaunched)
{
    useRecorder({}, kNaiveFaults);
    const Json answer = kloop({"launch", "transpose/naive", "transpose/tiled", "--repeat", "2", "--json"}).json();
    ASSERT_THAT(answer["failed"], SizeIs(1));
    EXPECT_EQ(answer["failed"][0]["kernel"], "transpose/naive");
    EXPECT_EQ(answer["failed"][0]["reason"], "it faulted");
    ASSERT_THAT(answer["launches"], SizeIs(2)) << "one for each repeat";
    for (const Json& launch : answer["launches"]) {
        EXPECT_EQ(launch["kernel"], "transpose/tiled");
        EXPECT_EQ(launch["problem"], answer["failed"][0]["problem"]);
        EXPECT_EQ(launch["entry"], "f");
        EXPECT_EQ(launch["grid_blocks"], 2);
        EXPECT_EQ(launch["block_threads"], 64);
    }
}

TEST_F(ExitCodes, OfAGateAreItsResult)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(code({"session", "new", "N", "Coalesce the stores", "--kernel", "transpose", "--on", "sample"}), 0);
    EXPECT_EQ(code({"session", "gate", "G1"}), 3) << "nothing is known yet";
    EXPECT_EQ(code({"session", "step"}), 0);
    EXPECT_EQ(code({"session", "gate", "G1"}), 0);
    EXPECT_EQ(code({"session", "gate", "G2"}), 3);
    EXPECT_EQ(code({"session", "gate", "G9"}), 4);
}

} // namespace
} // namespace kl::test
