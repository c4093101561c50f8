// SPDX-License-Identifier: MIT
#include "sessions/session/checks.h"

#include "sessions/session/check_functions.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace kl::inline session {
namespace {

using CheckFunction = std::vector<CheckRow> (*)(const GateInput&);

struct Check {
    CheckFunction rows;
    Evidence evidence;
};

std::unordered_map<std::string, Check> makeRegistry()
{
    using enum Evidence;
    return {
        {"environment", {checks::environment, environment}},
        {"build-clean", {checks::buildClean, build}},
        {"build-warnings", {checks::buildWarnings, build}},
        {"build-resources", {checks::buildResources, smallest}},
        {"module-loads", {checks::moduleLoads, smallest}},
        {"smoke", {checks::smoke, smallest}},
        {"smallest-difference", {checks::smallestDifference, smallest}},
        {"smallest-gross-error", {checks::smallestGrossError, smallest}},
        {"start-correct", {checks::startCorrect, startSuite}},
        {"start-finite", {checks::startFinite, startSuite}},
        {"start-written", {checks::startWritten, startSuite}},
        {"start-max-difference", {checks::startMaxDifference, startSuite}},
        {"start-gross-error", {checks::startGrossError, startSuite}},
        {"failing-case-fixed", {checks::failingCaseFixed, minimalCase}},
        {"smallest-correct", {checks::smallestCorrect, smallest}},
        {"kernel-correct", {checks::kernelCorrect, baseline}},
        {"baseline-measured", {checks::baselineMeasured, baseline}},
        {"speedup-level", {checks::speedupLevel, baseline}},
        {"speedup-target", {checks::speedupTarget, baseline}},
        {"kernel-max-difference", {checks::kernelMaxDifference, baseline}},
        {"kernel-gross-error", {checks::kernelGrossError, baseline}},
        {"profile-taken", {checks::profileTaken, profile}},
        {"metrics-measured", {checks::metricsMeasured, profile}},
        {"passes-complete", {checks::passesComplete, profile}},
        {"finding-classified", {checks::findingClassified, profile}},
        {"memory-bandwidth", {checks::memoryBandwidth, profile}},
        {"occupancy", {checks::occupancy, profile}},
        {"kernel-duration", {checks::kernelDuration, profile}},
        {"warp-efficiency", {checks::warpEfficiency, profile}},
        {"bank-conflicts", {checks::bankConflicts, profile}},
        {"one-variable", {checks::oneVariable, candidate}},
        {"shared-memory", {checks::sharedMemory, candidate}},
        {"suite-correct", {checks::suiteCorrect, candidate}},
        {"finite", {checks::finite, candidate}},
        {"written", {checks::written, candidate}},
        {"max-difference", {checks::maxDifference, candidate}},
        {"gross-error", {checks::grossError, candidate}},
        {"memory-clean", {checks::memoryClean, memory}},
        {"peak-memory", {checks::peakMemory, candidate}},
        {"peak-memory-baseline", {checks::peakMemoryBaseline, candidate}},
        {"both-correct", {checks::bothCorrect, evaluation}},
        {"comparable", {checks::comparable, evaluation}},
        {"improvement", {checks::improvement, evaluation}},
    };
}

/// Apart from what fills it, whose frame of some thousand bytes the address sanitizer would mark at each call.
const std::unordered_map<std::string, Check>& registry()
{
    static const std::unordered_map<std::string, Check> functions = makeRegistry();
    return functions;
}

} // namespace

bool hasSanitizer(const SessionView& view, const KernelFamily* family)
{
    if (view.header.source == Source::live)
        return true;
    return family && std::ranges::any_of(family->variants, [&](const Variant& variant) {
               return variant.id == view.start.variant && !variant.fault.empty();
           });
}

MetricLimits collectLimits(const SessionTemplate& plan)
{
    return {plan.threshold("memory_bandwidth_min"), plan.threshold("occupancy_min"), plan.threshold("kernel_duration_min_us"),
            plan.threshold("warp_efficiency_min"), plan.threshold("bank_conflicts_max")};
}

const std::vector<std::string>& listKnownChecks()
{
    static const std::vector<std::string> ids = [] {
        std::vector<std::string> names;
        for (const auto& [id, function] : registry())
            names.push_back(id);
        std::ranges::sort(names);
        return names;
    }();
    return ids;
}

Evidence findCheckEvidence(const std::string& id)
{
    const auto found = registry().find(id);
    assert(found != registry().end());
    return found == registry().end() ? Evidence::environment : found->second.evidence;
}

std::vector<CheckRow> evaluateCheck(const std::string& id, const GateInput& input)
{
    const auto found = registry().find(id);
    assert(found != registry().end());
    return found == registry().end() ? std::vector<CheckRow>{} : found->second.rows(input);
}

} // namespace kl::inline session
