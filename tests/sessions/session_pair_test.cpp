// SPDX-License-Identifier: MIT
#include "sessions/report/session_pair.h"

#include "sessions/report/report.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

class SessionPairTest : public EngineTest {
protected:
    static const PairRow& rowOf(const SessionPair& pair, const std::string& id) { return *std::ranges::find(pair.rows, id, &PairRow::id); }
};

TEST_F(SessionPairTest, TwoSessionsStandSideBySide)
{
    const SessionId kept = open();
    stepTo(kept, "done");
    const SessionId fresh = open("transpose/padded");
    const SessionPair pair = valueOf(compareSessions(*store, catalog, kept, fresh));
    EXPECT_EQ(pair.a.row.gain, gainOf(valueOf(engine.view(kept))));
    EXPECT_EQ(rowOf(pair, "gain").b, "–");
    EXPECT_EQ(rowOf(pair, "kernel").a, "transpose/naive");
    EXPECT_EQ(rowOf(pair, "kernel").b, "transpose/padded");
    EXPECT_EQ(rowOf(pair, "gate:G1 Environment").a, "pass");
    for (const char* id : {"fix", "outcome", "minutes", "fix-parts", "document:root-cause", "refusals"})
        EXPECT_NE(std::ranges::find(pair.rows, id, &PairRow::id), pair.rows.end()) << id;
    const Report report = pairReport(pair);
    EXPECT_EQ(Json::parse(report.json)["a"]["gain"], *pair.a.row.gain);
    EXPECT_EQ(report.csv.rows.size(), pair.rows.size());
    EXPECT_EQ(compareSessions(*store, catalog, kept, kept).error().code, ErrorCode::badInput);
    EXPECT_EQ(compareSessions(*store, catalog, kept, {"nobody"}).error().code, ErrorCode::notFound);
}

} // namespace
} // namespace kl::test
