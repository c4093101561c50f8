// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"
#include "core/codec/json.h"

#include <vector>

namespace kl {

/// [{id, arguments: {name: value}, inputs: [{argument, question, choices[]}]}]; the command line adds command and argv.
Json stepsToJson(const std::vector<NextStep>& steps);
/// Inverse of stepsToJson. Steps and arguments that this program does not know are left out: a newer one may have written them.
std::vector<NextStep> stepsFromJson(const Json& json);

} // namespace kl
