// SPDX-License-Identifier: MIT
#include "app/kloop/render/render_timeline.h"

#include "app/kloop/terminal/table.h"
#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kl::cli {
namespace {

constexpr std::size_t kColumns = 96;
constexpr std::size_t kWaitsShown = 4;
constexpr double kLeastShown = 0.005;

char pickSign(SegmentKind kind)
{
    return kind == SegmentKind::work ? '#' : kind == SegmentKind::async ? '~' : '.';
}

/// What a role mostly does in each of the columns; a blank where it does not run.
std::string drawTimelineBar(const std::vector<Segment>& segments, std::int64_t span)
{
    std::string bar(kColumns, ' ');
    const auto columns = static_cast<std::int64_t>(kColumns);
    for (std::int64_t column = 0; column < columns; ++column) {
        const std::int64_t from = span * column / columns;
        const std::int64_t to = std::max(span * (column + 1) / columns, from + 1);
        std::array<std::int64_t, 3> time{};
        for (const Segment& segment : segments)
            time.at(static_cast<std::size_t>(segment.kind)) +=
                std::max<std::int64_t>(std::min(to, segment.end) - std::max(from, segment.begin), 0);
        const auto most = std::ranges::max_element(time);
        if (*most > 0)
            bar[static_cast<std::size_t>(column)] = pickSign(static_cast<SegmentKind>(most - time.begin()));
    }
    return bar.substr(0, bar.find_last_not_of(' ') + 1);
}

std::string formatShareAsPercent(double share)
{
    return formatPercent(share * 100);
}

std::string formatWaitPlace(const RoleWait& wait)
{
    return wait.line > 0 ? fmt::format("{}, line {}", wait.label, wait.line) : wait.label;
}

std::string formatWarps(const RoleRow& role)
{
    return role.warps.size() == 1 ? std::to_string(role.warps.front())
                                  : fmt::format("{}-{} ({})", role.warps.front(), role.warps.back(), role.warps.size());
}

std::string rolesTable(const TimelineReport& report)
{
    Table table({"Role", "Warps", "Working>", "Waiting>", "Own copies, MMAs>", "Critical path>"});
    for (const RoleRow& role : report.roles)
        table.add({role.name, formatWarps(role), formatShareAsPercent(role.work), formatShareAsPercent(role.wait),
                   formatShareAsPercent(role.async), formatShareAsPercent(role.path)});
    std::string text = table.text("  ");
    if (report.pathCopies >= kLeastShown || report.pathHandover >= kLeastShown)
        text += fmt::format("  Rest of the critical path: copies under way {}, from arrival to wake-up {}\n",
                            formatShareAsPercent(report.pathCopies), formatShareAsPercent(report.pathHandover));
    return text;
}

std::string waitsTable(const TimelineReport& report)
{
    Table table({"Role", "Waits at", "Count>", "Cycles each>", "% of time>", "Ended by"});
    for (const RoleRow& role : report.roles)
        for (std::size_t i = 0; i < std::min(role.waits.size(), kWaitsShown); ++i) {
            const RoleWait& wait = role.waits[i];
            if (wait.share >= kLeastShown)
                table.add({role.name, formatWaitPlace(wait), std::to_string(wait.count), formatCount(wait.cycles),
                           formatShareAsPercent(wait.share),
                           wait.waitsFor.empty() ? "" : fmt::format("{} ({})", wait.waitsFor, formatShareAsPercent(wait.waitsForShare))});
        }
    return table.empty() ? std::string() : '\n' + applyTone("Waits", Tone::strong) + '\n' + table.text("  ");
}

std::string overlapsTable(const TimelineReport& report)
{
    if (report.overlaps.empty())
        return {};
    Table table({"Role", "And", "Work at the same time>"});
    for (const RoleOverlap& overlap : report.overlaps)
        table.add({overlap.a, overlap.b, formatShareAsPercent(overlap.share)});
    return '\n' + applyTone("Overlap, % of the less busy role's time", Tone::strong) + '\n' + table.text("  ");
}

std::string bars(const TimelineReport& report)
{
    std::size_t width = 0;
    for (const RoleRow& role : report.roles)
        width = std::max(width, displayWidth(role.name));
    std::string text =
        '\n' +
        applyTone(fmt::format("Block {}, {} cycles{}", report.shownBlock, formatCount(static_cast<double>(report.spanCycles)),
                              report.cyclesPerNs > 0 ? ": " + formatTime(static_cast<double>(report.spanCycles) / report.cyclesPerNs)
                                                     : std::string()),
                  Tone::strong) +
        "   # working   . waiting   ~ own copies, MMAs\n";
    for (const RoleRow& role : report.roles)
        text += fmt::format("  {}{}  {}\n", role.name, std::string(width - displayWidth(role.name), ' '),
                            drawTimelineBar(role.segments, report.spanCycles));
    return text;
}

std::string overheadLine(const Timeline& timeline, const TimelineReport& report)
{
    if (report.overhead)
        return fmt::format("Marks change the kernel's time by {} ({} to {}, A/B of the plain and the marked kernel).\n",
                           formatChange(report.overhead->value - 1), formatChange(report.overhead->low - 1),
                           formatChange(report.overhead->high - 1));
    return timeline.noOverhead.empty() ? std::string("Mark overhead was not measured.\n")
                                       : fmt::format("Mark overhead was not measured: {}\n", timeline.noOverhead);
}

} // namespace

std::string renderTimeline(const Timeline& timeline, const TimelineReport& report)
{
    std::string text = applyTone(report.sentence, Tone::strong) + "\n\n" + rolesTable(report) + waitsTable(report) + overlapsTable(report) +
                       bars(report) + '\n' + overheadLine(timeline, report);
    for (const std::string& note : report.notes)
        text += note + '\n';
    return text;
}

} // namespace kl::cli
