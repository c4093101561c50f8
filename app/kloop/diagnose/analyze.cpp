// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/opened_files.h"
#include "app/kloop/common/program.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/parallel.h"
#include "core/base/try.h"
#include "core/codec/json_list.h"
#include "core/codec/run_codec.h"
#include "core/diagnosis/targets.h"
#include "profiler/import/ncu_opinion.h"
#include "sessions/import/store_runs.h"
#include "sessions/measure/hot_lines.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <future>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct AnalyzeOptions {
    FileOptions input;
    bool keep = true; ///< store what another tool measured
    bool explain = false;
};

/// Whether the runs were stored; the answer is printed even if the database cannot be written.
bool reportUnstored(const Result<std::vector<bool>>& stored)
{
    if (!stored)
        say("kloop: the runs were not stored: {}\n", stored.error().message);
    return stored.ok();
}

/// `catalog`: for runs whose lines were sampled.
Json runResultToJson(const RunRecord& run, const Catalog* catalog)
{
    Json json = run.sourceProfile ? runToJsonWithLines(run, *catalog) : runToJson(run);
    if (!run.sourceProfile && isProfile(run))
        json["targets"] = targetsToJson(compareWithTargets(run));
    if (!run.imported || !run.metrics)
        return json;
    const auto opinion = ncuOpinion(run.imported->rules, *run.metrics);
    json["imported"]["top_rule"] = opinion ? Json{{"rule", opinion->rule->rule},
                                                  {"class", opinion->classId},
                                                  {"agrees", opinion->classId == run.diagnosis->finding.classId}}
                                           : Json(nullptr);
    return json;
}

void printOpened(Program& program, const OpenedFiles& opened, const Catalog* catalog)
{
    std::vector<std::string> results(opened.runs.size());
    inParallel(results.size(), [&](std::size_t i) {
        Json result = runResultToJson(opened.runs[i], catalog);
        addStepCommands(result);
        results[i] = encodePrettyItem(result);
    });
    Json answer{{"schema", "kernelloop.analyze/1"}, {"results", Json::array()}};
    addTrouble(answer, opened);
    program.printList(answer, "results", std::move(results));
}

Status printWords(Program& program, const OpenedFiles& opened, const Catalog& catalog, bool explain, bool stored)
{
    KL_ASSIGN(const DiagnosisTree* tree, program.tree());
    for (const RunRecord& run : opened.runs)
        printText("{}{}{}{}{}{}", &run == &opened.runs.front() ? "" : "\n", renderRun(run, stored && run.imported),
                  explain ? renderExplanation(run, *tree) : std::string(), renderHotLines(run, catalog), renderDuration(run),
                  renderNcuOpinion(run));
    return {};
}

/// Those of other tools: the others have their home.
std::vector<const RunRecord*> listForeign(const OpenedFiles& opened)
{
    std::vector<const RunRecord*> runs;
    for (std::size_t i = 0; i < opened.runs.size(); ++i)
        if (opened.foreign[i])
            runs.push_back(&opened.runs[i]);
    return runs;
}

Result<int> analyzeFiles(Program& program, const AnalyzeOptions& options)
{
    const bool known = program.databaseExists();
    std::future<Result<Store*>> database; // making one, or looking through it for damage, takes as long as reading a file does
    const auto open = [&] {
        if (options.keep && !database.valid() && (known || options.input.kernel.empty()))
            database = std::async(std::launch::async, [&program] { return program.store(); });
    };
    if (known)
        open();
    KL_ASSIGN(const OpenedFiles opened, openFiles(program, options.input, open)); // none is made where there is nothing to keep
    if (const Result<Store*> found = database.valid() ? database.get() : Result<Store*>(nullptr); !found && known)
        return found.error();
    const bool requested =
        !program.options().json || std::ranges::any_of(opened.runs, [](const RunRecord& run) { return run.sourceProfile.has_value(); });
    KL_ASSIGN(const Catalog* catalog, requested ? program.catalog() : Result<const Catalog*>(nullptr));
    std::future<Result<std::vector<bool>>> storing; // takes as long as writing the answer does
    if (const std::vector<const RunRecord*> foreign = listForeign(opened); options.keep && !foreign.empty())
        storing = std::async(std::launch::async, [&program, foreign] {
            const Result<Store*> store = program.store();
            return store ? storeRuns(**store, foreign) : Result<std::vector<bool>>(store.error());
        });
    if (program.options().json)
        printOpened(program, opened, catalog);
    const bool stored = storing.valid() && reportUnstored(storing.get());
    if (!program.options().json)
        KL_TRY(printWords(program, opened, *catalog, options.explain, stored));
    return opened.exit;
}

} // namespace

Runner addAnalyze(CLI::App& app)
{
    const auto o = std::make_shared<AnalyzeOptions>();
    app.add_option("FILE", o->input.files, std::string(kMeasurementFiles) + "; or run:ID, a stored run")->required()->check(notBlank);
    addKernelFilter(app, o->input.kernel);
    app.add_flag_callback(
        "--no-store", [o] { o->keep = false; }, "Do not store the runs of other tools (default: each is stored once)");
    app.add_flag_callback(
        "--no-counters",
        [o] {
            o->input.noCounters = true;
            o->keep = false;
        },
        "Diagnose from times and code alone, as if hardware counters were not permitted; nothing is stored");
    app.add_flag("--explain", o->explain, "Print every question of the diagnosis tree with its values");
    app.footer("  ncu --set full -o report ./program          kloop analyze report.ncu-rep          kloop analyze run:ID --explain\n"
               "The runs can then be compared: kloop compare run:A run:B.");
    return [o](Program& program) { return analyzeFiles(program, *o); };
}

} // namespace kl::cli
