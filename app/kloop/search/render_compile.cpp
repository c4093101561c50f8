// SPDX-License-Identifier: MIT
#include "app/kloop/search/render_compile.h"

#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/device/device_table.h"
#include "core/model/source_lines.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

constexpr std::size_t kOpcodesShown = 12;
constexpr std::size_t kCompilerLines = 5;
constexpr std::size_t kOpcodesOfLine = 4;

Json occupancyJson(const Occupancy& occupancy)
{
    return {{"blocks_per_sm", occupancy.blocksPerSm}, {"percent", occupancy.percent}, {"limiter", occupancy.limiter}};
}

Json linesJson(const CompiledLaunch& launch)
{
    Json lines = Json::array();
    for (const CodeLine& line : launch.lines)
        lines.push_back({{"line", line.line}, {"instructions", line.instructions()}, {"opcodes", line.opcodes}});
    return lines;
}

Json launchJson(const CompiledLaunch& launch, const std::optional<SmLimits>& sm)
{
    return {{"entry", launch.entry},
            {"threads", launch.threads},
            {"registers", launch.registers},
            {"local_bytes", launch.stackBytes},
            {"spill_stores", launch.spillStores},
            {"spill_loads", launch.spillLoads},
            {"static_smem", launch.staticSmem},
            {"dynamic_smem", launch.dynamicSmem},
            {"barriers", launch.barriers},
            {"occupancy", sm ? occupancyJson(computeOccupancy(*sm, launch)) : Json(nullptr)},
            {"opcodes", launch.opcodes}};
}

/// What a GPU of the device table can do with what was compiled.
struct GpuCode {
    const GpuRow* gpu = nullptr;
    SmLimits sm;
    const BuiltPoint* built = nullptr; ///< its own code, or other code that runs on it; null where none does
    std::string arch;                  ///< of that code, or the GPU's

    bool good() const { return built && built->ok && !built->launches.empty(); }
    std::string why(const std::string& compiled) const
    {
        return built ? built->log.substr(0, built->log.find('\n')) : fmt::format("code for {} does not run on {}", compiled, arch);
    }
};

std::vector<GpuCode> listGpuCode(const BuildManyAnswer& answer, const GpuArch& arch)
{
    std::vector<GpuCode> rows;
    for (const GpuRow& gpu : deviceTable().gpus) {
        const std::optional<SmLimits> sm = smLimits(gpu.ccMajor, gpu.ccMinor);
        if (!sm)
            continue;
        const std::string target = targetLike(arch.target, gpu.ccMajor, gpu.ccMinor);
        const auto own = std::ranges::find(answer.points, target, &BuiltPoint::arch);
        if (own != answer.points.end())
            rows.push_back({&gpu, *sm, &*own, own->arch});
        else if (runsOn(arch, gpu.ccMajor, gpu.ccMinor))
            rows.push_back({&gpu, *sm, &answer.points.front(), answer.points.front().arch});
        else
            rows.push_back({&gpu, *sm, nullptr, archName(gpu.ccMajor, gpu.ccMinor)});
    }
    return rows;
}

/// The launch that fits an SM the fewest times.
const CompiledLaunch& tightest(const BuiltPoint& built, const SmLimits& sm)
{
    return *std::ranges::min_element(built.launches, {},
                                     [&](const CompiledLaunch& launch) { return computeOccupancy(sm, launch).percent; });
}

Json gpusJson(const BuildManyAnswer& answer, const GpuArch& arch)
{
    Json gpus = Json::array();
    for (const GpuCode& code : listGpuCode(answer, arch)) {
        Json row{{"gpu", code.gpu->name}, {"arch", code.arch}, {"ok", code.good()}};
        if (code.good()) {
            const CompiledLaunch& launch = tightest(*code.built, code.sm);
            row["registers"] = launch.registers;
            row["occupancy"] = occupancyJson(computeOccupancy(code.sm, launch));
        } else {
            row["why"] = code.why(arch.target);
        }
        gpus.push_back(std::move(row));
    }
    return gpus;
}

/// The commonest classes first.
std::string opcodesText(const std::map<std::string, std::int64_t>& opcodes, std::size_t most)
{
    std::vector<std::pair<std::string, std::int64_t>> mix(opcodes.begin(), opcodes.end());
    std::ranges::stable_sort(mix, std::greater(), &std::pair<std::string, std::int64_t>::second);
    std::string text;
    for (std::size_t i = 0; i < std::min(mix.size(), most); ++i)
        text += fmt::format("{}{} {}", i > 0 ? " · " : "", mix[i].first, mix[i].second);
    return text + (mix.size() > most ? " · …" : "");
}

/// The lines that most instructions come from.
void printLines(const CompiledLaunch& launch)
{
    std::vector<CodeLine> lines = launch.lines;
    std::ranges::stable_sort(lines, std::greater(), &CodeLine::instructions);
    for (std::size_t i = 0; i < std::min(lines.size(), kCompilerLines); ++i)
        printText("    {}: {} instructions ({})\n", placeText(kSourceFile, lines[i].line), lines[i].instructions(),
                  opcodesText(lines[i].opcodes, kOpcodesOfLine));
}

Json pointJson(const RequestedSpace& requested, const SpaceBuild& build, const CompiledPoint& point, const SmLimits& sm)
{
    const SpacePoint& of = build.space.points[point.index];
    Json json{{"kernel", toText(makeAddress(*requested.family, *requested.variant, of.tunables))},
              {"point", toText(of.tunables)},
              {"survives", point.verdict.pass},
              {"gate", point.verdict.pass ? Json(nullptr) : Json(point.verdict.gate)},
              {"reason", point.verdict.reason},
              {"code", point.built.code},
              {"same_as", nullptr},
              {"seconds", point.built.seconds},
              {"cached", point.built.cached},
              {"launches", Json::array()}};
    if (point.sameAs)
        json["same_as"] = build.points[*point.sameAs].built.kernel;
    for (const CompiledLaunch& launch : point.built.launches)
        json["launches"].push_back(launchJson(launch, sm));
    return json;
}

} // namespace

Json compileJson(const BuildManyAnswer& answer, const GpuArch& arch)
{
    const BuiltPoint& built = answer.points.front();
    Json json{{"schema", "kernelloop.compile/1"}, {"kernel", built.kernel}, {"arch", arch.target}, {"compiler", answer.compiler},
              {"seconds", built.seconds},         {"cached", built.cached}, {"code", built.code},  {"launches", Json::array()}};
    for (const CompiledLaunch& launch : built.launches) {
        json["launches"].push_back(launchJson(launch, arch.limits));
        json["launches"].back()["lines"] = linesJson(launch);
    }
    json["gpus"] = gpusJson(answer, arch);
    return json;
}

void printCompiled(const BuildManyAnswer& answer, const GpuArch& arch)
{
    const BuiltPoint& built = answer.points.front();
    printText("{} for {} ({}), {}\n", built.kernel, arch.target, answer.compiler,
              built.cached ? fmt::format("compiled earlier in {:.2f} s", built.seconds)
                           : fmt::format("compiled in {:.2f} s", built.seconds));
    Table table(
        {"Kernel", "Threads>", "Registers>", "Local bytes>", "Spills>", "Static smem>", "Dynamic smem>", "Occupancy>", "Limited by"});
    for (const CompiledLaunch& launch : built.launches) {
        const Occupancy occupancy = computeOccupancy(arch.limits, launch);
        table.add({launch.entry, fmt::format("{}", launch.threads), fmt::format("{}", launch.registers),
                   fmt::format("{}", launch.stackBytes), fmt::format("{}", launch.spillStores + launch.spillLoads),
                   formatCount(static_cast<double>(launch.staticSmem)), formatCount(static_cast<double>(launch.dynamicSmem)),
                   formatPercent(occupancy.percent), occupancy.limiter});
    }
    printText("{}", table.text("  "));
    for (const CompiledLaunch& launch : built.launches) {
        printText("  {} in PTX: {}\n", launch.entry, opcodesText(launch.opcodes, kOpcodesShown));
        printLines(launch);
    }
    Table gpus({"GPU", "Arch", "Registers>", "Blocks per SM>", "Occupancy>", "Limited by"});
    bool others = false;
    for (const GpuCode& code : listGpuCode(answer, arch)) {
        if (!code.good()) {
            others = others || !code.built;
            if (code.built)
                gpus.add({code.gpu->name, code.arch, "–", "–", "–", "does not compile: " + code.why(arch.target)});
            continue;
        }
        const CompiledLaunch& launch = tightest(*code.built, code.sm);
        const Occupancy occupancy = computeOccupancy(code.sm, launch);
        gpus.add({code.gpu->name, code.arch, fmt::format("{}", launch.registers), fmt::format("{}", occupancy.blocksPerSm),
                  formatPercent(occupancy.percent), occupancy.limiter});
    }
    if (!gpus.empty())
        printText("{}", gpus.text("  "));
    if (others)
        printText("  Code for {} does not run on other GPUs: --all-gpus compiles for each of them.\n", arch.target);
}

Json compileSpaceJson(const RequestedSpace& requested, const SpaceBuild& build, const GpuArch& arch)
{
    Json json{{"schema", "kernelloop.compile-space/1"},
              {"kernel", build.space.kernel},
              {"arch", build.arch},
              {"problem", build.space.problem},
              {"compiler", build.compiler},
              {"jobs", build.jobs},
              {"seconds", build.seconds},
              {"cold_seconds_each", build.coldSeconds() ? Json(*build.coldSeconds()) : Json(nullptr)},
              {"total", build.space.total},
              {"compiled", build.points.size()},
              {"cached", build.countCached()}};
    json["gates"] = Json::array();
    for (const char* gate : {"compile", "spills", "occupancy"})
        json["gates"].push_back({{"gate", gate}, {"rejected", build.countRejectedBy(gate)}});
    json["survivors"] = std::ranges::count_if(build.points, [](const auto& p) { return p.verdict.pass; });
    json["programs"] = build.candidates().size();
    json["points"] = Json::array();
    for (const CompiledPoint& point : build.points)
        json["points"].push_back(pointJson(requested, build, point, arch.limits));
    return json;
}

void printCompiledSpace(const SpaceBuild& build)
{
    printText("{} at {} on {}\n", build.space.kernel, build.space.problem, build.arch);
    printText("  {} of {} combinations passed the six gates and were compiled by {} on {} threads in {:.1f} s",
              formatCount(static_cast<double>(build.points.size())), formatCount(static_cast<double>(build.space.total)), build.compiler,
              build.jobs, build.seconds);
    const std::optional<double> cold = build.coldSeconds();
    printText("{}{}.\n", cold ? fmt::format(", {:.2f} s each", *cold) : "",
              build.countCached() > 0 ? fmt::format(" ({} compiled earlier)", build.countCached()) : "");
    Table table({"After compiling", "Points>", "First rejected"});
    const std::string spills = fmt::format("more than {} bytes of local memory", kMostLocalBytes);
    for (const auto& [gate, title] : {std::pair{"compile", std::string("do not compile")}, std::pair{"spills", spills},
                                      std::pair{"occupancy", std::string("too few blocks with the actual registers")}}) {
        const auto first = std::ranges::find_if(build.points, [wanted = gate](const CompiledPoint& p) { return p.verdict.gate == wanted; });
        table.add({title, fmt::format("{}", build.countRejectedBy(gate)), first == build.points.end() ? "" : first->verdict.reason});
    }
    const std::size_t passed = static_cast<std::size_t>(std::ranges::count_if(build.points, [](const auto& p) { return p.verdict.pass; }));
    table.add({"pass", fmt::format("{}", passed), ""});
    table.add({"distinct programs among them", fmt::format("{}", build.candidates().size()), ""});
    printText("{}", table.text("  "));
}

} // namespace kl::cli
