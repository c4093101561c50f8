// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/store/store.h"

#include <string>
#include <vector>

namespace kl::inline patterns {

/// The rest of a pattern: why it holds, and how to apply it. Anything may be empty.
struct PatternBody {
    std::string why;
    std::string evidence; ///< a measurement
    std::vector<std::string> steps;
    std::string before; ///< code
    std::string after;  ///< code
    std::string example;
    std::vector<std::string> checklist;

    bool operator==(const PatternBody&) const = default;
};

/// The body of a pattern: the user's own, else the shipped one (resources/pattern-bodies.json), else empty.
Result<PatternBody> patternBody(const Store& store, const std::string& slug);

/// Replaces the fields of a pattern of the user's own that are not empty in `change`. Errors: notFound; badInput for a shipped one.
Status editPatternBody(Store& store, const std::string& slug, const PatternBody& change);

/// Replaces all of it, also with what is empty. Errors: as editPatternBody.
Status setPatternBody(Store& store, const std::string& slug, const PatternBody& body);

/// A retired pattern of the user's own is still listed, but no longer suggested. Errors: notFound; badInput for a shipped one.
Status retirePattern(Store& store, const std::string& slug, bool retired);
bool isRetired(const Store& store, const std::string& slug);

/// {why, evidence, steps[], before, after, example, checklist[]}
Json bodyToJson(const PatternBody& body);

} // namespace kl::inline patterns
