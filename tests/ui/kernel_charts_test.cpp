// SPDX-License-Identifier: MIT
// Memory chart and occupancy card of the Diagnose page.
#include "core/device/device_table.h"
#include "core/device/metric_catalog.h"
#include "ui/pages/diagnose/memory_chart_view.h"
#include "ui/pages/diagnose/occupancy_card.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/widgets/text.h"

#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <gtest/gtest.h>

#include <algorithm>

namespace kl::ui {
namespace {

RunRecord makeProfiled()
{
    RunRecord run;
    run.kernel = *parseAddress("user/k");
    run.device = describeDevice(*findGpu("NVIDIA H200"));
    run.launches = {{"k", 1000, 256, 128, 0, 0, 0, 2, 25, "registers", 1.0, 100e3, {}}};
    MetricSet metrics;
    metrics.launch = "k";
    metrics.values = {{"gpu__time_duration.sum", 100e3},
                      {"dram__bytes_read.sum", 100e6},
                      {"dram__bytes_write.sum", 4e6},
                      {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 21.0},
                      {"smsp__average_warp_latency_per_inst_issued.ratio", 10.0},
                      {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 7.0}};
    run.metrics = metrics;
    return run;
}

QImage drawn(MemoryChartView& view)
{
    QImage image(760, view.sizeHint().height(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    view.draw(painter, image.rect());
    return image;
}

TEST(MemoryChartView, DrawsBoxesAndTellsInItsTableWhatIsMissing)
{
    MemoryChartView view;
    view.resize(760, 260);
    const MemoryChart chart = memoryChart(makeProfiled());
    std::string reason;
    for (const MemoryUnit& unit : chart.units)
        for (const MemoryFigure& figure : unit.figures)
            if (!figure.value)
                reason = figure.missing;
    ASSERT_FALSE(reason.empty());
    view.setChart(chart);
    EXPECT_TRUE(view.emptyReason().isEmpty());
    const QImage image = drawn(view);
    QImage blank(image.size(), QImage::Format_RGB32);
    blank.fill(Qt::white);
    EXPECT_NE(image, blank);
    bool dram = false;
    bool missing = false;
    for (const QStringList& row : view.table().rows) {
        dram = dram || (row[0].contains(QStringLiteral("dram → l2")) && row[2].contains(QStringLiteral("MiB")));
        missing = missing || row[2].endsWith(q(reason));
    }
    EXPECT_TRUE(dram);
    EXPECT_TRUE(missing);
    EXPECT_TRUE(memoryTitle(memoryChart(makeProfiled())).contains(QStringLiteral("DRAM")));
}

TEST(MemoryChartView, WithoutCountersItGivesTheReason)
{
    RunRecord run = makeProfiled();
    run.metrics.reset();
    MemoryChartView view;
    view.setChart(memoryChart(run));
    EXPECT_FALSE(view.emptyReason().isEmpty());
}

TEST(OccupancyCard, SlidersShowWhatAnotherShapeWouldGive)
{
    OccupancyCard card;
    card.setRun(makeProfiled());
    const auto* result = card.findChild<QLabel*>(QStringLiteral("whatIfResult"));
    auto* registers = card.findChild<QSlider*>(QStringLiteral("whatIfRegisters"));
    ASSERT_TRUE(result && registers);
    EXPECT_EQ(registers->value(), 128);
    EXPECT_TRUE(result->text().contains(QStringLiteral("registers"))) << result->text().toStdString();
    EXPECT_FALSE(result->text().startsWith(QStringLiteral("▲")));
    registers->setValue(32);
    EXPECT_TRUE(result->text().startsWith(QStringLiteral("▲"))) << result->text().toStdString();
    EXPECT_TRUE(result->text().contains(QStringLiteral("100"))) << result->text().toStdString();
    registers->setValue(255);
    EXPECT_TRUE(result->text().startsWith(QStringLiteral("▼"))) << result->text().toStdString();
}

TEST(OccupancyCard, ALeverSetsTheSliders)
{
    OccupancyCard card;
    card.setRun(makeProfiled());
    const auto links = card.findChildren<QPushButton*>();
    ASSERT_FALSE(links.isEmpty());
    links.front()->click();
    EXPECT_LT(card.findChild<QSlider*>(QStringLiteral("whatIfRegisters"))->value(), 128);
    EXPECT_TRUE(card.findChild<QLabel*>(QStringLiteral("whatIfResult"))->text().startsWith(QStringLiteral("▲")));
}

TEST(OccupancyCard, IsNotThereWhereTheLaunchIsNotKnown)
{
    RunRecord run = makeProfiled();
    run.launches.clear();
    OccupancyCard card;
    card.setRun(run);
    EXPECT_TRUE(card.isHidden());
}

TEST(StallMeanings, NameTheShareAndWhatItMeans)
{
    const QString text = stallMeanings(makeProfiled());
    EXPECT_TRUE(text.contains(q(kl::stallTitle("long_scoreboard")) + QStringLiteral(", 70"))) << text.toStdString();
    RunRecord run = makeProfiled();
    run.metrics.reset();
    EXPECT_TRUE(stallMeanings(run).isEmpty());
}

} // namespace
} // namespace kl::ui
