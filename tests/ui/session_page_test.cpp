// SPDX-License-Identifier: MIT
// The Sessions page by itself on two sessions: what its cards ask for is done in the session that is shown, and nothing stays of another
// one.
#include "core/base/format.h"
#include "sessions/report/session_pair.h"
#include "sessions/session/checklist.h"
#include "sessions/session/session_view.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/context/app_context.h"
#include "ui/models/session_table_model.h"
#include "ui/pages/session/checklist_card.h"
#include "ui/pages/session/claims_card.h"
#include "ui/pages/session/document_card.h"
#include "ui/pages/session/edit_card.h"
#include "ui/pages/session/evaluate_panel.h"
#include "ui/pages/session/finding_card.h"
#include "ui/pages/session/fix_panel.h"
#include "ui/pages/session/gate_card.h"
#include "ui/pages/session/plan_card.h"
#include "ui/pages/session/review_card.h"
#include "ui/pages/session/session_alerts_card.h"
#include "ui/pages/session/session_pair_card.h"
#include "ui/pages/session/side_panel.h"
#include "ui/pages/session/stage_rail.h"
#include "ui/pages/session/written_document_card.h"
#include "ui/pages/session_page.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <map>

namespace kl::ui {
namespace {

class SessionPages : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(location("own.db"), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        first = create("A", "Coalesce the stores", "transpose");
        second = create("B", "Sum it faster", "reduction");
        page = std::make_unique<SessionPage>(*context);
        page->resize(1280, 800);
        page->show();
    }
    void TearDown() override { waitForJobs(); }

    std::string location(const char* name) const { return utf8(folder.filePath(QString::fromLatin1(name))); }
    SessionId create(const char* name, const char* objective, const char* kernel) const
    {
        NewSession request;
        request.name = name;
        request.objective = objective;
        request.kernel = kernel;
        const Result<SessionView> made = context->engine()->sessions.create(request);
        EXPECT_TRUE(made) << made.error().message;
        return made ? made->header.id : SessionId{};
    }
    void look(const QString& argument)
    {
        page->open(argument);
        page->refresh();
        ASSERT_TRUE(waitForJobs());
        settleWidgets();
    }
    SessionView view(const SessionId& id) const { return *context->engine()->sessions.view(id); }
    template <class Part> Part* part() const { return page->findChild<Part*>(); }
    QPushButton* button(const char* name) const { return page->findChild<QPushButton*>(QString::fromLatin1(name)); }
    /// What the next dialog that asks for words is answered; cancels it without any.
    static void answerWith(const std::optional<QString>& words)
    {
        QTimer::singleShot(0, [words] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            ASSERT_NE(dialog, nullptr);
            if (words)
                dialog->setTextValue(*words);
            words ? dialog->accept() : dialog->reject();
        });
    }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<SessionPage> page;
    SessionId first, second;
};

TEST_F(SessionPages, AreOfTheSessionTheListOrTheFormThatWasAskedFor)
{
    look(q(first.text));
    EXPECT_TRUE(page->title().contains("Coalesce the stores"));
    EXPECT_EQ(context->currentSession(), first);
    look(q(second.text));
    EXPECT_TRUE(page->title().contains("Sum it faster"));
    EXPECT_EQ(context->currentSession(), second);
    look({});
    EXPECT_TRUE(page->title().contains("Sum it faster")) << "what is shown stays";
    EXPECT_TRUE(page->offers(button("allSessions")));
    EXPECT_FALSE(page->offers(button("newSession")));
    look("list");
    EXPECT_FALSE(page->title().contains("Sum it faster"));
    EXPECT_TRUE(page->offers(button("newSession")));
    EXPECT_FALSE(page->offers(button("allSessions")));
    DataTable* table = nullptr;
    for (auto* one : page->findChildren<DataTable*>())
        if (one->isVisible())
            table = one;
    ASSERT_NE(table, nullptr);
    ASSERT_EQ(table->model()->rowCount(), 2);
    EXPECT_EQ(table->model()->index(0, 0).data().toString(), "B") << "the newest first";
    emit table->opened(1);
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(context->currentSession(), first);
    button("allSessions")->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(page->offers(button("newSession")));
    look("kernel:reduction");
    EXPECT_TRUE(page->findChild<QLineEdit*>("sessionObjective")->isVisible());
    EXPECT_EQ(page->findChild<QComboBox*>("sessionKernel")->currentData().toString(), "reduction");
    look({});
    EXPECT_TRUE(page->findChild<QLineEdit*>("sessionObjective")->isVisible()) << "the form stays, too";
    look("new");
    EXPECT_EQ(page->findChild<QComboBox*>("sessionKernel")->currentData().toString(), "reduction") << "what was chosen in it stays";
    look(q(first.text) + "#profile");
    EXPECT_FALSE(page->findChild<QLineEdit*>("sessionObjective")->isVisible());
    QStringList checked;
    for (const QToolButton* stage : page->findChildren<QToolButton*>("stage"))
        if (stage->isChecked())
            checked << stage->accessibleName();
    ASSERT_EQ(checked.size(), 1);
    EXPECT_TRUE(checked[0].contains("Profile", Qt::CaseInsensitive)) << checked[0].toStdString();
}

TEST_F(SessionPages, ASessionThatIsGoneLeadsBackToTheList)
{
    const QSignalSpy posted(context.get(), &AppContext::messagePosted);
    look("no-such-session");
    EXPECT_EQ(posted.count(), 1);
    EXPECT_TRUE(page->offers(button("newSession")));
    emit part<StageRail>()->chosen("profile");
    emit part<SidePanel>()->noteRequested("lost");
    emit part<ReviewCard>()->commented("session", "Ada", "lost");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(posted.count(), 1) << "nothing is shown that it could be about";
    EXPECT_TRUE(page->offers(button("newSession")));
}

TEST_F(SessionPages, WhatCannotBeDoneIsReported)
{
    look(q(first.text));
    const QSignalSpy posted(context.get(), &AppContext::messagePosted);
    emit part<ReviewCard>()->commented("no such part", "Ada", "well");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(posted.count(), 1);
    emit part<EditCard>()->returnRequested(99);
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(posted.count(), 2) << "there is no edit";
    emit part<EvaluatePanel>()->actionRequested(SessionAction::keep);
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(posted.count(), 3) << "there is nothing to keep";
    EXPECT_TRUE(view(first).outcome.empty());
}

TEST_F(SessionPages, WhatIsWrittenGoesIntoTheSessionThatIsShown)
{
    look(q(second.text));
    emit part<SidePanel>()->noteRequested("a note");
    ASSERT_TRUE(waitForJobs());
    emit part<ClaimsCard>()->claimed("a talk", "2x");
    ASSERT_TRUE(waitForJobs());
    emit part<EvaluatePanel>()->cumulativeChosen(true);
    ASSERT_TRUE(waitForJobs());
    const std::vector<Pattern> patterns = *context->store().patterns();
    ASSERT_FALSE(patterns.empty());
    emit part<SidePanel>()->patternRequested(q(patterns.front().slug));
    ASSERT_TRUE(waitForJobs());
    emit part<ReviewCard>()->commented("session", "Ada", "well done");
    ASSERT_TRUE(waitForJobs());
    const SessionView now = view(second);
    EXPECT_EQ(now.notes, (std::vector<std::string>{"a note"}));
    ASSERT_EQ(now.claims.size(), 1U);
    EXPECT_EQ(now.claims[0].claim.source, "a talk");
    EXPECT_EQ(now.claims[0].claim.figure, "2x");
    EXPECT_TRUE(now.cumulative);
    EXPECT_EQ(now.patternsApplied, (std::vector<std::string>{patterns.front().slug}));
    settleWidgets();
    EXPECT_TRUE(seenOn(*part<SidePanel>()).contains("a note")) << "and is shown";
    EXPECT_TRUE(wordsOn(*part<ReviewCard>()).contains("well done"));
    EXPECT_EQ(view(first).events.size(), 1U) << "not into the other one";
    emit part<EvaluatePanel>()->cumulativeChosen(false);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(view(second).cumulative);
    look(q(first.text));
    EXPECT_FALSE(seenOn(*part<SidePanel>()).contains("a note"));
    EXPECT_FALSE(wordsOn(*part<ReviewCard>()).contains("well done"));
}

TEST_F(SessionPages, NotesOfTheChecklistAndWaiversAreAskedFor)
{
    look(q(first.text));
    answerWith(QStringLiteral(" looked at it "));
    emit part<ChecklistCard>()->noteRequested(q(checklistIds()[0]), "title", "");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(view(first).ticks, (std::map<std::string, std::string>{{checklistIds()[0], "looked at it"}}));
    answerWith({});
    emit part<ChecklistCard>()->noteRequested(q(checklistIds()[1]), "title", "");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(view(first).ticks.size(), 1U) << "it was canceled";
    answerWith({});
    emit part<GateCard>()->waiveRequested("G1");
    ASSERT_TRUE(waitForJobs());
    const std::size_t events = view(first).events.size();
    answerWith(QStringLiteral("   "));
    emit part<GateCard>()->waiveRequested("G1");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(view(first).events.size(), events) << "a waiver needs a reason";
    answerWith(QStringLiteral("known and harmless"));
    emit part<GateCard>()->waiveRequested("G1");
    ASSERT_TRUE(waitForJobs());
    EXPECT_GT(view(first).events.size(), events);
    EXPECT_NE(view(first).events.back().dataJson.find("G1"), std::string::npos) << view(first).events.back().dataJson;
}

TEST_F(SessionPages, AStepOfThisSessionIsTakenHereAndOthersLeadToTheirPage)
{
    look(q(first.text));
    const SessionAction next = view(first).next.front().action;
    emit part<SessionAlertsCard>()->stepRequested(NextStep{StepId::stepSession, {}, {}});
    ASSERT_TRUE(waitForJobs());
    EXPECT_NE(view(first).next.front().action, next) << "it was done";
    NextStep option{StepId::setOption, {}, {}};
    option.set(StepArgument::option, "cumulative");
    option.set(StepArgument::value, "on");
    emit part<ChecklistCard>()->stepRequested(option);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(view(first).cumulative);
    option.set(StepArgument::value, "off");
    emit part<ChecklistCard>()->stepRequested(option);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(view(first).cumulative);
    NextStep act{StepId::actInSession, {}, {}};
    act.set(StepArgument::action, toString(view(first).next.front().action));
    const std::size_t events = view(first).events.size();
    emit part<GateCard>()->stepRequested(act);
    ASSERT_TRUE(waitForJobs());
    EXPECT_GT(view(first).events.size(), events);
    answerWith(QStringLiteral("known"));
    NextStep waive{StepId::waiveGate, {}, {}};
    waive.set(StepArgument::gate, "G1");
    emit part<GateCard>()->stepRequested(waive);
    ASSERT_TRUE(waitForJobs());
    const QSignalSpy navigated(context.get(), &AppContext::navigationRequested);
    const auto leads = [&] {
        return navigated.isEmpty() ? QString() : navigated.last()[0].toString() + ' ' + navigated.last()[1].toString();
    };
    emit part<ChecklistCard>()->stepRequested(NextStep{StepId::checkEnvironment, {}, {}});
    EXPECT_EQ(leads(), "environment ");
    emit part<ChecklistCard>()->calculatorRequested("occupancy");
    EXPECT_EQ(leads(), "calculate occupancy");
    emit part<ChecklistCard>()->evidenceRequested("run:7");
    EXPECT_EQ(leads(), "diagnose 7");
    emit part<GateCard>()->evidenceRequested("comparison:8");
    EXPECT_EQ(leads(), "compare 8");
    const qsizetype before = navigated.count();
    emit part<GateCard>()->evidenceRequested("artifact:9");
    EXPECT_EQ(navigated.count(), before) << "it has no page";
    emit part<FindingCard>()->diagnoseRequested("5");
    EXPECT_EQ(leads(), "diagnose 5");
    emit part<WrittenDocumentCard>()->patternRequested("slug");
    EXPECT_EQ(leads(), "patterns slug");
    emit part<WrittenDocumentCard>()->roadmapRequested();
    EXPECT_EQ(leads(), "history roadmap");
}

TEST_F(SessionPages, TheStageThatIsLookedAtIsOneOfTheRail)
{
    look(q(first.text));
    const SessionView now = view(first);
    const std::string last = now.phases.back().id;
    emit part<StageRail>()->chosen(q(last));
    EXPECT_TRUE(part<DocumentCard>()->isVisible());
    EXPECT_TRUE(part<WrittenDocumentCard>()->isVisible());
    EXPECT_FALSE(button("gateAction")->isVisible()) << "it is not the current stage";
    emit part<StageRail>()->chosen(q(now.phase));
    EXPECT_FALSE(part<DocumentCard>()->isVisible());
    EXPECT_TRUE(button("gateAction")->isVisible());
    EXPECT_EQ(button("gateAction")->text(), q(now.next.front().title));
    part<WrittenDocumentCard>()->findChild<QPlainTextEdit*>("document-worked")->setPlainText("the tile");
    emit part<WrittenDocumentCard>()->saveRequested();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(view(first).written.at("worked"), "the tile");
    look(q(second.text));
    EXPECT_NE(part<WrittenDocumentCard>()->findChild<QPlainTextEdit*>("document-worked")->toPlainText(), "the tile");
}

TEST_F(SessionPages, AComparisonOfTwoSessionsEndsWithItsDatabase)
{
    look("list");
    auto* pair = part<SessionPairCard>();
    emit pair->pairRequested("A", "no such session");
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(seenOn(*pair).filter("no such session").isEmpty());
    EXPECT_TRUE(button("savePair")->isHidden());
    emit pair->pairRequested("A", "B");
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(button("savePair")->isHidden());
    EXPECT_TRUE(seenOn(*pair).filter("no such session").isEmpty());
    settleWidgets();
    EXPECT_FALSE(pair->findChildren<QLabel*>(QRegularExpression("^a-")).isEmpty());
    ASSERT_TRUE(context->switchTo(location("other.db")));
    page->refresh();
    ASSERT_TRUE(waitForJobs());
    settleWidgets();
    EXPECT_TRUE(button("savePair")->isHidden()) << "its sessions are not in this database";
    EXPECT_TRUE(pair->findChildren<QLabel*>(QRegularExpression("^a-")).isEmpty());
}

TEST_F(SessionPages, AnotherDatabaseShowsItsOwnList)
{
    look(q(first.text));
    ASSERT_TRUE(context->switchTo(location("other.db")));
    page->refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(page->title().contains("Coalesce"));
    EXPECT_TRUE(page->offers(button("newSession")));
    look("new");
    ASSERT_TRUE(context->switchTo(location("own.db")));
    page->refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(page->offers(button("newSession"))) << "the list, not the form of the other one";
}

TEST_F(SessionPages, AStepThatNamesAGateWaivesThatGate)
{
    look(q(first.text));
    QString requested;
    QTimer::singleShot(0, [&requested] {
        auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        requested = dialog->windowTitle();
        dialog->setTextValue("known");
        dialog->accept();
    });
    NextStep act{StepId::actInSession, {}, {}};
    act.set(StepArgument::action, toString(SessionAction::waive));
    act.set(StepArgument::argument, "G2");
    emit part<GateCard>()->stepRequested(act);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(requested.contains("G2")) << requested.toStdString();
    const std::string last = view(first).events.back().dataJson;
    EXPECT_NE(last.find("G2"), std::string::npos) << last;
    const std::size_t events = view(first).events.size();
    NextStep unknown{StepId::actInSession, {}, {}};
    unknown.set(StepArgument::action, "no-such-action");
    emit part<GateCard>()->stepRequested(unknown);
    emit part<GateCard>()->stepRequested(NextStep{StepId::waiveGate, {}, {}});
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(view(first).events.size(), events) << "neither says what to do";
}

TEST_F(SessionPages, EveryPartIsLockedWhileTheSessionIsWritten)
{
    look(q(first.text));
    const auto parts = [&] {
        std::map<QString, bool> enabled;
        for (const char* name : {"claimAdd", "reviewAdd", "reviewImport", "gateAction"})
            enabled[QString::fromLatin1(name)] = button(name)->isEnabled();
        for (const QPushButton* link : part<ChecklistCard>()->findChildren<QPushButton*>())
            if (link->objectName().startsWith("note-") || link->objectName().startsWith("do-"))
                enabled[link->objectName()] = link->isEnabled();
        return enabled;
    };
    const std::map<QString, bool> idle = parts();
    ASSERT_GT(idle.size(), 5U) << "items of the checklist, too";
    EXPECT_TRUE(std::ranges::any_of(idle, [](const auto& one) { return one.first.startsWith("note-") && one.second; }));
    emit part<SidePanel>()->noteRequested("a note");
    for (const auto& [name, enabled] : parts())
        EXPECT_FALSE(enabled) << name.toStdString();
    emit part<SidePanel>()->noteRequested("another one");
    ASSERT_TRUE(waitForJobs());
    settleWidgets();
    EXPECT_EQ(parts(), idle);
    EXPECT_EQ(view(first).notes, (std::vector<std::string>{"a note"})) << "one change at a time";
}

TEST_F(SessionPages, TheListHasTheGatesOfOpenSessions)
{
    look(q(first.text));
    const auto begun = [&] {
        return std::ranges::any_of(view(first).gates, [](const GateView& gate) { return gate.progress != GateProgress::notStarted; });
    };
    for (int step = 0; step < 6 && !begun(); ++step) {
        emit part<GateCard>()->stepRequested(NextStep{StepId::stepSession, {}, {}});
        ASSERT_TRUE(waitForJobs());
    }
    ASSERT_TRUE(begun());
    look("list");
    DataTable* table = nullptr;
    for (auto* one : page->findChildren<DataTable*>())
        if (one->isVisible())
            table = one;
    ASSERT_NE(table, nullptr);
    const QAbstractItemModel& rows = *table->model();
    ASSERT_EQ(rows.rowCount(), 2);
    const auto gates = [&](int row) { return rows.index(row, SessionTableModel::Gates).data().toString(); };
    EXPECT_EQ(gates(0), q(kNoValue)) << "nothing was done in it yet";
    EXPECT_NE(gates(1), q(kNoValue));
    EXPECT_EQ(rows.index(0, SessionTableModel::Objective).data().toString(), "Sum it faster");
    EXPECT_EQ(rows.index(1, SessionTableModel::Objective).data().toString(), "Coalesce the stores");
    create("C", "Fuse it", "transpose");
    page->refresh();
    ASSERT_TRUE(waitForJobs());
    ASSERT_EQ(rows.rowCount(), 3);
    EXPECT_EQ(rows.index(0, SessionTableModel::Objective).data().toString(), "Fuse it");
}

TEST_F(SessionPages, EachStageHasTheCardsOfItsOwnEvidence)
{
    look(q(first.text));
    const SessionView now = view(first);
    ASSERT_GT(now.phases.size(), 3U);
    const auto gathersAny = [](const PhaseView& stage, std::initializer_list<Evidence> kinds) {
        return std::ranges::any_of(kinds, [&](Evidence kind) { return std::ranges::find(stage.evidence, kind) != stage.evidence.end(); });
    };
    for (const PhaseView& stage : now.phases) {
        emit part<StageRail>()->chosen(q(stage.id));
        const bool last = stage.evidence.empty();
        EXPECT_EQ(part<PlanCard>()->isVisible(), &stage == &now.phases.front()) << stage.id;
        EXPECT_EQ(part<ClaimsCard>()->isVisible(), gathersAny(stage, {Evidence::baseline})) << stage.id;
        EXPECT_EQ(part<EvaluatePanel>()->isVisible(), gathersAny(stage, {Evidence::evaluation})) << stage.id;
        EXPECT_EQ(part<FixPanel>()->isVisible(), gathersAny(stage, {Evidence::candidate})) << stage.id;
        EXPECT_EQ(part<DocumentCard>()->isVisible(), last) << stage.id;
        EXPECT_EQ(part<WrittenDocumentCard>()->isVisible(), last) << stage.id;
        EXPECT_EQ(part<ReviewCard>()->isVisible(), last) << stage.id;
        EXPECT_FALSE(part<EditCard>()->isVisible()) << stage.id << ": nothing is edited";
        EXPECT_FALSE(part<FindingCard>()->isVisible()) << stage.id << ": nothing is profiled";
    }
    EXPECT_EQ(now.phases.back().evidence.size(), 0U);
    emit part<StageRail>()->chosen("no such stage");
    EXPECT_TRUE(part<DocumentCard>()->isVisible()) << "the stage stays";
    emit part<ClaimsCard>()->claimed("a talk", "2x");
    ASSERT_TRUE(waitForJobs());
    emit part<ReviewCard>()->commented("session", "Ada", "well done");
    ASSERT_TRUE(waitForJobs());
    look(q(first.text) + "#" + q(now.phases.back().id));
    EXPECT_TRUE(part<DocumentCard>()->isVisible()) << "the stage that was asked for";
    EXPECT_TRUE(part<ClaimsCard>()->isVisible()) << "what was claimed is judged at the end";
    look(q(first.text));
    EXPECT_TRUE(part<ReviewCard>()->isVisible()) << "there is a comment";
}

} // namespace
} // namespace kl::ui
