// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace kl {

/// Untrusted text as UTF-8 that is safe to show: invalid bytes become U+FFFD; what controls a terminal or hides from the
/// reader is left out: control characters but line feeds and tabs (C0, DEL, C1), directional and other invisible format characters (Unicode
/// Technical Report 36, "Bidirectional Text Spoofing"). The joiners U+200C and U+200D stay: words and emoji are written with them.
std::string cleanText(std::string_view bytes);

/// The same on one line: line feeds and tabs become blanks.
std::string cleanLine(std::string_view bytes);

/// JSON text with those characters written as \u escapes: the same value, safe to show.
std::string escapeHidden(std::string_view json);

} // namespace kl
