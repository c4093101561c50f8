// SPDX-License-Identifier: MIT
// A kernel over many sizes: the chart's lines, and the Kernels page on the recorded sample.
#include "core/base/format.h"
#include "ui/charts/chart_card.h"
#include "ui/pages/kernels/sweep_chart.h"
#include "ui/pages/kernels/sweep_view.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

namespace kl::ui {
namespace {

SweepRow makeRow(std::int64_t m, std::int64_t n, std::optional<double> ns)
{
    SweepRow row;
    row.kernel = {"transpose", "naive", {}};
    row.problem = {{"M", m}, {"N", n}};
    if (!ns) {
        row.missing = "not recorded";
        return row;
    }
    row.run.emplace();
    row.run->timing.emplace();
    row.run->timing->gpu = {*ns, *ns, *ns, 3};
    row.run->idealBytes = 8.0 * static_cast<double>(m * n);
    row.run->speedup = 0.5;
    return row;
}

const std::vector<SweepRow>& twoLines()
{
    static const std::vector<SweepRow> rows{makeRow(1024, 64, 1000),  makeRow(1024, 128, 2000), makeRow(4096, 64, 4000),
                                            makeRow(4096, 128, 9000), makeRow(8192, 64, {}),    makeRow(8192, 128, 16000)};
    return rows;
}

TEST(SweepChart, HasALinePerValueOfTheOtherSize)
{
    EXPECT_EQ(listSweptAxes(twoLines()), (std::vector<std::string>{"M", "N"})) << "most values first";
    const XYSpec spec = sweepSpec(twoLines(), "M", SweepFigure::time);
    ASSERT_EQ(spec.series.size(), 2U);
    EXPECT_EQ(spec.series[0].name, "N=64");
    ASSERT_EQ(spec.series[0].points.size(), 2U) << "what was not recorded has no point";
    EXPECT_EQ(spec.series[1].points.back().x, 8192);
    EXPECT_EQ(spec.series[1].points.back().y, 16) << "microseconds";
    EXPECT_TRUE(spec.x.log) << "eightfold";
    EXPECT_EQ(sweepSpec(twoLines(), "N", SweepFigure::time).series.size(), 3U);
}

TEST(SweepChart, ThroughputIsOfTheFlopsWhereTheyAreCounted)
{
    EXPECT_NEAR(sweepSpec(twoLines(), "M", SweepFigure::throughput).series[0].points[0].y, 8.0 * 1024 * 64 / 1000, 1e-9) << "GB/s";
    std::vector<SweepRow> rows = twoLines();
    for (SweepRow& row : rows)
        if (row.run)
            row.run->flops = 2e6;
    EXPECT_NEAR(sweepSpec(rows, "M", SweepFigure::throughput).series[0].points[0].y, 2e6 / 1000, 1e-9) << "GFLOP/s";
}

TEST(SweepChart, SpeedupIsHeldAgainstTheBaseline)
{
    const XYSpec spec = sweepSpec(twoLines(), "M", SweepFigure::speedup);
    ASSERT_EQ(spec.references.size(), 1U);
    EXPECT_EQ(spec.references[0].y, 1);
    EXPECT_EQ(spec.series[0].points[0].y, 0.5);
}

TEST(SweepChart, EachKernelHasLinesOfItsOwn)
{
    std::vector<SweepRow> rows{makeRow(4096, 64, 4000), makeRow(1024, 64, 1000)};
    for (SweepRow row : {makeRow(1024, 64, 500), makeRow(4096, 64, 3000)}) {
        row.kernel = {"transpose", "tiled", {}};
        rows.push_back(row);
    }
    XYSpec spec = sweepSpec(rows, "M", SweepFigure::time);
    ASSERT_EQ(spec.series.size(), 2U);
    EXPECT_TRUE(spec.series[0].name.startsWith("transpose/naive"));
    EXPECT_TRUE(spec.series[1].name.startsWith("transpose/tiled"));
    for (const XYSeries& series : spec.series) {
        ASSERT_EQ(series.points.size(), 2U);
        EXPECT_EQ(series.points[0].x, 1024) << "by size, in whatever order they were measured";
    }
    EXPECT_EQ(spec.series[1].points[0].y, 0.5);
    EXPECT_NE(spec.series[0].token, spec.series[1].token);
    EXPECT_FALSE(spec.x.log) << "fourfold";
    EXPECT_FALSE(spec.x.withZero);
    rows.push_back(makeRow(1024, 128, 1500));
    spec = sweepSpec(rows, "M", SweepFigure::time);
    ASSERT_EQ(spec.series.size(), 3U);
    EXPECT_TRUE(spec.series[2].name.startsWith("transpose/naive") && spec.series[2].name.contains("N=128"));
    EXPECT_TRUE(spec.series[1].name.contains("N=64"));
}

TEST(SweepChart, PointsSayTheirSizeFigureAndClass)
{
    std::vector<SweepRow> rows{makeRow(1024, 64, 1000), makeRow(8192, 64, 8000)};
    rows[1].run->diagnosis.emplace();
    rows[1].run->diagnosis->finding.classId = "uncoalesced";
    const XYSpec spec = sweepSpec(rows, "M", SweepFigure::time);
    ASSERT_EQ(spec.series.size(), 1U);
    const auto& points = spec.series[0].points;
    ASSERT_EQ(points.size(), 2U);
    EXPECT_TRUE(points[0].tip.contains("M=1024") && points[0].tip.endsWith(q(formatTime(1000)))) << points[0].tip.toStdString();
    EXPECT_TRUE(points[1].tip.contains("M=8192") && points[1].tip.endsWith("uncoalesced")) << points[1].tip.toStdString();
    EXPECT_TRUE(spec.references.empty());
    EXPECT_EQ(spec.x.title, "M");
    const XYSpec speedup = sweepSpec(rows, "M", SweepFigure::speedup);
    EXPECT_TRUE(speedup.series[0].points[0].tip.endsWith(q(formatRatio(0.5))));
}

TEST(SweepChart, ItsFindingIsFromTheSmallestToTheLargestSizeOfALoneLine)
{
    const std::vector<SweepRow> rows{makeRow(8192, 64, 9000), makeRow(1024, 64, 1000)};
    const QString one = sweepFinding(rows, "M", SweepFigure::time);
    const QStringList order{q(formatTime(1000)), "M=1024", q(formatTime(9000)), "M=8192"};
    qsizetype at = 0;
    for (const QString& part : order) {
        at = one.indexOf(part, at);
        ASSERT_GE(at, 0) << one.toStdString() << " lacks " << part.toStdString();
    }
    EXPECT_FALSE(sweepFinding(twoLines(), "M", SweepFigure::time).contains("M=")) << "several lines";
    EXPECT_FALSE(sweepFinding({rows[0]}, "M", SweepFigure::time).contains("M=")) << "a lone size";
    EXPECT_TRUE(sweepFinding(rows, "M", SweepFigure::throughput).contains(q(formatBandwidth(8.0 * 1024 * 64 / 1e-6))));
}

class SweepOnSample : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        window->showPage("kernels", "transpose/tiled");
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override { waitForJobs(); }
    template <class Widget> Widget* find(const char* name) const
    {
        return window->page("kernels")->findChild<Widget*>(QString::fromLatin1(name));
    }

    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

TEST_F(SweepOnSample, MeasuresWhatIsRecordedAndSaysWhichSizesAre)
{
    find<QPushButton>("sweep")->click();
    auto* field = find<QLineEdit>("axis-N");
    ASSERT_TRUE(field && field->isVisible()) << "its form is shown";
    find<QLineEdit>("axis-M")->setText("4096");
    field->setText("1024..");
    EXPECT_FALSE(find<QPushButton>("startSweep")->isEnabled()) << "not an axis";
    field->setText("1024..4096 x2");
    ASSERT_TRUE(find<QPushButton>("startSweep")->isEnabled());
    find<QPushButton>("startSweep")->click();
    ASSERT_TRUE(waitForJobs());
    QCoreApplication::processEvents();
    EXPECT_EQ(find<DataTable>("sweepRows")->model()->rowCount(), 3);
    EXPECT_TRUE(find<QLabel>("sweepAbout")->text().contains("M=4096,N=4096")) << "which is recorded";
    EXPECT_EQ(find<QComboBox>("sweepAlong")->currentText(), "N");
    EXPECT_TRUE(find<ChartCard>("sweepChart")->csv().contains("4096")) << "as every chart, it can be exported";
    find<QComboBox>("sweepFigure")->setCurrentIndex(2);
    emit find<QComboBox>("sweepFigure")->activated(2);
    EXPECT_EQ(find<ChartCard>("sweepChart")->findChild<XYChart*>()->spec().references.size(), 1U) << "the speedup's baseline";
    emit find<DataTable>("sweepRows")->opened(0);
    EXPECT_EQ(window->currentPage(), "kernels") << "that size was not recorded";
    emit find<DataTable>("sweepRows")->opened(2);
    EXPECT_EQ(window->currentPage(), "diagnose");
}

} // namespace
} // namespace kl::ui
