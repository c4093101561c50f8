// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdio>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace kl {

/// Keeps descriptors 0 to 2 from the files that are opened later where the caller closed them: a database that became descriptor 2 would
/// be written over by messages. A closed standard output stays one that cannot be written. Call before anything is opened.
void holdStandardStreams();

/// Writes a message to standard error. One that cannot be written is lost: it must not end the work that it tells of.
template <typename... Args> void say(fmt::format_string<Args...> text, Args&&... args)
{
    std::fputs(fmt::format(text, std::forward<Args>(args)...).c_str(), stderr);
}

/// Flushes standard output. Error bad-input, with the reason, where a part of the answer could not be written: a full disk or a closed
/// descriptor must not look like success. `failure` is that of an earlier write, where it is known. May be called again: the first
/// failure stays.
Status flushAnswer(std::error_code failure = {});

} // namespace kl
