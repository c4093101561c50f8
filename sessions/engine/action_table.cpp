// SPDX-License-Identifier: MIT
#include "sessions/engine/action_table.h"

#include "sessions/engine/action_guards.h"
#include "sessions/engine/session_actions.h"

#include <algorithm>

namespace kl::inline engine {
namespace {

template <Evidence kind> bool asksFor(const SessionTemplate& plan)
{
    return plan.asksFor(kind);
}

bool triesAChange(const SessionTemplate& plan)
{
    return std::ranges::any_of(evidenceTable(),
                               [&](const EvidenceKind& row) { return aboutCandidate(row.evidence) && plan.asksFor(row.evidence); });
}

bool always(const SessionTemplate&)
{
    return true;
}

bool never(const SessionTemplate&)
{
    return false;
}

} // namespace

const std::vector<ActionRow>& actionTable()
{
    using enum SessionAction;
    using E = Evidence;
    using A = SessionActions;
    static const std::vector<ActionRow> table{
        {checkEnvironment, nullptr, "Check the environment", asksFor<E::environment>, {}, nullptr, &A::checkEnvironment},
        {validateBuild, nullptr, "Build verbosely and keep the log", asksFor<E::build>, {E::environment}, nullptr, &A::validateBuild},
        {verifySmallest,
         nullptr,
         "Run the kernel at its smallest size",
         asksFor<E::smallest>,
         {E::environment, E::build},
         nullptr,
         &A::verifySmallest},
        {verifyStart,
         nullptr,
         "Run the kernel at every size in the suite",
         asksFor<E::startSuite>,
         {E::environment, E::build},
         guard::smallestFirst,
         &A::verifyStart},
        {measureBaseline,
         nullptr,
         "Measure the kernel and its baseline",
         asksFor<E::baseline>,
         {E::environment, E::build},
         guard::baseline,
         &A::measureBaseline},
        {profile, "profile", "Profile the current kernel", asksFor<E::profile>, {E::environment}, guard::profile, &A::profile},
        {hypothesis, nullptr, "Write down what you believe is wrong", asksFor<E::hypothesis>, {E::environment}, nullptr, &A::hypothesis},
        {instrument,
         nullptr,
         "Write down how you will check it",
         asksFor<E::instrument>,
         {E::environment, E::hypothesis},
         nullptr,
         &A::instrument},
        {findFailing,
         nullptr,
         "Find the smallest size that fails",
         asksFor<E::failingCase>,
         {E::environment, E::hypothesis, E::instrument},
         nullptr,
         &A::findFailing},
        {analyze,
         nullptr,
         "Write down what was seen",
         asksFor<E::analysis>,
         {E::environment, E::hypothesis, E::instrument, E::failingCase},
         nullptr,
         &A::analyze},
        {chooseFix, nullptr, "Choose the one fix to apply", triesAChange, {}, guard::chooseFix, &A::chooseFix},
        {takeEdit, nullptr, "Take the edit of the source as the one change", triesAChange, {}, guard::takeEdit, &A::takeEdit},
        {verifyMinimal,
         nullptr,
         "Check the candidate at the size that failed",
         asksFor<E::minimalCase>,
         {},
         guard::tryCandidate,
         &A::verifyMinimal},
        {verifySuite,
         "verify",
         "Check the candidate at every size in the suite",
         asksFor<E::candidate>,
         {},
         guard::tryCandidate,
         &A::verifySuite},
        {checkMemory, nullptr, "Check the candidate for memory errors", asksFor<E::memory>, {}, guard::tryCandidate, &A::checkMemory},
        {evaluate,
         "evaluate",
         "Measure the candidate against the current variant",
         asksFor<E::evaluation>,
         {},
         guard::tryCandidate,
         &A::evaluate},
        {park,
         "park",
         "Set the candidate aside as a proven but small step (needs the option cumulative)",
         asksFor<E::evaluation>,
         {},
         guard::tryCandidate,
         &A::park},
        {sanitize,
         nullptr,
         "Run the kernel under compute-sanitizer",
         asksFor<E::failingCase>,
         {E::environment, E::hypothesis, E::instrument, E::failingCase},
         nullptr,
         &A::sanitize},
        {repeat, nullptr, "Go through the debugging loop again", asksFor<E::failingCase>, {}, guard::repeat, &A::repeat},
        {keep, "keep", "Keep the candidate", asksFor<E::candidate>, {}, guard::tryCandidate, &A::keep},
        {revert,
         "revert",
         "Go back to the current variant; your edit of the source is undone",
         asksFor<E::candidate>,
         {},
         guard::tryCandidate,
         &A::revert},
        {undo,
         "undo",
         "Undo the last keep or revert: its commit is reverted, its files are restored",
         asksFor<E::candidate>,
         {},
         guard::undo,
         &A::undo},
        {bisect,
         nullptr,
         "Search the kernel's git history for the commit that broke it",
         triesAChange,
         {E::environment},
         guard::bisect,
         &A::bisect},
        {document, nullptr, "Write the report and what was learned", always, {}, guard::end, &A::document},
        {finish, nullptr, "Finish the session", always, {}, guard::end, &A::finish},
        {waive, nullptr, "Waive a gate with a reason that is kept", never, {}, nullptr, nullptr},
    };
    return table;
}

const ActionRow& lookUpRow(SessionAction action)
{
    return actionTable()[static_cast<std::size_t>(action)]; // in the enumeration's order; a test holds it so
}

} // namespace kl::inline engine
