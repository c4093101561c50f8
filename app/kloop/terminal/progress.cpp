// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/progress.h"

#include "app/kloop/terminal/streams.h"
#include "core/base/clean_text.h"
#include "core/base/format.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace kl::cli {

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) != 0), last_(std::chrono::steady_clock::now()) {}

void ProgressLine::show(const Progress& progress)
{
    const std::scoped_lock lock(mutex_);
    std::string text = fmt::format("{}  {}", cleanLine(progress.step), formatElapsed(progress.elapsed));
    if (progress.expected)
        text += fmt::format(" of about {}", formatElapsed(*progress.expected));
    if (terminal_) {
        std::fputs(fmt::format("\r{:<{}}", text, width_).c_str(), stderr);
        std::fflush(stderr);
        width_ = text.size();
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::seconds(10))
        return;
    last_ = now;
    say("{}\n", text);
}

void ProgressLine::tell(const std::string& text)
{
    const std::scoped_lock lock(mutex_);
    wipe();
    say("kloop: {}\n", text);
}

void ProgressLine::clear()
{
    const std::scoped_lock lock(mutex_);
    wipe();
}

void ProgressLine::wipe()
{
    if (terminal_ && width_ > 0)
        std::fputs(fmt::format("\r{:{}}\r", "", width_).c_str(), stderr);
    width_ = 0;
}

} // namespace kl::cli
