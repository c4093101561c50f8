// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace kl::cli {

/// Keeps descriptors 0 to 2 from the files that are opened later where the caller closed them: a database that became descriptor 2 would
/// be written over by messages. A closed standard output stays one that cannot be written. Call before anything is opened.
void holdStandardStreams();

/// A text for a terminal: clean (cleanText), since parts of it may be anybody's, with the tones of toned() as escape sequences.
std::string forTerminal(const std::string& text);

/// Writes a message to standard error, clean. One that cannot be written is lost: it must not end the work that it tells of.
template <typename... Args> void say(fmt::format_string<Args...> text, Args&&... args)
{
    std::fputs(forTerminal(fmt::format(text, std::forward<Args>(args)...)).c_str(), stderr);
}

/// Writes to standard output unchanged: for programs or files. Throws std::system_error as fmt::print does.
void printRaw(std::string_view text);

/// Writes JSON and a line feed, characters that a terminal would act on escaped.
void printJson(std::string_view json);

/// Writes a part of an answer for people, by forTerminal. All that people read goes out here, or through say.
template <typename... Args> void printText(fmt::format_string<Args...> text, Args&&... args)
{
    printRaw(forTerminal(fmt::format(text, std::forward<Args>(args)...)));
}

/// Flushes standard output. Error bad-input, with the reason, where a part of the answer could not be written: a full disk or a closed
/// descriptor must not look like success. `failure` is that of an earlier write, where it is known. May be called again: the first
/// failure stays.
Status flushAnswer(std::error_code failure = {});

} // namespace kl::cli
