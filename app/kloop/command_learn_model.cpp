// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/measured.h"
#include "app/kloop/program.h"
#include "app/kloop/streams.h"
#include "app/kloop/table.h"
#include "core/base/format.h"
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

namespace kl {
namespace {

/// Runs of files that `kloop profile --json` wrote; user's kernels among them are those of --kernel.
Result<std::vector<RunRecord>> runsOfFiles(Program& program, const LearningOptions& options)
{
    for (const std::string& kernel : options.kernels)
        if (const Result<std::string> known = program.plainAddress(kernel); !known)
            return known.error();
    const Result<const Catalog*> catalog = program.catalog();
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!catalog || !tree)
        return catalog ? tree.error() : catalog.error();
    std::vector<RunRecord> runs;
    for (const std::string& file : options.files) {
        Result<OpenedFile> opened = openFile(file, **tree, **catalog);
        if (!opened)
            return opened.error();
        for (const RunRecord& run : opened->runs)
            if (!(*catalog)->variant(run.kernel))
                return Error{ErrorCode::badInput,
                             fmt::format("{}: {} is no kernel that is known here.", file, toText(run.kernel)),
                             "Say where it lies: --kernel PATH.",
                             "--kernel",
                             {}};
        std::ranges::move(opened->runs, std::back_inserter(runs));
    }
    return runs;
}

/// What is shipped, or with --write the catalog as it is measured on the device; with FILEs what they hold; and the database's own.
Result<std::vector<FixState>> statesToLearn(Program& program, const LearningOptions& options)
{
    Result<std::vector<RunRecord>> runs = runsOfFiles(program, options);
    if (!runs)
        return runs.error();
    const Result<const Catalog*> catalog = program.catalog();
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!catalog || !tree)
        return catalog ? tree.error() : catalog.error();
    if (!options.write.empty()) {
        Result<std::vector<RunRecord>> measured = profiledCatalog(program);
        if (!measured)
            return measured.error();
        std::ranges::move(*runs, std::back_inserter(*measured));
        return statesOf(*measured, **catalog, **tree);
    }
    Result<std::vector<FixState>> states = shippedStates();
    const Result<Store*> store = program.store();
    if (!states || !store)
        return states ? store.error() : states.error();
    Result<std::vector<FixState>> own = ownStates(**store, **catalog, **tree);
    if (!own)
        return own.error();
    std::vector<FixState> more = statesOf(*runs, **catalog, **tree);
    std::ranges::move(more, std::back_inserter(*states));
    std::ranges::move(*own, std::back_inserter(*states));
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

struct KindRow {
    int cases = 0;
    int own = 0;
    int paid = 0;
    std::set<std::string> families;
    std::vector<double> gains;
};

std::map<std::string, KindRow> kindsOf(const FixModel& model)
{
    std::map<std::string, KindRow> kinds;
    for (const FixState& state : model.states())
        for (const FixOutcome& outcome : state.outcomes) {
            KindRow& row = kinds[outcome.kind];
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

void print(const FixModel& model, const std::map<std::string, KindRow>& kinds)
{
    Table table({"change", "cases>", "own>", "kernels>", "paid>", "median gain>"});
    for (const auto& [kind, row] : kinds)
        table.add({kind, fmt::format("{}", row.cases), fmt::format("{}", row.own), fmt::format("{}", row.families.size()),
                   fmt::format("{} ({})", row.paid, formatPercent(100.0 * row.paid / row.cases)),
                   formatRatio(row.gains[row.gains.size() / 2])});
    printText("{} measured changes, {} of this database; {}.\n{}\nPaid: at least {:.2f} times as fast.\n", model.cases(), model.ownCases(),
              model.calibrated() ? "chances are calibrated on kernels that the model has not seen"
                                 : "too few to learn from: chances are the diagnosis tree's confidence",
              table.text("  "), kFixPays);
}

} // namespace

Result<int> commandLearnModel(Program& program, const Options& options)
{
    Result<std::vector<FixState>> states = statesToLearn(program, options.learning);
    if (!states)
        return states.error();
    if (!options.learning.write.empty())
        if (const Status saved = writeFile(options.learning.write, statesToText(*states)); !saved)
            return saved.error();
    const bool validates = options.learning.crossValidate || !options.profile.markdown.empty();
    const FixValidation validation = validates ? crossValidate(*states) : FixValidation{};
    if (!options.profile.markdown.empty())
        if (const Status saved = writeFile(options.profile.markdown, validationMarkdown(validation)); !saved)
            return saved.error();
    const FixModel model = FixModel::trained(std::move(*states));
    const std::map<std::string, KindRow> kinds = kindsOf(model);
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
    if (program.printed(answer))
        return 0;
    if (validates)
        printText("{}", validationMarkdown(validation));
    else
        print(model, kinds);
    return 0;
}

} // namespace kl
