// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"

#ifndef Q_MOC_RUN
#include "sessions/measure/build_recipe.h"
#endif

namespace kl::ui {

/// What a check of one machine found.
struct CheckedMachine {
    DeviceSpec device;
    EnvReport report;
    std::vector<DeviceInfo> gpus;
    std::vector<ShellSetting> settings; ///< for a shell of this machine
    std::vector<RecipeStep> recipe;
};

/// What to check.
struct MachineWanted {
    DeviceSpec device;
    std::string project; ///< kernelloop.json; empty: that of the working folder
    std::string torch;   ///< required version; empty: any that fits
};

/// The check of `kloop env`, by the engine's device where it is that one, else by one opened for it. Errors: those of checkMachine.
Result<CheckedMachine> checkOneMachine(Engine& engine, const MachineWanted& wanted, const Job& job);

/// "this machine", "gpu7", "the recorded machine".
QString machineName(const DeviceSpec& device);

} // namespace kl::ui
