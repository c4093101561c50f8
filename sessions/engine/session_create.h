// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/engine/session_engine.h"
#include "sessions/session/session_template.h"

namespace kl::inline engine {

/// Header and opening event of a new session: name, start variant, problem, template snapshot, answers to the opening questions.
struct SessionDraft {
    SessionHeader header;
    SessionEvent opened;
};

/// Where a session starts: the variant named, else the one last kept, else the first of the family that is meant to be correct. Debugging
/// starts from the first variant with a fault on purpose, where the family has one.
Result<Address> chooseStart(const NewSession& request, const SessionTemplate& plan, const KernelFamily& family, Workbench& bench);

/// Errors: notFound (kernel), badInput (kind, name taken, unknown question, problem, budget).
Result<SessionDraft> draftSession(const NewSession& request, Workbench& bench);

} // namespace kl::inline engine
