// SPDX-License-Identifier: MIT
#include "sessions/learning/rediagnose.h"
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/common/stored_run.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/learning/own_cases.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct RediagnoseOptions {
    std::vector<std::string> runs; ///< run:ID, or addresses for their newest profile
    bool all = false;
    bool dryRun = false;
};

/// The measured changes of the database, each state judged by this tree.
struct FixCases {
    std::size_t states = 0;
    std::size_t changes = 0;
};

Result<std::vector<RunId>> resolveNamedRuns(Program& program, const RediagnoseOptions& options)
{
    if (options.all == !options.runs.empty())
        return Error{.code = ErrorCode::usage,
                     .message = options.all ? "Both runs and --all are given." : "No run is given.",
                     .hint = "Name runs, or give --all for every profile in the database.",
                     .where = "RUN"};
    if (options.all) {
        KL_ASSIGN(const Store* store, program.store());
        return listStoredProfiles(*store);
    }
    std::vector<RunId> ids;
    for (const std::string& text : options.runs) {
        KL_ASSIGN(RunId id, resolveRun(program, text, {}, WhichRuns::profiles));
        ids.push_back(std::move(id));
    }
    return ids;
}

Result<FixCases> countCases(const Store& store, const Catalog& catalog, const DiagnosisTree& tree)
{
    KL_ASSIGN(const std::vector<FixState> states, ownStates(store, catalog, tree));
    FixCases cases{states.size(), 0};
    for (const FixState& state : states)
        cases.changes += state.outcomes.size();
    return cases;
}

Json versionJson(const Diagnosis& diagnosis)
{
    return {{"class", diagnosis.finding.classId},
            {"title", diagnosis.finding.title},
            {"priority", diagnosis.finding.priority},
            {"confidence", diagnosis.finding.confidence},
            {"tree_version", diagnosis.treeVersion.empty() ? Json(nullptr) : Json(diagnosis.treeVersion)}};
}

Json toJson(const Rediagnosis& one)
{
    return {{"run", one.id.text},
            {"kernel", one.kernel},
            {"problem", one.problem},
            {"device", one.device},
            {"old", versionJson(one.before)},
            {"new", versionJson(one.after)},
            {"changed", one.hasNewClass()},
            {"stored", one.stored}};
}

std::string treeText(const Diagnosis& diagnosis)
{
    return diagnosis.treeVersion.empty() ? "not recorded" : diagnosis.treeVersion;
}

/// Of all runs, those whose class changes; of named ones, each.
std::string renderTable(const std::vector<Rediagnosis>& runs, bool all)
{
    Table table({"Run", "Kernel", "Problem", "Old class", "New class", "Old tree"});
    for (const Rediagnosis& one : runs)
        if (!all || one.hasNewClass())
            table.add({"run:" + one.id.text, one.kernel, one.problem, one.before.finding.classId,
                       one.hasNewClass() ? applyTone(one.after.finding.classId, Tone::strong) : "the same", treeText(one.before)});
    return table.empty() ? std::string() : table.text("  ");
}

Result<int> diagnoseAgain(Program& program, const RediagnoseOptions& options)
{
    KL_ASSIGN(const std::vector<RunId> ids, resolveNamedRuns(program, options));
    KL_ASSIGN(Store * store, program.store());
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    KL_ASSIGN(const DiagnosisTree* tree, program.tree());
    TrainedRecommender recommender(*store, *catalog, *tree);
    KL_ASSIGN(const std::vector<Rediagnosis> runs,
              rediagnoseRuns(*store, *catalog, *tree, recommender, ids, !options.dryRun, program.job()));
    KL_ASSIGN(const FixCases cases, countCases(*store, *catalog, *tree));
    const auto changed = std::ranges::count_if(runs, &Rediagnosis::hasNewClass);
    const auto stored = std::ranges::count_if(runs, &Rediagnosis::stored);
    Json answer{{"schema", "kernelloop.rediagnose/1"},
                {"tree_version", tree->version()},
                {"dry_run", options.dryRun},
                {"changed", changed},
                {"stored", stored},
                {"fix_cases", {{"states", cases.states}, {"changes", cases.changes}}},
                {"runs", Json::array()}};
    for (const Rediagnosis& one : runs)
        answer["runs"].push_back(toJson(one));
    if (program.printAsJson(answer))
        return 0;
    printText("Diagnosed again with tree {}: {} of {} profiles have another class\n{}", tree->version(), changed, runs.size(),
              renderTable(runs, options.all));
    printText("  {}\n", options.dryRun ? std::string("Nothing is stored (--dry-run).")
                                       : fmt::format("{} new findings are stored; the earlier ones stay.", stored));
    if (cases.states > 0)
        printText("  Fix cases of this database, judged by this tree: {} measured changes of {} profiles\n", cases.changes, cases.states);
    return 0;
}

} // namespace

Runner addRediagnose(CLI::App& app)
{
    const auto o = std::make_shared<RediagnoseOptions>();
    app.add_option("RUN", o->runs, "run:ID, or family/variant for its newest profile");
    app.add_flag("--all", o->all, "Every profile in the database; lists those whose class changes");
    app.add_flag("--dry-run", o->dryRun, "Store nothing: only show what would change");
    app.footer("A new finding is stored beside the earlier ones, each with the version of its tree: kloop show RUN --findings lists them.\n"
               "Without a GPU, and without a database of your own:\n"
               "  kloop rediagnose --all --dry-run --db :sample:");
    return [o](Program& program) { return diagnoseAgain(program, *o); };
}

} // namespace kl::cli
