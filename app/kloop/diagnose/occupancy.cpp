// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/common/stored_run.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/device/device_table.h"
#include "core/device/memory_advice.h"
#include "core/device/occupancy_sweep.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct OccupancyOptions {
    std::string run; ///< "run:ID", whose longest launch counts; empty: the values below
    std::optional<int> threads;
    std::optional<int> registers;
    std::optional<std::int64_t> smem;
    std::string gpu;   ///< part of a product's name; empty: all
    std::string sweep; ///< "registers", "shared-memory", "block-size"; empty: none
};

/// The GPU named, or all.
Result<std::vector<const GpuRow*>> selectGpus(const std::string& name)
{
    std::vector<const GpuRow*> rows;
    if (name.empty()) {
        for (const GpuRow& row : deviceTable().gpus)
            rows.push_back(&row);
        return rows;
    }
    KL_ASSIGN(const GpuRow* row, findGpuByName(name));
    rows.push_back(row);
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
              {"cc", fmt::format("{}.{}", row.gpu->ccMajor, row.gpu->ccMinor)},
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
    return fmt::format("{} {} → {}: {}", toWord(lever.input), formatCount(static_cast<double>(lever.from)),
                       formatCount(static_cast<double>(lever.to)), formatPercent(lever.gives.percent));
}

std::string renderOccupancy(const std::vector<OccupancyRow>& rows)
{
    Table table(
        {"GPU", "CC", "Occupancy>", "Blocks per SM>", "Limited by", "Limit registers>", "Limit smem>", "Limit warps>", "Limit blocks>"});
    for (const OccupancyRow& row : rows)
        table.add({row.gpu->name, fmt::format("{}.{}", row.gpu->ccMajor, row.gpu->ccMinor), formatPercent(row.occupancy.percent),
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
        Table steps({"From>", "To>", "Occupancy>", "Blocks per SM>", "Limited by"});
        const std::vector<OccupancyPoint>& sweep = rows.front().sweep;
        for (std::size_t begin = 0, i = 1; i <= sweep.size(); ++i)
            if (i == sweep.size() || sweep[i].occupancy.percent != sweep[begin].occupancy.percent) {
                const Occupancy& same = sweep[begin].occupancy;
                steps.add({formatCount(static_cast<double>(sweep[begin].at)), formatCount(static_cast<double>(sweep[i - 1].at)),
                           formatPercent(same.percent), fmt::format("{}", same.blocksPerSm), same.limiter});
                begin = i;
            }
        text += steps.text("  ");
    }
    return text;
}

/// The launch in question: of the run where one is named, with the values that options replace.
Result<BlockNeeds> collectNeeds(Program& program, const OccupancyOptions& requested)
{
    BlockNeeds needs{0, 32, 0};
    if (!requested.run.empty()) {
        KL_ASSIGN(auto* store, program.store());
        KL_ASSIGN(const RunId id,
                  findRunById(*store, requested.run.starts_with("run:") ? requested.run.substr(4) : requested.run, requested.run));
        KL_ASSIGN(const RunRecord run, store->runWithoutCode(id));
        const auto longest = std::max_element(run.launches.begin(), run.launches.end(), [](const LaunchFacts& a, const LaunchFacts& b) {
            return a.gpuNs.value_or(0) < b.gpuNs.value_or(0);
        });
        if (longest == run.launches.end())
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("Run {} has no launches.", requested.run),
                         .hint = "Name a measured run, or give --threads.",
                         .where = requested.run};
        needs = {longest->blockThreads, longest->registers, longest->staticSmem + longest->dynamicSmem};
    } else if (!requested.threads) {
        return Error{.code = ErrorCode::usage,
                     .message = "No launch is given.",
                     .hint = "Give --threads, or a stored run as run:ID. Run kloop occupancy --help.",
                     .where = "--threads"};
    }
    needs.threads = requested.threads.value_or(needs.threads);
    needs.registersPerThread = requested.registers.value_or(needs.registersPerThread);
    needs.smem = requested.smem.value_or(needs.smem);
    return checkNeeds(needs);
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

Result<int> calculateOccupancy(Program& program, const OccupancyOptions& requested)
{
    const Result<BlockNeeds> needs = collectNeeds(program, requested);
    const Result<std::vector<const GpuRow*>> gpus = selectGpus(requested.gpu);
    if (!needs || !gpus)
        return needs ? gpus.error() : needs.error();
    if (!requested.sweep.empty() && gpus->size() > 1)
        return Error{
            .code = ErrorCode::usage, .message = "--sweep takes one GPU.", .hint = "Name it, e.g. --gpu H200.", .where = "--sweep"};
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
        OccupancyRow row{gpu, computeOccupancy(*limits, *needs), occupancyTerms(*limits, *needs), occupancyLevers(*limits, *needs), {}};
        if (const std::optional<OccupancyInput> input = sweepInput(requested.sweep))
            row.sweep = occupancySweep(*limits, *needs, *input);
        answer["gpus"].push_back(toJson(row));
        rows.push_back(std::move(row));
    }
    if (!program.printAsJson(answer))
        printText("{}", renderOccupancy(rows));
    return 0;
}

} // namespace

Runner addOccupancy(CLI::App& app)
{
    const auto o = std::make_shared<OccupancyOptions>();
    app.add_option("RUN", o->run, "run:ID, or the start of one: use the longest launch of a stored run");
    app.add_option("--threads", o->threads, "Threads per block (required without RUN)");
    app.add_option("--registers", o->registers, "Registers per thread, shown by `kloop run` (32)");
    app.add_option("--smem", o->smem, "Bytes of shared memory per block, static and dynamic (0)");
    app.add_option("--gpu", o->gpu, "One GPU, by part of its name");
    app.add_option("--sweep", o->sweep, "Occupancy for every value of one input")
        ->check(CLI::IsMember({"registers", "shared-memory", "block-size"}));
    app.footer("For example, what if a measured kernel had fewer registers: kloop occupancy run:ID --registers 64 --gpu H200");
    return [o](Program& program) { return calculateOccupancy(program, *o); };
}

} // namespace kl::cli
