// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_command.h"
#include "profiler/collector.h"

namespace kl::inline client {

/// Decides whether commands in files may be started. Every request to a worker is checked here first (startWorker). Safe to call from
/// several threads.
class Consent {
public:
    virtual ~Consent() = default;

    /// Success for a command that the user allowed before or allows when prompted; waits for the answer, until job.stop. Error needsConsent
    /// with the command; interrupted.
    virtual Status allow(const FileCommand& command, const Job& job) = 0;
};

/// The files that a command's hash covers in addition to its own, for display: "build.sh, setup.py and 3 more"; empty where there are none.
std::string filesText(const FileCommand& command);

/// The error of a command that is not allowed yet.
Error needsConsent(const FileCommand& command);

/// The commands from files that a worker would start for this request, each once; of `trace` the program itself. `host`: of the worker, as
/// Collector::remoteHost() names it.
std::vector<FileCommand> fileCommandsIn(Verb verb, const Json& body, const std::string& host = {});

/// A program on another host, identified by the host and its words.
FileCommand remoteProgramCommand(const std::string& host, const std::vector<std::string>& command);

/// A reference script, identified by its text.
FileCommand referenceCommand(const ScriptSpec& script);

/// The build of a project's extension, identified by its folder, the project file and the build scripts: those in and below the folder, and
/// what files the command names. Not by code that it compiles or imports: allowing a folder's build allows what is built there.
FileCommand extensionCommand(const ExtensionSpec& extension);

/// The commands of a program's target.
struct ProgramCommands {
    std::string file;                               ///< that names them, absolute
    std::string fileHash;                           ///< SHA-256 of its text
    std::string folder;                             ///< where they run
    std::vector<std::vector<std::string>> commands; ///< each program and arguments, as written; never empty
    std::vector<std::string> edited;                ///< files that a session edits, relative to the folder: code, as that of an extension
    bool builds = false;                            ///< the first command builds: what it makes is code, too
};

/// All commands of a program's target at once, identified like the build of an extension. `command` is the first.
FileCommand programCommand(const ProgramCommands& program);

} // namespace kl::inline client
