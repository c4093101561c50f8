// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/environment.h"
#include "kernels/catalog.h"
#include "profiler/collector.h"

#include <filesystem>
#include <string>

namespace kl::inline measure {

struct MachineCheck {
    std::string project;       ///< project file; empty: kernelloop.json of the working folder or above it
    std::string requiredTorch; ///< overrides the project's; empty: as in the project
    std::string diskPath;      ///< folder whose free space is checked; empty: the working folder
};

/// The environment check of `kloop env` and of gate G1: checks the device with the additions of the project file, and writes the log. A
/// recording answers as it was recorded: no project, no log. A build that the user has not allowed is left out: its check fails, and the
/// report's `refused` says so. Errors: a project file that cannot be read; the collector's.
Result<EnvReport> checkMachine(const Catalog& catalog, Collector& collector, const MachineCheck& wanted, const Job& job);

/// The report where no worker could be started: what is missing, and whether a driver is loaded at all. `failure`: why it could not;
/// `remote`: it should have run on another host. Writes the log.
EnvReport reportWithoutWorker(const Error& failure, bool remote);

/// The folder of the check's logs: $XDG_STATE_HOME/kernelloop, or ~/.local/state/kernelloop. The newest twenty stay.
std::filesystem::path logFolder();

/// Appends the report to the log and sets its logFile. If no log can be written, the report gets a failed,
/// optional line "log-file" instead.
void keepLog(EnvReport& report, const std::string& file);

/// A name for a new log in logFolder(), which is made; empty if that fails.
std::string newLogFile();

} // namespace kl::inline measure
