// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/source_profile.h"

#include <map>
#include <string>
#include <string_view>

namespace kl::inject {

/// The source files of the hottest lines, by their names in the profile, if they are where the line table of `cubin` says they
/// were compiled: four at most, of 128 KiB each at most.
std::map<std::string, std::string> sourceTexts(const SourceProfile& profile, std::string_view cubin);

} // namespace kl::inject
