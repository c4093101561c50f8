// SPDX-License-Identifier: MIT
#include "profiler/protocol/build_request.h"
#include "sessions/bisect/kernel_bisect.h"
#include "sessions/bisect/revision_judge.h"
#include "tests/support/fake_collector.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

/// Answers what it is told to, and keeps what it was asked.
class ToldWorker final : public Collector {
public:
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    Result<Json> ask(Verb verb, const Json& body, const Job&) override
    {
        requested.push_back(body);
        if (verb == Verb::build)
            return toJsonMessage(built);
        if (verb == Verb::run)
            return toJsonMessage(ran);
        return Error{.code = ErrorCode::environment, .message = "no such verb"};
    }
    CompileAnswer built;
    RunAnswer ran;
    std::vector<Json> requested;

private:
    Hello hello_;
};

class JudgedRevisions : public testing::Test {
protected:
    using About = BisectQuestion::About;
    Judgment judged(BisectQuestion question)
    {
        if (question.descriptor.empty())
            question.descriptor = "kernel.json";
        const Result<Judgment> found = RevisionJudge(worker, question).judge(root, {});
        EXPECT_TRUE(found) << (found ? "" : found.error().message);
        return found ? *found : Judgment{};
    }
    std::string root = KL_SOURCE_DIR "/tests/data/own_transpose";
    ToldWorker worker;
};

TEST_F(JudgedRevisions, WithoutTheKernelTheyAreSkipped)
{
    EXPECT_EQ(judged({.descriptor = "gone.json"}).state, RevisionState::skip);
    EXPECT_THAT(judged({.descriptor = "gone.json"}).seen, testing::HasSubstr("gone.json"));
    EXPECT_EQ(judged({.descriptor = "flip.cu"}).state, RevisionState::skip) << "no descriptor";
    EXPECT_EQ(judged({.kernel = {"flip", "none", {}}}).state, RevisionState::skip);
    EXPECT_EQ(judged({.problem = {{"X", std::int64_t{1}}}}).state, RevisionState::skip);
    EXPECT_TRUE(worker.requested.empty());
}

TEST_F(JudgedRevisions, AreBadWhereTheyDoNotBuild)
{
    worker.built.arch = "sm_80";
    EXPECT_EQ(judged({.about = About::builds, .arch = "sm_80"}).state, RevisionState::good);
    EXPECT_THAT(judged({.about = About::builds}).seen, testing::HasSubstr("sm_80"));
    EXPECT_EQ(worker.requested[0]["arch"], "sm_80");
    worker.built.status = ResultStatus::compilationFailed;
    worker.built.reason = "it failed";
    EXPECT_EQ(judged({.about = About::builds}).seen, "it failed");
    EXPECT_EQ(judged({.about = About::builds}).state, RevisionState::bad);
    worker.built.log = "note: x\nk.cu(3): error: no y\nmore errors";
    EXPECT_EQ(judged({.about = About::builds}).seen, "k.cu(3): error: no y");
    worker.built.log = "error at the start";
    EXPECT_EQ(judged({.about = About::builds}).seen, "error at the start");
}

TEST_F(JudgedRevisions, AreBadWhereASizeIsWrong)
{
    worker.ran.correctness.result = CorrectnessResult::correct;
    EXPECT_EQ(judged({}).state, RevisionState::good);
    EXPECT_EQ(worker.requested[0]["suite"].size(), 4U);
    EXPECT_EQ(worker.requested[0]["with_baseline"], false);
    EXPECT_EQ(worker.requested[0]["min_seconds"], 0);
    worker.ran.correctness.result = CorrectnessResult::notChecked;
    EXPECT_EQ(judged({}).state, RevisionState::skip);
    worker.ran.correctness.reason = "no reference";
    EXPECT_EQ(judged({}).seen, "no reference");
    for (const ResultStatus status : {ResultStatus::compilationFailed, ResultStatus::deviceLimitsExceeded}) {
        worker.ran.status = status;
        worker.ran.reason = "too large";
        EXPECT_EQ(judged({}).state, RevisionState::skip);
        EXPECT_EQ(judged({}).seen, "too large");
    }
    worker.ran.status = ResultStatus::validationFailed;
    worker.ran.correctness.result = CorrectnessResult::incorrect;
    worker.ran.correctness.firstWrong = Mismatch{"out", 7, 1, 2, "wrong", {}, {}, {}};
    EXPECT_EQ(judged({}).state, RevisionState::bad);
    EXPECT_THAT(judged({}).seen, testing::AllOf(testing::HasSubstr("too large"), testing::HasSubstr("out[7]")));
    SuiteRow right, wrong;
    right.problem = "M=1,N=1";
    right.pass = true;
    wrong.problem = "M=31,N=33";
    wrong.firstWrong = Mismatch{"out", 9, 1, 2, "wrong", {}, {}, {}};
    worker.ran.correctness.suite = {right, wrong};
    EXPECT_THAT(judged({}).seen, testing::AllOf(testing::HasSubstr("M=31,N=33"), testing::HasSubstr("out[9]")));
    worker.ran.reason.clear();
    EXPECT_THAT(judged({}).seen, testing::HasSubstr("no reference"));
    worker.ran.status = ResultStatus::computationFailed;
    EXPECT_EQ(judged({}).state, RevisionState::bad);
}

TEST_F(JudgedRevisions, AreNotTimedWhereTheyAreWrong)
{
    worker.ran.status = ResultStatus::validationFailed;
    worker.ran.correctness.result = CorrectnessResult::incorrect;
    EXPECT_EQ(judged({.about = About::slower}).state, RevisionState::skip);
    worker.ran.status = ResultStatus::ok;
    worker.ran.correctness.result = CorrectnessResult::correct;
    RevisionJudge judge(worker, {.about = About::slower, .descriptor = "kernel.json"});
    EXPECT_EQ(judge.judge(root, {})->state, RevisionState::good);
    EXPECT_EQ(judge.judge(root, {}).error().code, ErrorCode::environment) << "the second is timed against it";
    EXPECT_STREQ(toWord(RevisionState::skip), "skipped");
    EXPECT_STREQ(toWord(RevisionState::good), "good");
    EXPECT_STREQ(toWord(RevisionState::bad), "bad");
}

} // namespace
} // namespace kl::test
