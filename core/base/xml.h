// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl {

/// Text made safe for XML, HTML and SVG, in attributes too: & < > " ' escaped, and clean (cleanText).
std::string escapeXml(const std::string& text);

} // namespace kl
