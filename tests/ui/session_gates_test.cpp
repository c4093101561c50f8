// SPDX-License-Identifier: MIT
// The cards of a session's gates, edits and claims by themselves: which field is where, what each button asks for, and that nothing
// stays of what was shown before.
#include "core/base/format.h"
#include "sessions/session/session_view.h"
#include "tests/support/snapshot.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/session/attempts_line.h"
#include "ui/pages/session/claims_card.h"
#include "ui/pages/session/debug_panel.h"
#include "ui/pages/session/edit_card.h"
#include "ui/pages/session/gate_card.h"
#include "ui/pages/session/written_document_card.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>

namespace kl::ui {
namespace {

NextAction offeredAction(SessionAction action, const char* argument = "", const char* title = "")
{
    NextAction next;
    next.action = action;
    next.argument = argument;
    next.title = title;
    return next;
}

TEST(EditCards, OpenTakeAndDiscardTheFileThatIsShown)
{
    SessionView view;
    view.editing.emplace();
    view.editing->file = "/src/a.cu";
    view.editing->git = true;
    view.git = true;
    SourceChange change;
    change.file = "/src/other.cu";
    change.summary = "+1 line";
    change.diff = "+one";
    change.after = "hash";
    EditCard card;
    card.show();
    card.setEdit(view, Result<SourceChange>(change));
    card.setAttempts({}, true);
    EXPECT_TRUE(wordsOn(card).contains("/src/a.cu"));
    EXPECT_TRUE(card.findChild<QLabel*>("editState")->text().contains("+1 line"));
    EXPECT_TRUE(card.findChild<QPlainTextEdit*>("editDiff")->toPlainText().contains("+one"));
    EXPECT_TRUE(card.findChild<MarkLabel*>()->text().startsWith(markSign(Mark::pass)));
    const QSignalSpy opened(&card, &EditCard::openRequested), requested(&card, &EditCard::actionRequested),
        git(&card, &EditCard::gitChosen), measured(&card, &EditCard::measureRequested);
    buttonOn(card, "editOpen")->click();
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toString(), "/src/a.cu");
    buttonOn(card, "editTake")->click();
    EXPECT_EQ(requested.last()[0].value<SessionAction>(), SessionAction::takeEdit);
    buttonOn(card, "editGiveUp")->click();
    EXPECT_EQ(requested.last()[0].value<SessionAction>(), SessionAction::revert);
    auto* commits = card.findChild<QCheckBox*>("editGit");
    EXPECT_TRUE(commits->isVisible() && commits->isChecked());
    commits->click();
    ASSERT_EQ(git.count(), 1);
    EXPECT_FALSE(git[0][0].toBool());
    buttonOn(card, "editMeasure")->click();
    EXPECT_EQ(measured.count(), 1);
    EXPECT_TRUE(card.measuresSaves());
    card.findChild<QCheckBox*>("editSaves")->click();
    EXPECT_FALSE(card.measuresSaves());
    card.setEdit(view, Result<SourceChange>(Error{.code = ErrorCode::refused, .message = "two changes", .where = "one-variable"}));
    EXPECT_TRUE(card.findChild<MarkLabel*>()->text().startsWith(markSign(Mark::fail)));
    EXPECT_TRUE(card.findChild<QPlainTextEdit*>("editDiff")->toPlainText().isEmpty()) << "of what was allowed before";
    card.setEdit(view, Result<SourceChange>(Error{.code = ErrorCode::refused, .message = "nothing changed"}));
    EXPECT_TRUE(card.findChild<MarkLabel*>()->text().startsWith(markSign(Mark::none))) << "no rule refuses it";
    EXPECT_FALSE(buttonOn(card, "editTake")->isEnabled()) << "there is nothing to take";
}

TEST(EditCards, WhatWasDecidedIsShownWithItsCommitAndParkedStepsByTheLast)
{
    SourceChange change;
    change.file = "/src/b.cu";
    change.summary = "+2 lines";
    change.diff = "+two";
    SessionView view;
    EditCard card;
    card.show();
    card.setEdit(view, {});
    EXPECT_FALSE(card.isVisible()) << "nothing was edited";
    view.sourceChange = change;
    view.outcome = "kept";
    view.commit = "0123456789abcdef";
    card.setEdit(view, {});
    EXPECT_TRUE(card.isVisible());
    const auto* state = card.findChild<QLabel*>("editState");
    EXPECT_TRUE(state->text().contains("+2 lines") && state->text().contains("0123456789ab"));
    EXPECT_FALSE(state->text().contains("0123456789abc")) << "as long as git shows it";
    EXPECT_TRUE(card.findChild<QPlainTextEdit*>("editDiff")->toPlainText().contains("+two"));
    for (const char* name : {"editOpen", "editTake", "editGiveUp"})
        EXPECT_FALSE(buttonOn(card, name)->isVisible()) << name;
    view.sourceChange.reset();
    view.outcome.clear();
    view.parked.resize(3);
    view.parked[0].title = "one";
    view.parked[0].source = change;
    view.parked[1].title = "two";
    view.parked[1].source = change;
    view.parked[1].source->diff = "+second";
    view.parked[2].title = "not an edit";
    card.setEdit(view, {});
    EXPECT_TRUE(state->text().endsWith("two")) << state->text().toStdString();
    EXPECT_TRUE(card.findChild<QPlainTextEdit*>("editDiff")->toPlainText().contains("+second"));
    EXPECT_FALSE(card.findChild<MarkLabel*>()->isVisible());
}

TEST(GateCards, AStageWithoutAGateKeepsNothingOfTheGateBefore)
{
    GateView gate;
    gate.id = "G1";
    gate.title = "Environment";
    gate.rule = "It must be ready.";
    gate.verdict = "It is not.";
    gate.waivedReason = "known";
    gate.staleReason = "the driver changed";
    gate.canBeWaived = true;
    gate.checks.resize(1);
    gate.checks[0].title = "a check";
    const NextAction next = offeredAction(SessionAction::checkEnvironment, "again", "Check it again");
    GateCard card;
    card.show();
    card.setGate(gate, &next, "blocked by it");
    QString words = wordsOn(card);
    EXPECT_TRUE(card.title().contains("G1") && card.title().contains("Environment"));
    for (const char* part : {"It must be ready.", "It is not.", "known", "the driver changed", "blocked by it", "a check"})
        EXPECT_TRUE(words.contains(part)) << part;
    EXPECT_EQ(buttonOn(card, "gateAction")->text(), "Check it again");
    gate.verdict.clear();
    card.setGate(gate, &next, {});
    words = wordsOn(card);
    EXPECT_TRUE(words.contains("known")) << "waived before it was judged";
    EXPECT_FALSE(words.contains("It is not."));
    EXPECT_FALSE(words.contains("blocked by it"));
    const NextAction other = offeredAction(SessionAction::document, "", "Write it");
    card.setPlain("Document", "what it needs", &other);
    words = wordsOn(card);
    EXPECT_TRUE(words.contains("what it needs"));
    EXPECT_EQ(card.title(), "Document");
    for (const char* part : {"It must be ready.", "known", "the driver changed", "a check", "G1"})
        EXPECT_FALSE(words.contains(part)) << part;
    EXPECT_FALSE(buttonOn(card, "waive")->isVisible());
    EXPECT_FALSE(card.findChild<MarkLabel*>()->isVisible());
    const QSignalSpy requested(&card, &GateCard::actionRequested);
    buttonOn(card, "gateAction")->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].value<SessionAction>(), SessionAction::document);
    EXPECT_EQ(requested[0][1].toString(), "") << "the argument of the action before";
    card.hideButton();
    EXPECT_FALSE(buttonOn(card, "gateAction")->isVisible());
    card.setGate(gate, &next, {});
    EXPECT_TRUE(buttonOn(card, "gateAction")->isVisible());
    EXPECT_TRUE(buttonOn(card, "waive")->isVisible());
    card.setGate(gate, nullptr, {});
    EXPECT_FALSE(buttonOn(card, "gateAction")->isVisible()) << "the stage is not the current one";
    EXPECT_FALSE(buttonOn(card, "waive")->isVisible());
}

TEST(GateCards, AGateThatRunsWaitsForTheUserUnlessTheSessionIsOver)
{
    GateView gate;
    gate.progress = GateProgress::running;
    GateCard card;
    card.setGate(gate, nullptr, {});
    const auto* mark = card.findChild<MarkLabel*>();
    const QString waiting = mark->text();
    card.setBusy("measuring");
    const QString running = mark->text();
    EXPECT_NE(running, waiting);
    card.setBusy({});
    EXPECT_EQ(mark->text(), waiting);
    card.setGate(gate, nullptr, {}, true);
    EXPECT_NE(mark->text(), waiting) << "nobody is waited for";
    EXPECT_NE(mark->text(), running);
    gate.progress = GateProgress::waived;
    card.setGate(gate, nullptr, {});
    EXPECT_TRUE(mark->text().startsWith(markSign(Mark::waived)));
    gate.progress = GateProgress::done;
    gate.result = GateResult::pass;
    card.setGate(gate, nullptr, {});
    EXPECT_TRUE(mark->text().startsWith(markSign(Mark::pass)));
}

TEST(GateCards, SnapshotOfTheirMarks)
{
    GateView gate;
    GateCard card;
    const auto* mark = card.findChild<MarkLabel*>();
    QStringList lines;
    gate.progress = GateProgress::running;
    card.setGate(gate, nullptr, {});
    lines << "running | " + mark->text();
    card.setBusy("measuring");
    lines << "running, busy | " + mark->text();
    card.setBusy({});
    card.setGate(gate, nullptr, {}, true);
    lines << "running, over | " + mark->text();
    gate.progress = GateProgress::waived;
    card.setGate(gate, nullptr, {});
    lines << "waived | " + mark->text();
    gate.progress = GateProgress::done;
    for (const auto& [name, result] : {std::pair{"pass", GateResult::pass}, std::pair{"fail", GateResult::fail}}) {
        gate.result = result;
        card.setGate(gate, nullptr, {});
        lines << QString::fromLatin1(name) + " | " + mark->text();
    }
    test::expectSnapshot("ui/gate-marks.txt", utf8(lines.join('\n') + u'\n'));
}

TEST(GateCards, AFailedCheckHasItsFixAndTheStepThatDoesIt)
{
    GateView gate;
    gate.checks.resize(2);
    gate.checks[0].title = "clock";
    gate.checks[0].found = "1200 MHz";
    gate.checks[0].threshold = "at least 1900 MHz";
    gate.checks[0].result = GateResult::fail;
    gate.checks[0].why = "it varies";
    gate.checks[0].fix = "lock it";
    gate.checks[0].next = {NextStep{StepId::profileWithNcu, {}, {}}, NextStep{StepId::checkEnvironment, {}, {}}};
    gate.checks[1] = gate.checks[0];
    gate.checks[1].title = "memory";
    gate.checks[1].result = GateResult::pass;
    GateCard card;
    card.show();
    card.setGate(gate, nullptr, {});
    const QStringList texts = seenOn(card);
    EXPECT_EQ(texts.filter("lock it").size(), 1) << "what passed needs no fix";
    EXPECT_TRUE(texts.filter("lock it").value(0).startsWith("1200 MHz"));
    EXPECT_EQ(texts.filter("at least 1900 MHz").size(), 2);
    for (const QLabel* label : card.findChildren<QLabel*>()) {
        if (label->text() == "clock") {
            EXPECT_EQ(label->toolTip(), "it varies\nlock it");
        }
        if (label->text() == "memory") {
            EXPECT_EQ(label->toolTip(), "it varies");
        }
    }
    const auto links = card.findChildren<QPushButton*>("step");
    ASSERT_EQ(links.size(), 1) << "of those that have a page, and of what failed";
    EXPECT_EQ(links[0]->property("step").toString(), QLatin1String(findKind(StepId::checkEnvironment).word));
    const QSignalSpy requested(&card, &GateCard::stepRequested);
    links[0]->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].value<NextStep>().id, StepId::checkEnvironment);
}

TEST(GateCards, AnotherActionIsTheOneOnItsLink)
{
    std::vector<NextAction> next{offeredAction(SessionAction::keep), offeredAction(SessionAction::revert, "all", "Take it back"),
                                 offeredAction(SessionAction::park, "", "Park it")};
    GateCard card;
    card.setBusy("measuring");
    card.setOthers(next);
    auto links = card.findChildren<QPushButton*>("otherAction");
    ASSERT_EQ(links.size(), 2);
    EXPECT_EQ(links[0]->text(), "Take it back");
    EXPECT_FALSE(links[0]->isEnabled());
    card.setBusy({});
    EXPECT_TRUE(links[0]->isEnabled());
    const QSignalSpy requested(&card, &GateCard::actionRequested);
    links[0]->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].value<SessionAction>(), SessionAction::revert);
    EXPECT_EQ(requested[0][1].toString(), "all");
    next[1].step.inputs.push_back({StepArgument::text, "Why?"});
    card.setOthers(next);
    settleWidgets();
    links = card.findChildren<QPushButton*>("otherAction");
    ASSERT_EQ(links.size(), 1) << "what asks for words has its own field";
    EXPECT_EQ(links[0]->text(), "Park it");
    card.setOthers({});
    settleWidgets();
    EXPECT_TRUE(card.findChildren<QPushButton*>("otherAction").isEmpty());
}

Attempt makeAttempt(int seq, const char* source, std::optional<double> ns)
{
    Attempt attempt;
    attempt.seq = seq;
    attempt.source = source;
    attempt.diff = std::string("+") + source;
    attempt.summary = std::string("summary of ") + source;
    attempt.finding = std::string("finding of ") + source;
    if (ns)
        attempt.time = Summary{*ns, *ns - 100, *ns + 200, 5};
    return attempt;
}

TEST(Attempts, SayWhyTheyHaveNoTimeAndHaveNoPointInTheChart)
{
    std::vector<Attempt> attempts{makeAttempt(0, "a", 4000), makeAttempt(3, "b", 2000), makeAttempt(4, "c", {}), makeAttempt(6, "d", 1000),
                                  makeAttempt(7, "e", 1000)};
    attempts[3].status = ResultStatus::compilationFailed;
    attempts[4].correctness = CorrectnessResult::incorrect;
    AttemptsLine line;
    line.setAttempts(attempts, "on no disk");
    auto* rows = line.findChild<QTableWidget*>("attempts");
    EXPECT_EQ(rows->currentRow(), 4) << "the newest, where none is on disk";
    EXPECT_EQ(rows->item(1, 1)->text(), "summary of b");
    EXPECT_NE(rows->item(0, 1)->text(), "summary of a") << "it is what the edit began with";
    EXPECT_EQ(rows->item(1, 4)->text(), "finding of b");
    EXPECT_EQ(rows->item(1, 2)->text(), q(formatTime(2000)));
    EXPECT_EQ(rows->item(0, 3)->text(), "");
    EXPECT_EQ(rows->item(1, 3)->text(), "2.00×");
    QStringList why;
    for (const int row : {2, 3, 4}) {
        why << rows->item(row, 2)->text();
        EXPECT_EQ(rows->item(row, 3)->text(), "");
    }
    EXPECT_EQ(why.removeDuplicates(), 0) << "not measured, not built, incorrect";
    auto* chart = line.findChild<XYChart*>();
    ASSERT_EQ(chart->spec().series.front().points.size(), 2U);
    const XYPoint point = chart->spec().series.front().points[1];
    EXPECT_EQ(point.x, 1);
    EXPECT_EQ(point.y, 2) << "microseconds";
    EXPECT_EQ(point.low, 1.9);
    EXPECT_EQ(point.high, 2.2);
    EXPECT_TRUE(point.tip.contains("finding of b"));
    ASSERT_EQ(chart->spec().references.size(), 1U);
    EXPECT_EQ(chart->spec().references[0].y, 4) << "the start";
    const QSignalSpy chosen(&line, &AttemptsLine::chosen);
    emit chart->opened(point.id);
    EXPECT_EQ(rows->currentRow(), 1);
    EXPECT_EQ(chosen.last()[0].toString(), "+b");
    attempts[0].status = ResultStatus::compilationFailed;
    line.setAttempts(attempts, "b");
    EXPECT_TRUE(chart->spec().references.empty());
    EXPECT_EQ(rows->item(1, 3)->text(), "") << "the start has no time to compare with";
    line.setAttempts({attempts[0]}, "b");
    EXPECT_TRUE(line.isHidden()) << "nothing was tried yet";
    line.setAttempts(attempts, "b");
    EXPECT_FALSE(line.isHidden());
}

TEST(DebugPanels, TheNewestIterationIsFirstWithEachOfItsSteps)
{
    SessionView view;
    view.iterations.resize(2);
    for (std::size_t i = 0; i < 2; ++i) {
        DebugIteration& row = view.iterations[i];
        row.number = static_cast<int>(i) + 1;
        const std::string of = " " + std::to_string(row.number);
        row.believed = "believed" + of;
        row.instrument = "instrument" + of;
        row.seen = "seen" + of;
        row.sanitizer = "sanitizer" + of;
        row.analysis = "analysis" + of;
        row.fix = "fix" + of;
        row.result = "result" + of;
        row.learned = "learned" + of;
    }
    DebugPanel panel;
    panel.setView(view);
    QStringList shown;
    for (const QString& text : seenOn(panel))
        if (text.endsWith(" 2") || text.endsWith(" 1"))
            shown << text;
    EXPECT_EQ(shown.filter("Iteration"), (QStringList{"Iteration 2", "Iteration 1"}));
    const QStringList newest = shown.mid(0, 9);
    EXPECT_EQ(newest, (QStringList{"Iteration 2", "believed 2", "instrument 2", "seen 2", "sanitizer 2", "analysis 2", "fix 2", "result 2",
                                   "learned 2"}));
    NextAction other = offeredAction(SessionAction::checkEnvironment);
    NextAction asks = offeredAction(SessionAction::hypothesis);
    asks.step.inputs.push_back({StepArgument::text, "What do you believe?"});
    view.next = {other, asks};
    view.iterations.resize(1);
    panel.setView(view);
    EXPECT_FALSE(seenOn(panel).contains("Iteration 2"));
    EXPECT_TRUE(seenOn(panel).contains("What do you believe?"));
    const QSignalSpy given(&panel, &DebugPanel::wordsGiven);
    panel.findChild<QLineEdit*>("debugWords")->setText("   ");
    buttonOn(panel, "debugWrite")->click();
    EXPECT_EQ(given.count(), 0);
    panel.findChild<QLineEdit*>("debugWords")->setText("an index");
    buttonOn(panel, "debugWrite")->click();
    ASSERT_EQ(given.count(), 1);
    EXPECT_EQ(given[0][0].value<SessionAction>(), SessionAction::hypothesis);
    view.next[1].step.inputs[0].argument = StepArgument::reason;
    panel.setView(view);
    EXPECT_FALSE(panel.findChild<QLineEdit*>("debugWords")->isVisibleTo(&panel)) << "other inputs have other fields";
}

TEST(ClaimsCards, ARowHasWhatWasClaimedAndWhatWasMeasured)
{
    SessionView view;
    view.claims = {{{"a talk", "2x", {}}, "1.80×", 0.9, "missed", ""}, {{"a paper", "3x", {}}, "", {}, "not measured yet", ""}};
    ClaimsCard card;
    card.setView(view);
    QStringList texts = seenOn(card);
    const qsizetype first = texts.indexOf("a talk");
    ASSERT_GE(first, 0);
    EXPECT_EQ(texts.mid(first, 3), (QStringList{"a talk", "2x", q("1.80×")}));
    EXPECT_TRUE(texts[first + 3].contains("missed"));
    EXPECT_EQ(texts.mid(texts.indexOf("a paper"), 3), (QStringList{"a paper", "3x", q(kNoValue)}));
    const QSignalSpy claimed(&card, &ClaimsCard::claimed);
    card.findChild<QLineEdit*>("claimSource")->setText(" a blog ");
    card.findChild<QLineEdit*>("claimFigure")->setText(" 4x ");
    buttonOn(card, "claimAdd")->click();
    ASSERT_EQ(claimed.count(), 1);
    EXPECT_EQ(claimed[0][0].toString(), "a blog");
    EXPECT_EQ(claimed[0][1].toString(), "4x");
    EXPECT_TRUE(card.findChild<QLineEdit*>("claimSource")->text().isEmpty());
    view.claims.clear();
    card.setView(view);
    EXPECT_FALSE(seenOn(card).contains("a talk")) << "claims of the session before";
}

TEST(WrittenDocument, EachButtonDoesItsOwnAndADraftIsSavedAsItStands)
{
    SessionView view;
    view.header.id.text = "s";
    view.written["worked"] = "the tile";
    WrittenDocumentCard card;
    card.setView(view, {"a-pattern", "a-step"});
    EXPECT_EQ(card.findChild<QPlainTextEdit*>("document-worked")->toPlainText(), "the tile");
    EXPECT_FALSE(card.answers().contains("worked")) << "it is written already";
    card.findChild<QPlainTextEdit*>("document-next")->setPlainText(" look at L2 ");
    EXPECT_EQ(card.answers().at("next"), "look at L2");
    card.findChild<QPlainTextEdit*>("document-worked")->setPlainText("  ");
    EXPECT_FALSE(card.answers().contains("worked")) << "an empty answer is none";
    for (const auto& [id, text] : card.answers())
        EXPECT_FALSE(text.empty()) << id;
    const QSignalSpy save(&card, &WrittenDocumentCard::saveRequested), lesson(&card, &WrittenDocumentCard::lessonRequested),
        step(&card, &WrittenDocumentCard::nextStepRequested), pattern(&card, &WrittenDocumentCard::patternRequested),
        roadmap(&card, &WrittenDocumentCard::roadmapRequested);
    const auto counts = [&] { return QList<qsizetype>{save.count(), lesson.count(), step.count(), pattern.count(), roadmap.count()}; };
    buttonOn(card, "saveDocument")->click();
    EXPECT_EQ(counts(), (QList<qsizetype>{1, 0, 0, 0, 0}));
    buttonOn(card, "sendLesson")->click();
    EXPECT_EQ(counts(), (QList<qsizetype>{1, 1, 0, 0, 0}));
    buttonOn(card, "sendNextStep")->click();
    EXPECT_EQ(counts(), (QList<qsizetype>{1, 1, 1, 0, 0}));
    buttonOn(card, "openLesson")->click();
    EXPECT_EQ(counts(), (QList<qsizetype>{1, 1, 1, 1, 0}));
    EXPECT_EQ(pattern[0][0].toString(), "a-pattern");
    buttonOn(card, "openRoadmap")->click();
    EXPECT_EQ(counts(), (QList<qsizetype>{1, 1, 1, 1, 1}));
    EXPECT_FALSE(buttonOn(card, "openRoadmap")->isHidden());
    const QString update = buttonOn(card, "sendLesson")->text();
    card.setView(view, {});
    EXPECT_TRUE(buttonOn(card, "openRoadmap")->isHidden());
    EXPECT_TRUE(buttonOn(card, "openLesson")->isHidden());
    EXPECT_NE(buttonOn(card, "sendLesson")->text(), update) << "it was not sent yet";
    card.setBusy("measuring");
    for (const char* name : {"saveDocument", "sendLesson", "sendNextStep"})
        EXPECT_FALSE(buttonOn(card, name)->isEnabled()) << name;
}

TEST(GateCards, ChecksOfTheEnvironmentHaveTheirNames)
{
    GateView gate;
    gate.checks.resize(2);
    gate.checks[0].id = gate.checks[0].title = "gpu-present";
    gate.checks[1].title = "a title";
    GateCard card;
    card.setGate(gate, nullptr, {});
    const QStringList texts = seenOn(card);
    EXPECT_FALSE(texts.contains("gpu-present")) << "an id is not a name";
    EXPECT_TRUE(texts.contains("a title"));
}

TEST(GateCards, AFixOrAWaiverIsNoLinkBesideTheButton)
{
    std::vector<NextAction> next{offeredAction(SessionAction::profile), offeredAction(SessionAction::chooseFix, "a", "Choose it"),
                                 offeredAction(SessionAction::waive, "G1", "Waive it"),
                                 offeredAction(SessionAction::revert, "", "Take it back")};
    GateCard card;
    card.setOthers(next);
    settleWidgets();
    const auto links = card.findChildren<QPushButton*>("otherAction");
    ASSERT_EQ(links.size(), 1);
    EXPECT_EQ(links[0]->text(), "Take it back");
}

TEST(EditCards, AnAttemptIsBroughtBackAndASaveIsMeasuredOnlyWhileTheEditWaits)
{
    SessionView view;
    view.editing.emplace();
    view.editing->file = "/src/a.cu";
    view.editing->before = "a";
    SourceChange change;
    change.after = "b";
    EditCard card;
    card.show();
    card.setEdit(view, Result<SourceChange>(change));
    card.setAttempts({makeAttempt(0, "a", 2000), makeAttempt(3, "b", 1000), makeAttempt(4, "c", 900)}, true);
    EXPECT_TRUE(card.findChild<QCheckBox*>("editSaves")->isVisible());
    auto* rows = card.findChild<QTableWidget*>("attempts");
    EXPECT_EQ(rows->currentRow(), 1) << "what lies on disk";
    rows->selectRow(2);
    EXPECT_TRUE(card.findChild<QPlainTextEdit*>("editDiff")->toPlainText().contains("+c"));
    const QSignalSpy back(&card, &EditCard::returnRequested);
    buttonOn(card, "attemptReturn")->click();
    ASSERT_EQ(back.count(), 1);
    EXPECT_EQ(back[0][0].toInt(), 4);
    card.setBusy("measuring");
    EXPECT_FALSE(buttonOn(card, "attemptReturn")->isEnabled());
    card.setEdit(view, Result<SourceChange>(Error{.code = ErrorCode::badInput, .message = "nothing changed"}));
    card.setAttempts({makeAttempt(0, "a", 2000), makeAttempt(3, "b", 1000)}, true);
    EXPECT_EQ(rows->currentRow(), 0) << "the files are as they were before the edit";
    view.phase = "done";
    card.setEdit(view, Result<SourceChange>(change));
    card.setAttempts({}, true);
    for (const char* name : {"editOpen", "editTake", "editMeasure"})
        EXPECT_FALSE(buttonOn(card, name)->isVisible()) << name << ": the session is over";
    EXPECT_FALSE(card.findChild<QCheckBox*>("editSaves")->isVisible());
    view.phase.clear();
    view.editing.reset();
    view.sourceChange = change;
    view.sourceChange->file = "/src/last.cu";
    view.parked.resize(1);
    view.parked[0].source = change;
    view.parked[0].source->file = "/src/parked.cu";
    card.setEdit(view, {});
    EXPECT_TRUE(wordsOn(card).contains("/src/last.cu"));
    EXPECT_FALSE(wordsOn(card).contains("/src/parked.cu"));
    EXPECT_FALSE(buttonOn(card, "editMeasure")->isVisible());
}

TEST(EditCards, AnEditBehindEvidenceThatBecameStaleIsShownByItsFile)
{
    SessionView view;
    view.editing.emplace();
    view.editing->file = "/src/a.cu";
    SourceChange change;
    change.summary = "+1 line";
    change.diff = "+one";
    EditCard card;
    card.show();
    card.setEdit(view, Result<SourceChange>(change));
    card.setEdit(view, {}); // something else comes first: the edit is not read
    EXPECT_TRUE(card.isVisible());
    EXPECT_TRUE(wordsOn(card).contains("/src/a.cu"));
    EXPECT_FALSE(buttonOn(card, "editTake")->isVisible());
    EXPECT_TRUE(card.findChild<QLabel*>("editState")->text().isEmpty()) << "of the step before";
    EXPECT_TRUE(card.findChild<QPlainTextEdit*>("editDiff")->toPlainText().isEmpty());
}

} // namespace
} // namespace kl::ui
