// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl::inline patterns {

/// A title as an id: "Pad the shared tile!" is "pad-the-shared-tile". Letters a to z, digits and single hyphens, at most 48 characters;
/// "untitled" when nothing is left of it.
std::string makeSlug(const std::string& title);

} // namespace kl::inline patterns
