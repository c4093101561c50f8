// SPDX-License-Identifier: MIT
// Lines of the snapshots that hold a surface's errors and sentences.
#pragma once

#include "core/base/error.h"

#include <string>

namespace kl::test {

/// "case: message | hint".
inline std::string errorLine(const std::string& which, const Error& error)
{
    return which + ": " + error.message + (error.hint.empty() ? "" : " | " + error.hint) + '\n';
}

/// The text with a name for what differs from run to run, such as a folder.
inline std::string withName(std::string text, const std::string& part, const std::string& name)
{
    for (auto at = text.find(part); !part.empty() && at != std::string::npos; at = text.find(part, at + name.size()))
        text.replace(at, part.size(), name);
    return text;
}

} // namespace kl::test
