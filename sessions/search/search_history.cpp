// SPDX-License-Identifier: MIT
#include "sessions/search/search_history.h"

#include "core/base/try.h"
#include "kernels/code_builder.h"
#include "kernels/space/search_space.h"
#include "sessions/store/search_records.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace kl::inline search {
namespace {

std::string toLowercase(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool hasAll(const std::string& params, const Params& wanted)
{
    const Result<Params> all = parseParams(params);
    return all && std::ranges::all_of(wanted, [&](const auto& one) {
               const auto found = all->find(one.first);
               return found != all->end() && found->second == one.second;
           });
}

bool matches(const SearchRecord& record, const BestFilter& filter)
{
    return record.best && isOf(record.kernel, filter.kernel) && (filter.problem.empty() || record.problem == filter.problem) &&
           hasAll(record.problem, filter.sizes) && (filter.objective.empty() || record.objective == filter.objective) &&
           toLowercase(record.device).find(toLowercase(filter.device)) != std::string::npos &&
           hasAll(record.best->tunables, filter.tunables);
}

std::string whyStale(const SearchRecord& record, const Catalog& catalog)
{
    const Result<Address> address = parseAddress(record.kernel);
    const Result<const KernelFamily*> family = address ? catalog.family(address->family) : Result<const KernelFamily*>(address.error());
    const Result<const Variant*> variant = address ? catalog.variant(*address) : Result<const Variant*>(address.error());
    if (!family || !variant)
        return fmt::format("{} is no longer among the kernels.", record.kernel);
    if (chooseCodeText(**family, **variant).hash() != record.sourceHash)
        return fmt::format("The source of {} has changed since this search.", record.kernel);
    return {};
}

double computeCost(const SearchRecord& record)
{
    return record.objective == "energy" ? record.best->joules.value_or(0) : record.best->ns;
}

/// Whether `a` is to be used rather than `b`, which is at least as new.
bool isPreferred(const FoundBest& a, const FoundBest& b)
{
    if (a.stale.empty() != b.stale.empty())
        return a.stale.empty();
    return a.stale.empty() && computeCost(a.record) < computeCost(b.record);
}

/// The points of a search that were fast but incorrect, each with its reason.
std::map<std::string, std::string> incorrectPoints(const SearchRecord& record, const Catalog& catalog)
{
    std::map<std::string, std::string> points;
    const Result<Address> address = parseAddress(record.kernel);
    const Result<const KernelFamily*> family = address ? catalog.family(address->family) : Result<const KernelFamily*>(address.error());
    const Result<const Variant*> variant = address ? catalog.variant(*address) : Result<const Variant*>(address.error());
    if (!family || !variant)
        return points;
    for (const SearchTrial& trial : record.trials)
        if (const Result<Params> tunables = parseParams(trial.tunables)) {
            const std::string begin = toText(makeAddress(**family, **variant, *tunables)) + ": ";
            for (const std::string& wrong : record.wrong)
                if (wrong.starts_with(begin))
                    points.emplace(trial.tunables, wrong.substr(begin.size()));
        }
    return points;
}

/// The times of a search by point, those of the same program included, ns. An incorrect point has none.
class PointTimes {
public:
    PointTimes(const SearchRecord& record, const Catalog& catalog) : record_(record), incorrect_(incorrectPoints(record, catalog))
    {
        for (const SearchTrial& trial : record.trials)
            trials_[trial.tunables] = &trial;
        for (const SearchRejection& rejection : record.rejected)
            rejected_[rejection.tunables] = &rejection;
    }

    std::optional<double> of(const std::string& tunables) const
    {
        const SearchTrial* trial = findTrial(tunables);
        return !trial || incorrect_.contains(trial->tunables) ? std::nullopt
               : trial->again                                 ? trial->again
               : trial->why.empty()                           ? trial->ns
                                                              : std::nullopt;
    }
    std::string whyNone(const std::string& tunables) const
    {
        if (const SearchTrial* trial = findTrial(tunables)) {
            const auto found = incorrect_.find(trial->tunables);
            return found != incorrect_.end() ? "incorrect: " + found->second : "failed: " + trial->why;
        }
        if (const auto found = rejected_.find(tunables); found != rejected_.end())
            return "rejected: " + found->second->why;
        return "not measured there";
    }
    const std::map<std::string, const SearchTrial*>& trials() const { return trials_; }

private:
    const SearchTrial* findTrial(const std::string& tunables) const
    {
        const auto twin = record_.twins.find(tunables);
        const auto found = trials_.find(twin == record_.twins.end() ? tunables : twin->second);
        return found == trials_.end() ? nullptr : found->second;
    }

    const SearchRecord& record_;
    std::map<std::string, std::string> incorrect_;
    std::map<std::string, const SearchTrial*> trials_;
    std::map<std::string, const SearchRejection*> rejected_;
};

std::optional<PortablePoint> findPortablePoint(const std::vector<PointTimes>& times, const std::vector<double>& fastest)
{
    std::optional<PortablePoint> portable;
    for (const auto& [tunables, trial] : times.front().trials()) {
        double worst = 1e9;
        for (std::size_t place = 0; place < times.size(); ++place) {
            const std::optional<double> ns = times[place].of(tunables);
            worst = std::min(worst, ns ? fastest[place] / *ns : 0);
        }
        if (worst > 0 && (!portable || worst > portable->worst))
            portable = PortablePoint{tunables, worst};
    }
    return portable;
}

} // namespace

Result<std::vector<FoundBest>> findBests(const Store& store, const Catalog& catalog, const BestFilter& filter,
                                         std::vector<std::string>* damaged)
{
    KL_ASSIGN(std::vector<SearchRecord> records, searchRecords(store, filter.kernel, damaged));
    std::map<std::tuple<std::string, std::string, std::string, std::string>, FoundBest> best;
    for (SearchRecord& record : records) { // newest first
        if (!matches(record, filter))
            continue;
        std::string stale = whyStale(record, catalog);
        const std::tuple place{record.kernel, record.problem, record.device, record.objective};
        FoundBest found{std::move(record), std::move(stale)};
        const auto known = best.find(place);
        if (known == best.end())
            best.emplace(place, std::move(found));
        else if (isPreferred(found, known->second))
            known->second = std::move(found);
    }
    std::vector<FoundBest> list;
    for (auto& [place, found] : best)
        list.push_back(std::move(found));
    return list;
}

Result<TransferReport> computeTransfer(const Store& store, const Catalog& catalog, const std::string& kernel)
{
    KL_ASSIGN(std::vector<FoundBest> found, findBests(store, catalog, {kernel, {}, {}, "time"}));
    TransferReport report;
    report.kernel = kernel;
    for (FoundBest& each : found)
        if (each.stale.empty())
            report.places.push_back(std::move(each));
        else
            ++report.stale;
    std::vector<PointTimes> times;
    for (const FoundBest& place : report.places)
        times.emplace_back(place.record, catalog);
    std::vector<double> fastest;
    for (std::size_t i = 0; i < times.size(); ++i)
        fastest.push_back(times[i].of(report.places[i].record.best->tunables).value_or(report.places[i].record.best->ns));
    for (const FoundBest& from : report.places) {
        std::vector<TransferEntry>& row = report.table.emplace_back();
        for (std::size_t to = 0; to < times.size(); ++to) {
            const std::string& tunables = from.record.best->tunables;
            const std::optional<double> ns = times[to].of(tunables);
            row.push_back(ns ? TransferEntry{fastest[to] / *ns, {}} : TransferEntry{{}, times[to].whyNone(tunables)});
        }
    }
    if (times.size() > 1)
        report.portable = findPortablePoint(times, fastest);
    return report;
}

} // namespace kl::inline search
