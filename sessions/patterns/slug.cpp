// SPDX-License-Identifier: MIT
#include "sessions/patterns/slug.h"

#include <cctype>

namespace kl::inline patterns {

std::string makeSlug(const std::string& title)
{
    constexpr std::size_t kLongest = 48;
    std::string slug;
    for (const char c : title) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 && std::isalnum(byte) != 0)
            slug += static_cast<char>(std::tolower(byte));
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
        if (slug.size() == kLongest)
            break;
    }
    while (!slug.empty() && slug.back() == '-')
        slug.pop_back();
    return slug.empty() ? "untitled" : slug;
}

} // namespace kl::inline patterns
