// SPDX-License-Identifier: MIT
#include "core/model/kernel_code.h"
#include "profiler/import/ncu_report.h"
#include "tests/support/real_reports.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace kl {
namespace {

using test::ncuData;

std::int64_t sumCounter(const KernelCode& code, std::optional<std::int64_t> CodeInstruction::*counter)
{
    return std::accumulate(code.instructions.begin(), code.instructions.end(), std::int64_t{0},
                           [counter](std::int64_t sum, const CodeInstruction& one) { return sum + (one.*counter).value_or(0); });
}

double metric(const ImportedResult& result, const char* name)
{
    return result.values.at(name).value_or(-1);
}

TEST(NcuSource, EveryCounterOfTheInstructionsAddsUpToTheReportsMetric)
{
    for (const char* file : {"three_kernels.ncu-rep", "source.ncu-rep"}) {
        const Result<ImportedFile> report = readNcuReport(ncuData(file), file);
        ASSERT_TRUE(report) << report.error().message;
        for (const ImportedResult& result : report->results) {
            ASSERT_TRUE(result.source) << result.facts.kernel;
            const SourceProfile& source = *result.source;
            ASSERT_TRUE(source.code);
            const KernelCode& code = *source.code;
            EXPECT_EQ(static_cast<double>(source.samples), metric(result, "smsp__pcsamp_sample_count")) << result.facts.kernel;
            EXPECT_EQ(code.samples(), source.samples);
            EXPECT_EQ(static_cast<double>(sumCounter(code, &CodeInstruction::executed)), metric(result, "inst_executed"));
            EXPECT_EQ(static_cast<double>(sumCounter(code, &CodeInstruction::threads)), metric(result, "thread_inst_executed"));
            EXPECT_EQ(static_cast<double>(sumCounter(code, &CodeInstruction::sectors)),
                      metric(result, "memory_l2_theoretical_sectors_global"));
            EXPECT_EQ(code.functions, std::vector<std::string>{result.facts.mangled});
            EXPECT_EQ(source.unavailable.empty(), source.samples > 0) << "a kernel can end before the first sample";
            EXPECT_EQ(source.countsUnavailable, "");
            std::int64_t lines = 0;
            for (const SourceLine& line : source.lines)
                lines += line.samples;
            EXPECT_EQ(lines, source.samples);
        }
    }
}

TEST(NcuSource, TheLoadOfTheStridedKernelHasItsLineStallAndSectors)
{
    const Result<ImportedFile> report = readNcuReport(ncuData("three_kernels.ncu-rep"), "r");
    ASSERT_TRUE(report);
    const SourceProfile& source = *report->results.at(0).source;
    ASSERT_FALSE(source.lines.empty());
    EXPECT_EQ(source.lines.front().file, "k.cu");
    EXPECT_EQ(source.lines.front().line, 2);
    const auto load = std::ranges::find(source.code->instructions, 0x390, &CodeInstruction::offset);
    ASSERT_NE(load, source.code->instructions.end());
    EXPECT_EQ(load->line, 2);
    EXPECT_EQ(load->sectors, 16777216);
    EXPECT_EQ(load->idealSectors, 2097152);
    const auto stall = std::ranges::find(source.code->stalls, "long_scoreboard");
    ASSERT_NE(stall, source.code->stalls.end());
    EXPECT_TRUE(source.texts.empty()) << "it was recorded without --import-source";
}

TEST(NcuSource, ImportedSourceAndBankConflictsAreRead)
{
    const Result<ImportedFile> report = readNcuReport(ncuData("source.ncu-rep"), "r");
    ASSERT_TRUE(report);
    const SourceProfile& spin = *report->results.at(1).source;
    ASSERT_TRUE(spin.texts.contains("small.cu"));
    EXPECT_NE(spin.texts.at("small.cu").find("__global__"), std::string::npos);
    EXPECT_EQ(sumCounter(*spin.code, &CodeInstruction::wavefronts), 27033600);
    EXPECT_EQ(sumCounter(*spin.code, &CodeInstruction::idealWavefronts), 844800);
    const auto access =
        std::ranges::find_if(spin.code->instructions, [](const CodeInstruction& one) { return one.wavefronts.has_value(); });
    EXPECT_EQ(access->bankConflicts(), 67584 - 2112);
}

TEST(NcuSource, AReportWithoutTheSectionHasNone)
{
    const Result<ImportedFile> report = readNcuReport(ncuData("basic.ncu-rep"), "r");
    ASSERT_TRUE(report);
    for (const ImportedResult& result : report->results)
        if (result.source) {
            EXPECT_EQ(result.source->samples, 0);
            EXPECT_FALSE(result.source->unavailable.empty());
        }
    const auto ranges = readNcuReport(ncuData("ranges.ncu-rep"), "r");
    ASSERT_TRUE(ranges) << ranges.error().message;
    for (const ImportedResult& result : ranges->results)
        EXPECT_FALSE(result.source) << "several launches have no code in common";
}

} // namespace
} // namespace kl
