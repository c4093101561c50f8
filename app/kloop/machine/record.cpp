// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/machine/recording.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/read_file.h"
#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "sessions/learning/trained_recommender.h"
#include "sessions/measure/problem_axes.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

constexpr std::int64_t kLargestCapture = std::int64_t{1} << 30;

struct RecordOptions {
    std::string file;
    std::string only;                  ///< one family; empty: all
    std::vector<std::string> parts;    ///< empty: all
    std::vector<int> tiers;            ///< of the profiles; empty: all
    bool everywhere = false;           ///< every problem in full
    std::vector<std::string> problems; ///< only these, in full; empty: all
    std::string sweep;                 ///< axes of sizes; empty: none
};

RecordedParts chooseParts(const RecordOptions& options)
{
    const std::vector<std::string>& names = options.parts;
    const auto wanted = [&](const char* name) { return names.empty() || std::find(names.begin(), names.end(), name) != names.end(); };
    RecordedParts parts{wanted("machine"), wanted("runs"),   wanted("profiles"), wanted("noise"),
                        wanted("pairs"),   wanted("faults"), wanted("baselines")};
    if (!options.tiers.empty())
        parts.tiers = options.tiers;
    parts.everywhere = options.everywhere;
    return parts;
}

/// A part joins what an existing capture holds; a whole recording replaces it.
Status resumeFrom(Recorder& recorder, const std::string& file)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return {};
    KL_ASSIGN(const std::string bytes, readFile(file, kLargestCapture));
    return recorder.resume(bytes, file);
}

Result<int> recordSample(Program& program, const RecordOptions& options)
{
    if (program.options().onSample())
        return Error{.code = ErrorCode::usage,
                     .message = "A recording needs a GPU; it cannot be made from a recording.",
                     .hint = "Omit --on.",
                     .where = "--on"};
    const Result<const Catalog*> catalog = program.catalog();
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!catalog || !tree)
        return catalog ? tree.error() : catalog.error();
    if (!options.only.empty()) {
        KL_ASSIGN([[maybe_unused]] const auto* known, (*catalog)->family(options.only));
    }
    if (const std::optional<Error> unusable = program.device().unusable())
        return *unusable;
    KL_ASSIGN(const ScratchFolder scratch, ScratchFolder::make());
    KL_ASSIGN(const std::unique_ptr<Store> store, Store::open((scratch.path() / "record.db").string()));
    const std::unique_ptr<Recorder> recorder = recordFrom(program.device());
    if (!options.parts.empty())
        KL_TRY(resumeFrom(*recorder, options.file));
    TrainedRecommender recommender(*store, **catalog, **tree);
    Workbench bench(**catalog, **tree, *recorder, *store, recommender);
    RecordedParts parts = chooseParts(options);
    for (const std::string& text : options.problems) {
        KL_ASSIGN(Params problem, parseParams(text));
        parts.problems.push_back(std::move(problem));
    }
    if (!options.sweep.empty()) {
        KL_ASSIGN(parts.swept, parseAxes(options.sweep));
    }
    Recording recording(bench, *recorder, program.job(), parts);
    recording.machine();
    for (const KernelFamily& family : (*catalog)->families())
        if (options.only.empty() ? family.origin.empty() : options.only == family.id) // the sample holds what the program carries
            recording.family(family);
    // What was interrupted or failed half-way is still worth keeping.
    const Finishing finishing;
    KL_TRY(recorder->save(options.file));
    const std::vector<std::string>& failures = recording.failures();
    Json answer{{"schema", "kernelloop.record/1"},
                {"file", options.file},
                {"items", recording.items()},
                {"failures", failures},
                {"seconds", recording.seconds()}};
    if (!program.printAsJson(answer)) {
        printText("\n{} items recorded in {}, {} failed.\n", recording.items(), options.file, failures.size());
        for (const auto& [family, seconds] : recording.seconds())
            printText("  {:<14}{:6.1f} s\n", family, seconds);
        for (const std::string& failure : failures)
            printText("  {}\n", failure);
    }
    if (program.job().stop.stop_requested())
        return exitCode(ErrorCode::interrupted);
    return failures.empty() ? 0 : 1;
}

} // namespace

Runner addRecord(CLI::App& app)
{
    const auto o = std::make_shared<RecordOptions>();
    app.add_option("FILE", o->file, "Capture to write")->required()->check(notBlank);
    CLI::Option* only = app.add_option("--only", o->only, "Record one family");
    app.add_option(
           "--part", o->parts,
           "Record only this part (may be repeated: machine, runs, profiles, noise, pairs, faults, baselines); the rest of FILE is kept")
        ->check(CLI::IsMember({"machine", "runs", "profiles", "noise", "pairs", "faults", "baselines"}));
    app.add_option("--tier", o->tiers, "Record only profiles of this tier (may be repeated: 0, 1, 2)")->check(CLI::Range(0, 2));
    app.add_flag("--everywhere", o->everywhere,
                 "Suite, all tiers and A/B on every problem (default: on the first problem of a family, and a profile of the others)");
    app.add_option("--problem", o->problems,
                   "Record only this problem of a family, in full (may be repeated; of the smallest one: its run)");
    app.add_option("--sweep", o->sweep, "Also profile every variant at these sizes, axes as in kloop sweep")->needs(only);
    return [o](Program& program) { return recordSample(program, *o); };
}

} // namespace kl::cli
