// SPDX-License-Identifier: MIT
#include "sessions/engine/action_table.h"
#include "sessions/session/session_action.h"
#include "ui/context/app_context.h"
#include "ui/context/step_doors.h"
#include "ui/pages/page.h"
#include "ui/pages/session/gate_card.h"
#include "ui/pages/shared/step_links.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"
#include "ui/window/action_table.h"

#include <gtest/gtest.h>

#include <QHBoxLayout>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>

namespace kl::ui {
namespace {

TEST(StepDoors, LeadToPagesThatThereAre)
{
    QSet<QString> pages;
    for (const PageEntry& entry : pageEntries())
        pages.insert(entry.id);
    QSet<QString> tools;
    for (const WindowActionRow& row : windowActionTable())
        tools.insert(QString::fromLatin1(row.name));
    int doors = 0;
    for (const StepKind& kind : stepKinds())
        if (const std::optional<StepDoor> door = findDoor({kind.id})) {
            ++doors;
            EXPECT_TRUE(door->page == kToolPage ? tools.contains(door->argument) : pages.contains(door->page)) << kind.word;
            EXPECT_FALSE(door->text.isEmpty()) << kind.word;
        }
    EXPECT_GT(doors, 10);
    EXPECT_EQ(findDoor({StepId::checkEnvironment})->page, "environment");
}

TEST(StepDoors, EachStepHasOneOrIsForTheCommandLineAlone)
{
    QSet<QString> onlyThere;
    for (const CommandLineStep& row : commandLineSteps()) {
        EXPECT_FALSE(onlyThere.contains(findKind(row.step).word)) << findKind(row.step).word << " is listed twice";
        onlyThere.insert(findKind(row.step).word);
        EXPECT_STRNE(row.why, "") << findKind(row.step).word;
    }
    for (const StepKind& kind : stepKinds())
        EXPECT_NE(findDoor({kind.id}).has_value(), onlyThere.contains(kind.word)) << kind.word;
}

TEST(StepDoors, ShowWhatTheStepIsAbout)
{
    const std::optional<StepDoor> profile = findDoor({StepId::profile, {{StepArgument::kernel, "transpose/naive"}}});
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->page, "kernels");
    EXPECT_EQ(profile->argument, "transpose/naive");
    NextStep keep = makeActionStep(SessionAction::keep);
    keep.set(StepArgument::session, "s1");
    const std::optional<StepDoor> session = findDoor(keep);
    ASSERT_TRUE(session);
    EXPECT_EQ(session->page, "session");
    EXPECT_EQ(session->argument, "s1");
}

TEST(StepDoors, AnActionOfASessionHasTheTitleOfTheAction)
{
    QStringList texts;
    for (const SessionAction action : {SessionAction::keep, SessionAction::checkEnvironment}) {
        const NextStep step = makeActionStep(action);
        ASSERT_EQ(step.id, StepId::actInSession);
        EXPECT_EQ(stepText(step), q(lookUpRow(action).title));
        texts << findDoor(step)->text;
        EXPECT_TRUE(texts.back().startsWith(q(lookUpRow(action).title)));
    }
    EXPECT_NE(texts[0], texts[1]);
    EXPECT_EQ(stepText({StepId::profile}), q(titleFor({StepId::profile})));
}

TEST(StepDoors, WithoutAnArgumentShowWhatIsAlwaysTheSame)
{
    const auto shown = [](StepId id) { return findDoor({id})->page + u'/' + findDoor({id})->argument; };
    EXPECT_EQ(shown(StepId::newSession), "session/new");
    EXPECT_EQ(shown(StepId::listSessions), "session/list");
    EXPECT_EQ(shown(StepId::sharedMemory), "calculate/shared-memory");
    EXPECT_EQ(shown(StepId::listMetrics), "diagnose/metric:");
    EXPECT_EQ(shown(StepId::checkDatabase), "tool/check-database");
    EXPECT_EQ(shown(StepId::calibrate), "tool/calibrate");
    EXPECT_EQ(shown(StepId::exportRuns), "tool/export-runs");
    EXPECT_EQ(shown(StepId::newKernel), "tool/new-kernel");
    EXPECT_EQ(shown(StepId::profileProgram), "tool/profile-program");
    EXPECT_EQ(shown(StepId::compareInTurn), "compare/");
    EXPECT_EQ(shown(StepId::setPrice), "history/money");
    EXPECT_FALSE(findDoor({StepId::profileWithNcu})) << "in a terminal";
    const auto ofKernel = [](StepId id) { return findDoor({id, {{StepArgument::kernel, "a/b"}, {StepArgument::session, "s"}}}); };
    EXPECT_EQ(ofKernel(StepId::searchSpace)->page, "search");
    EXPECT_EQ(ofKernel(StepId::searchSpace)->argument, "a/b");
    EXPECT_EQ(ofKernel(StepId::waiveGate)->argument, "s");
    EXPECT_EQ(ofKernel(StepId::listKernels)->argument, "");
}

TEST(StepDoors, TwoKernelsANewSessionAndAToolHaveMoreThanOneArgument)
{
    using A = StepArgument;
    NextStep turn{StepId::compareInTurn, {{A::kernel, "a/b"}, {A::other, "a/c@W=4,M=2"}}};
    EXPECT_EQ(findDoor(turn)->page, "compare");
    EXPECT_EQ(findDoor(turn)->argument, "kernels:a/b a/c@W=4,M=2");
    turn.set(A::problem, "M=1,N=2");
    EXPECT_EQ(findDoor(turn)->argument, "kernels:a/b a/c@W=4,M=2 M=1,N=2");
    NextStep session = sessionOn("a/b");
    EXPECT_EQ(findDoor(session)->argument, "kernel:a/b");
    session.set(A::kind, "debug");
    EXPECT_EQ(findDoor(session)->argument, "kernel:a/b#debug");
    session.set(A::problem, "M=1");
    EXPECT_EQ(findDoor(session)->argument, "kernel:a/b#debug#M=1");
    EXPECT_EQ(findDoor({StepId::calibrate, {{A::kernel, "a/b"}, {A::source, "sample"}}})->argument, "calibrate:a/b");
    EXPECT_EQ(findDoor({StepId::profileProgram, {{A::program, "./a:b"}}})->argument, "profile-program:./a:b");
    EXPECT_EQ(findDoor({StepId::applyPattern, {{A::pattern, "p"}, {A::session, "s"}}})->argument, "p");
    EXPECT_EQ(findDoor({StepId::showPattern, {{A::pattern, "p"}}})->page, "patterns");
}

TEST(StepDoors, AnErrorIsPostedWithAButtonForEachStepThatHasAPage)
{
    auto opened = AppContext::open(":sample:", DeviceSpec::sample());
    ASSERT_TRUE(opened) << opened.error().message;
    AppContext& context = **opened;
    Message posted;
    QObject::connect(&context, &AppContext::messagePosted, &context, [&](const Message& message) { posted = message; });
    context.post(Error{.code = ErrorCode::notFound, .message = "none", .hint = "See them."}
                     .leadTo({StepId::profileWithNcu}) // in a terminal
                     .leadTo({StepId::listPatterns}));
    EXPECT_EQ(posted.next, "See them.");
    ASSERT_EQ(posted.buttons.size(), 1U);
    QSignalSpy navigated(&context, &AppContext::navigationRequested);
    posted.buttons.front().action();
    ASSERT_EQ(navigated.size(), 1);
    EXPECT_EQ(navigated.front().front().toString(), "patterns");
}

TEST(StepDoors, LinksAreOfTheStepsShownLast)
{
    auto opened = AppContext::open(":sample:", DeviceSpec::sample());
    ASSERT_TRUE(opened) << opened.error().message;
    QWidget box;
    auto* row = new QHBoxLayout(&box);
    const auto shown = [&](const std::vector<NextStep>& steps) {
        showStepLinks(**opened, steps, row);
        QStringList words;
        for (int i = 0; i < row->count(); ++i)
            if (const QWidget* link = row->itemAt(i)->widget())
                words << link->property("step").toString();
        return words;
    };
    EXPECT_EQ(shown({{StepId::listPatterns}, {StepId::profileWithNcu}, {StepId::checkEnvironment}}),
              (QStringList{findKind(StepId::listPatterns).word, findKind(StepId::checkEnvironment).word}))
        << "one is for a terminal";
    EXPECT_EQ(shown({{StepId::listPatterns}}), QStringList{findKind(StepId::listPatterns).word});
}

TEST(GateCard, AfterTheEndOfItsSessionItWaitsForNobody)
{
    GateView gate;
    gate.result = GateResult::fail;
    gate.progress = GateProgress::running;
    GateCard card;
    card.setGate(gate, nullptr, {});
    EXPECT_TRUE(card.findChild<MarkLabel*>()->text().startsWith(markSign(Mark::running)));
    card.setGate(gate, nullptr, {}, true);
    EXPECT_TRUE(card.findChild<MarkLabel*>()->text().startsWith(markSign(Mark::fail)));
}

TEST(GateCard, OffersTheWaiverAndTheStepsThatTheEngineNames)
{
    GateView gate;
    gate.id = "G2";
    gate.result = GateResult::fail;
    gate.checks.push_back({"speedup",
                           Requirement::required,
                           GateResult::fail,
                           "Speedup",
                           "0.1",
                           "",
                           "",
                           "",
                           "",
                           {{StepId::profile, {{StepArgument::kernel, "a/b"}}}, {StepId::checkEnvironment}}});
    NextAction next;
    GateCard card;
    card.show();
    card.setGate(gate, &next, {});
    EXPECT_FALSE(card.findChild<QPushButton*>("waive")->isVisible());
    gate.canBeWaived = true;
    card.setGate(gate, &next, {});
    EXPECT_TRUE(card.findChild<QPushButton*>("waive")->isVisible());
    std::optional<NextStep> requested;
    QObject::connect(&card, &GateCard::stepRequested, &card, [&](const NextStep& step) { requested = step; });
    auto* link = card.findChild<QPushButton*>("step");
    ASSERT_NE(link, nullptr);
    EXPECT_EQ(link->property("step").toString(), "profile");
    link->click();
    ASSERT_TRUE(requested);
    EXPECT_EQ(requested->at(StepArgument::kernel), "a/b");
}

} // namespace
} // namespace kl::ui
