// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/limit_bars.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/calculate/launch_calculator.h"
#include "ui/pages/calculate/memory_calculator.h"
#include "ui/pages/calculate/occupancy_calculator.h"
#include "ui/pages/calculate/smem_calculator.h"
#include "ui/style/style_sheet.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/input_card.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTest>

#include <algorithm>

namespace kl::ui {
namespace {

/// Types a figure into a field, as a person does.
void type(const QWidget& calculator, const char* field, const char* figure)
{
    auto* box = calculator.findChild<QAbstractSpinBox*>(QString::fromLatin1(field));
    ASSERT_NE(box, nullptr) << field;
    box->selectAll();
    QTest::keyClicks(box, QString::fromLatin1(figure));
}

/// All texts that the calculator shows.
QString words(const QWidget& calculator)
{
    QString all;
    for (const QLabel* label : calculator.findChildren<QLabel*>())
        all += label->text() + u'\n';
    return all;
}

const LimitBar* findBar(const LimitBars& chart, const QString& gpu)
{
    for (const LimitBar& bar : chart.bars())
        if (bar.name == gpu)
            return &bar;
    return nullptr;
}

TEST(SmemCalculatorPage, FollowsEachKeystroke)
{
    SmemCalculator calculator;
    EXPECT_TRUE(words(calculator).contains("40,960")) << words(calculator).toStdString();
    const auto* bars = calculator.findChild<LimitBars*>();
    ASSERT_NE(findBar(*bars, "L4"), nullptr);
    EXPECT_TRUE(findBar(*bars, "L4")->good);
    type(calculator, "rows", "128");
    type(calculator, "columns", "128");
    EXPECT_EQ(findBar(*bars, "L4")->value, 3 * 128 * 128 * 2 + 128 * 64 * 4);
    EXPECT_FALSE(findBar(*bars, "L4")->good);
    EXPECT_TRUE(findBar(*bars, "H200")->good);
    EXPECT_TRUE(calculator.findChild<ChartCard*>()->title().contains("L4")) << "one that does not fit is named";
    EXPECT_TRUE(calculator.findChild<QLabel*>("smemNotes")->text().contains("cudaFuncSetAttribute"));
}

TEST(SmemCalculatorPage, TheNotesLimitIsCorrectedAndPaddingFreesTheBanks)
{
    SmemCalculator calculator;
    const auto* notes = calculator.findChild<QLabel*>("smemNotes");
    EXPECT_TRUE(notes->text().contains("8-way"));
    type(calculator, "pad", "16");
    EXPECT_FALSE(notes->text().contains("-way"));
    const QString before = notes->text();
    type(calculator, "rows", "112");
    EXPECT_GT(notes->text().count('\n'), before.count('\n')) << "a correction is added: " << notes->text().toStdString();
}

TEST(SmemCalculatorPage, EachInputIsInTheSum)
{
    SmemCalculator calculator;
    const auto total = [&] { return calculator.findChild<LimitBars*>()->bars().front().value; };
    const double scores = 64 * 64 * 4;
    type(calculator, "pad", "16");
    EXPECT_EQ(total(), 3 * 64 * (64 * 2 + 16) + scores) << "per row of a tile";
    type(calculator, "pad", "0");
    type(calculator, "scorePad", "16");
    EXPECT_EQ(total(), 3 * 64 * 64 * 2 + scores + 64 * 16) << "per row of the scores";
    type(calculator, "scorePad", "0");
    calculator.findChild<QComboBox*>("element")->setCurrentIndex(3);
    EXPECT_EQ(total(), 3 * 64 * 64 * 8 + scores) << "FP64";
    calculator.findChild<QComboBox*>("element")->setCurrentIndex(0);
    type(calculator, "columns", "128");
    type(calculator, "scores", "0");
    EXPECT_EQ(total(), 48 * 1024);
    EXPECT_FALSE(calculator.findChild<QLabel*>("smemNotes")->text().contains("cudaFuncSetAttribute")) << "48 KiB are static";
}

TEST(SmemCalculatorPage, SizesThatMakeNoBlockSaySo)
{
    SmemCalculator calculator;
    for (const char* field : {"rows", "columns", "scores"})
        type(calculator, field, "65536");
    for (const LimitBar& bar : calculator.findChild<LimitBars*>()->bars())
        EXPECT_FALSE(bar.good) << bar.name.toStdString();
}

TEST(OccupancyCalculatorPage, ShowsLimiterAndLevers)
{
    OccupancyCalculator calculator;
    EXPECT_TRUE(words(calculator).contains("registers"));
    type(calculator, "registers", "72");
    const QString levers = calculator.findChild<QLabel*>("levers")->text();
    EXPECT_TRUE(levers.contains("registers 72 → 64")) << levers.toStdString();
    type(calculator, "registers", "32");
    EXPECT_TRUE(words(calculator).contains(q(formatPercent(100))));
    EXPECT_FALSE(calculator.findChild<QLabel*>("levers")->text().contains("→")) << "nothing raises it further";
    type(calculator, "smem", "1000000");
    EXPECT_TRUE(words(calculator).contains(q(formatPercent(0)))) << words(calculator).toStdString();
}

TEST(OccupancyCalculatorPage, DrawsACurveForEachLimiterWithThisLaunchOnIt)
{
    OccupancyCalculator calculator;
    for (const char* input : {"registers", "shared memory", "block size"}) {
        const auto* chart = calculator.findChild<XYChart*>(QString::fromLatin1(input));
        ASSERT_NE(chart, nullptr) << input;
        ASSERT_EQ(chart->spec().series.size(), 2U);
        EXPECT_GT(chart->spec().series[0].points.size(), 3U) << input;
        ASSERT_EQ(chart->spec().series[1].points.size(), 1U) << input;
        EXPECT_EQ(chart->spec().series[1].points[0].y, 50) << input;
    }
    EXPECT_GE(calculator.findChild<LimitBars*>()->bars().size(), 8U);
}

TEST(OccupancyCalculatorPage, FiguresHaveTheirUnitsAndColors)
{
    OccupancyCalculator calculator;
    type(calculator, "smem", "49152");
    EXPECT_EQ(calculator.findChild<XYChart*>("shared memory")->spec().series[1].points[0].x, 48) << "KiB";
    EXPECT_EQ(calculator.findChild<XYChart*>("registers")->spec().series[1].points[0].x, 64);
    type(calculator, "registers", "255");
    double best = 0;
    bool low = false;
    for (const LimitBar& bar : calculator.findChild<LimitBars*>()->bars()) {
        EXPECT_EQ(bar.good, bar.value >= 50) << bar.name.toStdString();
        best = std::max(best, bar.value);
        low = low || bar.value < 50;
    }
    EXPECT_TRUE(low);
    const auto titles = calculator.findChildren<ChartCard*>();
    EXPECT_TRUE(std::ranges::any_of(titles, [&](const ChartCard* card) { return card->title().contains(q(formatPercent(best))); }));
    bool worse = false;
    for (const QLabel* label : calculator.findChild<KeyFigure*>()->findChildren<QLabel*>())
        worse = worse || label->property("token") == tokenName(Token::worse);
    EXPECT_TRUE(worse);
}

TEST(MemoryCalculatorPage, EachInputDecides)
{
    MemoryCalculator calculator;
    const auto placement = [&] { return calculator.findChild<Card*>()->title() + calculator.findChildren<Card*>().at(1)->title(); };
    const auto check = [&](const char* name, bool on) { calculator.findChild<QCheckBox*>(QString::fromLatin1(name))->setChecked(on); };
    check("readOnly", true);
    EXPECT_TRUE(placement().contains("shared"));
    check("sameAddress", true);
    EXPECT_TRUE(placement().contains("constant")) << placement().toStdString();
    check("readOnly", false);
    EXPECT_TRUE(placement().contains("shared"));
    type(calculator, "reads", "1");
    EXPECT_TRUE(placement().contains("global")) << placement().toStdString();
    type(calculator, "bytes", "64");
    calculator.findChild<QComboBox*>("sharedBy")->setCurrentIndex(0);
    EXPECT_TRUE(placement().contains("register")) << placement().toStdString();
}

TEST(MemoryCalculatorPage, PlacesDataAndListsTheTiers)
{
    MemoryCalculator calculator;
    const auto placement = [&] { return calculator.findChild<Card*>()->title() + calculator.findChildren<Card*>().at(1)->title(); };
    EXPECT_TRUE(placement().contains("shared")) << placement().toStdString();
    const QString why = calculator.findChild<QLabel*>("placementWhy")->text();
    type(calculator, "bytes", "1000000");
    EXPECT_TRUE(placement().contains("global")) << placement().toStdString();
    EXPECT_NE(calculator.findChild<QLabel*>("placementWhy")->text(), why);
    TierTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    model.setRows(memoryHierarchy(deviceTable().gpus.front()));
    EXPECT_EQ(model.rowCount(), 4);
}

TEST(LaunchCalculatorPage, ShowsTheNotesExample)
{
    LaunchCalculator calculator;
    EXPECT_TRUE(words(calculator).contains("33")) << words(calculator).toStdString();
    EXPECT_TRUE(words(calculator).contains("2.00×")) << words(calculator).toStdString();
    const QString fusionFirst = calculator.findChild<ChartCard*>()->title();
    type(calculator, "kernelUs", "100.00");
    EXPECT_NE(calculator.findChild<ChartCard*>()->title(), fusionFirst);
}

TEST(LaunchCalculatorPage, SerialAndQueuedAreToldApart)
{
    LaunchCalculator calculator;
    type(calculator, "kernelUs", "20.00");
    const QList<KeyFigure*> figures = calculator.findChildren<KeyFigure*>();
    ASSERT_EQ(figures.size(), 4);
    EXPECT_TRUE(figures[0]->accessibleName().contains("66.7")) << "20 of 30 us";
    EXPECT_TRUE(figures[1]->accessibleName().contains(": 2.00×"));
    EXPECT_TRUE(figures[2]->accessibleName().contains("1.50×")) << "30 to 20 us";
    EXPECT_TRUE(figures[3]->accessibleName().contains("50")) << "of 20 us, 10 are the launch";
    const XYSpec& spec = calculator.findChild<XYChart*>()->spec();
    ASSERT_EQ(spec.series.size(), 4U);
    EXPECT_DOUBLE_EQ(spec.series[2].points.front().y, 50) << "two kernels as one";
}

TEST(SmemCalculatorPage, ABarSaysHowMuchFitsOrIsTooMuch)
{
    SmemCalculator calculator;
    const auto* bars = calculator.findChild<LimitBars*>();
    const auto* card = calculator.findChild<ChartCard*>();
    const LimitBar fits = *findBar(*bars, "H200");
    EXPECT_TRUE(fits.words.startsWith(markSign(Mark::pass)));
    EXPECT_TRUE(fits.words.contains(q(formatPercent(100 * fits.value / *fits.limit)))) << fits.words.toStdString();
    EXPECT_TRUE(fits.words.contains(q(formatWithUnit(*fits.limit / 1024, "KiB"))));
    EXPECT_TRUE(fits.help.contains(QRegularExpression("[0-9]"))) << "how many rows would fit";
    const QString everywhere = card->title();
    type(calculator, "rows", "128");
    type(calculator, "columns", "160");
    QStringList refused;
    for (const LimitBar& bar : bars->bars()) {
        EXPECT_EQ(bar.good, bar.value <= *bar.limit) << bar.name.toStdString();
        EXPECT_EQ(bar.words.startsWith(markSign(Mark::fail)), !bar.good) << bar.name.toStdString();
        if (!bar.good) {
            refused << bar.name;
            EXPECT_TRUE(bar.words.contains(q(formatWithUnit((bar.value - *bar.limit) / 1024, "KiB")))) << bar.words.toStdString();
        }
    }
    ASSERT_FALSE(refused.isEmpty());
    ASSERT_LT(refused.size(), static_cast<qsizetype>(bars->bars().size()));
    for (const QString& gpu : refused)
        EXPECT_TRUE(card->title().contains(gpu)) << gpu.toStdString();
    type(calculator, "rows", "4096");
    const QString nowhere = card->title();
    EXPECT_NE(nowhere.section(' ', 2), everywhere.section(' ', 2)) << "on none is not on every";
    EXPECT_FALSE(nowhere.contains("H200")) << "nor a list of all";
    type(calculator, "rows", "64");
    type(calculator, "columns", "64");
    EXPECT_EQ(card->title(), everywhere);
    type(calculator, "columns", "63");
    EXPECT_FALSE(calculator.findChild<QLabel*>("smemNotes")->text().contains("-way")) << "rows of 126 bytes cannot be read in 16";
}

TEST(OccupancyCalculatorPage, AnotherGpuHasOtherLimits)
{
    OccupancyCalculator calculator;
    auto* gpu = calculator.findChild<QComboBox*>("gpu");
    EXPECT_EQ(gpu->currentText(), "H200");
    type(calculator, "smem", "100000");
    const QString before = words(calculator);
    const double bars = calculator.findChild<LimitBars*>()->bars().front().value;
    gpu->setCurrentIndex(gpuIndex("L4"));
    EXPECT_NE(words(calculator), before);
    EXPECT_EQ(calculator.findChild<LimitBars*>()->bars().front().value, bars) << "which are of all GPUs";
    EXPECT_NE(calculator.findChild<KeyFigure*>()->accessibleName().indexOf(
                  q(formatPercent(computeOccupancy(*smLimits(8, 9), BlockNeeds{256, 64, 100000}).percent))),
              -1);
}

TEST(OccupancyCalculatorPage, TitlesNameTheLimitAndHowFarTheOthersCanGo)
{
    OccupancyCalculator calculator;
    type(calculator, "registers", "40");
    const auto findTitle = [&](const char* input) {
        for (const ChartCard* card : calculator.findChildren<ChartCard*>())
            if (card->chart()->objectName() == QLatin1String(input))
                return card->title();
        return QString();
    };
    EXPECT_TRUE(findTitle("registers").endsWith("registers")) << findTitle("registers").toStdString();
    EXPECT_TRUE(findTitle("shared memory").endsWith(q(formatWithUnit(37, "KiB")))) << findTitle("shared memory").toStdString();
    type(calculator, "registers", "20");
    EXPECT_TRUE(findTitle("registers").endsWith(" 32")) << "as long as all warps fit: " << findTitle("registers").toStdString();
    const XYChart* chart = calculator.findChild<XYChart*>("registers");
    EXPECT_EQ(chart->spec().y.max, 100);
    EXPECT_EQ(chart->spec().references.front().y, 50);
    EXPECT_EQ(chart->spec().series[1].points[0].x, 20);
    EXPECT_EQ(chart->spec().series[1].points[0].y, 100);
    for (const LimitBar& bar : calculator.findChild<LimitBars*>()->bars())
        EXPECT_TRUE(bar.words.startsWith(q(formatPercent(bar.value)))) << bar.words.toStdString();
}

TEST(MemoryCalculatorPage, TheTiersAreThoseOfTheGpu)
{
    MemoryCalculator calculator;
    const auto* table = calculator.findChild<DataTable*>();
    const QString before = table->tsv(false);
    auto* gpu = calculator.findChild<QComboBox*>("gpu");
    gpu->setCurrentIndex(gpuIndex("L4"));
    EXPECT_NE(table->tsv(false), before);
    TierTableModel model;
    const auto tiers = memoryHierarchy(deviceTable().gpus.front());
    model.setRows(tiers);
    const auto cell = [&](int column) { return model.index(1, column).data().toString(); };
    EXPECT_EQ(cell(0), q(toWord(tiers[1].tier)));
    EXPECT_EQ(cell(TierTableModel::UseFor), q(tiers[1].useFor));
    EXPECT_EQ(cell(TierTableModel::Optimize), q(tiers[1].optimize));
    EXPECT_EQ(cell(TierTableModel::Size), q(tiers[1].size));
    calculator.findChild<QComboBox*>("sharedBy")->setCurrentIndex(2);
    EXPECT_TRUE(calculator.findChildren<Card*>().at(1)->title().contains("global")) << "what all blocks reuse";
}

TEST(LaunchCalculatorPage, TheCurvesAreSharesOfTheTimeNow)
{
    LaunchCalculator calculator;
    type(calculator, "kernelUs", "20.00");
    type(calculator, "kernels", "4");
    const XYSpec& spec = calculator.findChild<XYChart*>()->spec();
    ASSERT_EQ(spec.series.size(), 4U);
    EXPECT_NEAR(spec.series[3].points[0].y, 100.0 / 3, 1e-9) << "10 of 30 us are left";
    EXPECT_EQ(spec.series[3].points[0].x, 20);
    EXPECT_NEAR(spec.series[0].points.front().x, 0.5, 1e-9);
    EXPECT_NEAR(spec.series[0].points.back().x, 500, 1e-6);
    EXPECT_NEAR(spec.series[0].points.front().y, 100 * 10 / 10.5, 1e-6);
    EXPECT_NEAR(spec.series[1].points.front().y, 100, 1e-9) << "queued, launches take longer than the kernel";
    EXPECT_NEAR(spec.series[1].points.back().y, 2, 1e-6);
    EXPECT_NEAR(spec.series[2].points.front().y, 25, 1e-9) << "four as one";
    EXPECT_TRUE(spec.series[1].dashed);
    EXPECT_EQ(spec.y.max, 100);
}

} // namespace
} // namespace kl::ui
