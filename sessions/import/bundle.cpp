// SPDX-License-Identifier: MIT
#include "sessions/import/bundle.h"

#include "core/base/parallel.h"
#include "core/base/try.h"
#include "core/codec/run_codec.h"

#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace kl::inline imports {
namespace {

/// Runs parsed together, on all processors: a run takes some six times its text, the largest some MiB.
constexpr std::size_t kMostTogether = 256;
constexpr std::size_t kBytesTogether = std::size_t{1} << 20U;

constexpr const char* kKindsRead = "KernelLoop reads Nsight Compute's reports (.ncu-rep, .ncu-repz) and CSV pages (ncu --csv --page raw or "
                                   "details), exported bundles, and what the command line's run, profile and analyze print as JSON.";

} // namespace

RunReader::RunReader(ByteSource bytes, bool compressed, std::string where)
    : bytes_(compressed ? unpackSource(std::move(bytes), where) : std::move(bytes)), compressed_(compressed), where_(std::move(where)),
      splitter_("results", kMostRunBytes, [this](std::string item) {
          textBytes_ += item.size();
          texts_.push_back(std::move(item));
          return true;
      })
{
}

Error RunReader::holdsNone() const
{
    return {
        .code = ErrorCode::badInput, .message = fmt::format("{} contains no run or profile.", where_), .hint = kKindsRead, .where = where_};
}

Error RunReader::unusable() const
{
    const std::string what = compressed_ ? "is compressed, but is not a bundle of runs" : "is not a file that KernelLoop reads";
    return {.code = ErrorCode::badInput,
            .message = fmt::format("{} {}.", where_, what),
            .hint = kKindsRead,
            .where = where_,
            .detail = splitter_.fault()};
}

/// The text around the list, once all of it was read: where there is no list, it is the one run.
Status RunReader::addWhole()
{
    if (!splitter_.finish())
        return unusable();
    const Result<Json> rest = parseJson(splitter_.rest(), where_);
    if (!rest || !rest->is_object() || (compressed_ && rest->value("schema", Json()) != kBundleSchema)) {
        Error error = unusable();
        error.detail = rest ? std::string() : rest.error().detail;
        return error;
    }
    if (!splitter_.listSeen() && rest->contains("results"))
        return holdsNone();
    if (!splitter_.listSeen())
        texts_.push_back(splitter_.rest());
    return {};
}

/// Reads until enough runs are there, or the end.
Status RunReader::fill()
{
    while (!ended_ && texts_.size() < kMostTogether && textBytes_ < kBytesTogether) {
        KL_ASSIGN(const std::string_view part, bytes_());
        ended_ = part.empty();
        if (!splitter_.feed(part))
            return unusable();
        if (ended_)
            return addWhole();
    }
    return {};
}

Result<RunRecord> RunReader::parseRun(const std::string& text, std::size_t number) const
{
    const Result<Json> json = parseJson(text, where_);
    if (!json)
        return unusable();
    if (!json->is_object() || !json->contains("kernel") || !json->contains("correctness"))
        return holdsNone();
    Result<RunRecord> run = runFromJson(*json);
    if (run)
        return run;
    return Error{.code = run.error().code,
                 .message = fmt::format("{}, result {}: {}", where_, number, run.error().message),
                 .hint = run.error().hint,
                 .where = where_,
                 .detail = run.error().detail};
}

Result<std::vector<RunRecord>> RunReader::next()
{
    KL_TRY(fill());
    if (texts_.empty() && given_ == 0)
        return holdsNone();
    const std::vector<std::string> texts(std::make_move_iterator(texts_.begin()), std::make_move_iterator(texts_.end()));
    texts_.clear();
    textBytes_ = 0;
    std::vector<Result<RunRecord>> records(texts.size(), RunRecord());
    inParallel(texts.size(), [&](std::size_t i) { records[i] = parseRun(texts[i], given_ + i + 1); });
    std::vector<RunRecord> runs;
    for (Result<RunRecord>& record : records) {
        KL_ASSIGN(runs.emplace_back(), std::move(record));
    }
    given_ += runs.size();
    return runs;
}

Result<std::vector<RunRecord>> readRuns(std::string_view bytes, const std::string& where)
{
    RunReader reader(toByteSource(bytes), isCompressed(bytes), where);
    std::vector<RunRecord> all;
    for (;;) {
        Result<std::vector<RunRecord>> runs = reader.next();
        if (!runs || runs->empty())
            return runs ? Result<std::vector<RunRecord>>(std::move(all)) : Result<std::vector<RunRecord>>(runs.error());
        std::ranges::move(*runs, std::back_inserter(all));
    }
}

} // namespace kl::inline imports
