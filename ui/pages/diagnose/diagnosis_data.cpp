// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/diagnosis_data.h"

#include "core/base/try.h"
#include "ui/context/app_context.h"
#include "ui/context/baselines.h"
#include "ui/import/opened_runs.h"
#include "ui/pages/shared/kernel_rows.h"

#include <algorithm>
#include <set>

namespace kl::ui {
namespace {

constexpr int kMostProfiles = 1000;

Result<std::vector<RunSummary>> listProfiles(const Store& store, const std::vector<RunRecord>& opened)
{
    RunQuery query;
    query.profilesOnly = true;
    query.limit = kMostProfiles;
    Result<std::vector<RunSummary>> profiles = store.runs(query);
    if (profiles)
        for (const RunRecord& other : opened)
            profiles->insert(profiles->begin(), summarizeRun(other));
    return profiles;
}

/// A run that is older than the list reaches back to is found by its id.
Result<RunRecord> findRun(const Store& store, const std::vector<RunSummary>& profiles, const std::string& wanted,
                          const std::vector<RunRecord>& opened)
{
    if (Result<RunRecord> run = store.run(RunId{wanted}))
        return run;
    const auto found = std::ranges::find_if(profiles, [&](const RunSummary& p) { return p.id.text == wanted || p.kernel == wanted; });
    return findOpenedOrStored(store, opened, found == profiles.end() ? profiles.front().id : found->id);
}

std::optional<RuleOutcome> findRule(const std::vector<RuleCase>& cases, const RunRecord& run)
{
    if (run.diagnosis)
        for (const RuleOutcome& outcome : ruleOutcomes(cases, run.source == Source::sample))
            if (outcome.rule == run.diagnosis->finding.classId)
                return outcome;
    return {};
}

std::vector<RunRecord> readFamily(const Store& store, const std::vector<RunSummary>& profiles, const RunRecord& run)
{
    std::vector<RunRecord> family;
    if (run.program || run.imported)
        return family; // the other kernels of a program are not variants of this one
    std::set<std::string> seen{toText(run.kernel)};
    for (const RunSummary& profile : profiles) {
        const bool sameFamily = profile.kernel.starts_with(run.kernel.family + '/');
        if (!sameFamily || profile.problem != toText(run.problem) || profile.device != run.device.name ||
            !seen.insert(profile.kernel).second)
            continue;
        if (Result<RunRecord> other = store.runWithoutCode(profile.id))
            family.push_back(std::move(*other));
    }
    return family;
}

Advice adviseOn(const RunRecord& run, Engine& engine)
{
    const auto model = engine.recommender();
    if (model)
        return advise(run, *engine.catalog, *engine.tree, **model);
    Advice advice; // the finding is shown all the same
    advice.sentence = "The fix model cannot be read: " + model.error().message;
    return advice;
}

} // namespace

std::vector<const RunRecord*> DiagnosisData::runs() const
{
    std::vector<const RunRecord*> all;
    if (run)
        all.push_back(&*run);
    for (const RunRecord& other : baselines)
        all.push_back(&other);
    for (const RunRecord& other : family)
        if (std::ranges::find(baselines, other.id, &RunRecord::id) == baselines.end())
            all.push_back(&other);
    return all;
}

Result<DiagnosisData> readDiagnosis(Engine& engine, const std::string& wanted, const std::vector<RunRecord>& opened,
                                    const std::vector<RunId>& pinned)
{
    const Store& store = *engine.store;
    DiagnosisData data;
    KL_ASSIGN(data.profiles, listProfiles(store, opened));
    if (data.profiles.empty())
        return data;
    KL_ASSIGN(data.run, findRun(store, data.profiles, wanted, opened));
    const RunRecord& run = *data.run;
    if (run.diagnosis && std::ranges::find(data.profiles, run.id, &RunSummary::id) == data.profiles.end())
        data.profiles.push_back(summarizeRun(run)); // older than the list reaches back
    KL_ASSIGN(data.kernels, KernelRows::instance().readOrigin(store, opened, run));
    KL_ASSIGN(const std::vector<RuleCase> cases, engine.ruleCases());
    data.rule = findRule(cases, run);
    data.family = readFamily(store, data.profiles, run);
    for (std::size_t i = 0; i < pinned.size(); ++i)
        if (Result<RunRecord> baseline = findOpenedOrStored(store, opened, pinned[i]); baseline && baseline->id != run.id) {
            data.baselines.push_back(std::move(*baseline));
            data.colors.push_back(Baselines::colorAt(static_cast<int>(i)));
        }
    if (run.diagnosis)
        data.advice = adviseOn(run, engine);
    return data;
}

} // namespace kl::ui
