// SPDX-License-Identifier: MIT
#include "sessions/confusion/confusion.h"
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/measured.h"
#include "app/kloop/common/program.h"
#include "app/kloop/diagnose/confusion_corpus.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/json.h"
#include "sessions/import/file_bytes.h"
#include "sessions/import/open_file.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct ConfusionOptions {
    std::vector<std::string> files; ///< answers of profile; empty: every labeled kernel is profiled
    std::string ncuRules;           ///< what Nsight Compute's rules said of the same kernels
    std::vector<std::string> unseen;
    std::string markdown;
    std::string corpus; ///< folder or recording of real calls, judged in place of the catalog
    bool heldOut = false;
};

Result<std::vector<RunRecord>> fromFiles(Program& program, const std::vector<std::string>& files)
{
    const Result<const DiagnosisTree*> tree = program.tree();
    const Result<const Catalog*> catalog = program.catalog();
    if (!tree || !catalog)
        return tree ? catalog.error() : tree.error();
    std::vector<RunRecord> runs;
    for (const std::string& file : files) {
        KL_ASSIGN(OpenedFile opened, openFile(file, **tree, **catalog));
        for (RunRecord& run : opened.runs)
            runs.push_back(std::move(run));
    }
    return runs;
}

Result<NcuRules> readRules(const std::string& file)
{
    if (file.empty())
        return NcuRules{};
    const Result<FileBytes> text = fileBytes(file);
    return text ? parseNcuRules(text->view(), file) : Result<NcuRules>(text.error());
}

Json toJson(const Rate& rate)
{
    return {{"right", rate.right}, {"of", rate.of}};
}

Json toJson(const Confusion& confusion, const Holdout& holdout)
{
    Json answer{{"schema", "kernelloop.confusion/1"}, {"kernels", Json::array()}, {"steps", Json::array()}, {"rates", Json::object()}};
    constexpr std::array<const char*, kJudges.size()> kNames{"counters", "inferred", "early", "ncu", "ncu_speed_of_light"};
    for (const Judge judge : kJudges)
        answer["rates"][kNames[static_cast<std::size_t>(judge)]] = {{"all", toJson(confusion.rate(judge))},
                                                                    {"tuned", toJson(confusion.rate(judge, Part::tuned))},
                                                                    {"held_out", toJson(confusion.rate(judge, Part::heldOut))},
                                                                    {"unseen", toJson(confusion.rate(judge, Part::unseen))}};
    answer["rates"]["lost"] = toJson(confusion.lost());
    answer["rates"]["estimates"] = toJson(confusion.estimates());
    answer["holdout"] = {
        {"chosen_at", holdout.chosenAt}, {"seed", holdout.seed}, {"families", holdout.families}, {"one_size_in", holdout.oneSizeIn}};
    for (const Judged& one : confusion.kernels) {
        Json row{{"kernel", toText(one.kernel)},
                 {"problem", toText(one.problem)},
                 {"expected", one.expected},
                 {"held_out", one.part == Part::heldOut},
                 {"unseen", one.part == Part::unseen}};
        for (const Judge judge : kJudges)
            row[kNames[static_cast<std::size_t>(judge)]] = one.by(judge).empty() ? Json(nullptr) : Json(one.by(judge));
        answer["kernels"].push_back(std::move(row));
    }
    for (const SeriesStep& step : confusion.steps)
        answer["steps"].push_back({{"from", toText(step.from)},
                                   {"to", toText(step.to)},
                                   {"problem", toText(step.problem)},
                                   {"fixed", step.fixed},
                                   {"after", step.after},
                                   {"estimated", step.estimated ? Json(*step.estimated) : Json(nullptr)},
                                   {"realised", step.realized},
                                   {"held_out", step.part == Part::heldOut},
                                   {"unseen", step.part == Part::unseen}});
    return answer;
}

Result<int> countConfusion(Program& program, const ConfusionOptions& options)
{
    if (!options.corpus.empty())
        return countCorpus(program, options.corpus, options.heldOut, options.markdown);
    const Result<const DiagnosisTree*> tree = program.tree();
    const Result<const Catalog*> catalog = program.catalog();
    if (!tree || !catalog)
        return tree ? catalog.error() : tree.error();
    KL_ASSIGN(const Holdout holdout, loadEmbeddedHoldout());
    KL_ASSIGN(const NcuRules ncu, readRules(options.ncuRules));
    KL_ASSIGN(const std::vector<RunRecord> runs, options.files.empty() ? profileCatalog(program) : fromFiles(program, options.files));
    KL_ASSIGN(const std::vector<RunRecord> unseen, fromFiles(program, options.unseen));
    const Confusion confusion = computeConfusion(runs, unseen, **catalog, **tree, holdout, ncu);
    if (confusion.kernels.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = "None of the files holds a profile of a labeled kernel.",
                     .hint = "Give no file to profile the catalog (--on sample needs no GPU), or what a profile prints with --json.",
                     .where = "FILE"}
            .leadTo({StepId::profile, {}, {{StepArgument::kernel, "Which kernel?"}}});
    const std::string text = confusionMarkdown(confusion, holdout);
    if (!options.markdown.empty())
        KL_TRY(writeFile(options.markdown, text));
    if (!program.printAsJson(toJson(confusion, holdout)))
        printText("{}", text);
    return 0;
}

} // namespace

Runner addConfusion(CLI::App& app)
{
    const auto o = std::make_shared<ConfusionOptions>();
    CLI::Option* files = app.add_option("FILE", o->files, "Output of `kloop profile --json` (default: every labeled kernel is profiled)");
    CLI::Option* unseen =
        addRepeated(app, "--unseen", o->unseen,
                    "Profiles of sizes that no threshold was tuned on (tests/data/unseen), counted separately; may be given several times");
    CLI::Option* ncu = app.add_option("--ncu", o->ncuRules, "Results of Nsight Compute's rules (tests/bench/ncu_rules.py) to compare with");
    CLI::Option* corpus = app.add_option("--corpus", o->corpus,
                                         "Judge recorded real calls instead: a folder with labels.json and recordings (tests/corpus), or "
                                         "one recording; the held-out third is left out")
                              ->excludes(files)
                              ->excludes(unseen)
                              ->excludes(ncu);
    app.add_flag("--held-out", o->heldOut, "With --corpus: judge only the held-out third")->needs(corpus);
    app.add_option("--markdown", o->markdown, "Also write the tables to this file")->check(notBlank);
    return [o](Program& program) { return countConfusion(program, *o); };
}

} // namespace kl::cli
