// SPDX-License-Identifier: MIT
#include "sessions/import/import_runs.h"

#include "core/base/parallel.h"
#include "core/base/try.h"
#include "profiler/import/ncu_csv.h"
#include "sessions/import/bundle.h"
#include "sessions/import/store_runs.h"
#include "sessions/learning/recommend.h"
#include "sessions/measure/compare.h"

#include <fmt/format.h>

namespace kl::inline imports {
namespace {

Status checkAll(const PlainFile& file, const std::string& where)
{
    RunReader reader(file.bytes(), isCompressed(file.head()), where);
    for (;;) {
        const Result<std::vector<RunRecord>> runs = reader.next();
        if (!runs || runs->empty())
            return runs ? Status{} : Status(runs.error());
    }
}

Error explainStop(Error error, std::size_t stored, const std::string& where)
{
    if (stored == 0)
        return error;
    error.message += fmt::format(" Before that, {} runs of {} were stored.", stored, where);
    error.hint += (error.hint.empty() ? "" : " ") +
                  std::string("Then import the file again: runs that are already stored are kept, the rest is added.");
    return error;
}

} // namespace

ImportedRun inShort(const RunRecord& run, bool fresh)
{
    ImportedRun row{run.id, run.imported && !run.imported->kernel.empty() ? run.imported->kernel : toText(run.kernel), toText(run.problem)};
    row.classId = run.diagnosis ? run.diagnosis->finding.classId : std::string();
    row.gpuNs = run.timing ? std::optional(run.timing->gpu.median) : std::nullopt;
    row.fresh = fresh;
    return row;
}

bool mayHoldOwnRuns(const PlainFile& file)
{
    const std::string& head = file.head();
    const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    return (isCompressed(head) && !isPackedReport(head)) || (first != std::string::npos && head[first] == '{' && !isNcuCsv(head));
}

Result<std::vector<ImportedRun>> importRuns(const PlainFile& file, const std::string& where, const DiagnosisTree& tree,
                                            const CatalogSource& catalog, const StoreSource& store,
                                            const std::function<bool(const RunRecord&)>& wanted)
{
    KL_TRY(checkAll(file, where));
    const Result<const Catalog*> kernels = catalog();
    const Result<Store*> database = kernels ? store() : Result<Store*>(kernels.error());
    const Result<std::shared_ptr<const FixModel>> model = loadShippedModel();
    if (!database || !model)
        return database ? model.error() : database.error();
    std::vector<ImportedRun> rows;
    RunReader reader(file.bytes(), isCompressed(file.head()), where);
    for (;;) {
        Result<std::vector<RunRecord>> runs = reader.next();
        if (!runs)
            return explainStop(runs.error(), rows.size(), where);
        if (runs->empty())
            return rows;
        std::erase_if(*runs, [&](const RunRecord& run) { return !wanted(run); });
        inParallel(runs->size(), [&](std::size_t i) {
            RunRecord& run = (*runs)[i];
            run.diagnosis = diagnoseIn(**kernels, tree, run);
            weigh(*run.diagnosis, run, tree, **model);
        });
        const Result<std::vector<bool>> fresh = storeRuns(**database, *runs);
        if (!fresh)
            return explainStop(fresh.error(), rows.size(), where);
        for (std::size_t i = 0; i < runs->size(); ++i)
            rows.push_back(inShort((*runs)[i], (*fresh)[i]));
    }
}

} // namespace kl::inline imports
