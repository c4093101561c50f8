// SPDX-License-Identifier: MIT
#include "ui/pages/kernels/static_charts.h"

#include "core/base/format.h"
#include "core/device/arch.h"
#include "core/device/device_table.h"
#include "ui/widgets/input_card.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr std::size_t kClassesShown = 7; ///< instruction classes; the rest is one part
constexpr double kGoodOccupancy = 50;

using Mix = std::map<std::string, std::int64_t>;

QString staticText(const char* text)
{
    return QCoreApplication::translate("StaticView", text);
}

/// The launch with the lowest occupancy.
Occupancy worstOccupancy(const BuiltPoint& built, const SmLimits& sm)
{
    Occupancy worst = computeOccupancy(sm, built.launches.front());
    for (const CompiledLaunch& launch : built.launches)
        if (const Occupancy one = computeOccupancy(sm, launch); one.percent < worst.percent)
            worst = one;
    return worst;
}

/// Instruction classes, most common first.
std::vector<std::pair<std::string, std::int64_t>> byCount(const Mix& mix)
{
    std::vector<std::pair<std::string, std::int64_t>> order(mix.begin(), mix.end());
    std::ranges::stable_sort(order, std::greater(), &std::pair<std::string, std::int64_t>::second);
    return order;
}

/// Lines of all launches.
std::map<int, Mix> countLines(const std::vector<CompiledLaunch>& launches)
{
    std::map<int, Mix> lines;
    for (const CompiledLaunch& launch : launches)
        for (const CodeLine& line : launch.lines)
            for (const auto& [name, count] : line.opcodes)
                lines[line.line][name] += count;
    return lines;
}

std::int64_t total(const Mix& mix)
{
    std::int64_t sum = 0;
    for (const auto& [name, count] : mix)
        sum += count;
    return sum;
}

Mix sumMix(const std::vector<CompiledLaunch>& launches)
{
    Mix sums;
    for (const CompiledLaunch& launch : launches)
        for (const auto& [name, count] : launch.opcodes)
            sums[name] += count;
    return sums;
}

/// Of all launches, including instructions without a line.
double allInstructions(const std::vector<CompiledLaunch>& launches)
{
    std::int64_t sum = 0;
    for (const CompiledLaunch& launch : launches)
        sum += total(launch.opcodes);
    return static_cast<double>(sum);
}

} // namespace

std::vector<std::string> listArchs()
{
    std::vector<std::string> archs;
    for (const CapabilityRow& row : deviceTable().capabilities)
        archs.push_back(archName(row.limits.ccMajor, row.limits.ccMinor));
    return archs;
}

QString describeMix(const std::vector<CompiledLaunch>& launches)
{
    const std::vector<std::pair<std::string, std::int64_t>> common = byCount(sumMix(launches));
    if (common.empty())
        return staticText("No PTX instructions");
    QStringList names;
    for (const auto& [name, count] : common)
        if (count == common.front().second)
            names << q(name);
    return staticText("Most common in the PTX: %1, %2")
        .arg(names.join(staticText(" and ")),
             q(formatPercent(100 * static_cast<double>(common.front().second) / allInstructions(launches))));
}

InstructionRows instructionRows(const std::vector<CompiledLaunch>& launches)
{
    std::vector<std::pair<std::string, std::int64_t>> common = byCount(sumMix(launches));
    common.resize(std::min(common.size(), kClassesShown));
    InstructionRows out;
    for (const auto& [name, count] : common)
        out.classes << q(name);
    out.classes << staticText("rest");
    for (const CompiledLaunch& launch : launches) {
        StackedRow row{q(launch.entry), {}};
        std::int64_t rest = total(launch.opcodes);
        for (const auto& [name, count] : common) {
            const auto found = launch.opcodes.find(name);
            const std::int64_t here = found == launch.opcodes.end() ? 0 : found->second;
            row.parts.push_back(static_cast<double>(here));
            rest -= here;
        }
        row.parts.push_back(static_cast<double>(rest));
        out.rows.push_back(std::move(row));
    }
    return out;
}

OccupancyBars occupancyBars(const std::vector<BuiltPoint>& points)
{
    OccupancyBars out;
    for (std::size_t i = 0; i < std::min(points.size(), deviceTable().capabilities.size()); ++i) {
        const SmLimits& sm = deviceTable().capabilities[i].limits;
        const BuiltPoint& built = points[i];
        QStringList gpus; // of one architecture: the same occupancy
        for (const GpuRow& gpu : deviceTable().gpus)
            if (gpu.ccMajor == sm.ccMajor && gpu.ccMinor == sm.ccMinor && !gpus.contains(q(gpu.match)))
                gpus << q(gpu.match);
        if (gpus.isEmpty())
            continue;
        LimitBar bar;
        bar.name = gpus.join(QStringLiteral(", "));
        bar.help = q(built.arch);
        if (!built.ok || built.launches.empty()) {
            bar.good = false;
            bar.words = staticText("does not compile");
            bar.help += u'\n' + q(built.log.substr(0, built.log.find('\n')));
        } else {
            const Occupancy occupancy = worstOccupancy(built, sm);
            bar.value = occupancy.percent;
            bar.good = occupancy.percent >= kGoodOccupancy;
            bar.words = staticText("%1, %2").arg(q(formatPercent(occupancy.percent)), q(occupancy.limiter));
            bar.help += u'\n' + staticText("%1 per SM").arg(blocksText(occupancy.blocksPerSm));
            out.best = std::max(out.best, occupancy.percent);
        }
        out.bars.push_back(std::move(bar));
    }
    return out;
}

std::map<int, LineHeat> instructionHeat(const std::vector<CompiledLaunch>& launches)
{
    const double all = allInstructions(launches);
    std::map<int, LineHeat> heat;
    for (const auto& [line, mix] : countLines(launches)) {
        QStringList parts;
        for (const auto& [name, count] : byCount(mix))
            parts << QStringLiteral("%1 %2").arg(q(name)).arg(count);
        const std::int64_t count = total(mix);
        heat[line] = {
            static_cast<double>(count) / all,
            staticText("%1 PTX instructions: %2").arg(q(formatCount(static_cast<double>(count))), parts.join(QStringLiteral(", ")))};
    }
    return heat;
}

QString busiestLine(const std::vector<CompiledLaunch>& launches)
{
    const std::map<int, Mix> lines = countLines(launches);
    const auto most = std::ranges::max_element(lines, {}, [](const auto& line) { return total(line.second); });
    if (most == lines.end())
        return {};
    const double share = static_cast<double>(total(most->second)) / allInstructions(launches);
    return staticText("Line %1 has %2 of the instructions, mostly %3")
        .arg(most->first)
        .arg(q(formatPercent(100 * share)), q(byCount(most->second).front().first));
}

} // namespace kl::ui
