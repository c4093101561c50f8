// SPDX-License-Identifier: MIT
#include "core/stats/ab.h"
#include "sessions/measure/noise_floor.h"
#include "tests/sessions/engine_support.h"

namespace kl::test {
namespace {

NoiseRecord makeRecord(const std::string& id, const std::string& kernel, double noise, const std::string& at = "2026-01-01T00:00:00.000Z")
{
    NoiseRecord record;
    record.id = id;
    record.deviceUuid = "GPU-fake";
    record.deviceName = "Fake H200";
    record.driver = "580.1";
    record.source = Source::sample;
    record.kernel = kernel;
    record.problem = "M=4096,N=4096";
    record.noise = noise;
    record.ratios = {1 + noise, 1 - noise};
    record.equivalent = 2;
    record.at = at;
    return record;
}

TEST_F(EngineTest, ANoiseRecordComesBackExactlyAndOnce)
{
    const NoiseRecord record = makeRecord("n1", "transpose/naive", 0.004);
    ASSERT_TRUE(store->saveNoise(record));
    ASSERT_TRUE(store->saveNoise(record));
    EXPECT_EQ(unwrap(store->noise()), std::vector<NoiseRecord>{record});
}

TEST_F(EngineTest, CalibratingSetsAKernelAgainstItself)
{
    gpu.spread = 0.004;
    const NoiseRecord record = unwrap(bench.calibrate(kNaive, {}, 3));
    EXPECT_EQ(record.ratios.size(), 3U);
    EXPECT_EQ(record.kernel, "transpose/naive");
    EXPECT_EQ(record.problem, "M=4096,N=4096");
    EXPECT_EQ(record.deviceUuid, "GPU-fake");
    EXPECT_EQ(record.equivalent, 3);
    EXPECT_EQ(record.different, 0);
    EXPECT_DOUBLE_EQ(record.noise, computeNoise(record.ratios));
    EXPECT_EQ(unwrap(bench.calibrate(kNaive, {}, 3)).id, record.id); // replayed: the same row
    EXPECT_EQ(unwrap(store->noise()).size(), 1U);
}

TEST_F(EngineTest, RepeatsAreRequestsOfTheirOwnAndOnlyTheFirstChecks)
{
    std::vector<Json> bodies;
    class Listening : public FakeCollector {
    public:
        explicit Listening(std::vector<Json>& heard) : heard_(heard) {}
        Result<Json> ask(Verb verb, const Json& body, const Job& job) override
        {
            heard_.push_back(body);
            return FakeCollector::ask(verb, body, job);
        }
        std::vector<Json>& heard_;
    } listening(bodies);
    TestBench here(catalog, tree, listening, *store);
    ASSERT_TRUE(here.calibrate(kNaive, {}, 3));
    ASSERT_EQ(bodies.size(), 3U);
    EXPECT_EQ(bodies[0]["first_block"], 0);
    EXPECT_EQ(bodies[2]["first_block"], 40);
    EXPECT_TRUE(bodies[0]["check"].is_null());
    EXPECT_EQ(bodies[1]["check"], false);
}

TEST_F(EngineTest, AWrongKernelHasNoNoise)
{
    gpu.kernels["transpose/naive"].right = false;
    const Result<NoiseRecord> record = bench.calibrate(kNaive, {}, 3);
    ASSERT_FALSE(record);
    EXPECT_EQ(record.error().code, ErrorCode::notComparable);
    EXPECT_TRUE(unwrap(store->noise()).empty());
}

TEST_F(EngineTest, WithoutACalibrationTheVerdictSaysSo)
{
    const Comparison comparison = unwrap(bench.ab(kNaive, kTiled, {}));
    EXPECT_EQ(comparison.verdict, Verdict::faster);
    EXPECT_FALSE(comparison.noise.value);
    EXPECT_EQ(comparison.noise, noiseFloor(*store, gpu.hello().devices.front(), Source::sample, {"transpose/naive", "transpose/tiled"}));
    ASSERT_FALSE(comparison.warnings.empty());
    EXPECT_EQ(comparison.warnings.back().code, "noise-not-calibrated");
    EXPECT_EQ(unwrap(store->comparison(comparison.id)), comparison);
}

TEST_F(EngineTest, AVerdictIsHeldAgainstTheNoiseOfItsKernels)
{
    ASSERT_TRUE(store->saveNoise(makeRecord("n1", "transpose/tiled", 0.6)));
    const Comparison comparison = unwrap(bench.ab(kNaive, kTiled, {})); // 2×, an effect of 100 %, below 2 × 60 %
    EXPECT_EQ(comparison.verdict, Verdict::inconclusive);
    EXPECT_EQ(comparison.reason, "effect-below-noise");
    EXPECT_EQ(comparison.blocks, 20);
    EXPECT_EQ(comparison.noise.value, 0.6);
    EXPECT_NE(comparison.noise.from.find("transpose/tiled"), std::string::npos);
}

TEST_F(EngineTest, TheNoiseOfAKernelGoesBeforeTheDevicesWorst)
{
    const DeviceInfo device = gpu.hello().devices.front();
    const auto floor = [&](const char* kernel) { return noiseFloor(*store, device, Source::sample, {kernel}); };
    ASSERT_TRUE(store->saveNoise(makeRecord("n1", "transpose/naive", 0.004)));
    ASSERT_TRUE(store->saveNoise(makeRecord("n2", "copy/strided", 0.009)));
    EXPECT_EQ(floor("transpose/naive").value, 0.004);
    EXPECT_EQ(floor("reduction/divergent").value, 0.009);
    EXPECT_NE(floor("reduction/divergent").from.find("copy/strided"), std::string::npos);
    EXPECT_NE(floor("reduction/divergent").from, floor("copy/strided").from) << "it is another kernel's";
    ASSERT_TRUE(store->saveNoise(makeRecord("n3", "copy/strided", 0.002, "2026-02-01T00:00:00.000Z"))); // newer: the older is out of date
    EXPECT_EQ(floor("reduction/divergent").value, 0.004);
    ASSERT_TRUE(store->setSetting("accepted-noise", "0.03"));
    EXPECT_EQ(floor("transpose/naive").value, 0.03);
    ASSERT_TRUE(store->setSetting("accepted-noise:" + device.name, "0.05"));
    EXPECT_EQ(floor("transpose/naive").value, 0.05) << "what is accepted of this device goes before what is accepted of all";
}

TEST_F(EngineTest, AnotherDeviceDriverOrSourceHasAnotherNoise)
{
    ASSERT_TRUE(store->saveNoise(makeRecord("n1", "transpose/naive", 0.004)));
    const DeviceInfo here = gpu.hello().devices.front();
    DeviceInfo other = here;
    other.uuid = "GPU-2";
    DeviceInfo updated = here;
    updated.driverVersion = "590";
    EXPECT_TRUE(noiseFloor(*store, here, Source::sample, {"transpose/naive"}).value);
    EXPECT_FALSE(noiseFloor(*store, other, Source::sample, {"transpose/naive"}).value);
    EXPECT_FALSE(noiseFloor(*store, updated, Source::sample, {"transpose/naive"}).value);
    EXPECT_FALSE(noiseFloor(*store, here, Source::live, {"transpose/naive"}).value);
}

TEST_F(EngineTest, GateFiveDoesNotKeepAGainThatIdenticalCodeMayShow)
{
    ASSERT_TRUE(store->saveNoise(makeRecord("n1", "transpose/naive", 0.6)));
    const Comparison comparison = unwrap(bench.ab(kNaive, kTiled, {}, 1.2));
    EXPECT_EQ(judgeKeep(*comparison.ratio, comparison.blocks, 1.2, *comparison.noise.value), KeepDecision::inconclusive);
}

} // namespace
} // namespace kl::test
