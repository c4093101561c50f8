// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/measured.h"
#include "app/kloop/program.h"
#include "app/kloop/streams.h"
#include "core/base/format.h"
#include "core/base/write_file.h"
#include "core/codec/json.h"
#include "sessions/confusion/confusion.h"
#include "sessions/import/file_bytes.h"
#include "sessions/import/open_file.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

Result<std::vector<RunRecord>> fromFiles(Program& program, const std::vector<std::string>& files)
{
    const Result<const DiagnosisTree*> tree = program.tree();
    const Result<const Catalog*> catalog = program.catalog();
    if (!tree || !catalog)
        return tree ? catalog.error() : tree.error();
    std::vector<RunRecord> runs;
    for (const std::string& file : files) {
        Result<OpenedFile> opened = openFile(file, **tree, **catalog);
        if (!opened)
            return opened.error();
        for (RunRecord& run : opened->runs)
            runs.push_back(std::move(run));
    }
    return runs;
}

Result<NcuRules> rulesOf(const std::string& file)
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
    constexpr std::array<const char*, kJudges.size()> kNames{"counters", "inferred", "ncu", "ncu_speed_of_light"};
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

} // namespace

Result<int> commandConfusion(Program& program, const Options& options)
{
    const Result<const DiagnosisTree*> tree = program.tree();
    const Result<const Catalog*> catalog = program.catalog();
    if (!tree || !catalog)
        return tree ? catalog.error() : tree.error();
    const Result<Holdout> holdout = embeddedHoldout();
    if (!holdout)
        return holdout.error();
    const Result<NcuRules> ncu = rulesOf(options.profile.ncuRules);
    if (!ncu)
        return ncu.error();
    const Result<std::vector<RunRecord>> runs = options.kernels.empty() ? profiledCatalog(program) : fromFiles(program, options.kernels);
    if (!runs)
        return runs.error();
    const Result<std::vector<RunRecord>> unseen = fromFiles(program, options.profile.unseen);
    if (!unseen)
        return unseen.error();
    const Confusion confusion = confusionOf(*runs, *unseen, **catalog, **tree, *holdout, *ncu);
    if (confusion.kernels.empty())
        return Error{ErrorCode::badInput,
                     "There is no profile of a labeled kernel.",
                     "Give files that `kloop profile KERNEL --json` wrote, or none to profile the catalog (--on sample needs no GPU).",
                     "FILE",
                     {}};
    const std::string text = confusionMarkdown(confusion, *holdout);
    if (!options.profile.markdown.empty())
        if (const Status written = writeFile(options.profile.markdown, text); !written)
            return written.error();
    if (!program.printed(toJson(confusion, *holdout)))
        printText("{}", text);
    return 0;
}

} // namespace kl
