// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl::inline remote {

/// What a program said last, for a sentence: "Permission denied (publickey)".
std::string lastLine(const std::string& text);

} // namespace kl::inline remote
