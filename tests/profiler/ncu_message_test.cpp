// SPDX-License-Identifier: MIT
// Messages of Nsight Compute reports by the numbers of their fields, and counts by the addresses that code was loaded at.
#include "core/model/kernel_code.h"
#include "core/sass/cubin.h"
#include "profiler/import/ncu_instances.h"
#include "profiler/import/ncu_result.h"
#include "profiler/import/ncu_source.h"
#include "profiler/import/result_layout.h"
#include "tests/support/wire_bytes.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace kl::ncu {
namespace {

using support::wireBytes;
using support::wireFixed;
using support::wireNumber;
using support::wireVarint;

/// The fields that a kind of result has, by their numbers; 0 for what it does not have.
struct Numbers {
    std::uint32_t metrics, rules, thread, created, nvtx, context, stream, driver, name;
};

TEST(NcuLayout, EachKindOfResultHasItsFieldsAtItsNumbers)
{
    const std::pair<ResultKind, Numbers> kinds[] = {{ResultKind::kernel, {13, 19, 1, 14, 21, 22, 23, 35, 0}},
                                                    {ResultKind::range, {4, 20, 1, 5, 10, 11, 0, 21, 0}},
                                                    {ResultKind::commandList, {4, 21, 1, 5, 10, 11, 12, 25, 18}},
                                                    {ResultKind::graph, {4, 22, 1, 5, 10, 11, 12, 23, 0}}};
    for (const auto& [kind, at] : kinds) {
        const std::string metric = wireNumber(1, 6) + wireBytes(2, "value");
        std::string message = wireBytes(at.metrics, metric) + wireBytes(at.rules, "rule") + wireBytes(at.rules, "another") +
                              wireNumber(at.thread, 77) + wireNumber(at.created, 88) + wireBytes(at.nvtx, "state") +
                              wireNumber(at.context, 3) + wireFixed(at.driver, 580.5F);
        if (at.stream)
            message += wireNumber(at.stream, 9);
        if (at.name)
            message += wireBytes(at.name, "frame");
        const Result<RawResult> parts = findParts(kind, message);
        ASSERT_TRUE(parts.ok()) << toWord(kind);
        ASSERT_EQ(parts->metrics.size(), 1U) << toWord(kind);
        EXPECT_EQ(parts->metrics[0].name, 6U);
        EXPECT_EQ(parts->metrics[0].value, "value");
        EXPECT_EQ(parts->metrics[0].whole, metric);
        EXPECT_EQ(parts->rules, (std::vector<std::string_view>{"rule", "another"})) << toWord(kind);
        EXPECT_EQ(parts->thread, 77U) << toWord(kind);
        EXPECT_EQ(parts->created, 88U) << toWord(kind);
        EXPECT_EQ(parts->nvtx, "state") << toWord(kind);
        EXPECT_EQ(parts->context, 3U) << toWord(kind);
        EXPECT_EQ(parts->stream, at.stream ? 9U : 0U) << toWord(kind);
        EXPECT_EQ(parts->driver, 580.5F) << toWord(kind);
        EXPECT_EQ(parts->name, at.name ? "frame" : "") << toWord(kind);
    }
}

TEST(NcuLayout, AKernelHasNamesSizesAndAModule)
{
    const std::string module = wireNumber(1, 5) + wireBytes(2, "more");
    const std::string message = wireBytes(5, "mangled") + wireBytes(6, "function") + wireBytes(7, "demangled") + wireBytes(10, "grid") +
                                wireBytes(11, "block") + wireBytes(15, module);
    const Result<RawResult> parts = findParts(ResultKind::kernel, message);
    ASSERT_TRUE(parts.ok());
    EXPECT_EQ(parts->mangled, "mangled");
    EXPECT_EQ(parts->function, "function");
    EXPECT_EQ(parts->demangled, "demangled");
    EXPECT_EQ(parts->grid, "grid");
    EXPECT_EQ(parts->block, "block");
    EXPECT_EQ(parts->module, 5U);
    EXPECT_EQ(findParts(ResultKind::kernel, wireBytes(13, "\x0a\x05x")).error().code, ErrorCode::badInput) << "a metric that is none";
    EXPECT_EQ(findParts(ResultKind::range, "\x0a\x05x").error().code, ErrorCode::badInput);
    EXPECT_STREQ(toWord(ResultKind::commandList), "command list");
}

TEST(NcuLayout, InstancesHaveWhatTheyBelongToAndTheirValue)
{
    const std::string metric = wireNumber(1, 6) + wireBytes(3, wireBytes(1, "id") + wireBytes(2, "value")) + wireBytes(2, "sum") +
                               wireBytes(3, wireBytes(2, "second")) + wireBytes(3, wireBytes(1, "third"));
    std::vector<std::pair<std::string, std::string>> all;
    eachInstance(metric, [&](std::string_view id, std::string_view value) { all.emplace_back(id, value); });
    EXPECT_EQ(all, (std::vector<std::pair<std::string, std::string>>{{"id", "value"}, {"", "second"}, {"third", ""}}));
}

constexpr const char* kStridedKernel = "_Z7stridedPKfPfmi";
constexpr const char* kOtherKernel = "_Z5fma_kPfi";
constexpr std::int64_t kStridedAt = 0x7000;
constexpr std::int64_t kOtherAt = 0x90000;

std::string threeKernels()
{
    std::ifstream in(std::filesystem::path(KL_SOURCE_DIR) / "tests/data/sass/three_kernels.cubin", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// One instance of a metric: its address and its value, as different versions write numbers.
std::string encodeCount(std::int64_t address, const std::string& value)
{
    return wireBytes(3, wireBytes(1, wireNumber(5, static_cast<std::uint64_t>(address))) + wireBytes(2, value));
}

TEST(NcuSourceOfCode, CountsAreJoinedToTheFunctionsAtTheirAddresses)
{
    const std::string cubin = threeKernels();
    const auto strided = findFunction(cubin, kStridedKernel);
    ASSERT_TRUE(strided && findFunction(cubin, kOtherKernel));
    const auto bytes = static_cast<std::int64_t>(strided->code.size());
    Module module;
    module.cubin = cubin;
    module.functions = {{kStridedKernel, kStridedAt}, {kOtherKernel, kOtherAt}, {"gone", 0x100}};
    module.texts = {{"k.cu", "text"}};
    const NameTable names({"inst_executed", "memory_l2_theoretical_sectors_global", "memory_l2_theoretical_sectors_global_ideal",
                           "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal", "thread_inst_executed",
                           "smsp__pcsamp_warps_issue_stalled_long_scoreboard"});
    const std::int64_t load = kStridedAt + 0x390;
    const std::vector<std::string> messages{encodeCount(load, wireNumber(4, 5)) + encodeCount(kStridedAt, wireNumber(5, 6)) +
                                                encodeCount(kStridedAt + bytes - 16, wireNumber(4, 7)) +
                                                encodeCount(kStridedAt + bytes, wireNumber(4, 8)) +
                                                encodeCount(kStridedAt - 16, wireNumber(4, 9)) + encodeCount(kOtherAt, wireNumber(4, 10)),
                                            encodeCount(load, wireFixed(3, 20.0)),
                                            encodeCount(load, wireFixed(2, 21.0F)),
                                            encodeCount(load, wireNumber(4, 22)),
                                            encodeCount(load, wireNumber(4, 23)),
                                            encodeCount(load, wireNumber(4, 24)) + encodeCount(load + 16, wireBytes(1, "a text")),
                                            encodeCount(load, wireNumber(4, 3)) + encodeCount(kStridedAt, wireNumber(4, 0))};
    RawResult kernel;
    kernel.mangled = kStridedKernel;
    for (std::size_t i = 0; i < messages.size(); ++i)
        kernel.metrics.push_back({i, {}, messages[i]});
    const std::optional<SourceProfile> profile = readSource(kernel, names, &module);
    ASSERT_TRUE(profile && profile->code);
    const KernelCode& code = *profile->code;
    ASSERT_EQ(code.functions.size(), 3U) << "the kernel, what else was executed, and code that is not there";
    EXPECT_EQ(code.functions[0], kStridedKernel);
    EXPECT_EQ(code.functions[1], kOtherKernel);
    const auto executed = [&](int function, std::int64_t offset) {
        const auto found = std::ranges::find_if(
            code.instructions, [&](const CodeInstruction& one) { return one.function == function && one.offset == offset; });
        return found == code.instructions.end() ? std::int64_t{-1} : found->executed.value_or(-2);
    };
    EXPECT_EQ(executed(0, 0x390), 5);
    EXPECT_EQ(executed(0, 0), 6);
    EXPECT_EQ(executed(0, bytes - 16), 7) << "the last instruction";
    EXPECT_EQ(executed(1, 0), 10);
    EXPECT_EQ(executed(2, kStridedAt + bytes), 8) << "behind the last one";
    EXPECT_EQ(executed(2, kStridedAt - 16), 9);
    EXPECT_EQ(executed(0, 16), -2) << "nothing was counted there";
    const auto at = std::ranges::find_if(code.instructions, [](const CodeInstruction& one) { return one.offset == 0x390; });
    EXPECT_EQ(at->sectors, 20);
    EXPECT_EQ(at->idealSectors, 21);
    EXPECT_EQ(at->wavefronts, 22);
    EXPECT_EQ(at->idealWavefronts, 23);
    EXPECT_EQ(at->threads, 24);
    EXPECT_EQ(at->samples, 3);
    EXPECT_EQ(at->line, 2);
    EXPECT_EQ(profile->samples, 3);
    EXPECT_EQ(profile->texts, module.texts);
    const auto row = std::ranges::find_if(
        profile->instructions, [](const SampledInstruction& one) { return one.function == kStridedKernel && one.offset == 0x390; });
    ASSERT_NE(row, profile->instructions.end());
    EXPECT_EQ(row->file, "k.cu");
    EXPECT_EQ(row->line, 2);
    EXPECT_EQ(row->samples, 3);
    EXPECT_EQ(row->executed, 5);
    EXPECT_EQ(row->threads, 24);
    EXPECT_EQ(row->stalls, (std::map<std::string, std::int64_t>{{"long_scoreboard", 3}}));
}

TEST(NcuSourceOfCode, CodeWithoutCountsIsCodeAllTheSame)
{
    const std::string cubin = threeKernels();
    Module module;
    module.cubin = cubin;
    RawResult kernel;
    kernel.mangled = kStridedKernel;
    const std::optional<SourceProfile> profile = readSource(kernel, NameTable({}), &module);
    ASSERT_TRUE(profile && profile->code);
    EXPECT_EQ(profile->code->functions, std::vector<std::string>{kStridedKernel});
    EXPECT_FALSE(profile->code->instructions.empty());
    EXPECT_FALSE(profile->unavailable.empty());
    EXPECT_FALSE(profile->countsUnavailable.empty());
    EXPECT_FALSE(readSource(kernel, NameTable({}), nullptr));
}

} // namespace
} // namespace kl::ncu
