// SPDX-License-Identifier: MIT
// The cards of a diagnosis by themselves: what each shows of a run and of its baselines, and that nothing stays of the run before.
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "sessions/learning/recommend.h"
#include "sessions/learning/rule_outcomes.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/evidence_bars.h"
#include "ui/charts/stacked_bar.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/diagnose/baseline_strip.h"
#include "ui/pages/diagnose/diagnosis_side.h"
#include "ui/pages/diagnose/evidence_card.h"
#include "ui/pages/diagnose/finding_header.h"
#include "ui/pages/diagnose/likely_fix_card.h"
#include "ui/pages/diagnose/roofline_panel.h"
#include "ui/pages/diagnose/stalls_card.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/pages/shared/roofline_spec.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

namespace kl::ui {
namespace {

class Details : public testing::Test {
protected:
    std::vector<PinnedRun> pinned() const { return {{&before, Token::series5}}; }

    RunRecord run = countedRun("now", 1000);
    RunRecord before = countedRun("before", 2000);
    DiagnosisSide side;
};

TEST_F(Details, FixesAreNumberedAndLeadToTheirVariants)
{
    run.diagnosis->finding.fixes = {{"fma/a", "First", {}, 0.9, "fma/a", "why first", "", 0, {}},
                                    {"by-hand", "Second", {}, 0.5, "", "", "", 0, {}}};
    side.setRun(run, {}, {});
    const QStringList texts = seenOn(side);
    EXPECT_TRUE(texts.contains("1. First"));
    EXPECT_TRUE(texts.contains("2. Second"));
    EXPECT_EQ(texts.filter("why first").size(), 1);
    EXPECT_TRUE(texts.filter("why first").value(0).contains("90"));
    const QSignalSpy requested(&side, &DiagnosisSide::kernelRequested);
    for (QPushButton* link : side.findChildren<QPushButton*>())
        if (link->text() == "fma/a")
            link->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "fma/a");
    Advice advice;
    advice.sentence = "Likely: third.";
    Recommendation& change = advice.changes.emplace_back();
    change.title = "Third";
    change.chance.kind = "third";
    change.ready = {"fma/x", "fma/y", "fma/z"};
    side.setRun(run, advice, {});
    EXPECT_TRUE(seenOn(side).contains("1. Third"));
    EXPECT_TRUE(seenOn(side).contains("2. First"));
    EXPECT_TRUE(seenOn(side).contains("Likely: third."));
    EXPECT_FALSE(seenOn(side).contains("fma/z")) << "of many points the first two";
    run.diagnosis->finding.fixes.clear();
    side.setRun(run, {}, {});
    EXPECT_FALSE(seenOn(side).contains("1. First")) << "of the run before";
    EXPECT_FALSE(seenOn(side).contains("Likely: third."));
}

TEST_F(Details, FindingsCaveatsAndExperimentsAreThoseOfTheRun)
{
    Finding other;
    other.priority = "P3";
    other.title = "It also spills.";
    other.estimate = Estimate{0.25, "by a formula"};
    run.diagnosis->secondary = {other};
    run.warnings = {{"throttled", "It was throttled."}};
    run.experiments = {{"half-occupancy", "half as many blocks", 1.5, 3, ""}, {"larger-grid", "", {}, 0, "no room"}};
    side.setRun(run, {}, {});
    const QStringList texts = seenOn(side);
    EXPECT_TRUE(texts.contains(q("P3 · It also spills.")));
    EXPECT_EQ(texts.filter("by a formula").size(), 1);
    EXPECT_TRUE(texts.contains("It was throttled."));
    EXPECT_TRUE(texts.filter("half-occupancy").value(0).contains(q("1.50×")));
    EXPECT_TRUE(texts.contains("half as many blocks"));
    EXPECT_TRUE(texts.filter("larger-grid").value(0).contains("no room"));
    const qsizetype cards = texts.size();
    side.setRun(before, {}, {});
    const QString words = wordsOn(side);
    for (const char* part : {"It also spills.", "by a formula", "It was throttled.", "half-occupancy", "no room"})
        EXPECT_FALSE(words.contains(part)) << part << " is of the run before";
    EXPECT_LT(seenOn(side).size(), cards) << "nor are their cards there";
}

TEST_F(Details, EachHasThatOfTheBaselineBelowIt)
{
    before.timing->gpuHot = 700;
    side.setRun(run, {}, pinned());
    settleWidgets();
    QStringList theirs;
    for (const QLabel* label : side.findChildren<QLabel*>("baselineFact"))
        theirs << unbroken(label->text());
    EXPECT_TRUE(theirs.contains("=")) << "the same device";
    EXPECT_TRUE(theirs.filter(q(formatTime(2000))).size() >= 1) << theirs.join('|').toStdString();
    EXPECT_TRUE(theirs.contains(q(formatTime(700))));
    EXPECT_FALSE(theirs.contains(q(formatTime(1000)))) << "that is the run's own";
    before.launches.clear();
    side.setRun(run, {}, pinned());
    settleWidgets();
    theirs.clear();
    for (const QLabel* label : side.findChildren<QLabel*>("baselineFact"))
        theirs << unbroken(label->text());
    EXPECT_TRUE(theirs.contains("n/a")) << "it has no such fact";
    side.setRun(run, {}, {});
    settleWidgets();
    EXPECT_TRUE(side.findChildren<QLabel*>("baselineFact").isEmpty()) << "none is pinned now";
}

TEST(BaselineStrips, HaveARowPerBaselineThatLeadsToIt)
{
    const RunRecord run = countedRun("now", 1000);
    RunRecord first = countedRun("first", 2000), second = countedRun("second", 4000);
    second.kernel = *parseAddress("fma/other");
    second.timing.reset();
    second.diagnosis.reset();
    BaselineStrip strip;
    EXPECT_TRUE(strip.isHidden());
    strip.setRun(run, {{&first, Token::series5}, {&second, Token::series6}});
    EXPECT_FALSE(strip.isHidden());
    const QStringList texts = seenOn(strip);
    EXPECT_EQ(texts.filter(q(formatTime(2000))).size(), 1);
    EXPECT_EQ(texts.filter("dram-bound").size(), 1) << "the second was only run";
    settleWidgets();
    EXPECT_EQ(strip.findChildren<QPushButton*>("unpinBaseline").size(), 2);
    const QSignalSpy opened(&strip, &BaselineStrip::opened), unpinned(&strip, &BaselineStrip::unpinned);
    for (QPushButton* link : strip.findChildren<QPushButton*>())
        if (link->text() == "fma/other")
            link->click();
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toString(), "second");
    strip.findChildren<QPushButton*>("unpinBaseline").last()->click();
    ASSERT_EQ(unpinned.count(), 1);
    EXPECT_EQ(unpinned[0][0].toString(), "second");
    strip.setRun(run, {});
    EXPECT_TRUE(strip.isHidden());
    EXPECT_TRUE(seenOn(strip).isEmpty());
}

TEST(FindingHeaders, ShowTheFindingOfTheirRun)
{
    RunRecord run = countedRun("now", 1000);
    run.diagnosis->finding.confidence = 0.84;
    run.diagnosis->finding.estimate = Estimate{0.5, "a formula"};
    FindingHeader header;
    header.setRun(run, nullptr);
    QString words = wordsOn(header);
    for (const char* part : {"P1", "dram-bound", "84", "fma/fp32", "DRAM is busy.", "2.00×", "a formula"})
        EXPECT_TRUE(words.contains(q(part))) << part << ": " << words.toStdString();
    RuleOutcome rule;
    rule.cases = 123;
    header.setRun(run, &rule);
    EXPECT_TRUE(wordsOn(header).contains("123"));
    header.setRun(run, nullptr);
    EXPECT_FALSE(wordsOn(header).contains("123")) << "the record of another rule";
    run.diagnosis->finding.estimate.reset();
    run.diagnosis->finding.title = "Another.";
    header.setRun(run, nullptr);
    words = wordsOn(header);
    EXPECT_FALSE(words.contains("a formula"));
    EXPECT_EQ(header.findChild<QLabel*>("findingSentence")->text(), "Another.");
}

TEST(LikelyFixes, AreLinkedAndLeftOutWithoutAdvice)
{
    Advice advice;
    advice.sentence = "Likely: stage a tile.";
    advice.changes.resize(2);
    advice.changes[0].ready = {"fma/a", "fma/b", "fma/c"};
    advice.changes[1].ready = {"fma/d"};
    LikelyFixCard card;
    card.setAdvice(advice);
    EXPECT_EQ(card.findChild<QLabel*>("likelyFix")->text(), "Likely: stage a tile.");
    QStringList links;
    settleWidgets();
    for (const QPushButton* link : card.findChildren<QPushButton*>())
        links << link->text();
    EXPECT_EQ(links, (QStringList{"fma/a", "fma/b"})) << "of the best change";
    const QSignalSpy requested(&card, &LikelyFixCard::kernelRequested);
    card.findChildren<QPushButton*>().last()->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "fma/b");
    const qsizetype lines = seenOn(card).size();
    advice.changes.clear();
    advice.sentence = "The model cannot be read.";
    card.setAdvice(advice);
    EXPECT_LT(seenOn(card).size(), lines - 2) << "neither links nor figures";
    EXPECT_EQ(card.findChild<QLabel*>("likelyFix")->text(), "The model cannot be read.");
    card.setAdvice({});
    EXPECT_TRUE(card.isHidden());
}

TEST(EvidenceCards, ExplainTheBarThatIsPickedAndCompareWithTheBaseline)
{
    const RunRecord run = countedRun("now", 1000);
    RunRecord before = countedRun("before", 2000);
    before.metrics->values[kDramShare] = 12.0;
    EvidenceCard card;
    card.setEvidence(run.diagnosis->finding, {{&before, Token::series5}});
    auto* bars = card.findChild<EvidenceBars*>("evidenceBars");
    ASSERT_EQ(bars->rows().size(), 2U);
    const auto dram = std::ranges::find(bars->rows(), 20.0, [](const EvidenceRow& row) { return row.value.value_or(0); });
    ASSERT_NE(dram, bars->rows().end());
    ASSERT_EQ(dram->deltas.size(), 1U);
    EXPECT_EQ(dram->deltas[0].before, 12.0);
    EXPECT_EQ(dram->deltas[0].text, q("+8.0\u202fpts"));
    EXPECT_EQ(dram->deltas[0].token, Token::series5);
    const auto* help = card.findChild<QLabel*>("evidenceHelp");
    EXPECT_TRUE(help->isHidden());
    emit bars->picked(1);
    EXPECT_FALSE(help->isHidden());
    EXPECT_TRUE(help->text().startsWith(bars->rows()[1].name));
    emit bars->picked(0);
    EXPECT_TRUE(help->text().startsWith(bars->rows()[0].name));
    emit bars->picked(9);
    EXPECT_TRUE(help->text().startsWith(bars->rows()[0].name)) << "there is no such bar";
    card.setEvidence(run.diagnosis->finding, {});
    EXPECT_TRUE(help->isHidden()) << "it explains a bar of the run before";
    EXPECT_TRUE(bars->rows()[0].deltas.empty());
    Finding twice = run.diagnosis->finding;
    const QString all = wordsOn(card);
    twice.path.push_back(twice.path.back());
    card.setEvidence(twice, {});
    EXPECT_NE(wordsOn(card), all) << "it says that not every comparison is shown";
}

TEST(Rooflines, AreDrawnAtTheChosenLevelAndElseTheUnitsAre)
{
    RunRecord run = countedRun("now", 100000), before = countedRun("before", 200000);
    RooflinePanel panel;
    for (const int level : {1, 0}) // before there is a run
        panel.findChild<QComboBox*>()->setCurrentIndex(level);
    panel.setRuns({&run, &before}, {{&before, Token::series5}});
    auto* chart = panel.findChild<XYChart*>("roofline");
    auto* units = panel.findChild<EvidenceBars*>("unitBars");
    EXPECT_TRUE(chart->isVisibleTo(&panel));
    EXPECT_FALSE(units->isVisibleTo(&panel));
    EXPECT_TRUE(panel.missing().isEmpty());
    EXPECT_EQ(panel.title(), rooflineTitle(run, MemoryLevel::dram));
    const auto placed = [&](const char* id) {
        for (const XYSeries& series : chart->spec().series)
            for (const XYPoint& point : series.points)
                if (point.id == id)
                    return std::optional(std::pair{series.token, point.tip});
        return std::optional<std::pair<Token, QString>>();
    };
    ASSERT_TRUE(placed("now") && placed("before"));
    EXPECT_EQ(placed("before")->first, Token::series5);
    EXPECT_NE(placed("now")->first, Token::series5);
    EXPECT_TRUE(placed("now")->second.contains(q("×2"))) << placed("now")->second.toStdString();
    EXPECT_FALSE(placed("before")->second.contains(q("×2")));
    panel.findChild<QComboBox*>()->setCurrentIndex(2);
    EXPECT_FALSE(placed("now")) << "traffic of L1 was not measured";
    EXPECT_TRUE(chart->spec().x.title.contains("L1"));
    panel.findChild<QComboBox*>()->setCurrentIndex(0);
    EXPECT_TRUE(placed("now"));
    RunRecord integers = run;
    integers.flops = 0;
    panel.setRuns({&integers}, {});
    EXPECT_FALSE(chart->isVisibleTo(&panel));
    EXPECT_TRUE(units->isVisibleTo(&panel));
    EXPECT_EQ(units->rows().front().value, 20.0);
    EXPECT_TRUE(panel.title().startsWith("DRAM")) << panel.title().toStdString();
    EXPECT_FALSE(panel.isHidden());
    integers.metrics.reset();
    panel.setRuns({&integers}, {});
    EXPECT_TRUE(panel.isHidden());
    EXPECT_FALSE(panel.missing().isEmpty());
    EXPECT_TRUE(panel.title().isEmpty());
    panel.setRuns({&run}, {});
    EXPECT_FALSE(panel.isHidden());
    EXPECT_TRUE(panel.missing().isEmpty()) << "of the run before";
    EXPECT_TRUE(chart->isVisibleTo(&panel));
    EXPECT_FALSE(units->isVisibleTo(&panel));
}

TEST(RunDeltas, OfUnitsAreAgainstTheSameUnit)
{
    RunRecord run = countedRun("now", 1000), before = countedRun("before", 2000), timed = countedRun("timed", 1);
    before.metrics->values[kDramShare] = 30.0;
    timed.metrics.reset();
    std::vector<EvidenceRow> rows = unitRows(run);
    addUnitDeltas(rows, {{&before, Token::series5}, {&timed, Token::series6}});
    ASSERT_EQ(rows[0].deltas.size(), 2U);
    EXPECT_EQ(rows[0].deltas[0].before, 30.0);
    EXPECT_EQ(rows[0].deltas[0].text, q("\u221210\u202fpts"));
    EXPECT_EQ(rows[0].deltas[1].text, "n/a");
    EXPECT_EQ(rows[1].deltas[0].text, "n/a") << "L2 was not measured";
}

TEST(StallCards, HaveABarPerRunAndTheirMeanings)
{
    RunRecord run = countedRun("now", 1000), before = countedRun("before", 2000);
    before.metrics->values[kLongScoreboard] = 1.0;
    StallsCard card;
    card.setRuns({&run, &before}, {{&before, Token::series5}});
    EXPECT_FALSE(card.isHidden());
    EXPECT_TRUE(card.missing().isEmpty());
    const QString longest = q(kl::stallTitle("long_scoreboard")), second = q(kl::stallTitle("wait"));
    ASSERT_EQ(card.parts().size(), 3);
    EXPECT_EQ(card.parts().mid(0, 2), (QStringList{longest, second})) << "60 and 20 %: the most of both";
    EXPECT_TRUE(card.title().startsWith(longest, Qt::CaseInsensitive)) << card.title().toStdString();
    EXPECT_TRUE(card.title().contains("60"));
    const QString meanings = card.findChild<QLabel*>("stallMeanings")->text();
    ASSERT_TRUE(meanings.contains(longest, Qt::CaseInsensitive) && meanings.contains(second, Qt::CaseInsensitive));
    EXPECT_LT(meanings.indexOf(longest, 0, Qt::CaseInsensitive), meanings.indexOf(second, 0, Qt::CaseInsensitive))
        << meanings.toStdString();
    const ChartTable table = card.findChild<StackedBar*>("stallBars")->table();
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_EQ(table.rows[0], (QStringList{longest, "60", q("Δ +40\u202fpts"), "20"})) << "the run, its change, the baseline";
    EXPECT_EQ(table.rows[2][0], card.parts().last());
    EXPECT_EQ(table.rows[2][1], "20") << "the rest of its latency, in which a warp is not stalled";
    StallBars bars = stallBars({&run, &before});
    addDeltas(bars, {&run, &before}, {{&before, Token::series5}});
    ASSERT_FALSE(bars.rows[0].deltas.empty());
    EXPECT_EQ(bars.rows[0].deltas[0][0].text, q("+40\u202fpts"));
    EXPECT_TRUE(bars.rows[1].deltas.empty());
    run.metrics->values.erase(kLongScoreboard);
    run.metrics->values.erase(kWait);
    StallBars theirs = stallBars({&run, &before});
    addDeltas(theirs, {&run, &before}, {{&before, Token::series5}});
    EXPECT_TRUE(theirs.rows[0].deltas.empty()) << "the run has no stall reasons to compare";
    before.metrics.reset();
    run.metrics.reset();
    card.setRuns({&run, &before}, {});
    EXPECT_TRUE(card.isHidden());
    EXPECT_FALSE(card.missing().isEmpty());
    EXPECT_FALSE(card.title().contains(longest, Qt::CaseInsensitive));
    EXPECT_TRUE(card.findChild<QLabel*>("stallMeanings")->isHidden());
}

} // namespace
} // namespace kl::ui
