// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace kl {

/// A UUID in its 36-character lower-case text form; Tag keeps ids of different tables apart at compile time. Empty: no id.
template <class Tag> struct Id {
    std::string text;

    bool empty() const noexcept { return text.empty(); }
    auto operator<=>(const Id&) const = default;
};

using RunId = Id<struct RunTag>;
using SessionId = Id<struct SessionTag>;
using PatternId = Id<struct PatternTag>;
using ComparisonId = Id<struct ComparisonTag>;

/// A new time-ordered UUID (version 7, RFC 9562): for rows that this program creates.
std::string newUuid();

/// The UUID of a name (version 5, SHA-1) in KernelLoop's namespace: for imports and replays, so that importing twice changes nothing.
std::string makeUuidFromName(std::string_view name);

/// SHA-1 of a text, 40 hexadecimal digits: identity of kernel sources and of canonical requests, not a security measure.
std::string contentHash(std::string_view text);

} // namespace kl
