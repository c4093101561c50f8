// SPDX-License-Identifier: MIT
#include "core/base/xml.h"

namespace kl {

std::string escapeXml(const std::string& text)
{
    std::string safe;
    for (const char c : text) {
        switch (c) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        case '\'': safe += "&#39;"; break;
        default:
            if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t' || c == '\r')
                safe += c;
        }
    }
    return safe;
}

} // namespace kl
