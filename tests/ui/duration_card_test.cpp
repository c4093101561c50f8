// SPDX-License-Identifier: MIT
// Metrics over the duration of a launch on the Diagnose page.
#include "core/device/pm_roles.h"
#include "core/model/run.h"
#include "profiler/import/ncu_report.h"
#include "tests/support/real_reports.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/diagnose/duration_card.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QLabel>

namespace kl::ui {
namespace {

/// A kernel of a real report: a strided copy, multiply-adds, and one of a microsecond.
RunRecord readKernelRun(std::size_t kernel)
{
    const Result<ImportedFile> report = readNcuReport(test::ncuData("three_kernels.ncu-rep"), "r");
    EXPECT_TRUE(report);
    RunRecord run;
    run.pmSampling = report->results[kernel].series;
    return run;
}

TEST(DurationCard, DrawsEverySampleOfEachSeriesOverTheLaunch)
{
    const RunRecord run = readKernelRun(0);
    DurationCard card;
    card.setRun(run);
    EXPECT_FALSE(card.isHidden());
    EXPECT_TRUE(card.missing().isEmpty());
    const auto* chart = card.findChild<XYChart*>("durationChart");
    ASSERT_TRUE(chart);
    const std::vector<PmCurve> curves = pmCurves(*run.pmSampling);
    ASSERT_EQ(chart->spec().series.size(), curves.size());
    EXPECT_GE(curves.size(), 5U);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const XYSeries& series = chart->spec().series[i];
        EXPECT_EQ(series.name, q(findPmRoleInfo(curves[i].role).label));
        ASSERT_EQ(series.points.size(), curves[i].series->values.size());
        EXPECT_EQ(series.points.back().y, curves[i].series->values.back());
        EXPECT_LT(series.points.back().x, pmDuration(*run.pmSampling) / 1000);
    }
    EXPECT_NEAR(chart->rangeX().high, 267, 1);
}

TEST(DurationCard, WithoutSamplesTheReasonIsLeft)
{
    DurationCard card;
    card.setRun(readKernelRun(2));
    EXPECT_TRUE(card.isHidden());
    EXPECT_FALSE(card.missing().isEmpty());
    card.setRun(RunRecord());
    EXPECT_TRUE(card.isHidden());
    EXPECT_TRUE(card.missing().isEmpty()) << "it was not requested";
}

} // namespace
} // namespace kl::ui
