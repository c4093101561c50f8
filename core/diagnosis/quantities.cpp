// SPDX-License-Identifier: MIT
#include "core/diagnosis/quantities.h"

#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/diagnosis/tree_names.h"
#include "core/model/model_words.h"
#include "core/stats/correctness_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kl::inline diagnosis {
namespace {

std::string worstAccess(const RunFacts& facts)
{
    const auto waste = sectorWaste(facts);
    if (!waste)
        return "accesses";
    const char* side = waste->stores ? "stores" : "loads";
    if (waste->perRequest <= 0)
        return fmt::format("{}: {} of the sectors moved are not used", side, formatPercent(waste->percent));
    return fmt::format("{}: {} sectors per request where {} would do", side, formatNumber(waste->perRequest),
                       formatNumber(waste->idealPerRequest));
}

std::string dominantStall(const RunFacts& facts)
{
    const auto shares = stallShares(facts);
    if (shares.empty())
        return "unknown";
    for (const StallReason& reason : stallReasons())
        if (reason.id == shares.front().id)
            return std::string(reason.title);
    return shares.front().id;
}

std::string limiter(const RunFacts& facts)
{
    const LaunchFacts* launch = facts.launch();
    return launch && !launch->occupancyLimiter.empty() ? launch->occupancyLimiter : "an unknown limit";
}

std::string busiest(const RunFacts& facts)
{
    const BusiestUnit unit = busiestUnit(facts);
    return unit.name ? unit.name : "no unit";
}

/// A sentence as the end of another one.
std::string clause(std::string sentence)
{
    while (sentence.ends_with('.') || sentence.ends_with(' '))
        sentence.pop_back();
    return sentence;
}

std::string invalidReason(const RunFacts& facts)
{
    const RunRecord& run = facts.run();
    const Correctness& correctness = run.correctness;
    if (isRefuted(correctness.result) && correctness.result != CorrectnessResult::incorrect)
        return clause(fmt::format("its result is {}. {}", toWord(correctness.result), refutationText(correctness)));
    if (run.status != ResultStatus::ok && !run.reason.empty())
        return clause(run.reason);
    if (isRefuted(correctness.result)) {
        if (!correctness.reason.empty())
            return clause(correctness.reason);
        return fmt::format("the output is off by {}", formatNumber(correctness.maxAbs));
    }
    for (const Warning& warning : run.warnings)
        if (warning.code == "throttled")
            return warning.text;
    return "the samples are too noisy";
}

struct Words {
    std::string_view id;
    std::string (*say)(const RunFacts&);
};
constexpr std::array<Words, 5> kWords{{{"worst_access", worstAccess},
                                       {"dominant_stall", dominantStall},
                                       {"limiter", limiter},
                                       {"busiest_unit", busiest},
                                       {"invalid_reason", invalidReason}}};

} // namespace

const std::vector<Quantity>& quantities()
{
    static const std::vector<Quantity> all = [] {
        std::vector<Quantity> list;
        for (const auto theme : {runQuantities(), unitQuantities(), memoryQuantities(), instructionQuantities(), stallQuantities(),
                                 opcodeQuantities(), launchQuantities(), experimentQuantities()})
            list.insert(list.end(), theme.begin(), theme.end());
        return list;
    }();
    return all;
}

const Quantity* findQuantity(std::string_view id)
{
    if (id == "modelled") // until 0.2.0, in trees of one's own
        id = "modeled";
    for (const Quantity& quantity : quantities())
        if (quantity.id == id)
            return &quantity;
    return nullptr;
}

std::string_view flagInWords(const Quantity& of, std::string_view sense)
{
    return of.untrue.empty() || sense.starts_with('<') ? of.untrue : of.title;
}

std::vector<std::string> quantityIds()
{
    std::vector<std::string> ids;
    for (const Quantity& quantity : quantities())
        ids.emplace_back(quantity.id);
    return ids;
}

std::vector<std::string> factIds()
{
    std::vector<std::string> ids;
    for (const Words& words : kWords)
        ids.emplace_back(words.id);
    return ids;
}

std::optional<std::string> factInWords(std::string_view id, const RunFacts& facts)
{
    for (const Words& words : kWords)
        if (words.id == id)
            return words.say(facts);
    return {};
}

bool isFactInWords(std::string_view id)
{
    return std::any_of(kWords.begin(), kWords.end(), [&](const Words& words) { return words.id == id; });
}

} // namespace kl::inline diagnosis
