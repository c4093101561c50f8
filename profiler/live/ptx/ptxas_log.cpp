// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/ptxas_log.h"

#include "profiler/live/ptx/ptx_text.h"

#include <charconv>

namespace kl::inline live {
namespace {

/// The text between the first pair of quotes.
std::string extractQuoted(std::string_view line)
{
    const auto open = line.find('\'');
    const auto close = open == std::string_view::npos ? open : line.find('\'', open + 1);
    return close == std::string_view::npos ? std::string() : std::string(line.substr(open + 1, close - open - 1));
}

/// The number before a phrase: 40 in "Used 40 registers".
std::int64_t numberBefore(std::string_view line, std::string_view phrase)
{
    const auto at = line.find(phrase);
    if (at == std::string_view::npos || at == 0)
        return 0;
    auto begin = at;
    while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9')
        --begin;
    std::int64_t number = 0;
    std::from_chars(line.data() + begin, line.data() + at, number);
    return number;
}

} // namespace

std::map<std::string, KernelResources> kernelResources(std::string_view ptxasLog)
{
    std::map<std::string, KernelResources> kernels;
    KernelResources* kernel = nullptr; // whose lines follow
    bool properties = false;           // the next line has its stack and spills
    for (const std::string_view line : splitOn(ptxasLog, '\n')) {
        if (line.find("Compiling entry function") != std::string_view::npos) {
            kernel = &kernels[extractQuoted(line)];
        } else if (const auto at = line.find("Function properties for "); at != std::string_view::npos) {
            const std::string_view name = trimText(line.substr(at + std::string_view("Function properties for ").size()));
            const auto known = kernels.find(std::string(firstWord(name)));
            properties = known != kernels.end() && kernel == &known->second; // not of a function that it calls
        } else if (properties && line.find("bytes stack frame") != std::string_view::npos) {
            kernel->stackBytes = numberBefore(line, " bytes stack frame");
            kernel->spillStores = numberBefore(line, " bytes spill stores");
            kernel->spillLoads = numberBefore(line, " bytes spill loads");
            properties = false;
        } else if (kernel && line.find("Used ") != std::string_view::npos) {
            kernel->registers = static_cast<int>(numberBefore(line, " registers"));
            kernel->barriers = static_cast<int>(numberBefore(line, " barriers"));
            kernel->staticSmem = numberBefore(line, " bytes smem");
        }
    }
    return kernels;
}

} // namespace kl::inline live
