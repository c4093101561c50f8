// SPDX-License-Identifier: MIT
#include "ui/pages/compare/opening_pair.h"

#include "core/stats/robust.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>

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

/// How far a run's time is from the median of those measured, as |ln(ratio)|; zero where none were. A run without a time is farthest.
double distanceOf(const RunSummary& run, const std::vector<double>& measured)
{
    if (measured.empty())
        return 0;
    return run.gpuNs && *run.gpuNs > 0 ? std::abs(std::log(*run.gpuNs / medianOf(measured))) : std::numeric_limits<double>::infinity();
}

} // namespace

RunPair openingPair(const Catalog& catalog, const std::vector<RunSummary>& runs)
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

std::vector<std::string> runsOfSides(const Comparison& measured, const std::vector<RunSummary>& runs)
{
    Runs a, b;
    for (const RunSummary& run : runs) {
        if (run.kernel == measured.a)
            a.push_back(&run);
        if (run.kernel == measured.b)
            b.push_back(&run);
    }
    std::vector<double> timesOfA, timesOfB;
    for (const AbBlock& block : measured.data) {
        timesOfA.insert(timesOfA.end(), block.a.begin(), block.a.end());
        timesOfB.insert(timesOfB.end(), block.b.begin(), block.b.end());
    }
    const RunSummary *bestA = nullptr, *bestB = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const RunSummary* left : a)
        for (const RunSummary* right : b)
            if (left->problem == right->problem && left->device == right->device && left->deviceUuid == right->deviceUuid &&
                left->source == right->source)
                if (const double distance = distanceOf(*left, timesOfA) + distanceOf(*right, timesOfB);
                    bestA == nullptr || distance < least) {
                    bestA = left;
                    bestB = right;
                    least = distance;
                }
    if (bestA != nullptr)
        return {bestA->id.text, bestB->id.text};
    std::vector<std::string> ids;
    for (const auto& side : {a, b})
        if (!side.empty())
            ids.push_back(side.front()->id.text);
    return ids;
}

} // namespace kl::ui
