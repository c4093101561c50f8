// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "kernels/data/numbers.h"
#include "profiler/live/measure/correctness.h"
#include "tests/support/snapshot.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace kl {
namespace {

BufferSpec spec(DType type, Fill fill, std::int64_t count, double scale = 1)
{
    return {"x", type, count, BufferRole::input, fill, scale};
}

template <class T> std::vector<std::byte> raw(const std::vector<T>& values)
{
    std::vector<std::byte> data(values.size() * sizeof(T));
    std::memcpy(data.data(), values.data(), data.size());
    return data;
}

TEST(LiveNumbers, OneElementIn256IsAnOutlier)
{
    constexpr std::size_t kCount = 1 << 16;
    const auto plain = toDoubles(fillBuffer(spec(DType::f32, Fill::normal, kCount), 1, 0).data(), DType::f32, kCount);
    const auto spiked = toDoubles(fillBuffer(spec(DType::f32, Fill::outliers, kCount), 1, 0).data(), DType::f32, kCount);
    int outliers = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
        outliers += plain[i] != spiked[i];
        EXPECT_TRUE(spiked[i] == plain[i] || std::abs(spiked[i] - 10 * plain[i]) <= 1e-5 * std::abs(spiked[i])) << i;
    }
    EXPECT_NEAR(outliers, 256, 60);
}

TEST(LiveNumbers, HalfKeepsExactValues)
{
    for (const float value : {0.0F, 1.0F, -2.5F, 65504.0F, 0x1p-14F, 0x1p-24F, 0.333251953125F})
        EXPECT_EQ(fromHalf(toHalf(value)), value);
}

TEST(LiveNumbers, HalfRoundsToNearestEven)
{
    EXPECT_EQ(fromHalf(toHalf(1.0F + 0x1p-11F)), 1.0F);               // a tie goes to the even neighbor
    EXPECT_EQ(fromHalf(toHalf(1.0F + 3 * 0x1p-11F)), 1.0F + 0x1p-9F); // and so upwards here
    EXPECT_EQ(fromHalf(toHalf(1.0F + 0x1.1p-11F)), 1.0F + 0x1p-10F);
}

TEST(LiveNumbers, HalfAllBitPatternsRoundTrip)
{
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const float value = fromHalf(static_cast<std::uint16_t>(bits));
        if (std::isnan(value))
            continue;
        ASSERT_EQ(toHalf(value), bits);
    }
}

TEST(LiveNumbers, HalfOverflowsToInfinityAndKeepsNan)
{
    EXPECT_TRUE(std::isinf(fromHalf(toHalf(65520.0F))));
    EXPECT_EQ(fromHalf(toHalf(65519.0F)), 65504.0F);
    EXPECT_TRUE(std::isnan(fromHalf(toHalf(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(LiveNumbers, BfloatRoundsToNearestEven)
{
    EXPECT_EQ(fromBfloat(toBfloat(1.0F + 0x1p-8F)), 1.0F);
    EXPECT_EQ(fromBfloat(toBfloat(1.0F + 3 * 0x1p-8F)), 1.0F + 0x1p-6F);
    EXPECT_TRUE(std::isnan(fromBfloat(toBfloat(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(LiveNumbers, PoisonIsRecognizedAndIsNoNumber)
{
    for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64}) {
        const auto data = fillBuffer(spec(type, Fill::poison, 5), 1, 0);
        for (std::size_t i = 0; i < 5; ++i) {
            EXPECT_TRUE(isPoison(data.data(), type, i));
            EXPECT_TRUE(std::isnan(elementAt(data.data(), type, i)));
        }
    }
}

TEST(LiveNumbers, FillIsDeterministicAndDependsOnSeedAndPosition)
{
    const BufferSpec s = spec(DType::f32, Fill::normal, 1001);
    EXPECT_EQ(fillBuffer(s, 7, 0), fillBuffer(s, 7, 0));
    EXPECT_NE(fillBuffer(s, 7, 0), fillBuffer(s, 8, 0));
    EXPECT_NE(fillBuffer(s, 7, 0), fillBuffer(s, 7, 1));
}

TEST(LiveNumbers, NormalHasItsMoments)
{
    const auto values = toDoubles(fillBuffer(spec(DType::f32, Fill::normal, 100000, 2), 3, 0).data(), DType::f32, 100000);
    double sum = 0;
    double squares = 0;
    for (const double value : values) {
        ASSERT_TRUE(std::isfinite(value));
        sum += value;
        squares += value * value;
    }
    EXPECT_NEAR(sum / 1e5, 0, 0.03);
    EXPECT_NEAR(squares / 1e5, 4, 0.1);
}

TEST(LiveNumbers, UniformStaysInItsRange)
{
    const auto values = toDoubles(fillBuffer(spec(DType::f64, Fill::uniform, 10000, 0.5), 3, 0).data(), DType::f64, 10000);
    for (const double value : values) {
        ASSERT_GE(value, -0.5);
        ASSERT_LT(value, 0.5);
    }
}

TEST(LiveNumbers, IntegersStaySmall)
{
    const auto values = toDoubles(fillBuffer(spec(DType::i32, Fill::normal, 1000), 3, 0).data(), DType::i32, 1000);
    for (const double value : values)
        ASSERT_LE(std::abs(value), 8);
}

TEST(LiveNumbers, RampCounts)
{
    const auto values = toDoubles(fillBuffer(spec(DType::f32, Fill::ramp, 4, 0.5), 3, 0).data(), DType::f32, 4);
    EXPECT_EQ(values, (std::vector<double>{0, 0.5, 1, 1.5}));
}

TEST(LiveCompare, EqualOutputPasses)
{
    const SuiteRow row = compareOutput(raw<float>({1, 2, 3}), DType::f32, {{}, {1, 2, 3}}, {});
    EXPECT_TRUE(row.pass);
    EXPECT_EQ(row.maxAbs, 0);
    EXPECT_EQ(row.relL2, 0);
}

TEST(LiveCompare, CountsUnwrittenBeforeNonFinite)
{
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    std::vector<std::byte> data = raw<float>({1, 2, kInfinite, kInfinite});
    const std::uint32_t word = poisonWord(DType::f32);
    std::memcpy(data.data() + 4, &word, 4);
    const SuiteRow row = compareOutput(data, DType::f32, {{}, {1, 2, 3, 4}}, {});
    EXPECT_FALSE(row.pass);
    EXPECT_EQ(row.unwritten, 1);
    EXPECT_EQ(row.nonfinite, 2);
    EXPECT_TRUE(row.reason.starts_with("1 ")) << row.reason;
}

TEST(LiveCompare, BothTolerancesCount)
{
    const auto data = raw<float>({1.5F, 0});
    EXPECT_FALSE(compareOutput(data, DType::f32, {{}, {1, 0}}, {0.1, 10}).pass);
    EXPECT_FALSE(compareOutput(data, DType::f32, {{}, {1, 0}}, {1, 0.1}).pass);
    const SuiteRow row = compareOutput(data, DType::f32, {{}, {1, 0}}, {1, 1});
    EXPECT_TRUE(row.pass);
    EXPECT_DOUBLE_EQ(row.maxAbs, 0.5);
    EXPECT_DOUBLE_EQ(row.relL2, 0.5);
    EXPECT_DOUBLE_EQ(row.meanAbs.value_or(-1), 0.25);
}

TEST(LiveCompare, NamesTheFirstWrongElement)
{
    const SuiteRow row = compareOutput(raw<float>({1, 7, 3, 9}), DType::f32, {{}, {1, 2, 3, 4}}, {});
    ASSERT_TRUE(row.firstWrong);
    EXPECT_EQ(row.firstWrong->index, 1);
    EXPECT_EQ(row.firstWrong->got, 7);
    EXPECT_EQ(row.firstWrong->expected, 2);
    EXPECT_EQ(row.firstWrong->fault, "wrong");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const SuiteRow unusable = compareOutput(raw<float>({nan, 7, 3, 9}), DType::f32, {{}, {1, 2, 3, 4}}, {});
    ASSERT_TRUE(unusable.firstWrong);
    EXPECT_EQ(unusable.firstWrong->index, 0);
    EXPECT_EQ(unusable.firstWrong->fault, "NaN");
    EXPECT_EQ(unusable.firstWrong->expected, 1);
    EXPECT_FALSE(unusable.firstWrong->got);
    EXPECT_FALSE(compareOutput(raw<float>({1}), DType::f32, {{}, {1}}, {}).firstWrong);
    const SuiteRow spread = compareOutput(raw<float>({1.5F, 0.25F}), DType::f32, {{}, {1, 0}}, {1, 0.1}); // only their sum is too large
    ASSERT_TRUE(spread.firstWrong);
    EXPECT_EQ(spread.firstWrong->index, 0);
}

TEST(LiveCompare, TheFirstWrongElementIsThatWithTheSmallestIndex)
{
    const SuiteRow row = compareOutput(raw<float>({1, 7, 3, 9}), DType::f32, {{3, 1, 0}, {4, 2, 1}}, {});
    ASSERT_TRUE(row.firstWrong);
    EXPECT_EQ(row.firstWrong->index, 1) << "whatever the order of the samples";
    EXPECT_EQ(row.firstWrong->expected, 2);
    EXPECT_EQ(row.maxAbs, 5);
    EXPECT_DOUBLE_EQ(row.meanAbs.value_or(-1), 10.0 / 3);
    EXPECT_DOUBLE_EQ(row.relL2, std::sqrt(50.0 / 21));
    const SuiteRow spread = compareOutput(raw<float>({1.25F, 0.5F, 0.25F}), DType::f32, {{}, {1, 0, 0}}, {1, 0.1});
    ASSERT_TRUE(spread.firstWrong);
    EXPECT_EQ(spread.firstWrong->index, 1) << "the largest error stands for all";
}

TEST(LiveCompare, AnErrorOfTheToleranceIsAllowed)
{
    const auto data = raw<float>({1.5F, 2});
    EXPECT_TRUE(compareOutput(data, DType::f32, {{}, {1, 2}}, {0.5, 1}).pass);
    EXPECT_FALSE(compareOutput(data, DType::f32, {{}, {1, 2}}, {0.49, 1}).pass);
    EXPECT_FALSE(compareOutput(data, DType::f32, {{}, {1, 2}}, {0.49, 1}).firstWrong->buffer.size());
    EXPECT_TRUE(compareOutput(raw<float>({0.5F}), DType::f32, {{}, {0}}, {0.5, 0.5}).pass) << "of zeros the error counts itself";
    EXPECT_FALSE(compareOutput(raw<float>({0.5F}), DType::f32, {{}, {0}}, {0.5, 0.4}).pass);
    EXPECT_FALSE(compareOutput(raw<unsigned char>({1, 0}), DType::boolean, {{}, {1, 1}}, {2, 2}).pass) << "true is not nearly false";
}

TEST(LiveCompare, AnInfiniteOrUnwrittenElementIsNamedWithWhatWasExpected)
{
    std::vector<std::byte> data = raw<float>({1, std::numeric_limits<float>::infinity(), 3});
    const SuiteRow infinite = compareOutput(data, DType::f32, {{}, {1, 2, 3}}, {});
    ASSERT_TRUE(infinite.firstWrong);
    EXPECT_EQ(infinite.firstWrong->index, 1);
    EXPECT_EQ(infinite.firstWrong->fault, "infinite");
    EXPECT_EQ(infinite.firstWrong->expected, 2);
    EXPECT_EQ(infinite.nonfinite, 1);
    EXPECT_EQ(infinite.unwritten, 0);
    EXPECT_EQ(infinite.maxAbs, 0) << "the others are correct";
    const std::uint32_t word = poisonWord(DType::f32);
    std::memcpy(data.data(), &word, 4);
    const SuiteRow unwritten = compareOutput(data, DType::f32, {{2}, {3}}, {});
    EXPECT_FALSE(unwritten.pass) << "elements that are not compared must be written, too";
    ASSERT_TRUE(unwritten.firstWrong);
    EXPECT_EQ(unwritten.firstWrong->index, 0);
    EXPECT_EQ(unwritten.unwritten, 1);
    EXPECT_FALSE(unwritten.firstWrong->fault.empty());
    EXPECT_NE(unwritten.firstWrong->fault, infinite.firstWrong->fault);
    EXPECT_FALSE(unwritten.firstWrong->expected);
}

TEST(LiveCompare, WhatAProgramLeftIsComparedElementByElement)
{
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const SuiteRow row = compareAfter(raw<float>({3, 4.5F, 0, 1}), DType::f32, raw<float>({3, 4, 0, 0}), {1, 1});
    EXPECT_TRUE(row.pass);
    EXPECT_FALSE(row.firstWrong);
    EXPECT_EQ(row.maxAbs, 1);
    EXPECT_DOUBLE_EQ(row.meanAbs.value_or(-1), 1.5 / 4);
    EXPECT_DOUBLE_EQ(row.relL2, std::sqrt(1.25 / 25));
    const SuiteRow zeros = compareAfter(raw<float>({0.5F}), DType::f32, raw<float>({0}), {1, 0.4});
    EXPECT_FALSE(zeros.pass);
    EXPECT_EQ(zeros.relL2, 0.5);
    const SuiteRow broken = compareAfter(raw<float>({nan, infinity, 9}), DType::f32, raw<float>({1, 2, 3}), {10, 10});
    EXPECT_FALSE(broken.pass);
    EXPECT_EQ(broken.nonfinite, 2);
    EXPECT_EQ(broken.maxAbs, 6);
    ASSERT_TRUE(broken.firstWrong);
    EXPECT_EQ(broken.firstWrong->index, 0);
    EXPECT_EQ(broken.firstWrong->fault, "NaN");
    EXPECT_FALSE(broken.firstWrong->got);
    EXPECT_EQ(compareAfter(raw<float>({infinity}), DType::f32, raw<float>({1}), {10, 10}).firstWrong->fault, "infinite");
    const SuiteRow same = compareAfter(raw<float>({infinity, 1.5F, nan}), DType::f32, raw<float>({infinity, 1, nan}), {1, 1});
    EXPECT_TRUE(same.pass) << "what the program leaves infinite may be so";
    EXPECT_DOUBLE_EQ(same.relL2, 0.5);
    const SuiteRow first = compareAfter(raw<float>({1.5F, 9, 8}), DType::f32, raw<float>({1, 2, 3}), {1, 1});
    ASSERT_TRUE(first.firstWrong);
    EXPECT_EQ(first.firstWrong->index, 1) << "the first one beyond the tolerance";
    EXPECT_EQ(first.firstWrong->fault, "wrong");
    EXPECT_EQ(first.firstWrong->got, 9);
}

TEST(LiveCompare, SampledIndicesCompareOnlyThose)
{
    const SuiteRow row = compareOutput(raw<float>({9, 2, 9, 4}), DType::f32, {{1, 3}, {2, 4}}, {});
    EXPECT_TRUE(row.pass);
}

TEST(LiveCompare, AReferenceLargerThanTheOutputIsNoPass)
{
    EXPECT_FALSE(compareOutput(raw<float>({1}), DType::f32, {{}, {1, 2}}, {}).pass);
    std::vector<std::byte> output = raw<float>({1, 2});
    output.resize(4); // the second element lies behind the output
    const SuiteRow row = compareOutput(output, DType::f32, {{0, 1}, {1, 2}}, {});
    EXPECT_FALSE(row.pass);
    EXPECT_FALSE(row.reason.empty());
}

TEST(LiveCompare, ReasonsSnapshot)
{
    std::vector<std::byte> unwritten = raw<float>({1, 2});
    const std::uint32_t word = poisonWord(DType::f32);
    std::memcpy(unwritten.data(), &word, 4);
    const auto infinite = raw<float>({std::numeric_limits<float>::infinity(), 2});
    const auto wrong = raw<float>({1.5F, 2});
    std::string text;
    for (const auto& [name, row] : {std::pair("unwritten", compareOutput(unwritten, DType::f32, {{}, {1, 2}}, {})),
                                    {"infinite", compareOutput(infinite, DType::f32, {{}, {1, 2}}, {})},
                                    {"one error", compareOutput(wrong, DType::f32, {{}, {1, 2}}, {0.25, 1})},
                                    {"all errors", compareOutput(wrong, DType::f32, {{}, {1, 2}}, {1, 0.125})},
                                    {"too short", compareOutput(wrong, DType::f32, {{}, {1, 2, 3}}, {})},
                                    {"after a program", compareAfter(wrong, DType::f32, raw<float>({1, 2}), {0, 0})}})
        text += std::string(name) + ": " + row.reason + '\n';
    test::expectSnapshot("texts/wrong-outputs.txt", text);
}

TEST(LiveStatus, ErrorsMapToHowARunEnds)
{
    EXPECT_EQ(findStatus({.code = ErrorCode::kernelFailed, .detail = "CUDA_ERROR_ILLEGAL_ADDRESS"}), ResultStatus::computationFailed);
    EXPECT_EQ(findStatus({.code = ErrorCode::kernelFailed, .detail = "CUDA_ERROR_OUT_OF_MEMORY"}), ResultStatus::deviceLimitsExceeded);
    EXPECT_EQ(findStatus({.code = ErrorCode::kernelFailed, .detail = kCompileFailure}), ResultStatus::compilationFailed);
    EXPECT_EQ(findStatus({.code = ErrorCode::environment}), std::nullopt);
}

TEST(LiveStatus, FaultsLoseTheContextAndLimitsDoNot)
{
    const auto makeError = [](const char* detail) { return Error{.code = ErrorCode::kernelFailed, .detail = detail}; };
    for (const char* fault : {"CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_LAUNCH_TIMEOUT", "CUDA_ERROR_LAUNCH_FAILED", "CUDA_ERROR_ASSERT",
                              "CUDA_ERROR_HARDWARE_STACK_ERROR", "CUDA_ERROR_ILLEGAL_INSTRUCTION", "CUDA_ERROR_MISALIGNED_ADDRESS",
                              "CUDA_ERROR_INVALID_ADDRESS_SPACE", "CUDA_ERROR_INVALID_PC", "CUDA_ERROR_ECC_UNCORRECTABLE",
                              "CUDA_ERROR_CONTEXT_IS_DESTROYED", "CUDA_ERROR_UNKNOWN", "KL_KERNEL_HANGS"}) {
        EXPECT_TRUE(isSticky(makeError(fault))) << fault;
        EXPECT_FALSE(isDeviceLimit(makeError(fault))) << fault;
        EXPECT_EQ(findStatus(makeError(fault)), ResultStatus::computationFailed) << fault;
    }
    for (const char* limit : {"CUDA_ERROR_OUT_OF_MEMORY", "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "KL_DEVICE_LIMIT"}) {
        EXPECT_TRUE(isDeviceLimit(makeError(limit))) << limit;
        EXPECT_FALSE(isSticky(makeError(limit))) << limit;
        EXPECT_EQ(findStatus(makeError(limit)), ResultStatus::deviceLimitsExceeded) << limit;
    }
    for (const char* other : {"CUDA_ERROR_INVALID_VALUE", "CUDA_ERROR_NOT_READY", ""}) {
        EXPECT_FALSE(isSticky(makeError(other))) << other;
        EXPECT_FALSE(isDeviceLimit(makeError(other))) << other;
    }
}

TEST(LiveOccupancy, NamesTheScarcestResource)
{
    DeviceInfo h200;
    h200.regsPerSm = 65536;
    h200.smemPerSm = 228 * 1024;
    h200.smemReservedPerBlock = 1024;
    h200.maxThreadsPerSm = 2048;
    h200.maxBlocksPerSm = 32;
    LaunchFacts facts;
    facts.blockThreads = 256;
    facts.registers = 32;
    EXPECT_EQ(occupancyLimiter(facts, h200), "warps");
    facts.registers = 128;
    EXPECT_EQ(occupancyLimiter(facts, h200), "registers");
    facts.registers = 32;
    facts.dynamicSmem = 100 * 1024;
    EXPECT_EQ(occupancyLimiter(facts, h200), "shared memory");
    facts.dynamicSmem = 0;
    facts.blockThreads = 32;
    EXPECT_EQ(occupancyLimiter(facts, h200), "blocks");
    facts.blockThreads = 768; // two fit, a third of the warps stays empty
    facts.registers = 16;
    EXPECT_EQ(occupancyLimiter(facts, h200), "block size");
}

} // namespace
} // namespace kl
#endif
