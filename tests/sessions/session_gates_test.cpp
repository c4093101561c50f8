// SPDX-License-Identifier: MIT
// What a template asks for, and what its gates decide, from a view made by hand.
#include "core/codec/json.h"
#include "sessions/session/session_template.h"
#include "sessions/session/template_budget.h"
#include "sessions/session/template_library.h"
#include "sessions/session/waiver.h"
#include "tests/sessions/modeled_session.h"
#include "tests/sessions/text_lines.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kl::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The error of a template after a change of its JSON; without a message if nothing is wrong.
Error errorAfter(const std::function<void(Json&)>& change, const std::string& kind = "optimize")
{
    Json plan = *parseJson(*templateText(kind), kind);
    change(plan);
    const Result<SessionTemplate> read = parseTemplate(encode(plan), "mine.json");
    if (read)
        return {};
    EXPECT_EQ(read.error().code, ErrorCode::badInput);
    EXPECT_EQ(read.error().where, "mine.json");
    return read.error();
}

std::string faultAfter(const std::function<void(Json&)>& change, const std::string& kind = "optimize")
{
    return errorAfter(change, kind).message;
}

/// Takes out a phase with the gates that close it.
void dropPhase(Json& plan, const std::string& phase)
{
    for (std::size_t i = 0; i < plan["phases"].size(); ++i)
        if (plan["phases"][i]["id"] == phase) {
            for (const Json& gate : plan["phases"][i]["gates"])
                for (std::size_t g = plan["gates"].size(); g-- > 0;)
                    if (plan["gates"][g]["id"] == gate)
                        plan["gates"].erase(g);
            plan["phases"].erase(i);
            return;
        }
}

/// A fault and what its error has to name.
struct TemplateFault {
    const char* what;
    std::vector<std::string> named;
    std::function<void(Json&)> change;
};

std::vector<TemplateFault> templateFaults()
{
    return {
        {"no kind", {"kind", "phases", "gates"}, [](Json& plan) { plan["kind"] = ""; }},
        {"no phases", {"kind", "phases", "gates"}, [](Json& plan) { plan["phases"] = Json::array(); }},
        {"no gates", {"kind", "phases", "gates"}, [](Json& plan) { plan["gates"] = Json::array(); }},
        {"idle at once", {"idle_after_minutes"}, [](Json& plan) { plan["idle_after_minutes"] = 0; }},
        {"a threshold below 0", {"thresholds.gross_error"}, [](Json& plan) { plan["thresholds"]["gross_error"] = -0.1; }},
        {"a gate without checks", {"\"G1\""}, [](Json& plan) { plan["gates"][0]["checks"] = Json::array(); }},
        {"an unknown check", {"\"G1\"", "\"vibes\""}, [](Json& plan) { plan["gates"][0]["checks"] = {"vibes"}; }},
        {"an unknown gate", {"\"environment\"", "\"G8\""}, [](Json& plan) { plan["phases"][0]["gates"] = {"G8"}; }},
        {"a gate twice", {"\"G1\""}, [](Json& plan) { plan["gates"].push_back(plan["gates"][0]); }},
        {"a gate without an id",
         {},
         [](Json& plan) {
             plan["gates"].push_back(plan["gates"][0]);
             plan["gates"][5]["id"] = "";
         }},
        {"a gate of two phases", {"\"G1\""}, [](Json& plan) { plan["phases"][1]["gates"].push_back("G1"); }},
        {"a gate of no phase", {"\"G1\""}, [](Json& plan) { plan["phases"][0]["gates"] = Json::array(); }},
        {"a phase without a budget", {"\"environment\""}, [](Json& plan) { plan["phases"][0]["budget_minutes"] = 0; }},
        {"an unknown step", {"\"dance\""}, [](Json& plan) { plan["phases"][0]["steps"] = {"dance"}; }},
        {"a step that gathers nothing", {"\"keep\""}, [](Json& plan) { plan["phases"][0]["steps"] = {"keep"}; }},
        {"a step of the last phase", {"\"document\""}, [](Json& plan) { plan["phases"][5]["steps"] = {"evaluate"}; }},
        {"a phase with neither",
         {"\"idle\""},
         [](Json& plan) {
             const Json idle{{"id", "idle"}, {"title", "t"}, {"budget_minutes", 1}};
             plan["phases"].insert(plan["phases"].begin(), idle);
         }},
        {"a phase twice", {"\"environment\""}, [](Json& plan) { plan["phases"][1]["id"] = "environment"; }},
        {"a reserved name", {"\"done\""}, [](Json& plan) { plan["phases"][1]["id"] = "done"; }},
        {"a phase without an id", {}, [](Json& plan) { plan["phases"][1]["id"] = ""; }},
        {"phases over the budget", {"190", "budget_minutes", "189"}, [](Json& plan) { plan["budget_minutes"] = 189; }},
        {"an unknown field", {"\"mood\""}, [](Json& plan) { plan["mood"] = 1; }},
        {"of a phase", {"\"phases[2].mood\""}, [](Json& plan) { plan["phases"][2]["mood"] = 1; }},
        {"of a gate", {"\"gates[0].mood\""}, [](Json& plan) { plan["gates"][0]["mood"] = 1; }},
    };
}

TEST(TemplateFaults, AreNamedWithWhatTheyAreOf)
{
    EXPECT_EQ(faultAfter([](Json&) {}), "");
    for (const TemplateFault& fault : templateFaults()) {
        const std::string message = faultAfter(fault.change);
        EXPECT_NE(message, "") << fault.what;
        for (const std::string& name : fault.named)
            EXPECT_THAT(message, HasSubstr(name)) << fault.what;
        if (fault.named.empty()) {
            EXPECT_THAT(message, Not(HasSubstr("\""))) << "there is nothing to name: " << fault.what;
        }
    }
    EXPECT_EQ(faultAfter([](Json& plan) { plan["thresholds"]["gross_error"] = 0; }), "");
    EXPECT_EQ(faultAfter([](Json& plan) { plan["budget_minutes"] = 190; }), "") << "the sum of the phases";
}

TEST(TemplateFaults, WhatRestsOnSomethingNeedsIt)
{
    EXPECT_EQ(faultAfter([](Json& plan) { dropPhase(plan, "environment"); }), "");
    for (const char* phase : {"baseline", "profile", "fix", "evaluate"})
        EXPECT_NE(faultAfter([&](Json& plan) { dropPhase(plan, phase); }), "") << phase;
    EXPECT_THAT(faultAfter([](Json& plan) {
                    dropPhase(plan, "evaluate");
                    plan["phases"][3]["steps"] = {"evaluate"};
                }),
                testing::AllOf(HasSubstr("\"evaluate\""), HasSubstr("\"improvement\"")))
        << "nothing judges it";
    EXPECT_THAT(faultAfter([](Json& plan) { dropPhase(plan, "evaluate"); }),
                testing::AllOf(HasSubstr("\"improvement\""), HasSubstr("\"find-failing\"")));
    EXPECT_EQ(faultAfter([](Json&) {}, "debug"), "") << "which is not evaluated, but has a failing case";
}

TEST(TemplateErrors, SnapshotOfEachFault)
{
    std::string text;
    for (const TemplateFault& fault : templateFaults())
        text += errorLine(fault.what, errorAfter(fault.change));
    for (const char* phase : {"baseline", "profile", "fix", "evaluate"})
        text += errorLine(std::string("without ") + phase, errorAfter([&](Json& plan) { dropPhase(plan, phase); }));
    text += errorLine("nothing judges it", errorAfter([](Json& plan) {
                          dropPhase(plan, "evaluate");
                          plan["phases"][3]["steps"] = {"evaluate"};
                      }));
    text += errorLine("out of order", errorAfter([](Json& plan) { std::swap(plan["phases"][1], plan["phases"][2]); }));
    text += errorLine("a budget in words", errorAfter([](Json& plan) { plan["phases"][0]["budget_minutes"] = "long"; }));
    expectSnapshot("errors/session-template.txt", text);
}

TEST(Template, KnowsWhatItsPhasesAndGatesGather)
{
    using enum Evidence;
    const SessionTemplate plan = shipped("optimize");
    EXPECT_THAT(plan.listEvidence(*plan.gate("G2")), ElementsAre(smallest, baseline));
    EXPECT_THAT(plan.listEvidence(*plan.gate("G4")), ElementsAre(candidate, memory));
    EXPECT_THAT(plan.listEvidence(plan.phases.back()), IsEmpty());
    EXPECT_EQ(plan.lookUpGate(baseline)->id, "G2");
    EXPECT_EQ(plan.lookUpGate(memory)->id, "G4");
    EXPECT_EQ(plan.lookUpGate(failingCase), nullptr);
    EXPECT_EQ(plan.lookUpPhase(smallest)->id, "baseline");
    EXPECT_EQ(plan.lookUpPhase(evaluation)->id, "evaluate");
    EXPECT_FALSE(plan.asksFor(build));
    EXPECT_EQ(plan.gate("G9"), nullptr);
    const SessionTemplate debug = shipped("debug");
    for (const Evidence kind : {hypothesis, instrument, failingCase, analysis, minimalCase, candidate})
        EXPECT_TRUE(debug.asksFor(kind)) << static_cast<int>(kind);
    EXPECT_FALSE(debug.asksFor(evaluation));
    SessionTemplate two = plan; // one phase with two gates, one that only the second asks for
    two.phases[1].gates = {"G1", "G2"};
    two.phases[0].gates.clear();
    EXPECT_EQ(two.lookUpPhase(environment)->id, "baseline");
    EXPECT_EQ(two.lookUpPhase(baseline)->id, "baseline");
    EXPECT_EQ(unknownThreshold(plan), "");
    two.thresholds["mood"] = 1;
    EXPECT_EQ(unknownThreshold(two), "mood");
}

TEST(TemplateBudget, EachStageGetsItsShareInTenthsOfAMinute)
{
    const std::string text = *templateText("optimize");
    const SessionTemplate third = *parseTemplate(*withBudget(text, 80), "t");
    EXPECT_DOUBLE_EQ(third.phases[0].budgetMinutes, 3.3);
    EXPECT_DOUBLE_EQ(third.phases[1].budgetMinutes, 6.6);
    EXPECT_EQ(third.budgetMinutes, 80);
    EXPECT_TRUE(withBudget(text, 24)) << "a minute for the shortest";
    EXPECT_FALSE(withBudget(text, 23));
    EXPECT_TRUE(withBudget(text, 7 * 24 * 60));
    EXPECT_FALSE(withBudget(text, 7 * 24 * 60 + 1));
    EXPECT_EQ(withBudget(text, std::numeric_limits<double>::quiet_NaN()).error().where, "budget");
}

TEST_F(ModeledSession, GatesRunAreDoneOrAreWaivedByWhatCameLast)
{
    using enum Evidence;
    SessionView& view = model.view;
    EXPECT_EQ(gate("G4").progress, GateProgress::done);
    EXPECT_EQ(gate("G2").level, "medium");
    EXPECT_EQ(gate("G3").level, "");
    EXPECT_EQ(gate("G4").title, model.plan.gate("G4")->title);
    EXPECT_EQ(gate("G4").rule, model.plan.gate("G4")->rule);
    view.candidateRun->correctness.suite.back().pass = false;
    EXPECT_EQ(gate("G4").progress, GateProgress::running);
    EXPECT_TRUE(gate("G4").blocks);
    view.waivers["G4"] = {"known", 9};
    EXPECT_EQ(gate("G4").progress, GateProgress::waived);
    EXPECT_EQ(gate("G4").waivedReason, "known");
    for (const int overtaken : {8, 7}) {
        view.waivers["G4"].seq = overtaken;
        EXPECT_EQ(gate("G4").progress, GateProgress::running) << "before the memory check";
    }
    view.waivers["G4"].seq = 9;
    view.fixSeq = 9;
    EXPECT_EQ(gate("G4").progress, GateProgress::running) << "of the fix before";
    view.fixSeq = 6;
    view.conditionsSeq = 10;
    EXPECT_EQ(gate("G4").progress, GateProgress::running) << "on another device";
    view.conditionsSeq = 0;
    view.candidateRun->correctness.suite.back().pass = true;
    EXPECT_EQ(gate("G4").progress, GateProgress::done) << "it passes by itself";
    EXPECT_EQ(gate("G4").waivedReason, "");
    view.stale[candidate] = "changed";
    EXPECT_EQ(gate("G4").progress, GateProgress::waived) << "given for stale evidence";
    view.waivers.clear();
    EXPECT_EQ(gate("G4").progress, GateProgress::stale);
    EXPECT_EQ(gate("G4").staleReason, "changed");
    EXPECT_FALSE(model.settled(candidate));
    view.stale.clear();
    dropCandidate();
    EXPECT_EQ(gate("G4").progress, GateProgress::notStarted);
    EXPECT_EQ(gate("G4").verdict, "");
    view.tried = {{"transpose", "tiled", {}}};
    EXPECT_EQ(gate("G4").progress, GateProgress::stale);
    EXPECT_THAT(gate("G4").staleReason, HasSubstr("transpose/tiled"));
    EXPECT_EQ(gate("G3").progress, GateProgress::done) << "its evidence is not a candidate's";
    view.tried.clear();
    view.parked.push_back({view.start, {"transpose", "padded", {}}, "", {}, {}, {}});
    EXPECT_THAT(gate("G5").staleReason, HasSubstr("transpose/padded"));
}

TEST_F(ModeledSession, ARequiredRowDecidesAndAnOptionalOneDoesNot)
{
    SessionView& view = model.view;
    view.baselineRun->speedup = 0.4;
    EXPECT_EQ(gate("G2").result, GateResult::fail);
    EXPECT_FALSE(gate("G2").blocks) << "the way on is the profile";
    EXPECT_EQ(gate("G2").level, "critical");
    view.baselineRun->speedup.reset();
    EXPECT_EQ(gate("G2").result, GateResult::pass) << "a speedup that is unknown is not judged";
    EXPECT_EQ(gate("G2").level, "");
    view.baselineRun.reset();
    EXPECT_EQ(gate("G2").result, GateResult::unknown);
    EXPECT_TRUE(gate("G2").blocks);
    view.profileRun->metrics->plan.ran = 1;
    EXPECT_EQ(gate("G3").result, GateResult::pass) << "passes-complete is optional";
    view.environment->checks.push_back({"torch", Requirement::optional, CheckResult::fail, "", "", ""});
    EXPECT_EQ(gate("G1").result, GateResult::pass);
    view.environment->checks[1].requirement = Requirement::required;
    EXPECT_EQ(gate("G1").result, GateResult::fail);
}

TEST_F(ModeledSession, AProgramsRowsClaimNoFiguresThatItsCommandDoesNotGive)
{
    KernelFamily program = *model.family;
    program.programHash = "h";
    program.checkedByCommand = true;
    model.family = &program;
    model.view.candidateRun->correctness.suite.back().unwritten = 1;
    const auto findRow = [&](const std::string& gateId, const std::string& id) {
        const std::vector<CheckRow> rows = gate(gateId).checks;
        return *std::ranges::find(rows, id, &CheckRow::id);
    };
    EXPECT_EQ(findRow("G4", "written").result, GateResult::unknown);
    EXPECT_EQ(findRow("G4", "written").requirement, Requirement::optional);
    EXPECT_EQ(findRow("G4", "suite-correct").requirement, Requirement::required);
    const std::string passed = findRow("G2", "kernel-correct").found;
    EXPECT_EQ(passed.find(toText(model.view.problem)), std::string::npos) << passed;
    model.view.baselineRun->correctness.result = CorrectnessResult::incorrect;
    model.view.baselineRun->correctness.reason = "it differs";
    EXPECT_EQ(findRow("G2", "kernel-correct").result, GateResult::fail);
    EXPECT_THAT(findRow("G2", "kernel-correct").found, HasSubstr("it differs"));
    EXPECT_THAT(findRow("G2", "kernel-correct").next, IsEmpty()) << "a worker cannot run it";
    program.checkedByCommand = false;
    EXPECT_EQ(findRow("G4", "written").result, GateResult::fail);
    model.family = *catalog.family("transpose");
    EXPECT_FALSE(findRow("G2", "kernel-correct").next.empty());
}

TEST_F(ModeledSession, AGateIsWaivedOnceItWasAskedAndNotPassed)
{
    using enum Evidence;
    evaluate();
    const auto refused = [&](const char* id) {
        evaluate();
        const Status status = checkWaivable(model, *model.gate(id));
        return status ? std::string() : status.error().where;
    };
    EXPECT_EQ(refused("G4"), "G4") << "it has passed";
    model.view.candidateRun->correctness.suite.back().pass = false;
    EXPECT_EQ(refused("G4"), "");
    dropCandidate();
    EXPECT_EQ(refused("G4"), "correctness-first");
    EXPECT_EQ(refused("G5"), "correctness-first");
    forget({profile});
    EXPECT_EQ(refused("G3"), "profile-before-optimizing");
    forget({baseline, smallest});
    EXPECT_EQ(refused("G2"), "baseline-first");
    forget({environment});
    model.view.environment.reset();
    EXPECT_EQ(refused("G1"), "") << "a machine without tools is known before it is asked";
    model.view.finished = true;
    EXPECT_FALSE(checkWaivable(model, *model.gate("G1")));
}

} // namespace
} // namespace kl::test
