// SPDX-License-Identifier: MIT
// Parts of a work that need no device: buffers at given addresses, phases of a request, ranges that were never entered.
#ifdef KL_HAVE_LIVE
#include "core/base/scratch_folder.h"
#include "kernels/data/numbers.h"
#include "profiler/inject/whole_range.h"
#include "profiler/live/work/launch_arguments.h"
#include "profiler/live/work/nvtx_phase.h"
#include "profiler/live/work/work_buffers.h"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>

namespace kl {
namespace {

using testing::ElementsAre;

BufferSpec bufferAt(const std::string& name, std::uint64_t address, DType type, std::int64_t count, BufferRole role = BufferRole::input)
{
    BufferSpec spec;
    spec.name = name;
    spec.type = type;
    spec.count = count;
    spec.role = role;
    spec.address = address;
    return spec;
}

TEST(PlacedBuffers, LieWhereTheyAreWanted)
{
    WorkSpec work;
    work.buffers = {bufferAt("a", 0x7f0000000000, DType::f32, 3), bufferAt("b", 0x7f0000200000, DType::f64, 5, BufferRole::output),
                    bufferAt("c", 0x7f0000400000, DType::u8, 7, BufferRole::scratch)};
    WorkBuffers buffers(nullptr, BufferState::guarded);
    ASSERT_TRUE(buffers.allocate(work, nullptr, true));
    EXPECT_THAT(buffers.memory(),
                ElementsAre(MemorySpan{0x7f0000000000, 12}, MemorySpan{0x7f0000200000, 40}, MemorySpan{0x7f0000400000, 7}));
    EXPECT_EQ(buffers.bytes(), 12 + 40 + 7);
    ASSERT_NE(buffers.find("b"), nullptr);
    EXPECT_EQ(buffers.find("b")->guard, 0U) << "what lies around them is the program's";
    EXPECT_EQ(buffers.find("d"), nullptr);
    ASSERT_TRUE(buffers.find("a")->content);
    EXPECT_EQ(*buffers.find("a")->content, fillBuffer(work.buffers[0], work.seed, 0));
    EXPECT_FALSE(buffers.find("b")->content) << "an output";
    EXPECT_FALSE(buffers.find("c")->content);
    EXPECT_EQ(buffers.read("d").error().code, ErrorCode::badInput);
    const Result<std::optional<std::string>> guards = buffers.guardViolation();
    ASSERT_TRUE(guards);
    EXPECT_FALSE(*guards);
    EXPECT_TRUE(buffers.move());
    WorkBuffers unfilled(nullptr, BufferState::guarded);
    ASSERT_TRUE(unfilled.allocate(work, nullptr, false));
    EXPECT_FALSE(unfilled.find("a")->content);
    work.buffers[1].count = 0;
    const Status none = WorkBuffers(nullptr, BufferState::guarded).allocate(work, nullptr, false);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::badInput);
}

TEST(PlacedBuffers, EqualInputsDifferByTheirPlaceAndSeed)
{
    WorkSpec work;
    work.buffers = {bufferAt("a", 0x7f0000000000, DType::f32, 64), bufferAt("b", 0x7f0000200000, DType::f32, 64)};
    const auto allocateContent = [&](const char* name) {
        WorkBuffers buffers(nullptr, BufferState::guarded);
        EXPECT_TRUE(buffers.allocate(work, nullptr, true));
        return *buffers.find(name)->content;
    };
    const auto first = allocateContent("a");
    EXPECT_NE(allocateContent("b"), first);
    EXPECT_EQ(allocateContent("a"), first);
    work.seed += 1;
    EXPECT_NE(allocateContent("a"), first);
}

TEST(PlacedBuffers, ArgumentsAreTheirAddresses)
{
    WorkSpec work;
    work.buffers = {bufferAt("a", 0x7f0000000000, DType::f32, 3), bufferAt("b", 0x7f0000200000, DType::f32, 3)};
    WorkBuffers buffers(nullptr, BufferState::guarded);
    ASSERT_TRUE(buffers.allocate(work, nullptr, false));
    LaunchSpec launch{"k", {1}, {32}, 0, {{"b", {}, 0}, {"", DType::i32, 9}, {"a", {}, 0}}};
    Result<LaunchArguments> bound = bindArguments(launch, buffers);
    ASSERT_TRUE(bound) << bound.error().message;
    std::vector<std::uint64_t> values;
    for (void* pointer : bound->pointers) {
        std::uint64_t value = 0;
        std::memcpy(&value, pointer, sizeof value);
        values.push_back(value);
    }
    EXPECT_THAT(values, ElementsAre(0x7f0000200000, 9, 0x7f0000000000));
}

TEST(WorkPhase, IsReportedWhenItBegins)
{
    std::vector<std::string> steps;
    Job job;
    job.progress = [&](const Progress& progress) { steps.push_back(progress.step); };
    {
        const Phase outer(job, "outer");
        EXPECT_THAT(steps, ElementsAre("outer"));
        const Phase inner(job, "inner");
    }
    EXPECT_THAT(steps, ElementsAre("outer", "inner"));
    EXPECT_EQ(makeCanceledError().code, ErrorCode::interrupted);
}

TEST(WorkPhase, ACanceledRequestDoesNotWaitForCooling)
{
    std::stop_source stop;
    stop.request_stop();
    int reports = 0;
    Job job;
    job.stop = stop.get_token();
    job.progress = [&](const Progress&) { ++reports; };
    const auto begin = std::chrono::steady_clock::now();
    waitForCooling(600, job);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(300));
    EXPECT_EQ(reports, 1);
}

std::vector<CountedRange> recordRanges(const TraceConfig& config, bool released = false)
{
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    EXPECT_TRUE(scratch);
    inject::TraceWriter writer;
    EXPECT_TRUE(writer.open(scratch->path().string()));
    inject::WholeRange range(config, writer);
    const bool pending = range.pending();
    if (released)
        range.release();
    range.finish();
    range.finish();
    EXPECT_FALSE(range.pending());
    writer.flush();
    std::vector<CountedRange> found;
    for (const auto& entry : std::filesystem::directory_iterator(scratch->path())) {
        std::ifstream in(entry.path(), std::ios::binary);
        found = parseTrace(std::string(std::istreambuf_iterator<char>(in), {})).countedRanges;
    }
    EXPECT_EQ(pending && !released, !found.empty());
    return found;
}

TEST(WholeRange, OneThatWasNeverEnteredSaysSoOnce)
{
    TraceConfig config;
    config.rangeEntries = 3;
    config.ranges.within = "step";
    const std::vector<CountedRange> found = recordRanges(config);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].name, "step");
    EXPECT_EQ(found[0].entries, 0);
    EXPECT_FALSE(found[0].failure.empty());
    EXPECT_TRUE(recordRanges(config, true).empty()) << "the program took CUPTI before";
    config.counters = false;
    EXPECT_TRUE(recordRanges(config).empty());
    config.counters = true;
    config.rangeEntries = 0;
    EXPECT_TRUE(recordRanges(config).empty());
    config.rangeEntries = 1;
    EXPECT_EQ(recordRanges(config).size(), 1U);
    config.ranges.within.clear();
    EXPECT_TRUE(recordRanges(config).empty());
}

} // namespace
} // namespace kl
#endif
