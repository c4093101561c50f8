// SPDX-License-Identifier: MIT
// A sweep's rows, its table and which failures end it; what differs between two runs.
#include "core/base/format.h"
#include "sessions/measure/differences.h"
#include "sessions/measure/sweep.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

SweepRow sweepRow(const Params& problem, double ns = 2000)
{
    RunRecord run = support::timedRun("run", "naive", "2026-01-01T00:00:00.000Z", ns);
    run.idealBytes = 4096;
    run.flops = 1000;
    run.speedup = 0.5;
    run.baseline = Baseline{"device copy, of \"bytes\"", Summary{ns / 2, ns / 2, ns / 2, 5}, {}, {}, {}};
    return {run.kernel, problem, run, {}};
}

TEST(SweepRow, HasRatesOfAUsableTimeOnly)
{
    SweepRow good = sweepRow({{"M", std::int64_t{64}}});
    EXPECT_DOUBLE_EQ(*good.bytesPerSecond(), 4096 / 2000.0 * 1e9);
    EXPECT_DOUBLE_EQ(*good.flopsPerSecond(), 1000 / 2000.0 * 1e9);
    EXPECT_EQ(good.speedup(), 0.5);
    good.run->flops = 0;
    EXPECT_FALSE(good.flopsPerSecond()) << "a kernel without a formula has no rate";
    SweepRow wrong = sweepRow({});
    wrong.run->correctness.result = CorrectnessResult::incorrect;
    EXPECT_FALSE(wrong.ns());
    EXPECT_FALSE(wrong.bytesPerSecond());
    EXPECT_FALSE(wrong.speedup());
    EXPECT_FALSE((SweepRow{{}, {}, {}, "not recorded"}.bytesPerSecond()));
    EXPECT_EQ(toJson(wrong)["correctness"], "incorrect");
    EXPECT_TRUE(toJson(wrong)["gpu_ns"].is_null());
    EXPECT_EQ(toJson(wrong)["run"], "run");
}

TEST(SweptAxes, AreThoseWithSeveralValuesTheMostFirst)
{
    std::vector<SweepRow> rows;
    for (const std::int64_t n : {1, 2, 3})
        for (const std::int64_t m : {7, 8})
            rows.push_back(sweepRow({{"A", std::int64_t{5}}, {"B", m}, {"M", m}, {"N", n}}));
    EXPECT_THAT(listSweptAxes(rows), ElementsAre("N", "B", "M"));
    EXPECT_THAT(listSweptAxes({rows.front()}), IsEmpty());
}

TEST(SweepCsv, HasAColumnPerAxisAndQuotesWhatNeedsIt)
{
    std::vector<SweepRow> rows{sweepRow({{"M", std::int64_t{64}}}), sweepRow({{"N", std::int64_t{8}}})};
    rows[1].run.reset();
    rows[1].missing = "not recorded";
    EXPECT_EQ(sweepCsv(rows), "kernel,M,N,gpu_ns,bytes_per_s,flops_per_s,speedup,baseline,class,correctness,run,missing\n"
                              "transpose/naive,64,,2000.0,2048000000.0,500000000.0,0.5,\"device copy, of \"\"bytes\"\"\",,correct,run,\n"
                              "transpose/naive,,8,,,,,,,,,not recorded\n");
}

class SweepTest : public EngineTest {
protected:
    Result<std::vector<SweepRow>> sweepSizes(const std::vector<std::string>& sizes, const std::function<void(const SweepRow&)>& onRow = {})
    {
        std::vector<std::pair<Address, Params>> points;
        for (const std::string& size : sizes)
            points.emplace_back(Address{"transpose", "naive", {}}, unwrap(parseParams(size)));
        return sweep(bench, points, {}, {}, onRow);
    }
};

TEST_F(SweepTest, AnUnusableSizeIsARowUnlessEverySizeIs)
{
    std::vector<std::string> reported;
    const auto rows = unwrap(sweepSizes({"X=1", "M=64,N=64", "X=2"}, [&](const SweepRow& one) { reported.push_back(one.missing); }));
    ASSERT_THAT(rows, SizeIs(3));
    EXPECT_FALSE(rows[0].missing.empty());
    EXPECT_TRUE(rows[1].missing.empty());
    EXPECT_EQ(rows[1].classId(), "uncoalesced");
    EXPECT_EQ(rows[1].ns(), 400'000);
    EXPECT_FALSE(rows[2].missing.empty());
    EXPECT_THAT(reported, ElementsAre(rows[0].missing, "", rows[2].missing));
    const auto none = sweepSizes({"X=1", "X=2"});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::badInput);
}

TEST_F(SweepTest, WhatHoldsForEverySizeEndsIt)
{
    for (const ErrorCode code : {ErrorCode::interrupted, ErrorCode::environment, ErrorCode::internal}) {
        gpu.failWith = Error{.code = code, .message = "m"};
        const auto ended = sweepSizes({"M=64,N=64", "M=32,N=32"});
        ASSERT_FALSE(ended) << toString(code);
        EXPECT_EQ(ended.error().code, code);
    }
    gpu.failWith = Error{.code = ErrorCode::notRecorded, .message = "m", .hint = "h"};
    const auto missing = unwrap(sweepSizes({"M=64,N=64", "M=32,N=32"}));
    ASSERT_THAT(missing, SizeIs(2));
    for (const SweepRow& one : missing) {
        EXPECT_NE(one.missing, "");
        EXPECT_NE(one.missing, "m") << "of a recording that goes without saying";
        EXPECT_EQ(one.hint, "h");
    }
}

std::vector<std::string> listNames(const std::vector<Difference>& rows)
{
    std::vector<std::string> names;
    for (const Difference& one : rows)
        names.push_back(one.name);
    return names;
}

TEST(Differences, ChangesAreRelativeToTheFirstSide)
{
    EXPECT_DOUBLE_EQ(*relativeChange(4, 5), 0.25);
    EXPECT_DOUBLE_EQ(*relativeChange(5, 4), -0.2);
    EXPECT_FALSE(relativeChange(0, 4));
    EXPECT_EQ(relativeChange(4, 0), -1);
    EXPECT_FALSE(relativeChange(4, {}));
    EXPECT_FALSE(relativeChange(std::numeric_limits<double>::infinity(), 4));
    EXPECT_FALSE(relativeChange(4, std::numeric_limits<double>::quiet_NaN()));
}

TEST(Differences, OfMetricsNameTheirSides)
{
    RunRecord a = support::timedRun("a", "naive", "2026-01-01T00:00:00.000Z", 100);
    RunRecord b = support::timedRun("b", "tiled", "2026-01-02T00:00:00.000Z", 50);
    a.timing->gpuHot = 80;
    b.timing->host = 300;
    a.memoryBytes = 1024;
    b.speedup = 1.5;
    a.metrics.emplace().values = {{"m.first", 1.0 / 3}, {"m.lost", std::nullopt}};
    b.metrics.emplace().values = {{"m.second", 7.0}};
    const std::vector<Difference> rows = metricDifferences(a, b);
    EXPECT_THAT(listNames(rows),
                ElementsAre("gpu_ns", "gpu_ns_hot", "host_ns", "speedup", "memory_bytes", "m.first", "m.lost", "m.second"));
    EXPECT_EQ(rows[0].a, "100");
    EXPECT_EQ(rows[0].b, "50");
    EXPECT_EQ(rows[0].change, -0.5);
    EXPECT_EQ(rows[1].a, "80");
    EXPECT_EQ(rows[1].b, kNoValue);
    EXPECT_EQ(rows[2].b, "300");
    EXPECT_EQ(rows[3].b, "1.5");
    EXPECT_EQ(rows[4].a, "1024");
    EXPECT_EQ(rows[5].a, "0.333333");
    EXPECT_EQ(rows[6].a, kNoValue);
    EXPECT_EQ(rows[7].b, "7");
    b.timing->energy.emplace().perLaunchJ = 0.25;
    EXPECT_EQ(metricDifferences(a, b)[5].name, "energy_per_launch_j") << "one side is enough";
    EXPECT_EQ(metricDifferences(a, b)[5].b, "0.25");
}

TEST(Differences, OfTheEnvironmentAreOnlyThoseThereAre)
{
    const RunRecord a = support::timedRun("a", "naive", "2026-01-01T00:00:00.000Z", 100);
    EXPECT_THAT(environmentDifferences(a, a), IsEmpty());
    RunRecord b = a;
    b.device.name = "NVIDIA L4";
    b.device.uuid = "GPU-2";
    b.device.driverVersion = "580.2";
    b.source = Source::sample;
    b.problem = {{"M", std::int64_t{32}}};
    b.sourceHash = "other";
    b.timing->clockMhz = 1500;
    b.warnings.push_back({"clock-unlocked", "w"});
    const std::vector<Difference> rows = environmentDifferences(a, b);
    EXPECT_THAT(listNames(rows), ElementsAre("device", "device uuid", "driver", "source", "problem", "source hash", "clock_mhz", "clocks"));
    EXPECT_EQ(rows[0].b, "NVIDIA L4");
    EXPECT_EQ(rows[2].a, kNoValue) << "unknown there";
    EXPECT_EQ(rows[3].a, "live");
    EXPECT_EQ(rows[3].b, "sample");
    EXPECT_EQ(rows[7].a, "locked");
    EXPECT_EQ(rows[7].b, "free");
    b.warnings.front().code = "clock-base";
    EXPECT_EQ(clockState(b), "locked");
}

TEST(Differences, OfTunablesAreVariantAndEachTunable)
{
    const Address a{"attention", "fused", {{"SPLIT", std::int64_t{1}}, {"WARPS", std::int64_t{4}}}};
    const Address b{"attention", "hopper", {{"STAGES", std::int64_t{2}}, {"WARPS", std::int64_t{4}}}};
    const std::vector<Difference> rows = tunableDifferences(a, b);
    EXPECT_THAT(listNames(rows), ElementsAre("variant", "SPLIT", "STAGES"));
    EXPECT_EQ(rows[1].a, "1");
    EXPECT_EQ(rows[1].b, "default");
    EXPECT_EQ(rows[2].a, "default");
    EXPECT_EQ(rows[2].b, "2");
    EXPECT_THAT(tunableDifferences(a, a), IsEmpty());
}

TEST_F(SweepTest, UnusableSizesAreAnErrorWhereNoOtherCame)
{
    EXPECT_EQ(unwrap(sweepSizes({"M=64,N=64", "X=1"})).size(), 2U) << "the last is unusable";
    EXPECT_EQ(unwrap(sweepSizes({"X=1", "X=2", "M=64,N=64"})).size(), 3U) << "the last is usable";
    const auto none = sweepSizes({"X=1", "Y=2"});
    const auto first = sweepSizes({"X=1"});
    ASSERT_TRUE(!none && !first);
    EXPECT_EQ(none.error().message, first.error().message) << "of the first";
    gpu.failWith = Error{.code = ErrorCode::notRecorded, .message = "m", .hint = "h"};
    EXPECT_EQ(unwrap(sweepSizes({"X=1", "M=64,N=64"})).size(), 2U) << "one is usable, though not recorded";
}

TEST_F(SweepTest, RowsHaveTheirKernelAndProblemInJson)
{
    const std::vector<SweepRow> rows = unwrap(sweepSizes({"M=64,N=64", "X=1"}));
    const Json known = toJson(rows[0]), missing = toJson(rows[1]);
    EXPECT_EQ(known["kernel"], "transpose/naive");
    EXPECT_EQ(known["problem"], "M=64,N=64");
    EXPECT_EQ(known["gpu_ns"], 400'000);
    EXPECT_EQ(known["class"], "uncoalesced");
    EXPECT_EQ(known["correctness"], "correct");
    EXPECT_EQ(known["run"], rows[0].run->id.text);
    EXPECT_EQ(known["speedup"], 0.125);
    EXPECT_EQ(known["missing"], nullptr);
    EXPECT_EQ(missing["problem"], "X=1");
    EXPECT_EQ(missing["missing"], rows[1].missing);
    for (const char* key : {"gpu_ns", "bytes_per_s", "flops_per_s", "speedup", "baseline", "class", "correctness", "run"})
        EXPECT_EQ(missing[key], nullptr) << key;
}

} // namespace
} // namespace kl::test
