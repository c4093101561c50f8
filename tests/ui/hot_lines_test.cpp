// SPDX-License-Identifier: MIT
#include "core/base/ids.h"
#include "core/device/metric_catalog.h"
#include "tests/ui/support/counted_run.h"
#include "ui/charts/hot_line_bars.h"
#include "ui/pages/diagnose/hot_lines_panel.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/pages/shared/hot_line_rows.h"
#include "ui/widgets/card.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QRegularExpression>
#include <QTest>
#include <QTextBlock>

namespace kl::ui {
namespace {

/// A profile of transpose/naive in which line 15 waits for line 14.
class HotLinesView : public testing::Test {
protected:
    HotLinesView()
    {
        EXPECT_TRUE(catalog);
        run.kernel = {"transpose", "naive", {}};
        run.sourceHash = contentHash((*catalog->family("transpose"))->source);
        SourceProfile profile;
        profile.launch = "transpose_naive";
        profile.samples = 1000;
        profile.lines = {{kSourceFile, 15, 700, 0.7, {{"long_scoreboard", 600}, {"lg_throttle", 90}, {"selected", 10}}, 4096, 131072, {}},
                         {kSourceFile, 13, 200, 0.2, {{"wait", 150}, {"selected", 50}}, 8192, 262144, {}},
                         {"helper.cuh", 3, 60, 0.06, {{"barrier", 60}}, {}, {}, {}},
                         {"", 0, 40, 0.04, {{"no_instruction", 40}}, {}, {}, {}}};
        profile.lines[0].waitsFor = {{"kernel.cu:14", 600}};
        run.sourceProfile = profile;
    }

    Result<Catalog> catalog = Catalog::loadEmbedded();
    RunRecord run;
};

TEST_F(HotLinesView, RowsKeepTheColorsOfTheStallsAbove)
{
    const QStringList own = hotLineParts(hotLines(run, *catalog), {}).parts;
    ASSERT_GE(own.size(), 2);
    const RunRecord counted = countedRun("now", 1000);
    const QString notStalled = stallBars({&counted}).parts.last();
    EXPECT_EQ(own.last(), notStalled) << "both charts call it the same";
    const QStringList above{q(kl::stallTitle("wait")), q(kl::stallTitle("long_scoreboard")), own[own.size() - 2], notStalled};
    const HotLineParts parts = hotLineParts(hotLines(run, *catalog), above);
    ASSERT_EQ(parts.rows.size(), 4u);
    EXPECT_EQ(parts.parts, above) << "nothing is added to them";
    const HotLineRow& first = parts.rows.front();
    EXPECT_TRUE(first.place.endsWith(" 15")) << first.place.toStdString();
    EXPECT_TRUE(first.note.endsWith(" 14")) << "what it waits for: " << first.note.toStdString();
    EXPECT_FALSE(first.text.isEmpty());
    EXPECT_NEAR(first.parts[1], 0.6, 1e-9);
    EXPECT_NEAR(first.parts[2], 0.09, 1e-9); // lg_throttle has no color of its own
    EXPECT_NEAR(first.parts[3], 0.01, 1e-9);
    EXPECT_TRUE(first.tip.contains("\n32.0 ")) << "active threads: " << first.tip.toStdString();
    EXPECT_EQ(parts.rows[2].place, "helper.cuh:3");
    EXPECT_FALSE(parts.rows[3].place.contains(QRegularExpression("[0-9]"))) << parts.rows[3].place.toStdString();
}

TEST_F(HotLinesView, WithoutSamplesTheKernelsOwnFunctionIsShown)
{
    EXPECT_EQ(findEntryLine("int a;\nvoid my_sum(int);\nvoid sum(int)\n{\n", "sum"), 3) << "my_sum is another";
    EXPECT_EQ(findEntryLine("void a();", "b"), 0);
    EXPECT_EQ(findEntryLine("void a();", ""), 0);
    run.kernel = {"transpose", "padded", {}};
    run.sourceProfile.reset();
    run.launches.resize(1);
    run.launches.front().entry = "transpose_padded";
    HotLinesPanel panel;
    panel.setRun(run, *catalog, {});
    const auto* code = panel.findChild<CodeView*>();
    ASSERT_TRUE(code);
    EXPECT_TRUE(code->textCursor().block().text().contains("transpose_padded(")) << code->textCursor().block().text().toStdString();
}

TEST_F(HotLinesView, ALineThatWouldReadZeroIsNoHotLine)
{
    run.sourceProfile->lines.push_back({kSourceFile, 16, 1, 0.0001, {{"wait", 1}}, {}, {}, {}});
    HotLinesPanel panel;
    panel.setRun(run, *catalog, {});
    EXPECT_EQ(panel.findChild<HotLineBars*>("hotLines")->table().rows.size(), 4U);
}

TEST_F(HotLinesView, PartsOrderThemselvesWithoutKnownOnes)
{
    const HotLineParts parts = hotLineParts(hotLines(run, *catalog), {});
    EXPECT_EQ(parts.parts.front(), q(kl::stallTitle("long_scoreboard")));
    ASSERT_GE(parts.parts.size(), 2);
    EXPECT_NEAR(parts.rows.front().parts.back(), 0.01, 1e-9) << "10 of 700 samples not stalled";
    double sum = 0;
    for (const double part : parts.rows.front().parts)
        sum += part;
    EXPECT_NEAR(sum, 0.7, 1e-9);
}

TEST_F(HotLinesView, HeatIsOfTheRunsOwnSource)
{
    const auto heat = mapHeat(*run.sourceProfile);
    ASSERT_EQ(heat.size(), 2u);
    EXPECT_DOUBLE_EQ(heat.at(15).share, 0.7);
}

TEST_F(HotLinesView, AClickShowsTheLine)
{
    HotLinesPanel panel;
    panel.setRun(run, *catalog, {});
    panel.resize(900, 400);
    panel.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
    auto* code = panel.findChild<CodeView*>();
    auto* bars = panel.findChild<HotLineBars*>("hotLines");
    ASSERT_TRUE(code && bars);
    EXPECT_EQ(code->textCursor().blockNumber() + 1, 14); // what the hottest waits for
    QTest::mouseClick(bars, Qt::LeftButton, {}, {20, 42 + 8});
    EXPECT_EQ(code->textCursor().blockNumber() + 1, 13);
    EXPECT_EQ(bars->table().rows.size(), 4u);
}

TEST_F(HotLinesView, AProgramsLinesShowBesideTheFileThatWasKept)
{
    run.kernel = {"program", "naive-123456", {}};
    run.program.emplace();
    run.sourceProfile->lines = {{"train.cu", 2, 700, 0.7, {{"long_scoreboard", 700}}, {}, {}, {}},
                                {"half.h", 9, 300, 0.3, {{"wait", 300}}, {}, {}, {}}};
    run.sourceProfile->texts = {{"train.cu", "// one\n  x[i] = 2;\n"}};
    HotLinesPanel panel;
    panel.setRun(run, *catalog, {});
    const auto* code = panel.findChild<CodeView*>();
    EXPECT_FALSE(code->isHidden());
    EXPECT_TRUE(code->toPlainText().contains("x[i] = 2;"));
    EXPECT_EQ(hotLineParts(hotLines(run, *catalog), {}).rows[0].text, "x[i] = 2;");
    EXPECT_EQ(mapHeat(*run.sourceProfile, "train.cu").size(), 1u);
    EXPECT_EQ(lineToShow(hotLines(run, *catalog), "train.cu"), 2);
}

TEST_F(HotLinesView, CodeWithoutLinesShowsItsInstructions)
{
    run.kernel = {"program", "sdpa-123456", {}};
    run.program.emplace();
    run.sourceProfile->lines = {{"", 0, 1000, 1, {{"barrier", 1000}}, {}, {}, {}}};
    run.sourceProfile->instructions = {{"sdpa", 0x1a40, "", 0, 800, {{"barrier", 800}}, 64, 2048}};
    HotLinesPanel panel;
    panel.setRun(run, *catalog, {});
    EXPECT_TRUE(panel.findChild<CodeView*>()->isHidden());
    const HotLineParts parts = hotLineParts(hotLines(run, *catalog), {});
    ASSERT_EQ(parts.rows.size(), 1u);
    EXPECT_TRUE(parts.rows[0].place.endsWith(" 0x1a40")) << parts.rows[0].place.toStdString();
    EXPECT_EQ(parts.rows[0].text, "sdpa");
    EXPECT_EQ(parts.rows[0].note, "");
    EXPECT_TRUE(hotLineTitle(hotLines(run, *catalog)).contains("0x1a40"));
}

TEST_F(HotLinesView, SaysWhatIsMissing)
{
    HotLinesPanel panel;
    EXPECT_TRUE(hotLines(run, *catalog).note.empty());
    run.sourceHash = "another";
    panel.setRun(run, *catalog, {});
    EXPECT_TRUE(panel.findChild<CodeView*>()->isHidden());
    EXPECT_TRUE(panel.missing().isEmpty());
    const HotLines changed = hotLines(run, *catalog);
    EXPECT_FALSE(changed.note.empty());
    EXPECT_TRUE(changed.lines.front().text.empty());
    run.sourceProfile->lines.clear();
    run.sourceProfile->unavailable = "This user may not read performance counters.";
    panel.setRun(run, *catalog, {});
    EXPECT_EQ(panel.missing(), "This user may not read performance counters.");
    EXPECT_TRUE(panel.isHidden()) << "there is neither a line nor a source to show";
    run.sourceProfile.reset();
    panel.setRun(run, *catalog, {});
    EXPECT_FALSE(panel.missing().isEmpty());
}

} // namespace
} // namespace kl::ui
