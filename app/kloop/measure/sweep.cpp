// SPDX-License-Identifier: MIT
#include "sessions/measure/sweep.h"
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "sessions/measure/problem_axes.h"
#include "sessions/measure/requests.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct SweepOptions {
    std::vector<std::string> kernels;
    std::string problems;
    std::string csv; ///< file; empty: none
    bool noCounters = false;
};

Result<std::vector<std::pair<Address, Params>>> listPoints(Program& program, const SweepOptions& options)
{
    KL_ASSIGN(const std::vector<Params> problems, parseAxes(options.problems));
    std::vector<std::pair<Address, Params>> points;
    for (const std::string& kernel : options.kernels)
        for (const Params& problem : problems) {
            KL_ASSIGN(Address address, program.kernel(kernel, problem));
            points.emplace_back(std::move(address), problem);
        }
    return points;
}

std::string renderTable(const std::vector<SweepRow>& rows)
{
    const auto any = [&](auto figure) {
        return std::ranges::any_of(rows, [&](const SweepRow& row) { return (row.*figure)().has_value(); });
    };
    const bool bytes = any(&SweepRow::bytesPerSecond), flops = any(&SweepRow::flopsPerSecond);
    Table table({"Kernel", "Problem", "Time>", bytes ? "Bandwidth>" : ">", flops ? "Rate>" : ">", "Speedup>", "Over", "Limited by"});
    for (const SweepRow& row : rows) {
        const std::optional<double> bandwidth = row.bytesPerSecond(), rate = row.flopsPerSecond();
        table.add({toText(row.kernel), toText(row.problem), formatTime(row.ns()),
                   !bytes      ? ""
                   : bandwidth ? formatBandwidth(*bandwidth)
                               : kNoValue,
                   !flops ? ""
                   : rate ? formatFlops(*rate)
                          : kNoValue,
                   formatRatio(row.speedup()), row.run && row.run->baseline ? row.run->baseline->name : std::string(kNoValue),
                   !row.missing.empty() ? applyTone(row.missing, Tone::faint) : row.classId()});
    }
    return table.text("  ");
}

/// What to do about rows without a run, each hint once.
std::string formatHints(const std::vector<SweepRow>& rows)
{
    std::string text;
    for (const SweepRow& row : rows)
        if (!row.hint.empty() && text.find(row.hint) == std::string::npos)
            text += "  " + row.hint + '\n';
    return text;
}

Result<int> sweepKernels(Program& program, const SweepOptions& options)
{
    KL_ASSIGN(const auto points, listPoints(program, options));
    if (!options.csv.empty())
        KL_TRY(checkWritable(options.csv));
    KL_ASSIGN(auto* bench, program.bench());
    ProfileScope scope = kSessionTier;
    if (options.noCounters)
        scope.counters = false;
    KL_ASSIGN(const std::vector<SweepRow> rows, sweep(*bench, points, scope, program.job()));
    if (!options.csv.empty())
        KL_TRY(writeFile(options.csv, sweepCsv(rows)));
    Json answer{{"schema", "kernelloop.sweep/1"}, {"rows", Json::array()}};
    for (const SweepRow& row : rows)
        answer["rows"].push_back(toJson(row));
    if (!program.printAsJson(answer))
        printText("{}{}", renderTable(rows), formatHints(rows));
    return std::ranges::any_of(rows, [](const SweepRow& row) { return row.run && !isUsable(*row.run); }) ? 1 : 0;
}

} // namespace

Runner addSweep(CLI::App& app)
{
    const auto o = std::make_shared<SweepOptions>();
    app.add_option("KERNEL", o->kernels, "family/variant, e.g. transpose/naive; several are measured at the same sizes")->required();
    app.add_option("--problem", o->problems, "Axes of sizes, e.g. 'M=1024..16384 x2,N=[512,4096]', 'M=256..1024 +256,N=M'")->required();
    app.add_option("--csv", o->csv, "Also write the rows to this file as CSV")->check(notBlank);
    app.add_flag("--no-counters", o->noCounters, "Diagnose from times and code alone, which is faster");
    app.footer("An axis is one value, a list [A,B], a range A..B with a step xN or +N (default x2), or another axis's name, which links\n"
               "the two. Sizes that were not recorded or do not fit are shown as missing. Without a GPU:\n"
               "  kloop sweep transpose/naive transpose/tiled --problem 'M=4096,N=2048..4096' --on sample");
    return [o](Program& program) { return sweepKernels(program, *o); };
}

} // namespace kl::cli
