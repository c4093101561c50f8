// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"

#include <string>

namespace kl::inline learning {

/// How often a mistake was made, over the sessions of a history, the shipped ones included.
struct MistakeCount {
    int made = 0;
    int caught = 0; ///< of these, refused before they cost anything

    bool operator==(const MistakeCount&) const = default;
};

/// Of the mistake with this id (MistakeKind::id). Replayed sessions do not count: they would count the recording.
MistakeCount mistakeCount(const History& history, const std::string& id);

} // namespace kl::inline learning
