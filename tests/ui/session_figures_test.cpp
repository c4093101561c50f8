// SPDX-License-Identifier: MIT
// Parts of a session in each of their states: which mark, button, label or tooltip belongs to which, and what a page without a GPU, or
// of a database that cannot be written, leaves to do.
#include "core/base/format.h"
#include "core/diagnosis/fix_code.h"
#include "sessions/session/checklist.h"
#include "sessions/session/events.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/context/app_context.h"
#include "ui/pages/session/attempts_line.h"
#include "ui/pages/session/checklist_card.h"
#include "ui/pages/session/claims_card.h"
#include "ui/pages/session/evaluate_panel.h"
#include "ui/pages/session/fix_panel.h"
#include "ui/pages/session/gate_card.h"
#include "ui/pages/session/new_session_card.h"
#include "ui/pages/session/review_card.h"
#include "ui/pages/session/session_pair_card.h"
#include "ui/pages/session/side_panel.h"
#include "ui/pages/session/stage_rail.h"
#include "ui/pages/session/written_document_card.h"
#include "ui/pages/session_page.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/option_card.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace kl::ui {
namespace {

NextAction nextAction(SessionAction action, const char* argument = "", const char* title = "")
{
    NextAction next;
    next.action = action;
    next.argument = argument;
    next.title = title;
    return next;
}

TEST(GateRows, EachCheckHasTheMarkOfItsOwnResult)
{
    GateView gate;
    gate.id = "G1";
    const GateResult results[] = {GateResult::fail, GateResult::pass, GateResult::unknown, GateResult::pass};
    for (const GateResult result : results) {
        CheckRow& row = gate.checks.emplace_back();
        row.title = "check " + std::to_string(gate.checks.size());
        row.result = result;
        row.threshold = "limit " + std::to_string(gate.checks.size());
        row.evidence = "run:" + std::to_string(gate.checks.size());
    }
    gate.checks[3].found = "same";
    gate.checks[3].threshold = "same";
    GateCard card;
    card.show();
    card.setGate(gate, nullptr, {});
    settleWidgets();
    QStringList marks;
    for (const MarkLabel* mark : card.findChildren<MarkLabel*>())
        marks << mark->text().left(1);
    QStringList wanted;
    for (const GateResult result : results)
        wanted << markSign(chooseMark(result));
    EXPECT_EQ(marks.mid(marks.size() - 4), wanted);
    const QStringList texts = seenOn(card);
    EXPECT_LT(texts.indexOf("check 1"), texts.indexOf("limit 1"));
    EXPECT_EQ(texts.count("same"), 1);
    EXPECT_EQ(texts.count(q("–")), 3) << "nothing was found yet";
    const QSignalSpy evidence(&card, &GateCard::evidenceRequested);
    for (QPushButton* link : card.findChildren<QPushButton*>("rowLink"))
        link->click();
    ASSERT_EQ(evidence.count(), 4);
    EXPECT_EQ(evidence[0][0].toString(), "run:1");
    EXPECT_EQ(evidence[3][0].toString(), "run:4");
    gate.progress = GateProgress::stale;
    card.setGate(gate, nullptr, {}, true);
    EXPECT_TRUE(card.findChild<MarkLabel*>()->text().startsWith(markSign(chooseMark(gate.result, GateProgress::stale))))
        << "the end of a session makes it no better";
}

TEST(ChecklistStates, BusyStaysForWhatIsAddedAndLeavesWhatOnlyLooks)
{
    SessionView view;
    view.checklist.resize(2);
    view.checklist[0].id = "occupancy";
    view.checklist[0].evidence = "run:7";
    view.checklist[0].next = NextStep{StepId::checkEnvironment, {}, {}};
    view.checklist[1].id = checklistIds()[0];
    view.checklist[1].title = "a title";
    ChecklistCard card;
    card.setBusy("measuring");
    card.setView(view, true);
    EXPECT_FALSE(buttonOn(card, "do-occupancy")->isEnabled());
    EXPECT_FALSE(buttonOn(card, "note-" + q(checklistIds()[0]))->isEnabled());
    EXPECT_TRUE(buttonOn(card, "evidence-occupancy")->isEnabled());
    EXPECT_TRUE(buttonOn(card, "calculate-occupancy")->isEnabled());
    card.setBusy({});
    EXPECT_TRUE(buttonOn(card, "do-occupancy")->isEnabled());
    const QSignalSpy requested(&card, &ChecklistCard::noteRequested);
    buttonOn(card, "note-" + q(checklistIds()[0]))->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), q(checklistIds()[0]));
    EXPECT_EQ(requested[0][1].toString(), "a title");
    view.checklist[1].state = TickState::failed;
    card.setView(view, true);
    EXPECT_EQ(buttonOn(card, "note-" + q(checklistIds()[0])), nullptr) << "evidence against it is not noted away";
    auto* fold = buttonOn(card, "foldChecklist");
    const QString hides = fold->text();
    fold->click();
    EXPECT_NE(fold->text(), hides);
    card.setView(view, true);
    EXPECT_FALSE(card.findChild<QLabel*>("tick-occupancy")->isVisibleTo(&card)) << "the user folded it";
}

TEST(StageStates, AreNamedForTheirState)
{
    std::vector<PhaseView> phases(4);
    const PhaseState states[] = {PhaseState::done, PhaseState::current, PhaseState::skipped, PhaseState::upcoming};
    const char* names[] = {"done", "current", "skipped", "upcoming"};
    for (std::size_t i = 0; i < phases.size(); ++i) {
        phases[i].id = "p" + std::to_string(i);
        phases[i].title = "Stage";
        phases[i].state = states[i];
        phases[i].budgetMinutes = 10;
        phases[i].elapsedMinutes = 3;
    }
    StageRail rail;
    rail.setPhases(phases);
    const auto stages = rail.findChildren<QToolButton*>("stage");
    ASSERT_EQ(stages.size(), 4);
    QStringList signs;
    for (qsizetype i = 0; i < 4; ++i) {
        EXPECT_EQ(stages[i]->property("state").toString(), names[i]);
        EXPECT_TRUE(stages[i]->accessibleName().contains(names[i])) << stages[i]->accessibleName().toStdString();
        signs << stages[i]->text().left(1);
    }
    EXPECT_EQ(signs, (QStringList{q("✓"), q("●"), q("⊘"), q("○")}));
    EXPECT_TRUE(stages[2]->text().endsWith(formatSpent(3, 10))) << "what was spent before it was skipped";
    EXPECT_FALSE(stages[3]->text().contains('3'));
    EXPECT_EQ(formatSpent(0.99, 10).left(2), "<1");
    EXPECT_EQ(formatSpent(1, 10).left(2), "1 ");
    EXPECT_TRUE(formatSpent(1, 25).contains("25"));
}

TEST(FixCards, ShowTheCodeOfTheirKindAndSayHowTheyAreChosen)
{
    SessionView view;
    view.current = *parseAddress("transpose/naive");
    view.profileRun.emplace();
    view.profileRun->diagnosis.emplace();
    Finding& finding = view.profileRun->diagnosis->finding;
    finding.estimate = Estimate{0.5, {}};
    finding.fixes = {{"by-hand", "Rewrite it", {}, 0.3, {}, "", "fuse-kernels", 0, 0.25},
                     {"cuda-graph", "Use a graph", {}, 0.4, {}, "", "", 0, {}},
                     {"no-such-change", "Other", {}, 0.5, {}, "", "", 0, 0.2}};
    view.next = {nextAction(SessionAction::chooseFix, "cuda-graph"), nextAction(SessionAction::chooseFix, "own-edit", "Edit it yourself"),
                 nextAction(SessionAction::chooseFix, "search", "Search it")};
    FixPanel panel;
    panel.setView(view, nullptr);
    settleWidgets();
    const auto cards = panel.findChildren<OptionCard*>();
    ASSERT_EQ(cards.size(), 5);
    const auto showsCode = [&](int card) { return cards[card]->findChild<QPushButton*>("showFixCode") != nullptr; };
    ASSERT_TRUE(fixCode("fuse-kernels") && fixCode("cuda-graph"));
    EXPECT_TRUE(showsCode(0));
    EXPECT_TRUE(showsCode(1)) << "its id, where its kind has no name";
    EXPECT_FALSE(showsCode(2));
    EXPECT_TRUE(wordsOn(*cards[0]).contains(q(formatRatio(1 / 0.75)))) << "its own gain, not the finding's";
    EXPECT_TRUE(wordsOn(*cards[2]).contains(q(formatRatio(1 / 0.8))));
    EXPECT_FALSE(wordsOn(*cards[1]).contains(q("×")));
    QStringList buttons;
    for (const int card : {0, 1, 4}) // not offered, an edit, a search
        buttons << cards[card]->button()->text();
    EXPECT_EQ(buttons.removeDuplicates(), 0) << buttons.join('|').toStdString();
    EXPECT_EQ(cards[3]->button()->text(), cards[1]->button()->text()) << "both edit the source";
    EXPECT_NE(wordsOn(*cards[3]), wordsOn(*cards[4]));
    EXPECT_EQ(cards[1]->button()->property("fix").toString(), "cuda-graph");
    EXPECT_EQ(cards[4]->button()->property("fix").toString(), "search");
    const QSignalSpy chosen(&panel, &FixPanel::fixChosen);
    cards[4]->button()->click();
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toString(), "search");
    EXPECT_FALSE(cards[0]->button()->isEnabled());
    panel.setBusy("measuring");
    panel.setBusy({});
    EXPECT_FALSE(cards[0]->button()->isEnabled()) << "it is not offered all the same";
}

TEST(EvaluateTips, NameWhatEachDecisionDoes)
{
    SessionView view;
    view.next = {nextAction(SessionAction::keep, "", "Keep the tile"), nextAction(SessionAction::revert, "", "Go back")};
    EvaluatePanel panel;
    panel.setView(view);
    EXPECT_EQ(buttonOn(panel, "keep")->toolTip(), "Keep the tile");
    EXPECT_EQ(buttonOn(panel, "revert")->toolTip(), "Go back");
    EXPECT_FALSE(buttonOn(panel, "park")->isVisibleTo(&panel)) << "it is not offered";
    view.next.clear();
    view.offers = {{SessionAction::keep, "", true, false, "not measured", "", {}},
                   {SessionAction::revert, "", true, false, "nothing to revert", "", {}}};
    panel.setView(view);
    EXPECT_EQ(buttonOn(panel, "keep")->accessibleDescription(), "not measured");
    EXPECT_EQ(buttonOn(panel, "revert")->accessibleDescription(), "nothing to revert") << "each has its own reason";
}

TEST(WrittenStates, ADraftIsMarkedAndAFieldGrowsWithItsText)
{
    SessionView view;
    view.header.id.text = "s";
    view.written["worked"] = "the tile";
    WrittenDocumentCard card;
    card.resize(600, 1200);
    card.show();
    card.setView(view, {});
    settleWidgets();
    const auto fields = card.findChildren<QPlainTextEdit*>();
    ASSERT_GT(fields.size(), 1);
    const QStringList texts = seenOn(card);
    const QString written = texts.filter(q("✓")).value(0);
    EXPECT_EQ(texts.count(written), 1) << "one is written";
    auto* field = card.findChild<QPlainTextEdit*>("document-worked");
    const int low = field->height();
    field->setPlainText("1\n2\n3\n4\n5");
    const int high = field->height();
    EXPECT_GT(high, low);
    field->setPlainText(QStringLiteral("line\n").repeated(30));
    EXPECT_LT(field->height(), 3 * high) << "a longer one scrolls";
    EXPECT_TRUE(buttonOn(card, "saveDocument")->isEnabled());
    card.setBusy("measuring");
    EXPECT_EQ(buttonOn(card, "saveDocument")->accessibleDescription(), "measuring");
}

TEST(PairStates, EachSideIsInItsColumnAndWhatIsClearedIsGone)
{
    SessionPairCard card;
    SessionPair pair;
    pair.a.row.name = "older";
    pair.b.row.name = "newer";
    pair.rows = {{"minutes", "Time", "10 min", "20 min"}, {"cost", "Cost", "$1", "$2"}};
    card.resize(800, 400);
    card.show();
    card.setPair(pair);
    settleWidgets();
    const auto labeled = [&](const char* text) {
        for (const QLabel* label : card.findChildren<QLabel*>())
            if (label->text() == text)
                return label->mapTo(&card, QPoint());
        return QPoint(-1, -1);
    };
    EXPECT_EQ(labeled("older").x(), labeled("10 min").x());
    EXPECT_EQ(labeled("newer").x(), labeled("20 min").x());
    EXPECT_LT(labeled("older").x(), labeled("newer").x());
    EXPECT_EQ(labeled("Time").y(), labeled("10 min").y());
    EXPECT_LT(labeled("Time").y(), labeled("Cost").y());
    card.setError(Error{.code = ErrorCode::notFound, .message = "gone"});
    card.clearPair();
    settleWidgets();
    EXPECT_FALSE(seenOn(card).contains("older"));
    EXPECT_TRUE(seenOn(card).filter("gone").isEmpty());
    EXPECT_FALSE(buttonOn(card, "savePair")->isVisibleTo(&card));
}

TEST(SideStates, AnEventHasItsTime)
{
    SessionView view;
    view.events = {{1, "2026-01-02T03:04:05.000Z", event::kNote, "{\"text\":\"first.\"}"},
                   {2, "2026-02-03T04:05:06.000Z", event::kNote, "{\"text\":\"second.\"}"}};
    SidePanel panel;
    panel.setView(view, {}, {});
    settleWidgets();
    QStringList tips;
    for (const QLabel* label : panel.findChildren<QLabel*>())
        if (!label->toolTip().isEmpty())
            tips << label->toolTip();
    EXPECT_EQ(tips, (QStringList{absoluteTime("2026-02-03T04:05:06.000Z"), absoluteTime("2026-01-02T03:04:05.000Z")}));
}

TEST(ReviewStates, TheReasonWhyNothingCanBeWrittenIsOnEachPart)
{
    ReviewCard card;
    SessionView view;
    card.setReview(view, {});
    EXPECT_EQ(card.findChild<QComboBox*>()->currentIndex(), 0);
    auto* text = card.findChild<QLineEdit*>("reviewText");
    const QString prompt = text->placeholderText();
    card.setBusy("the database is read-only");
    EXPECT_EQ(text->placeholderText(), "the database is read-only");
    EXPECT_EQ(buttonOn(card, "reviewAdd")->toolTip(), "the database is read-only");
    EXPECT_FALSE(card.findChild<QLineEdit*>("reviewAuthor")->isEnabled());
    card.setBusy({});
    EXPECT_EQ(text->placeholderText(), prompt);
    EXPECT_TRUE(buttonOn(card, "reviewAdd")->toolTip().isEmpty());
}

TEST(AttemptStates, WhatLiesOnDiskAndABusySessionSayWhyNoneIsBroughtBack)
{
    std::vector<Attempt> attempts(2);
    for (std::size_t i = 0; i < 2; ++i) {
        attempts[i].seq = static_cast<int>(i) + 1;
        attempts[i].source = i == 0 ? "a" : "b";
        attempts[i].time = Summary{1000, 990, 1010, 5};
    }
    AttemptsLine line;
    line.setAttempts(attempts, "a");
    auto* back = buttonOn(line, "attemptReturn");
    EXPECT_FALSE(back->isEnabled());
    const QString onDisk = back->toolTip();
    EXPECT_FALSE(onDisk.isEmpty());
    line.findChild<QTableWidget*>("attempts")->selectRow(1);
    EXPECT_TRUE(back->isEnabled());
    EXPECT_TRUE(back->toolTip().isEmpty());
    line.setBusy("measuring");
    EXPECT_FALSE(back->isEnabled());
    EXPECT_EQ(back->toolTip(), "measuring");
    line.setBusy({});
    EXPECT_TRUE(back->isEnabled());
}

TEST(SessionListPages, AShippedSessionIsReadInTheHistory)
{
    auto opened = AppContext::open(":documents:", DeviceSpec::sample());
    ASSERT_TRUE(opened) << opened.error().message;
    AppContext& context = **opened;
    SessionPage page(context);
    page.resize(1280, 800);
    page.show();
    page.open("list");
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    DataTable* table = nullptr;
    for (auto* one : page.findChildren<DataTable*>())
        if (one->isVisible())
            table = one;
    ASSERT_NE(table, nullptr);
    ASSERT_GT(table->model()->rowCount(), 1);
    const QSignalSpy navigated(&context, &AppContext::navigationRequested);
    emit table->opened(0);
    ASSERT_TRUE(waitForJobs());
    ASSERT_EQ(navigated.count(), 1);
    EXPECT_EQ(navigated[0][0].toString(), "history");
    EXPECT_FALSE(navigated[0][1].toString().isEmpty());
    emit table->opened(999);
    EXPECT_EQ(navigated.count(), 1) << "there is no such row";
}

TEST(SessionListPages, ADatabaseThatCannotBeWrittenLeavesReadingAndSaving)
{
    auto opened = AppContext::open(":sample:", DeviceSpec::sample());
    ASSERT_TRUE(opened) << opened.error().message;
    AppContext& context = **opened;
    const auto sessions = context.store().sessions();
    ASSERT_TRUE(sessions);
    const auto own = std::ranges::find_if(*sessions, [](const SessionHeader& one) { return one.kind != "sample"; });
    if (own == sessions->end())
        GTEST_SKIP() << "this build carries no recorded sessions";
    SessionPage page(context);
    page.resize(1280, 800);
    page.show();
    page.open(q(own->id.text));
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    settleWidgets();
    for (const char* name : {"saveDocument", "sendLesson", "sendNextStep", "reviewAdd", "reviewImport", "claimAdd", "debugWrite"}) {
        ASSERT_NE(page.findChild<QPushButton*>(name), nullptr) << name;
        EXPECT_FALSE(page.findChild<QPushButton*>(name)->isEnabled()) << name;
    }
    for (QPushButton* link : page.findChild<ChecklistCard*>()->findChildren<QPushButton*>())
        EXPECT_FALSE(link->objectName().startsWith("note-") && link->isEnabled());
    for (const QPlainTextEdit* field : page.findChild<WrittenDocumentCard*>()->findChildren<QPlainTextEdit*>())
        EXPECT_TRUE(field->isReadOnly());
    for (const QLineEdit* field : page.findChild<SidePanel*>()->findChildren<QLineEdit*>())
        EXPECT_FALSE(field->isEnabled());
    for (const char* name : {"export-html", "savePlan", "reviewExport"})
        EXPECT_TRUE(page.findChild<QPushButton*>(name)->isEnabled()) << name;
    EXPECT_FALSE(context.explainUnmeasurable().isEmpty());
    for (const char* name : {"keep", "revert", "park"})
        EXPECT_FALSE(page.findChild<QPushButton*>(name)->isEnabled()) << name;
}

} // namespace
} // namespace kl::ui
