// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kl {

struct FileCommand;

/// What kind of failure an Error is. The command line maps each to one exit code (see exitCode).
enum class ErrorCode {
    usage,            ///< the command or request itself is malformed
    badInput,         ///< a file, address, value or database that cannot be used
    notFound,         ///< a named thing does not exist
    refused,          ///< a rule of the method blocks the action
    needsConsent,     ///< a file names a command that its reader has not allowed yet
    changedElsewhere, ///< another program changed the same session first
    inconclusive,     ///< measured, but no verdict can be given
    notComparable,    ///< the two sides were not measured under the same conditions
    environment,      ///< no GPU, no permission, a missing library or program
    notRecorded,      ///< the recorded sample does not hold the answer
    kernelFailed,     ///< the kernel faulted, hung, did not compile or was incorrect
    interrupted,      ///< canceled by the user
    internal,         ///< a defect of the program
};

/// One failure: what, why, where, and what to do about it. Shown to people unchanged.
struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string message;                             ///< what happened, one sentence
    std::string hint;                                ///< what to do next, in words and without commands; may be empty
    std::string where;                               ///< file, field, kernel or rule concerned; may be empty
    std::string detail;                              ///< compiler log, tail of stderr; may be empty
    std::shared_ptr<const FileCommand> command = {}; ///< of needsConsent
    std::vector<NextStep> next = {};                 ///< how to do what the hint says; the best first

    /// The same error with one more step to take: `return Error{…}.leadTo({StepId::listMetrics});`
    Error leadTo(NextStep step) &&
    {
        next.push_back(std::move(step));
        return std::move(*this);
    }

    bool operator==(const Error&) const = default;
};

/// The process exit code of an error: 1 refused, 2 usage, 3 inconclusive, 4 bad input, 5 environment, 6 internal, 130 interrupted.
int exitCode(ErrorCode code) noexcept;

/// The stable word of a code, as it appears in JSON ("bad-input").
const char* toString(ErrorCode code) noexcept;

/// Inverse of toString; an unknown word is ErrorCode::internal.
ErrorCode errorCodeFrom(const std::string& word) noexcept;

} // namespace kl
