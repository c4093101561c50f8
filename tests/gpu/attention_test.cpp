// SPDX-License-Identifier: MIT
// Attention on a GPU: points from all corners of its space on the whole suite, and the indexing bug of tests/data/attention_bug told by
// size.

#include "kernels/baseline_choice.h"
#include "kernels/user_kernel.h"
#include "kernels/work_builder.h"
#include "live_worker.h"

namespace kl {
namespace {

class Attention : public test::LiveWorker {
protected:
    /// The suite's rows; the run on the smallest problem is right or wrong with them.
    static std::vector<SuiteRow> runSuite(const KernelFamily& family, const Variant& variant, const Params& tunables)
    {
        const Result<WorkSpec> smallest = buildWork(family, variant, tunables, family.smallest);
        EXPECT_TRUE(smallest) << (smallest ? "" : smallest.error().message);
        RunRequest request = requestFor(*smallest);
        for (const Params& size : family.suite) {
            Result<WorkSpec> work = buildWork(family, variant, tunables, size);
            EXPECT_TRUE(work) << (work ? "" : work.error().message);
            request.suite.push_back(std::move(*work));
        }
        const Result<RunAnswer> answer = run(*worker(), request);
        EXPECT_TRUE(answer) << (answer ? "" : answer.error().message);
        return answer ? answer->correctness.suite : std::vector<SuiteRow>{};
    }
};

TEST_F(Attention, CornersOfTheSpaceAreRightOnTheWholeSuite)
{
    const KernelFamily* family = *catalog->family("attention");
    std::vector<const char*> points{
        "attention/fused@BLOCK_M=64",
        "attention/fused@BLOCK_M=128,BLOCK_N=128,STAGES=1",
        "attention/fused@BLOCK_M=32,BLOCK_N=32,WARPS=2,SPLIT_KV=on",
        "attention/fused@BLOCK_M=128,BLOCK_N=64,WARPS=8,SWIZZLE=pad,HALF2=off",
        "attention/fused@BLOCK_N=128,UNROLL=1,SWIZZLE=none,SPLIT_KV=on,MIN_BLOCKS=2",
    };
    if (worker()->hello().devices.front().ccMajor == 9)
        points.insert(points.end(),
                      {"attention/hopper", "attention/hopper@CONSUMERS=1,KEYS=32,BUFFERS=2",
                       "attention/hopper@CONSUMERS=2,KEYS=176,BUFFERS=2,TURNS=off", "attention/hopper@CONSUMERS=2,OVERLAP=off",
                       "attention/hopper-short", "attention/hopper-short@CONSUMERS=1,KEYS=128,BUFFERS=1"});
    for (const char* point : points) {
        const Result<Address> address = parseAddress(point);
        ASSERT_TRUE(address) << point;
        const std::vector<SuiteRow> rows = runSuite(*family, **catalog->variant(*address), address->tunables);
        EXPECT_EQ(rows.size(), family->suite.size()) << point;
        for (const SuiteRow& row : rows)
            EXPECT_TRUE(row.pass) << point << " at " << row.problem << ": " << row.reason;
    }
}

TEST_F(Attention, TheIndexingBugIsFoundBySize)
{
    const std::filesystem::path built = KL_SOURCE_DIR "/tests/data/attention_bug";
    const Result<KernelFamily> family = loadKernel(std::filesystem::exists(built) ? built.string() : "tests/data/attention_bug");
    ASSERT_TRUE(family) << family.error().message;
    for (const Variant& variant : family->variants)
        for (const SuiteRow& row : runSuite(*family, variant, {})) {
            const bool hit = variant.id == "modulo" && *numberIn(*parseParams(row.problem), "S") > 32;
            EXPECT_EQ(row.pass, !hit) << variant.id << " at " << row.problem << ": " << row.reason;
            if (hit) {
                ASSERT_TRUE(row.firstWrong) << row.problem;
                EXPECT_EQ(row.firstWrong->index / 64, 32) << row.problem;
            }
        }
}

TEST_F(Attention, LibrariesComputeTheSameAndAreTimed)
{
    for (const char* problem : {"B=2,H=8,S=512,D=64,CAUSAL=0", "B=2,H=3,S=333,D=128,CAUSAL=1,BF16=1"}) {
        const Result<WorkSpec> work = catalog->work({"attention", "fused", {}}, *parseParams(problem));
        ASSERT_TRUE(work) << work.error().message;
        RunRequest request = requestFor(*work);
        request.withBaseline = true;
        Result<std::vector<BaselineSpec>> named = findNamedBaselines(
            **catalog->family("attention"), **catalog->variant({"attention", "fused", {}}), {}, *parseParams(problem), {"all"});
        ASSERT_TRUE(named) << named.error().message;
        request.baselines = std::move(*named);
        const Result<RunAnswer> answer = run(*worker(), request);
        ASSERT_TRUE(answer) << answer.error().message;
        ASSERT_EQ(answer->baselines.size(), 7u);
        for (const Baseline& baseline : answer->baselines) {
            if (!baseline.gpu) {
                EXPECT_FALSE(baseline.unavailable.empty()) << baseline.id << " on " << problem;
                continue;
            }
            EXPECT_GT(baseline.gpu->median, 0) << baseline.id;
            EXPECT_FALSE(baseline.version.empty()) << baseline.id;
            EXPECT_FALSE(baseline.kernels.empty()) << baseline.id;
            ASSERT_TRUE(baseline.maxAbs) << baseline.id << " on " << problem;
            if (baseline.id.starts_with("sdpa")) {
                EXPECT_GE(static_cast<double>(baseline.memoryBytes.value_or(0)), work->idealBytes) << baseline.id << ": inputs and output";
            }
            EXPECT_LE(*baseline.maxAbs, work->tolerance.maxAbs) << baseline.id << " on " << problem;
        }
        EXPECT_EQ(answer->correctness.peerMaxAbs.has_value(), answer->baselines.front().gpu.has_value()) << problem;
    }
}

} // namespace
} // namespace kl
