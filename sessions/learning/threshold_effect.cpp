// SPDX-License-Identifier: MIT
#include "sessions/learning/threshold_effect.h"

#include "core/base/try.h"
#include "sessions/measure/compare.h"
#include "sessions/session/gate.h"
#include "sessions/session/session_model.h"

namespace kl::inline learning {
namespace {

Error makeStoppedError()
{
    return {.code = ErrorCode::interrupted, .message = "Stopped by the user."};
}

void addChanges(const SessionModel& model, const SessionTemplate& other, std::vector<GateChange>& changes)
{
    for (const SessionTemplate::Gate& gate : model.plan.gates) {
        const GateResult before = evaluateGate(gate, {model.plan, model.view, model.family}).result;
        const GateResult after = evaluateGate(gate, {other, model.view, model.family}).result;
        if (before != after)
            changes.push_back({model.view.header.id, model.view.header.name, gate.id, before, after});
    }
}

} // namespace

Result<TreeEffect> computeTreeEffect(const Store& store, const Catalog& catalog, const DiagnosisTree& now, const DiagnosisTree& other,
                                     const Job& job)
{
    RunQuery query;
    query.profilesOnly = true;
    query.limit = kLookedProfiles + 1;
    KL_ASSIGN(const RunPage page, store.runPage(query));
    TreeEffect effect;
    for (const RunSummary& row : page.rows) {
        if (job.stop.stop_requested())
            return makeStoppedError();
        if (effect.looked == kLookedProfiles) {
            effect.more = true;
            break;
        }
        KL_ASSIGN(const RunRecord run, store.runWithoutCode(row.id));
        const auto fixes = catalogFixesFor(catalog, run);
        const std::string before = now.diagnose(run, fixes).finding.classId;
        const std::string after = other.diagnose(run, fixes).finding.classId;
        if (before != after)
            effect.changes.push_back({row.id, row.kernel, row.problem, before, after});
        ++effect.looked;
    }
    return effect;
}

Result<PlanEffect> computeThresholdsEffect(const Store& store, const Catalog& catalog, const std::string& kind,
                                           const std::map<std::string, double>& thresholds, const Job& job)
{
    KL_ASSIGN(const std::vector<SessionHeader> sessions, store.sessions({.kind = kind, .limit = kLookedSessions + 1}));
    PlanEffect effect;
    for (const SessionHeader& header : sessions) {
        if (job.stop.stop_requested())
            return makeStoppedError();
        if (effect.looked == kLookedSessions) {
            effect.more = true;
            break;
        }
        const Result<SessionModel> model = loadSession(store, catalog, header.id);
        if (!model) // a damaged one must not hide the others
            continue;
        SessionTemplate other = model->plan;
        for (const auto& [name, value] : thresholds)
            other.thresholds[name] = value;
        addChanges(*model, other, effect.changes);
        ++effect.looked;
    }
    return effect;
}

} // namespace kl::inline learning
