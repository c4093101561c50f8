// SPDX-License-Identifier: MIT
// The smallest size on which a kernel fails, and the description of its failure.
#include "kernels/variant_choice.h"
#include "sessions/measure/calibrated_kernels.h"
#include "sessions/measure/find_failing.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>
#include <regex>

namespace kl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const Address kFailingNaive{"transpose", "naive", {}};

/// Answers runs by a function of their request, and keeps the requests.
class FailingGpu final : public FakeCollector {
public:
    FailingGpu() : FakeCollector(Source::live) {}
    Result<Json> ask(Verb, const Json& body, const Job&) override
    {
        requests.push_back(*fromJsonMessage<RunRequest>(body));
        const Result<RunAnswer> given = answer(requests.back());
        return given ? Result<Json>(toJsonMessage(*given)) : Result<Json>(given.error());
    }
    std::vector<RunRequest> requests;
    std::function<Result<RunAnswer>(const RunRequest&)> answer;
};

RunAnswer wrongAnswer(const std::string& reason)
{
    RunAnswer answer;
    answer.status = ResultStatus::validationFailed;
    answer.reason = reason;
    answer.correctness.result = CorrectnessResult::incorrect;
    answer.correctness.maxAbs = 0.5;
    answer.correctness.unwritten = 31;
    answer.correctness.nonfinite = 27;
    answer.correctness.firstWrong = Mismatch{"out", 19, 3, 4, "wrong", "", "", ""};
    return answer;
}

std::vector<std::string> figuresIn(const std::string& text)
{
    static const std::regex figure("[0-9]+(\\.[0-9]+)?");
    std::vector<std::string> all;
    for (std::sregex_iterator at(text.begin(), text.end(), figure), end; at != end; ++at)
        all.push_back(at->str());
    return all;
}

class FindFailing : public EngineTest {
protected:
    FailingCase found()
    {
        const KernelFamily& family = *unwrap(catalog.family("transpose"));
        return unwrap(findFailingCase(here, kFailingNaive, family, {}));
    }
    std::string formatProblem(const FailingCase& failing) { return failing.problem ? toText(*failing.problem) : "none"; }
    FailingGpu live;
    TestBench here{catalog, tree, live, *store};
};

TEST_F(FindFailing, TheFirstFailingRowOfTheSuiteIsMadeSmaller)
{
    live.answer = [](const RunRequest& request) -> Result<RunAnswer> {
        const Params problem = *parseParams(request.work.problem);
        if (request.suite.empty())
            return *numberIn(problem, "M") >= 5 ? wrongAnswer("a reason") : RunAnswer{};
        RunAnswer answer = wrongAnswer("of the whole");
        for (std::size_t i = 0; i < request.suite.size(); ++i)
            answer.correctness.suite.push_back({request.suite[i].problem, i < 2, 0.125, 0, 11, 13, "of a row"});
        return answer;
    };
    const FailingCase failing = found();
    const std::string third = toText((*catalog.family("transpose"))->suite.at(2));
    EXPECT_EQ(formatProblem(failing), "M=5,N=1");
    EXPECT_EQ(failing.run.reason, "of the whole");
    EXPECT_NE(failing.seen.find("a reason"), std::string::npos) << "of the smallest that fails";
    EXPECT_NE(failing.seen.find(third), std::string::npos) << "what it was made from";
    const std::vector<std::string> figures = figuresIn(failing.seen);
    ASSERT_GE(figures.size(), 5U);
    EXPECT_THAT(std::vector(figures.begin(), figures.begin() + 5), ElementsAre("5", "1", "0.5", "31", "27"));
    EXPECT_EQ(figures.back(), std::to_string(live.requests.size() - 1)) << "what was tried beside the suite";
    for (std::size_t i = 1; i < live.requests.size(); ++i) {
        EXPECT_FALSE(live.requests[i].timed);
        EXPECT_FALSE(live.requests[i].withBaseline);
        EXPECT_EQ(live.requests[i].work.kernel, "transpose/naive");
    }
    EXPECT_FALSE(live.requests[0].suite.empty());
    EXPECT_THAT(unwrap(store->runs({})), SizeIs(1)) << "the suite's run alone is kept";
}

TEST_F(FindFailing, WhereNothingSmallerFailsTheRowOfTheSuiteIsTold)
{
    live.answer = [](const RunRequest& request) -> Result<RunAnswer> {
        if (request.suite.empty())
            return RunAnswer{};
        RunAnswer answer = wrongAnswer("of the whole");
        for (const WorkSpec& size : request.suite)
            answer.correctness.suite.push_back({size.problem, &size == request.suite.data(), 0.125, 0, 11, 13, "of a row"});
        return answer;
    };
    const FailingCase failing = found();
    const KernelFamily& family = **catalog.family("transpose");
    EXPECT_EQ(formatProblem(failing), toText(family.suite.at(1)));
    EXPECT_NE(failing.seen.find("of a row"), std::string::npos);
    const std::vector<std::string> figures = figuresIn(failing.seen);
    ASSERT_GE(figures.size(), 5U);
    EXPECT_THAT(std::vector(figures.begin() + 2, figures.begin() + 5), ElementsAre("0.125", "13", "11"));
    EXPECT_EQ(figures.back(), std::to_string(live.requests.size() - 1));
}

TEST_F(FindFailing, WhatFailsEverywhereIsNotMadeSmaller)
{
    const KernelFamily& family = **catalog.family("transpose");
    for (const ResultStatus status : {ResultStatus::compilationFailed, ResultStatus::deviceLimitsExceeded}) {
        live.requests.clear();
        live.answer = [&](const RunRequest&) -> Result<RunAnswer> {
            RunAnswer answer;
            answer.status = status;
            answer.reason = "line 3";
            return answer;
        };
        const FailingCase failing = found();
        EXPECT_THAT(live.requests, SizeIs(1));
        EXPECT_EQ(formatProblem(failing), toText(family.smallest));
        EXPECT_EQ(failing.run.status, status);
        EXPECT_NE(failing.seen.find("line 3"), std::string::npos);
    }
}

TEST_F(FindFailing, AFailureBesideTheSuiteIsMadeSmallerToo)
{
    live.answer = [](const RunRequest& request) -> Result<RunAnswer> {
        if (!request.suite.empty() || *numberIn(*parseParams(request.work.problem), "N") >= 3)
            return Error{.code = ErrorCode::kernelFailed, .message = "It ended."};
        return RunAnswer{};
    };
    const FailingCase failing = found();
    EXPECT_EQ(*numberIn(failing.problem.value_or(Params{}), "N"), 3) << failing.seen;
    EXPECT_NE(failing.seen.find("It ended."), std::string::npos);
    EXPECT_EQ(failing.run.status, ResultStatus::computationFailed);
}

TEST_F(FindFailing, SizesThatTheKernelRefusesPassAndOtherErrorsEndTheSearch)
{
    live.answer = [](const RunRequest& request) -> Result<RunAnswer> {
        if (!request.suite.empty())
            return wrongAnswer("of the whole");
        return Error{.code = ErrorCode::badInput, .message = "It does not take that."};
    };
    const KernelFamily& family = **catalog.family("transpose");
    const FailingCase refused = found();
    EXPECT_EQ(formatProblem(refused), toText(family.smallest));
    EXPECT_GT(live.requests.size(), 2U) << "it goes on to other sizes";
    EXPECT_EQ(refused.seen.find("It does not take that."), std::string::npos);
    live.requests.clear();
    live.answer = [](const RunRequest& request) -> Result<RunAnswer> {
        if (!request.suite.empty())
            return wrongAnswer("of the whole");
        return Error{.code = ErrorCode::environment, .message = "The GPU is gone."};
    };
    const FailingCase gone = found();
    EXPECT_THAT(live.requests, SizeIs(2));
    EXPECT_NE(gone.seen.find("The GPU is gone."), std::string::npos);
    live.answer = [](const RunRequest& request) -> Result<RunAnswer> {
        if (!request.suite.empty())
            return wrongAnswer("of the whole");
        return Error{.code = ErrorCode::interrupted, .message = "Stopped."};
    };
    EXPECT_EQ(findFailingCase(here, kFailingNaive, family, {}).error().code, ErrorCode::interrupted);
}

TEST_F(FindFailing, ARightKernelHasNoFailingSize)
{
    live.answer = [](const RunRequest& request) -> Result<RunAnswer> {
        RunAnswer answer;
        answer.correctness.result = CorrectnessResult::correct;
        for (const WorkSpec& size : request.suite)
            answer.correctness.suite.push_back({size.problem, true, 0, 0, 0, 0, ""});
        return answer;
    };
    const FailingCase failing = found();
    EXPECT_FALSE(failing.problem);
    EXPECT_THAT(figuresIn(failing.seen), ElementsAre(std::to_string((*catalog.family("transpose"))->suite.size())));
    EXPECT_THAT(live.requests, SizeIs(1));
}

TEST_F(FindFailing, OneSoundKernelOfEachFamilyIsCalibrated)
{
    std::vector<std::string> expected;
    for (const KernelFamily& family : catalog.families())
        if (const Variant* sound = firstSound(family))
            expected.push_back(family.id + '/' + sound->id);
    std::vector<std::string> kernels;
    for (const Address& kernel : listCalibratedKernels(catalog))
        kernels.push_back(toText(kernel));
    EXPECT_EQ(kernels, expected);
    EXPECT_GT(kernels.size(), 20U);
}

} // namespace
} // namespace kl::test
