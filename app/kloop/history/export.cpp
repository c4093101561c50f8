// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/common/stored_run.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/import/export_runs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kl::cli {
namespace {

struct ExportOptions {
    std::vector<std::string> runs; ///< run:ID, the start of one, or an address for all of its runs
    std::string file;
};

constexpr std::string_view kRunPrefix = "run:";

/// One run, or every run of a family or variant.
Result<std::vector<RunId>> findRunsByName(Store& store, const std::string& text)
{
    if (text.starts_with(kRunPrefix)) {
        const Result<RunId> id = findRunById(store, text.substr(kRunPrefix.size()), text);
        return id ? Result<std::vector<RunId>>(std::vector{*id}) : id.error();
    }
    KL_ASSIGN(std::vector<RunId> ids, listKernelRuns(store, text));
    if (ids.empty())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("There is no run of {} in the database.", text),
                     .hint = "Give run:ID, or a kernel that was measured.",
                     .where = text};
    return ids;
}

/// The runs of every text, each once.
Result<std::vector<RunId>> runsToExport(Store& store, const std::vector<std::string>& texts)
{
    std::vector<RunId> runs;
    std::set<RunId> seen;
    for (const std::string& text : texts) {
        KL_ASSIGN(std::vector<RunId> ids, findRunsByName(store, text));
        for (RunId& id : ids)
            if (seen.insert(id).second)
                runs.push_back(std::move(id));
    }
    return runs;
}

Result<int> exportNamed(Program& program, const ExportOptions& options)
{
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(const std::vector<RunId> ids, runsToExport(*store, options.runs));
    const std::string& file = options.file;
    KL_ASSIGN(const std::uint64_t bytes, exportRuns(*store, ids, file, program.job()));
    if (!program.printAsJson(Json{{"schema", "kernelloop.export/1"}, {"file", file}, {"runs", ids.size()}, {"bytes", bytes}}))
        printText("{} {} in {}, {}.\n", ids.size(), ids.size() == 1 ? "run" : "runs", file, formatBytes(static_cast<double>(bytes)));
    return 0;
}

} // namespace

Runner addExport(CLI::App& app)
{
    const auto o = std::make_shared<ExportOptions>();
    app.add_option("RUN", o->runs, "run:ID or the start of one, or family or family/variant for all of its runs")
        ->required()
        ->check(notBlank);
    app.add_option("-o,--output", o->file, "File to write: plain JSON if it ends in .json, else a compressed bundle")
        ->required()
        ->check(notBlank);
    return [o](Program& program) { return exportNamed(program, *o); };
}

} // namespace kl::cli
