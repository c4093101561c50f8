// SPDX-License-Identifier: MIT
#include "sessions/learning/rediagnose.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/measure/compare.h"

#include <chrono>
#include <fmt/format.h>

namespace kl::inline learning {
namespace {

constexpr int kListed = 1000;

/// Without fixes: their chances change with every measured case.
Diagnosis stripFixes(Diagnosis diagnosis)
{
    diagnosis.finding.fixes.clear();
    for (Finding& finding : diagnosis.secondary)
        finding.fixes.clear();
    return diagnosis;
}

} // namespace

bool isOfAnotherTree(const Diagnosis& diagnosis, const DiagnosisTree& tree)
{
    return diagnosis.treeVersion != tree.version();
}

Result<std::vector<Rediagnosis>> rediagnoseRuns(Store& store, const Catalog& catalog, const DiagnosisTree& tree, Recommender& recommender,
                                                const std::vector<RunId>& runs, bool keep, const Job& job)
{
    if (keep)
        KL_TRY(checkStorable(store));
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    std::vector<Rediagnosis> all;
    for (const RunId& id : runs) {
        if (job.stop.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "Stopped by the user.", .where = "run:" + id.text};
        KL_ASSIGN(RunRecord run, store.runWithoutCode(id));
        if (!run.diagnosis)
            return Error{.code = ErrorCode::badInput,
                         .message =
                             fmt::format("Run {} of {} was not profiled: there is no finding to renew.", id.text, toText(run.kernel)),
                         .hint = "Name a profile.",
                         .where = "run:" + id.text};
        Rediagnosis one{id, toText(run.kernel), toText(run.problem), run.device.name, *run.diagnosis, {}, false};
        run.diagnosis = diagnoseIn(catalog, tree, run);
        static_cast<void>(recommender.weigh(run)); // without a model, fixes have the tree's confidence
        one.after = *std::move(run.diagnosis);
        if (keep && stripFixes(one.before) != stripFixes(one.after)) {
            KL_TRY(store.saveDiagnosis(id, {isoNow(), one.after}));
            one.stored = true;
        }
        all.push_back(std::move(one));
        job.report(fmt::format("diagnosed {} of {}", all.size(), runs.size()), elapsed(), {});
    }
    return all;
}

Result<std::vector<RunId>> listStoredProfiles(const Store& store)
{
    std::vector<RunId> ids;
    RunQuery query;
    query.profilesOnly = true;
    query.limit = kListed;
    for (;;) {
        KL_ASSIGN(const std::vector<RunSummary> page, store.runs(query));
        for (const RunSummary& run : page)
            ids.push_back(run.id);
        if (page.size() < static_cast<std::size_t>(kListed))
            return ids;
        query.beforeStartedAt = page.back().startedAt;
        query.beforeId = page.back().id.text;
    }
}

} // namespace kl::inline learning
