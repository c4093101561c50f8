// SPDX-License-Identifier: MIT
// Whatever bytes a file holds, reading it ends in runs or in an Error that says what is wrong: no crash, no undefined behavior, no leak,
// and what was read can be diagnosed, written as JSON and read back. ./dev fuzz runs this.

#include "core/codec/run_codec.h"
#include "profiler/import/ncu_csv.h"
#include "profiler/import/ncu_opinion.h"
#include "profiler/import/ncu_report.h"
#include "sessions/import/bundle.h"
#include "sessions/import/foreign_kinds.h"
#include "sessions/import/imported_runs.h"

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace {

void require(bool fine, const char* what)
{
    if (fine)
        return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

const kl::DiagnosisTree& tree()
{
    static const kl::Result<kl::DiagnosisTree> loaded = kl::DiagnosisTree::loadEmbedded();
    require(loaded.ok(), "the tree loads");
    return *loaded;
}

void useRuns(const std::vector<kl::RunRecord>& runs)
{
    for (const kl::RunRecord& run : runs) {
        const kl::Result<kl::Json> json = kl::parseJson(kl::encode(kl::runToJson(run)), "run");
        require(json.ok(), "a run is valid JSON");
        const kl::Result<kl::RunRecord> again = kl::runFromJson(*json);
        require(again.ok(), "a run's JSON is read back");
        require(again->id == run.id && again->metrics == run.metrics && again->imported == run.imported, "nothing of a run is lost");
    }
}

void useForeign(const kl::Result<kl::ImportedFile>& file)
{
    if (!file) {
        require(!file.error().message.empty() && file.error().code == kl::ErrorCode::badInput, "an error says what is wrong");
        return;
    }
    require(!file->results.empty(), "a file without results is an error");
    const std::vector<kl::RunRecord> runs = kl::makeImportedRuns(*file, {"fuzzed", "0123", "2026-01-01T00:00:00.000Z"}, tree());
    for (const kl::RunRecord& run : runs) {
        require(run.diagnosis.has_value(), "every run is diagnosed");
        kl::ncuOpinion(run.imported->rules, *run.metrics);
    }
    useRuns(runs);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (kl::isNcuReport(bytes)) {
        useForeign(kl::readNcuReport(bytes, "file"));
    } else if (kl::isCompressed(bytes)) {
        if (const auto runs = kl::readRuns(bytes, "file"))
            useRuns(*runs);
    } else if (kl::isNcuCsv(bytes)) {
        useForeign(kl::readNcuCsv(bytes, "file"));
    } else if (!kl::foreignKind(bytes, "file")) {
        if (const auto runs = kl::readRuns(bytes, "file"))
            useRuns(*runs);
    }
    return 0;
}
