// SPDX-License-Identifier: MIT
#include "core/base/xml.h"

#include "core/base/clean_text.h"

namespace kl {

std::string escapeXml(const std::string& text)
{
    std::string safe;
    for (const char c : cleanText(text)) {
        switch (c) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        case '\'': safe += "&#39;"; break;
        default: safe += c;
        }
    }
    return safe;
}

} // namespace kl
