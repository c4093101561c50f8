// SPDX-License-Identifier: MIT
// What the page Compare says of its runs: facts of the basket, registers and times of the code, colors of kernels, tables.
#include "core/base/format.h"
#include "core/model/kernel_code.h"
#include "tests/support/store_support.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/stacked_bar.h"
#include "ui/charts/xy_chart.h"
#include "ui/context/app_context.h"
#include "ui/jobs/job.h"
#include "ui/pages/compare/basket_card.h"
#include "ui/pages/compare/compare_tabs.h"
#include "ui/pages/compare/difference_model.h"
#include "ui/pages/compare/run_names.h"
#include "ui/pages/compare/sample_strip.h"
#include "ui/pages/compare/time_bars.h"
#include "ui/pages/compare_page.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

namespace kl::ui {
namespace {

RunRecord comparedRun(const char* variant, const char* id, double ns)
{
    return support::timedRun(id, variant, "2026-03-01T09:00:00.000Z", ns);
}

/// With code of one instruction, as launched with these registers.
RunRecord withRegisters(RunRecord run, int registers)
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"k"};
    code.stalls = {"selected"};
    CodeInstruction& one = code.instructions.emplace_back();
    one.text = "EXIT";
    one.samples = 100;
    one.stalls = {100};
    run.sourceProfile.emplace().code = SharedCode(code);
    run.launches.resize(1);
    run.launches[0].registers = registers;
    return run;
}

TEST(BasketFacts, AreProblemDeviceAndAge)
{
    BasketCard card(nullptr);
    RunRecord run = comparedRun("naive", "a", 5);
    run.source = Source::sample;
    run.correctness.result = CorrectnessResult::replays;
    card.setRuns({run, comparedRun("tiled", "b", 5)}, {});
    QStringList texts, tips;
    for (const QLabel* label : card.findChildren<QLabel*>()) {
        texts << label->text().remove(QChar(0x200b));
        tips << label->toolTip();
    }
    EXPECT_TRUE(texts.contains(q("M=64, N=64 · NVIDIA H200 · ") + formatMeasuredTime(Source::sample, run.startedAt)))
        << texts.join('|').toStdString();
    EXPECT_TRUE(tips.contains(absoluteTime(run.startedAt)));
    EXPECT_EQ(card.findChildren<QLabel*>("refuted").size(), 1) << "the first alone";
    const QSignalSpy swapped(&card, &BasketCard::swapped), emptied(&card, &BasketCard::emptied);
    card.findChild<QPushButton*>("swapRuns")->click();
    EXPECT_EQ(swapped.count(), 1);
    EXPECT_EQ(emptied.count(), 0);
    card.findChild<QPushButton*>("emptyBasket")->click();
    EXPECT_EQ(swapped.count(), 1);
    EXPECT_EQ(emptied.count(), 1);
}

TEST(ComparedCode, HasRegistersAndTimesOfItsOwnSide)
{
    CompareTabs tabs;
    const RunRecord a = withRegisters(comparedRun("naive", "a", 2000), 32), b = withRegisters(comparedRun("tiled", "b", 500), 48);
    tabs.show({}, {a, b});
    const auto* summary = tabs.findChild<QLabel*>("codeSummary");
    EXPECT_TRUE(summary->text().isEmpty()) << "nobody looks at it yet";
    tabs.setCurrentIndex(tabs.count() - 1);
    EXPECT_TRUE(summary->text().contains(q("32 → 48"))) << summary->text().toStdString();
    const auto* table = tabs.findChild<QTableView*>("codeDiff");
    const QModelIndex moved = table->model()->index(0, 3);
    EXPECT_EQ(moved.data().toString(), q("\u2212" + formatTime(1500))) << "all of 2 us became all of 0.5 us";
    tabs.show({}, {b, a});
    EXPECT_TRUE(summary->text().contains(q("48 → 32")));
    EXPECT_EQ(table->model()->index(0, 3).data().toString(), q("+" + formatTime(1500)));
}

TEST(ComparedKernels, KeepTheirColorInEveryChart)
{
    RunRecord a = comparedRun("naive", "a", 2000), b = comparedRun("tiled", "b", 500);
    a.timing->samples.clear();
    b.timing->samples = {490, 510};
    const Token mine = seriesToken(assignSeries("transpose/naive")), other = seriesToken(assignSeries("transpose/tiled"));
    ASSERT_NE(mine, other);
    TimeBars bars;
    bars.setRuns({&a, &b});
    bars.resize(400, 120);
    bars.show();
    QCoreApplication::processEvents();
    const QImage image = bars.grab().toImage();
    EXPECT_EQ(image.pixelColor(40, 23), color(mine));
    EXPECT_EQ(image.pixelColor(40, 54 + 23), color(other));
    EXPECT_EQ(image.pixelColor(200, 54 + 23), color(Token::raised)) << "a quarter as long";
    const XYSpec strips = sampleStrips({&a, &b});
    ASSERT_EQ(strips.series.size(), 3U) << "one has no samples, both a median";
    EXPECT_EQ(strips.series[0].token, other);
    EXPECT_EQ(strips.series[0].points[0].x, 0.75);
    EXPECT_EQ(strips.series[0].points[1].x, 1.25);
    EXPECT_EQ(strips.series[1].points[0].id, "a");
    EXPECT_EQ(strips.series[2].points[0].id, "b");
    EXPECT_EQ(strips.series[1].marker, Marker::diamond);
    EXPECT_FALSE(sampleStrips({}).emptyReason.isEmpty());
    EXPECT_EQ(bars.table().header.size(), 6);
    EXPECT_EQ(bars.sizeHint().height(), 2 * 54 + 4);
}

TEST(ComparedKernels, AreNamedByLetterOnlyWhereTheyRepeat)
{
    EXPECT_EQ(basketLetter(0), "A");
    RunRecord program = comparedRun("naive", "a", 5);
    program.program.emplace().kernel = "void ns::norm<float>(float*)";
    const RunRecord plain = comparedRun("naive", "b", 5);
    EXPECT_EQ(runNames({&program, &plain}), (QStringList{"norm<float>", "transpose/naive"}));
}

TEST(ComparedTabs, HaveNoFindingOfRunsThatWereThereBefore)
{
    CompareTabs tabs;
    RunRecord a = comparedRun("naive", "a", 2000), b = comparedRun("tiled", "b", 500);
    a.timing->samples = {2000, 2100};
    b.timing->samples = {500, 510};
    tabs.show({}, {a, b});
    /// Titles of the times and of the samples.
    const auto titles = [&] {
        std::pair<QString, QString> found;
        for (const ChartCard* card : tabs.findChildren<ChartCard*>()) {
            if (qobject_cast<TimeBars*>(card->chart()))
                found.first = card->title();
            else if (const auto* chart = qobject_cast<XYChart*>(card->chart()); chart && !chart->spec().x.categories.isEmpty())
                found.second = card->title();
        }
        return found;
    };
    const auto [times, samples] = titles();
    EXPECT_TRUE(times.contains(q("4.00×"))) << times.toStdString();
    tabs.show({}, {a});
    EXPECT_FALSE(titles().first.isEmpty() || titles().second.isEmpty());
    EXPECT_NE(titles().first, times);
    EXPECT_NE(titles().second, samples);
    EXPECT_EQ(tabs.findChild<TimeBars*>()->table().rows.size(), 1U);
    Comparison interleaved;
    interleaved.blocks = 4;
    tabs.show(interleaved, {a, b});
    EXPECT_FALSE(titles().first.contains(q("×"))) << "the verdict has the ratio";
    EXPECT_EQ(titles().second, samples);
    interleaved.a = "x/a";
    interleaved.b = "x/b";
    interleaved.metrics = {{"gpu_ns", "1", "2", 1.0}};
    tabs.show(interleaved, {});
    for (const DataTable* table : tabs.findChildren<DataTable*>())
        if (table->model()->rowCount() > 0) {
            EXPECT_EQ(table->model()->headerData(DifferenceModel::AColumn, Qt::Horizontal).toString(), "x/a") << "without runs";
            EXPECT_EQ(table->model()->headerData(DifferenceModel::BColumn, Qt::Horizontal).toString(), "x/b");
        }
}

TEST(MeasuredPairs, AreShownInPlaceOfTheRunsOfBefore)
{
    auto context = AppContext::open(":memory:", DeviceSpec::sample());
    ASSERT_TRUE(context) << context.error().message;
    Workbench& bench = (*context)->engine()->bench;
    const auto a = bench.run({"transpose", "naive", {}}, {}, {}), b = bench.run({"transpose", "tiled", {}}, {}, {});
    ASSERT_TRUE(a && b);
    ComparePage page(**context);
    page.open(QStringLiteral("runs:%1,%2").arg(q(a->id.text), q(b->id.text)));
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    auto* measure = page.findChild<QPushButton*>("measureAb");
    ASSERT_TRUE(measure->isEnabled()) << measure->accessibleDescription().toStdString();
    const QString before = page.findChild<QLabel*>("verdictSentence")->text();
    const QSignalSpy posted(context->get(), &AppContext::messagePosted);
    measure->click();
    EXPECT_FALSE(measure->isEnabled()) << "while it measures";
    ASSERT_TRUE(waitForJobs());
    ASSERT_EQ(posted.count(), 0);
    EXPECT_FALSE(measure->isVisibleTo(&page)) << "it is measured";
    EXPECT_NE(page.findChild<QLabel*>("verdictSentence")->text(), before);
    EXPECT_TRUE(page.findChild<MarkLabel*>()->text().startsWith(markSign(Mark::better))) << "tiled, against naive";
}

TEST(DifferenceTexts, AreAsStoredWhereTheyAreNoFigures)
{
    DifferenceModel model;
    model.setDifferences({}, {}, {{"driver", "", "580.1", {}}, {"gpu_ns", "n/a", "2000", {}}, {"sm__inst_executed.sum", "10", "10", 0.0}},
                         true);
    const auto cell = [&](int row, int column, int role = Qt::DisplayRole) { return model.index(row, column).data(role).toString(); };
    EXPECT_FALSE(cell(0, DifferenceModel::AColumn).isEmpty()) << "it says that there is none";
    EXPECT_NE(cell(0, DifferenceModel::AColumn), cell(1, DifferenceModel::AColumn));
    EXPECT_EQ(cell(0, DifferenceModel::BColumn), "580.1");
    EXPECT_EQ(cell(1, DifferenceModel::AColumn), "n/a");
    EXPECT_EQ(cell(1, DifferenceModel::BColumn), q(formatTime(2000))) << "a figure without a change is one, too";
    EXPECT_EQ(model.index(1, DifferenceModel::ChangeColumn).data(Qt::UserRole).toDouble(), -1);
    EXPECT_EQ(cell(0, DifferenceModel::NameColumn, Qt::UserRole), "driver");
    EXPECT_FALSE(cell(2, DifferenceModel::ChangeColumn).isEmpty());
    model.setDifferences({}, {}, {{"a", "1", "1", {}}, {"b", "1", "2", {}}}, false);
    ASSERT_EQ(model.rowCount(), 1);
    EXPECT_EQ(cell(0, DifferenceModel::NameColumn), "b");
}

} // namespace
} // namespace kl::ui
