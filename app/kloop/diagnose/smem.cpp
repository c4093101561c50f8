// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/device/shared_memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

Json toJson(const GpuSmemRow& row)
{
    return {{"gpu", row.gpu},
            {"cc", fmt::format("{}.{}", row.ccMajor, row.ccMinor)},
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

std::string bytesText(std::int64_t bytes)
{
    return formatCount(static_cast<double>(bytes));
}

std::string renderSmem(const SmemNeed& need, const std::vector<GpuSmemRow>& rows)
{
    std::string text =
        fmt::format("{} bytes per block: tiles {}, scores {}\n", bytesText(need.total), bytesText(need.tiles), bytesText(need.scores));
    Table table({"GPU", "CC", "Limit>", "Used>", "Spare>", "Blocks per SM>", "Max. M>", ""});
    for (const GpuSmemRow& row : rows)
        table.add({row.gpu, fmt::format("{}.{}", row.ccMajor, row.ccMinor), bytesText(row.fit.limit), formatPercent(row.fit.percent),
                   bytesText(row.fit.spare), fmt::format("{}", row.blocksPerSm), row.rows ? fmt::format("{}", *row.rows) : "–",
                   row.fit.fits ? applyTone(row.fit.needsOptIn ? "fits, with opt-in" : "fits", Tone::good)
                                : applyTone("does not fit", Tone::bad)});
    text += table.text("  ");
    if (need.total > kStaticSmemLimit)
        text += "  Static shared memory is limited to 48 KiB on every GPU: declare it extern __shared__ and opt in with\n"
                "  cudaFuncAttributeMaxDynamicSharedMemorySize.\n";
    if (!need.ldmatrixWays)
        text += "  Rows are not a multiple of 16 bytes, which rules out 16-byte reads, ldmatrix and 16-byte cp.async.\n";
    else if (*need.ldmatrixWays > 1)
        text += fmt::format("  Reads of 16 bytes from eight rows have {}-way bank conflicts. Padding each row by 16 bytes (--pad 16) or a\n"
                            "  swizzle avoids them.\n",
                            *need.ldmatrixWays);
    for (const GpuSmemRow& row : rows)
        if (!row.correction.empty())
            text += fmt::format("  {}: {}\n", row.gpu, row.correction);
    return text;
}

Result<int> fitTiles(Program& program, const TilePlan& plan)
{
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
    if (!program.printAsJson(answer))
        printText("{}", renderSmem(*need, *rows));
    return std::any_of(rows->begin(), rows->end(), [](const GpuSmemRow& row) { return row.fit.fits; }) ? 0 : exitCode(ErrorCode::refused);
}

} // namespace

Runner addSmem(CLI::App& app)
{
    const auto plan = std::make_shared<TilePlan>();
    app.add_option("-M,--rows", plan->m, "Rows of a tile")->required();
    app.add_option("-K,--columns", plan->k, "Columns of a tile")->required();
    app.add_option("-N,--scores", plan->n, "Columns of the scores (M × N floats); 0: no scores")->capture_default_str();
    app.add_option("--tiles", plan->tiles, "Number of tiles")->capture_default_str();
    app.add_option("--bytes", plan->elementBytes, "Bytes per element of a tile")->capture_default_str();
    app.add_option("--pad", plan->tilePadding, "Bytes of padding after each row of a tile")->capture_default_str();
    app.add_option("--score-pad", plan->scorePadding, "Bytes of padding after each row of the scores")->capture_default_str();
    app.footer("Bytes: tiles × M × (K × bytes + pad) + M × (N × 4 + score pad).\n"
               "For example, Q, K and V of attention with 64 × 64 scores: kloop smem -M 64 -K 64 -N 64\n"
               "Exit status 1: the tiles do not fit on any GPU in the table.");
    return [plan](Program& program) { return fitTiles(program, *plan); };
}

} // namespace kl::cli
