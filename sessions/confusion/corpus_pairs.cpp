// SPDX-License-Identifier: MIT
#include "sessions/confusion/corpus_pairs.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/fields.h"
#include "core/codec/json.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline confusion {

template <class V> void fields(V& v, CorpusPair& pair)
{
    v("slow", pair.slow);
    v("fast", pair.fast);
    v("work", pair.work);
    v("why", pair.why);
}

namespace {

std::optional<double> findCaseTime(const CorpusRecords& records, const std::string& id)
{
    const auto found = records.find(id);
    if (found == records.end() || !found->second.counters || !found->second.counters->timing)
        return {};
    return found->second.counters->timing->gpu.median;
}

} // namespace

Result<std::vector<CorpusPair>> parsePairs(std::string_view json, std::string_view where)
{
    KL_ASSIGN(const Json parsed, parseJson(json, where));
    if (!parsed.is_object() || !parsed.contains("pairs"))
        return Error{.code = ErrorCode::badInput, .message = fmt::format("{} contains no pairs.", where), .where = std::string(where)};
    KL_ASSIGN(std::vector<CorpusPair> pairs, fromJson<std::vector<CorpusPair>>(parsed["pairs"], where));
    for (const CorpusPair& pair : pairs)
        if (pair.slow.empty() || pair.fast.empty() || !(pair.work > 0))
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{}: the pair of \"{}\" and \"{}\" lacks a case, or its work is not above 0.", where,
                                                pair.slow, pair.fast),
                         .where = std::string(where)};
    return pairs;
}

bool JudgedPair::isGood() const
{
    return estimated && *estimated <= kGoodEstimate * measured && *estimated >= measured / kGoodEstimate;
}

std::vector<JudgedPair> judgePairs(const std::vector<CorpusPair>& pairs, const CorpusRecords& records, const DiagnosisTree& tree)
{
    std::vector<JudgedPair> judged;
    for (const CorpusPair& pair : pairs) {
        const std::optional<double> slow = findCaseTime(records, pair.slow), fast = findCaseTime(records, pair.fast);
        if (!slow || !fast)
            continue;
        const Finding finding = tree.diagnose(*records.find(pair.slow)->second.counters, {}).finding;
        JudgedPair one{pair, finding.classId, {}, *slow / (pair.work * *fast)};
        if (finding.estimate && finding.estimate->runtimeReduction < 1)
            one.estimated = 1 / (1 - finding.estimate->runtimeReduction);
        judged.push_back(std::move(one));
    }
    return judged;
}

std::string pairsMarkdown(const std::vector<JudgedPair>& pairs)
{
    if (pairs.empty())
        return {};
    std::string out = fmt::format("\n## Estimates: {} of {} within {:.0f}x of the outcome\n\n"
                                  "| call | without its bottleneck | finding | estimated | measured |\n| --- | --- | --- | --- | --- |\n",
                                  std::ranges::count_if(pairs, &JudgedPair::isGood), pairs.size(), kGoodEstimate);
    for (const JudgedPair& one : pairs)
        out += fmt::format("| {} | {} | {} | {} | {} |\n", one.pair.slow, one.pair.fast, one.classId,
                           one.estimated ? fmt::format("{:.2f}x", *one.estimated) : std::string(kNoValue),
                           fmt::format("{:.2f}x", one.measured));
    return out;
}

} // namespace kl::inline confusion
