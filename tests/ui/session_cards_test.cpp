// SPDX-License-Identifier: MIT
// The cards of a session by themselves: what a form writes, what may be pressed when, and what is left of a session that was shown before.
#include "sessions/report/session_pair.h"
#include "sessions/session/checklist.h"
#include "sessions/session/session_view.h"
#include "ui/pages/session/attempts_line.h"
#include "ui/pages/session/checklist_card.h"
#include "ui/pages/session/claims_card.h"
#include "ui/pages/session/debug_panel.h"
#include "ui/pages/session/edit_card.h"
#include "ui/pages/session/gate_card.h"
#include "ui/pages/session/plan_card.h"
#include "ui/pages/session/session_pair_card.h"
#include "ui/pages/session/slope_chart.h"
#include "ui/pages/session/stage_rail.h"
#include "ui/pages/session/written_document_card.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QTextBrowser>

namespace kl::ui {
namespace {

template <class Widget> Widget* find(const QWidget& in, const char* name)
{
    return in.findChild<Widget*>(QString::fromLatin1(name));
}

TEST(GateCards, TheButtonIsThatOfTheNextActionAndDisabledWithItsReason)
{
    GateView gate;
    gate.id = "G4";
    gate.canBeWaived = true;
    gate.staleReason = "the driver changed";
    gate.checks.resize(2);
    gate.checks[0].title = "passed";
    gate.checks[0].result = GateResult::pass;
    gate.checks[0].fix = "nothing";
    gate.checks[1].title = "optional";
    gate.checks[1].requirement = Requirement::optional;
    gate.checks[1].evidence = "run:7";
    NextAction first;
    first.action = SessionAction::chooseFix;
    first.argument = "a";
    NextAction refused = first;
    refused.argument = "b";
    refused.enabled = false;
    refused.reason = "not yet";
    GateCard card;
    card.show();
    card.setGate(gate, &first, {});
    const auto* button = find<QPushButton>(card, "gateAction");
    const auto* waive = find<QPushButton>(card, "waive");
    const QSignalSpy requested(&card, &GateCard::actionRequested), waived(&card, &GateCard::waiveRequested),
        evidence(&card, &GateCard::evidenceRequested);
    card.setBusy("measuring");
    EXPECT_FALSE(button->isEnabled());
    EXPECT_FALSE(waive->isEnabled());
    card.setBusy({});
    EXPECT_TRUE(button->isEnabled());
    card.setGate(gate, &refused, {});
    EXPECT_FALSE(button->isEnabled());
    card.setBusy("measuring");
    card.setBusy({});
    EXPECT_FALSE(button->isEnabled()) << "the engine refuses it all the same";
    EXPECT_EQ(button->accessibleDescription(), "not yet");
    card.setGate(gate, &first, {});
    card.findChild<QPushButton*>("gateAction")->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][1].toString(), "a");
    gate.id = "G5";
    card.setGate(gate, &first, {});
    card.findChild<QPushButton*>("waive")->click();
    ASSERT_EQ(waived.count(), 1);
    EXPECT_EQ(waived[0][0].toString(), "G5");
    QCoreApplication::processEvents(); // which shows what was added
    QStringList texts;
    for (const QLabel* label : card.findChildren<QLabel*>())
        if (label->isVisible())
            texts << label->text();
    EXPECT_EQ(texts.filter("the driver changed").size(), 1);
    EXPECT_TRUE(texts.filter("nothing").isEmpty()) << "what passed needs no fix";
    EXPECT_TRUE(texts.contains("passed"));
    EXPECT_FALSE(texts.contains("optional")) << "it is marked as one";
    for (QPushButton* link : card.findChildren<QPushButton*>("rowLink"))
        if (link->isVisible())
            link->click();
    ASSERT_EQ(evidence.count(), 1);
    EXPECT_EQ(evidence[0][0].toString(), "run:7");
}

TEST(GateCards, ARowSaysWhatWasFoundOnceAlsoWhereThatIsWhatIsNeeded)
{
    GateView gate;
    gate.checks.resize(2);
    gate.checks[0].found = gate.checks[0].threshold = "correct";
    gate.checks[1].found = "3.37×";
    gate.checks[1].threshold = "at least 1.20×";
    GateCard card;
    card.setGate(gate, nullptr, {});
    QStringList texts;
    for (const QLabel* label : card.findChildren<QLabel*>())
        texts << label->text();
    EXPECT_EQ(texts.count("correct"), 1);
    EXPECT_EQ(texts.count(q(gate.checks[1].found)), 1);
    EXPECT_EQ(texts.count(q(gate.checks[1].threshold)), 1);
}

TEST(GateCards, OtherActionsAreThoseThatAreEnabledAndHaveNoControlOfTheirOwn)
{
    std::vector<NextAction> next(4);
    next[0].action = SessionAction::keep;
    next[1].action = SessionAction::revert;
    next[2].action = SessionAction::park;
    next[2].enabled = false;
    next[3].action = SessionAction::waive;
    GateCard card;
    card.setOthers(next);
    const auto links = card.findChildren<QPushButton*>("otherAction");
    ASSERT_EQ(links.size(), 1);
    EXPECT_EQ(links.front()->property("action").toString(), q(toString(SessionAction::revert)));
}

TEST(ClaimsCards, AClaimNeedsBothHalvesAndAnIdleSession)
{
    ClaimsCard card;
    card.show();
    const QSignalSpy claimed(&card, &ClaimsCard::claimed);
    auto* source = find<QLineEdit>(card, "claimSource");
    auto* figure = find<QLineEdit>(card, "claimFigure");
    source->setText("a talk");
    QTest::keyClick(figure, Qt::Key_Return);
    EXPECT_EQ(claimed.count(), 0);
    figure->setText("2x");
    card.setBusy("measuring");
    QTest::keyClick(figure, Qt::Key_Return);
    EXPECT_EQ(claimed.count(), 0);
    card.setBusy({});
    QTest::keyClick(figure, Qt::Key_Return);
    ASSERT_EQ(claimed.count(), 1);
    EXPECT_EQ(claimed[0][0].toString(), "a talk");
    EXPECT_EQ(claimed[0][1].toString(), "2x");
    SessionView view;
    view.claims.resize(3);
    view.claims[0].reached = 1.0;
    view.claims[1].reached = 0.9;
    card.setView(view);
    QCoreApplication::processEvents();
    QStringList signs;
    for (const MarkLabel* mark : card.findChildren<MarkLabel*>())
        if (mark->isVisible())
            signs << mark->text().left(1);
    EXPECT_EQ(signs, (QStringList{markSign(Mark::pass), markSign(Mark::fail), markSign(Mark::none)}));
    EXPECT_TRUE(source->isVisible());
    view.finished = true;
    card.setView(view);
    EXPECT_FALSE(source->isVisible()) << "it is closed";
}

TEST(DebugPanels, WordsAreTakenWhereTheyAreAskedForAndOnce)
{
    SessionView view;
    view.iterations.resize(1);
    view.iterations.front().analysis = "an analysis";
    view.iterations.front().fix = "a fix";
    DebugPanel panel;
    panel.show();
    panel.setView(view);
    auto* words = find<QLineEdit>(panel, "debugWords");
    EXPECT_FALSE(words->isVisible()) << "nothing is asked";
    NextAction asks;
    asks.action = SessionAction::analyze;
    asks.step.inputs.push_back({StepArgument::text, "Why?"});
    view.next = {asks};
    panel.setView(view);
    EXPECT_TRUE(words->isVisible());
    const QSignalSpy given(&panel, &DebugPanel::wordsGiven);
    words->setText(" because ");
    panel.setBusy("measuring");
    QTest::keyClick(words, Qt::Key_Return);
    EXPECT_EQ(given.count(), 0);
    panel.setBusy({});
    QTest::keyClick(words, Qt::Key_Return);
    ASSERT_EQ(given.count(), 1);
    EXPECT_EQ(given[0][1].toString(), "because");
    EXPECT_TRUE(words->text().isEmpty());
    QCoreApplication::processEvents(); // which shows what was added
    QStringList texts;
    for (const QLabel* label : panel.findChildren<QLabel*>())
        if (label->isVisible())
            texts << label->text();
    EXPECT_LT(texts.indexOf("an analysis"), texts.indexOf("a fix"));
    EXPECT_GE(texts.indexOf("an analysis"), 0);
}

Attempt makeAttempt(int seq, const char* source, double ns)
{
    Attempt attempt;
    attempt.seq = seq;
    attempt.source = source;
    attempt.diff = std::string("diff of ") + source;
    attempt.time = Summary{ns, ns, ns, 5};
    return attempt;
}

TEST(Attempts, AreComparedWithTheStartAndTheOneOnDiskIsNotBroughtBack)
{
    std::vector<Attempt> attempts{makeAttempt(0, "a", 1000), makeAttempt(3, "b", 500), makeAttempt(5, "c", 250)};
    attempts[2].correctness = CorrectnessResult::incorrect;
    AttemptsLine line;
    line.setAttempts(attempts, "b");
    auto* rows = find<QTableWidget>(line, "attempts");
    ASSERT_EQ(rows->rowCount(), 3);
    EXPECT_EQ(rows->currentRow(), 1) << "what is on disk";
    EXPECT_TRUE(rows->item(1, 0)->font().bold());
    EXPECT_FALSE(rows->item(0, 0)->font().bold());
    EXPECT_EQ(rows->item(1, 3)->text(), "2.00×") << "twice as fast";
    EXPECT_EQ(rows->item(2, 3)->text(), "") << "an incorrect one has no time that counts";
    auto* back = find<QPushButton>(line, "attemptReturn");
    EXPECT_FALSE(back->isEnabled());
    rows->selectRow(2);
    EXPECT_TRUE(back->isEnabled());
    const QSignalSpy returned(&line, &AttemptsLine::returnRequested);
    back->click();
    ASSERT_EQ(returned.count(), 1);
    EXPECT_EQ(returned[0][0].toInt(), 5);
    line.setBusy("measuring");
    EXPECT_FALSE(back->isEnabled());
}

TEST(Attempts, FitTheirWidthWhateverTheChangeAndTheFindingSay)
{
    std::vector<Attempt> attempts{makeAttempt(0, "a", 1000), makeAttempt(3, "b", 500)};
    for (Attempt& attempt : attempts) {
        attempt.summary = "12 lines of src/kernels/transpose/transpose_naive_with_a_long_name.cu, of which 8 were added";
        attempt.finding = "Uncoalesced stores: 32 sectors per request where 4 would do, in a sentence that goes on";
    }
    AttemptsLine line;
    line.setAttempts(attempts, "b");
    auto* rows = find<QTableWidget>(line, "attempts");
    for (const int width : {600, 900}) {
        line.resize(width, 400);
        line.show();
        QCoreApplication::processEvents();
        EXPECT_EQ(rows->horizontalScrollBar()->maximum(), 0) << width;
        EXPECT_EQ(rows->verticalScrollBar()->maximum(), 0) << width;
        for (const int column : {0, 2, 3})
            EXPECT_GE(rows->columnWidth(column), rows->fontMetrics().horizontalAdvance(rows->item(1, column)->text())) << column;
        for (const int column : {1, 4})
            EXPECT_EQ(rows->item(1, column)->toolTip(), rows->item(1, column)->text()) << "where the cell has no room for it";
    }
}

TEST(WrittenDocument, KeepsWhatIsBeingTypedAndShowsAnotherSessionsText)
{
    SessionView view;
    view.header.id.text = "s1";
    WrittenDocumentCard card;
    card.setView(view, {});
    auto* field = card.findChild<QPlainTextEdit*>();
    const std::string id = utf8(field->objectName().mid(9)); // document-ID
    const auto* save = find<QPushButton>(card, "saveDocument");
    view.written[id] = "first";
    for (const QPlainTextEdit* other : card.findChildren<QPlainTextEdit*>())
        view.written[utf8(other->objectName().mid(9))] = "first";
    card.setView(view, {});
    EXPECT_FALSE(save->isEnabled()) << "everything is saved";
    EXPECT_TRUE(card.answers().empty());
    field->setPlainText("typed");
    EXPECT_TRUE(save->isEnabled());
    EXPECT_EQ(card.answers(), (std::map<std::string, std::string>{{id, "typed"}}));
    view.written[id] = "second";
    card.setView(view, {});
    EXPECT_EQ(field->toPlainText(), "typed");
    view.header.id.text = "s2";
    card.setView(view, {"a-pattern", "a-step"});
    EXPECT_EQ(field->toPlainText(), "second");
    EXPECT_TRUE(find<QPushButton>(card, "sendNextStep")->isHidden());
    EXPECT_FALSE(find<QPushButton>(card, "openLesson")->isHidden());
    card.setView(view, {});
    EXPECT_FALSE(find<QPushButton>(card, "sendNextStep")->isHidden());
    card.setBusy("measuring");
    EXPECT_TRUE(field->isReadOnly());
    card.setBusy({});
    EXPECT_FALSE(field->isReadOnly());
}

TEST(SessionPairs, TheOlderIsFirstAndOneIsNotComparedWithItself)
{
    std::vector<HistoryRow> rows(3);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].name = "N+" + std::to_string(3 - i); // the newest first
    SessionPairCard card;
    card.setSessions(rows);
    auto* a = find<QComboBox>(card, "pairA");
    auto* b = find<QComboBox>(card, "pairB");
    const auto* compare = find<QPushButton>(card, "comparePair");
    EXPECT_EQ(a->currentData().toString(), "N+2");
    EXPECT_EQ(b->currentData().toString(), "N+3");
    EXPECT_TRUE(compare->isEnabled());
    b->setCurrentIndex(a->currentIndex());
    EXPECT_FALSE(compare->isEnabled());
    b->setCurrentIndex(2);
    card.setSessions(rows);
    EXPECT_EQ(b->currentData().toString(), "N+1") << "a choice stays";
    card.setError(Error{.code = ErrorCode::notFound, .message = "gone"});
    SessionPair pair;
    pair.rows = {{"minutes", "Time", "10 min", "20 min"}};
    card.setPair(pair);
    EXPECT_EQ(card.findChild<QLabel*>("a-minutes")->text(), "10 min");
    EXPECT_EQ(card.findChild<QLabel*>("b-minutes")->text(), "20 min");
    for (const QLabel* label : card.findChildren<QLabel*>())
        EXPECT_FALSE(label->text().contains("gone") && !label->isHidden());
}

TEST(PlanCards, TheUsersFoldStaysAndTheTextIsThatOfTheSession)
{
    PlanCard card;
    auto* text = find<QTextBrowser>(card, "plan");
    card.setPlan("first", true);
    EXPECT_FALSE(text->isHidden()) << "a new session begins with its plan";
    find<QPushButton>(card, "foldPlan")->click();
    card.setPlan("second", true);
    EXPECT_TRUE(text->isHidden());
    find<QPushButton>(card, "foldPlan")->click();
    EXPECT_EQ(text->toPlainText().trimmed(), "second");
    card.setPlan("third", false);
    EXPECT_FALSE(text->isHidden());
    EXPECT_EQ(text->toPlainText().trimmed(), "third");
}

TEST(Checklists, ANoteIsNoEvidenceAndIsEditedAgain)
{
    SessionView view;
    view.checklist.resize(2);
    view.checklist[0].id = checklistIds()[0];
    view.checklist[0].state = TickState::done;
    view.checklist[0].byNote = true;
    view.checklist[0].note = "looked at it";
    view.checklist[1].id = checklistIds()[1];
    view.checklist[1].state = TickState::done;
    view.checklist[1].next = NextStep{StepId::checkEnvironment, {}, {}};
    ChecklistCard card;
    card.show();
    card.setView(view, false);
    const auto mark = [&](int item) {
        return card.findChild<QLabel*>("tick-" + q(view.checklist[static_cast<std::size_t>(item)].id))->text().left(1);
    };
    EXPECT_EQ(mark(0), markSign(Mark::waived));
    EXPECT_EQ(mark(1), markSign(Mark::pass));
    auto* note = card.findChild<QPushButton*>("note-" + q(view.checklist[0].id));
    ASSERT_NE(note, nullptr);
    const QSignalSpy requested(&card, &ChecklistCard::noteRequested);
    note->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][2].toString(), "looked at it");
    EXPECT_FALSE(card.findChild<QPushButton*>("note-" + q(view.checklist[1].id))) << "evidence needs no note";
    card.setBusy("measuring");
    EXPECT_FALSE(note->isEnabled());
    EXPECT_FALSE(card.findChild<QPushButton*>("do-" + q(view.checklist[1].id))->isEnabled());
    card.findChild<QPushButton*>("foldChecklist")->click();
    QCoreApplication::processEvents();
    EXPECT_TRUE(note->isVisible());
    card.setView(view, false);
    QCoreApplication::processEvents();
    EXPECT_TRUE(card.findChild<QLabel*>("tick-" + q(view.checklist[1].id))->isVisible()) << "the user unfolded it";
}

TEST(EditCards, AnEditThatARuleRefusesIsNeitherTakenNorMeasured)
{
    SessionView view;
    view.editing.emplace();
    view.editing->file = "a.cu";
    EditCard card;
    card.show();
    const auto* take = find<QPushButton>(card, "editTake");
    const auto* measure = find<QPushButton>(card, "editMeasure");
    SourceChange change;
    change.summary = "+1 line";
    change.diff = "+one";
    change.after = "hash";
    card.setEdit(view, Result<SourceChange>(change));
    card.setAttempts({}, true);
    EXPECT_TRUE(take->isEnabled());
    EXPECT_TRUE(measure->isVisible());
    EXPECT_TRUE(measure->isEnabled());
    EXPECT_FALSE(find<QCheckBox>(card, "editGit")->isVisible()) << "the file is in no repository";
    EXPECT_FALSE(find<QCheckBox>(card, "editGit")->isChecked());
    card.setEdit(view, Result<SourceChange>(Error{.code = ErrorCode::refused, .message = "two changes", .where = "one-variable"}));
    EXPECT_FALSE(take->isEnabled());
    EXPECT_EQ(take->accessibleDescription(), "two changes") << "what the engine says";
    EXPECT_FALSE(measure->isEnabled());
    EXPECT_EQ(measure->toolTip(), "two changes");
    card.setBusy("measuring");
    EXPECT_FALSE(find<QPushButton>(card, "editGiveUp")->isEnabled());
    card.setBusy({});
    EXPECT_FALSE(take->isEnabled());
    card.setAttempts({}, false);
    EXPECT_FALSE(measure->isVisible()) << "a recording has no edits";
    card.setEdit(view, Result<SourceChange>(change));
    EXPECT_TRUE(take->isEnabled());
    EXPECT_TRUE(take->accessibleDescription().isEmpty());
    view.finished = true;
    view.sourceChange = change;
    card.setEdit(view, Result<SourceChange>(change));
    EXPECT_FALSE(take->isVisible()) << "the session is over";
}

TEST(SlopeCharts, HaveBothSidesInTheirTable)
{
    SlopeChart chart;
    chart.setTimes("before", Summary{200, 190, 210, 5}, "after", Summary{100, 95, 105, 6});
    EXPECT_EQ(chart.table().rows[0], (QStringList{"before", "200.0", "190.0", "210.0", "5"}));
    EXPECT_EQ(chart.table().rows[1], (QStringList{"after", "100.0", "95.0", "105.0", "6"}));
}

TEST(StageRails, LessThanAMinuteIsNotNothing)
{
    EXPECT_EQ(formatSpent(0.4, 10).left(2), "<1");
    EXPECT_EQ(formatSpent(0, 10).left(1), "0");
    EXPECT_EQ(formatSpent(1.2, 10).left(2), "1 ");
}

} // namespace
} // namespace kl::ui
