// SPDX-License-Identifier: MIT
#include "sessions/learning/open_gates.h"

#include "tests/sessions/engine_support.h"

#include <algorithm>

namespace kl::test {
namespace {

class OpenGates : public EngineTest {};

TEST_F(OpenGates, AnOpenSessionShowsTheGatesThatWereAsked)
{
    const SessionId id = open();
    stepTo(id, "profile");
    History history = unwrap(loadHistory(*store));
    const auto row = std::ranges::find(history.rows, id.text, &HistoryRow::id);
    ASSERT_NE(row, history.rows.end());
    EXPECT_TRUE(row->gates.empty());
    addOpenGates(history.rows, *store, catalog);
    ASSERT_EQ(row->gates.size(), 2U);
    EXPECT_EQ(row->gates[0].gate, "G1");
    EXPECT_EQ(row->gates[0].result, "pass");
    EXPECT_EQ(row->gates[1].gate, "G2");
}

TEST_F(OpenGates, RowsThatAreFinishedShippedOrUnreadableStayAsTheyAre)
{
    const SessionId id = open();
    stepTo(id, "profile");
    History history = unwrap(loadHistory(*store));
    HistoryRow row = *std::ranges::find(history.rows, id.text, &HistoryRow::id);
    row.gates = {{"G7", "kept", FigureKind::quoted, {}, ""}};
    std::vector<HistoryRow> rows(4, row);
    rows[0].status = SessionStatus::complete;
    rows[1].sample = true;
    rows[2].id = "gone";
    addOpenGates(rows, *store, catalog);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(rows[static_cast<std::size_t>(i)].gates, row.gates) << i;
    ASSERT_EQ(rows[3].gates.size(), 2U) << "in place of what was there";
    EXPECT_EQ(rows[3].gates[0].title, "Environment");
    EXPECT_EQ(rows[3].gates[0].kind, FigureKind::measured);
    EXPECT_EQ(rows[3].gates[1].result, "fail");
}

TEST_F(OpenGates, AWaivedGateIsWaivedAndOthersKeepTheirResult)
{
    const SessionId other = open();
    stepTo(other, "baseline");
    gpu.environment.checks = {{"gpu", Requirement::required, CheckResult::fail, "busy", "", ""}};
    const SessionId id = open();
    step(id);
    unwrap(engine.waive(id, "G1", "it is shared"));
    History history = unwrap(loadHistory(*store));
    addOpenGates(history.rows, *store, catalog);
    const auto gatesIn = [&](const SessionId& session) {
        std::vector<std::string> texts;
        for (const GateOutcome& gate : std::ranges::find(history.rows, session.text, &HistoryRow::id)->gates)
            texts.push_back(gate.gate + ' ' + gate.result);
        return texts;
    };
    EXPECT_EQ(gatesIn(id), (std::vector<std::string>{"G1 waived"}));
    EXPECT_EQ(gatesIn(other), (std::vector<std::string>{"G1 pass"})) << "each session has its own";
}

} // namespace
} // namespace kl::test
