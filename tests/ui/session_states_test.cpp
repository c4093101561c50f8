// SPDX-License-Identifier: MIT
// Cards of a session: that each line, column and cell has its own words, also those of the view that came last.
#include "core/base/format.h"
#include "sessions/learning/recommend.h"
#include "sessions/session/checklist.h"
#include "sessions/session/session_view.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/diagnose/diagnosis_side.h"
#include "ui/pages/diagnose/help_line.h"
#include "ui/pages/session/attempts_line.h"
#include "ui/pages/session/checklist_card.h"
#include "ui/pages/session/claims_card.h"
#include "ui/pages/session/debug_panel.h"
#include "ui/pages/session/document_card.h"
#include "ui/pages/session/plan_card.h"
#include "ui/pages/session/review_card.h"
#include "ui/pages/session/side_panel.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/widgets/card.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QTextBrowser>

namespace kl::ui {
namespace {

TEST(DebugIterations, EachLineHasItsOwnWordsAndTheNewestIsFirst)
{
    SessionView view;
    view.iterations.resize(2);
    DebugIteration& full = view.iterations[0];
    full.number = 1;
    full.believed = "w-believed";
    full.instrument = "w-instrument";
    full.seen = "w-seen";
    full.sanitizer = "w-sanitizer";
    full.analysis = "w-analysis";
    full.fix = "w-fix";
    full.result = "w-result";
    full.learned = "w-learned";
    view.iterations[1].number = 2;
    DebugPanel panel;
    panel.setView(view);
    settleWidgets();
    std::map<int, QStringList> lines;
    std::map<int, int> heights;
    panel.resize(600, 900);
    panel.show();
    settleWidgets();
    for (Card* card : panel.findChildren<Card*>())
        if (const int number = card->property("iteration").toInt(); number > 0) {
            lines[number] = seenOn(*card);
            heights[number] = card->mapTo(&panel, QPoint()).y();
        }
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[1].filter("w-"),
              (QStringList{"w-believed", "w-instrument", "w-seen", "w-sanitizer", "w-analysis", "w-fix", "w-result", "w-learned"}));
    EXPECT_EQ(lines[2].count(q("–")), 8) << "nothing is known of it yet: " << lines[2].join('|').toStdString();
    EXPECT_LT(heights[2], heights[1]);
    QStringList names = lines[2];
    names.removeAll(q("–"));
    EXPECT_EQ(names.removeDuplicates(), 0);
    view.iterations.pop_back();
    panel.setView(view);
    settleWidgets();
    int cards = 0;
    for (const Card* card : panel.findChildren<Card*>())
        cards += card->property("iteration").toInt() > 0;
    EXPECT_EQ(cards, 1) << "of the session before";
}

TEST(DebugIterations, WordsAreOfTheActionThatAsksForText)
{
    SessionView view;
    NextAction other, number, asks;
    other.action = SessionAction::keep;
    number.action = SessionAction::chooseFix;
    number.step.inputs.push_back({StepArgument::kernel, "Which?"});
    asks.action = SessionAction::analyze;
    asks.step.inputs.push_back({StepArgument::text, "What follows?"});
    view.next = {other, number, asks};
    DebugPanel panel;
    panel.setView(view);
    auto* words = panel.findChild<QLineEdit*>("debugWords");
    EXPECT_EQ(words->accessibleName(), "What follows?");
    const QSignalSpy given(&panel, &DebugPanel::wordsGiven);
    words->setText("   ");
    buttonOn(panel, "debugWrite")->click();
    EXPECT_EQ(given.count(), 0) << "nothing was typed";
    words->setText("it follows");
    buttonOn(panel, "debugWrite")->click();
    ASSERT_EQ(given.count(), 1);
    EXPECT_EQ(given[0][0].value<SessionAction>(), SessionAction::analyze);
    EXPECT_EQ(given[0][1].toString(), "it follows");
    asks.action = SessionAction::instrument;
    view.next = {asks};
    panel.setView(view);
    words->setText("again");
    QTest::keyClick(words, Qt::Key_Return);
    ASSERT_EQ(given.count(), 2);
    EXPECT_EQ(given[1][0].value<SessionAction>(), SessionAction::instrument) << "of the step that is next now";
    panel.setBusy("measuring");
    EXPECT_EQ(buttonOn(panel, "debugWrite")->accessibleDescription(), "measuring");
}

TEST(ClaimRows, HaveSourceFigureMeasuredValueAndVerdict)
{
    SessionView view;
    view.claims.resize(2);
    view.claims[0].claim.source = "a talk";
    view.claims[0].claim.figure = "2x";
    view.claims[0].measured = "1.12×";
    view.claims[0].verdict = "missed";
    view.claims[0].reached = 0.56;
    view.claims[1].claim.source = "a paper";
    view.claims[1].claim.figure = "12 us";
    view.claims[1].verdict = "not measured yet";
    ClaimsCard card;
    card.resize(800, 300);
    card.show();
    card.setView(view);
    settleWidgets();
    const QStringList texts = seenOn(card);
    const qsizetype at = texts.indexOf("a talk");
    ASSERT_GE(at, 0) << texts.join('|').toStdString();
    EXPECT_EQ(texts.mid(at, 3), (QStringList{"a talk", "2x", q("1.12×")}));
    EXPECT_TRUE(texts.value(at + 3).startsWith(markSign(Mark::fail)) && texts.value(at + 3).endsWith("missed"));
    EXPECT_EQ(texts.mid(at + 4, 3), (QStringList{"a paper", "12 us", q(kNoValue)}));
    EXPECT_TRUE(texts.value(at + 7).startsWith(markSign(Mark::none)) && texts.value(at + 7).endsWith("not measured yet"));
    const auto placed = [&](const QString& text) {
        for (const QLabel* label : card.findChildren<QLabel*>())
            if (label->text() == text && label->isVisible())
                return label->mapTo(&card, QPoint());
        return QPoint(-1, -1);
    };
    EXPECT_LT(placed("a talk").x(), placed("2x").x());
    EXPECT_LT(placed("2x").x(), placed(q("1.12×")).x());
    EXPECT_LT(placed("a talk").y(), placed("a paper").y());
    EXPECT_EQ(placed("2x").x(), placed("12 us").x());
    view.claims.clear();
    card.setView(view);
    EXPECT_FALSE(seenOn(card).contains("a talk")) << "of the session before";
    card.setBusy("measuring");
    EXPECT_EQ(buttonOn(card, "claimAdd")->accessibleDescription(), "measuring");
    card.setBusy({});
    const QSignalSpy claimed(&card, &ClaimsCard::claimed);
    auto* source = card.findChild<QLineEdit*>("claimSource");
    auto* figure = card.findChild<QLineEdit*>("claimFigure");
    figure->setText(" 3x ");
    buttonOn(card, "claimAdd")->click();
    EXPECT_EQ(claimed.count(), 0) << "of no source";
    source->setText(" me ");
    buttonOn(card, "claimAdd")->click();
    ASSERT_EQ(claimed.count(), 1);
    EXPECT_EQ(claimed[0][0].toString(), "me");
    EXPECT_EQ(claimed[0][1].toString(), "3x");
    EXPECT_TRUE(source->text().isEmpty() && figure->text().isEmpty());
}

Attempt measuredAttempt(int seq, const char* source, std::optional<double> ns)
{
    Attempt attempt;
    attempt.seq = seq;
    attempt.source = source;
    attempt.summary = std::string("summary of ") + source;
    attempt.finding = std::string("finding of ") + source;
    attempt.diff = std::string("diff of ") + source;
    if (ns)
        attempt.time = Summary{*ns, *ns - 100, *ns + 100, 5};
    return attempt;
}

TEST(AttemptTables, HaveTheTimeOrWhyThereIsNone)
{
    std::vector<Attempt> attempts{measuredAttempt(0, "a", 4000), measuredAttempt(3, "b", 2000), measuredAttempt(5, "c", {}),
                                  measuredAttempt(6, "d", {}), measuredAttempt(8, "e", 1000)};
    attempts[3].status = ResultStatus::compilationFailed;
    attempts[4].correctness = CorrectnessResult::incorrect;
    AttemptsLine line;
    const QSignalSpy chosen(&line, &AttemptsLine::chosen);
    line.setAttempts(attempts, "gone");
    const auto* rows = line.findChild<QTableWidget*>("attempts");
    ASSERT_EQ(rows->rowCount(), 5);
    const auto cells = [&](int row) {
        QStringList texts;
        for (int column = 0; column < rows->columnCount(); ++column)
            texts << rows->item(row, column)->text();
        return texts;
    };
    EXPECT_EQ(rows->currentRow(), 4) << "the newest, where none is on disk";
    ASSERT_FALSE(chosen.isEmpty());
    EXPECT_EQ(chosen.last()[0].toString(), "diff of e");
    EXPECT_EQ(cells(0).mid(2), (QStringList{q(formatTime(4000)), "", "finding of a"})) << "it is not compared with itself";
    EXPECT_FALSE(cells(0)[1].contains("summary")) << "nothing was changed yet";
    EXPECT_EQ(cells(1), (QStringList{"1", "summary of b", q(formatTime(2000)), q("2.00×"), "finding of b"}));
    QStringList failures;
    for (const int row : {2, 3, 4}) {
        EXPECT_TRUE(cells(row)[3].isEmpty()) << row;
        failures << cells(row)[2];
    }
    EXPECT_EQ(failures.removeDuplicates(), 0) << "not measured, does not build, incorrect: " << failures.join('|').toStdString();
    EXPECT_FALSE(failures.contains(q(formatTime(1000))));
    for (int row = 0; row < 5; ++row)
        EXPECT_FALSE(rows->item(row, 0)->font().bold()) << "none of them lies on disk";
    attempts[0].time.reset();
    line.setAttempts(attempts, "b");
    EXPECT_TRUE(rows->item(1, 3)->text().isEmpty()) << "there is nothing to compare with";
    EXPECT_TRUE(rows->item(1, 4)->font().bold());
}

TEST(AttemptTables, TheirLineHasMicrosecondsAndLeadsToItsRow)
{
    std::vector<Attempt> attempts{measuredAttempt(0, "a", 4000), measuredAttempt(3, "b", {}), measuredAttempt(5, "c", 2000)};
    AttemptsLine line;
    line.setAttempts(attempts, "a");
    auto* chart = line.findChild<XYChart*>();
    const XYSpec& spec = chart->spec();
    ASSERT_EQ(spec.series.size(), 1U);
    ASSERT_EQ(spec.series[0].points.size(), 2U) << "what has no time has no point";
    EXPECT_EQ(spec.x.categories.size(), 3);
    const XYPoint& point = spec.series[0].points[1];
    EXPECT_EQ(point.x, 2) << "in its own place";
    EXPECT_DOUBLE_EQ(point.y, 2);
    EXPECT_DOUBLE_EQ(point.low.value_or(0), 1.9);
    EXPECT_DOUBLE_EQ(point.high.value_or(0), 2.1);
    EXPECT_EQ(point.id, "5");
    EXPECT_TRUE(point.tip.contains(q(formatTime(2000))) && point.tip.endsWith("finding of c")) << point.tip.toStdString();
    ASSERT_EQ(spec.references.size(), 1U);
    EXPECT_DOUBLE_EQ(spec.references[0].y, 4);
    const auto* rows = line.findChild<QTableWidget*>("attempts");
    const QSignalSpy chosen(&line, &AttemptsLine::chosen);
    emit chart->opened("5");
    EXPECT_EQ(rows->currentRow(), 2);
    ASSERT_FALSE(chosen.isEmpty());
    EXPECT_EQ(chosen.last()[0].toString(), "diff of c");
    emit chart->opened("4");
    EXPECT_EQ(rows->currentRow(), 2) << "there is no such attempt";
    attempts[0].correctness = CorrectnessResult::incorrect;
    line.setAttempts(attempts, "a");
    EXPECT_TRUE(chart->spec().references.empty()) << "an incorrect start is nothing to compare with";
    EXPECT_EQ(chart->spec().series[0].points.size(), 1U);
    line.setAttempts({attempts[0]}, "a");
    EXPECT_TRUE(line.isHidden()) << "nothing was measured since";
    line.setAttempts(attempts, "a");
    EXPECT_FALSE(line.isHidden());
}

TEST(AttemptTables, AreAsHighAsTheirRowsUpToFive)
{
    std::vector<Attempt> attempts;
    AttemptsLine line;
    const auto* rows = line.findChild<QTableWidget*>("attempts");
    std::vector<int> heights;
    for (int i = 0; i < 7; ++i) {
        attempts.push_back(measuredAttempt(i, "a", 1000));
        line.setAttempts(attempts, "a");
        heights.push_back(rows->maximumHeight());
    }
    EXPECT_EQ(heights[2] - heights[1], rows->rowHeight(0));
    EXPECT_EQ(heights[4] - heights[3], rows->rowHeight(0));
    EXPECT_EQ(heights[6], heights[4]) << "more are scrolled to";
}

TEST(ChecklistRows, HaveTheirNoteAndCountNoFailureWhereThereIsNone)
{
    SessionView view;
    view.checklist.resize(3);
    for (std::size_t i = 0; i < 3; ++i) {
        view.checklist[i].id = checklistIds()[i];
        view.checklist[i].title = "title " + std::to_string(i);
        view.checklist[i].group = "group";
    }
    view.checklist[0].state = TickState::done;
    view.checklist[1].state = TickState::done;
    view.checklist[1].byNote = true;
    view.checklist[1].note = "looked";
    view.checklist[1].found = "found it";
    ChecklistCard card;
    card.setView(view, true);
    QStringList texts = seenOn(card);
    ASSERT_EQ(texts.filter("2 of 3").size(), 1) << "what is noted counts, too: " << texts.join('|').toStdString();
    EXPECT_FALSE(texts.filter("2 of 3").value(0).section('.', 0, 0).contains(',')) << "none failed";
    EXPECT_LT(texts.indexOf("title 1"), texts.indexOf("found it"));
    EXPECT_EQ(texts.filter(QRegularExpression("looked$")).size(), 1);
    EXPECT_EQ(texts.count("group"), 1);
    auto* written = buttonOn(card, "note-" + q(checklistIds()[1]));
    auto* open = buttonOn(card, "note-" + q(checklistIds()[2]));
    ASSERT_TRUE(written && open);
    EXPECT_NE(written->text(), open->text()) << "one is edited";
    EXPECT_TRUE(open->accessibleName().endsWith("title 2"));
    EXPECT_EQ(buttonOn(card, "note-" + q(checklistIds()[0])), nullptr);
    view.checklist[2].id = "of another version";
    card.setView(view, true);
    EXPECT_EQ(buttonOn(card, "note-of another version"), nullptr) << "nobody could read that note";
    view.checklist[1].note.clear();
    card.setView(view, true);
    EXPECT_TRUE(seenOn(card).filter("looked").isEmpty());
    auto* fold = buttonOn(card, "foldChecklist");
    const QString name = fold->accessibleName();
    fold->click();
    EXPECT_NE(fold->accessibleName(), name);
}

TEST(ChecklistRows, AStepThatNoPageDoesHasNoLink)
{
    SessionView view;
    view.checklist.resize(2);
    view.checklist[0].id = "mine";
    view.checklist[0].next = NextStep{StepId::profileWithNcu, {}, {}};
    view.checklist[1].id = "other";
    view.checklist[1].next = NextStep{StepId::checkEnvironment, {}, {}};
    view.checklist[1].evidence = "comparison:3";
    ChecklistCard card;
    card.setView(view, true);
    EXPECT_EQ(buttonOn(card, "do-mine"), nullptr);
    ASSERT_NE(buttonOn(card, "do-other"), nullptr);
    EXPECT_EQ(buttonOn(card, "evidence-other"), nullptr) << "runs alone are shown";
    EXPECT_EQ(buttonOn(card, "note-mine"), nullptr) << "it takes no note";
    card.setBusy("measuring");
    EXPECT_FALSE(buttonOn(card, "do-other")->isEnabled());
    card.setBusy({});
    EXPECT_TRUE(buttonOn(card, "do-other")->isEnabled());
}

TEST(PlanStates, TheFoldSaysWhatItDoesAndTheTextGrowsWithThePlan)
{
    PlanCard card;
    card.resize(600, 600);
    card.show();
    auto* fold = buttonOn(card, "foldPlan");
    const QString shows = fold->accessibleName();
    const auto* text = card.findChild<QTextBrowser*>("plan");
    card.setPlan("one line", true);
    EXPECT_NE(fold->accessibleName(), shows);
    const int low = text->height();
    card.setPlan("one line\n\ntwo\n\nthree\n\nfour\n\nfive\n\nsix", true);
    EXPECT_GT(text->maximumHeight(), low);
    EXPECT_TRUE(text->toPlainText().contains("six"));
    fold->click();
    EXPECT_EQ(fold->accessibleName(), shows);
    card.setPlan("after it was folded", true);
    EXPECT_TRUE(text->isHidden()) << "the user folded it";
    fold->click();
    EXPECT_TRUE(text->toPlainText().contains("after it was folded"));
}

TEST(OutcomeWords, HaveTheSpeedupOfEveryOutcome)
{
    SessionView view;
    view.header.kernel = "transpose";
    view.start = *parseAddress("transpose/naive");
    view.candidate = *parseAddress("transpose/tiled");
    view.speedup = 1.25;
    DocumentCard card;
    for (const char* outcome : {"kept", "reverted", "abandoned"}) {
        view.outcome = outcome;
        card.setView(view);
        EXPECT_TRUE(wordsOn(card).contains(q("1.25×"))) << outcome;
    }
    view.outcome.clear();
    card.setView(view);
    EXPECT_FALSE(wordsOn(card).contains(q("1.25×"))) << "it is still open";
    const auto* next = card.findChild<QPushButton*>("nextSession");
    EXPECT_TRUE(next->isHidden());
    view.afterwards = {NextStep{StepId::newSession, {}, {}}, NextStep{StepId::checkEnvironment, {}, {}}};
    card.setView(view);
    EXPECT_FALSE(next->isHidden());
    EXPECT_TRUE(next->text().endsWith("transpose"));
    const QSignalSpy stepped(&card, &DocumentCard::stepRequested);
    card.findChild<QPushButton*>("nextSession")->click();
    ASSERT_EQ(stepped.count(), 1);
    EXPECT_EQ(stepped[0][0].value<NextStep>().id, StepId::newSession) << "the first of them";
    view.afterwards.clear();
    card.setView(view);
    EXPECT_TRUE(next->isHidden());
    card.findChild<QPushButton*>("nextSession")->click();
    EXPECT_EQ(stepped.count(), 1) << "it is of the session before";
}

TEST(ReviewRows, AreInTheirOrderAndEveryPartIsLockedWithItsReason)
{
    ReviewCard card;
    card.show();
    card.setReview(
        {}, {{"1", "G1", "Ada", "2026-01-01T00:00:00.000Z", "first"}, {"2", "outcome", "Bob", "2026-01-02T00:00:00.000Z", "second"}});
    const QStringList texts = seenOn(card);
    const qsizetype at = texts.indexOf("first");
    ASSERT_GT(at, 0);
    EXPECT_TRUE(texts[at - 1].startsWith(q("G1 · Ada · "))) << texts[at - 1].toStdString();
    EXPECT_TRUE(texts.value(at + 1).startsWith(q("outcome · Bob · ")));
    EXPECT_EQ(texts.value(at + 2), "second");
    const std::vector<QWidget*> parts{card.findChild<QComboBox*>(), card.findChild<QLineEdit*>("reviewAuthor"),
                                      card.findChild<QLineEdit*>("reviewText"), buttonOn(card, "reviewAdd"),
                                      buttonOn(card, "reviewImport")};
    card.setBusy("measuring");
    for (const QWidget* part : parts) {
        EXPECT_FALSE(part->isEnabled()) << part->objectName().toStdString();
        EXPECT_EQ(part->toolTip(), "measuring") << part->objectName().toStdString();
    }
    EXPECT_TRUE(buttonOn(card, "reviewExport")->isEnabled());
    card.setBusy({});
    for (const QWidget* part : parts) {
        EXPECT_TRUE(part->isEnabled()) << part->objectName().toStdString();
        EXPECT_TRUE(part->toolTip().isEmpty());
    }
}

TEST(SideLogs, ThePromptGoesWhenTheSessionIsReadOnlyAndNotesOfAnotherSessionToo)
{
    SessionView view;
    view.notes = {"note of the first"};
    SidePanel panel;
    panel.setView(view, {}, {});
    EXPECT_TRUE(seenOn(panel).contains("note of the first"));
    SessionView other;
    other.notes = {"note of the second"};
    PhaseView phase;
    phase.purpose = "Another purpose.";
    panel.setView(other, phase, {});
    EXPECT_FALSE(seenOn(panel).contains("note of the first"));
    EXPECT_TRUE(seenOn(panel).contains("note of the second"));
    EXPECT_TRUE(seenOn(panel).contains("Another purpose."));
    auto* note = panel.findChild<QLineEdit*>();
    panel.setReadOnly("it is a sample");
    EXPECT_EQ(note->toolTip(), "it is a sample");
    panel.setReadOnly({});
    EXPECT_TRUE(note->toolTip().isEmpty());
}

TEST(DiagnosisSides, KeepNoFindingFixOrCaveatOfTheRunBefore)
{
    RunRecord first = countedRun("first", 1000), second = countedRun("second", 1000);
    Finding spills, banks;
    spills.priority = "P3";
    spills.title = "It spills.";
    banks.priority = "P2";
    banks.title = "Banks conflict.";
    first.diagnosis->secondary = {spills};
    second.diagnosis->secondary = {banks};
    first.diagnosis->finding.fixes = {{"a", "Fix of the first", {}, 0.5, "", "", "", 0, {}}};
    second.diagnosis->finding.fixes = {{"b", "Fix of the second", {}, 0.5, "", "", "", 0, {}}};
    first.warnings = {{"throttled", "It was throttled."}};
    second.warnings = {{"noisy", "It was noisy."}};
    first.experiments = {{"half-occupancy", "", 1.5, 3, ""}};
    second.experiments = {{"larger-grid", "", 0.9, 3, ""}};
    DiagnosisSide side;
    side.setRun(first, {}, {});
    side.setRun(second, {}, {});
    const QStringList texts = seenOn(side);
    for (const char* gone : {"P3 · It spills.", "1. Fix of the first", "It was throttled."})
        EXPECT_FALSE(texts.contains(q(gone))) << gone;
    for (const char* shown : {"P2 · Banks conflict.", "1. Fix of the second", "It was noisy."})
        EXPECT_EQ(texts.count(q(shown)), 1) << shown;
    EXPECT_TRUE(texts.filter("half-occupancy").isEmpty());
    EXPECT_TRUE(texts.filter("larger-grid").value(0).contains(q("0.90×")));
    second.diagnosis->finding.fixes.clear();
    const qsizetype fixes = seenOn(side).size();
    side.setRun(second, {}, {});
    EXPECT_EQ(seenOn(side).filter("Fix of").size(), 0);
    EXPECT_GE(seenOn(side).size(), fixes - 3) << "it says that there is none";
    second.diagnosis.reset();
    side.setRun(second, {}, {});
    EXPECT_FALSE(seenOn(side).contains(q("P2 · Banks conflict.")));
}

TEST(HelpLines, AreThereWhileThereIsSomethingToExplain)
{
    QWidget page;
    QLabel* line = makeHelpLine(&page);
    EXPECT_TRUE(line->isHidden());
    EXPECT_TRUE(line->wordWrap());
    showHelp(line, "why");
    EXPECT_FALSE(line->isHidden());
    EXPECT_EQ(line->text(), "why");
    showHelp(line, {});
    EXPECT_TRUE(line->isHidden());
    EXPECT_TRUE(line->text().isEmpty());
}

} // namespace
} // namespace kl::ui
