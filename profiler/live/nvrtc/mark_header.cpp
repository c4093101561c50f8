// SPDX-License-Identifier: MIT
#include "profiler/live/nvrtc/mark_header.h"

#include "core/base/resource.h"

#include <algorithm>

namespace kl::inline live {

bool usesMarks(const std::string& source, const std::map<std::string, std::string>& headers)
{
    const auto names = [](const std::string& text) { return text.find(kMarkHeader) != std::string::npos; };
    return names(source) || std::ranges::any_of(headers, [&](const auto& header) { return names(header.second); });
}

std::map<std::string, std::string> withMarkHeader(const std::string& source, std::map<std::string, std::string> headers)
{
    if (!usesMarks(source, headers))
        return headers;
    if (const Result<std::string_view> text = resource("resources/device/mark.h"))
        headers.try_emplace(kMarkHeader, *text);
    return headers;
}

} // namespace kl::inline live
