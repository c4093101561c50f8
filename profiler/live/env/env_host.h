// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/live/env/command_runner.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline live {

class Nvml;

/// The machine as seen by the environment checks. Tests use a fake, so that every failure can be tested without a GPU.
/// Safe to call from several threads.
class EnvHost {
public:
    virtual ~EnvHost() = default;

    virtual std::optional<std::string> readFile(const std::string& path) const = 0;

    /// A variable of this program's environment; unset when it is not set or empty.
    virtual std::optional<std::string> variable(const std::string& name) const = 0;

    /// Files and folders whose names match `name` (as a shell's *) at most `depth` folders below `folder`, with their age in seconds; those
    /// that cannot be read are left out.
    struct Found {
        std::string path;
        double ageSeconds = 0;
    };
    virtual std::vector<Found> findNamed(const std::string& folder, const std::string& name, int depth) const = 0;

    /// The standard output of a program. Error environment: it was not found, failed, or took longer than `seconds`.
    virtual Result<std::string> run(const std::vector<std::string>& arguments, double seconds) const = 0;

    /// As run, for python, which imports nothing from the current folder (pythonCode).
    virtual Result<std::string> runPython(const std::string& code, double seconds) const = 0;

    /// Runs a command to its end, with any exit status. Error environment: it cannot be started.
    virtual Result<CommandResult> execute(const Command& command) const = 0;

    /// Body of http://169.254.169.254`path`, the metadata service of a cloud's host. Errors: notFound for 404; environment when nothing
    /// answers within half a second.
    virtual Result<std::string> metadata(const std::string& method, const std::string& path,
                                         const std::vector<std::string>& headers) const = 0;

    /// File of the first of `names` that loads: the loader's path, then, unless `loaderOnly`, the toolkit's folders for `component`.
    virtual std::optional<std::string> findLibrary(const std::vector<std::string>& names, const std::string& component,
                                                   bool loaderOnly) const = 0;

    /// Free bytes for this user where `path` is, or would be created.
    virtual Result<std::int64_t> freeBytes(const std::string& path) const = 0;

    /// The driver's version without any device. Error environment: no driver.
    virtual Result<std::string> driverVersion() const = 0;

    virtual Result<std::unique_ptr<Nvml>> nvml(const std::string& uuid) const = 0;
};

/// This machine.
const EnvHost& systemHost();

} // namespace kl::inline live
