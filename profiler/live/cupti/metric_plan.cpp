// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/metric_plan.h"

#include "core/base/try.h"
#include "core/device/metric_catalog.h"
#include "profiler/live/cupti/metric_names.h"
#include "profiler/live/cupti/range_profiler.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace kl::inline live {
namespace {

// The chip's spelling of a metric; empty when it has none.
std::string chipName(const std::string& name, MetricSource& source)
{
    if (source.has(name))
        return name;
    const MetricInfo* metric = findMetric(name);
    if (!metric)
        return {};
    if (source.has(std::string(metric->name)))
        return std::string(metric->name);
    for (const std::string_view alternative : metric->alternatives)
        if (source.has(std::string(alternative)))
            return std::string(alternative);
    return {};
}

std::string explainMissingMetric(const std::string& name, const std::string& chip)
{
    if (const MetricInfo* metric = findMetric(name))
        if (std::string reason = lackReason(*metric, chip); !reason.empty())
            return "not on " + chip + ": " + reason;
    return chip + " has no metric of this name";
}

// Place in the order of giving up: cheap tiers first; what is in no tier was requested by name and counts as cheapest.
int findTier(const std::string& name)
{
    const MetricInfo* metric = findMetric(name);
    return metric ? metric->tier : 0;
}

// Fills a limited number of passes: takes a stretch of metrics whole where it fits, else its halves one after the other.
class Filler {
public:
    Filler(int maxPasses, const MetricSelection& all, MetricSource& source) : maxPasses_(maxPasses), all_(all), source_(source)
    {
        kept_.missing = all.missing;
    }

    Status take(std::span<const std::size_t> stretch)
    {
        if (stretch.empty())
            return {};
        std::vector<std::string> with = kept_.chipNames;
        for (const std::size_t i : stretch)
            with.push_back(all_.chipNames[i]);
        KL_ASSIGN(const int passes, source_.passes(with));
        if (passes <= maxPasses_) {
            for (const std::size_t i : stretch)
                kept_.names.push_back(all_.names[i]);
            kept_.chipNames = std::move(with);
            kept_.passes = passes;
            return {};
        }
        if (stretch.size() == 1) {
            kept_.missing[all_.names[stretch[0]]] =
                "left out: it would take more than " + std::to_string(maxPasses_) + (maxPasses_ == 1 ? " pass" : " passes");
            return {};
        }
        const std::size_t half = stretch.size() / 2;
        KL_TRY(take(stretch.first(half)));
        return take(stretch.subspan(half));
    }

    MetricSelection result() && { return std::move(kept_); }

private:
    int maxPasses_;
    const MetricSelection& all_;
    MetricSource& source_;
    MetricSelection kept_;
};

Status keepWithin(int maxPasses, MetricSelection& selection, MetricSource& source)
{
    std::vector<std::size_t> order(selection.names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return findTier(selection.names[i]); });
    Filler filler(maxPasses, selection, source);
    KL_TRY(filler.take(order));
    selection = std::move(filler).result();
    return {};
}

// A value is only half the information without its clock: the two metrics for the clock are added where that is free.
Status addClock(MetricSelection& selection, MetricSource& source)
{
    std::vector<std::string> extra;
    for (const char* name : {kTimeMetric, kCyclesMetric})
        if (std::ranges::find(selection.chipNames, name) == selection.chipNames.end() && source.has(name))
            extra.emplace_back(name);
    if (selection.chipNames.empty() || extra.empty())
        return {};
    std::vector<std::string> with = selection.chipNames;
    with.insert(with.end(), extra.begin(), extra.end());
    KL_ASSIGN(const int passes, source.passes(with));
    if (passes <= selection.passes)
        selection.clockNames = std::move(extra);
    return {};
}

} // namespace

std::vector<std::string> MetricSelection::listConfigured() const
{
    std::vector<std::string> all = chipNames;
    all.insert(all.end(), clockNames.begin(), clockNames.end());
    return all;
}

std::map<std::string, std::string> MetricSelection::mapSpelled() const
{
    std::map<std::string, std::string> differing;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] != chipNames[i])
            differing[names[i]] = chipNames[i];
    return differing;
}

Result<MetricSelection> selectMetrics(const MetricRequest& request, MetricSource& source)
{
    KL_ASSIGN(const std::vector<std::string> wanted,
              request.metrics.empty() ? listTierMetrics(request.tier) : expandNames(request.metrics, source));
    MetricSelection selection;
    for (const std::string& name : wanted) {
        if (std::ranges::find(selection.names, name) != selection.names.end())
            continue;
        std::string spelled = chipName(name, source);
        if (spelled.empty()) {
            selection.missing[name] = explainMissingMetric(name, source.chip());
            continue;
        }
        selection.names.push_back(name);
        selection.chipNames.push_back(std::move(spelled));
    }
    KL_ASSIGN(const int passes, source.passes(selection.chipNames));
    selection.passes = passes;
    if (request.maxPasses > 0 && passes > request.maxPasses)
        KL_TRY(keepWithin(request.maxPasses, selection, source));
    KL_TRY(addClock(selection, source));
    return selection;
}

} // namespace kl::inline live
