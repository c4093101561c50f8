// SPDX-License-Identifier: MIT
#include "sessions/engine/action_table.h"

#include "core/diagnosis/decide.h"
#include "sessions/engine/guards.h"
#include "tests/sessions/engine_support.h"

#include <set>

namespace kl::test {
namespace {

TEST(ActionTable, IsInTheEnumerationsOrder)
{
    std::set<std::string> words;
    for (std::size_t i = 0; i < actionTable().size(); ++i) {
        const ActionRow& row = actionTable()[i];
        EXPECT_EQ(static_cast<std::size_t>(row.action), i);
        EXPECT_EQ(parseAction(toString(row.action)), row.action);
        EXPECT_TRUE(words.insert(toString(row.action)).second) << toString(row.action);
        EXPECT_STRNE(row.title, "");
    }
    EXPECT_EQ(actionTable().back().action, SessionAction::waive) << "the enumeration has more than the table";
    EXPECT_FALSE(parseAction("dance"));
}

TEST(ActionTable, EveryActionButTheWaiverHasAHandler)
{
    for (const ActionRow& row : actionTable())
        EXPECT_EQ(row.handler == nullptr, row.action == SessionAction::waive) << toString(row.action);
}

TEST(ActionTable, EveryKindOfEvidenceIsGatheredByTheActionOfItsRow)
{
    for (const EvidenceKind& row : evidenceTable())
        EXPECT_EQ(findActionEvidence(row.action), row.evidence) << row.title;
    EXPECT_FALSE(findActionEvidence(SessionAction::keep));
}

// core/diagnosis does not know the actions of a session.
TEST(ActionTable, HasTheActionsThatADecisionLeadsTo)
{
    std::set<std::string> words;
    for (const double speedup : {0.1, 0.7, 1.2, 1.7, 3.0})
        for (const double ms : {0.005, 0.5})
            for (const Decision::Step& one : decide(speedup, ms).next)
                if (one.step.id == StepId::actInSession)
                    words.insert(one.step.at(StepArgument::action));
    EXPECT_FALSE(words.empty());
    for (const std::string& word : words)
        EXPECT_TRUE(parseAction(word)) << word;
}

class ActionsOfASession : public EngineTest {};

TEST_F(ActionsOfASession, AnUnknownWordIsAnErrorThatNamesThoseOfItsKind)
{
    const SessionId id = open();
    EXPECT_EQ(unwrap(engine.action(id, "keep")), SessionAction::keep);
    const Result<SessionAction> unknown = engine.action(id, "kepe");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::usage);
    EXPECT_EQ(unknown.error().where, "kepe");
    EXPECT_EQ(refusedAct(id, SessionAction::sanitize).code, ErrorCode::usage) << "an optimize session debugs nothing";
}

TEST_F(ActionsOfASession, AGateSaysWhetherItCanBeWaived)
{
    const SessionId id = open();
    const SessionView fresh = unwrap(engine.view(id));
    EXPECT_TRUE(findGate(fresh, "G1").canBeWaived) << "the environment may be waived unasked";
    EXPECT_FALSE(findGate(fresh, "G2").canBeWaived) << "there is nothing to decide by";
    const SessionView measured = stepTo(id, "profile");
    EXPECT_FALSE(findGate(measured, "G2").canBeWaived) << "it has passed";
    for (const GateView& gate : measured.gates)
        EXPECT_EQ(gate.canBeWaived, engine.waive(id, gate.id, "as a test").ok()) << gate.id;
}

} // namespace
} // namespace kl::test
