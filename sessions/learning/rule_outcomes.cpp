// SPDX-License-Identifier: MIT
#include "sessions/learning/rule_outcomes.h"

#include "core/base/try.h"
#include "core/codec/json_read.h"
#include "core/diagnosis/estimates.h"
#include "sessions/session/events.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace kl::inline learning {
namespace {

constexpr int kProfilesLooked = 500; ///< newest ones
constexpr double kPaid = 0.01;

/// What a profile promised.
struct Promise {
    std::string rule;
    std::string kernel;
    std::string problem;
    double estimated = 0;
    bool replayed = false;
};

std::optional<Promise> findPromise(const RunRecord& run)
{
    if (!run.diagnosis || !run.diagnosis->finding.estimate || run.diagnosis->finding.inferred || run.source == Source::import)
        return {};
    const Finding& finding = run.diagnosis->finding;
    return Promise{finding.classId, toText(run.kernel), toText(run.problem), finding.estimate->runtimeReduction,
                   run.source == Source::sample};
}

/// Pairs (kernel, fix, problem) that were taken from a session.
using Pairs = std::set<std::string>;

std::string formatPair(const RuleCase& one)
{
    return one.kernel + " > " + one.fix + ' ' + one.problem;
}

Status addSession(const Store& store, const SessionHeader& header, std::vector<RuleCase>& cases, Pairs& pairs)
{
    KL_ASSIGN(const std::vector<SessionEvent> events, store.events(header.id));
    std::optional<Promise> promise;
    std::string fix;
    for (const SessionEvent& item : events) {
        KL_ASSIGN(const Json data, parseJson(item.dataJson.empty() ? "{}" : item.dataJson, "event of session " + header.name));
        if (item.type == event::kProfiled) {
            const Result<RunRecord> run = store.runWithoutCode({textAt(data, "run")});
            promise = run ? findPromise(*run) : std::nullopt;
        } else if (item.type == event::kFixChosen) {
            const std::string candidate = textAt(data, "candidate");
            fix = candidate.empty() || (promise && candidate == promise->kernel) ? textAt(data, "title") : candidate;
        } else if (item.type == event::kEvaluated && promise) {
            const Result<Comparison> comparison = store.comparison({textAt(data, "comparison")});
            if (!comparison || !comparison->ratio || !(comparison->ratio->value > 0))
                continue;
            cases.push_back({promise->rule, promise->kernel, fix, promise->problem, promise->estimated, 1 - 1 / comparison->ratio->value,
                             "session " + header.name, item.at, promise->replayed});
            pairs.insert(formatPair(cases.back()));
        }
    }
    return {};
}

/// Looks for the runs that came after a profile. Profiles come by the hundred, variants do not: their lists and times are read once.
class LaterRuns {
public:
    explicit LaterRuns(const Store& store) : store_(store) {}

    /// The first run of `variant` after `before`, on the same problem and device, that has a time.
    Result<std::optional<RunSummary>> after(const RunSummary& before, const std::string& variant)
    {
        auto runs = runs_.find(variant);
        if (runs == runs_.end()) {
            RunQuery query;
            query.kernel = variant;
            KL_ASSIGN(std::vector<RunSummary> listed, store_.runs(query)); // newest first
            runs = runs_.emplace(variant, std::move(listed)).first;
        }
        std::optional<RunSummary> first;
        for (const RunSummary& run : runs->second)
            if (run.kernel == variant && run.problem == before.problem && run.device == before.device && run.source == before.source &&
                run.gpuNs && isUsable(run) && (run.startedAt >= before.startedAt || run.source == Source::sample))
                first = run;
        return first;
    }

    Result<std::optional<Timing>> timing(const RunId& id)
    {
        auto known = timings_.find(id.text);
        if (known == timings_.end()) {
            KL_ASSIGN(RunRecord run, store_.runWithoutCode(id));
            known = timings_.emplace(id.text, std::move(run.timing)).first;
        }
        return known->second;
    }

private:
    const Store& store_;
    std::map<std::string, std::vector<RunSummary>> runs_; ///< by variant
    std::map<std::string, std::optional<Timing>> timings_;
};

Status addRuns(const Store& store, std::vector<RuleCase>& cases, Pairs& pairs)
{
    RunQuery query;
    query.profilesOnly = true;
    query.limit = kProfilesLooked;
    KL_ASSIGN(const std::vector<RunSummary> profiles, store.runs(query));
    LaterRuns later(store);
    for (const RunSummary& profile : profiles) {
        if (!isUsable(profile) || !profile.gpuNs || !(*profile.gpuNs > 0) || profile.source == Source::import)
            continue;
        KL_ASSIGN(const RunRecord run, store.runWithoutCode(profile.id));
        const std::optional<Promise> promise = findPromise(run);
        if (!promise)
            continue;
        for (const Fix& fix : run.diagnosis->finding.fixes) { // the best that has a run: what comes after it fixes something else
            RuleCase one{promise->rule,    promise->kernel, fix.variant, promise->problem, promise->estimated, 0, "runs", {},
                         promise->replayed};
            if (fix.variant.empty() || pairs.contains(formatPair(one)))
                continue;
            KL_ASSIGN(const std::optional<RunSummary> after, later.after(profile, fix.variant));
            if (!after)
                continue;
            KL_ASSIGN(const std::optional<Timing> then, later.timing(after->id));
            const std::optional<double> realized =
                run.timing && then ? computeRealizedReduction(promise->rule, *run.timing, *then) : std::nullopt;
            if (!realized)
                continue;
            one.realized = *realized;
            one.at = after->startedAt;
            pairs.insert(formatPair(one));
            cases.push_back(std::move(one));
            break;
        }
    }
    return {};
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

} // namespace

bool RuleCase::isHit() const
{
    return estimated <= 2 * realized && estimated >= realized / 2;
}

Result<std::vector<RuleCase>> ruleCases(const Store& store)
{
    KL_ASSIGN(const std::vector<SessionHeader> sessions, store.sessions());
    std::vector<RuleCase> cases;
    Pairs pairs;
    for (const SessionHeader& header : sessions)
        if (!header.isShipped())
            KL_TRY(addSession(store, header, cases, pairs));
    KL_TRY(addRuns(store, cases, pairs));
    std::ranges::stable_sort(cases, {}, &RuleCase::at);
    return cases;
}

std::vector<RuleOutcome> ruleOutcomes(const std::vector<RuleCase>& cases, bool replayed)
{
    const bool measured = !std::ranges::all_of(cases, &RuleCase::replayed);
    std::map<std::string, std::vector<const RuleCase*>> byRule;
    for (const RuleCase& one : cases)
        if (!one.replayed || (replayed && !measured))
            byRule[one.rule].push_back(&one);
    std::vector<RuleOutcome> outcomes;
    for (const auto& [rule, list] : byRule) {
        RuleOutcome outcome;
        outcome.rule = rule;
        std::vector<double> estimated, realized;
        double logs = 0;
        for (const RuleCase* one : list) {
            ++outcome.cases;
            outcome.hits += one->isHit() ? 1 : 0;
            outcome.paid += one->realized >= kPaid ? 1 : 0;
            estimated.push_back(one->estimated);
            realized.push_back(one->realized);
            logs += std::log(one->estimated > 0 ? std::clamp(one->realized / one->estimated, 0.05, 20.0) : 1);
        }
        outcome.estimated = median(std::move(estimated));
        outcome.realized = median(std::move(realized));
        outcome.factor = std::exp(logs / (outcome.cases + kPriorCases));
        outcomes.push_back(std::move(outcome));
    }
    std::ranges::stable_sort(outcomes, std::ranges::greater{}, &RuleOutcome::cases);
    return outcomes;
}

} // namespace kl::inline learning
