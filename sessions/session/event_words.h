// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl::inline store {
struct SessionEvent;
}

namespace kl::inline session {

/// An event of a session's log as text, for the window and reports: "Profiled", "Kept transpose/tiled". One of an unknown type is its
/// type.
std::string describeEvent(const SessionEvent& event);

} // namespace kl::inline session
