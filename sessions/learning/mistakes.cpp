// SPDX-License-Identifier: MIT
#include "sessions/learning/mistakes.h"

#include "core/device/device_table.h"
#include "sessions/session/events.h"
#include "sessions/session/rules.h"
#include "sessions/session/session_action.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kl::inline learning {
namespace {

constexpr std::array kOrder{mistake::kUnvalidatedBuild, mistake::kSharedMemoryAfterCompile, mistake::kBlindChange, mistake::kClaimsAsReal,
                            mistake::kScaledDownDesign, mistake::kLargeSizeFirst,           mistake::kTwoVariables};

class Counter {
public:
    void countMade(const char* id, const std::string& how) { add(id, how, false); }
    void countCaught(const char* id, const std::string& how) { add(id, how, true); }
    std::vector<Mistake> inOrder() const
    {
        std::vector<Mistake> ordered;
        for (const char* id : kOrder)
            for (const Mistake& item : found_)
                if (item.id == id)
                    ordered.push_back(item);
        return ordered;
    }

private:
    void add(const char* id, const std::string& how, bool refused)
    {
        auto item = std::find_if(found_.begin(), found_.end(), [&](const Mistake& m) { return m.id == id; });
        if (item == found_.end())
            item = found_.insert(found_.end(), Mistake{id, 0, 0, 0, how});
        ++item->count;
        item->caught += refused ? 1 : 0;
    }

    std::vector<Mistake> found_;
};

/// What has happened so far, as far as a later event's meaning depends on it.
struct State {
    bool environmentPassed = false;
    bool baselineMeasured = false;
    bool undecided = false;
    int claims = 0; ///< that no measurement has answered
    std::optional<Ratio> ratio;
};

bool hasPassed(const TracedEvent& checked)
{
    int i = 0;
    for (; !checked.word(fmt::format("checks.{}.id", i)).empty(); ++i)
        if (checked.word(fmt::format("checks.{}.requirement", i)) == "required" &&
            checked.word(fmt::format("checks.{}.result", i)) != "pass")
            return false;
    return i > 0;
}

/// Actions that rule baseline-first refuses for another reason: on another device than the session's.
bool leadsToBaseline(std::optional<SessionAction> action)
{
    using enum SessionAction;
    return action == checkEnvironment || action == verifySmallest || action == verifyStart || action == measureBaseline ||
           action == verifyMinimal || action == verifySuite;
}

/// Whether the rule refuses to optimize without a profile.
bool asksForProfile(const std::string& rule)
{
    return rule == rule::kProfileFirst || rule == rule::kStopBelowHalf;
}

void countRefusedAttempt(const TracedEvent& event, const State& state, Counter& counter)
{
    const std::string rule = event.word("rule");
    const std::string how = event.word("message");
    const std::optional<SessionAction> action = parseAction(event.word("action"));
    if (rule == "G1")
        counter.countCaught(mistake::kUnvalidatedBuild, how);
    else if (rule == rule::kSharedMemoryFirst)
        counter.countCaught(mistake::kSharedMemoryAfterCompile, how);
    else if (asksForProfile(rule))
        counter.countCaught(mistake::kBlindChange, how);
    else if (rule == rule::kBaselineFirst && state.environmentPassed && !state.baselineMeasured && !leadsToBaseline(action))
        counter.countCaught(mistake::kClaimsAsReal, how);
    else if (rule == rule::kSmallestFirst)
        counter.countCaught(mistake::kLargeSizeFirst, how);
    else if (rule == rule::kOneVariable && action == SessionAction::chooseFix &&
             (state.undecided || how.find(" at once: ") != std::string::npos))
        counter.countCaught(mistake::kTwoVariables, how);
}

void judgeMeasured(const TracedEvent& event, const State& state, Counter& counter)
{
    if (event.run->status == ResultStatus::compilationFailed && !state.environmentPassed)
        counter.countMade(mistake::kUnvalidatedBuild, "A build failed before any environment check had passed.");
    if (event.run->status == ResultStatus::deviceLimitsExceeded)
        counter.countMade(mistake::kSharedMemoryAfterCompile, "A run exceeded the device's limits.");
}

void follow(const TracedEvent& event, State& state)
{
    if (event.type == event::kOpened)
        while (!event.word(fmt::format("claims.{}.source", state.claims)).empty())
            ++state.claims;
    state.claims += event.type == event::kClaimAdded ? 1 : 0;
    if (event.type == event::kBaselineMeasured)
        state.claims = 0; // kernel and baseline were measured here, so the claim can be compared
    if (event.type == event::kEnvironmentChecked)
        state.environmentPassed = hasPassed(event);
    else if (event.type == event::kBaselineMeasured)
        state.baselineMeasured = true;
    else if (event.type == event::kFixChosen)
        state.undecided = true;
    else if (event.type == event::kEvaluated)
        state.ratio = event.ratio;
    else if (event.type == event::kKept || event.type == event::kParked || event.type == event::kReverted)
        state.undecided = false;
}

/// The opening answer names a GPU of the device table, and the session measures on another.
std::optional<std::string> otherTarget(const SessionTrace& trace)
{
    if (trace.events.empty() || trace.header.source == Source::sample)
        return std::nullopt;
    const GpuRow* target = findGpu(trace.events.front().word("answers.target-gpu"));
    const GpuRow* here = findGpu(trace.device());
    if (!target || !here || target->name == here->name)
        return std::nullopt;
    return fmt::format("Intended for {}, measured on {}.", target->name, here->name);
}

} // namespace

std::vector<Mistake> findMistakes(const SessionTrace& trace)
{
    Counter counter;
    State state;
    for (const TracedEvent& event : trace.events) {
        if (event.type == event::kRefusedAttempt)
            countRefusedAttempt(event, state, counter);
        if (event.run)
            judgeMeasured(event, state, counter);
        if (event.type == event::kWaived && event.word("gate") == "G1")
            counter.countMade(mistake::kUnvalidatedBuild, "The environment gate was waived: " + event.word("reason"));
        if (event.type == event::kKept && state.ratio && state.ratio->high < 1)
            counter.countMade(mistake::kBlindChange, "A change was kept that is slower than the variant it replaced.");
        follow(event, state);
        if (event.type == event::kFinished && state.claims > 0)
            counter.countMade(mistake::kClaimsAsReal,
                              fmt::format("The session ended with {} claims that were not checked by a measurement.", state.claims));
    }
    if (const std::optional<std::string> other = otherTarget(trace))
        counter.countMade(mistake::kScaledDownDesign, *other);
    return counter.inOrder();
}

int blindOptimizations(const SessionTrace& trace)
{
    int blind = 0;
    for (const TracedEvent& event : trace.events) {
        blind += event.type == event::kRefusedAttempt && asksForProfile(event.word("rule")) ? 1 : 0;
    }
    return blind;
}

} // namespace kl::inline learning
