// SPDX-License-Identifier: MIT
// Kernels that need what newer chips have, through the same path as kloop run: tests/data/modern.

#include "kernels/model/chip.h"
#include "kernels/work_builder.h"
#include "live_worker.h"
#include "tests/support/modern_kernels.h"

namespace kl {
namespace {

class ModernKernels : public test::LiveWorker {
protected:
    static DeviceInfo device() { return worker()->hello().devices.front(); }

    /// Each variant that this chip runs, on its suite and its first problem.
    void isRight(const std::string& name)
    {
        const Result<KernelFamily> family = test::modernKernel(name);
        ASSERT_TRUE(family) << family.error().message;
        const Chip chip = toChip(device());
        for (const Variant& variant : family->variants) {
            if (!runsOn(variant.targets, chip))
                GTEST_SKIP() << name << " is not written for " << device().name;
            RunRequest request = requestFor(*buildWork(*family, variant, {}, {}, chip));
            for (const Params& problem : family->suite)
                request.suite.push_back(*buildWork(*family, variant, {}, problem, chip));
            const Result<RunAnswer> answer = run(*worker(), request);
            ASSERT_TRUE(answer) << answer.error().message << ' ' << answer.error().detail;
            EXPECT_EQ(answer->status, ResultStatus::ok) << request.work.kernel << ": " << answer->reason;
            EXPECT_EQ(answer->correctness.result, CorrectnessResult::correct) << request.work.kernel << ": " << answer->correctness.reason;
            EXPECT_TRUE(answer->timing) << request.work.kernel;
            for (const SuiteRow& row : answer->correctness.suite)
                EXPECT_TRUE(row.pass) << request.work.kernel << ' ' << row.problem << ": " << row.reason;
        }
    }
};

TEST_F(ModernKernels, TensorCopies)
{
    isRight("tma");
}

TEST_F(ModernKernels, ClustersExchangeTheirSharedMemory)
{
    isRight("cluster");
}

TEST_F(ModernKernels, CooperativeBlocksWaitForEachOther)
{
    isRight("cooperative");
}

TEST_F(ModernKernels, DependentLaunchesOverlap)
{
    isRight("dependent");
}

TEST_F(ModernKernels, ScalarsOfEveryType)
{
    isRight("scalars");
}

TEST_F(ModernKernels, BuffersOfEveryType)
{
    isRight("types");
    const Result<KernelFamily> family = test::modernKernel("types");
    for (int type = 1; type <= 7; ++type) { // each timed and proven, too
        const Result<WorkSpec> work = buildWork(*family, family->variants[0], {}, {{"T", type}}, toChip(device()));
        ASSERT_TRUE(work) << work.error().message;
        const Result<RunAnswer> answer = measure(*work);
        ASSERT_TRUE(answer) << answer.error().message << ' ' << answer.error().detail;
        EXPECT_EQ(answer->correctness.result, CorrectnessResult::correct) << work->problem << ": " << answer->correctness.reason;
    }
}

TEST_F(ModernKernels, AWrongElementOfEachTypeIsFound)
{
    const Result<KernelFamily> family = test::modernKernel("types");
    for (int type = 1; type <= 7; ++type) {
        Result<WorkSpec> work = buildWork(*family, family->variants[0], {}, {{"T", type}}, toChip(device()));
        ASSERT_TRUE(work) << work.error().message;
        work->reference.expression = "x(i)"; // which is not what the kernel computes
        const Result<RunAnswer> answer = measure(*work);
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->status, ResultStatus::validationFailed) << work->problem;
    }
}

TEST_F(ModernKernels, WhatTheChipIsNotIsRefusedBeforeItCompiles)
{
    WorkSpec work = copyWork();
    work.targets = {device().ccMajor == 10 ? "sm_90a" : "sm_100a"};
    const Result<RunAnswer> answer = measure(work);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::environment);
    EXPECT_NE(answer.error().message.find(work.kernel), std::string::npos) << answer.error().message;
    nextRequestWorks();
}

TEST_F(ModernKernels, MoreBlocksThanFitCannotCooperate)
{
    const Result<KernelFamily> family = test::modernKernel("cooperative");
    Result<WorkSpec> work = buildWork(*family, family->variants[0], {}, {}, toChip(device()));
    ASSERT_TRUE(work);
    work->launches[0].grid = {1 << 20, 1, 1};
    const Result<RunAnswer> answer = measure(*work);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::deviceLimitsExceeded) << answer->reason;
    nextRequestWorks();
}

TEST_F(ModernKernels, ClustersShowInTheFacts)
{
    if (device().ccMajor < 9)
        GTEST_SKIP() << "no clusters on " << device().name;
    const Result<KernelFamily> family = test::modernKernel("cluster");
    const Result<RunAnswer> answer = measure(*buildWork(*family, family->variants[0], {}, {}, toChip(device())));
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_EQ(answer->launches.size(), 1U);
    EXPECT_EQ(answer->launches[0].clusterBlocks, 2);
    EXPECT_GT(answer->launches[0].waves, 0);
}

} // namespace
} // namespace kl
