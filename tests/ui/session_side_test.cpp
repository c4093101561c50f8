// SPDX-License-Identifier: MIT
// What is beside the stages of a session, each part alone: its side panel, its preview, its log, its checklist, its stages, its plan and
// its pair.
#include "core/base/format.h"
#include "sessions/learning/history.h"
#include "sessions/report/session_pair.h"
#include "sessions/session/checklist.h"
#include "sessions/session/events.h"
#include "sessions/session/session_document.h"
#include "sessions/session/session_view.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/pages/session/checklist_card.h"
#include "ui/pages/session/plan_card.h"
#include "ui/pages/session/session_pair_card.h"
#include "ui/pages/session/session_preview_card.h"
#include "ui/pages/session/side_panel.h"
#include "ui/pages/session/stage_rail.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace kl::ui {
namespace {

TEST(SidePanels, OfferThePatternsOfTheStageThatWereNotApplied)
{
    std::vector<Pattern> library(3);
    for (std::size_t i = 0; i < library.size(); ++i) {
        library[i].slug = "p" + std::to_string(i);
        library[i].title = "Pattern " + std::to_string(i);
    }
    library[0].quotedMinutes = 30;
    library[1].quotedMinutes = 10;
    library[1].quotedMinutesHigh = 20;
    library[2].quotedDollars = 1.5;
    SessionView view;
    view.patternsApplied = {"p1"};
    PhaseView phase;
    phase.purpose = "Find what limits it.";
    phase.patterns = {"p0", "p1", "no-such-pattern"};
    SidePanel panel;
    panel.setView(view, phase, library);
    const auto applies = [&] {
        settleWidgets();
        QList<QPushButton*> links;
        for (QPushButton* link : panel.findChildren<QPushButton*>())
            if (link->accessibleName().contains("Pattern "))
                links << link;
        return links;
    };
    const QStringList texts = seenOn(panel);
    EXPECT_TRUE(texts.contains("Find what limits it."));
    EXPECT_TRUE(texts.contains("Pattern 0") && texts.contains("Pattern 1"));
    EXPECT_FALSE(texts.contains("Pattern 2")) << "it is for another stage";
    EXPECT_TRUE(texts.filter("30").value(0).startsWith("30")) << texts.join('|').toStdString();
    const QString range = texts.filter("20").value(0);
    EXPECT_TRUE(range.startsWith("10")) << "from 10 to 20 minutes: " << range.toStdString();
    ASSERT_EQ(applies().size(), 1);
    const QSignalSpy requested(&panel, &SidePanel::patternRequested);
    applies()[0]->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "p0");
    phase.patterns = {"p2"};
    panel.setReadOnly("it is a sample");
    panel.setView(view, phase, library);
    EXPECT_FALSE(seenOn(panel).contains("Pattern 0")) << "of the stage before";
    EXPECT_EQ(seenOn(panel).filter("$1.50").size(), 1);
    EXPECT_FALSE(applies()[0]->isEnabled());
    phase.patterns.clear();
    panel.setView(view, phase, library);
    EXPECT_TRUE(applies().isEmpty());
}

TEST(SidePanels, NotesAreTakenTrimmedAndTheLogHasTheNewestEventsFirst)
{
    SessionView view;
    view.notes = {"first note", "second note"};
    for (int i = 1; i <= 14; ++i)
        view.events.push_back({i, "2026-01-01T00:00:00.000Z", event::kNote, "{\"text\":\"event " + std::to_string(i) + ".\"}"});
    SidePanel panel;
    panel.setView(view, {}, {});
    const QStringList texts = seenOn(panel);
    EXPECT_LT(texts.indexOf("first note"), texts.indexOf("second note"));
    const QStringList events = texts.filter("event ");
    ASSERT_EQ(events.size(), 12);
    EXPECT_TRUE(events.first().contains("event 14."));
    EXPECT_TRUE(events.last().contains("event 3."));
    EXPECT_TRUE(panel.findChild<QLabel*>("logPrompt")->isHidden()) << "that was too long ago to be work";
    auto* note = panel.findChild<QLineEdit*>();
    const QSignalSpy written(&panel, &SidePanel::noteRequested);
    note->setText("   ");
    QTest::keyClick(note, Qt::Key_Return);
    EXPECT_EQ(written.count(), 0);
    note->setText(" mine ");
    QTest::keyClick(note, Qt::Key_Return);
    ASSERT_EQ(written.count(), 1);
    EXPECT_EQ(written[0][0].toString(), "mine");
    EXPECT_TRUE(note->text().isEmpty());
    panel.setReadOnly("it is a sample");
    EXPECT_FALSE(note->isEnabled());
    panel.setReadOnly({});
    EXPECT_TRUE(note->isEnabled());
    panel.setView({}, {}, {});
    EXPECT_TRUE(seenOn(panel).filter("note ").filter("first").isEmpty());
    EXPECT_TRUE(seenOn(panel).filter("event ").isEmpty()) << "of the session before";
}

TEST(SidePanels, ALogThatIsDueIsAskedForWhereItCanBeWritten)
{
    const auto ago = [](int minutes) {
        return utf8(QDateTime::currentDateTimeUtc().addSecs(-60LL * minutes).toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss.zzzZ")));
    };
    SessionView view;
    view.events = {{1, ago(25), event::kNote, "{}"}};
    SidePanel panel;
    const auto* prompt = panel.findChild<QLabel*>("logPrompt");
    panel.setView(view, {}, {});
    EXPECT_FALSE(prompt->isHidden());
    EXPECT_TRUE(prompt->text().contains("25")) << prompt->text().toStdString();
    panel.setReadOnly("it is a sample");
    panel.setView(view, {}, {});
    EXPECT_TRUE(prompt->isHidden());
    panel.setReadOnly({});
    view.events = {{1, ago(0), event::kNote, "{}"}};
    panel.setView(view, {}, {});
    EXPECT_TRUE(prompt->isHidden());
}

TEST(SidePanels, TheTimeOfAFixIsByItsParts)
{
    SessionView view;
    view.events = {{1, "2026-01-01T10:00:00.000Z", event::kFixChosen, "{}"},
                   {2, "2026-01-01T10:12:00.000Z", event::kCandidateVerified, "{}"},
                   {3, "2026-01-01T10:19:00.000Z", event::kEvaluated, "{}"}};
    SidePanel panel;
    panel.setView(view, {}, {});
    settleWidgets();
    for (const FixPart& part : fixParts(view)) {
        const auto* label = panel.findChild<QLabel*>(QStringLiteral("part-%1").arg(q(part.id)));
        ASSERT_NE(label, nullptr) << part.id;
        const QString planned = q(formatMinutes(part.planned));
        EXPECT_TRUE(label->text().endsWith(planned)) << label->text().toStdString();
        EXPECT_TRUE(label->text().startsWith(part.minutes ? q(formatMinutes(*part.minutes)) : q(kNoValue))) << label->text().toStdString();
    }
    EXPECT_TRUE(panel.findChild<QLabel*>("part-edit")->text().startsWith("12"));
    EXPECT_TRUE(panel.findChild<QLabel*>("part-measure")->text().startsWith("7"));
    panel.setView({}, {}, {});
    settleWidgets();
    EXPECT_EQ(panel.findChild<QLabel*>("part-edit"), nullptr) << "no fix was chosen";
}

TEST(SessionPreviews, HaveTheSubjectTheCaveatsAndEachStageWithItsGates)
{
    SessionPreview preview;
    preview.title = "Optimize it";
    preview.start = *parseAddress("transpose/naive");
    preview.problem = *parseParams("M=64,N=32");
    preview.device = "H200";
    preview.budgetMinutes = 90;
    preview.missing = "not recorded";
    preview.caveats = {"no fault is shown"};
    preview.stages = {{"a", "Look", "why look", 10, {"check", "measure"}, {{"G1", "Environment", "it is ready"}}},
                      {"b", "Change", "why change", 20, {"edit"}, {}}};
    SessionPreviewCard card;
    card.setPreview(preview);
    const QStringList texts = seenOn(card);
    const QString subject = texts.filter("Optimize it").value(0);
    for (const char* part : {"transpose/naive", "M=64", "H200"})
        EXPECT_TRUE(subject.contains(part)) << subject.toStdString();
    EXPECT_TRUE(subject.contains(q(formatMinutes(90))));
    EXPECT_EQ(card.findChild<QLabel*>("previewCaveats")->text(), "not recorded\nno fault is shown");
    EXPECT_LT(texts.indexOf("Look"), texts.indexOf("Change"));
    EXPECT_TRUE(texts.contains(q(formatMinutes(10))) && texts.contains(q(formatMinutes(20))));
    const auto steps = card.findChildren<QLabel*>("previewSteps");
    ASSERT_EQ(steps.size(), 2);
    EXPECT_LT(steps[0]->text().indexOf("check"), steps[0]->text().indexOf("measure"));
    EXPECT_EQ(steps[0]->toolTip(), "why look");
    const auto gates = card.findChildren<QLabel*>("previewGate");
    ASSERT_EQ(gates.size(), 1);
    for (const char* part : {"G1", "Environment", "it is ready"})
        EXPECT_TRUE(gates[0]->text().contains(part)) << gates[0]->text().toStdString();
    preview.missing.clear();
    preview.caveats.clear();
    preview.stages.pop_back();
    card.setPreview(preview);
    settleWidgets();
    EXPECT_TRUE(card.findChild<QLabel*>("previewCaveats")->isHidden());
    EXPECT_EQ(card.findChildren<QLabel*>("previewSteps").size(), 1);
    card.setPreview(Error{.code = ErrorCode::badInput, .message = "no such size", .hint = "choose one"});
    EXPECT_TRUE(seenOn(card).contains("no such size"));
    EXPECT_EQ(card.findChild<QLabel*>("previewCaveats")->text(), "choose one");
    EXPECT_FALSE(card.findChild<QLabel*>("previewCaveats")->isHidden());
    EXPECT_TRUE(card.findChildren<QLabel*>("previewSteps").isEmpty()) << "of the form as it was before";
    card.setPreview(Error{.code = ErrorCode::badInput, .message = "no such size"});
    EXPECT_TRUE(card.findChild<QLabel*>("previewCaveats")->isHidden());
}

TEST(Checklists, ItemsLeadToTheirCalculatorEvidenceAndStep)
{
    SessionView view;
    view.checklist.resize(4);
    const char* ids[] = {"shared-memory", "occupancy", "launch-overhead", "mine"};
    for (std::size_t i = 0; i < view.checklist.size(); ++i) {
        view.checklist[i].id = ids[i];
        view.checklist[i].title = std::string("title of ") + ids[i];
        view.checklist[i].group = i < 2 ? "First group" : "Second group";
    }
    view.checklist[0].state = TickState::done;
    view.checklist[1].state = TickState::failed;
    view.checklist[1].found = "it was 12 %";
    view.checklist[2].evidence = "event:3";
    view.checklist[3].evidence = "run:7";
    view.checklist[3].next = NextStep{StepId::checkEnvironment, {}, {}};
    ChecklistCard card;
    card.setView(view, true);
    const QSignalSpy calculated(&card, &ChecklistCard::calculatorRequested), seen(&card, &ChecklistCard::evidenceRequested),
        stepped(&card, &ChecklistCard::stepRequested);
    for (const auto& [item, tab] :
         {std::pair{"shared-memory", "shared-memory"}, std::pair{"occupancy", "occupancy"}, std::pair{"launch-overhead", "launches"}}) {
        buttonOn(card, QStringLiteral("calculate-%1").arg(item))->click();
        EXPECT_EQ(calculated.last()[0].toString(), tab);
    }
    EXPECT_EQ(buttonOn(card, "calculate-mine"), nullptr);
    EXPECT_EQ(buttonOn(card, "evidence-launch-overhead"), nullptr) << "an event has no page";
    buttonOn(card, "evidence-mine")->click();
    ASSERT_EQ(seen.count(), 1);
    EXPECT_EQ(seen[0][0].toString(), "run:7");
    buttonOn(card, "do-mine")->click();
    ASSERT_EQ(stepped.count(), 1);
    EXPECT_EQ(stepped[0][0].value<NextStep>().id, StepId::checkEnvironment);
    const QStringList texts = seenOn(card);
    EXPECT_EQ(texts.count("First group"), 1);
    EXPECT_LT(texts.indexOf("title of occupancy"), texts.indexOf("Second group"));
    EXPECT_TRUE(texts.contains("it was 12 %"));
    const QStringList counts = texts.filter("1 of 4");
    ASSERT_EQ(counts.size(), 1) << texts.join('\n').toStdString();
    EXPECT_TRUE(counts[0].contains(", 1 ")) << "one failed: " << counts[0].toStdString();
    EXPECT_TRUE(card.findChild<QLabel*>("tick-occupancy")->text().startsWith(markSign(Mark::fail)));
    EXPECT_TRUE(card.findChild<QLabel*>("tick-mine")->text().startsWith(markSign(Mark::none)));
    view.checklist.resize(1);
    card.setView(view, true);
    settleWidgets();
    EXPECT_EQ(card.findChild<QLabel*>("tick-mine"), nullptr);
    card.setView(view, false);
    settleWidgets();
    EXPECT_FALSE(card.findChild<QLabel*>("tick-shared-memory")->isVisibleTo(&card)) << "folded where nobody unfolded it";
}

TEST(StageRails, HaveTheMinutesOfEachStageAndLeadToIt)
{
    std::vector<PhaseView> phases(3);
    phases[0] = {"environment", "Environment", "is it ready", 10, 4, PhaseState::done, {}, {}, {}};
    phases[1] = {"baseline", "Baseline", "", 20, 7, PhaseState::current, {}, {}, {}};
    phases[2] = {"document", "Document", "", 30, 0, PhaseState::upcoming, {}, {}, {}};
    StageRail rail;
    rail.resize(1200, 60);
    rail.show();
    rail.setPhases(phases);
    rail.setShown("baseline");
    const auto stages = rail.findChildren<QToolButton*>("stage");
    ASSERT_EQ(stages.size(), 3);
    EXPECT_EQ(stages[0]->text().section('\n', 1), formatSpent(4, 10));
    EXPECT_EQ(stages[1]->text().section('\n', 1), formatSpent(7, 20));
    EXPECT_FALSE(stages[2]->text().contains("of")) << "nothing was spent yet";
    EXPECT_TRUE(stages[2]->text().contains("30"));
    EXPECT_TRUE(stages[0]->text().contains("Environment"));
    EXPECT_EQ(stages[0]->toolTip(), "is it ready");
    QStringList signs;
    for (const QToolButton* stage : stages)
        signs << stage->text().left(1);
    EXPECT_EQ(signs.removeDuplicates(), 0);
    EXPECT_EQ((QList{stages[0]->isChecked(), stages[1]->isChecked(), stages[2]->isChecked()}), (QList{false, true, false}));
    const QSignalSpy chosen(&rail, &StageRail::chosen);
    stages[2]->click();
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toString(), "document");
    rail.setShown("environment");
    EXPECT_TRUE(stages[0]->isChecked());
    EXPECT_FALSE(stages[1]->isChecked());
    settleWidgets();
    const int y = stages[0]->mapTo(&rail, QPoint()).y();
    EXPECT_EQ(stages[2]->mapTo(&rail, QPoint()).y(), y);
    rail.resize(200, 200);
    settleWidgets();
    EXPECT_GT(stages[2]->mapTo(&rail, QPoint()).y(), y) << "on a line of its own";
    for (const QToolButton* stage : stages)
        EXPECT_TRUE(stage->isVisible());
    rail.resize(1200, 60);
    settleWidgets();
    EXPECT_EQ(stages[2]->mapTo(&rail, QPoint()).y(), stages[0]->mapTo(&rail, QPoint()).y());
    phases.pop_back();
    rail.setPhases(phases);
    settleWidgets();
    EXPECT_EQ(rail.findChildren<QToolButton*>("stage").size(), 2) << "of another kind of session";
}

TEST(SessionPairs, AskForBothSidesByNameAndSaveWhatIsShown)
{
    std::vector<HistoryRow> rows(2);
    rows[0].name = "new";
    rows[0].kernel = "transpose";
    rows[1].name = "old";
    SessionPairCard card;
    card.setSessions({rows[0]});
    EXPECT_TRUE(card.isHidden()) << "there is one session";
    card.setSessions(rows);
    EXPECT_FALSE(card.isHidden());
    EXPECT_EQ(card.findChild<QComboBox*>("pairA")->currentData().toString(), "old") << "there were fewer when it was filled before";
    EXPECT_EQ(card.findChild<QComboBox*>("pairB")->currentData().toString(), "new");
    EXPECT_TRUE(card.findChild<QComboBox*>("pairB")->currentText().contains("transpose"));
    const QSignalSpy requested(&card, &SessionPairCard::pairRequested), saved(&card, &SessionPairCard::saveRequested);
    buttonOn(card, "comparePair")->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "old");
    EXPECT_EQ(requested[0][1].toString(), "new");
    EXPECT_TRUE(buttonOn(card, "savePair")->isHidden()) << "nothing was compared yet";
    SessionPair pair;
    pair.a.row = rows[1];
    pair.b.row = rows[0];
    pair.rows = {{"minutes", "Time", "10 min", "20 min"}};
    card.setPair(pair);
    const QStringList texts = seenOn(card);
    EXPECT_LT(texts.lastIndexOf("old"), texts.lastIndexOf("new"));
    EXPECT_TRUE(texts.contains("Time"));
    EXPECT_FALSE(buttonOn(card, "savePair")->isHidden());
    buttonOn(card, "savePair")->click();
    EXPECT_EQ(saved.count(), 1);
    pair.rows = {{"cost", "Cost", "$1", "$2"}};
    card.setPair(pair);
    settleWidgets();
    EXPECT_EQ(card.findChild<QLabel*>("a-minutes"), nullptr) << "of the pair before";
    card.setError(Error{.code = ErrorCode::notFound, .message = "gone", .hint = "choose another"});
    EXPECT_TRUE(wordsOn(card).contains("gone choose another"));
}

TEST(PlanCards, ArriveFoldedWhereWorkHasBegunAndSaveOnRequest)
{
    PlanCard card;
    card.setPlan("words", false);
    EXPECT_TRUE(card.findChild<QWidget*>("plan")->isHidden());
    card.setPlan("words", true);
    EXPECT_FALSE(card.findChild<QWidget*>("plan")->isHidden());
    card.setPlan("words", false);
    EXPECT_TRUE(card.findChild<QWidget*>("plan")->isHidden()) << "nobody unfolded it";
    const QSignalSpy saved(&card, &PlanCard::saveRequested);
    buttonOn(card, "savePlan")->click();
    EXPECT_EQ(saved.count(), 1);
}

} // namespace
} // namespace kl::ui
