// SPDX-License-Identifier: MIT
#include "profiler/import/text_cleanup.h"

#include <cstddef>

namespace kl::inline nsight {

std::string withoutMarkup(const std::string& text)
{
    std::string plain;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t open = text.find('@', at);
        const std::size_t close = open == std::string::npos ? open : text.find('@', open + 1);
        if (close == std::string::npos)
            break;
        const std::string inner = text.substr(open + 1, close - open - 1);
        const std::size_t colon = inner.find(':', inner.find(':') == std::string::npos ? inner.size() : inner.find(':') + 1);
        const bool url = inner.starts_with("url:");
        if (colon == std::string::npos || (!url && !inner.starts_with("section:"))) {
            plain += text.substr(at, close - at); // an @ of the text itself; the second may open a mark
            at = close;
            continue;
        }
        plain += text.substr(at, open - at);
        plain += url ? inner.substr(4, colon - 4) + " (" + inner.substr(colon + 1) + ')' : inner.substr(colon + 1);
        at = close + 1;
    }
    return plain + text.substr(at);
}

} // namespace kl::inline nsight
