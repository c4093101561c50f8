// SPDX-License-Identifier: MIT
#include "profiler/remote/last_line.h"

#include "core/base/trimmed.h"

namespace kl::inline remote {

std::string lastLine(const std::string& text)
{
    const std::string all(trimText(text));
    std::string line(trimText(all.substr(all.rfind('\n') + 1)));
    while (line.ends_with('.'))
        line.pop_back();
    return line;
}

} // namespace kl::inline remote
