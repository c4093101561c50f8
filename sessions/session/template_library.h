// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline session {

/// A kind of session, or a broken file of one.
struct KindRow {
    std::string kind; ///< of a broken file, its name without the suffix
    std::string title;
    double budgetMinutes = 0;
    std::vector<std::string> phases; ///< titles
    std::vector<std::string> gates;  ///< ids
    bool own = false;                ///< a team's file, not a built-in one
    std::string where;               ///< path
    std::optional<Error> broken;     ///< why it cannot be used
};

/// The folder of a team's own kinds, one JSON file each: `$XDG_DATA_HOME/kernelloop/templates`, else `~/.local/share/kernelloop/templates`.
std::filesystem::path ownTemplatesFolder();

/// Every kind: the built-in ones in the order of their use, then a team's own by name. A broken file is a row with its error,
/// and does not hide others.
std::vector<KindRow> sessionKinds();

/// The text of a kind's template. Error badInput lists the known kinds, or names the fault of the file.
Result<std::string> templateText(const std::string& kind);

} // namespace kl::inline session
