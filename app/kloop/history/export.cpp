// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/import/bundle_writer.h"

#include <algorithm>
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
Result<std::vector<RunId>> runsNamed(Store& store, const std::string& text)
{
    if (text.starts_with(kRunPrefix)) {
        const Result<RunId> id = store.runStarting(text.substr(kRunPrefix.size()));
        return id ? Result<std::vector<RunId>>(std::vector{*id}) : id.error();
    }
    RunQuery query;
    query.kernel = text;
    std::vector<RunId> ids;
    for (;;) {
        KL_ASSIGN(const std::vector<RunSummary> page, store.runs(query));
        for (const RunSummary& run : page)
            ids.push_back(run.id);
        if (page.size() < static_cast<std::size_t>(query.limit))
            break;
        query.beforeStartedAt = page.back().startedAt;
        query.beforeId = page.back().id.text;
    }
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
        KL_ASSIGN(std::vector<RunId> ids, runsNamed(store, text));
        for (RunId& id : ids)
            if (seen.insert(id).second)
                runs.push_back(std::move(id));
    }
    return runs;
}

/// A few runs at a time: a database holds more than memory does.
Status writeRuns(Store& store, const std::vector<RunId>& ids, BundleWriter& writer)
{
    constexpr std::size_t kTogether = 16;
    for (std::size_t from = 0; from < ids.size(); from += kTogether) {
        std::vector<RunRecord> runs;
        for (std::size_t i = from; i < std::min(from + kTogether, ids.size()); ++i) {
            KL_ASSIGN(RunRecord run, store.run(ids[i]));
            runs.push_back(std::move(run));
        }
        if (Status written = writer.add(runs); !written)
            return written;
    }
    return writer.finish();
}

Result<int> exportRuns(Program& program, const ExportOptions& options)
{
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(const std::vector<RunId> ids, runsToExport(*store, options.runs));
    const std::string& file = options.file;
    KL_ASSIGN(BundleWriter writer, BundleWriter::begin(file));
    KL_TRY(writeRuns(*store, ids, writer));
    if (!program.printed(Json{{"schema", "kernelloop.export/1"}, {"file", file}, {"runs", ids.size()}, {"bytes", writer.bytes()}}))
        printText("{} {} in {}, {}.\n", ids.size(), ids.size() == 1 ? "run" : "runs", file,
                  formatBytes(static_cast<double>(writer.bytes())));
    return 0;
}

} // namespace

Runner addExport(CLI::App& app)
{
    const auto o = std::make_shared<ExportOptions>();
    app.add_option("RUN", o->runs, "run:ID or the start of one, or family or family/variant for all of its runs")->required();
    app.add_option("-o,--output", o->file, "File to write: plain JSON if it ends in .json, else a compressed bundle")->required();
    return [o](Program& program) { return exportRuns(program, *o); };
}

} // namespace kl::cli
