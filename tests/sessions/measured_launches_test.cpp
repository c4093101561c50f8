// SPDX-License-Identifier: MIT
// Which launches of a program count, and what their outputs are worth.
#include "sessions/edit/command.h"
#include "sessions/subject/compared_outputs.h"
#include "sessions/subject/measured_launches.h"
#include "tests/support/fake_program.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>

namespace kl::test {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const LaunchChoice kSums{"column_sum", {}, {}, {}};

ProcessTrace traced(int ns = 8000)
{
    return parseTrace(FakeProgram::trace(ns, false));
}

TEST(MeasuredLaunches, LeaveTheWarmUpOut)
{
    ProcessTrace process = traced();
    process.launches.front().end += 1'000'000; // the first is slow
    const Result<MeasuredLaunches> measured = measureLaunches({process}, kSums, {}, 10, 50);
    ASSERT_TRUE(measured.ok()) << measured.error().message;
    EXPECT_THAT(measured->gpuNs, SizeIs(60));
    EXPECT_THAT(measured->gpuNs, Each(8000));
    EXPECT_THAT(measured->stepNs, SizeIs(59));
    EXPECT_THAT(measured->stepNs, Each(20'000));
    EXPECT_EQ(measured->kernel, "_Z10column_sumPKfPfii");
    EXPECT_EQ(measured->launches, 70);
    EXPECT_EQ(measured->device.uuid, "GPU-fake");
}

TEST(MeasuredLaunches, TheShapeFollowsTheSizes)
{
    EXPECT_TRUE(
        measureLaunches({traced()}, {"column_sum", {"N/16", "4", "2"}, {"32", "N/128", "2"}, {}}, {{"N", std::int64_t{512}}}, 10, 50).ok());
    const auto other = measureLaunches({traced()}, {"column_sum", {"N/16", "4", "2"}, {}, {}}, {{"N", std::int64_t{96}}}, 10, 50);
    ASSERT_FALSE(other.ok());
    EXPECT_THAT(other.error().message, HasSubstr("32x4x2")) << "what it launched instead";
    EXPECT_FALSE(measureLaunches({traced()}, {"column_sum", {}, {"128"}, {}}, {}, 10, 50).ok()) << "other blocks";
}

TEST(MeasuredLaunches, SeveralKernelsOrProcessesAreNotOne)
{
    EXPECT_THAT(measureLaunches({traced()}, {"sum|rival", {}, {}, {}}, {}, 10, 50).error().message, HasSubstr("rival"));
    EXPECT_FALSE(measureLaunches({traced(), traced()}, kSums, {}, 10, 50).ok());
    EXPECT_FALSE(measureLaunches({traced()}, {"gemm", {}, {}, {}}, {}, 10, 50).ok());
    EXPECT_FALSE(measureLaunches({}, kSums, {}, 10, 50).ok());
    EXPECT_FALSE(measureLaunches({traced()}, kSums, {}, 10, 61).ok());
    ProcessTrace cut = traced();
    cut.cut = true;
    EXPECT_FALSE(measureLaunches({cut}, kSums, {}, 10, 50).ok());
}

TEST(MeasuredLaunches, ARangeIsOneSamplePerEntry)
{
    ProcessTrace process = traced();
    process.stacks = {{"train", "step"}, {"train"}};
    for (const TracedLaunch& launch : process.launches)
        process.stackOf[launch.correlation] = 0;
    process.ranges[0] = {70, 1e6};
    process.ranges[1] = {1, 1e6};
    const Result<MeasuredLaunches> measured = measureLaunches({process}, {{}, {}, {}, "step"}, {}, 10, 50);
    ASSERT_TRUE(measured.ok()) << measured.error().message;
    EXPECT_THAT(measured->gpuNs, SizeIs(60));
    EXPECT_THAT(measured->gpuNs, Each(14'000)) << "both kernels of an entry";
    EXPECT_THAT(measured->stepNs, Each(20'000));
    process.launches.pop_back();
    EXPECT_FALSE(measureLaunches({process}, {{}, {}, {}, "step"}, {}, 10, 50).ok()) << "an entry launches one less";
    EXPECT_FALSE(measureLaunches({process}, {{}, {}, {}, "other"}, {}, 10, 50).ok());
}

class ComparedOutputs : public ::testing::Test {
protected:
    ComparedOutputs()
    {
        for (const char* side : {"got", "wanted"})
            std::filesystem::create_directories(folder / side);
    }
    void write(const std::string& file, const std::vector<float>& values) { support::writeBytes(folder / file, FakeProgram::npy(values)); }
    SuiteRow compared(const Tolerance& tolerance = {0.01, 1e-3})
    {
        const Result<SuiteRow> row = compareOutputs(folder / "got", folder / "wanted", tolerance, "N=4");
        EXPECT_TRUE(row.ok());
        return row ? *row : SuiteRow{};
    }

    support::TempDir folder;
};

TEST_F(ComparedOutputs, AreJudgedByTheirWorstElement)
{
    write("wanted/a.npy", {1, 2, 3, 4});
    write("wanted/b.npy", {100, 100, 100, 100});
    write("got/a.npy", {1, 2, 3, 4.005F});
    write("got/b.npy", {100, 100, 100, 100});
    EXPECT_TRUE(compared().pass);
    EXPECT_NEAR(compared().maxAbs, 0.005, 1e-4);
    write("got/b.npy", {100, 100.5F, 100, 100});
    const SuiteRow row = compared();
    EXPECT_FALSE(row.pass);
    ASSERT_TRUE(row.firstWrong);
    EXPECT_EQ(row.firstWrong->buffer, "b");
    EXPECT_EQ(row.firstWrong->index, 1);
    EXPECT_FALSE(compared({1, 1e-4}).pass) << "the norm is over its limit";
    EXPECT_TRUE(compared({1, 1e-2}).pass);
}

TEST_F(ComparedOutputs, WhatIsMissingOrNotFiniteFails)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    write("wanted/a.npy", {1, 2, nan, 4});
    EXPECT_EQ(compared().unwritten, 4);
    write("got/a.npy", {1, 2, nan, 4});
    EXPECT_TRUE(compared().pass) << "the reference has it, too";
    write("got/a.npy", {1, nan, nan, 4});
    EXPECT_EQ(compared().nonfinite, 1);
    EXPECT_FALSE(compared().pass);
    write("got/a.npy", {1, 2, 3});
    EXPECT_THAT(compared().reason, testing::ContainsRegex("\\[3\\].*\\[4\\]")) << "what was written, then what is wanted";
    std::filesystem::remove(folder / "wanted/a.npy");
    EXPECT_FALSE(compareOutputs(folder / "got", folder / "wanted", {}, "N=4").ok()) << "a reference without outputs checks nothing";
}

TEST_F(ComparedOutputs, TheHelperOfTheTemplatesWritesThem)
{
    const std::string code = "import sys, os, array\n"
                             "sys.dont_write_bytecode = True\n"
                             "sys.path.insert(0, '" KL_SOURCE_DIR "/resources/targets/helper')\n"
                             "import kloop_target\n"
                             "class Tensor:\n"
                             "    def __init__(self, values, *shape):\n"
                             "        self.values, self.shape, self.dtype = array.array('f', values), shape, 'torch.float32'\n"
                             "    def detach(self): return self\n"
                             "    cpu = contiguous = detach\n"
                             "    def data_ptr(self): return self.values.buffer_info()[0]\n"
                             "    def numel(self): return len(self.values)\n"
                             "    def element_size(self): return 4\n"
                             "os.environ['KLOOP_OUTPUT'] = sys.argv[1]\n"
                             "kloop_target.dump(a=Tensor([1, 2, 3, 4], 2, 2), b=Tensor([5]), c=Tensor([1, 2, 3], 3), d=Tensor([], 0))\n";
    const Result<CommandAnswer> python = runCommand("python3", {"-c", code, (folder / "got").string()});
    if (!python)
        GTEST_SKIP() << "there is no python3 here";
    ASSERT_EQ(python->code, 0) << python->errors;
    const std::map<std::string, std::vector<std::int64_t>> written{{"a", {2, 2}}, {"b", {}}, {"c", {3}}, {"d", {0}}};
    for (const auto& [name, shape] : written) {
        const Result<Array> read = fromNpy(support::readBytes(folder / ("got/" + name + ".npy")), name);
        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(read->shape, shape) << name;
        EXPECT_EQ(read->type, DType::f32);
    }
}

} // namespace
} // namespace kl::test
