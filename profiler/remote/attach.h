// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline remote {

/// What the host of a worker says in one line before the frames begin, after whatever its shell printed: "kloop-attach/1 NAME STATE", with
/// text behind some states.
enum class AttachState {
    ready,   ///< frames follow
    gone,    ///< no worker of that name runs
    missing, ///< no kloop-worker is installed; the text is what uname -sm prints
    failed,  ///< the text says why
};

struct AttachLine {
    AttachState state = AttachState::ready;
    std::string text;
    std::size_t end = 0; ///< offset behind the line
};

/// "kloop-attach/1 NAME": the beginning of that line.
std::string attachMark(const std::string& name);
/// The line that is for this name in what a host has printed so far; unset while it is not complete.
std::optional<AttachLine> findAttachLine(std::string_view printed, const std::string& name);

struct AttachOptions {
    std::string name;                 ///< of the worker
    bool start = false;               ///< it, first
    std::vector<std::string> program; ///< that supervises it, with its arguments: it gets the listening socket as its standard input
};

/// What ssh runs on the host of the worker: connects standard input and output to the supervisor of that name until either ends. The exit
/// status of the process.
int attachToWorker(const AttachOptions& options);

} // namespace kl::inline remote
