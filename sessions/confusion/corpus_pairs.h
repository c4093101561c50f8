// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"
#include "sessions/confusion/corpus.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline confusion {

/// Two calls of the corpus that do the same per byte or operation, one of them without the other's bottleneck (tests/corpus/pairs.json):
/// what the estimate of a finding is held against.
struct CorpusPair {
    std::string slow; ///< id of a case
    std::string fast;
    double work = 1; ///< what `slow` has to do, over what `fast` has to do
    std::string why; ///< the arithmetic of `work`
};

/// Error badInput names what is missing or wrong.
Result<std::vector<CorpusPair>> parsePairs(std::string_view json, std::string_view where);

/// An estimate is good if it is within this factor of the outcome.
inline constexpr double kGoodEstimate = 2;

struct JudgedPair {
    CorpusPair pair;
    std::string classId;             ///< of the slow call's finding
    std::optional<double> estimated; ///< speedup; unset: the finding has no estimate
    double measured = 0;             ///< speedup: time of `slow` over `work` times that of `fast`

    bool isGood() const;
};

/// The pairs of which both calls are recorded with counters, diagnosed by the tree.
std::vector<JudgedPair> judgePairs(const std::vector<CorpusPair>& pairs, const CorpusRecords& records, const DiagnosisTree& tree);

/// A table of a markdown document; empty without pairs.
std::string pairsMarkdown(const std::vector<JudgedPair>& pairs);

} // namespace kl::inline confusion
