// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/opened_files.h"
#include "app/kloop/program.h"
#include "app/kloop/render.h"
#include "app/kloop/render_show.h"
#include "app/kloop/stored_run.h"
#include "app/kloop/streams.h"
#include "app/kloop/table.h"
#include "core/base/write_file.h"
#include "core/codec/run_codec.h"
#include "core/diagnosis/charts_codec.h"
#include "core/plot/charts.h"
#include "core/stats/correctness_text.h"
#include "sessions/import/imported_runs.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

struct Shown {
    std::vector<RunRecord> runs;
    int exit = 0; ///< of a file that could not be read
};

/// One that is there, or one whose name says that it should be: kernels' names have no dots.
bool isFile(const std::string& target)
{
    std::error_code failure;
    return !target.starts_with("run:") && (std::filesystem::is_regular_file(target, failure) ||
                                           (std::filesystem::path(target).has_extension() && !std::filesystem::exists(target, failure)));
}

Result<Shown> runsOf(Program& program, const Options& options)
{
    Shown shown;
    Options files = options;
    files.import.files.clear();
    const Result<Params> problem = oneProblem(options);
    if (!problem)
        return problem.error();
    for (const std::string& target : options.show.targets) {
        if (isFile(target)) {
            files.import.files.push_back(target);
            continue;
        }
        const Result<RunId> id = resolveRun(program, target, *problem, WhichRuns::profiles);
        const Result<Store*> store = id ? program.store() : Result<Store*>(id.error());
        Result<RunRecord> run = store ? (*store)->run(*id) : Result<RunRecord>(store.error());
        if (!run)
            return run.error();
        shown.runs.push_back(std::move(*run));
    }
    if (files.import.files.empty())
        return shown;
    Result<OpenedFiles> opened = openFiles(program, files);
    if (!opened)
        return opened.error();
    std::move(opened->runs.begin(), opened->runs.end(), std::back_inserter(shown.runs));
    shown.exit = opened->exit;
    return shown;
}

Json jsonOf(const RunRecord& run, const ShowOptions& o)
{
    Json json{{"id", run.id.text},
              {"kernel", run.kernel.family},
              {"variant", run.kernel.variant},
              {"tunables", toText(run.kernel.tunables)},
              {"problem", toText(run.problem)},
              {"device", run.device.name}};
    if (o.roofline || o.all())
        json["roofline"] = toJson(rooflineOf(run));
    if (o.memory || o.all())
        json["memory"] = toJson(memoryChart(run));
    if (o.stalls || o.all())
        json["stalls"] = stallsToJson(run);
    if (o.occupancy || o.all()) {
        const std::optional<OccupancyWhatIf> whatIf = occupancyWhatIf(run);
        json["occupancy"] = whatIf ? toJson(*whatIf) : Json(nullptr);
    }
    return json;
}

std::string textOf(const RunRecord& run, const ShowOptions& o)
{
    std::string text =
        toned(fmt::format("{}, {}", headingOf(run, run.imported ? run.imported->kernel : toText(run.kernel)), run.device.name),
              Tone::strong) +
        '\n';
    if (isRefuted(run.correctness.result))
        text += toned("The run counts for nothing, " + refutedWords(run.correctness), Tone::bad) + '\n';
    if (o.roofline || o.all())
        text += '\n' + renderRoofline(run);
    if (o.memory || o.all())
        text += '\n' + renderMemoryChart(run);
    if (o.stalls || o.all())
        text += '\n' + renderStalls(run);
    if (o.occupancy || o.all())
        text += '\n' + renderOccupancyWhatIf(run);
    return text;
}

Status draw(const std::vector<RunRecord>& runs, const std::string& path)
{
    std::vector<RooflinePoint> points;
    for (const RunRecord& run : runs)
        for (const RooflinePoint& point : rooflineOf(run).points)
            points.push_back(point);
    return writeFile(path, plot::svgRoofline(rooflineOf(runs.front()).roofs, points));
}

} // namespace

Result<int> commandShow(Program& program, const Options& options)
{
    const Result<Shown> shown = runsOf(program, options);
    if (!shown)
        return shown.error();
    if (!options.show.svg.empty())
        if (const Status drawn = draw(shown->runs, options.show.svg); !drawn)
            return drawn.error();
    Json answer{{"schema", "kernelloop.show/1"}, {"results", Json::array()}};
    for (const RunRecord& run : shown->runs)
        answer["results"].push_back(jsonOf(run, options.show));
    if (!program.printed(answer))
        for (const RunRecord& run : shown->runs)
            printText("{}{}", &run == &shown->runs.front() ? "" : "\n", textOf(run, options.show));
    return shown->exit;
}

} // namespace kl
