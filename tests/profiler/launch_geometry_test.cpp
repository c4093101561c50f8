// SPDX-License-Identifier: MIT
// What is checked and prepared of a launch before the driver is asked.
#ifdef KL_HAVE_LIVE
#include "kernels/data/base64.h"
#include "kernels/data/numbers.h"
#include "profiler/live/cuda/device.h"
#include "profiler/live/host/passes.h"
#include "profiler/live/measure/collect_metrics.h"
#include "profiler/live/work/kernel_image.h"
#include "profiler/live/work/launch_arguments.h"
#include "profiler/live/work/launch_config.h"
#include "profiler/live/work/launch_entry.h"
#include "profiler/live/work/work_errors.h"
#include "profiler/protocol/address_taken.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace kl {
namespace {

DeviceInfo hopper()
{
    DeviceInfo device;
    device.name = "NVIDIA H200";
    device.ccMajor = 9;
    device.smCount = 132;
    device.smemPerBlockOptin = 227 * 1024;
    return device;
}

/// How a launch of this shape would end: unset where it is allowed.
std::optional<ResultStatus> ends(const std::vector<std::int64_t>& grid, const std::vector<std::int64_t>& block,
                                 std::int64_t dynamicSmem = 0)
{
    const Status status = checkGeometry({"k", grid, block, dynamicSmem}, hopper());
    if (status)
        return {};
    return status.error().code == ErrorCode::badInput ? ResultStatus::validationFailed : findStatus(status.error());
}

TEST(LaunchGeometry, HasOneToThreePositiveSizes)
{
    EXPECT_FALSE(ends({1}, {1}));
    EXPECT_FALSE(ends({1, 2, 3}, {4, 5, 6}));
    for (const std::vector<std::int64_t>& sizes : {std::vector<std::int64_t>{}, {0}, {1, -1}, {1, 1, 0}, {1, 1, 1, 1}}) {
        EXPECT_EQ(ends(sizes, {32}), ResultStatus::validationFailed);
        EXPECT_EQ(ends({1}, sizes), ResultStatus::validationFailed);
    }
}

TEST(LaunchGeometry, StaysWithinTheDevice)
{
    constexpr auto kLimit = ResultStatus::deviceLimitsExceeded;
    EXPECT_FALSE(ends({1}, {1024}));
    EXPECT_EQ(ends({1}, {1025}), kLimit);
    EXPECT_FALSE(ends({1}, {8, 16, 8}));
    EXPECT_EQ(ends({1}, {8, 16, 9}), kLimit);
    EXPECT_FALSE(ends({1}, {32}, 227 * 1024));
    EXPECT_EQ(ends({1}, {32}, 227 * 1024 + 1), kLimit);
    EXPECT_FALSE(ends({0x7fffffff, 65535, 65535}, {32}));
    EXPECT_EQ(ends({0x80000000, 1, 1}, {32}), kLimit);
    EXPECT_EQ(ends({1, 65536, 1}, {32}), kLimit);
    EXPECT_EQ(ends({1, 1, 65536}, {32}), kLimit);
}

TEST(LaunchGeometry, NamesOfTheProofAreReserved)
{
    for (const std::string& name : {std::string(kProofPrefix) + "mine", std::string(kGateName)})
        EXPECT_EQ(checkGeometry({name, {1}, {32}}, hopper()).error().code, ErrorCode::badInput) << name;
}

TEST(LaunchArguments, ScalarsHaveTheBitsOfTheirType)
{
    LaunchSpec launch{"k", {1}, {32}, 0, {}};
    for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i32, DType::u32, DType::i64, DType::u64})
        launch.args.push_back({"", type, type == DType::u32 || type == DType::u64 ? 3'000'000'000.0 : -1.5});
    launch.args.push_back({"", {}, -7});
    Result<LaunchArguments> bound = bindArguments(launch, WorkBuffers(nullptr, BufferState::guarded));
    ASSERT_TRUE(bound.ok());
    ASSERT_EQ(bound->pointers.size(), 9U);
    EXPECT_EQ(bound->packedParameters(), nullptr);
    void** parameters = bound->parameters();
    const auto value = [&]<class T>(std::size_t index, T) {
        T read{};
        std::memcpy(&read, parameters[index], sizeof read);
        return read;
    };
    EXPECT_EQ(value(0, std::uint16_t{}), toHalf(-1.5F));
    EXPECT_EQ(value(1, std::uint16_t{}), toBfloat(-1.5F));
    EXPECT_EQ(value(2, float{}), -1.5F);
    EXPECT_EQ(value(3, double{}), -1.5);
    EXPECT_EQ(value(4, std::int32_t{}), -1);
    EXPECT_EQ(value(5, std::uint32_t{}), 3'000'000'000U);
    EXPECT_EQ(value(6, std::int64_t{}), -1);
    EXPECT_EQ(value(7, std::uint64_t{}), 3'000'000'000U);
    EXPECT_EQ(value(8, std::int32_t{}), -7) << "without a type it is an int";
}

TEST(LaunchArguments, WideScalarsKeepAllOfTheirBits)
{
    LaunchSpec launch{"k", {1}, {32}, 0, {}};
    launch.args = {{"", DType::i64, -5'000'000'000'000.0},
                   {"", DType::u64, 9'007'199'254'740'992.0},
                   {"", DType::f64, 1e300},
                   {"", DType::i32, -2'147'483'648.0},
                   {"", DType::u32, 4'294'967'295.0}};
    Result<LaunchArguments> bound = bindArguments(launch, WorkBuffers(nullptr, BufferState::guarded));
    ASSERT_TRUE(bound.ok());
    void** parameters = bound->parameters();
    const auto value = [&]<class T>(std::size_t index, T) {
        T read{};
        std::memcpy(&read, parameters[index], sizeof read);
        return read;
    };
    EXPECT_EQ(value(0, std::int64_t{}), -5'000'000'000'000);
    EXPECT_EQ(value(1, std::uint64_t{}), 9'007'199'254'740'992U);
    EXPECT_EQ(value(2, double{}), 1e300);
    EXPECT_EQ(value(3, std::int32_t{}), std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ(value(4, std::uint32_t{}), std::numeric_limits<std::uint32_t>::max());
}

TEST(LaunchArguments, OthersThanThoseAreRefused)
{
    const WorkBuffers none(nullptr, BufferState::guarded);
    LaunchSpec launch{"k", {1}, {32}, 0, {{"in", {}, 0}}};
    EXPECT_EQ(bindArguments(launch, none).error().code, ErrorCode::badInput) << "there is no such buffer";
    launch.args = {{"", DType::u8, 0}};
    EXPECT_EQ(bindArguments(launch, none).error().code, ErrorCode::badInput);
}

TEST(LaunchArguments, OfALiftedLaunchArePassedAsTheyWere)
{
    const WorkBuffers none(nullptr, BufferState::guarded);
    LaunchSpec launch{"k", {1}, {32}};
    launch.parameters = toBase64(std::string("\0\1\2\3\4", 5));
    Result<LaunchArguments> bound = bindArguments(launch, none);
    ASSERT_TRUE(bound.ok());
    EXPECT_EQ(bound->parameters(), nullptr);
    void** extra = bound->packedParameters();
    ASSERT_NE(extra, nullptr);
    EXPECT_EQ(extra[0], CU_LAUNCH_PARAM_BUFFER_POINTER);
    EXPECT_EQ(std::string(static_cast<const char*>(extra[1]), 5), std::string("\0\1\2\3\4", 5));
    EXPECT_EQ(extra[2], CU_LAUNCH_PARAM_BUFFER_SIZE);
    EXPECT_EQ(*static_cast<std::size_t*>(extra[3]), 5U);
    EXPECT_EQ(extra[4], CU_LAUNCH_PARAM_END);
    launch.args = {{"", DType::i32, 0}};
    EXPECT_FALSE(bindArguments(launch, none).ok()) << "not both";
    launch.args.clear();
    for (const char* damaged : {"", "***"}) {
        launch.parameters = damaged;
        EXPECT_EQ(bindArguments(launch, none).error().code, ErrorCode::badInput) << damaged;
    }
}

TEST(LaunchConfig, SizesThatAreNotGivenAreOne)
{
    LaunchSpec launch{"k", {9}, {64}};
    launch.cluster = {2};
    const LaunchConfig config(launch, {7}, 512, nullptr, true);
    EXPECT_EQ(config.get().gridDimX, 7U);
    EXPECT_EQ(config.get().gridDimY, 1U);
    EXPECT_EQ(config.get().gridDimZ, 1U);
    EXPECT_EQ(config.get().blockDimX, 64U);
    EXPECT_EQ(config.get().blockDimY, 1U);
    EXPECT_EQ(config.get().blockDimZ, 1U);
    ASSERT_EQ(config.get().numAttrs, 1U) << "it is not programmatic";
    EXPECT_EQ(config.get().attrs[0].value.clusterDim.x, 2U);
    EXPECT_EQ(config.get().attrs[0].value.clusterDim.y, 1U);
    EXPECT_EQ(config.get().attrs[0].value.clusterDim.z, 1U);
    LaunchSpec three{"k", {1}, {4, 5, 6}};
    const LaunchConfig whole(three, {1, 2, 3}, 0, nullptr, false);
    EXPECT_EQ(whole.get().gridDimY, 2U);
    EXPECT_EQ(whole.get().gridDimZ, 3U);
    EXPECT_EQ(whole.get().blockDimY, 5U);
    EXPECT_EQ(whole.get().blockDimZ, 6U);
}

TEST(LaunchConfig, EachAttributeIsThereWhereItIsWanted)
{
    int thing = 0;
    const auto stream = reinterpret_cast<CUstream>(&thing);
    LaunchSpec launch{"k", {9}, {64}, 4096};
    launch.cluster = {2, 3, 4};
    launch.cooperative = true;
    launch.programmatic = true;
    const LaunchConfig all(launch, {7}, 512, stream, true);
    EXPECT_EQ(all.get().hStream, stream);
    EXPECT_EQ(all.get().sharedMemBytes, 512U) << "as given, not the launch's own";
    ASSERT_EQ(all.get().numAttrs, 3U);
    EXPECT_EQ(all.get().attrs[0].id, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
    EXPECT_EQ(all.get().attrs[0].value.clusterDim.x, 2U);
    EXPECT_EQ(all.get().attrs[0].value.clusterDim.y, 3U);
    EXPECT_EQ(all.get().attrs[0].value.clusterDim.z, 4U);
    EXPECT_EQ(all.get().attrs[1].id, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
    EXPECT_EQ(all.get().attrs[1].value.cooperative, 1);
    EXPECT_EQ(all.get().attrs[2].id, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
    EXPECT_EQ(all.get().attrs[2].value.programmaticStreamSerializationAllowed, 1);
    EXPECT_EQ(LaunchConfig(launch, {7}, 512, stream, false).get().numAttrs, 2U) << "the first of a call waits for all before it";
    launch.programmatic = false;
    EXPECT_EQ(LaunchConfig(launch, {7}, 512, stream, true).get().numAttrs, 2U);
    launch.cooperative = false;
    launch.cluster.clear();
    EXPECT_EQ(LaunchConfig(launch, {7}, 512, stream, true).get().numAttrs, 0U);
}

TEST(LaunchConfig, ClustersAndProgrammaticLaunchesNeedHopper)
{
    DeviceInfo device = hopper();
    device.ccMajor = 8;
    for (const bool clusters : {true, false}) {
        LaunchSpec launch{"k", {8}, {64}};
        launch.programmatic = !clusters;
        if (clusters)
            launch.cluster = {2};
        LaunchFacts facts;
        const Status status = prepareShape(nullptr, launch, device, facts);
        ASSERT_FALSE(status);
        EXPECT_EQ(findStatus(status.error()), ResultStatus::deviceLimitsExceeded);
    }
    LaunchSpec launch{"k", {8}, {64}};
    launch.programmatic = true;
    LaunchFacts facts;
    EXPECT_TRUE(prepareShape(nullptr, launch, hopper(), facts));
}

TEST(LaunchConfig, ACooperativeGridFitsOnTheDevice)
{
    LaunchSpec launch{"k", {264}, {64}};
    launch.cooperative = true;
    LaunchFacts facts;
    facts.blocksPerSm = 2;
    facts.gridBlocks = 264;
    EXPECT_TRUE(prepareShape(nullptr, launch, hopper(), facts));
    facts.gridBlocks = 265;
    const Status status = prepareShape(nullptr, launch, hopper(), facts);
    ASSERT_FALSE(status);
    EXPECT_EQ(findStatus(status.error()), ResultStatus::deviceLimitsExceeded);
    launch.cooperative = false;
    EXPECT_TRUE(prepareShape(nullptr, launch, hopper(), facts));
}

TEST(LongestLaunch, OneThatWasNotTimedIsNotTheLongest)
{
    std::vector<LaunchFacts> launches(3);
    launches[1].gpuNs = 0.5;
    EXPECT_EQ(longestLaunch(launches), 1U);
    launches[2].gpuNs = 0.25;
    EXPECT_EQ(longestLaunch(launches), 1U);
}

TEST(LongestLaunch, IsTheOneWithTheLargestTime)
{
    std::vector<LaunchFacts> launches(4);
    EXPECT_EQ(longestLaunch(launches), 0U);
    launches[1].gpuNs = 20;
    launches[2].gpuNs = 50;
    launches[3].gpuNs = 50;
    EXPECT_EQ(longestLaunch(launches), 2U) << "the first of equals";
}

TEST(WorkErrors, SayHowARunEnds)
{
    EXPECT_EQ(findStatus(deviceLimit("too large", "smaller")), ResultStatus::deviceLimitsExceeded);
    EXPECT_EQ(deviceLimit("too large", "smaller").hint, "smaller");
    EXPECT_EQ(findStatus({.code = ErrorCode::kernelFailed, .detail = kRefuted}), ResultStatus::validationFailed);
    EXPECT_EQ(findStatus(badWork("no such buffer")), std::nullopt);
    EXPECT_EQ(badWork("no such buffer").where, "work specification");
    EXPECT_EQ(addressTaken("taken").detail, kAddressTaken);
    EXPECT_EQ(addressTaken("taken").code, ErrorCode::environment);
    EXPECT_EQ(findStatus(addressTaken("taken")), std::nullopt);
}

TEST(WorkErrors, ARefutedRunIsOneWhateverElseFailed)
{
    EXPECT_EQ(findStatus({.code = ErrorCode::kernelFailed, .detail = "CUDA_ERROR_INVALID_VALUE"}), ResultStatus::computationFailed);
    EXPECT_EQ(findStatus({.code = ErrorCode::kernelFailed}), ResultStatus::computationFailed);
    EXPECT_EQ(findStatus({.code = ErrorCode::interrupted}), std::nullopt);
    EXPECT_EQ(deviceLimit("m").code, ErrorCode::kernelFailed);
    EXPECT_EQ(deviceLimit("m").message, "m");
    EXPECT_EQ(badWork("m").code, ErrorCode::badInput);
    EXPECT_EQ(badWork("m").message, "m");
    EXPECT_FALSE(addressTaken("m").hint.empty());
}

/// A cubin for an architecture, as far as its header says.
std::string cubinFor(int arch)
{
    std::string image(64, '\0');
    image.replace(0, 4,
                  "\x7f"
                  "ELF");
    image[18] = static_cast<char>(190);
    image[8] = 8;
    image[49] = static_cast<char>(arch);
    return image;
}

TEST(KernelImage, RunsOnItsOwnMajorVersionFromItsMinorVersionOn)
{
    const auto loads = [](int arch, int major, int minor) {
        DeviceInfo device;
        device.ccMajor = major;
        device.ccMinor = minor;
        const Result<CompiledSource> image = loadImage({false, "k.cubin", toBase64(cubinFor(arch))}, device);
        EXPECT_TRUE(image.ok());
        EXPECT_EQ(image->ok, image->log.empty());
        EXPECT_EQ(image->cubin.empty(), !image->ok);
        return image->ok;
    };
    EXPECT_TRUE(loads(86, 8, 6));
    EXPECT_TRUE(loads(86, 8, 9));
    EXPECT_FALSE(loads(86, 8, 0));
    EXPECT_FALSE(loads(86, 9, 0));
    EXPECT_FALSE(loads(90, 8, 9));
    EXPECT_TRUE(loads(100, 10, 0));
    EXPECT_TRUE(loads(100, 10, 3));
    EXPECT_FALSE(loads(103, 10, 0));
}

TEST(KernelImage, WhatIsDamagedOrNoCodeIsNamed)
{
    for (const bool ptx : {false, true}) {
        const Result<CompiledSource> damaged = loadImage({ptx, "k.bin", "***"}, hopper());
        ASSERT_FALSE(damaged.ok());
        EXPECT_EQ(damaged.error().code, ErrorCode::badInput);
        EXPECT_EQ(damaged.error().where, "k.bin");
    }
    const std::string whole = cubinFor(90);
    std::string other = whole;
    other[18] = 62; // another machine's
    std::string text = whole;
    text[0] = 'x';
    for (const std::string& bytes : {other, text, whole.substr(0, 63), std::string()}) {
        const Result<CompiledSource> none = loadImage({false, "k.bin", toBase64(bytes)}, hopper());
        ASSERT_TRUE(none.ok());
        EXPECT_FALSE(none->ok);
        EXPECT_TRUE(none->log.starts_with("k.bin ")) << none->log;
    }
    const Result<CompiledSource> good = loadImage({false, "k.bin", toBase64(whole)}, hopper());
    ASSERT_TRUE(good.ok());
    EXPECT_TRUE(good->ok);
    EXPECT_EQ(good->cubin, whole);
    EXPECT_GE(good->seconds, 0);
    std::string older = whole;
    older[8] = 7; // which keep it in the first byte
    older[48] = 80;
    const Result<CompiledSource> ampere = loadImage({false, "k.bin", toBase64(older)}, hopper());
    ASSERT_TRUE(ampere.ok());
    EXPECT_NE(ampere->log.find("sm_80"), std::string::npos) << ampere->log;
}

/// With the limits of its SM.
DeviceInfo hopperSm()
{
    DeviceInfo device = hopper();
    device.regsPerSm = 65536;
    device.smemPerSm = 228 * 1024;
    device.smemReservedPerBlock = 1024;
    device.maxThreadsPerSm = 2048;
    device.maxBlocksPerSm = 32;
    return device;
}

TEST(OccupancyLimiter, TakesRegistersInUnitsOfAWarp)
{
    const DeviceInfo device = hopperSm();
    LaunchFacts facts;
    const auto limiter = [&](int threads, int registers, std::int64_t shared) {
        facts.blockThreads = threads;
        facts.registers = registers;
        facts.staticSmem = shared;
        return occupancyLimiter(facts, device);
    };
    EXPECT_EQ(limiter(128, 32, 0), "warps") << "registers suffice exactly";
    EXPECT_EQ(limiter(128, 33, 0), "registers");
    EXPECT_EQ(limiter(128, 40, 13 * 1024), "registers") << "twelve blocks by registers, sixteen by shared memory";
    EXPECT_EQ(limiter(128, 40, 20 * 1024), "shared memory") << "ten blocks";
    EXPECT_EQ(limiter(64, 32, 6 * 1024), "warps") << "a tie with blocks and shared memory";
    EXPECT_EQ(limiter(32, 32, 6 * 1024), "blocks") << "a tie with shared memory";
    EXPECT_EQ(limiter(32, 32, 6 * 1024 + 256), "shared memory");
    EXPECT_EQ(limiter(33, 16, 0), "warps") << "two warps";
}

TEST(OccupancyLimiter, CountsTheSharedMemoryThatTheDriverTakesOfEachBlock)
{
    DeviceInfo device = hopperSm();
    LaunchFacts facts;
    facts.blockThreads = 128; // sixteen blocks fill the SM
    facts.registers = 16;
    facts.staticSmem = 4 * 1024;
    facts.dynamicSmem = 9 * 1024 + 256; // 13.25 KiB, and 1 KiB of the driver's: sixteen blocks
    EXPECT_EQ(occupancyLimiter(facts, device), "warps");
    facts.dynamicSmem += 1; // in units of 128 bytes
    EXPECT_EQ(occupancyLimiter(facts, device), "shared memory");
    device.smemReservedPerBlock = 0;
    EXPECT_EQ(occupancyLimiter(facts, device), "warps");
}

} // namespace
} // namespace kl
#endif
