// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/opened_files.h"
#include "app/kloop/common/program.h"
#include "app/kloop/common/stored_run.h"
#include "app/kloop/render/render.h"
#include "app/kloop/render/render_show.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/run_codec.h"
#include "core/diagnosis/charts_codec.h"
#include "core/plot/charts.h"
#include "core/stats/correctness_text.h"
#include "profiler/protocol/kernel_pattern.h"
#include "sessions/import/imported_runs.h"

#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace kl::cli {
namespace {

/// Which parts of which profiles. No part requested: all of them.
struct ShowOptions {
    std::vector<std::string> targets; ///< run:ID, files, or addresses for their newest profile
    std::string kernel;               ///< expression searched in kernel names
    std::vector<std::string> problems;
    bool roofline = false;
    bool memory = false;
    bool stalls = false;
    bool occupancy = false;
    bool findings = false; ///< every stored finding, by trees' versions; not part of all()
    std::string svg;       ///< file that the roofline is drawn into; empty: none

    bool all() const { return !roofline && !memory && !stalls && !occupancy && !findings; }
};

struct Shown {
    std::vector<RunRecord> runs;
    std::map<RunId, std::vector<StoredDiagnosis>> findings; ///< of stored runs; oldest first
    int exit = 0;                                           ///< of a file that could not be read
};

/// One that is there, or one whose name says that it should be: kernels' names have no dots.
bool isFile(const std::string& target)
{
    std::error_code failure;
    return !target.starts_with("run:") && (std::filesystem::is_regular_file(target, failure) ||
                                           (std::filesystem::path(target).has_extension() && !std::filesystem::exists(target, failure)));
}

Result<Shown> collectShownRuns(Program& program, const ShowOptions& options)
{
    Shown shown;
    FileOptions files;
    files.kernel = options.kernel;
    KL_ASSIGN(const Params problem, oneProblem(options.problems));
    KL_ASSIGN(const KernelPattern pattern, KernelPattern::parse(options.kernel));
    std::set<std::string> others;
    for (const std::string& target : options.targets) {
        if (isFile(target)) {
            files.files.push_back(target);
            continue;
        }
        const Result<RunId> id = resolveRun(program, target, problem, WhichRuns::profiles, kRunOrFile);
        const Result<Store*> store = id ? program.store() : Result<Store*>(id.error());
        KL_ASSIGN(RunRecord run, store ? (*store)->run(*id) : Result<RunRecord>(store.error()));
        if (!pattern.matches(nameFor(run))) {
            others.insert(nameFor(run));
            continue;
        }
        if (options.findings) {
            KL_ASSIGN(shown.findings[run.id], (*store)->diagnoses(run.id));
        }
        shown.runs.push_back(std::move(run));
    }
    if (files.files.empty())
        return shown.runs.empty() ? Result<Shown>(makeNoKernelError(options.kernel, others)) : shown;
    KL_ASSIGN(OpenedFiles opened, openFiles(program, files));
    std::move(opened.runs.begin(), opened.runs.end(), std::back_inserter(shown.runs));
    shown.exit = opened.exit;
    return shown;
}

/// Those that are stored; of a file, the one that was found when it was read.
std::vector<StoredDiagnosis> collectFindings(const Shown& shown, const RunRecord& run)
{
    if (const auto stored = shown.findings.find(run.id); stored != shown.findings.end())
        return stored->second;
    return run.diagnosis ? std::vector<StoredDiagnosis>{{run.startedAt, *run.diagnosis}} : std::vector<StoredDiagnosis>{};
}

Json showToJson(const Shown& shown, const RunRecord& run, const ShowOptions& o)
{
    Json json{{"id", run.id.text},
              {"kernel", run.kernel.family},
              {"variant", run.kernel.variant},
              {"tunables", toText(run.kernel.tunables)},
              {"problem", toText(run.problem)},
              {"device", run.device.name}};
    if (o.roofline || o.all())
        json["roofline"] = toJson(computeRoofline(run));
    if (o.memory || o.all())
        json["memory"] = toJson(memoryChart(run));
    if (o.stalls || o.all())
        json["stalls"] = stallsToJson(run);
    if (o.occupancy || o.all()) {
        const std::optional<OccupancyWhatIf> whatIf = occupancyWhatIf(run);
        json["occupancy"] = whatIf ? toJson(*whatIf) : Json(nullptr);
    }
    if (o.findings) {
        json["findings"] = Json::array();
        for (const StoredDiagnosis& one : collectFindings(shown, run))
            json["findings"].push_back(
                {{"at", one.at},
                 {"tree_version", one.diagnosis.treeVersion.empty() ? Json(nullptr) : Json(one.diagnosis.treeVersion)},
                 {"class", one.diagnosis.finding.classId},
                 {"title", one.diagnosis.finding.title},
                 {"priority", one.diagnosis.finding.priority},
                 {"confidence", one.diagnosis.finding.confidence}});
    }
    return json;
}

std::string renderFindings(const std::vector<StoredDiagnosis>& findings)
{
    Table table({"Diagnosed", "Tree", "Class", "Confidence>", "Finding"});
    for (const StoredDiagnosis& one : findings)
        table.add({one.at, one.diagnosis.treeVersion.empty() ? "not recorded" : one.diagnosis.treeVersion, one.diagnosis.finding.classId,
                   formatPercent(one.diagnosis.finding.confidence * 100), one.diagnosis.finding.title});
    return table.text("  ");
}

std::string showText(const Shown& shown, const RunRecord& run, const ShowOptions& o)
{
    std::string text =
        applyTone(fmt::format("{} on {}", formatHeading(run, run.imported ? run.imported->kernel : toText(run.kernel)), run.device.name),
                  Tone::strong) +
        '\n';
    if (isRefuted(run.correctness.result))
        text += applyTone("The run is invalid, " + describeRefuted(run.correctness), Tone::bad) + '\n';
    if (o.roofline || o.all())
        text += '\n' + renderRoofline(run);
    if (o.memory || o.all())
        text += '\n' + renderMemoryChart(run);
    if (o.stalls || o.all())
        text += '\n' + renderStalls(run);
    if (o.occupancy || o.all())
        text += '\n' + renderOccupancyWhatIf(run);
    if (o.findings)
        text += '\n' + renderFindings(collectFindings(shown, run));
    return text;
}

Status draw(const std::vector<RunRecord>& runs, const std::string& path)
{
    std::vector<RooflinePoint> points;
    for (const RunRecord& run : runs)
        for (const RooflinePoint& point : computeRoofline(run).points)
            points.push_back(point);
    return writeFile(path, plot::svgRoofline(computeRoofline(runs.front()).roofs, points));
}

Result<int> showProfiles(Program& program, const ShowOptions& options)
{
    KL_ASSIGN(const Shown shown, collectShownRuns(program, options));
    if (!options.svg.empty())
        KL_TRY(draw(shown.runs, options.svg));
    Json answer{{"schema", "kernelloop.show/1"}, {"results", Json::array()}};
    for (const RunRecord& run : shown.runs)
        answer["results"].push_back(showToJson(shown, run, options));
    if (!program.printAsJson(answer))
        for (const RunRecord& run : shown.runs)
            printText("{}{}", &run == &shown.runs.front() ? "" : "\n", showText(shown, run, options));
    return shown.exit;
}

} // namespace

Runner addShow(CLI::App& app)
{
    const auto o = std::make_shared<ShowOptions>();
    app.add_option("PROFILE", o->targets, "run:ID, family/variant for its newest profile, or a file that kloop analyze accepts")
        ->required();
    app.add_flag("--roofline", o->roofline, "The kernel under its GPU's nominal and measured roofs; traffic and FLOP amplification");
    app.add_flag("--memory", o->memory, "Requests, bytes, hit rates and percentages of peak between SM, L1, shared memory, L2 and DRAM");
    app.add_flag("--stalls", o->stalls, "What warps wait for, and what each stall reason means");
    app.add_flag("--occupancy", o->occupancy, "What limits the warps per SM, and what would raise them");
    app.add_flag("--findings", o->findings, "Every stored finding, oldest first, with the version of its diagnosis tree");
    app.add_option("--svg", o->svg, "Draw the roofline into this file")->check(notBlank);
    addKernelFilter(app, o->kernel);
    addProblems(app, o->problems, "Sizes of the newest profile, e.g. M=4096,N=4096");
    app.footer("Without --roofline, --memory, --stalls or --occupancy, shows all four.\n"
               "  kloop profile transpose/naive --on sample          kloop show transpose/naive --memory");
    return [o](Program& program) { return showProfiles(program, *o); };
}

} // namespace kl::cli
