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
    History history = valueOf(loadHistory(*store));
    const auto row = std::ranges::find(history.rows, id.text, &HistoryRow::id);
    ASSERT_NE(row, history.rows.end());
    EXPECT_TRUE(row->gates.empty());
    addOpenGates(history.rows, *store, catalog);
    ASSERT_EQ(row->gates.size(), 2U);
    EXPECT_EQ(row->gates[0].gate, "G1");
    EXPECT_EQ(row->gates[0].result, "pass");
    EXPECT_EQ(row->gates[1].gate, "G2");
}

} // namespace
} // namespace kl::test
