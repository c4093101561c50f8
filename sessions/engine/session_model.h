// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "sessions/engine/events.h"
#include "sessions/engine/session_template.h"
#include "sessions/engine/session_view.h"
#include "sessions/store/store.h"

namespace kl {

/// A session as the engine sees it. `plan` is the snapshot in its header; a row of the shipped history has none.
struct SessionModel {
    SessionTemplate plan;
    SessionFacts facts;
    SessionView view;
    const KernelFamily* family = nullptr; ///< nothing when the catalog no longer has the kernel

    const GateView* gate(const std::string& id) const;
    /// The gate whose checks rest on a kind of evidence; nothing when the template asks for none.
    const GateView* gate(Evidence kind) const;
    /// Whether a gate is passed or waived; a gate that the template leaves out is.
    bool open(const std::string& gate) const;
    bool open(Evidence kind) const;
    /// Whether a kind of evidence is there, still counts and lets the session on: none of its required checks fails or is unknown, or its
    /// gate is waived. Kinds that the template does not ask for are.
    bool settled(Evidence kind) const;
    /// A change is being tried, or steps are parked, and neither kept nor given up.
    bool undecided() const { return (view.candidate || !view.parked.empty()) && !facts.kept && !facts.reverted; }
    /// Whether a change is being tried.
    bool trying() const { return view.candidate && !facts.kept && !facts.reverted; }
    /// Kept, or given up for good.
    bool decided() const { return facts.kept || facts.reverted; }
    /// The session debugs a wrong kernel: there is a failing case to find.
    bool debugs() const { return plan.asksFor(Evidence::failingCase); }
    /// The finding's fixes that have a ready variant one variable away and were not tried yet, best first. When debugging: the variants
    /// that fix the start.
    std::vector<Fix> readyFixes() const;
    /// The variant that stands is a user's own, with source text: it can be edited.
    bool editable() const;
    /// Hash of what the variant that stands would be built from now; empty when it cannot be built.
    std::string sourceNow() const;
    /// The edit that is being tried, or the last parked one, was edited further since it was taken.
    bool editMoved() const;

    const Catalog* catalog = nullptr; ///< that it was loaded with
};

/// Builds the view of a session: a pure function of its events and of the runs and comparisons that they name.
/// Errors: notFound; badInput for a damaged row.
Result<SessionModel> loadSession(const Store& store, const Catalog& catalog, const SessionId& id);

/// Fills phase, gate, blocked, rule, why and next. Called by loadSession. See decide_next.cpp.
void decideNext(SessionModel& model, const std::string& databaseLocation);

} // namespace kl
