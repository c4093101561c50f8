// SPDX-License-Identifier: MIT
#include "core/model/baselines.h"
#include "sessions/measure/recorded_baselines.h"
#include "tests/support/fake_collector.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

Baseline timed(const char* id, double ns)
{
    Baseline baseline{id, Summary{ns, ns, ns, 10}, {}, {}, {}};
    baseline.id = id;
    return baseline;
}

RunAnswer recorded()
{
    RunAnswer answer;
    answer.baselines = {timed("sdpa", 9000), timed("sdpa-flash", 13000), timed("cudnn", 8000),
                        Baseline{"cuBLAS", {}, {}, {}, "not found", "cublas"}};
    answer.baseline = answer.baselines[2];
    return answer;
}

TEST(RecordedBaselines, ThoseRequestedAreTakenOutOfAll)
{
    const RunAnswer answer = withBaselines(recorded(), {"sdpa-flash", "sdpa"});
    ASSERT_EQ(answer.baselines.size(), 2u);
    EXPECT_EQ(answer.baselines[0].id, "sdpa");
    EXPECT_EQ(answer.baseline->id, "sdpa");
}

TEST(RecordedBaselines, AllKeepsEveryOne)
{
    EXPECT_EQ(withBaselines(recorded(), {"all"}), recorded());
}

TEST(RecordedBaselines, OneThatCouldNotRunIsStillTheAnswer)
{
    const RunAnswer answer = withBaselines(recorded(), {"cublas"});
    ASSERT_TRUE(answer.baseline);
    EXPECT_EQ(answer.baseline->unavailable, "not found");
}

TEST(FastestOf, TakesTheShortestTimeAndTheFirstWhereNoneHasOne)
{
    const Baseline without{"cuBLAS", {}, {}, {}, "not found", "cublas"};
    const Baseline neither{"cuDNN", {}, {}, {}, "too old", "cudnn"};
    EXPECT_FALSE(findFastest({}));
    EXPECT_EQ(findFastest({without, neither})->id, "cublas");
    EXPECT_EQ(findFastest({without, timed("a", 9), timed("b", 8), timed("c", 8)})->id, "b");
}

/// A recording that has nothing, or what a test gives it.
class Unrecorded final : public test::FakeCollector {
public:
    Result<Json> ask(Verb, const Json&, const Job&) override
    {
        return answer ? Result<Json>(toJsonMessage(*answer)) : Result<Json>(failure);
    }
    std::optional<RunAnswer> answer;
    Error failure{.code = ErrorCode::notRecorded, .message = "no such run"};
};

TEST(RecordedBaselines, WithoutARecordingOfAllTheChoiceIsWhatIsNotThere)
{
    Unrecorded sample;
    const Result<RunAnswer> none = runRecordedBaselines(sample, {}, {"sdpa"}, {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::notRecorded);
    EXPECT_EQ(none.error().where, "--baseline");
    EXPECT_EQ(none.error().detail, "no such run");
    sample.failure = {.code = ErrorCode::interrupted, .message = "stopped"};
    EXPECT_EQ(runRecordedBaselines(sample, {}, {"sdpa"}, {}).error(), sample.failure);
    sample.answer = recorded();
    EXPECT_EQ(runRecordedBaselines(sample, {}, {"sdpa"}, {})->baselines.size(), 1U);
}

} // namespace
} // namespace kl
