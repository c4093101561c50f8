// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl {

/// The texts for posix_spawn, null-terminated; they must outlive the list.
inline std::vector<char*> pointersOf(const std::vector<std::string>& texts)
{
    std::vector<char*> list;
    for (const std::string& text : texts)
        list.push_back(const_cast<char*>(text.c_str())); // posix_spawn does not write to it
    list.push_back(nullptr);
    return list;
}

} // namespace kl
