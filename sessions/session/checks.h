// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/targets.h"
#include "kernels/model/descriptor.h"
#include "sessions/session/events.h"
#include "sessions/session/session_template.h"
#include "sessions/session/session_view.h"

#include <string>
#include <vector>

namespace kl::inline session {

/// The inputs of a check: the events' facts, the runs they name (already in the view) and the thresholds of the session.
struct GateInput {
    const SessionTemplate& plan;
    const SessionView& view;
    const KernelFamily* family = nullptr; ///< null when the catalog no longer has it
};

/// Whether compute-sanitizer's findings can be had: on a GPU, and where a variant with a fault on purpose was recorded, with its checks.
bool hasSanitizer(const SessionView& view, const KernelFamily* family);

/// The limits of a profile's five figures by a template's thresholds.
MetricLimits collectLimits(const SessionTemplate& plan);

/// The closed list of check ids that a template may name.
const std::vector<std::string>& listKnownChecks();

/// The evidence that a check uses. Precondition: id is known.
Evidence findCheckEvidence(const std::string& id);

/// The rows of one check ("environment" gives one row per check of the machine). Precondition: id is known.
std::vector<CheckRow> evaluateCheck(const std::string& id, const GateInput& input);

} // namespace kl::inline session
