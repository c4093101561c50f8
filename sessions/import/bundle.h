// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/codec/list_splitter.h"
#include "core/model/run.h"
#include "sessions/import/byte_source.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline imports {

/// A bundle carries runs to another machine's database: {schema: "kernelloop.bundle/1", exported_at, results: [runs as their JSON]},
/// compressed by zstd, whole with every sample. Ids are kept, so that a run that is exported and imported again is the same run. Written
/// and read run by run (bundle_writer.h): a bundle has any size.
inline constexpr const char* kBundleSchema = "kernelloop.bundle/1";

/// Limit of one run as JSON, and of the text around the list of runs: larger ones are not KernelLoop's.
inline constexpr std::size_t kMostRunBytes = std::size_t{32} << 20U;

/// Runs of a bundle or of JSON printed by KernelLoop (one run or profile, or {results: […]}), one after the other.
class RunReader {
public:
    /// `where` names the origin for messages.
    RunReader(ByteSource bytes, bool compressed, std::string where);
    RunReader(RunReader&&) = delete;

    /// The next few runs, as many as take a few MiB together; none at the end. Error badInput for a damaged file, one that was cut off,
    /// another kind of file, and one without a run; earlier runs were already returned.
    Result<std::vector<RunRecord>> next();

private:
    Status fill();
    Status addWhole();
    Error unusable() const;
    Error holdsNone() const;
    Result<RunRecord> parseRun(const std::string& text, std::size_t number) const;

    ByteSource bytes_;
    bool compressed_;
    std::string where_;
    std::deque<std::string> texts_; ///< of runs not returned yet
    std::size_t textBytes_ = 0;
    ListSplitter splitter_;
    std::size_t given_ = 0;
    bool ended_ = false;
    bool schemaSeen_ = false;
};

/// All runs of bytes that are in memory. Errors: RunReader's.
Result<std::vector<RunRecord>> readRuns(std::string_view bytes, const std::string& where);

} // namespace kl::inline imports
