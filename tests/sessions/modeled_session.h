// SPDX-License-Identifier: MIT
// A session's model made by hand, for what follows from its facts.
#pragma once

#include "kernels/catalog.h"
#include "sessions/session/gate.h"
#include "sessions/session/session_model.h"
#include "sessions/session/stale_evidence.h"
#include "sessions/session/template_library.h"
#include "tests/support/store_support.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <tuple>

namespace kl::test {

inline SessionTemplate shipped(const std::string& kind)
{
    return *parseTemplate(*templateText(kind), kind);
}

/// A view with everything in order, up to an evaluated candidate.
class ModeledSession : public testing::Test {
protected:
    ModeledSession()
    {
        model.plan = shipped("optimize");
        model.catalog = &catalog;
        model.family = *catalog.family("transpose");
        SessionView& view = model.view;
        view.header = {{"s1"}, "N", "optimize", "Be fast", "transpose", Source::live, "2026-01-01T00:00:00.000Z", "{}"};
        view.start = view.current = {"transpose", "naive", {}};
        view.problem = model.family->problems.front();
        view.candidate = Address{"transpose", "tiled", {}};
        view.fix = "transpose/tiled";
        view.fixTitle = "Stage the tile";
        view.fixSeq = 6;
        view.environment = EnvReport{{{"gpu", Requirement::required, CheckResult::pass, "H200", "w", "f"}}, ""};
        view.memoryCheck = MemoryCheck{findSourceHash(*view.candidate), "nothing", "", 0, true};
        int seq = 0;
        using enum Evidence;
        for (const auto& [kind, run, address] :
             {std::tuple{smallest, &view.smallestRun, &view.start}, std::tuple{baseline, &view.baselineRun, &view.start},
              std::tuple{profile, &view.profileRun, &view.start}, std::tuple{candidate, &view.candidateRun, &*view.candidate}}) {
            *run = support::profiledRun("r" + std::to_string(++seq), address->variant, "t", 20'000);
            (*run)->problem = view.problem;
            (*run)->sourceHash = findSourceHash(*address);
            (*run)->speedup = 1.3;
            (*run)->launches = {{"kernel", 16, 256, 32, 0, 1024, 0}};
            (*run)->device.smemPerBlockOptin = 232448;
            for (const Params& size : model.family->suite)
                (*run)->correctness.suite.push_back({toText(size), true});
            view.evidence[kind] = seq + 1;
            view.runs[kind] = (*run)->id;
        }
        view.evidence[environment] = 1;
        view.evidence[candidate] = 7;
        view.evidence[memory] = 8;
        view.evidence[evaluation] = 9;
        view.evaluation.emplace();
        view.evaluation->id = {"c1"};
        view.evaluation->verdict = Verdict::faster;
        view.evaluation->ratio = Ratio{1.3, 1.25, 1.4};
        view.evaluation->blocks = 10;
    }

    std::string findSourceHash(const Address& address) const { return catalog.identify(address, model.view.problem)->sourceHash; }
    GateView gate(const std::string& id) const { return evaluateGate(*model.plan.gate(id), {model.plan, model.view, model.family}); }
    /// As loadSession() does.
    void evaluate()
    {
        model.view.stale = staleEvidence(model.view, catalog);
        model.view.gates.clear();
        model.view.next.clear();
        model.view.phases.clear();
        model.view.rule.reset();
        model.view.gate.clear();
        for (const SessionTemplate::Gate& one : model.plan.gates)
            model.view.gates.push_back(gate(one.id));
        for (const SessionTemplate::Phase& phase : model.plan.phases)
            model.view.phases.push_back(
                {phase.id, phase.title, "", phase.budgetMinutes, 0, PhaseState::upcoming, phase.gates, {}, model.plan.listEvidence(phase)});
        decideNext(model, Store::defaultLocation());
    }
    /// "evaluate: keep revert", a locked action with "!".
    std::string next()
    {
        evaluate();
        std::string text = model.view.phase + ':';
        for (const NextAction& action : model.view.next)
            text += std::string(" ") + toString(action.action) + (action.argument.empty() ? "" : "=" + action.argument) +
                    (action.enabled ? "" : "!");
        return text;
    }
    void forget(std::initializer_list<Evidence> kinds)
    {
        SessionView& view = model.view;
        using enum Evidence;
        for (const Evidence kind : kinds) {
            view.evidence.erase(kind);
            view.runs.erase(kind);
            for (const auto& [of, run] : {std::pair{smallest, &view.smallestRun}, std::pair{baseline, &view.baselineRun},
                                          std::pair{profile, &view.profileRun}, std::pair{candidate, &view.candidateRun}})
                if (of == kind)
                    run->reset();
            if (kind == memory)
                view.memoryCheck.reset();
            if (kind == evaluation)
                view.evaluation.reset();
        }
    }
    void dropCandidate()
    {
        using enum Evidence;
        forget({candidate, memory, evaluation});
        model.view.candidate.reset();
    }

    Catalog catalog = *Catalog::loadEmbedded();
    SessionModel model;
};

} // namespace kl::test
