// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "sessions/session/events.h"
#include "sessions/session/session_view.h"

#include <map>
#include <string>

namespace kl {

/// Evidence that counts no more because what it rests on has changed since, with what changed, one sentence: the device or its driver, the
/// variant that stands, or the kernel's source in the catalog. A finished session keeps what it ended with. A recording cannot change
/// with the source (its runs carry a warning of their own), so on one the source is not asked.
/// Precondition: the runs of the view are loaded.
std::map<Evidence, std::string> staleEvidence(const SessionFacts& facts, const SessionView& view, const Catalog& catalog);

} // namespace kl
