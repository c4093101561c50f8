// SPDX-License-Identifier: MIT
#include "app/kloop/common/opened_files.h"

#include "app/kloop/common/program.h"
#include "app/kloop/common/stored_run.h"
#include "app/kloop/terminal/explain.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "core/diagnosis/without_counters.h"
#include "profiler/protocol/kernel_pattern.h"
#include "sessions/import/open_file.h"
#include "sessions/learning/recommend.h"
#include "sessions/measure/compare.h"
#include "sessions/program/program_profile.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

void diagnose(RunRecord& run, const DiagnosisTree& tree, const Catalog& catalog, const Result<std::shared_ptr<const FixModel>>& model,
              std::vector<Warning>& notes)
{
    run.diagnosis = diagnoseIn(catalog, tree, run);
    if (std::optional<Warning> note = weighBy(model, run, tree))
        notes.push_back(std::move(*note));
}

Result<OpenedFile> openRunFile(Program& program, const std::string& path, const DiagnosisTree& tree, const std::function<void()>& sound,
                               bool noCounters)
{
    Result<OpenedFile> file = openFile(
        path, tree, [&program] { return program.catalog(); }, sound);
    if (!file || !noCounters)
        return file;
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    for (RunRecord& run : file->runs) {
        run = withoutCounters(std::move(run));
        diagnose(run, tree, *catalog, loadShippedModel(), file->notes);
    }
    return file;
}

/// run:ID of the database, diagnosed again.
Result<OpenedFile> openStoredRun(Program& program, const std::string& path, const DiagnosisTree& tree, bool noCounters)
{
    const Result<RunId> id = resolveRun(program, path, {});
    const Result<Store*> store = id ? program.store() : Result<Store*>(id.error());
    KL_ASSIGN(RunRecord run, store ? (*store)->run(*id) : Result<RunRecord>(store.error()));
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    OpenedFile file{{noCounters ? withoutCounters(std::move(run)) : std::move(run)}, {}, false};
    RunRecord& only = file.runs.front();
    const auto model = only.source == Source::live ? trainModel(**store, *catalog, tree) : loadShippedModel();
    diagnose(only, tree, *catalog, model, file.notes);
    return file;
}

} // namespace

std::string nameFor(const RunRecord& run)
{
    if (run.imported && !run.imported->kernel.empty())
        return run.imported->kernel;
    return run.program ? run.program->kernel : toText(run.kernel);
}

Error makeNoKernelError(const std::string& expression, const std::set<std::string>& kernels)
{
    return {.code = ErrorCode::notFound,
            .message = kernels.empty()
                           ? fmt::format("There is no kernel whose name matches \"{}\".", expression)
                           : fmt::format("\"{}\" matches the name of none of these kernels: {}.", expression, listKernelNames(kernels)),
            .hint = "Upper and lower case differ. Leave --kernel out to see all kernels.",
            .where = "--kernel"};
}

Error makeNoFileReadError()
{
    return {.code = ErrorCode::badInput, .message = "None of the files could be read.", .hint = "Each has its own reason above."};
}

void addTrouble(Json& answer, const OpenedFiles& files)
{
    answer["notes"] = files.notes;
    answer["errors"] = Json::array();
    for (const Error& error : files.errors)
        answer["errors"].push_back(errorToJson(error)["error"]);
}

Result<OpenedFiles> openFiles(Program& program, const FileOptions& options, const std::function<void()>& sound,
                              std::set<std::string>* unmatched)
{
    KL_ASSIGN(const DiagnosisTree* tree, program.tree());
    KL_ASSIGN(const KernelPattern pattern, KernelPattern::parse(options.kernel));
    OpenedFiles answer;
    std::set<std::string> others;
    bool any = false;
    for (const std::string& path : options.files) {
        Result<OpenedFile> file = path.starts_with("run:") ? openStoredRun(program, path, *tree, options.noCounters)
                                                           : openRunFile(program, path, *tree, sound, options.noCounters);
        if (!file && options.files.size() == 1)
            return file.error();
        if (!file) {
            const int code = explain(file.error(), false);
            answer.exit = answer.exit == 0 ? code : answer.exit;
            answer.errors.push_back(file.error());
            continue;
        }
        any = true;
        for (const Warning& note : file->notes) {
            answer.notes.push_back(path + ": " + note.text);
            say("kloop: {}\n", answer.notes.back());
        }
        for (RunRecord& run : file->runs)
            if (pattern.matches(nameFor(run))) {
                answer.foreign.push_back(file->foreign);
                answer.runs.push_back(std::move(run));
            } else {
                others.insert(nameFor(run));
            }
    }
    if (unmatched)
        unmatched->insert(others.begin(), others.end());
    if (answer.runs.empty())
        return any ? makeNoKernelError(options.kernel, others) : makeNoFileReadError();
    return answer;
}

} // namespace kl::cli
