// SPDX-License-Identifier: MIT
#include "sessions/import/open_file.h"

#include "core/base/format.h"
#include "core/base/ids.h"
#include "core/base/parallel.h"
#include "core/base/try.h"
#include "profiler/import/ncu_csv.h"
#include "profiler/import/ncu_report.h"
#include "sessions/import/bundle.h"
#include "sessions/import/byte_source.h"
#include "sessions/import/file_bytes.h"
#include "sessions/import/foreign_kinds.h"
#include "sessions/import/imported_runs.h"
#include "sessions/learning/recommend.h"
#include "sessions/measure/compare.h"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <future>

namespace kl::inline imports {
namespace {

std::string readFileDate(const std::string& path)
{
    std::error_code failure;
    const auto written = std::filesystem::last_write_time(path, failure);
    return failure ? isoNow() : isoTime(std::chrono::time_point_cast<TimePoint::duration>(std::chrono::file_clock::to_sys(written)));
}

/// The chances of the fixes, from the shipped model: the result for a file does not depend on the database.
Result<OpenedFile> weighRuns(OpenedFile file, const Result<std::shared_ptr<const FixModel>>& model, const DiagnosisTree& tree)
{
    if (!model)
        return model.error();
    inParallel(file.runs.size(), [&](std::size_t i) { weigh(*file.runs[i].diagnosis, file.runs[i], tree, **model); });
    return file;
}

using ForeignReader = Result<ImportedFile> (*)(std::string_view bytes, const std::string& where);

Result<OpenedFile> openForeign(ForeignReader read, const std::string& path, std::string_view bytes, const DiagnosisTree& tree,
                               const std::function<void()>& sound)
{
    // Both take as long as reading does.
    std::future<std::string> hash = std::async(std::launch::async, [bytes] { return contentHash(bytes); });
    auto model = std::async(std::launch::async, loadShippedModel);
    KL_ASSIGN(ImportedFile file, read(bytes, path));
    if (sound)
        sound();
    const ImportedOrigin origin{std::filesystem::path(path).filename().string(), hash.get(), readFileDate(path)};
    std::vector<Warning> notes = std::move(file.notes);
    return weighRuns({makeImportedRuns(std::move(file), origin, tree), std::move(notes), true}, model.get(), tree);
}

/// The report in a .ncu-repz, which has the runs of the same report uncompressed.
Result<std::string> unpackReport(std::string_view bytes, const std::string& path)
{
    const ByteSource source = unpackSource(toByteSource(bytes), path);
    std::string report;
    for (;;) {
        KL_ASSIGN(const std::string_view part, source());
        if (part.empty())
            return report;
        if (report.size() + part.size() > kLargestFile)
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{} unpacks to more than 2 GiB.", path),
                         .hint = "Record fewer kernels into one report: ncu --launch-count.",
                         .where = path};
        report += part;
    }
}

Result<OpenedFile> openOwn(Result<std::vector<RunRecord>> runs, const DiagnosisTree& tree, const CatalogSource& catalog)
{
    if (!runs)
        return runs.error();
    KL_ASSIGN(const Catalog* kernels, catalog());
    for (RunRecord& run : *runs)
        run.diagnosis = diagnoseIn(*kernels, tree, run);
    return weighRuns({std::move(*runs), {}, false}, loadShippedModel(), tree);
}

} // namespace

Result<OpenedFile> openFile(const std::string& path, const DiagnosisTree& tree, const CatalogSource& catalog,
                            const std::function<void()>& sound)
{
    KL_ASSIGN(const FileBytes file, fileBytes(path));
    const std::string_view bytes = file.view();
    if (isNcuReport(bytes))
        return openForeign(readNcuReport, path, bytes, tree, sound);
    if (isPackedReport(bytes)) {
        KL_ASSIGN(const std::string report, unpackReport(bytes, path));
        return openForeign(readNcuReport, path, report, tree, sound);
    }
    if (isCompressed(bytes))
        return openOwn(readRuns(bytes, path), tree, catalog);
    if (const auto known = foreignKind(bytes, path))
        return *known;
    if (isNcuCsv(bytes))
        return openForeign(readNcuCsv, path, bytes, tree, sound);
    return openOwn(readRuns(bytes, path), tree, catalog);
}

Result<OpenedFile> openFile(const std::string& path, const DiagnosisTree& tree, const Catalog& catalog)
{
    return openFile(path, tree, [&catalog] { return Result<const Catalog*>(&catalog); });
}

} // namespace kl::inline imports
