// SPDX-License-Identifier: MIT
#include "ui/pages/compare/opening_pair.h"

#include "core/stats/robust.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace kl::ui {
namespace {

constexpr const char* kNoVariants = "program"; // kernels found in programs do different work

std::string parseFamily(const RunSummary& run)
{
    return run.kernel.substr(0, run.kernel.find('/'));
}

bool isTimed(const RunSummary& run)
{
    return isUsable(run) && run.gpuNs && parseFamily(run) != kNoVariants;
}

bool isAlike(const RunSummary& a, const RunSummary& b)
{
    return parseFamily(a) == parseFamily(b) && a.problem == b.problem && a.device == b.device && a.deviceUuid == b.deviceUuid &&
           a.source == b.source;
}

bool isOnDefaultProblem(const Catalog& catalog, const RunSummary& run)
{
    const Result<const KernelFamily*> family = catalog.family(parseFamily(run));
    return family && !(*family)->problems.empty() && run.problem == toText((*family)->problems.front());
}

/// Address of the variant that the run's variant fixes, with the run's tunables; empty if it fixes none.
std::string findFixedVariant(const Catalog& catalog, const RunSummary& run)
{
    const Result<Address> address = parseAddress(run.kernel);
    const Result<const Variant*> variant = address ? catalog.variant(*address) : Result<const Variant*>(address.error());
    return variant && !(*variant)->fixes.empty() ? toText(Address{address->family, (*variant)->fixes, address->tunables}) : std::string();
}

using Runs = std::vector<const RunSummary*>;

/// The newest of the runs that are on the same problem and device as `run`, and that `wanted` takes; null when there is none.
const RunSummary* beside(const Runs& runs, const RunSummary& run, const std::function<bool(const RunSummary&)>& wanted)
{
    const auto found = std::ranges::find_if(runs, [&](const RunSummary* other) { return isAlike(run, *other) && wanted(*other); });
    return found == runs.end() ? nullptr : *found;
}

RunPair pickPair(const Catalog& catalog, const Runs& runs)
{
    for (const RunSummary* run : runs) {
        const std::string fixed = findFixedVariant(catalog, *run);
        const RunSummary* before = beside(runs, *run, [&](const RunSummary& other) { return other.kernel == fixed; });
        if (before != nullptr)
            return {{before->id.text, run->id.text},
                    fmt::format("Most recent fix with both variants measured: {} improves on {}.", run->kernel, before->kernel)};
    }
    for (const RunSummary* run : runs) {
        const RunSummary* other = beside(runs, *run, [&](const RunSummary& one) { return one.kernel != run->kernel; });
        if (other == nullptr)
            continue;
        // The slower one is A, so that the comparison shows an improvement.
        const bool later = *run->gpuNs <= *other->gpuNs;
        return {{(later ? other : run)->id.text, (later ? run : other)->id.text},
                "The two most recently measured variants of one kernel, slower first."};
    }
    return {};
}

/// The runs of one side of a measured comparison, and the median of its times there; unset if it has none.
struct Side {
    Runs runs;
    std::optional<double> medianNs;
};

Side collectSide(const std::string& kernel, const std::vector<AbBlock>& blocks, std::vector<double> AbBlock::*times,
                 const std::vector<RunSummary>& runs)
{
    Side side;
    for (const RunSummary& run : runs)
        if (run.kernel == kernel)
            side.runs.push_back(&run);
    std::vector<double> all;
    for (const AbBlock& block : blocks)
        all.insert(all.end(), (block.*times).begin(), (block.*times).end());
    if (!all.empty())
        side.medianNs = computeMedian(std::move(all));
    return side;
}

/// The run whose time is closest to the measured one, of equally close ones the newest.
struct Closest {
    const RunSummary* run = nullptr;
    double distance = 0; ///< |ln(ratio of the times)|; infinite for a run without a time, 0 where nothing was measured
};

/// What two runs have in common to be compared: problem, GPU and source.
using Place = std::tuple<std::string, std::string, std::string, Source>;

std::map<Place, Closest> closestByPlace(const Side& side)
{
    std::map<Place, Closest> found;
    for (const RunSummary* run : side.runs) {
        double distance = 0;
        if (side.medianNs)
            distance =
                run->gpuNs && *run->gpuNs > 0 ? std::abs(std::log(*run->gpuNs / *side.medianNs)) : std::numeric_limits<double>::infinity();
        Closest& closest = found[{run->problem, run->device, run->deviceUuid, run->source}];
        if (closest.run == nullptr || distance < closest.distance)
            closest = {run, distance};
    }
    return found;
}

} // namespace

RunPair chooseOpeningPair(const Catalog& catalog, const std::vector<RunSummary>& runs)
{
    Runs all, onDefault;
    for (const RunSummary& run : runs)
        if (isTimed(run)) {
            all.push_back(&run);
            if (isOnDefaultProblem(catalog, run))
                onDefault.push_back(&run);
        }
    RunPair pair = pickPair(catalog, onDefault);
    return pair.ids.empty() ? pickPair(catalog, all) : pair;
}

std::vector<std::string> listKernelRuns(const std::string& a, const std::string& b, const std::string& problem,
                                        const std::vector<RunSummary>& runs)
{
    Runs left, right;
    for (const RunSummary& run : runs)
        if (isTimed(run) && (problem.empty() || run.problem == problem)) {
            if (run.kernel == a)
                left.push_back(&run);
            if (run.kernel == b)
                right.push_back(&run);
        }
    for (const RunSummary* run : left)
        if (const RunSummary* other = beside(right, *run, [](const RunSummary&) { return true; }); other != nullptr)
            return {run->id.text, other->id.text};
    std::vector<std::string> ids;
    for (const Runs& side : {left, right})
        if (!side.empty())
            ids.push_back(side.front()->id.text);
    return ids;
}

std::vector<std::string> listSideRuns(const Comparison& measured, const std::vector<RunSummary>& runs)
{
    const Side a = collectSide(measured.a, measured.data, &AbBlock::a, runs);
    const Side b = collectSide(measured.b, measured.data, &AbBlock::b, runs);
    const std::map<Place, Closest> right = closestByPlace(b);
    Closest bestA, bestB;
    for (const auto& [place, left] : closestByPlace(a)) {
        const auto there = right.find(place);
        if (there == right.end())
            continue;
        const double distance = left.distance + there->second.distance, least = bestA.distance + bestB.distance;
        if (bestA.run == nullptr || distance < least || (distance == least && left.run < bestA.run)) { // of equals the newer
            bestA = left;
            bestB = there->second;
        }
    }
    if (bestA.run != nullptr)
        return {bestA.run->id.text, bestB.run->id.text};
    std::vector<std::string> ids;
    for (const Side& side : {a, b})
        if (!side.runs.empty())
            ids.push_back(side.runs.front()->id.text);
    return ids;
}

} // namespace kl::ui
