// SPDX-License-Identifier: MIT
// Kernels that are correct in a first launch and not when they are timed, and honest ones that look alike. All of tests/data/cheats is for
// tests/bench/cheats.py.

#include "live_worker.h"

#include "kernels/user_kernel.h"

namespace kl {
namespace {

class ProvenPasses : public test::LiveWorker {
protected:
    static WorkSpec cheat(const std::string& family, const std::string& variant)
    {
        Result<KernelFamily> read = loadKernel(std::filesystem::path(KL_SOURCE_DIR) / "tests/data/cheats" / family);
        EXPECT_TRUE(read) << read.error().message;
        Catalog kernels{{}};
        const std::string id = read->id;
        EXPECT_TRUE(kernels.add(std::move(*read)));
        Result<WorkSpec> work = kernels.work({id, variant, {}}, {});
        EXPECT_TRUE(work) << work.error().message;
        return *work;
    }

    static Correctness judged(const WorkSpec& work)
    {
        const Result<RunAnswer> answer = measure(work);
        EXPECT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->timing.has_value(), !isRefuted(answer->correctness.result));
        return answer->correctness;
    }
};

TEST_F(ProvenPasses, HonestWorkIsCheckedInEveryPass)
{
    const Correctness correctness = judged(cheat("sum", "honest"));
    EXPECT_EQ(correctness.result, CorrectnessResult::correct) << correctness.reason;
    ASSERT_TRUE(correctness.proof);
    EXPECT_EQ(correctness.proof->inputSets, 3);
    EXPECT_GT(correctness.proof->passes, 10);
    EXPECT_EQ(correctness.proof->checked, correctness.proof->passes);
}

TEST_F(ProvenPasses, AKernelThatStopsAfterSixtyFourCallsIsRefuted)
{
    const Correctness correctness = judged(cheat("sum", "counter-64"));
    EXPECT_EQ(correctness.result, CorrectnessResult::incorrectWhenTimed);
    ASSERT_TRUE(correctness.witness);
    EXPECT_EQ(correctness.witness->buffer, "out");
    EXPECT_TRUE(correctness.witness->pass);
}

TEST_F(ProvenPasses, AKernelThatReturnsWhereItsOutputLooksWrittenIsRefuted)
{
    EXPECT_TRUE(isRefuted(judged(cheat("scale", "sentinel-first")).result));
}

TEST_F(ProvenPasses, AVariableThatChangesIsNamed)
{
    WorkSpec work = copyWork("__device__ int calls; " + test::kernelText("if (i == 0) ++calls; if (i < n) out[i] = in[i];"));
    const Correctness correctness = judged(work);
    EXPECT_EQ(correctness.result, CorrectnessResult::stateful);
    ASSERT_TRUE(correctness.witness);
    EXPECT_EQ(correctness.witness->global, "calls");
    work.state = {"calls"};
    EXPECT_EQ(judged(work).result, CorrectnessResult::correct);
    work.state = {"missing"};
    EXPECT_FALSE(measure(work));
}

TEST_F(ProvenPasses, ACheatIsNoSideOfAComparison)
{
    AbRequest request;
    request.a = cheat("sum", "honest");
    request.b = cheat("sum", "counter-64");
    const Result<AbAnswer> answer = interleave(*worker(), request);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::validationFailed);
    EXPECT_TRUE(answer->blocks.empty());
    EXPECT_FALSE(isRefuted(answer->correctnessA.result));
    EXPECT_TRUE(isRefuted(answer->correctnessB.result));
}

TEST_F(ProvenPasses, ATrialOfASearchIsProvenToo)
{
    RunRequest request;
    for (const WorkSpec& work : {cheat("sum", "counter-64"), cheat("scale", "sentinel-first")}) {
        request = requestFor(work);
        request.trial = true;
        const Result<RunAnswer> refuted = run(*worker(), request);
        ASSERT_TRUE(refuted) << refuted.error().message;
        EXPECT_EQ(refuted->status, ResultStatus::validationFailed) << work.kernel;
    }
    request.work = cheat("sum", "honest");
    for (int i = 0; i < 2; ++i) {
        const Result<RunAnswer> honest = run(*worker(), request);
        ASSERT_TRUE(honest) << honest.error().message;
        EXPECT_EQ(honest->correctness.result, CorrectnessResult::correct) << honest->reason;
        EXPECT_TRUE(honest->timing);
    }
}

TEST_F(ProvenPasses, AKernelCannotTakeTheNameOfACheckingOne)
{
    WorkSpec work = copyWork();
    work.launches[0].entry = "klp_check_f32";
    EXPECT_FALSE(measure(work));
}

} // namespace
} // namespace kl
