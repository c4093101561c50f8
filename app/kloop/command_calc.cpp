// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/streams.h"
#include "app/kloop/table.h"
#include "core/base/format.h"
#include "core/device/occupancy_sweep.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

std::string capability(int major, int minor)
{
    return fmt::format("{}.{}", major, minor);
}

Json toJson(const GpuSmemRow& row)
{
    return {{"gpu", row.gpu},
            {"cc", capability(row.ccMajor, row.ccMinor)},
            {"limit", row.fit.limit},
            {"fits", row.fit.fits},
            {"spare", row.fit.spare},
            {"percent", row.fit.percent},
            {"needs_opt_in", row.fit.needsOptIn},
            {"per_sm", row.perSm},
            {"blocks_per_sm", row.blocksPerSm},
            {"rows_most", row.rows ? Json(*row.rows) : Json(nullptr)},
            {"correction", row.correction.empty() ? Json(nullptr) : Json(row.correction)}};
}

std::string renderSmem(const SmemNeed& need, const std::vector<GpuSmemRow>& rows)
{
    std::string text = fmt::format("{} bytes a block: tiles {}, scores {}\n", need.total, need.tiles, need.scores);
    Table table({"gpu", "cc", "limit>", "used>", "spare>", "blocks an SM>", "M at most>", ""});
    for (const GpuSmemRow& row : rows)
        table.add({row.gpu, capability(row.ccMajor, row.ccMinor), fmt::format("{}", row.fit.limit), formatPercent(row.fit.percent),
                   fmt::format("{}", row.fit.spare), fmt::format("{}", row.blocksPerSm), row.rows ? fmt::format("{}", *row.rows) : "–",
                   row.fit.fits ? toned(row.fit.needsOptIn ? "fits, with opt-in" : "fits", Tone::good) : toned("too much", Tone::bad)});
    text += table.text("  ");
    if (need.total > kStaticSmemLimit)
        text += "  Static declarations end at 48 KiB on every GPU: declare it extern __shared__ and opt in with\n"
                "  cudaFuncAttributeMaxDynamicSharedMemorySize.\n";
    if (!need.ldmatrixWays)
        text += "  Rows that are no multiple of 16 bytes: no 16-byte reads, no ldmatrix, no cp.async of 16 bytes.\n";
    else if (*need.ldmatrixWays > 1)
        text += fmt::format(
            "  Eight rows read 16 bytes each fall on the same banks: {}-way conflicts. 16 bytes of padding a row (--pad 16), or\n"
            "  a swizzle, frees them.\n",
            *need.ldmatrixWays);
    for (const GpuSmemRow& row : rows)
        if (!row.correction.empty())
            text += fmt::format("  {}: {}\n", row.gpu, row.correction);
    return text;
}

/// The GPU named, or all.
Result<std::vector<const GpuRow*>> gpusOf(const std::string& name)
{
    std::vector<const GpuRow*> rows;
    if (name.empty()) {
        for (const GpuRow& row : deviceTable().gpus)
            rows.push_back(&row);
        return rows;
    }
    const Result<const GpuRow*> row = gpuNamed(name);
    if (!row)
        return row.error();
    rows.push_back(*row);
    return rows;
}

struct OccupancyRow {
    const GpuRow* gpu = nullptr;
    Occupancy occupancy;
    OccupancyTerms terms;
    std::vector<OccupancyLever> levers;
    std::vector<OccupancyPoint> sweep;
};

Json toJson(const OccupancyRow& row)
{
    Json json{{"gpu", row.gpu->name},
              {"cc", capability(row.gpu->ccMajor, row.gpu->ccMinor)},
              {"blocks_per_sm", row.occupancy.blocksPerSm},
              {"percent", row.occupancy.percent},
              {"limiter", row.occupancy.limiter},
              {"blocks_by",
               {{"registers", row.terms.byRegisters},
                {"shared_memory", row.terms.bySharedMemory},
                {"warps", row.terms.byWarps},
                {"blocks", row.terms.byBlocks}}}};
    json["levers"] = Json::array();
    for (const OccupancyLever& lever : row.levers)
        json["levers"].push_back(
            {{"input", toWord(lever.input)}, {"from", lever.from}, {"to", lever.to}, {"percent", lever.gives.percent}});
    if (!row.sweep.empty()) {
        json["sweep"] = Json::array();
        for (const OccupancyPoint& point : row.sweep)
            json["sweep"].push_back({{"at", point.at},
                                     {"blocks_per_sm", point.occupancy.blocksPerSm},
                                     {"percent", point.occupancy.percent},
                                     {"limiter", point.occupancy.limiter}});
    }
    return json;
}

std::string leverText(const OccupancyLever& lever)
{
    return fmt::format("{} {} → {}: {}", toWord(lever.input), lever.from, lever.to, formatPercent(lever.gives.percent));
}

std::string renderOccupancy(const std::vector<OccupancyRow>& rows)
{
    Table table({"gpu", "cc", "occupancy>", "blocks an SM>", "limited by", "by registers>", "by smem>", "by warps>", "by blocks>"});
    for (const OccupancyRow& row : rows)
        table.add({row.gpu->name, capability(row.gpu->ccMajor, row.gpu->ccMinor), formatPercent(row.occupancy.percent),
                   fmt::format("{}", row.occupancy.blocksPerSm), row.occupancy.limiter, fmt::format("{}", row.terms.byRegisters),
                   fmt::format("{}", row.terms.bySharedMemory), fmt::format("{}", row.terms.byWarps),
                   fmt::format("{}", row.terms.byBlocks)});
    std::string text = table.text();
    if (rows.size() > 1)
        return text;
    for (const OccupancyLever& lever : rows.front().levers)
        text += "  " + leverText(lever) + '\n';
    if (rows.front().levers.empty() && rows.front().occupancy.limiter != "warps")
        text += "  No single change raises it.\n";
    if (!rows.front().sweep.empty()) { // where the occupancy changes; in between it stays
        Table steps({"from>", "to>", "occupancy>", "blocks an SM>", "limited by"});
        const std::vector<OccupancyPoint>& sweep = rows.front().sweep;
        for (std::size_t begin = 0, i = 1; i <= sweep.size(); ++i)
            if (i == sweep.size() || sweep[i].occupancy.percent != sweep[begin].occupancy.percent) {
                const Occupancy& same = sweep[begin].occupancy;
                steps.add({fmt::format("{}", sweep[begin].at), fmt::format("{}", sweep[i - 1].at), formatPercent(same.percent),
                           fmt::format("{}", same.blocksPerSm), same.limiter});
                begin = i;
            }
        text += steps.text("  ");
    }
    return text;
}

/// The launch asked about: of the run where one is named, with what the options say in its place.
Result<BlockNeeds> needsOf(Program& program, const CalcOptions& asked)
{
    BlockNeeds needs{0, 32, 0};
    if (!asked.run.empty()) {
        const Result<Store*> store = program.store();
        if (!store)
            return store.error();
        const Result<RunId> id = (*store)->runStarting(asked.run.starts_with("run:") ? asked.run.substr(4) : asked.run);
        if (!id)
            return id.error();
        const Result<RunRecord> run = (*store)->run(*id);
        if (!run)
            return run.error();
        const auto longest = std::max_element(run->launches.begin(), run->launches.end(), [](const LaunchFacts& a, const LaunchFacts& b) {
            return a.gpuNs.value_or(0) < b.gpuNs.value_or(0);
        });
        if (longest == run->launches.end())
            return Error{ErrorCode::badInput, fmt::format("Run {} launched nothing.", asked.run),
                         "Name a run that was measured, or give --threads.", asked.run, std::string()};
        needs = {longest->blockThreads, longest->registers, longest->staticSmem + longest->dynamicSmem};
    } else if (!asked.threads) {
        return Error{ErrorCode::usage, "Say which launch.", "Give --threads, or a stored run as run:ID. Run kloop occupancy --help.",
                     "--threads", std::string()};
    }
    needs.threads = asked.threads.value_or(needs.threads);
    needs.registersPerThread = asked.registers.value_or(needs.registersPerThread);
    needs.smem = asked.smem.value_or(needs.smem);
    return checkedNeeds(needs);
}

std::optional<OccupancyInput> sweepInput(const std::string& word)
{
    if (word == "registers")
        return OccupancyInput::registers;
    if (word == "shared-memory")
        return OccupancyInput::sharedMemory;
    if (word == "block-size")
        return OccupancyInput::threads;
    return {};
}

} // namespace

Result<int> commandSmem(Program& program, const Options& options)
{
    const TilePlan& plan = options.calc.tiles;
    const Result<SmemNeed> need = smemNeed(plan);
    const Result<std::vector<GpuSmemRow>> rows = smemOnEveryGpu(plan);
    if (!need || !rows)
        return need ? rows.error() : need.error();
    Json answer{{"schema", "kernelloop.smem/1"},
                {"bytes", need->total},
                {"tile_bytes", need->tiles},
                {"score_bytes", need->scores},
                {"static_limit", kStaticSmemLimit},
                {"ldmatrix_ways", need->ldmatrixWays ? Json(*need->ldmatrixWays) : Json(nullptr)},
                {"gpus", Json::array()}};
    for (const GpuSmemRow& row : *rows)
        answer["gpus"].push_back(toJson(row));
    if (!program.printed(answer))
        printText("{}", renderSmem(*need, *rows));
    return std::any_of(rows->begin(), rows->end(), [](const GpuSmemRow& row) { return row.fit.fits; }) ? 0 : exitCode(ErrorCode::refused);
}

Result<int> commandOccupancy(Program& program, const Options& options)
{
    const CalcOptions& asked = options.calc;
    const Result<BlockNeeds> needs = needsOf(program, asked);
    const Result<std::vector<const GpuRow*>> gpus = gpusOf(asked.gpu);
    if (!needs || !gpus)
        return needs ? gpus.error() : needs.error();
    if (!asked.sweep.empty() && gpus->size() > 1)
        return Error{ErrorCode::usage, "A sweep is of one GPU.", "Name it: --gpu H200.", "--sweep", {}};
    std::vector<OccupancyRow> rows;
    Json answer{{"schema", "kernelloop.occupancy/1"},
                {"threads", needs->threads},
                {"registers", needs->registersPerThread},
                {"smem", needs->smem},
                {"gpus", Json::array()}};
    for (const GpuRow* gpu : *gpus) {
        const std::optional<SmLimits> limits = smLimits(gpu->ccMajor, gpu->ccMinor);
        if (!limits)
            continue;
        OccupancyRow row{gpu, occupancyOf(*limits, *needs), occupancyTerms(*limits, *needs), occupancyLevers(*limits, *needs), {}};
        if (const std::optional<OccupancyInput> input = sweepInput(asked.sweep))
            row.sweep = occupancySweep(*limits, *needs, *input);
        answer["gpus"].push_back(toJson(row));
        rows.push_back(std::move(row));
    }
    if (!program.printed(answer))
        printText("{}", renderOccupancy(rows));
    return 0;
}

} // namespace kl
