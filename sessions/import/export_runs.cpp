// SPDX-License-Identifier: MIT
#include "sessions/import/export_runs.h"

#include "core/base/try.h"
#include "sessions/import/bundle_writer.h"

#include <algorithm>

namespace kl::inline imports {

Result<std::vector<RunId>> listKernelRuns(const Store& store, const std::string& kernel)
{
    RunQuery query;
    query.kernel = kernel;
    std::vector<RunId> ids;
    for (;;) {
        KL_ASSIGN(const std::vector<RunSummary> page, store.runs(query));
        for (const RunSummary& run : page)
            ids.push_back(run.id);
        if (page.size() < static_cast<std::size_t>(query.limit))
            return ids;
        query.beforeStartedAt = page.back().startedAt;
        query.beforeId = page.back().id.text;
    }
}

Result<std::uint64_t> exportRuns(const Store& store, const std::vector<RunId>& ids, const std::string& file, const Job& job)
{
    constexpr std::size_t kTogether = 16;
    KL_ASSIGN(BundleWriter writer, BundleWriter::begin(file));
    for (std::size_t from = 0; from < ids.size(); from += kTogether) {
        if (job.stop.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "The export was canceled.", .hint = "No file was written."};
        std::vector<RunRecord> runs;
        for (std::size_t i = from; i < std::min(from + kTogether, ids.size()); ++i) {
            KL_ASSIGN(RunRecord run, store.run(ids[i]));
            runs.push_back(std::move(run));
        }
        KL_TRY(writer.add(runs));
    }
    KL_TRY(writer.finish());
    return writer.bytes();
}

} // namespace kl::inline imports
