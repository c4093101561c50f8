// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace kl::inline live {

/// Everything in a cubin that determines a launch: names and bytes of the sections that hold instructions (.text.*), constants
/// (.nv.constant*) and initialized variables (.nv.global.init). Two compilations with the same sections are the same program, regardless of
/// line tables and notes. Empty for an image that is not a 64-bit ELF file.
std::string codeSections(std::string_view cubin);

} // namespace kl::inline live
