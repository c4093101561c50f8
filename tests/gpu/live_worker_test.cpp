// SPDX-License-Identifier: MIT
// The worker on a real GPU: kernels that misbehave end as failed runs with their reason, and the next request works.

#include "live_worker.h"

namespace kl {
namespace {

using test::kernelText;
using test::LiveWorker;

TEST_F(LiveWorker, ARightKernelIsMeasured)
{
    const Result<RunAnswer> answer = measure(copyWork());
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_TRUE(answer->timing);
    EXPECT_GE(answer->timing->gpu.n, 10);
    EXPECT_GT(answer->timing->gpu.median, 0);
    EXPECT_FALSE(answer->launches.empty());
    EXPECT_GT(answer->launches.front().registers, 0);
}

TEST_F(LiveWorker, AFaultIsAFailedRunAndTheNextRequestWorks)
{
    const Result<RunAnswer> answer = measure(copyWork(kernelText("    out[i + (1ll << 40)] = in[0];")));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::computationFailed);
    EXPECT_FALSE(answer->reason.empty());
    nextRequestWorks();
}

TEST_F(LiveWorker, AHangIsAFailedRunAndTheNextRequestWorks)
{
    const Result<RunAnswer> answer =
        measure(copyWork(kernelText("    volatile float* poll = out; while (poll[0] != 12345.0f) { }\n    out[i] = in[i];")));
    if (answer) {
        EXPECT_EQ(answer->status, ResultStatus::computationFailed);
        EXPECT_FALSE(answer->reason.empty());
    } else {
        EXPECT_EQ(answer.error().code, ErrorCode::kernelFailed) << answer.error().message;
    }
    nextRequestWorks();
}

TEST_F(LiveWorker, EatingAllMemoryIsAFailedRunAndTheNextRequestWorks)
{
    WorkSpec work = copyWork();
    work.buffers.front().count = std::int64_t{1} << 42;
    const Result<RunAnswer> answer = measure(work);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::deviceLimitsExceeded) << answer->reason;
    nextRequestWorks();
}

TEST_F(LiveWorker, ACompileErrorCarriesTheLog)
{
    const Result<RunAnswer> answer = measure(copyWork(kernelText("    out[i] = nothing_of_that_name;")));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::compilationFailed);
    EXPECT_NE(answer->reason.find("nothing_of_that_name"), std::string::npos) << answer->reason;
    nextRequestWorks();
}

TEST_F(LiveWorker, AWrongResultIsCaughtBySizeAndReason)
{
    const Result<RunAnswer> answer = measure(copyWork(kernelText("    if (i < n) out[i] = in[i] + (i == 77 ? 1.0f : 0.0f);")));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::validationFailed);
    EXPECT_NEAR(answer->correctness.maxAbs, 1.0, 1e-5);
    EXPECT_FALSE(answer->timing) << "no timing counts for an incorrect kernel";
}

TEST_F(LiveWorker, UnwrittenOutputIsCounted)
{
    const Result<RunAnswer> answer = measure(copyWork(kernelText("    if (i < n && i % 4096 != 5) out[i] = in[i];")));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::validationFailed);
    EXPECT_EQ(answer->correctness.unwritten, 1);
}

TEST_F(LiveWorker, PassesThatRanAreThosePlanned)
{
    for (const int tier : {0, 1, 2}) {
        ProfileRequest request;
        request.run.work = copyWork();
        request.run.withBaseline = false;
        request.tier = tier;
        const Result<RunAnswer> answer = profile(*worker(), request);
        ASSERT_TRUE(answer) << answer.error().message;
        ASSERT_TRUE(answer->metrics) << "tier " << tier;
        EXPECT_EQ(answer->metrics->plan.passes, answer->metrics->plan.ran);
    }
}

/// Tier 0 of a copy of N floats; nothing where it could not be collected, which fails the test.
std::optional<MetricSet> profileCopy(Collector& worker, const Catalog& catalog, const std::string& problem)
{
    const Result<WorkSpec> work = catalog.work({"copy", "vector", {}}, *parseParams(problem));
    EXPECT_TRUE(work) << work.error().message;
    ProfileRequest request;
    request.run.work = *work;
    request.run.withBaseline = false;
    request.tier = 0;
    const Result<RunAnswer> answer = profile(worker, request);
    EXPECT_TRUE(answer) << answer.error().message;
    if (!answer || !answer->metrics) {
        ADD_FAILURE() << (answer && !answer->warnings.empty() ? answer->warnings.back().text : "no metrics");
        return {};
    }
    EXPECT_GT(answer->timing->gpu.median, 0); // activity records come while the counters are held
    return answer->metrics;
}

TEST_F(LiveWorker, CountersThatStaySetUpCountEachLaunchByItself)
{
    for (const double floats : {4e6, 16e6, 4e6}) {
        const auto set = profileCopy(*worker(), *catalog, "N=" + std::to_string(static_cast<int>(floats)));
        ASSERT_TRUE(set);
        EXPECT_NEAR(set->values.at("dram__bytes_read.sum").value_or(0), 4 * floats, 0.05 * 4 * floats);
    }
}

TEST_F(LiveWorker, CountersThatAreHeldDoNotKeepAnotherWorkerOut)
{
    ASSERT_TRUE(profileCopy(*worker(), *catalog, "N=4000000"));
    const std::unique_ptr<Collector> other = test::freshWorker();
    ASSERT_TRUE(other);
    EXPECT_TRUE(profileCopy(*other, *catalog, "N=4000000"));
    EXPECT_TRUE(profileCopy(*worker(), *catalog, "N=4000000"));
}

TEST_F(LiveWorker, AbGivesTenBlocksWithAsManySamplesOnBothSides)
{
    AbRequest request;
    request.a = request.b = copyWork();
    const Result<AbAnswer> answer = interleave(*worker(), request);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->blocks.size(), 10U);
    for (const AbBlock& block : answer->blocks) {
        EXPECT_EQ(block.a.size(), block.b.size());
        EXPECT_EQ(block.a.size(), 40U); // a short pass: 20 groups; the launches that prime are none of it
    }
}

} // namespace
} // namespace kl
