// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// A kind of session that can be opened, or a file that should be one.
struct KindRow {
    std::string kind; ///< of a broken file, its name without the suffix
    std::string title;
    double budgetMinutes = 0;
    std::vector<std::string> phases; ///< titles
    std::vector<std::string> gates;  ///< ids
    bool own = false;                ///< a team's file, not one that the program carries
    std::string where;               ///< path
    std::optional<Error> broken;     ///< why it cannot be used
};

/// Where a team's own kinds lie, one JSON file each: `$XDG_DATA_HOME/kernelloop/templates`, else `~/.local/share/kernelloop/templates`.
std::filesystem::path ownTemplatesFolder();

/// Every kind: those that the program carries in the order of their use, then a team's own by name. A broken file is a row with its error,
/// and hides no other.
std::vector<KindRow> sessionKinds();

/// The text of a kind's template. Error badInput lists the kinds there are, or says what is wrong with the file.
Result<std::string> templateText(const std::string& kind);

} // namespace kl
