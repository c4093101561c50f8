// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalogue.h"
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
    const KernelFamily* family = nullptr; ///< nothing when the catalogue no longer has the kernel

    const GateView* gate(const std::string& id) const;
    /// Whether a gate is passed or waived.
    bool open(const std::string& gate) const;
    /// A fix is being tried and neither kept nor reverted.
    bool undecided() const { return view.candidate && !facts.kept && !facts.reverted; }
    /// The finding's fixes that have a ready variant one variable away and were not tried yet, best first.
    std::vector<Fix> readyFixes() const;
};

/// Builds the view of a session: a pure function of its events and of the runs and comparisons that they name.
/// Errors: notFound; badInput for a damaged row.
Result<SessionModel> loadSession(const Store& store, const Catalogue& catalogue, const SessionId& id);

/// Fills phase, gate, blocked, rule, why and next. Called by loadSession.
void decideNext(SessionModel& model, const std::string& databaseLocation);

} // namespace kl
