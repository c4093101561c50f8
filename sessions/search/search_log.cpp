// SPDX-License-Identifier: MIT
#include "sessions/search/search_log.h"

#include "core/base/format.h"
#include "core/base/ids.h"
#include "core/device/arch.h"
#include "kernels/code_builder.h"
#include "kernels/family_point.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/measure/keep.h"
#include "sessions/search/best_point.h"
#include "sessions/search/candidate_space.h"
#include "sessions/store/search_records.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline search {
namespace {

constexpr auto kSaveEvery = std::chrono::seconds(3);

} // namespace

SearchTrial makeTrial(const TunedPoint& point)
{
    SearchTrial trial;
    trial.tunables = toText(point.tunables);
    trial.ns = point.ns;
    trial.joules = point.joules;
    trial.why = point.ns ? "" : point.why;
    trial.gpu = point.gpu;
    trial.at = point.at;
    trial.seconds = point.seconds;
    trial.remembered = point.remembered;
    trial.cut = point.cut;
    return trial;
}

SearchLog::SearchLog(Store& store, const Collector& collector, const SearchSubject& subject, const LoopPlan& plan, const Job& job)
    : store_(store), subject_(subject), job_(job)
{
    record_.id = newUuid();
    record_.startedAt = isoNow();
    if (const DeviceInfo* device = findMeasuredDevice(collector.hello())) {
        record_.device = device->name;
        record_.deviceUuid = device->uuid;
        record_.driver = device->driverVersion;
        record_.arch = formatArch(*device);
        if (const Result<FamilyPoint> point =
                makeFamilyPoint(*subject.family, *subject.variant, subject.fixed, subject.problem, toChip(*device)))
            record_.problem = toText(point->sizes);
    }
    record_.host = collector.hello().host;
    record_.kernel = toText(Address{subject.family->id, subject.variant->id, {}});
    record_.fixed = toText(subject.fixed);
    record_.sourceHash = chooseCodeText(*subject.family, *subject.variant).hash();
    record_.objective = plan.tune.objective == Objective::time ? "time" : "energy";
    record_.strategy = plan.tune.strategy;
    record_.protocol = plan.protocol;
    record_.seed = plan.tune.seed;
    record_.width = static_cast<std::int64_t>(widthOn(collector, plan.tune));
}

void SearchLog::add(const TunedPoint& point)
{
    const std::string tunables = toText(point.tunables);
    if (const auto known = placeOf_.find(tunables); known != placeOf_.end()) {
        SearchTrial& trial = record_.trials[known->second];
        trial.again = point.cost(record_.objective == "time" ? Objective::time : Objective::energy);
        if (!trial.again)
            trial.why = point.why;
        return;
    }
    placeOf_.emplace(tunables, record_.trials.size());
    record_.trials.push_back(makeTrial(point));
    record_.seconds = point.at;
    if (Clock::now() - saved_ > kSaveEvery)
        save();
}

void SearchLog::addTuned(const TuneResult& result)
{
    const SpaceBuild& build = result.build;
    record_.arch = build.arch;
    record_.total = static_cast<std::int64_t>(build.space.total);
    for (std::size_t gate = 0; gate < kSpaceGates.size(); ++gate)
        record_.gates.push_back({toWord(kSpaceGates[gate]), static_cast<std::int64_t>(build.space.rejected[gate])});
    record_.compileSeconds = build.seconds;
    record_.seconds = result.seconds;
    record_.left = static_cast<std::int64_t>(result.left);
    record_.references = result.references;
    const Result<GpuArch> arch = findArch(build.arch);
    for (const CompiledPoint& point : build.points) {
        const std::string tunables = toText(build.space.points[point.index].tunables);
        if (!point.verdict.pass)
            record_.rejected.push_back({tunables, point.verdict.gate, point.verdict.reason});
        else if (point.sameAs)
            record_.twins[tunables] = toText(build.space.points[build.points[*point.sameAs].index].tunables);
        else if (const auto trial = placeOf_.find(tunables); arch && trial != placeOf_.end())
            record_.trials[trial->second].facts = collectKnownFacts(build, point, arch->limits);
    }
    for (const TunedPoint& point : result.points)
        if (const auto trial = placeOf_.find(toText(point.tunables)); trial != placeOf_.end())
            record_.trials[trial->second].metrics = point.metrics;
    end(SearchStage::timed);
}

void SearchLog::addBest(const BestPoint& best)
{
    record_.wrong.clear();
    for (const WrongPoint& wrong : best.wrong)
        record_.wrong.push_back(fmt::format("{}: {}", wrong.kernel, wrong.reason));
    if (best.run) {
        SearchBest& kept = record_.best.emplace();
        kept.kernel = toText(best.run->kernel);
        kept.tunables = toText(best.tunables);
        kept.run = best.run->id.text;
        kept.ns = best.run->timing ? best.run->timing->gpu.median : 0;
        if (best.run->timing && best.run->timing->energy)
            kept.joules = best.run->timing->energy->perLaunchJ;
        if (best.comparison) {
            kept.comparison = best.comparison->id.text;
            kept.overDefault = best.comparison->ratio;
        }
        kept.confirmed = best.confirmation;
        if (best.profile && best.profile->diagnosis) {
            kept.profile = best.profile->id.text;
            kept.finding = best.profile->diagnosis->finding.title;
        }
    }
    save();
}

void SearchLog::end(SearchStage state)
{
    record_.state = state;
    save();
}

void SearchLog::save()
{
    if (record_.trials.empty())
        return; // nothing to lose
    Unstored what;
    what.artifacts.push_back(makeArtifact(record_));
    static_cast<void>(keep(store_, what, job_)); // the job reports it: the search goes on
    saved_ = Clock::now();
}

} // namespace kl::inline search
