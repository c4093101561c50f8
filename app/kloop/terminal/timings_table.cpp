// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/timings_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

constexpr double kNsOfSecond = 1e9;

double secondsBetween(std::int64_t beginNs, std::int64_t endNs)
{
    return static_cast<double>(endNs - beginNs) / kNsOfSecond;
}

} // namespace

Json phasesToJson(const std::vector<TimedPart>& parts)
{
    Json phases = Json::array();
    for (const TimedPart& part : parts)
        phases.push_back({{"name", part.name},
                          {"begin", secondsBetween(parts.front().beginNs, part.beginNs)},
                          {"seconds", secondsBetween(part.beginNs, part.endNs)}});
    return phases;
}

std::string timingsTable(const std::vector<TimedPart>& parts)
{
    std::string table = "  begin s  seconds  part\n";
    std::vector<const TimedPart*> around;
    for (const TimedPart& part : parts) {
        while (!around.empty() && part.endNs > around.back()->endNs)
            around.pop_back();
        table += fmt::format("{:9.3f}{:9.3f}  {:{}}{}\n", secondsBetween(parts.front().beginNs, part.beginNs),
                             secondsBetween(part.beginNs, part.endNs), "", 2 * around.size(), part.name);
        around.push_back(&part);
    }
    return table;
}

} // namespace kl::cli
