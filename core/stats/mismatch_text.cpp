// SPDX-License-Identifier: MIT
#include "core/stats/mismatch_text.h"

#include <fmt/format.h>

namespace kl::inline stats {

std::string mismatchText(const Mismatch& mismatch)
{
    std::string text = fmt::format("{}[{}]", mismatch.buffer, mismatch.index);
    if (!mismatch.element.empty())
        text += fmt::format(" ({})", mismatch.element);
    if (!mismatch.thread.empty())
        text += fmt::format(", {} ({})", mismatch.thread, mismatch.threadBy);
    text += ": " + (mismatch.got ? fmt::format("{:.9g}", *mismatch.got) : mismatch.fault);
    if (mismatch.expected)
        text += fmt::format(" instead of {:.9g}", *mismatch.expected);
    return text;
}

} // namespace kl::inline stats
