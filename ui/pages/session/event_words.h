// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kl::inline store {
struct SessionEvent;
}

namespace kl::ui {

/// An event of a session's log as text: "Profiled", "Fix chosen: transpose/tiled".
QString eventWords(const SessionEvent& event);

} // namespace kl::ui
