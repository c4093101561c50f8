// SPDX-License-Identifier: MIT
#include "tests/gpu/live_worker.h"

#include <algorithm>

namespace kl {
namespace {

using Experiments = test::LiveWorker;

const Experiment* find(const RunAnswer& answer, const std::string& id)
{
    const auto found = std::ranges::find(answer.experiments, id, &Experiment::id);
    return found == answer.experiments.end() ? nullptr : &*found;
}

TEST_F(Experiments, StandInForCountersAndLeaveTheKernelAsItWas)
{
    Result<WorkSpec> work = catalog->work({"copy", "coalesced", {}}, *parseParams("N=16777216"));
    ASSERT_TRUE(work);
    ProfileRequest request;
    request.run = requestFor(*work);
    request.counters = false;
    const Result<RunAnswer> answer = profile(*worker(), request, {});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_FALSE(answer->metrics);
    for (const char* id : {"small-l1", "half-occupancy", "half-grid"}) {
        const Experiment* one = find(*answer, id);
        ASSERT_NE(one, nullptr) << id;
        ASSERT_TRUE(one->ratio) << id << ": " << one->unavailable;
        EXPECT_GE(one->n, 4) << id;
    }
    EXPECT_NEAR(*find(*answer, "half-grid")->ratio, 0.5, 0.1) << "the grid fills any GPU";
    EXPECT_GT(*find(*answer, "half-occupancy")->ratio, 0.8);

    const Result<RunAnswer> again = run(*worker(), request.run, {});
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->correctness.result, CorrectnessResult::correct) << again->correctness.reason;
    EXPECT_TRUE(again->experiments.empty());
}

TEST_F(Experiments, AreMadeBesideCountersOnlyWhenRequested)
{
    ProfileRequest request;
    request.run = requestFor(copyWork());
    request.tier = 0;
    const Result<RunAnswer> plain = profile(*worker(), request, {});
    ASSERT_TRUE(plain) << plain.error().message;
    if (!plain->metrics)
        GTEST_SKIP() << "this GPU permits no counters";
    EXPECT_TRUE(plain->experiments.empty());
    request.experiments = true;
    const Result<RunAnswer> both = profile(*worker(), request, {});
    ASSERT_TRUE(both) << both.error().message;
    EXPECT_TRUE(both->metrics);
    EXPECT_EQ(both->experiments.size(), 3U);
}

} // namespace
} // namespace kl
