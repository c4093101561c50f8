// SPDX-License-Identifier: MIT
// The parts of the page Patterns: the form, one pattern in full, the flow; and the page on a database of its own.
#include "core/base/format.h"
#include "sessions/patterns/pattern_body.h"
#include "sessions/patterns/pattern_library.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "ui/context/app_context.h"
#include "ui/models/pattern_table_model.h"
#include "ui/pages/patterns/add_pattern_card.h"
#include "ui/pages/patterns/flow_view.h"
#include "ui/pages/patterns/pattern_detail.h"
#include "ui/pages/patterns/patterns_data.h"
#include "ui/pages/patterns_page.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

namespace kl::ui {
namespace {

Pattern wholePattern()
{
    Pattern pattern;
    pattern.slug = "pad-the-tile";
    pattern.label = "7";
    pattern.title = "Pad the tile";
    pattern.kind = "own";
    pattern.problem = "Columns share a bank.";
    pattern.advice = "Add a word.";
    pattern.when = occasions().back();
    pattern.quotedMinutes = 12;
    pattern.origin = "session A";
    pattern.learnedIn = "id-A";
    return pattern;
}

PatternBody wholeBody()
{
    return {"why", "evidence", {"first", "second"}, "  before", "  after\n", "example", {"one", "two"}};
}

/// What a form says is to be saved.
struct Saved {
    Pattern pattern;
    PatternBody body;
    bool replace = false;
    int times = 0;
};

std::unique_ptr<Saved> listenTo(AddPatternCard& form)
{
    auto saved = std::make_unique<Saved>();
    QObject::connect(&form, &AddPatternCard::saved, &form,
                     [to = saved.get()](const Pattern& pattern, const PatternBody& body, bool replace) {
                         *to = {pattern, body, replace, to->times + 1};
                     });
    return saved;
}

void pressIn(QWidget& on, const char* name)
{
    auto* button = on.findChild<QPushButton*>(QString::fromLatin1(name));
    ASSERT_NE(button, nullptr) << name;
    button->click();
}

TEST(PatternForms, AnEditedPatternThatIsNotChangedIsSavedAsItWas)
{
    AddPatternCard form;
    const auto saved = listenTo(form);
    form.setEdited(wholePattern(), wholeBody());
    pressIn(form, "savePattern");
    ASSERT_EQ(saved->times, 1);
    EXPECT_EQ(saved->pattern, wholePattern());
    EXPECT_EQ(saved->body, wholeBody());
    EXPECT_TRUE(saved->replace);
}

TEST(PatternForms, ADraftGetsAnIdOfItsOwnAndNothingOfThePatternBefore)
{
    AddPatternCard form;
    const auto saved = listenTo(form);
    form.setEdited(wholePattern(), wholeBody());
    form.setDraft(Pattern{});
    EXPECT_TRUE(form.findChild<QPlainTextEdit*>("patternWhyField")->toPlainText().isEmpty());
    form.findChild<QLineEdit*>("patternTitle")->setText("  New one ");
    form.findChild<QPlainTextEdit*>("patternProblem")->setPlainText(" problem\n");
    form.findChild<QPlainTextEdit*>("patternStepsField")->setPlainText("one\n\n  two  \n ");
    form.findChild<QPlainTextEdit*>("patternChecklistField")->setPlainText("check\n");
    form.findChild<QPlainTextEdit*>("patternBefore")->setPlainText("  int a;");
    auto* when = form.findChild<QComboBox*>("patternWhen");
    when->setCurrentIndex(2);
    pressIn(form, "savePattern");
    ASSERT_EQ(saved->times, 1);
    EXPECT_FALSE(saved->replace);
    Pattern wanted;
    wanted.title = "New one";
    wanted.problem = "problem";
    wanted.when = occasions()[2];
    EXPECT_EQ(saved->pattern, wanted) << "no minutes, no id, no origin";
    PatternBody body;
    body.steps = {"one", "two"};
    body.checklist = {"check"};
    body.before = "  int a;";
    EXPECT_EQ(saved->body, body) << "code is as it was typed";
    form.setDraft(wholePattern(), wholeBody());
    pressIn(form, "savePattern");
    EXPECT_TRUE(saved->pattern.slug.empty()) << "made of the title";
    EXPECT_EQ(saved->pattern.origin, "session A");
    EXPECT_EQ(saved->pattern.quotedMinutes, 12.0);
    EXPECT_EQ(saved->body, wholeBody());
}

TEST(PatternForms, ALockedOneSavesNothing)
{
    AddPatternCard form;
    const auto saved = listenTo(form);
    form.setDraft(wholePattern(), wholeBody());
    form.setLocked("read-only");
    pressIn(form, "savePattern");
    EXPECT_EQ(saved->times, 0);
    form.setLocked({});
    pressIn(form, "savePattern");
    EXPECT_EQ(saved->times, 1);
    EXPECT_EQ(form.findChild<QComboBox*>("patternWhen")->count(), static_cast<int>(occasions().size()));
}

TEST(PatternDetails, AreThoseOfThePatternShownLast)
{
    PatternDetail detail;
    PatternRow row{wholePattern(), {}};
    row.gained.measuredMinutes = 30;
    detail.show(row, wholeBody(), false, "used once");
    const auto text = [&](const char* name) { return detail.findChild<QLabel*>(QString::fromLatin1(name))->text(); };
    EXPECT_EQ(detail.title(), "Pad the tile");
    EXPECT_EQ(text("patternWhenText"), occasionText(occasions().back()));
    EXPECT_EQ(text("patternProblemText"), "Columns share a bank.");
    EXPECT_EQ(text("patternAdviceText"), "Add a word.");
    EXPECT_EQ(text("patternWhy"), "why");
    EXPECT_EQ(text("patternEvidence"), "evidence");
    EXPECT_EQ(text("patternSteps"), "1. first\n2. second");
    EXPECT_EQ(text("patternExample"), "example");
    EXPECT_EQ(text("patternChecklist"), q("☐ one\n☐ two"));
    EXPECT_EQ(text("patternUses"), "used once");
    EXPECT_EQ(text("patternOrigin"), "session A");
    EXPECT_EQ(text("patternReturn"), returnText(row.gained));
    EXPECT_TRUE(text("patternSavings").contains(q(formatMinutes(12)))) << "quoted";
    EXPECT_TRUE(text("patternSavings").contains(q(formatMinutes(30)))) << "measured";
    EXPECT_EQ(detail.findChild<QPlainTextEdit*>("codeBefore")->toPlainText(), "  before");
    EXPECT_EQ(detail.findChild<QPlainTextEdit*>("codeAfter")->toPlainText(), "  after\n");
    const auto shown = [&](const char* name) { return detail.findChild<QWidget*>(QString::fromLatin1(name))->isVisibleTo(&detail); };
    EXPECT_TRUE(shown("retirePattern"));
    EXPECT_FALSE(shown("fillRecipe"));
    detail.setRecipe("# recipe");
    EXPECT_TRUE(shown("patternRecipe"));
    PatternRow shipped;
    shipped.pattern.slug = "single-compilation-unit";
    shipped.pattern.kind = "operational";
    detail.show(shipped, {}, false, {});
    EXPECT_FALSE(shown("patternRecipe")) << "it was that of the other one";
    EXPECT_TRUE(shown("fillRecipe"));
    EXPECT_FALSE(shown("retirePattern"));
    EXPECT_FALSE(shown("patternWhy"));
    EXPECT_FALSE(shown("patternUses"));
    EXPECT_FALSE(text("patternOrigin").contains("session A"));
}

TEST(PatternDetails, ItsButtonsAskForWhatTheySay)
{
    PatternDetail detail;
    int applied = 0, edited = 0;
    std::vector<bool> retired;
    QObject::connect(&detail, &PatternDetail::applyRequested, &detail, [&] { ++applied; });
    QObject::connect(&detail, &PatternDetail::editRequested, &detail, [&] { ++edited; });
    QObject::connect(&detail, &PatternDetail::retireRequested, &detail, [&](bool on) { retired.push_back(on); });
    detail.show({wholePattern(), {}}, {}, false, {});
    pressIn(detail, "applyPattern");
    pressIn(detail, "editPattern");
    pressIn(detail, "editPattern");
    pressIn(detail, "retirePattern");
    detail.show({wholePattern(), {}}, {}, true, {});
    pressIn(detail, "retirePattern");
    EXPECT_EQ(applied, 1);
    EXPECT_EQ(edited, 2);
    EXPECT_EQ(retired, (std::vector<bool>{true, false})) << "one that is retired is restored";
    detail.setReasons("no session", {});
    EXPECT_FALSE(detail.findChild<QPushButton*>("applyPattern")->isEnabled());
    EXPECT_TRUE(detail.findChild<QPushButton*>("editPattern")->isEnabled());
    detail.setReasons({}, "read-only");
    EXPECT_TRUE(detail.findChild<QPushButton*>("applyPattern")->isEnabled());
    EXPECT_FALSE(detail.findChild<QPushButton*>("editPattern")->isEnabled());
    EXPECT_FALSE(detail.findChild<QPushButton*>("retirePattern")->isEnabled());
}

PatternFlow threeBoxes()
{
    PatternFlow flow;
    flow.nodes = {{"a", "First", "slug-a", 0, 0, "", FlowState::done},
                  {"b", "Second", "slug-b", 1, 0, "", FlowState::now},
                  {"c", "End", "", 1, 1, "", FlowState::skipped}};
    flow.edges = {{"a", "b", "fast"}, {"a", "c", "slow"}};
    return flow;
}

TEST(PatternFlows, BoxesStandInTheirColumnsAndTheWayTakenIsMarked)
{
    const FlowPlan plan = layoutFlow(threeBoxes(), 800);
    ASSERT_EQ(plan.boxes.size(), 3U);
    EXPECT_EQ(plan.boxes[0].place.left(), 0);
    EXPECT_EQ(plan.boxes[0].place.top(), 0);
    EXPECT_GT(plan.boxes[1].place.left(), plan.boxes[0].place.right());
    EXPECT_EQ(plan.boxes[1].place.left(), plan.boxes[2].place.left());
    EXPECT_GT(plan.boxes[2].place.top(), plan.boxes[1].place.bottom());
    EXPECT_EQ(plan.height, plan.boxes[2].place.bottom()) << "no more than the boxes need";
    ASSERT_EQ(plan.lines.size(), 2U);
    EXPECT_EQ(plan.lines[0].from, QPointF(plan.boxes[0].place.right(), plan.boxes[0].place.center().y()));
    EXPECT_EQ(plan.lines[0].to, QPointF(plan.boxes[1].place.left(), plan.boxes[1].place.center().y()));
    EXPECT_EQ(plan.lines[0].label, "fast");
    EXPECT_TRUE(plan.lines[0].taken);
    EXPECT_FALSE(plan.lines[1].taken);
    EXPECT_LE(layoutFlow(threeBoxes(), 300).boxes[1].place.right(), 300.5) << "the last column ends with the width";
}

TEST(PatternFlows, KeysAndClicksChooseThePatternOfABox)
{
    FlowView view;
    QSignalSpy chosen(&view, &FlowView::patternChosen);
    view.resize(800, 200);
    view.setFlow(threeBoxes());
    EXPECT_TRUE(view.accessibleName().contains("Second"));
    QTest::keyClick(&view, Qt::Key_Return);
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toString(), "slug-b") << "the next one has the focus";
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Space);
    EXPECT_EQ(chosen.count(), 1) << "an end has no pattern";
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Enter);
    ASSERT_EQ(chosen.count(), 2);
    EXPECT_EQ(chosen[1][0].toString(), "slug-a") << "behind the last comes the first";
    QTest::keyClick(&view, Qt::Key_Left);
    QTest::keyClick(&view, Qt::Key_Up);
    QTest::keyClick(&view, Qt::Key_Return);
    ASSERT_EQ(chosen.count(), 3);
    EXPECT_EQ(chosen[2][0].toString(), "slug-b");
    QTest::mouseClick(&view, Qt::LeftButton, {}, layoutFlow(threeBoxes(), 800).boxes[0].place.center().toPoint());
    ASSERT_EQ(chosen.count(), 4);
    EXPECT_EQ(chosen[3][0].toString(), "slug-a");
    PatternFlow decided = threeBoxes();
    decided.nodes[1].state = FlowState::done;
    view.setFlow(decided);
    EXPECT_FALSE(view.accessibleName().contains("Second"));
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_EQ(chosen.back()[0].toString(), "slug-a") << "of another flow the first";
    EXPECT_EQ(view.heightForWidth(800), static_cast<int>(layoutFlow(decided, 800).height));
}

TEST(PatternUses, TheNewestComeFirstWithWhatIsKnownOfThem)
{
    History history;
    HistoryRow row;
    row.id = "id-A";
    row.name = "A";
    history.rows = {row};
    for (int i = 0; i < 8; ++i) {
        PatternApplication& use = history.applications.emplace_back();
        use.pattern = "mine";
        use.session = i == 7 ? "id-A" : "gone";
        use.at = "2020-01-0" + std::to_string(i + 1) + "T00:00:00.000Z";
        use.note = i == 7 ? "a note" : "";
    }
    history.applications[7].measuredMinutes = 5;
    const QStringList uses = describeUses(history, "mine").split('\n');
    ASSERT_EQ(uses.size(), 6) << "no more than six";
    EXPECT_TRUE(uses[0].startsWith(q("A · ")) && uses[0].endsWith(q(" · a note"))) << uses[0].toStdString();
    EXPECT_TRUE(uses[0].section(q(" · "), 1, 1).endsWith(q(formatMinutes(5)))) << uses[0].toStdString();
    EXPECT_TRUE(uses[1].startsWith(relative("2020-01-07T00:00:00.000Z"))) << "of no session, its age: " << uses[1].toStdString();
    const QString unmeasured = uses[1].section(q(" · "), 1);
    EXPECT_FALSE(unmeasured.isEmpty() || unmeasured.contains(QRegularExpression("[0-9]"))) << unmeasured.toStdString();
    const QString none = describeUses(history, "other");
    EXPECT_FALSE(none.isEmpty());
    EXPECT_FALSE(none.contains("A ·"));
}

TEST(PatternUses, SnapshotOfTheirWords)
{
    History history;
    HistoryRow& row = history.rows.emplace_back();
    row.id = "id-A";
    row.name = "A";
    for (const std::optional<double> minutes : {std::optional<double>(), std::optional<double>(5)}) {
        PatternApplication& use = history.applications.emplace_back();
        use.pattern = "mine";
        use.session = "id-A";
        use.at = "2020-01-01T00:00:00.000Z";
        use.note = minutes ? "a note" : "";
        use.measuredMinutes = minutes;
    }
    test::expectSnapshot("ui/pattern-uses.txt", utf8(describeUses(history, "mine") + u'\n' + describeUses(history, "other") + u'\n'));
}

class PatternPages : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open((folder / "own.db").string(), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
    }
    SessionId begin(const char* name)
    {
        NewSession request;
        request.name = name;
        request.objective = std::string("objective of ") + name;
        request.kernel = "transpose";
        const auto session = context->engine()->sessions.create(request);
        EXPECT_TRUE(session) << session.error().message;
        return session->header.id;
    }
    PatternsPage& filled(const char* argument = "")
    {
        if (!page)
            page = std::make_unique<PatternsPage>(*context);
        if (*argument != 0)
            page->open(QString::fromLatin1(argument));
        page->refresh();
        EXPECT_TRUE(waitForJobs());
        return *page;
    }
    void press(const char* name)
    {
        auto* button = page->findChild<QPushButton*>(QString::fromLatin1(name));
        ASSERT_NE(button, nullptr) << name;
        ASSERT_TRUE(button->isEnabled()) << name;
        button->click();
        ASSERT_TRUE(waitForJobs());
    }
    QString title() const { return page->findChild<PatternDetail*>()->title(); }
    bool showsForm() const { return page->findChild<AddPatternCard*>()->isVisibleTo(page.get()); }
    Store& store() { return *context->engine()->store; }

    support::TempDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<PatternsPage> page;
};

TEST_F(PatternPages, WhatIsAskedForIsShownAndASearchKeepsIt)
{
    filled("static-assertions");
    const auto all = *context->store().patterns();
    const auto wanted = std::ranges::find(all, "static-assertions", &Pattern::slug);
    EXPECT_EQ(title(), q(wanted->title));
    EXPECT_FALSE(page->findChild<QPushButton*>("applyPattern")->isEnabled()) << "without a session";
    EXPECT_FALSE(page->findChild<QPushButton*>("addPattern")->isEnabled());
    EXPECT_TRUE(page->findChild<QPushButton*>("newPattern")->isEnabled());
    page->filterField()->setText("assert");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(title(), q(wanted->title)) << "it is among those found";
    page->filterField()->setText("zzzz");
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(page->findChild<PatternDetail*>()->isVisibleTo(page.get())) << "nothing is found";
    for (QPushButton* action : page->findChildren<QPushButton*>("stateAction"))
        if (action->isVisibleTo(page.get()))
            action->click(); // clears the search
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(page->filterField()->text().isEmpty());
    EXPECT_EQ(page->findChild<DataTable*>()->model()->rowCount(), static_cast<int>(all.size()));
    page->filterField()->setText("assert");
    ASSERT_TRUE(waitForJobs());
    filled("baseline-first");
    EXPECT_TRUE(page->filterField()->text().isEmpty()) << "else it might not be listed";
    EXPECT_EQ(page->findChild<DataTable*>()->sourceRow(),
              static_cast<int>(std::ranges::find(all, "baseline-first", &Pattern::slug) - all.begin()));
}

TEST_F(PatternPages, TheNewFormIsBlankTheDraftOfTheSessionAndTheEditOfTheShownOne)
{
    context->setCurrentSession(begin("A"), "A", "transpose");
    Pattern own = wholePattern();
    own.label.clear();
    ASSERT_TRUE(store().savePattern(own));
    ASSERT_TRUE(setPatternBody(store(), own.slug, wholeBody()));
    filled("pad-the-tile");
    EXPECT_FALSE(showsForm());
    const auto title = [&] { return page->findChild<QLineEdit*>("patternTitle")->text(); };
    press("editPattern");
    EXPECT_TRUE(showsForm());
    EXPECT_EQ(title(), "Pad the tile");
    EXPECT_EQ(page->findChild<QPlainTextEdit*>("patternExampleField")->toPlainText(), "example");
    press("newPattern");
    EXPECT_TRUE(title().isEmpty());
    press("addPattern");
    EXPECT_EQ(page->findChild<QPlainTextEdit*>("patternProblem")->toPlainText(), "objective of A");
    for (QPushButton* button : page->findChild<AddPatternCard*>()->findChildren<QPushButton*>())
        if (button->objectName().isEmpty())
            button->click(); // cancels
    EXPECT_FALSE(showsForm());
    press("editPattern");
    page->findChild<QLineEdit*>("patternTitle")->setText("Pad each tile");
    press("savePattern");
    EXPECT_FALSE(showsForm());
    EXPECT_EQ(this->title(), "Pad each tile");
    const auto all = *context->store().patterns();
    EXPECT_EQ(std::ranges::count(all, "own", &Pattern::kind), 1) << "in place of the one before";
    EXPECT_EQ(std::ranges::find(all, "own", &Pattern::kind)->slug, "pad-the-tile");
    press("newPattern");
    const QSignalSpy posted(context.get(), &AppContext::messagePosted);
    press("savePattern");
    EXPECT_EQ(posted.count(), 1) << "without a title";
    EXPECT_TRUE(showsForm());
}

TEST_F(PatternPages, OfASessionThatIsGoneNothingIsDrafted)
{
    const SessionId id = begin("A");
    filled();
    ASSERT_TRUE(store().removeSession(id));
    const QSignalSpy posted(context.get(), &AppContext::messagePosted);
    press("addPattern");
    EXPECT_EQ(posted.count(), 1);
    EXPECT_FALSE(showsForm());
}

TEST_F(PatternPages, AShippedOneIsCopiedWithoutItsNumber)
{
    filled("static-assertions");
    press("editPattern");
    press("savePattern");
    const auto all = *context->store().patterns();
    const auto copy = std::ranges::find(all, "own", &Pattern::kind);
    ASSERT_NE(copy, all.end());
    EXPECT_TRUE(copy->label.empty());
    EXPECT_TRUE(copy->learnedIn.empty());
    EXPECT_NE(copy->slug, "static-assertions");
    EXPECT_EQ(*patternBody(context->store(), copy->slug), *patternBody(context->store(), "static-assertions"));
    EXPECT_EQ(title(), q(copy->title)) << "it is shown next";
}

TEST_F(PatternPages, APatternIsAppliedInTheCurrentSession)
{
    const SessionId older = begin("A");
    begin("B");
    context->setCurrentSession(older, "A", "transpose");
    filled("profile-before-optimize");
    press("applyPattern");
    const auto uses = *context->store().applications();
    ASSERT_EQ(uses.size(), 1U);
    EXPECT_EQ(uses[0].pattern, "profile-before-optimize");
    EXPECT_EQ(uses[0].session, older.text);
    const QSignalSpy posted(context.get(), &AppContext::messagePosted);
    context->setCurrentSession({"gone"}, "gone", "");
    filled();
    press("applyPattern");
    EXPECT_EQ(posted.count(), 1);
    EXPECT_EQ(context->store().applications()->size(), 1U);
}

TEST_F(PatternPages, SuggestionsAreThoseOfTheSessionThatAreNotAppliedYet)
{
    EXPECT_TRUE(readPatterns(*context->engine(), {})->suggestions.empty()) << "without a session";
    const SessionId id = begin("A");
    context->setCurrentSession(id, "A", "transpose");
    const auto suggested = [&] {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QStringList slugs;
        for (const QPushButton* link : page->findChildren<QPushButton*>())
            if (link->objectName().startsWith("suggestion-"))
                slugs << link->objectName().mid(11);
        return slugs;
    };
    filled("static-assertions");
    const QStringList before = suggested();
    ASSERT_TRUE(before.contains("baseline-first")) << before.join(' ').toStdString();
    EXPECT_LE(before.size(), 3);
    press("suggestion-baseline-first");
    EXPECT_EQ(page->findChild<DataTable*>()->tsv(true).count('\n'), 1);
    press("applyPattern");
    EXPECT_EQ(context->store().applications()->at(0).pattern, "baseline-first") << "the link leads to it";
    EXPECT_FALSE(suggested().contains("baseline-first"));
    EXPECT_EQ(readPatterns(*context->engine(), id)->lastName, "A");
}

TEST_F(PatternPages, ARetiredOneIsListedAndNotSuggested)
{
    Pattern own = wholePattern();
    own.when = occasion::kSessionStart;
    ASSERT_TRUE(store().savePattern(own));
    const SessionId id = begin("A");
    const auto suggests = [&](const PatternsData& data) {
        return std::ranges::find(data.suggestions, own.slug, &Suggestion::slug) != data.suggestions.end();
    };
    EXPECT_TRUE(suggests(*readPatterns(*context->engine(), id)));
    context->setCurrentSession(id, "A", "transpose");
    filled("pad-the-tile");
    press("retirePattern");
    EXPECT_TRUE(isRetired(context->store(), own.slug));
    const PatternsData data = *readPatterns(*context->engine(), id);
    EXPECT_FALSE(suggests(data));
    EXPECT_TRUE(data.retired.contains(own.slug));
    EXPECT_TRUE(std::ranges::any_of(data.rows, [&](const PatternRow& row) { return row.pattern.slug == own.slug; }));
    press("retirePattern");
    EXPECT_FALSE(isRetired(context->store(), own.slug)) << "the same button restores it";
    EXPECT_TRUE(suggests(*readPatterns(*context->engine(), id)));
}

TEST_F(PatternPages, TheFlowIsThatOfTheSessionElseOfTheNewestRun)
{
    PatternsData data = *readPatterns(*context->engine(), {});
    EXPECT_TRUE(data.flowOf.empty());
    EXPECT_TRUE(data.lastSession.empty());
    ASSERT_TRUE(store().saveRun(support::timedRun("old", "naive", "2026-03-01T09:00:01.000Z", 2000)));
    ASSERT_TRUE(store().saveRun(support::timedRun("new", "tiled", "2026-03-01T09:00:02.000Z", 500)));
    data = *readPatterns(*context->engine(), {});
    EXPECT_NE(data.flowOf.find("transpose/tiled"), std::string::npos) << data.flowOf;
    const SessionId a = begin("A"), b = begin("B");
    data = *readPatterns(*context->engine(), {});
    EXPECT_EQ(data.lastSession, b.text) << "the newest";
    EXPECT_EQ(data.lastName, "B");
    data = *readPatterns(*context->engine(), a);
    EXPECT_EQ(data.flowOf, "session A");
    EXPECT_EQ(data.lastSession, a.text) << "the current one";
    EXPECT_EQ(data.lastName, "A");
    EXPECT_EQ(readPatterns(*context->engine(), b)->lastSession, b.text);
    EXPECT_EQ(data.bodies.size(), data.rows.size());
}

TEST_F(PatternPages, AnotherDatabaseHasNothingOfThePatternShownBefore)
{
    Pattern own = wholePattern();
    ASSERT_TRUE(store().savePattern(own));
    filled("pad-the-tile");
    EXPECT_EQ(title(), "Pad the tile");
    const int before = page->findChild<DataTable*>()->model()->rowCount();
    ASSERT_TRUE(context->switchTo((folder / "other.db").string()));
    filled();
    EXPECT_NE(title(), "Pad the tile");
    EXPECT_EQ(page->findChild<DataTable*>()->model()->rowCount(), before - 1);
    EXPECT_FALSE(page->findChild<QPushButton*>("retirePattern")->isVisibleTo(page.get()));
}

TEST_F(PatternPages, ACopyWasLearnedInNoSession)
{
    filled();
    Pattern shipped = wholePattern();
    shipped.slug = "shipped-one";
    shipped.kind = "expert";
    shipped.label = "X7";
    shipped.learnedIn = begin("A").text;
    ASSERT_TRUE(store().savePattern(shipped));
    context->pollData();
    filled("shipped-one");
    press("editPattern");
    EXPECT_TRUE(showsForm());
    press("savePattern");
    EXPECT_FALSE(showsForm());
    const auto all = *store().patterns();
    const auto copy = std::ranges::find(all, "own", &Pattern::kind);
    ASSERT_NE(copy, all.end());
    EXPECT_TRUE(copy->learnedIn.empty()) << copy->learnedIn;
    EXPECT_TRUE(copy->label.empty());
    EXPECT_EQ(copy->problem, shipped.problem);
    EXPECT_EQ(copy->advice, shipped.advice);
    EXPECT_NE(copy->title, shipped.title);
    const auto kept = std::ranges::find(all, "shipped-one", &Pattern::slug);
    ASSERT_NE(kept, all.end());
    EXPECT_EQ(kept->learnedIn, shipped.learnedIn) << "the original stays as it is";
}

} // namespace
} // namespace kl::ui
