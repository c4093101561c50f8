// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>

namespace kl::inline diagnosis {

/// A fix in code: a few lines without it, and the same lines with it.
struct FixCode {
    std::string before;
    std::string after;
    std::string note; ///< what to look out for; may be empty

    bool operator==(const FixCode&) const = default;
};

/// resources/fix-code.json, by the fix's id in the tree. Error badInput names the field.
Result<std::map<std::string, FixCode>> parseFixCode(std::string_view json, std::string_view where);

/// The code of a fix of the built-in tree; null for others: a catalog's variant shows its own source.
const FixCode* fixCode(const std::string& id);

} // namespace kl::inline diagnosis
