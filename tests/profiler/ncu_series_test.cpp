// SPDX-License-Identifier: MIT
// PM sampling in real reports, against the metrics of whole launches in the same reports.
#include "core/device/pm_roles.h"
#include "profiler/import/ncu_report.h"
#include "tests/support/real_reports.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl::test {
namespace {

ImportedFile readReport(const std::string& name)
{
    const std::string bytes = ncuData(name);
    Result<ImportedFile> file = readNcuReport(bytes, name);
    EXPECT_TRUE(file.ok());
    return file ? std::move(*file) : ImportedFile();
}

double figure(const ImportedResult& result, const char* metric)
{
    const auto found = result.values.find(metric);
    return found == result.values.end() ? -1 : found->second.value_or(-1);
}

TEST(NcuSeries, LastAsLongAsTheLaunch)
{
    for (const char* name : {"three_kernels.ncu-rep", "source.ncu-rep"})
        for (const ImportedResult& result : readReport(name).results) {
            ASSERT_TRUE(result.series) << result.facts.kernel;
            if (result.series->passes.empty())
                continue;
            EXPECT_NEAR(result.series->intervalNs, 1500, 10);
            EXPECT_NEAR(pmDuration(*result.series), figure(result, "gpu__time_duration.sum"), 2 * result.series->intervalNs)
                << result.facts.kernel;
        }
}

// The two come from different executions. L2's throughput is left out: its sampled one has fewer parts.
TEST(NcuSeries, TheirMeansAreTheMetricsOfTheLaunch)
{
    struct Same {
        PmRole role;
        const char* metric;
    };
    constexpr Same kSame[] = {{PmRole::instructions, "sm__inst_executed.avg.pct_of_peak_sustained_elapsed"},
                              {PmRole::tensor, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"},
                              {PmRole::l1, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"},
                              {PmRole::dram, "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"}};
    int compared = 0;
    for (const char* name : {"three_kernels.ncu-rep", "source.ncu-rep"})
        for (const ImportedResult& result : readReport(name).results)
            for (const PmCurve& curve : result.series ? pmCurves(*result.series) : std::vector<PmCurve>())
                for (const Same& same : kSame)
                    if (const double whole = figure(result, same.metric); curve.role == same.role && whole >= 0) {
                        EXPECT_NEAR(curve.mean, whole, std::max(0.5, 0.03 * whole)) << result.facts.kernel << ' ' << same.metric;
                        ++compared;
                    }
    EXPECT_GE(compared, 15);
}

TEST(NcuSeries, ALaunchOfAFewMicrosecondsHasTheReasonInstead)
{
    const ImportedFile file = readReport("three_kernels.ncu-rep");
    ASSERT_EQ(file.results.size(), 3U);
    EXPECT_EQ(file.results[0].series->passes.size(), 1U);
    EXPECT_TRUE(file.results[0].series->unavailable.empty());
    EXPECT_TRUE(file.results[2].series->passes.empty());
    EXPECT_FALSE(file.results[2].series->unavailable.empty());
}

TEST(NcuSeries, AReportWithoutTheSectionHasNone)
{
    for (const ImportedResult& result : readReport("basic.ncu-rep").results)
        EXPECT_FALSE(result.series);
}

} // namespace
} // namespace kl::test
