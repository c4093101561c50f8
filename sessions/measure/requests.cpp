// SPDX-License-Identifier: MIT
#include "sessions/measure/requests.h"

#include "core/base/try.h"
#include "kernels/baseline_choice.h"

#include <algorithm>
#include <random>

namespace kl::inline measure {

Result<RunRequest> runRequest(const Catalog& catalog, const Address& address, const Params& problem, bool suite, const Chip& chip)
{
    KL_ASSIGN(WorkSpec work, catalog.work(address, problem, chip));
    RunRequest request;
    request.work = std::move(work);
    if (suite) {
        KL_ASSIGN(std::vector<WorkSpec> sizes, catalog.suite(address, chip));
        request.suite = std::move(sizes);
    }
    return request;
}

Status askForBaselines(const Catalog& catalog, const Address& address, const std::vector<std::string>& names, RunRequest& request,
                       const Chip& chip)
{
    const Result<const KernelFamily*> family = catalog.family(address.family);
    const Result<const Variant*> variant = catalog.variant(address);
    const Result<Params> problem = parseParams(request.work.problem);
    if (!family || !variant || !problem)
        return !family ? family.error() : !variant ? variant.error() : problem.error();
    KL_ASSIGN(std::vector<BaselineSpec> chosen, findNamedBaselines(**family, **variant, address.tunables, *problem, names, chip));
    request.baselines = std::move(chosen);
    return {};
}

void seedInputs(RunRequest& request, std::uint64_t seed)
{
    request.work.seed = seed;
    for (WorkSpec& size : request.suite)
        size.seed = seed;
}

std::uint64_t freshSeed()
{
    std::random_device source;
    return std::uniform_int_distribution<std::uint64_t>(2, 0xffffffffU)(source);
}

Result<ProfileRequest> profileRequest(const Catalog& catalog, const Address& address, const Params& problem, const ProfileScope& scope,
                                      const Chip& chip)
{
    KL_ASSIGN(RunRequest base, runRequest(catalog, address, problem, false, chip));
    ProfileRequest request;
    request.run = std::move(base);
    request.tier = scope.tier;
    request.metrics = scope.metrics;
    request.maxPasses = scope.maxPasses;
    request.source = scope.source;
    request.cacheControl = scope.cacheControl;
    request.counters = scope.counters;
    request.experiments = scope.experiments;
    if (scope.energy)
        request.run.energy = true;
    if (scope.pmSampling)
        request.pmSampling = true;
    return request;
}

Result<TimelineRequest> timelineRequest(const Catalog& catalog, const Address& address, const Params& problem, const TimelineScope& scope,
                                        const Chip& chip)
{
    TimelineRequest request;
    KL_ASSIGN(WorkSpec work, catalog.work(address, problem, chip));
    request.work = std::move(work);
    request.automatic = scope.automatic;
    request.blocks = scope.blocks;
    request.marks = scope.marks;
    if (!scope.overhead)
        request.overhead = false;
    return request;
}

Result<AbRequest> abRequest(const Catalog& catalog, const Address& a, const Address& b, const Params& problem, int firstBlock,
                            const Chip& chip)
{
    KL_ASSIGN(WorkSpec first, catalog.work(a, problem, chip));
    KL_ASSIGN(WorkSpec second, catalog.work(b, problem, chip));
    AbRequest request;
    request.a = std::move(first);
    request.b = std::move(second);
    request.firstBlock = firstBlock;
    request.blocks = kBlocksPerLook;
    return request;
}

Result<EnvRequest> envRequest(const Catalog& catalog)
{
    EnvRequest request;
    const std::vector<KernelFamily>& families = catalog.families();
    if (families.empty())
        return request;
    const auto copy = std::find_if(families.begin(), families.end(), [](const KernelFamily& family) { return family.id == "copy"; });
    const KernelFamily& family = copy == families.end() ? families.front() : *copy;
    if (family.variants.empty())
        return request;
    KL_ASSIGN(WorkSpec smoke, catalog.work({family.id, family.variants.back().id, {}}, family.smallest));
    request.smoke = std::move(smoke);
    return request;
}

} // namespace kl::inline measure
