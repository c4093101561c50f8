// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/program.h"
#include "app/kloop/machine/recording.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/scratch_folder.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

RecordedParts partsOf(const Options& options)
{
    const std::vector<std::string>& names = options.parts;
    const auto wanted = [&](const char* name) { return names.empty() || std::find(names.begin(), names.end(), name) != names.end(); };
    RecordedParts parts{wanted("machine"), wanted("runs"), wanted("profiles"), wanted("noise"), wanted("pairs"), wanted("baselines")};
    if (!options.tiers.empty())
        parts.tiers = options.tiers;
    parts.everywhere = options.everywhere;
    return parts;
}

/// A part joins what an existing capture holds; a whole recording begins anew.
Status resumeFrom(Recorder& recorder, const std::string& file)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return {};
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    return recorder.resume(bytes, file);
}

} // namespace

Result<int> commandRecord(Program& program, const Options& options)
{
    if (options.on == "sample")
        return Error{ErrorCode::usage, "A recording is made on a GPU, not on a recording.", "Leave --on out.", "--on", {}};
    const Result<const Catalog*> catalog = program.catalog();
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!catalog || !tree)
        return catalog ? tree.error() : catalog.error();
    if (!options.only.empty())
        if (const auto family = (*catalog)->family(options.only); !family)
            return family.error();
    if (const std::optional<Error> unusable = program.device().unusable())
        return *unusable;
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    if (!scratch)
        return scratch.error();
    const Result<std::unique_ptr<Store>> store = Store::open((scratch->path() / "record.db").string());
    if (!store)
        return store.error();
    const std::unique_ptr<Recorder> recorder = recordFrom(program.device());
    if (!options.parts.empty())
        if (const Status resumed = resumeFrom(*recorder, options.first); !resumed)
            return resumed.error();
    Workbench bench(**catalog, **tree, *recorder, **store);
    Recording recording(bench, program.job(), partsOf(options));
    recording.machine();
    for (const KernelFamily& family : (*catalog)->families())
        if (options.only.empty() ? family.origin.empty() : options.only == family.id) // the sample holds what the program carries
            recording.family(family);
    // What was interrupted or failed half-way is still worth keeping.
    const Finishing finishing;
    if (const Status saved = recorder->save(options.first); !saved)
        return saved.error();
    const std::vector<std::string>& failures = recording.failures();
    Json answer{{"schema", "kernelloop.record/1"},
                {"file", options.first},
                {"items", recording.items()},
                {"failures", failures},
                {"seconds", recording.seconds()}};
    if (!program.printed(answer)) {
        printText("\n{} items recorded in {}, {} failed.\n", recording.items(), options.first, failures.size());
        for (const auto& [family, seconds] : recording.seconds())
            printText("  {:<14}{:6.1f} s\n", family, seconds);
        for (const std::string& failure : failures)
            printText("  {}\n", failure);
    }
    if (program.job().stop.stop_requested())
        return exitCode(ErrorCode::interrupted);
    return failures.empty() ? 0 : 1;
}

} // namespace kl
