// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/search/requested_space.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kl::cli {
namespace {

struct SpaceCommandOptions {
    SpaceOptions space;
    std::string arch = "sm_90";
    std::string list;                ///< "survivors", "rejected", "all"; empty: the funnel alone
    std::string point;               ///< tunables of one point, whose gates are all shown
    std::vector<std::string> whatIf; ///< other GPUs or architectures
};

constexpr std::size_t kBar = 40;

Json verdictJson(const GateVerdict& verdict)
{
    return {{"gate", toWord(verdict.gate)},
            {"judged", verdict.judged},
            {"pass", verdict.pass},
            {"value", verdict.value ? Json(*verdict.value) : Json(nullptr)},
            {"limit", verdict.limit ? Json(*verdict.limit) : Json(nullptr)},
            {"reason", verdict.reason}};
}

Json funnelJson(const SearchSpace& space)
{
    Json gates = Json::array();
    std::size_t left = space.total;
    for (const SpaceGate gate : kSpaceGates) {
        const std::size_t rejected = space.rejected[static_cast<std::size_t>(gate)];
        left -= rejected;
        gates.push_back({{"gate", toWord(gate)}, {"rejected", rejected}, {"left", left}});
    }
    return gates;
}

Json pointJson(const RequestedSpace& requested, const SpacePoint& point)
{
    Json json{{"kernel", toText(makeAddress(*requested.family, *requested.variant, point.tunables))},
              {"point", toText(point.tunables)},
              {"survives", !point.rejectedBy}};
    json["gate"] = nullptr;
    if (point.rejectedBy) {
        const GateVerdict& verdict = point.verdicts[*point.rejectedBy];
        json["gate"] = toWord(verdict.gate);
        json["value"] = verdict.value ? Json(*verdict.value) : Json(nullptr);
        json["limit"] = verdict.limit ? Json(*verdict.limit) : Json(nullptr);
        json["reason"] = verdict.reason;
    }
    return json;
}

bool isListed(const SpacePoint& point, const std::string& list)
{
    return list == "all" || (list == "survivors" && !point.rejectedBy) || (list == "rejected" && point.rejectedBy);
}

std::string countText(std::size_t count)
{
    return formatCount(static_cast<double>(count));
}

std::string renderFunnel(const SearchSpace& space, const std::string& arch)
{
    std::string text = fmt::format("{} at {} on {}\n", space.kernel, space.problem, arch);
    Table table({"", "Rejected>", "Left>", "", "First rejected"});
    const auto bar = [&](std::size_t left) {
        std::string drawn;
        for (std::size_t i = 0; i < left * kBar / std::max<std::size_t>(1, space.total); ++i)
            drawn += "█";
        return drawn;
    };
    std::size_t left = space.total;
    table.add({"all combinations", "", countText(left), bar(left), ""});
    for (const SpaceGate gate : kSpaceGates) {
        const auto index = static_cast<std::size_t>(gate);
        const auto first = std::ranges::find(space.points, std::optional(index), &SpacePoint::rejectedBy);
        left -= space.rejected[index];
        const bool judged = std::ranges::any_of(space.points, [&](const SpacePoint& p) { return p.verdicts[index].judged; });
        table.add({titleFor(gate), judged ? countText(space.rejected[index]) : "–", countText(left), bar(left),
                   first != space.points.end() ? first->verdicts[index].reason
                   : judged                    ? std::string()
                                               : space.points.front().verdicts[index].reason});
    }
    text += table.text("  ");
    text += fmt::format("  {} of {} survive. List them with --list survivors, the others and their reasons with --list rejected.\n",
                        countText(space.survivors), countText(space.total));
    return text;
}

std::string renderPoint(const RequestedSpace& requested, const SpacePoint& point)
{
    std::string text = fmt::format("{}\n", toText(makeAddress(*requested.family, *requested.variant, point.tunables)));
    Table table({"", "Gate", "Found"});
    for (const GateVerdict& verdict : point.verdicts)
        table.add({!verdict.judged ? "–"
                   : verdict.pass  ? applyTone("✓", Tone::good)
                                   : applyTone("✕", Tone::bad),
                   titleFor(verdict.gate), verdict.reason});
    return text + table.text("  ");
}

std::string renderList(const SearchSpace& space, const std::string& list)
{
    Table table({"Point", "Gate", "Reason"});
    for (const SpacePoint& point : space.points)
        if (isListed(point, list))
            table.add({toText(point.tunables), point.rejectedBy ? titleFor(kSpaceGates[*point.rejectedBy]) : "survives",
                       point.rejectedBy ? point.verdicts[*point.rejectedBy].reason : ""});
    return table.text();
}

/// One point with all of its gates.
Result<int> answerPoint(Program& program, const RequestedSpace& requested, const GpuArch& arch, const std::string& text)
{
    KL_ASSIGN(const Params tunables, parseParams(text));
    Params all = requested.fixed;
    for (const Tunable& tunable : requested.family->tunables)
        if (std::ranges::find(requested.variant->tunables, tunable.name) != requested.variant->tunables.end())
            all.emplace(tunable.name, tunable.defaultValue);
    for (const auto& [name, value] : tunables)
        all[name] = value;
    RequestedSpace one = requested;
    one.fixed = all;
    KL_ASSIGN(const SearchSpace space, searchSpace(*one.family, *one.variant, one.on(arch)));
    const SpacePoint& point = space.points.front();
    Json answer = pointJson(requested, point);
    answer["schema"] = "kernelloop.space-point/1";
    answer["problem"] = space.problem;
    answer["arch"] = arch.name;
    answer["gates"] = Json::array();
    for (const GateVerdict& verdict : point.verdicts)
        answer["gates"].push_back(verdictJson(verdict));
    if (!program.printAsJson(answer))
        printText("{}", renderPoint(requested, point));
    return point.rejectedBy ? exitCode(ErrorCode::refused) : 0;
}

struct Elsewhere {
    std::string name;
    GpuArch arch;
    SearchSpace space;
    std::size_t lost = 0;   ///< survive here, not there
    std::size_t gained = 0; ///< the other way round
};

std::set<Params> collectSurvivors(const SearchSpace& space)
{
    std::set<Params> survivors;
    for (const SpacePoint& point : space.points)
        if (!point.rejectedBy)
            survivors.insert(point.tunables);
    return survivors;
}

Result<Elsewhere> elsewhere(const RequestedSpace& requested, const SearchSpace& here, const std::string& name)
{
    KL_ASSIGN(const GpuArch arch, findArch(name));
    KL_ASSIGN(SearchSpace there, searchSpace(*requested.family, *requested.variant, requested.on(arch)));
    Elsewhere other{name, arch, std::move(there), 0, 0};
    const std::set<Params> surviveHere = collectSurvivors(here); // by value: what a chip decides may also be in a constraint
    const std::set<Params> surviveThere = collectSurvivors(other.space);
    const auto countMissing = [](const std::set<Params>& from, const std::set<Params>& in) {
        return static_cast<std::size_t>(std::ranges::count_if(from, [&](const Params& point) { return !in.contains(point); }));
    };
    other.lost = countMissing(surviveHere, surviveThere);
    other.gained = countMissing(surviveThere, surviveHere);
    return other;
}

std::string renderElsewhere(const std::vector<Elsewhere>& others, const SearchSpace& here, const std::string& arch)
{
    std::vector<std::string> headings{"What if", "Arch"};
    for (const SpaceGate gate : kSpaceGates)
        headings.push_back(std::string(titleFor(gate)) + '>');
    for (const char* heading : {"Survive>", "Lost>", "Gained>"})
        headings.emplace_back(heading);
    Table table(headings);
    const auto row = [&](const std::string& name, const std::string& of, const SearchSpace& space, const std::string& lost,
                         const std::string& gained) {
        std::vector<std::string> cells{name, of};
        for (const std::size_t rejected : space.rejected)
            cells.push_back(countText(rejected));
        for (const std::string& cell : {countText(space.survivors), lost, gained})
            cells.push_back(cell);
        table.add(std::move(cells));
    };
    row("here", arch, here, "", "");
    for (const Elsewhere& other : others)
        row(other.name, other.arch.name, other.space, countText(other.lost), countText(other.gained));
    return table.text("  ");
}

Result<int> judgeSpace(Program& program, const SpaceCommandOptions& s)
{
    KL_ASSIGN(const GpuArch arch, findArch(s.arch));
    KL_ASSIGN(const RequestedSpace requested, makeRequestedSpace(program, s.space, [&] { return toChip(arch); }));
    if (!s.point.empty())
        return answerPoint(program, requested, arch, s.point);
    KL_ASSIGN(const SearchSpace space, searchSpace(*requested.family, *requested.variant, requested.on(arch)));
    std::vector<Elsewhere> others;
    for (const std::string& name : s.whatIf) {
        KL_ASSIGN(Elsewhere other, elsewhere(requested, space, name));
        others.push_back(std::move(other));
    }
    Json answer{
        {"schema", "kernelloop.space/1"},         {"kernel", space.kernel}, {"arch", arch.name},          {"problem", space.problem},
        {"min_occupancy", requested.occupancy()}, {"total", space.total},   {"gates", funnelJson(space)}, {"survivors", space.survivors}};
    if (!others.empty())
        answer["what_if"] = Json::array();
    for (const Elsewhere& other : others)
        answer["what_if"].push_back({{"name", other.name},
                                     {"arch", other.arch.name},
                                     {"total", other.space.total},
                                     {"gates", funnelJson(other.space)},
                                     {"survivors", other.space.survivors},
                                     {"lost", other.lost},
                                     {"gained", other.gained}});
    if (!s.list.empty()) {
        answer["points"] = Json::array();
        for (const SpacePoint& point : space.points)
            if (isListed(point, s.list))
                answer["points"].push_back(pointJson(requested, point));
    }
    if (program.printAsJson(answer))
        return 0;
    printText("{}", renderFunnel(space, arch.name));
    if (!others.empty())
        printText("{}", renderElsewhere(others, space, arch.name));
    if (!s.list.empty())
        printText("{}", renderList(space, s.list));
    return 0;
}

} // namespace

Runner addSpace(CLI::App& app)
{
    const auto o = std::make_shared<SpaceCommandOptions>();
    app.add_option("KERNEL", o->space.kernel, "family or family/variant; tunables after @ are fixed, e.g. attention/fused@WARPS=4")
        ->required();
    addSpaceOptions(app, o->space, o->arch);
    app.add_option("--list", o->list, "List these points, each with its gate and values")
        ->check(CLI::IsMember({"survivors", "rejected", "all"}));
    app.add_option("--point", o->point, "Show all six gates of one point, e.g. BLOCK_M=64,WARPS=4; other tunables keep their default");
    addRepeated(app, "--what-if", o->whatIf, "Also show another GPU or architecture; may be given several times");
    app.footer(
        "Gates in order: shared memory, threads and shape, occupancy, registers, coalescing, bank conflicts. A point is counted for\n"
        "the first gate that rejects it. No GPU is needed.");
    return [o](Program& program) { return judgeSpace(program, *o); };
}

} // namespace kl::cli
