// SPDX-License-Identifier: MIT
#include "profiler/inject/launch_selector.h"

namespace kl {

LaunchSelector::LaunchSelector(TraceConfig config) : config_(std::move(config))
{
    if (config_.kernel.empty())
        return;
    expression_.emplace();
    if (::regcomp(&*expression_, config_.kernel.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
        expression_.reset();
        broken_ = true;
    }
}

LaunchSelector::~LaunchSelector()
{
    if (expression_)
        ::regfree(&*expression_);
}

std::string LaunchSelector::unfit(const std::string& kernel)
{
    for (const char* library : {"nccl", "nvshmem"})
        if (kernel.find(library) != std::string::npos)
            return "it waits for other GPUs: repeated alone for its counters it would never end";
    return {};
}

bool LaunchSelector::matches(const std::string& kernel) const
{
    if (broken_ || !unfit(kernel).empty())
        return false;
    return !expression_ || ::regexec(&*expression_, demangled(kernel).c_str(), 0, nullptr, 0) == 0;
}

std::optional<int> LaunchSelector::next(const std::string& kernel, bool possible)
{
    const auto [found, fresh] = kernels_.try_emplace(kernel);
    Known& known = found->second;
    if (fresh)
        known.wanted = matches(kernel);
    const int index = known.launches++;
    if (!possible || !known.wanted || known.profiled || index < config_.skip || profiled_ >= config_.count || outOfTime())
        return {};
    known.profiled = true;
    ++profiled_;
    return index;
}

} // namespace kl
