// SPDX-License-Identifier: MIT
#include "sessions/bisect/revision_judge.h"
#include "tests/support/fake_collector.h"

#include <gtest/gtest.h>

namespace kl::test {
namespace {

/// How a revision is judged that takes the good one's time, but for the spread of the blocks.
RevisionState judgedAgainstItself(double ratio)
{
    const std::string root = KL_SOURCE_DIR "/tests/data/own_transpose";
    FakeCollector gpu;
    RevisionJudge judge(gpu, {.about = BisectQuestion::About::slower, .ratio = ratio, .descriptor = "kernel.json"});
    EXPECT_EQ(judge.judge(root, {})->state, RevisionState::good) << "the first is the good one";
    return judge.judge(root, {})->state;
}

TEST(RevisionJudging, IsLeftOpenWhereTheIntervalSpansTheRatio)
{
    EXPECT_EQ(judgedAgainstItself(1.1), RevisionState::good);
    EXPECT_EQ(judgedAgainstItself(0.9), RevisionState::bad);
    EXPECT_EQ(judgedAgainstItself(1), RevisionState::skip);
}

} // namespace
} // namespace kl::test
