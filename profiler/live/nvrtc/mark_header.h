// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

namespace kl::inline live {

/// How sources include resources/device/mark.h, with <> or "".
inline constexpr const char* kMarkHeader = "kernelloop/mark.h";
/// The option with which its marks leave their comments in the PTX.
inline constexpr const char* kMarkOption = "-DKL_TIMELINE";

/// Whether the source or one of the headers names the header of marks.
bool usesMarks(const std::string& source, const std::map<std::string, std::string>& headers);

/// The headers of a compilation: with the one of marks if it is used and no header has its name.
std::map<std::string, std::string> withMarkHeader(const std::string& source, std::map<std::string, std::string> headers);

} // namespace kl::inline live
