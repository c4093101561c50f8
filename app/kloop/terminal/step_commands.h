// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"
#include "core/codec/json.h"

#include <string>
#include <vector>

namespace kl::cli {

/// Steps that measure but name no device name this one from here on, in the form of --on: they continue what this command does.
void measureStepsOn(const std::string& device);

/// Steps that name no database name this one from here on, in the form of --db.
void keepStepsIn(const std::string& database);

/// Steps on the family's variants name them by this path from here on, as the command did: no other command knows the family by its id.
void nameFamilyByPath(const std::string& family, const std::string& path);
void forgetFamilyPaths();

/// What to do next, as commands of the command line. A word that the user has to replace is an argument's name in capitals: REASON.
std::vector<std::string> makeArgv(const NextStep& step);
/// The same as a shell takes it.
std::string formatCommand(const NextStep& step);
/// The program that a step takes, as people know it: "kloop profile", "ncu".
std::string nameTool(const NextStep& step);
/// A sentence and the commands that do it: "Profile it first: kloop session step --session N". No full stop follows a command, which would
/// be copied with it.
std::string withCommands(const std::string& text, const std::vector<NextStep>& steps);

/// Completes each step in an answer by `command` and `argv` (with --json), and the inputs by their `placeholder`. Texts beside
/// "next_steps" (hint, fix, text, next) get the commands as people read them.
void addStepCommands(Json& answer);

} // namespace kl::cli
