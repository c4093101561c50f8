// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "sessions/session/events.h"
#include "sessions/session/session_view.h"

#include <map>
#include <string>

namespace kl::inline session {

/// Evidence that is no longer valid because something that it depends on has changed, with a sentence on what changed: the device or its
/// driver, the current variant, or the kernel's source in the catalog. A finished session keeps what it ended with. A recording cannot
/// change with the source (its runs carry a warning of their own), so its source is not checked. Precondition: the runs of the view are
/// Precondition: the runs of the view are loaded.
std::map<Evidence, std::string> staleEvidence(const SessionView& view, const Catalog& catalog);

} // namespace kl::inline session
