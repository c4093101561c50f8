// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/model/environment.h"
#include "sessions/measure/shell_settings.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline measure {

/// One step of the recipe.
struct RecipeStep {
    std::string title;
    std::string found;        ///< what the check saw: "torch 2.6.0+cu124"; empty for a step that it cannot see
    std::string command;      ///< lines for a shell, or code; may be empty
    std::optional<bool> done; ///< as the check saw it; unset: to be done by hand
};

/// How to build an extension with a CUDA kernel so that it loads: the pattern "single-compilation-unit", filled in with what a check of the
/// environment found and with the settings for the shell.
std::vector<RecipeStep> buildRecipe(const EnvReport& report, const std::vector<ShellSetting>& settings);

/// As Markdown, with a box to tick for each step.
std::string recipeMarkdown(const std::vector<RecipeStep>& steps);

/// [{title, found, command, done}]
Json recipeToJson(const std::vector<RecipeStep>& steps);

} // namespace kl::inline measure
