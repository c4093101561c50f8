// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace kl {

/// Everything of a cubin that decides what a launch does: names and bytes of the sections that hold instructions (.text.*), constants
/// (.nv.constant*) and initialized variables (.nv.global.init). Two compilations with the same are the same program, whatever their line
/// tables and notes say. Empty for an image that is no 64-bit ELF file.
std::string codeSections(std::string_view cubin);

} // namespace kl
