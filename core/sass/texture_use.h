// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace kl::inline sass {

/// Whether a function's machine code reads textures or accesses surfaces; `code`: CubinFunction::code.
bool usesTextures(std::string_view code);

} // namespace kl::inline sass
