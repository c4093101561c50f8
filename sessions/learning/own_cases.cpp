// SPDX-License-Identifier: MIT
#include "sessions/learning/own_cases.h"

#include "core/base/try.h"
#include "core/codec/json_read.h"
#include "kernels/space/search_space.h"
#include "sessions/learning/scripted.h"
#include "sessions/session/events.h"
#include "sessions/store/search_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace kl::inline learning {
namespace {

constexpr std::size_t kPointsLooked = 300;
constexpr int kPage = 1000;

void join(std::vector<FixState>& states, FixState state)
{
    const auto same = std::ranges::find_if(states, [&](const FixState& known) {
        return known.kernel == state.kernel && known.problem == state.problem && known.device == state.device;
    });
    if (same == states.end()) {
        states.push_back(std::move(state));
        return;
    }
    for (FixOutcome& outcome : state.outcomes)
        if (std::ranges::find(same->outcomes, outcome.to, &FixOutcome::to) == same->outcomes.end())
            same->outcomes.push_back(std::move(outcome));
}

/// Follows a session's events: the last profile, the chosen change, the verdict of its A/B.
class SessionCases {
public:
    SessionCases(const Store& store, const Catalog& catalog, const DiagnosisTree& tree, std::vector<FixState>& states)
        : store_(store), catalog_(catalog), tree_(tree), states_(states)
    {
    }

    void take(const SessionEvent& event, const Json& data)
    {
        if (event.type == event::kProfiled) {
            const Result<RunRecord> run = store_.runWithoutCode({textAt(data, "run")});
            profiled_ = run && run->diagnosis && run->source == Source::live ? std::optional(*run) : std::nullopt;
        } else if (event.type == event::kFixChosen || event.type == event::kEditBegun) {
            fix_ = textAt(data, "fix");
            candidate_ = textAt(data, "candidate");
        } else if (event.type == event::kEvaluated && profiled_) {
            noteEvaluated(textAt(data, "comparison"));
        }
    }

private:
    void noteEvaluated(const std::string& id)
    {
        const Result<Comparison> comparison = store_.comparison({id});
        if (!comparison || !comparison->ratio || !(comparison->ratio->value > 0))
            return;
        const Result<Address> to = parseAddress(candidate_);
        const bool edit = candidate_.empty() || !to || *to == profiled_->kernel;
        std::optional<std::string> kind = edit ? std::optional(fix_) : classifyChange(catalog_, profiled_->kernel, *to);
        if (!kind || kind->empty())
            return;
        FixState state = computeState(*profiled_, tree_);
        state.outcomes.push_back({edit ? "edit " + id : candidate_, std::move(*kind), std::log(comparison->ratio->value)});
        join(states_, std::move(state));
    }

    const Store& store_;
    const Catalog& catalog_;
    const DiagnosisTree& tree_;
    std::vector<FixState>& states_;
    std::optional<RunRecord> profiled_;
    std::string fix_;
    std::string candidate_;
};

Status addSessions(const Store& store, const Catalog& catalog, const DiagnosisTree& tree, std::vector<FixState>& states)
{
    KL_ASSIGN(const std::vector<SessionHeader> sessions, store.sessions());
    KL_ASSIGN(const std::set<std::string> scripted, listScriptedSessions(store));
    for (const SessionHeader& header : sessions) {
        if (header.source != Source::live || header.isShipped() || scripted.contains(header.id.text))
            continue;
        KL_ASSIGN(const std::vector<SessionEvent> events, store.events(header.id));
        SessionCases cases(store, catalog, tree, states);
        for (const SessionEvent& event : events) {
            KL_ASSIGN(const Json data, parseJson(event.dataJson.empty() ? "{}" : event.dataJson, "event of session " + header.name));
            cases.take(event, data);
        }
    }
    return {};
}

/// A profile, and a run with a time, of each point: the newest.
Result<std::vector<RunRecord>> newestRuns(const Store& store)
{
    RunQuery query;
    query.limit = kPage;
    KL_ASSIGN(const std::vector<RunSummary> summaries, store.runs(query));
    std::set<std::string> points, profiles;
    std::vector<RunRecord> runs;
    for (const RunSummary& row : summaries) {
        if (row.source != Source::live || !isUsable(row) || !row.gpuNs || runs.size() >= kPointsLooked)
            continue;
        const std::string point = row.kernel + ' ' + row.problem + ' ' + row.device;
        const bool first = points.insert(point).second;
        const bool firstProfile = !row.classId.empty() && profiles.insert(point).second;
        if (!first && !firstProfile)
            continue;
        KL_ASSIGN(RunRecord run, store.runWithoutCode(row.id));
        runs.push_back(std::move(run));
    }
    return runs;
}

/// What searches timed, one change away from a profile. Both times are of the one search.
Status addSearches(const Store& store, const Catalog& catalog, const DiagnosisTree& tree, const std::vector<RunRecord>& runs,
                   std::vector<FixState>& states)
{
    using Searched = std::tuple<std::string, std::string, std::string>; // device, kernel, problem
    std::map<Searched, std::map<std::string, double>> read;             // many profiles are points of one search
    for (const RunRecord& run : runs) {
        const Result<const KernelFamily*> family = catalog.family(run.kernel.family);
        const Result<const Variant*> variant = catalog.variant(run.kernel);
        if (!family || !variant || (*variant)->tunables.empty() || !isProfile(run) || !isUsable(run))
            continue;
        const Searched searched{run.device.name, toText(Address{run.kernel.family, run.kernel.variant, {}}), toText(run.problem)};
        auto times = read.find(searched);
        if (times == read.end()) {
            KL_ASSIGN(auto saved, std::apply([&](const auto&... of) { return loadSearchTimes(store, of...); }, searched));
            times = read.emplace(searched, std::move(saved)).first;
        }
        const auto before = times->second.find(toText(makeAddress(**family, **variant, run.kernel.tunables)));
        if (before == times->second.end())
            continue;
        std::vector<FixOutcome> outcomes;
        for (const auto& [kernel, ns] : times->second)
            if (const Result<Address> to = parseAddress(kernel))
                if (std::optional<std::string> kind = classifyChange(catalog, run.kernel, *to))
                    outcomes.push_back({kernel, std::move(*kind), std::log(before->second / ns)});
        if (outcomes.empty())
            continue;
        FixState state = computeState(run, tree);
        state.outcomes = std::move(outcomes);
        join(states, std::move(state));
    }
    return {};
}

} // namespace

Result<std::vector<FixState>> ownStates(const Store& store, const Catalog& catalog, const DiagnosisTree& tree)
{
    std::vector<FixState> states;
    KL_TRY(addSessions(store, catalog, tree, states));
    KL_ASSIGN(const std::vector<RunRecord> runs, newestRuns(store));
    for (FixState& state : computeStates(runs, catalog, tree))
        join(states, std::move(state));
    KL_TRY(addSearches(store, catalog, tree, runs, states));
    for (FixState& state : states)
        state.own = true;
    return states;
}

} // namespace kl::inline learning
