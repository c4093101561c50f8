// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/environment.h"
#include "profiler/protocol/messages.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline measure {

/// A variable that a user's own builds of CUDA extensions should have.
struct ShellSetting {
    std::string name;
    std::string value; ///< as the shell takes it, quoted; may refer to the variable itself
    std::string why;
    bool known = true; ///< false: the value cannot be found on this machine, and `why` says what is missing
};

/// What the environment check sets for its own build, for the user's shell: TORCH_CUDA_ARCH_LIST, MAX_JOBS, USE_NINJA,
/// TORCH_EXTENSIONS_DIR, CUDA_HOME and LD_LIBRARY_PATH. `arch`: "9.0", overrides the GPU's; needed where there is none.
std::vector<ShellSetting> shellSettings(const Hello* hello, const std::string& arch);

/// Lines for `eval` in a POSIX shell, with the reasons as comments.
std::string shellScript(const std::vector<ShellSetting>& settings);

/// A failed check, and what repairs it.
struct Repair {
    std::string check;   ///< id
    std::string command; ///< for a POSIX shell; empty: only a person can do it
    std::string text;    ///< the check's advice
};

/// What to do about a report's failed checks, the required ones first; at the end ninja, where the shell does not find it. Commands are
/// only those that change the user's own python packages and folders: nothing that needs root.
std::vector<Repair> listRepairs(const EnvReport& report);

/// Runs a repair's command on this machine, at most half an hour: torch is 2 GB. Ask the user first. `listen` gets its output. False if
/// it has no command, or the command fails.
bool runRepair(const Repair& repair, const std::function<void(std::string_view)>& listen);

} // namespace kl::inline measure
