// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/descriptor.h"
#include "sessions/engine/events.h"
#include "sessions/engine/session_template.h"
#include "sessions/engine/session_view.h"

#include <string>
#include <vector>

namespace kl {

/// What a check may look at: the events' facts, the runs they name (already in the view) and the thresholds of the session.
struct GateInput {
    const SessionTemplate& plan;
    const SessionFacts& facts;
    const SessionView& view;
    const KernelFamily* family = nullptr; ///< nothing when the catalog no longer has it
};

/// The closed list of check ids that a template may name.
const std::vector<std::string>& knownChecks();

/// What a check looks at. Precondition: id is known.
Evidence evidenceOfCheck(const std::string& id);

/// The rows of one check ("environment" gives one row a check of the machine). Precondition: id is known.
std::vector<CheckRow> evaluateCheck(const std::string& id, const GateInput& input);

} // namespace kl
