// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/session/session_model.h"

namespace kl::inline session {

/// Whether a gate can be waived with a reason now. What was never measured cannot, but for the environment: there would be nothing to
/// decide by. Errors: refused by a rule, or for a finished session; badInput for a gate that has passed.
Status checkWaivable(const SessionModel& model, const GateView& gate);

} // namespace kl::inline session
