// SPDX-License-Identifier: MIT
#include "sessions/report/session_pair.h"

#include "core/base/format.h"
#include "sessions/patterns/pattern_library.h"
#include "sessions/patterns/session_lesson.h"
#include "sessions/report/report.h"
#include "sessions/session/session_document.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

class SessionPairTest : public EngineTest {
protected:
    static const PairRow& findRow(const SessionPair& pair, const std::string& id)
    {
        return *std::ranges::find(pair.rows, id, &PairRow::id);
    }
};

TEST_F(SessionPairTest, TwoSessionsStandSideBySide)
{
    const SessionId kept = open();
    stepTo(kept, "done");
    const SessionId fresh = open("transpose/padded");
    const SessionPair pair = unwrap(compareSessions(*store, catalog, kept, fresh));
    EXPECT_EQ(pair.a.row.gain, computeGain(unwrap(engine.view(kept))));
    EXPECT_EQ(findRow(pair, "gain").b, "–");
    EXPECT_EQ(findRow(pair, "kernel").a, "transpose/naive");
    EXPECT_EQ(findRow(pair, "kernel").b, "transpose/padded");
    EXPECT_EQ(findRow(pair, "gate:G1 Environment").a, "pass");
    for (const char* id : {"fix", "outcome", "minutes", "fix-parts", "document:root-cause", "refusals"})
        EXPECT_NE(std::ranges::find(pair.rows, id, &PairRow::id), pair.rows.end()) << id;
    const Report report = pairReport(pair);
    EXPECT_EQ(Json::parse(report.json)["a"]["gain"], *pair.a.row.gain);
    EXPECT_EQ(report.csv.rows.size(), pair.rows.size());
    EXPECT_EQ(compareSessions(*store, catalog, kept, kept).error().code, ErrorCode::badInput);
    EXPECT_EQ(compareSessions(*store, catalog, kept, {"nobody"}).error().code, ErrorCode::notFound);
}

/// Two sessions that differ in everything: one kept a change, the other has just begun.
class DifferentSessions : public SessionPairTest {
protected:
    DifferentSessions()
    {
        EXPECT_TRUE(seedPatterns(*store, unwrap(PatternLibrary::loadEmbedded())));
        kept = open();
        EXPECT_TRUE(engine.applyPattern(kept, "baseline-first"));
        refusedAct(kept, SessionAction::chooseFix, "transpose/tiled"); // before a profile
        stepTo(kept, "done");
        for (const DocumentQuestion& question : kDocumentQuestions)
            unwrap(engine.write(kept, std::string(question.id), "a " + std::string(question.id)));
        EXPECT_TRUE(store->saveCost({"k", kept.text, "2026-01-02T03:04:05.000Z", "gpu", 5, ""}));
        lesson = unwrap(saveLesson(*store, unwrap(engine.view(kept)))).slug;
        NewSession request;
        request.objective = "look only";
        request.kernel = "transpose/padded";
        request.kind = "profile";
        request.problem = unwrap(parseParams("M=64,N=65"));
        fresh = unwrap(engine.create(request)).header.id;
        unwrap(engine.write(fresh, "worked", "b worked"));
    }
    SessionId kept, fresh;
    std::string lesson;
};

TEST_F(DifferentSessions, EachRowHasTheFiguresOfItsSide)
{
    const SessionPair pair = unwrap(compareSessions(*store, catalog, kept, fresh));
    const SessionView view = unwrap(engine.view(kept));
    const auto a = [&](const std::string& id) { return findRow(pair, id).a; };
    const auto b = [&](const std::string& id) { return findRow(pair, id).b; };
    EXPECT_EQ(a("objective") + '|' + b("objective"), "make it fast|look only");
    EXPECT_EQ(a("kind") + '|' + b("kind"), "optimize|profile");
    EXPECT_EQ(a("problem") + '|' + b("problem"), "M=4096,N=4096|M=64,N=65");
    EXPECT_EQ(a("device"), "Fake H200 (recorded)");
    EXPECT_EQ(a("finding"), "Uncoalesced access.");
    EXPECT_EQ(a("fix"), view.fixTitle + " (transpose/tiled)");
    EXPECT_EQ(a("outcome"), "kept");
    EXPECT_EQ(b("outcome"), pair.b.row.statusText.empty() ? kNoValue : pair.b.row.statusText);
    EXPECT_EQ(a("gain"), formatRatio(view.evaluation->ratio->value));
    EXPECT_EQ(a("speedup"), formatRatio(0.25));
    EXPECT_EQ(b("speedup"), kNoValue);
    EXPECT_NE(a("minutes").find(formatMinutes(*pair.a.row.budgetMinutes)), std::string::npos) << a("minutes");
    EXPECT_EQ(a("fix-parts"), fixPartsText(view));
    EXPECT_EQ(a("cost"), formatMoney(5));
    EXPECT_EQ(b("cost"), kNoValue);
    EXPECT_EQ(a("refusals") + '|' + b("refusals"), "1|0");
    EXPECT_EQ(a("patterns"), "baseline-first");
    EXPECT_EQ(b("patterns"), kNoValue);
    EXPECT_EQ(a("lessons"), lesson);
    for (const DocumentQuestion& question : kDocumentQuestions)
        EXPECT_EQ(a("document:" + std::string(question.id)), "a " + std::string(question.id));
    EXPECT_EQ(b("document:worked"), "b worked");
    EXPECT_EQ(a("grade"), pair.a.row.grade.letter);
    for (const GateOutcome& gate : pair.a.row.gates)
        EXPECT_EQ(a("gate:" + formatTitle(gate)), gate.result);
    EXPECT_GE(pair.a.row.gates.size(), 5U);
}

TEST_F(DifferentSessions, TheOtherWayRoundTheSidesChangePlaces)
{
    const SessionPair pair = unwrap(compareSessions(*store, catalog, kept, fresh));
    const SessionPair other = unwrap(compareSessions(*store, catalog, fresh, kept));
    ASSERT_EQ(other.rows.size(), pair.rows.size());
    for (const PairRow& row : pair.rows) {
        EXPECT_EQ(findRow(other, row.id).a, row.b) << row.id;
        EXPECT_EQ(findRow(other, row.id).b, row.a) << row.id;
        EXPECT_FALSE(row.a == kNoValue && row.b == kNoValue) << row.id << " says nothing";
    }
}

TEST_F(DifferentSessions, TheReportHasARowForEachInEveryFormat)
{
    const SessionPair pair = unwrap(compareSessions(*store, catalog, kept, fresh));
    const Report report = pairReport(pair);
    const ReportModel::Table& table = report.model.sections.at(0).tables.at(0);
    EXPECT_EQ(table.columns, (std::vector<std::string>{"", "N", "N+1"}));
    EXPECT_EQ(report.csv.columns, (std::vector<std::string>{"what", "N", "N+1"}));
    EXPECT_EQ(report.model.tone, "neutral");
    const Json json = Json::parse(report.json);
    ASSERT_EQ(table.rows.size(), pair.rows.size());
    ASSERT_EQ(json["rows"].size(), pair.rows.size());
    for (std::size_t i = 0; i < pair.rows.size(); ++i) {
        const PairRow& row = pair.rows[i];
        EXPECT_EQ(table.rows[i], (std::vector<std::string>{row.title, row.a, row.b}));
        EXPECT_EQ(report.csv.rows[i], (std::vector<std::string>{row.id, row.a, row.b}));
        EXPECT_EQ(json["rows"][i], (Json{{"id", row.id}, {"title", row.title}, {"a", row.a}, {"b", row.b}}));
    }
    EXPECT_EQ(json["schema"], "kernelloop.session-compare/1");
    EXPECT_EQ(json["a"]["session"], kept.text);
    EXPECT_EQ(json["a"]["name"], "N");
    EXPECT_EQ(json["a"]["speedup"], 0.25);
    EXPECT_EQ(json["a"]["dollars"], 5);
    EXPECT_EQ(json["a"]["minutes"], findShownFigure(pair.a.row.minutes)->value);
    EXPECT_EQ(json["b"]["session"], fresh.text);
    EXPECT_EQ(json["b"]["gain"], nullptr);
    EXPECT_EQ(json["b"]["speedup"], nullptr);
    EXPECT_EQ(json["b"]["dollars"], nullptr);
}

} // namespace
} // namespace kl::test
