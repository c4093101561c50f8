// SPDX-License-Identifier: MIT
// What lifting a launch needs besides a GPU: which launch, which memory, what changed, and how results are compared.
#include "profiler/inject/changed_ranges.h"
#include "profiler/inject/lift_selector.h"
#include "profiler/protocol/lifted_launch.h"
#include "profiler/protocol/message_codec.h"
#include "tests/support/held_members.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#ifdef KL_HAVE_LIVE
#include "core/sass/cubin.h"
#include "core/sass/image_variables.h"
#include "core/sass/texture_use.h"
#include "profiler/live/measure/correctness.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/work/launch_arguments.h"
#include "profiler/live/work/placed_memory.h"
#endif

namespace kl {
namespace {

using inject::findChangedRanges;
using inject::LiftSelector;
using inject::possibleAddresses;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Lift, ChangedRangesAreWholePiecesAndNearOnesJoin)
{
    const std::string before(100'000, 'x');
    std::string after = before;
    EXPECT_THAT(findChangedRanges(before, after), IsEmpty());
    after[5] = 'y';
    after[1000] = 'y';
    after[50'000] = 'y';
    after[99'999] = 'y';
    EXPECT_THAT(findChangedRanges(before, after), ElementsAre(LiftedRange{0, 1024}, LiftedRange{49'664, 512}, LiftedRange{99'840, 160}));
}

TEST(Lift, ManyChangedRangesBecomeFew)
{
    const std::string before(1 << 20, 'x');
    std::string after = before;
    for (std::size_t at = 0; at < after.size(); at += 8192)
        after[at] = 'y';
    const std::vector<LiftedRange> ranges = findChangedRanges(before, after);
    EXPECT_LE(ranges.size(), 16U);
    for (std::size_t at = 0; at < after.size(); at += 8192)
        EXPECT_TRUE(std::ranges::any_of(ranges, [&](const LiftedRange& r) { return at >= r.offset && at - r.offset < r.bytes; })) << at;
}

TEST(Lift, RangesFourKibibytesApartStayApart)
{
    const std::string before(20'000, 'x');
    std::string after = before;
    after[0] = 'y';
    after[4607] = 'y'; // its piece begins 3,584 bytes behind the first one's end
    EXPECT_THAT(findChangedRanges(before, after), ElementsAre(LiftedRange{0, 4608}));
    after[4607] = 'x';
    after[4608] = 'y';
    EXPECT_THAT(findChangedRanges(before, after), ElementsAre(LiftedRange{0, 512}, LiftedRange{4608, 512}));
}

TEST(Lift, SixteenRangesAreFewEnough)
{
    constexpr std::size_t kApart = 32768;
    const std::string before(40 * kApart, 'x');
    std::string after = before;
    for (std::size_t i = 0; i < 16; ++i)
        after[i * kApart] = 'y';
    EXPECT_THAT(findChangedRanges(before, after), SizeIs(16));
    after[30 * kApart] = 'y'; // far from all others: those join, at four times the distance that was too little
    EXPECT_THAT(findChangedRanges(before, after), ElementsAre(LiftedRange{0, 15 * kApart + 512}, LiftedRange{30 * kApart, 512}));
}

TEST(Lift, AddressesLieBetweenTheirBounds)
{
    const auto pagesIn = [](const std::vector<std::uint64_t>& words, std::size_t most = 10) {
        return possibleAddresses({reinterpret_cast<const char*>(words.data()), words.size() * 8}, most);
    };
    EXPECT_THAT(pagesIn({1ULL << 25, (1ULL << 47) - 1}), ElementsAre(1ULL << 25, (1ULL << 47) - 1));
    EXPECT_THAT(pagesIn({(1ULL << 25) - 1, 1ULL << 47}), IsEmpty());
    EXPECT_THAT(pagesIn({0x302000008, 0x502000000, 0x302000000}), ElementsAre(0x302000008U, 0x502000000U))
        << "a page once, as it came first";
    EXPECT_THAT(pagesIn({0x3021fffff, 0x302200000}), SizeIs(2)) << "pages of 2 MiB";
    EXPECT_THAT(pagesIn({0x302000000, 0x502000000, 0x702000000}, 2), ElementsAre(0x302000000U, 0x502000000U));
}

TEST(Lift, WordsThatCanBeAddresses)
{
    const std::uint64_t words[] = {0, 17, 0x7f2c5e000010, 0x3f8000003f800000, 0x7f2c5e000018, 0x302000000, ~0ULL};
    const std::string_view bytes(reinterpret_cast<const char*>(words), sizeof words);
    EXPECT_THAT(possibleAddresses(bytes, 10), ElementsAre(0x302000000U, 0x7f2c5e000010U)) << "one of each page";
    EXPECT_THAT(possibleAddresses(bytes, 1), SizeIs(1));
    EXPECT_THAT(possibleAddresses(bytes.substr(0, 7), 10), IsEmpty());
}

TEST(Lift, TheLaunchIsTheFirstMatchAfterThoseSkipped)
{
    TraceConfig config;
    config.kernel = "^scale";
    config.skip = 1;
    config.lift = LiftRequest{"/x", 1, false};
    LiftSelector selector(config);
    EXPECT_FALSE(selector.next("other", {}, false));
    EXPECT_FALSE(selector.next("_Z5scalePf", {}, true)) << "it is recorded into a graph";
    EXPECT_FALSE(selector.next("_Z5scalePf", {}, false)) << "it is skipped";
    selector.sawGraph();
    EXPECT_EQ(test::valueText(selector.describeMissing()), R"("2 3 2 1 1 1")") << "kernels, launches, matches, skipped, recorded, graphs";
    EXPECT_EQ(selector.next("_Z5scalePf", {}, false), 2);
    EXPECT_EQ(selector.describeMissing(), "");
    EXPECT_FALSE(selector.next("_Z5scalePf", {}, false)) << "one is enough";
}

TEST(Lift, WhyNothingWasLiftedSnapshot)
{
    TraceConfig config;
    config.kernel = "scale";
    config.skip = 1;
    config.lift = LiftRequest{"/x", 1, false};
    LiftSelector selector(config);
    std::string text = "nothing: " + selector.describeMissing() + '\n';
    EXPECT_FALSE(selector.next("scale", {}, false));
    text += "one: " + selector.describeMissing() + '\n';
    EXPECT_FALSE(selector.next("scale", {}, true));
    EXPECT_FALSE(selector.next("other", {}, true));
    selector.sawGraph();
    text += "each: " + selector.describeMissing() + '\n';
    selector.sawGraph();
    text += "two graphs: " + selector.describeMissing() + '\n';
    test::expectSnapshot("texts/nothing-lifted.txt", text);
}

TEST(Lift, OnlyLaunchesThatMatchAreSkipped)
{
    TraceConfig config;
    config.kernel = "scale";
    config.skip = 2;
    config.ranges.within = "step";
    config.lift = LiftRequest{"/x", 1, false};
    LiftSelector selector(config);
    EXPECT_FALSE(selector.next("other", {"step"}, false));
    EXPECT_FALSE(selector.next("scale", {"outer"}, false)) << "outside of the range";
    EXPECT_FALSE(selector.next("scale", {"step"}, false));
    EXPECT_FALSE(selector.next("rescale", {"step"}, false));
    EXPECT_EQ(selector.next("scale", {"step"}, false), 2) << "its own index";
    config.kernel = "(";
    EXPECT_FALSE(LiftSelector(config).next("scale", {"step"}, false)) << "no expression";
}

TEST(Lift, OnlyInsideItsRange)
{
    TraceConfig config;
    config.ranges.within = "step";
    config.lift = LiftRequest{"/x", 1, false};
    LiftSelector selector(config);
    EXPECT_FALSE(selector.next("k", {"outer"}, false));
    EXPECT_EQ(selector.next("k", {"outer", "step"}, false), 1);
}

TEST(Lift, TheRequestAndTheLaunchSurviveTheirFiles)
{
    TraceConfig config;
    config.lift = LiftRequest{"/tmp/x", 1LL << 40, true};
    EXPECT_EQ(*parseTraceConfig(encodeTraceConfig(config), "c"), config);
    LiftedLaunch launch;
    launch.kernel = "_Z1kPf";
    launch.command = {"python3", "a b"};
    launch.grid = {1, 2, 3};
    launch.cluster = {2, 1, 1};
    launch.attributes = {{"carveout", -1}};
    launch.parameters = {{0, 8}, {64, 128}};
    launch.variables = {{"scale", "variable0"}};
    launch.memory = {{0x7f2c5e000000, 1ULL << 33, "argument", "0.before", "0.after", {{512, 1024}}}};
    EXPECT_EQ(*parseLift(encodeLift(launch), "l"), launch);
    EXPECT_THAT(parseLift("{\"schema\": \"kernelloop.lift/9\"}", "l").error().message, HasSubstr("kernelloop.lift/9"));
    EXPECT_FALSE(parseLift("{\"schema\": \"kernelloop.lift/1\", \"memory\": 7}", "l"));
    EXPECT_FALSE(parseLift("{", "l"));
}

/// Each member under its own name: the files of another version are read by them.
TEST(Lift, EveryMemberOfALaunchIsHeld)
{
    const std::string text =
        R"({"schema":"kernelloop.lift/1","kernel":"k","launch":5,"command":["a"],"host":"node","gpu":"H200","driver":"580",)"
        R"("compute_capability":90,"at":"then","grid_x":1,"block_x":2,"cluster_x":3,"grid_y":4,"block_y":5,"cluster_y":6,"grid_z":7,)"
        R"("block_z":8,"cluster_z":9,"cooperative":true,"dynamic_smem":4096,"attributes":{"registers":32},)"
        R"("parameters":[{"offset":8,"bytes":16}],"arguments":"args.bin","image":"k.cubin","variables":[{"name":"v","file":"v.bin"}],)"
        R"("memory":[{"address":4096,"bytes":64,"reached":"all","before":"b","after":"a","changed":[{"offset":2,"bytes":3}]}],)"
        R"("bytes":64,"too_large":true,"notes":["n"],"refusal":"why"})";
    const Result<LiftedLaunch> launch = parseLift(text, "l");
    ASSERT_TRUE(launch) << launch.error().message;
    test::expectHeld(*parseJson(text, "l"), *parseJson(encodeLift(*launch), "l"), "lift");
    EXPECT_EQ(launch->grid, (std::array<int, 3>{1, 4, 7}));
    EXPECT_EQ(launch->block, (std::array<int, 3>{2, 5, 8}));
    EXPECT_EQ(launch->cluster, (std::array<int, 3>{3, 6, 9}));
}

TEST(Lift, PlacedBuffersTravelToTheWorker)
{
    RunRequest request;
    request.work.buffers.push_back({"in0", DType::u8, 4, BufferRole::input, Fill::file, 1, "AAAA", true, 0x7f2c5e000000, "BBBB"});
    LaunchSpec launch;
    launch.entry = "k";
    launch.parameters = "CCCC";
    launch.carveout = 50;
    request.work.launches.push_back(launch);
    request.work.variables = std::map<std::string, std::string>{{"scale", "DDDD"}};
    const Result<RunRequest> read = fromJsonMessage<RunRequest>(toJsonMessage(request));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->work, request.work);
}

#ifdef KL_HAVE_LIVE
template <class T> std::vector<std::byte> rawBytes(const std::vector<T>& values)
{
    std::vector<std::byte> data(values.size() * sizeof(T));
    std::memcpy(data.data(), values.data(), data.size());
    return data;
}

TEST(Lift, ResultsOfTheSameBitsAreCorrectWhateverTheyAre)
{
    const float nan = std::nanf("");
    EXPECT_TRUE(compareAfter(rawBytes<float>({1, nan}), DType::f32, rawBytes<float>({1, nan}), {0, 0}).pass);
    const SuiteRow wrong = compareAfter(rawBytes<float>({1, 2.5F, nan}), DType::f32, rawBytes<float>({1, 2, nan}), {0, 0});
    EXPECT_FALSE(wrong.pass);
    EXPECT_THAT(wrong.reason, HasSubstr("1 of 3 "));
    ASSERT_TRUE(wrong.firstWrong);
    EXPECT_EQ(wrong.firstWrong->index, 1);
    EXPECT_EQ(wrong.firstWrong->expected, 2);
    EXPECT_EQ(wrong.firstWrong->got, 2.5);
    EXPECT_TRUE(compareAfter(rawBytes<float>({1, 2.5F}), DType::f32, rawBytes<float>({1, 2}), {0.5, 0.3}).pass);
    EXPECT_FALSE(compareAfter(rawBytes<float>({1, 2.5F}), DType::f32, rawBytes<float>({1, 2}), {0.5, 0.1}).pass);
    EXPECT_FALSE(compareAfter(rawBytes<float>({1, nan}), DType::f32, rawBytes<float>({1, 2}), {9, 9}).pass);
    EXPECT_FALSE(compareAfter(rawBytes<unsigned char>({1, 2}), DType::u8, rawBytes<unsigned char>({1, 3}), {0, 0}).pass);
}

TEST(Lift, SpansAreMappedAsWholePages)
{
    constexpr std::size_t kPage = 2 << 20;
    EXPECT_THAT(widenToPages({{5 * kPage + 512, 100}, {kPage + 7, kPage}, {5 * kPage, 512}}, kPage),
                ElementsAre(MemorySpan{kPage, 2 * kPage}, MemorySpan{5 * kPage, kPage}));
    EXPECT_THAT(widenToPages({{kPage, kPage}, {2 * kPage, 1}}, kPage), ElementsAre(MemorySpan{kPage, 2 * kPage}));
    // 0x7f2d03e00000 is inside a block that the driver reserves only as a whole.
    EXPECT_THAT(
        widenToPages({{0x7f2d03e00000, 0x200000}, {0x7f2d08800000, 0x1400000}, {0x7f2ce6000000, 0x4000000}}, kReservedBlock),
        ElementsAre(MemorySpan{0x7f2ce6000000, 0x4000000}, MemorySpan{0x7f2d02000000, 0x2000000}, MemorySpan{0x7f2d08000000, 0x2000000}));
}

TEST(Lift, SpansInsideOthersAndEqualOnesAddNoPages)
{
    constexpr std::size_t kPage = 2 << 20;
    EXPECT_THAT(widenToPages({{kPage, 3 * kPage}, {kPage + 100, 10}, {2 * kPage, 5}}, kPage), ElementsAre(MemorySpan{kPage, 3 * kPage}));
    EXPECT_THAT(widenToPages({{kPage, 10}, {kPage, 2 * kPage}, {kPage, 10}}, kPage), ElementsAre(MemorySpan{kPage, 2 * kPage}));
    EXPECT_THAT(widenToPages({{kPage, kPage}, {3 * kPage - 1, 2}}, kPage), ElementsAre(MemorySpan{kPage, 3 * kPage}))
        << "what touches joins";
    EXPECT_THAT(widenToPages({{kPage, kPage}, {3 * kPage, 1}}, kPage), ElementsAre(MemorySpan{kPage, kPage}, MemorySpan{3 * kPage, kPage}));
    EXPECT_TRUE(widenToPages({}, kPage).empty());
}

TEST(Lift, WhyNothingWasLiftedCountsEveryKindOfLaunch)
{
    TraceConfig config;
    config.kernel = "scale";
    config.skip = 3;
    config.lift = LiftRequest{"/x", 1, false};
    LiftSelector selector(config);
    EXPECT_EQ(test::valueText(selector.describeMissing()), R"("0 0 0")") << "kernels, launches, matches";
    for (int i = 0; i < 2; ++i)
        EXPECT_FALSE(selector.next("scale", {}, false));
    EXPECT_FALSE(selector.next("scale", {}, true));
    EXPECT_FALSE(selector.next("other", {}, true)) << "of another kernel: not among those that matched";
    selector.sawGraph();
    selector.sawGraph();
    EXPECT_EQ(test::valueText(selector.describeMissing()), R"("2 4 3 2 1 2")") << "kernels, launches, matches, skipped, recorded, graphs";
}

TEST(Lift, TexturesVariablesAndDeviceLaunchesShowInTheCode)
{
    if (const auto& loaded = Nvrtc::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    constexpr const char* kSource = R"(
__constant__ float scale = 2;
__device__ int counter;
extern "C" __global__ void plain(float* x) { x[threadIdx.x] *= scale; atomicAdd(&counter, 1); }
extern "C" __global__ void textured(unsigned long long t, float* x) { x[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
extern "C" __global__ void surfaced(unsigned long long t, float* x) { surf2Dwrite<float>(x[threadIdx.x], t, 4 * threadIdx.x, 1); }
)";
    const Result<CompiledSource> compiled = Nvrtc::load()->compile({kSource, {"--std=c++17"}, "sm_90"});
    ASSERT_TRUE(compiled) << compiled.error().message;
    ASSERT_TRUE(compiled->ok) << compiled->log;
    EXPECT_FALSE(usesTextures(findFunction(compiled->cubin, "plain")->code));
    EXPECT_TRUE(usesTextures(findFunction(compiled->cubin, "textured")->code));
    EXPECT_TRUE(usesTextures(findFunction(compiled->cubin, "surfaced")->code));
    const std::vector<ImageVariable> variables = imageVariables(compiled->cubin);
    ASSERT_THAT(variables, SizeIs(2));
    EXPECT_EQ(variables[0].name, "counter");
    EXPECT_FALSE(variables[0].place) << "zeros are not in the image";
    EXPECT_EQ(variables[1].name, "scale");
    ASSERT_TRUE(variables[1].place);
    float scale = 0;
    std::memcpy(&scale, compiled->cubin.data() + *variables[1].place, sizeof scale);
    EXPECT_EQ(scale, 2);
    EXPECT_TRUE(hasSymbol(compiled->cubin, "plain"));
    EXPECT_FALSE(hasSymbol(compiled->cubin, "cudaCDP2LaunchDevice"));
    EXPECT_THAT(imageVariables("no image"), IsEmpty());
}
#endif

} // namespace
} // namespace kl
