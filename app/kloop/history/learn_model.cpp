// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/measured.h"
#include "app/kloop/common/program.h"
#include "app/kloop/history/learn_verbs.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "sessions/import/open_file.h"
#include "sessions/learning/fix_validation.h"
#include "sessions/learning/own_cases.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace kl::cli {
namespace {

struct LearnModelOptions {
    std::vector<std::string> files;   ///< answers of profile to learn from, too
    std::vector<std::string> kernels; ///< the user's kernels that they are of
    bool crossValidate = false;
    std::string markdown; ///< file for the tables of the cross-validation
    std::string write;    ///< file for the measured changes
};

/// Runs of files that `kloop profile --json` wrote; user's kernels among them are those of --kernel.
Result<std::vector<RunRecord>> readFileRuns(Program& program, const LearnModelOptions& options)
{
    for (const std::string& kernel : options.kernels) {
        KL_ASSIGN([[maybe_unused]] const std::string known, program.plainAddress(kernel));
    }
    const Result<const Catalog*> catalog = program.catalog();
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!catalog || !tree)
        return catalog ? tree.error() : catalog.error();
    std::vector<RunRecord> runs;
    for (const std::string& file : options.files) {
        KL_ASSIGN(OpenedFile opened, openFile(file, **tree, **catalog));
        for (const RunRecord& run : opened.runs)
            if (!(*catalog)->variant(run.kernel))
                return Error{.code = ErrorCode::badInput,
                             .message = fmt::format("{}: unknown kernel {}.", file, toText(run.kernel)),
                             .hint = "Give its path: --kernel PATH.",
                             .where = "--kernel"};
        std::ranges::move(opened.runs, std::back_inserter(runs));
    }
    return runs;
}

/// What is shipped, or with --write the catalog as it is measured on the device; with FILEs what they hold; and the database's own.
Result<std::vector<FixState>> statesToLearn(Program& program, const LearnModelOptions& options)
{
    KL_ASSIGN(std::vector<RunRecord> runs, readFileRuns(program, options));
    const Result<const Catalog*> catalog = program.catalog();
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!catalog || !tree)
        return catalog ? tree.error() : catalog.error();
    if (!options.write.empty()) {
        KL_ASSIGN(std::vector<RunRecord> measured, profileCatalog(program));
        std::ranges::move(runs, std::back_inserter(measured));
        return computeStates(measured, **catalog, **tree);
    }
    Result<std::vector<FixState>> states = loadShippedStates();
    const Result<Store*> store = program.store();
    if (!states || !store)
        return states ? store.error() : states.error();
    KL_ASSIGN(std::vector<FixState> own, ownStates(**store, **catalog, **tree));
    std::vector<FixState> more = computeStates(runs, **catalog, **tree);
    std::ranges::move(more, std::back_inserter(*states));
    std::ranges::move(own, std::back_inserter(*states));
    return states;
}

Json toJson(const FixRate& rate)
{
    return {{"right", rate.right}, {"of", rate.of}};
}

Json toJson(const FixValidation& v)
{
    Json json{{"offered", toJson(v.offered)},
              {"choice", toJson(v.choice)},
              {"any_kind", toJson(v.any)},
              {"tree", {{"offered", toJson(v.treeOffered)}, {"choice", toJson(v.treeChoice)}, {"any_kind", toJson(v.treeAny)}}},
              {"ece", v.ece},
              {"ece_top", v.topEce},
              {"reliability", Json::array()},
              {"families", Json::array()}};
    for (const ReliabilityRow& row : v.reliability)
        json["reliability"].push_back({{"from", row.from}, {"cases", row.cases}, {"predicted", row.predicted}, {"paid", row.paid}});
    for (const FamilyTrial& f : v.families)
        json["families"].push_back({{"family", f.family},
                                    {"states", f.states},
                                    {"cases", f.cases},
                                    {"offered", toJson(f.offered)},
                                    {"choice", toJson(f.choice)},
                                    {"any_kind", toJson(f.any)}});
    return json;
}

struct ChangeRow {
    int cases = 0;
    int own = 0;
    int paid = 0;
    std::set<std::string> families;
    std::vector<double> gains;
};

std::map<std::string, ChangeRow> countKinds(const FixModel& model)
{
    std::map<std::string, ChangeRow> kinds;
    for (const FixState& state : model.states())
        for (const FixOutcome& outcome : state.outcomes) {
            ChangeRow& row = kinds[outcome.kind];
            ++row.cases;
            row.own += state.own ? 1 : 0;
            row.paid += outcome.gain >= std::log(kFixPays) ? 1 : 0;
            row.families.insert(state.family);
            row.gains.push_back(std::exp(outcome.gain));
        }
    for (auto& [kind, row] : kinds)
        std::ranges::sort(row.gains);
    return kinds;
}

void print(const FixModel& model, const std::map<std::string, ChangeRow>& kinds)
{
    Table table({"Change", "Cases>", "Own>", "Kernels>", "Paid off>", "Median speedup>"});
    for (const auto& [kind, row] : kinds)
        table.add({kind, fmt::format("{}", row.cases), fmt::format("{}", row.own), fmt::format("{}", row.families.size()),
                   fmt::format("{} ({})", row.paid, formatPercent(100.0 * row.paid / row.cases)),
                   formatRatio(row.gains[row.gains.size() / 2])});
    printText("{} measured changes, {} of them in this database; {}.\n{}\nPaid off: at least {:.2f} times as fast.\n", model.cases(),
              model.ownCases(),
              model.calibrated() ? "chances are calibrated on kernels that the model was not trained on"
                                 : "too few to learn from, so chances come from the diagnosis tree",
              table.text("  "), kFixPays);
}

Result<int> showModel(Program& program, const LearnModelOptions& options)
{
    KL_ASSIGN(std::vector<FixState> states, statesToLearn(program, options));
    if (!options.write.empty())
        KL_TRY(writeFile(options.write, statesToText(states)));
    const bool validates = options.crossValidate || !options.markdown.empty();
    const FixValidation validation = validates ? crossValidate(states) : FixValidation{};
    if (!options.markdown.empty())
        KL_TRY(writeFile(options.markdown, validationMarkdown(validation)));
    const FixModel model = FixModel::makeTrained(std::move(states));
    const std::map<std::string, ChangeRow> kinds = countKinds(model);
    Json answer{
        {"schema", "kernelloop.fix-model/1"}, {"cases", model.cases()}, {"own_cases", model.ownCases()}, {"states", model.states().size()},
        {"calibrated", model.calibrated()},   {"pays", kFixPays},       {"kinds", Json::array()}};
    for (const auto& [kind, row] : kinds)
        answer["kinds"].push_back({{"kind", kind},
                                   {"cases", row.cases},
                                   {"own", row.own},
                                   {"kernels", row.families.size()},
                                   {"paid", row.paid},
                                   {"median_ratio", row.gains[row.gains.size() / 2]}});
    answer["cross_validation"] = validates ? toJson(validation) : Json(nullptr);
    if (program.printAsJson(answer))
        return 0;
    if (validates)
        printText("{}", validationMarkdown(validation));
    else
        print(model, kinds);
    return 0;
}

} // namespace

Runner addLearnModel(CLI::App& app)
{
    const auto o = std::make_shared<LearnModelOptions>();
    CLI::Option* files = app.add_option("FILE", o->files, "Output of `kloop profile --json` to learn from as well");
    addRepeated(app, "--kernel", o->kernels, "Your own kernel that a FILE was measured on; may be given several times")->needs(files);
    app.add_flag("--cross-validate", o->crossValidate, "Judge each family by a model that was not trained on it");
    app.add_option("--markdown", o->markdown, "Write the tables of the cross-validation to this file")->check(notBlank);
    app.add_option("--write", o->write, "Write the measured changes of the catalog and of the FILEs, which replace the shipped ones")
        ->check(notBlank);
    app.footer("On shipped and your own measurements:\n  kloop learn model --cross-validate\n"
               "To measure the shipped ones again, on the recording:\n  kloop learn model --on sample --write resources/fix-cases.json");
    return [o](Program& program) { return showModel(program, *o); };
}

} // namespace kl::cli
