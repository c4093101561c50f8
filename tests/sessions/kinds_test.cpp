// SPDX-License-Identifier: MIT
#include "sessions/engine/guards.h"
#include "sessions/session/checks.h"
#include "sessions/session/evidence.h"
#include "sessions/session/session_json.h"
#include "sessions/session/session_template.h"
#include "sessions/session/template_library.h"
#include "tests/sessions/engine_support.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

namespace kl::test {
namespace {

class KindTest : public EngineTest {
protected:
    SessionId openKind(const std::string& kind, const std::string& kernel = "transpose")
    {
        NewSession request;
        request.objective = "see how it stands";
        request.kernel = kernel;
        request.kind = kind;
        return unwrap(engine.create(request)).header.id;
    }
    std::vector<std::string> actionsToTheEnd(const SessionId& id)
    {
        std::vector<std::string> actions;
        SessionView view = unwrap(engine.view(id));
        while (view.phase != "done" && actions.size() < 30) {
            actions.push_back(toString(view.next.front().action));
            view = step(id);
        }
        EXPECT_EQ(view.phase, "done");
        return actions;
    }
};

/// A team's templates in a folder of the test's own.
class OwnKinds : public KindTest {
protected:
    OwnKinds()
    {
        const char* before = std::getenv("XDG_DATA_HOME");
        before_ = before == nullptr ? "" : before;
        ::setenv("XDG_DATA_HOME", (folder / "data").string().c_str(), 1);
        std::filesystem::create_directories(ownTemplatesFolder());
    }
    ~OwnKinds() override { before_.empty() ? ::unsetenv("XDG_DATA_HOME") : ::setenv("XDG_DATA_HOME", before_.c_str(), 1); }

    static void write(const std::string& name, const std::string& text) { std::ofstream(ownTemplatesFolder() / name) << text; }
    static std::string changed(std::string text, const std::string& from, const std::string& to)
    {
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    }
    static KindRow findRow(const std::string& kind)
    {
        for (const KindRow& row : sessionKinds())
            if (row.kind == kind)
                return row;
        return {};
    }

private:
    std::string before_;
};

TEST(EvidenceTable, StandsInTheOrderOfItsEnumeration)
{
    for (std::size_t i = 0; i < evidenceTable().size(); ++i)
        EXPECT_EQ(static_cast<std::size_t>(evidenceTable()[i].evidence), i);
}

TEST_F(KindTest, TheFourKindsAreThereWithTheirBudgets)
{
    std::map<std::string, double> budgets;
    for (const KindRow& row : sessionKinds())
        if (!row.own) {
            EXPECT_FALSE(row.broken) << row.where;
            budgets[row.kind] = row.budgetMinutes;
        }
    EXPECT_EQ(budgets,
              (std::map<std::string, double>{{"baseline", 30}, {"debug", 130}, {"expert", 240}, {"optimize", 240}, {"profile", 240}}));
}

TEST_F(KindTest, ABaselineSessionMeasuresAndEnds)
{
    const SessionId id = openKind("baseline");
    EXPECT_EQ(actionsToTheEnd(id),
              (std::vector<std::string>{"check-environment", "verify-smallest", "measure-baseline", "document", "finish"}));
    const SessionView view = unwrap(engine.view(id));
    EXPECT_EQ(view.outcome, "baseline measured");
    EXPECT_NEAR(*view.speedup, 0.125, 1e-9);
    EXPECT_EQ(view.gates.size(), 2U);
}

TEST_F(KindTest, AKindRefusesWhatItDoesNotKnow)
{
    const SessionId id = openKind("baseline");
    const Error error = refusedAct(id, SessionAction::keep);
    EXPECT_EQ(error.code, ErrorCode::usage);
    EXPECT_NE(error.hint.find("measure-baseline"), std::string::npos);
}

TEST_F(KindTest, AnExpertSessionValidatesItsBuildFirst)
{
    gpu.build = CompileAnswer{};
    gpu.build->log = "ptxas info: Used 20 registers\nwarning: variable \"x\" was set but never used\n";
    gpu.build->arch = "sm_90";
    const SessionId id = openKind("expert");
    EXPECT_EQ(actionsToTheEnd(id),
              (std::vector<std::string>{"check-environment", "validate-build", "verify-smallest", "verify-start", "measure-baseline",
                                        "profile", "choose-fix", "verify-suite", "evaluate", "keep", "document", "finish"}));
    const SessionView view = unwrap(engine.view(id));
    EXPECT_EQ(view.outcome, "kept");
    EXPECT_EQ(view.build->warnings, 1);
    EXPECT_EQ(unwrap(store->artifact(view.build->log)), gpu.build->log);
    for (const CheckRow& row : findGate(view, "G1").checks)
        if (row.id == "build-warnings") {
            EXPECT_EQ(row.result, GateResult::fail) << "told, and does not block";
        }
}

TEST_F(KindTest, ABuildThatFailsStopsTheExpert)
{
    gpu.build = CompileAnswer{};
    gpu.build->status = ResultStatus::compilationFailed;
    gpu.build->reason = "error: identifier \"tid\" is undefined";
    const SessionId id = openKind("expert");
    step(id);
    const SessionView view = step(id);
    EXPECT_TRUE(view.blocked);
    EXPECT_NE(view.why.find("tid"), std::string::npos);
    EXPECT_EQ(refusedAct(id, SessionAction::verifySmallest).where, "G1");
}

TEST_F(KindTest, AWrongStartStopsTheExpertBeforeAnyTime)
{
    gpu.kernels["transpose/naive"].wrongSize = "M=64,N=65";
    const SessionId id = openKind("expert");
    for (int i = 0; i < 4; ++i)
        step(id);
    EXPECT_EQ(refusedAct(id, SessionAction::measureBaseline).where, "correctness-first");
    EXPECT_EQ(findGate(unwrap(engine.view(id)), "G2").result, GateResult::fail);
}

TEST_F(OwnKinds, ATeamsKindIsListedAndWalked)
{
    const std::string text = unwrap(templateText("baseline"));
    write("quick.json",
          changed(changed(text, "\"kind\": \"baseline\"", "\"kind\": \"quick\""), "\"budget_minutes\": 30", "\"budget_minutes\": 31"));
    const KindRow row = findRow("quick");
    EXPECT_TRUE(row.own);
    EXPECT_EQ(row.budgetMinutes, 31);
    const SessionId id = openKind("quick");
    std::filesystem::remove(ownTemplatesFolder() / "quick.json"); // the session has its own copy
    EXPECT_EQ(actionsToTheEnd(id).size(), 5U);
}

TEST_F(OwnKinds, ThresholdsAreTheSessionsOwn)
{
    const std::string text = unwrap(templateText("optimize"));
    write("bold.json", changed(changed(text, "\"kind\": \"optimize\"", "\"kind\": \"bold\""), "\"keep_improvement_min\": 0.2",
                               "\"keep_improvement_min\": 1.5"));
    const SessionId id = openKind("bold");
    EXPECT_EQ(stepUntil(id, SessionAction::revert).phase, "evaluate"); // naive → tiled gives 2.0, and 2.5 is requested
}

TEST_F(OwnKinds, AFileWithTheChecksOfAnEarlierVersionIsRead)
{
    const std::string now = changed(unwrap(templateText("expert")), "\"kind\": \"expert\"", "\"kind\": \"old\"");
    std::string old = now;
    for (const char* what : {"kernel", "start", "suite", "both"})
        old = changed(old, fmt::format("\"{}-correct\"", what), fmt::format("\"{}-right\"", what));
    write("old.json", old);
    EXPECT_FALSE(findRow("old").broken);
    const SessionTemplate read = unwrap(parseTemplate(old, "old"));
    const SessionTemplate wanted = unwrap(parseTemplate(now, "new"));
    ASSERT_EQ(read.gates.size(), wanted.gates.size());
    for (std::size_t i = 0; i < read.gates.size(); ++i)
        EXPECT_EQ(read.gates[i].checks, wanted.gates[i].checks);
}

TEST_F(OwnKinds, ABrokenFileIsNamedAndHidesNoOther)
{
    const std::string text = unwrap(templateText("baseline"));
    write("one.json", "{ nonsense");
    write("two.json", changed(changed(text, "\"kind\": \"baseline\"", "\"kind\": \"two\""), "\"kernel-correct\"", "\"kernel-fast\""));
    write("three.json", changed(text, "\"title\": \"Distance", "\"titel\": \"How far"));
    write("four.json", text); // "baseline" is taken
    write("five.json", changed(changed(text, "\"kind\": \"baseline\"", "\"kind\": \"five\""), "\"gates\": [\"G2\"]", "\"gates\": []"));
    write("good.json", changed(text, "\"kind\": \"baseline\"", "\"kind\": \"good\""));
    EXPECT_FALSE(findRow("good").broken);
    EXPECT_TRUE(findRow("good").own);
    for (const auto& [name, stated] :
         {std::pair{"one", "one.json"}, std::pair{"two", "kernel-fast"}, std::pair{"three", "titel"}, std::pair{"five", "G2"}}) {
        const KindRow row = findRow(name);
        ASSERT_TRUE(row.broken) << name;
        EXPECT_NE(row.broken->message.find(stated), std::string::npos) << row.broken->message;
        NewSession request;
        request.kernel = "transpose";
        request.kind = name;
        EXPECT_EQ(engine.create(request).error().code, ErrorCode::badInput) << name;
    }
    EXPECT_FALSE(findRow("baseline").own);
}

/// Whatever steps a team leaves out, and whether they are judged by a gate or not: what parses can be walked to its end.
TEST_F(OwnKinds, EveryTemplateThatParsesCanBeWalked)
{
    std::map<Evidence, std::vector<std::string>> checks;
    for (const std::string& check : listKnownChecks())
        checks[findCheckEvidence(check)].push_back(check);
    const std::string wrong = toText(unwrap(catalog.family("transpose"))->suite.at(1));
    const Json base = unwrap(parseJson(unwrap(templateText("optimize")), "optimize"));
    std::mt19937 random(99);
    int walked = 0;
    for (int trial = 0; trial < 80; ++trial) {
        Json plan = base;
        plan["kind"] = "random" + std::to_string(trial);
        plan["phases"] = Json::array();
        plan["gates"] = Json::array();
        for (const auto& row : evidenceTable()) {
            if (random() % 5 == 0)
                continue;
            const std::string word = toString(row.action);
            Json phase{{"id", word}, {"title", word}, {"purpose", ""}, {"budget_minutes", 1}, {"gates", Json::array()}};
            if (const auto found = checks.find(row.evidence); found != checks.end() && random() % 4 != 0) {
                plan["gates"].push_back({{"id", word}, {"title", word}, {"rule", "r"}, {"checks", found->second}});
                phase["gates"].push_back(word);
            } else {
                phase["steps"] = {word};
            }
            plan["phases"].push_back(std::move(phase));
        }
        plan["phases"].push_back({{"id", "end"}, {"title", "End"}, {"budget_minutes", 1}});
        if (!parseTemplate(encode(plan), "random"))
            continue;
        write("random.json", encode(plan));
        gpu.kernels["transpose/naive"].wrongSize = trial % 2 == 0 ? "" : wrong;
        SessionView view = unwrap(engine.view(openKind("random" + std::to_string(trial), "transpose/naive")));
        for (int i = 0; i < 60 && view.phase != "done"; ++i) {
            ASSERT_FALSE(view.next.empty()) << plan;
            const Result<SessionView> next = engine.step(view.header.id);
            ASSERT_TRUE(next) << toString(view.next.front().action) << ": " << next.error().message << plan;
            view = *next;
        }
        ASSERT_EQ(view.phase, "done") << view.why << plan;
        ++walked;
    }
    EXPECT_GE(walked, 10);
}

TEST_F(OwnKinds, StepsComeInTheMethodsOrder)
{
    const std::string text = unwrap(templateText("optimize"));
    std::string swapped = changed(text, "\"kind\": \"optimize\"", "\"kind\": \"hasty\"");
    ASSERT_TRUE(parseTemplate(swapped, "hasty.json"));
    swapped = changed(swapped, "\"gates\": [\"G3\"]", "\"gates\": [\"GX\"]");
    swapped = changed(swapped, "\"gates\": [\"G4\"]", "\"gates\": [\"G3\"]");
    swapped = changed(swapped, "\"gates\": [\"GX\"]", "\"gates\": [\"G4\"]");
    const Result<SessionTemplate> plan = parseTemplate(swapped, "hasty.json");
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, ErrorCode::badInput);
    for (const char* part : {"\"fix\"", lookUpRow(Evidence::profile).title})
        EXPECT_NE(plan.error().message.find(part), std::string::npos) << plan.error().message;
}

TEST_F(OwnKinds, AThresholdThatNobodyKnowsBreaksTheKind)
{
    const std::string text = unwrap(templateText("baseline"));
    write("odd.json", changed(changed(text, "\"kind\": \"baseline\"", "\"kind\": \"odd\""), "\"gross_error\"", "\"grossest_error\""));
    const KindRow row = findRow("odd");
    ASSERT_TRUE(row.broken);
    EXPECT_EQ(row.broken->code, ErrorCode::badInput);
    EXPECT_EQ(row.broken->where, (ownTemplatesFolder() / "odd.json").string());
    EXPECT_NE(row.broken->message.find("grossest_error"), std::string::npos);
    for (const char* known : {"gross_error", "speedup_min", "silence_timeout_s"})
        EXPECT_NE(row.broken->hint.find(known), std::string::npos) << known;
    EXPECT_EQ(templateText("odd").error().code, ErrorCode::badInput);
}

TEST_F(OwnKinds, ARowHasWhatItsTemplateHolds)
{
    write("a-file.json", changed(unwrap(templateText("baseline")), "\"kind\": \"baseline\"", "\"kind\": \"mine\""));
    write("notes.txt", "not a template");
    std::vector<std::string> kinds;
    for (const KindRow& row : sessionKinds())
        kinds.push_back(row.kind);
    EXPECT_EQ(kinds, (std::vector<std::string>{"baseline", "profile", "optimize", "expert", "debug", "mine"}));
    const KindRow carried = findRow("baseline");
    EXPECT_EQ(carried.where, "sessions/templates/baseline.json");
    const SessionTemplate plan = unwrap(parseTemplate(unwrap(templateText("baseline")), "baseline"));
    EXPECT_EQ(carried.title, plan.title);
    ASSERT_EQ(carried.phases.size(), plan.phases.size());
    EXPECT_EQ(carried.phases.front(), plan.phases.front().title);
    EXPECT_EQ(carried.gates, (std::vector<std::string>{"G1", "G2"}));
    const KindRow mine = findRow("mine");
    EXPECT_EQ(mine.where, (ownTemplatesFolder() / "a-file.json").string());
    EXPECT_EQ(mine.phases, carried.phases);
    EXPECT_EQ(templateText("none").error().where, "none");
    const Json json = kindsToJson();
    EXPECT_EQ(json["folder"], ownTemplatesFolder().string());
    ASSERT_EQ(json["kinds"].size(), 6U);
    EXPECT_EQ(json["kinds"][5], Json({{"kind", "mine"},
                                      {"title", mine.title},
                                      {"budget_minutes", 30.0},
                                      {"phases", mine.phases},
                                      {"gates", mine.gates},
                                      {"own", true},
                                      {"where", mine.where},
                                      {"error", nullptr}}));
    EXPECT_EQ(json["kinds"][0]["own"], false);
}

TEST_F(OwnKinds, TheSecondFileOfAKindIsBrokenByTheFirst)
{
    const std::string text = changed(unwrap(templateText("baseline")), "\"kind\": \"baseline\"", "\"kind\": \"mine\"");
    write("b.json", text);
    write("a.json", text);
    std::vector<KindRow> own;
    for (KindRow& row : sessionKinds())
        if (row.own)
            own.push_back(std::move(row));
    ASSERT_EQ(own.size(), 2U);
    EXPECT_EQ(own[0].where, (ownTemplatesFolder() / "a.json").string());
    EXPECT_FALSE(own[0].broken);
    ASSERT_TRUE(own[1].broken);
    EXPECT_EQ(own[1].broken->where, (ownTemplatesFolder() / "b.json").string());
    EXPECT_NE(own[1].broken->message.find(own[0].where), std::string::npos);
    EXPECT_TRUE(templateText("mine").ok());
}

TEST_F(KindTest, WithoutANameTheGateIsTheCurrentOneAndAtLastTheLast)
{
    const SessionId id = openKind("baseline");
    EXPECT_EQ(unwrap(engine.gate(id, "")).id, "G1");
    EXPECT_EQ(unwrap(engine.gate(id, "G2")).id, "G2");
    step(id);
    EXPECT_EQ(unwrap(engine.gate(id, "")).id, unwrap(engine.view(id)).gate);
    actionsToTheEnd(id);
    EXPECT_EQ(unwrap(engine.gate(id, "")).id, "G2");
    EXPECT_EQ(engine.gate(id, "G9").error().code, ErrorCode::notFound);
}

TEST_F(OwnKinds, ABrokenFileTakesNoNameFromAGoodOne)
{
    write("a.json", "not a template");
    write("b.json", changed(unwrap(templateText("baseline")), "\"kind\": \"baseline\"", "\"kind\": \"a\""));
    std::vector<KindRow> own;
    for (KindRow& row : sessionKinds())
        if (row.own)
            own.push_back(std::move(row));
    ASSERT_EQ(own.size(), 2U);
    EXPECT_EQ(own[0].kind, "a") << "named by its file";
    ASSERT_TRUE(own[0].broken);
    EXPECT_EQ(own[0].broken->where, (ownTemplatesFolder() / "a.json").string());
    EXPECT_EQ(own[1].kind, "a");
    EXPECT_FALSE(own[1].broken);
}

TEST_F(OwnKinds, AKindThatIsShippedIsNotReplaced)
{
    write("mine.json", unwrap(templateText("profile")));
    const std::vector<KindRow> rows = sessionKinds();
    ASSERT_TRUE(rows.back().own);
    ASSERT_TRUE(rows.back().broken);
    EXPECT_EQ(rows.back().broken->code, ErrorCode::badInput);
    EXPECT_EQ(rows.back().broken->where, (ownTemplatesFolder() / "mine.json").string());
    EXPECT_TRUE(templateText("profile"));
    std::filesystem::create_directories(ownTemplatesFolder() / "folder.json");
    const KindRow unreadable = findRow("folder");
    ASSERT_TRUE(unreadable.broken) << "it cannot be read";
    EXPECT_FALSE(templateText("folder"));
}

TEST_F(KindTest, OnlyKindsThatTryAChangeHaveItsActions)
{
    using enum SessionAction;
    const auto has = [](const std::string& kind, SessionAction action) {
        const std::vector<SessionAction> all = listActions(unwrap(parseTemplate(unwrap(templateText(kind)), kind)));
        return std::ranges::count(all, action) == 1;
    };
    for (const SessionAction change : {chooseFix, takeEdit, bisect, keep, revert, undo, verifySuite})
        for (const auto& [kind, known] : {std::pair{"baseline", false}, std::pair{"profile", false}, std::pair{"optimize", true},
                                          std::pair{"expert", true}, std::pair{"debug", true}})
            EXPECT_EQ(has(kind, change), known) << kind << ' ' << toString(change);
    for (const SessionAction debugging : {hypothesis, instrument, findFailing, SessionAction::analyze, sanitize, repeat, verifyMinimal})
        for (const char* kind : {"baseline", "profile", "optimize", "expert"})
            EXPECT_FALSE(has(kind, debugging)) << kind << ' ' << toString(debugging);
    for (const char* kind : {"baseline", "profile", "optimize", "expert", "debug"}) {
        EXPECT_TRUE(has(kind, document)) << kind;
        EXPECT_TRUE(has(kind, finish)) << kind;
        EXPECT_FALSE(has(kind, waive)) << kind;
    }
}

TEST_F(KindTest, ASessionGoesOnFromTheVariantThatWasKeptWhileTheCatalogHasIt)
{
    const auto openAt = [&](const std::string& kernel) {
        NewSession request;
        request.kernel = kernel;
        request.kind = "optimize";
        return toText(unwrap(engine.create(request)).start);
    };
    EXPECT_EQ(openAt("transpose"), "transpose/naive");
    const auto keptBy = [&](const std::string& name, const std::string& variant) {
        const SessionHeader header{{name}, name, "optimize", "", "transpose", Source::sample, "2030-01-0" + name, "{}"};
        ASSERT_TRUE(store->createSession(header, {1, "t", "opened", "{}"}));
        ASSERT_TRUE(store->appendEvent({name}, {2, "t", "kept", encode(Json{{"variant", variant}})}));
    };
    keptBy("1", "transpose/tiled");
    EXPECT_EQ(openAt("transpose"), "transpose/tiled");
    EXPECT_EQ(openAt("transpose/padded"), "transpose/padded") << "the one that is named";
    keptBy("2", "transpose/gone");
    EXPECT_EQ(openAt("transpose"), "transpose/naive") << "the catalog no longer has it";
}

} // namespace
} // namespace kl::test
