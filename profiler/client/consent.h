// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_command.h"
#include "profiler/collector.h"

namespace kl {

/// Whether what a file names may be started. Every request to a worker passes here first (startWorker). Safe to call from several threads.
class Consent {
public:
    virtual ~Consent() = default;

    /// Success for a command that the user has allowed, once asked about it; may wait for the answer, until job.stop. Error needsConsent
    /// with the command; interrupted.
    virtual Status allow(const FileCommand& command, const Job& job) = 0;
};

/// The error of a command that nobody has allowed.
Error needsConsent(const FileCommand& command);

/// The commands that a worker would start for this request, because a file says so, each once.
std::vector<FileCommand> fileCommandsIn(const std::string& verb, const Json& body);

/// A reference script, known by its text.
FileCommand referenceCommand(const ScriptSpec& script);

/// The build of a project's extension, known by the project file and the build scripts: files of its folder that the command names, and
/// those that build tools read unasked.
FileCommand extensionCommand(const ExtensionSpec& extension);

} // namespace kl
