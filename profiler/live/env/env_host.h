// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl {

class Nvml;

/// What the environment checks ask of the machine. A test answers with a fake, so that every failing path runs without a GPU.
/// Safe to call from two threads.
class EnvHost {
public:
    virtual ~EnvHost() = default;

    virtual std::optional<std::string> readFile(const std::string& path) const = 0;

    /// What a program wrote to its standard output. Error environment: it is not there, failed, or took longer than `seconds`.
    virtual Result<std::string> run(const std::vector<std::string>& arguments, double seconds) const = 0;

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

} // namespace kl
