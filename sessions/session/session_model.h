// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "sessions/session/events.h"
#include "sessions/session/session_template.h"
#include "sessions/session/session_view.h"
#include "sessions/store/store.h"

namespace kl::inline session {

/// A session as the engine sees it. `plan` is the snapshot in its header; a row of the shipped history has none.
struct SessionModel {
    SessionTemplate plan;
    SessionView view;
    const KernelFamily* family = nullptr; ///< null when the catalog no longer has the kernel

    const GateView* gate(const std::string& id) const;
    /// The gate whose checks use a kind of evidence; null if the template has none.
    const GateView* gate(Evidence kind) const;
    /// Whether a gate is passed or waived; a gate that the template leaves out is.
    bool open(const std::string& gate) const;
    bool open(Evidence kind) const;
    /// Whether a kind of evidence exists, is valid and does not block: none of its required checks fails or is unknown, or its
    /// gate is waived. True for kinds that the template does not use.
    bool settled(Evidence kind) const;
    /// There is a candidate, or there are parked steps, neither kept nor dropped.
    bool undecided() const { return (view.candidate || !view.parked.empty()) && !view.kept && !view.reverted; }
    /// Whether there is a candidate.
    bool trying() const { return view.candidate && !view.kept && !view.reverted; }
    /// Kept, or dropped for good.
    bool decided() const { return view.kept || view.reverted; }
    /// The session debugs an incorrect kernel: there is a failing case to find.
    bool debugs() const { return plan.asksFor(Evidence::failingCase); }
    /// The finding's untried fixes that have a variant one variable away, best first. When debugging: the variants
    /// that fix the start.
    std::vector<Fix> readyFixes() const;
    /// The current variant is a user's own, with source text: it can be edited.
    bool editable() const;
    /// Hash of the current source of the current variant; empty when it cannot be built.
    std::string sourceNow() const;
    /// The current edit, or the last parked one, was edited again after it was taken.
    bool editMoved() const;

    const Catalog* catalog = nullptr; ///< used for loading
};

/// Builds the view of a session: a pure function of its events and of the runs and comparisons that they name.
/// Errors: notFound; badInput for a damaged row.
Result<SessionModel> loadSession(const Store& store, const Catalog& catalog, const SessionId& id);

/// Fills phase, gate, blocked, rule, why and next. Called by loadSession. See decide_next.cpp.
void decideNext(SessionModel& model, const std::string& databaseLocation);

} // namespace kl::inline session
