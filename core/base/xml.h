// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl {

/// Text made safe for XML, HTML and SVG, in attributes too: & < > " ' escaped, control characters that XML cannot hold dropped.
std::string escapeXml(const std::string& text);

} // namespace kl
