// SPDX-License-Identifier: MIT
#include "sessions/measure/workbench.h"

#include "core/base/format.h"
#include "core/base/timings.h"
#include "core/base/try.h"
#include "core/stats/ab.h"
#include "profiler/expected_request.h"
#include "profiler/protocol/message_codec.h"
#include "sessions/measure/compare.h"
#include "sessions/measure/failed_run.h"
#include "sessions/measure/keep.h"
#include "sessions/measure/machine_check.h"
#include "sessions/measure/noise_floor.h"
#include "sessions/measure/recommender.h"
#include "sessions/measure/recorded_baselines.h"
#include "sessions/measure/recorded_metrics.h"
#include "sessions/measure/requests.h"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline measure {
namespace {

/// A replayed answer gets an id of its request and recording time: replaying twice stores one row.
std::string idFor(Source source, const std::string& key, const std::string& recordedAt)
{
    return source == Source::live ? newUuid() : makeUuidFromName(key + ' ' + recordedAt);
}

/// Measurements are stored: if that is impossible, the error comes before using the GPU. Replayed runs may be stored already.
Status canKeep(const Collector& collector, Store& store)
{
    return collector.source() == Source::live && !collector.hello().unavailable ? checkStorable(store) : Status{};
}

RunRecord makeRunRecord(RunAnswer answer, const RunRequest& request, const Address& address, const Params& problem,
                        const Collector& collector, const std::string& key)
{
    const Source source = collector.source();
    RunRecord run;
    run.id.text = idFor(source, key, answer.recordedAt);
    run.kernel = address;
    run.problem = problem;
    run.sourceHash = answer.sourceHash.empty() ? request.work.sourceHash : answer.sourceHash;
    run.device = std::move(answer.device);
    run.source = source;
    if (source == Source::live)
        run.host = collector.getAnsweringHello().host;
    run.startedAt = source == Source::live || answer.recordedAt.empty() ? isoNow() : answer.recordedAt;
    run.status = answer.status;
    run.reason = std::move(answer.reason);
    run.correctness = std::move(answer.correctness);
    if (run.correctness.result != CorrectnessResult::notChecked)
        run.correctness.seed = request.work.seed;
    run.timing = std::move(answer.timing);
    run.memoryBytes = answer.memoryBytes;
    run.baseline = std::move(answer.baseline);
    run.baselines = std::move(answer.baselines);
    if (isUsable(run) && run.timing && run.timing->gpu.median > 0 && run.baseline && run.baseline->gpu)
        run.speedup = run.baseline->gpu->median / run.timing->gpu.median;
    run.launches = std::move(answer.launches);
    run.flops = request.work.flops;
    run.idealBytes = request.work.idealBytes;
    run.metrics = std::move(answer.metrics);
    run.experiments = std::move(answer.experiments);
    run.sourceProfile = std::move(answer.sourceProfile);
    run.pmSampling = std::move(answer.pmSampling);
    run.workerSeconds = answer.workerSeconds;
    run.warnings = std::move(answer.warnings);
    return run;
}

/// Recordings have no energies: their requests are without.
bool isMeasured(const Collector& collector)
{
    return collector.source() != Source::sample;
}

std::string noEnergyText(Source source)
{
    return source == Source::sample ? "The sample was recorded without energy." : "The worker is of a version that measures no energy.";
}

/// A requested energy that is not there has a reason.
void explainEnergy(RunRecord& run)
{
    if (!run.timing || run.timing->energy)
        return;
    run.timing->energy.emplace().reason = noEnergyText(run.source);
}

/// The same of PM sampling.
void explainPmSampling(RunRecord& run)
{
    if (run.pmSampling || run.status != ResultStatus::ok)
        return;
    run.pmSampling.emplace().unavailable =
        run.source == Source::sample ? "The sample was recorded without PM sampling." : "The worker is of a version without PM sampling.";
}

} // namespace

Workbench::Workbench(const Catalog& catalog, const DiagnosisTree& tree, Collector& collector, Store& store, Recommender& recommender)
    : catalog_(catalog), tree_(tree), collector_(collector), store_(store), recommender_(recommender)
{
}

Result<EnvReport> Workbench::environment(const Job& job)
{
    const std::filesystem::path file = store_.location();
    Result<EnvReport> report =
        checkMachine(catalog_, collector_, {{}, {}, file.is_absolute() ? file.parent_path().string() : std::string()}, job);
    if (report && report->refused)
        return *report->refused;
    return report;
}

Result<RunRecord> Workbench::run(const Address& address, const Params& problem, bool suite, const Job& job,
                                 std::optional<std::uint64_t> seed, const std::vector<std::string>& baselines, bool energy)
{
    KL_ASSIGN(RunRequest request, runRequest(catalog_, address, problem, suite, toChip(collector_)));
    const bool fromSample = !baselines.empty() && collector_.source() == Source::sample;
    if (!baselines.empty())
        KL_TRY(askForBaselines(catalog_, address, baselines, request, toChip(collector_)));
    if (fromSample) // recordings are made against all
        KL_TRY(askForBaselines(catalog_, address, {"all"}, request, toChip(collector_)));
    if (seed && *seed != request.work.seed && collector_.source() == Source::sample) // keys of recordings have no seed
        return Error{.code = ErrorCode::notRecorded,
                     .message = fmt::format("The sample was recorded on inputs of seed {}.", request.work.seed),
                     .hint = "Use that seed, or measure on a GPU.",
                     .where = "--seed"};
    if (seed)
        seedInputs(request, *seed);
    if (energy && isMeasured(collector_))
        request.energy = true;
    KL_TRY(canKeep(collector_, store_));
    KL_ASSIGN(RunAnswer answer,
              orFailedRun(fromSample ? runRecordedBaselines(collector_, request, baselines, job) : kl::run(collector_, request, job),
                          collector_.getAnsweringHello()));
    const Result<Params> full = parseParams(request.work.problem);
    std::string key = requestKey(Verb::run, toJsonMessage(request));
    for (const std::string& name : baselines)
        key += ' ' + name; // of one recorded answer, other choices are other runs
    RunRecord record = makeRunRecord(std::move(answer), request, address, full ? *full : problem, collector_, key);
    if (energy)
        explainEnergy(record);
    keep(store_, record, job);
    return record;
}

Result<ProfileRequest> Workbench::requestFor(const Address& address, const Params& problem, const ProfileScope& scope) const
{
    Result<ProfileRequest> request = profileRequest(catalog_, address, problem, scope, toChip(collector_));
    if (request && !isMeasured(collector_))
        request->run.energy.reset();
    return request;
}

void Workbench::expectProfiles(const std::vector<std::pair<Address, Params>>& kernels, const ProfileScope& scope)
{
    if (collector_.width() < 2)
        return;
    std::vector<ExpectedRequest> requests;
    for (const auto& [kernel, problem] : kernels)
        if (const Result<ProfileRequest> request = requestFor(kernel, problem, scope)) // its turn comes to say why not
            requests.push_back(makeExpectedRequest<Verb::profile>(*request));
    collector_.expect(requests);
}

Result<RunRecord> Workbench::profile(const Address& address, const Params& problem, const ProfileScope& scope, const Job& job,
                                     const EarlyLook& early)
{
    KL_ASSIGN(ProfileRequest request, requestFor(address, problem, scope));
    KL_TRY(canKeep(collector_, store_));
    Job partialJob = job;
    if (early)
        partialJob.partial = [&](const Json& body) {
            Result<RunAnswer> part = fromJsonMessage<RunAnswer>(body);
            if (!part)
                return; // the whole answer says what is wrong with it
            RunRecord record = makeRunRecord(std::move(*part), request.run, address, problem, collector_, {});
            record.diagnosis = diagnoseIn(catalog_, tree_, record);
            early(record);
        };
    const auto ask = [&] {
        if (collector_.source() == Source::sample && isNarrowed(scope))
            return profileRecorded(collector_, catalog_, address, problem, scope, partialJob);
        return kl::profile(collector_, request, partialJob);
    };
    KL_ASSIGN(RunAnswer answer, orFailedRun(ask(), collector_.getAnsweringHello()));
    const Result<Params> full = parseParams(request.run.work.problem);
    RunRecord record = makeRunRecord(std::move(answer), request.run, address, full ? *full : problem, collector_,
                                     requestKey(Verb::profile, toJsonMessage(request)));
    if (scope.energy)
        explainEnergy(record);
    if (scope.pmSampling)
        explainPmSampling(record);
    Timed diagnosis("diagnosis");
    record.diagnosis = diagnoseIn(catalog_, tree_, record);
    if (std::optional<Warning> note = recommender_.weigh(record))
        record.warnings.push_back(std::move(*note));
    diagnosis.end();
    const Timed storing("store");
    keep(store_, record, job);
    return record;
}

Result<std::vector<RunRecord>> Workbench::count(const std::vector<std::pair<Address, Params>>& kernels, const ProfileScope& scope,
                                                const Job& job)
{
    CountRequest request{{}, scope.tier, scope.metrics, scope.maxPasses, scope.cacheControl};
    std::vector<RunRecord> records;
    for (const auto& [kernel, problem] : kernels) {
        if (collector_.source() == Source::sample) { // one at a time, as it was recorded
            KL_ASSIGN(RunRecord record, profile(kernel, problem, scope, job));
            records.push_back(std::move(record));
            continue;
        }
        KL_ASSIGN(WorkSpec work, catalog_.work(kernel, problem, toChip(collector_)));
        RunRecord record;
        record.kernel = kernel;
        record.problem = problem;
        records.push_back(std::move(record));
        request.works.push_back(std::move(work));
    }
    if (request.works.empty())
        return records;
    KL_TRY(canKeep(collector_, store_));
    KL_ASSIGN(CountAnswer counted, kl::count(collector_, request, job));
    if (counted.answers.size() != records.size())
        return Error{.code = ErrorCode::internal,
                     .message = "The worker returned results for a different number of kernels than it was given.",
                     .where = "count"};
    for (std::size_t i = 0; i < records.size(); ++i) {
        RunRequest base;
        base.work = std::move(request.works[i]);
        const Result<Params> full = parseParams(base.work.problem);
        const Address kernel = records[i].kernel;
        records[i] = makeRunRecord(std::move(counted.answers[i]), base, kernel, full ? *full : records[i].problem, collector_, {});
        records[i].diagnosis = diagnoseIn(catalog_, tree_, records[i]);
        keep(store_, records[i], job);
    }
    return records;
}

Result<RunRecord> Workbench::recordTimeline(const Address& address, const Params& problem, const TimelineScope& scope, const Job& job)
{
    KL_ASSIGN(TimelineRequest request, timelineRequest(catalog_, address, problem, scope, toChip(collector_)));
    KL_TRY(canKeep(collector_, store_));
    KL_ASSIGN(TimelineAnswer answer, kl::recordTimeline(collector_, request, job));
    const std::string key = requestKey(Verb::timeline, toJsonMessage(request));
    RunAnswer plain;
    plain.status = answer.status;
    plain.reason = std::move(answer.reason);
    plain.device = std::move(answer.device);
    plain.correctness = std::move(answer.correctness);
    plain.launches = std::move(answer.launches);
    plain.warnings = std::move(answer.warnings);
    plain.recordedAt = std::move(answer.recordedAt);
    plain.sourceHash = std::move(answer.sourceHash);
    RunRequest base;
    base.work = std::move(request.work);
    const Result<Params> full = parseParams(base.work.problem);
    RunRecord record = makeRunRecord(std::move(plain), base, address, full ? *full : problem, collector_, key);
    record.timeline = std::move(answer.timeline);
    keep(store_, record, job);
    return record;
}

Result<AbRequest> Workbench::makeRequest(const AbPlan& plan, const AbSubject& subject) const
{
    Result<AbRequest> request = abRequest(catalog_, subject.a, subject.b, plan.problem, plan.firstBlock, toChip(collector_));
    if (!request || !plan.before)
        return request;
    KL_ASSIGN(WorkSpec work, plan.before->work(subject.a, plan.problem, toChip(collector_)));
    request->a = std::move(work);
    return request;
}

Result<AbAnswer> Workbench::measureBlocks(const AbPlan& plan, const AbSubject& subject, const Job& job, Comparison& comparison)
{
    KL_ASSIGN(AbRequest request, makeRequest(plan, subject));
    if (!plan.check)
        request.check = false;
    if (plan.energy && isMeasured(collector_))
        request.energy = true;
    KL_TRY(canKeep(collector_, store_));
    Result<AbAnswer> answer = interleave(collector_, request, job);
    if (!answer)
        return answer.error();
    const NoiseFloor noise =
        plan.judgedByNoise ? noiseFloor(store_, answer->device, collector_.source(), {toText(subject.a), toText(subject.b)}) : NoiseFloor{};
    comparison = judgeBlocks(*answer, subject, noise, plan.keepAt);
    if (!wantsSecondLook(comparison, plan.keepAt))
        return answer;
    request.firstBlock += kBlocksPerLook;
    request.energy.reset(); // is known
    const Result<AbAnswer> more = interleave(collector_, request, job);
    if (!more) // a recording may hold the first look alone
        return more.error().code == ErrorCode::notRecorded ? std::move(answer) : Result<AbAnswer>(more.error());
    answer->blocks.insert(answer->blocks.end(), more->blocks.begin(), more->blocks.end());
    if (more->status != ResultStatus::ok) {
        answer->status = more->status;
        answer->reason = more->reason;
    }
    comparison = judgeBlocks(*answer, subject, noise, plan.keepAt);
    return answer;
}

Error Workbench::nameRecordedOrder(Error error, const AbPlan& plan, const AbSubject& subject) const
{
    if (error.code != ErrorCode::notRecorded || collector_.source() != Source::sample || plan.before || subject.a == subject.b)
        return error;
    const Result<AbRequest> swapped = makeRequest(plan, {subject.b, subject.a, {}});
    if (!swapped || !collector_.holds(Verb::compare, toJsonMessage(*swapped)))
        return error;
    error.hint = "Measure this order on a GPU, or compare them in the order that is recorded.";
    return std::move(error).leadTo({StepId::compareInTurn,
                                    {{StepArgument::kernel, toText(subject.b)},
                                     {StepArgument::other, toText(subject.a)},
                                     {StepArgument::problem, subject.problem},
                                     {StepArgument::source, "sample"}}});
}

Result<Comparison> Workbench::ab(const Address& a, const Address& b, const Params& problem, double keepAt, const Job& job, bool energy)
{
    AbPlan plan{problem, keepAt};
    plan.energy = energy;
    return judgePair(plan, a, b, job);
}

Result<Comparison> Workbench::runEditAb(const Catalog& before, const Address& variant, const Params& problem, double keepAt, const Job& job)
{
    AbPlan plan{problem, keepAt};
    plan.before = &before;
    return judgePair(plan, variant, variant, job);
}

Result<Comparison> Workbench::judgePair(const AbPlan& plan, const Address& a, const Address& b, const Job& job)
{
    KL_ASSIGN(const AbRequest first, makeRequest(plan, {a, b, {}}));
    const AbSubject subject{a, b, first.a.problem, plan.before != nullptr};
    Comparison comparison;
    const Result<AbAnswer> answer = measureBlocks(plan, subject, job, comparison);
    if (!answer)
        return nameRecordedOrder(answer.error(), plan, subject);
    if (plan.energy && !comparison.energy)
        comparison.energy.emplace().reason = noEnergyText(collector_.source());
    if (plan.before)
        comparison.tunables.push_back({"source", first.a.sourceHash.substr(0, 12), first.b.sourceHash.substr(0, 12), {}});
    // A replay judged against another noise is another verdict.
    const std::string key = fmt::format("{} {} {}", requestKey(Verb::compare, toJsonMessage(first)), comparison.blocks,
                                        comparison.noise.value ? fmt::format("{:.9g}", *comparison.noise.value) : "");
    comparison.id.text = idFor(collector_.source(), key, answer->recordedAt);
    keep(store_, comparison, job);
    return comparison;
}

Result<NoiseRecord> Workbench::calibrate(const Address& kernel, const Params& problem, int repeats, const Job& job)
{
    KL_ASSIGN(const WorkSpec work, catalog_.work(kernel, problem, toChip(collector_)));
    NoiseRecord record;
    record.kernel = toText(kernel);
    record.problem = work.problem;
    record.source = collector_.source();
    record.at = isoNow();
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    for (int i = 0; i < repeats; ++i) {
        if (job.stop.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "Stopped by the user.", .where = record.kernel};
        job.report(fmt::format("{}: repeat {} of {}", record.kernel, i + 1, repeats), elapsed(),
                   i > 0 ? std::optional(elapsed() * repeats / i) : std::nullopt);
        AbPlan plan{problem};
        plan.firstBlock = 2 * kBlocksPerLook * i;
        plan.check = i == 0; // the same code each time
        plan.judgedByNoise = false;
        Comparison comparison;
        KL_ASSIGN(const AbAnswer answer, measureBlocks(plan, {kernel, kernel, work.problem}, Job{{}, job.stop}, comparison));
        if (!comparison.ratio)
            return Error{.code = ErrorCode::notComparable,
                         .message = comparison.sentence,
                         .hint = comparison.next,
                         .where = record.kernel,
                         .detail = comparison.reason};
        if (record.deviceUuid.empty()) {
            record.deviceUuid = answer.device.uuid;
            record.deviceName = answer.device.name;
            record.driver = answer.device.driverVersion;
            record.at = answer.recordedAt.empty() ? record.at : answer.recordedAt;
        }
        record.ratios.push_back(comparison.ratio->value);
        record.equivalent += comparison.verdict == Verdict::equivalent ? 1 : 0;
        record.different += comparison.verdict == Verdict::faster || comparison.verdict == Verdict::slower ? 1 : 0;
    }
    record.noise = computeNoise(record.ratios);
    record.id = idFor(record.source, fmt::format("noise {} {} {}", record.kernel, record.problem, repeats), record.at);
    Unstored what;
    what.noise.push_back(record);
    static_cast<void>(keep(store_, what, job)); // the job reports it: the record has no place for a warning
    return record;
}

Result<Comparison> Workbench::compare(const RunId& a, const RunId& b, const std::string& waive) const
{
    KL_ASSIGN(const RunRecord first, store_.run(a));
    KL_ASSIGN(const RunRecord second, store_.run(b));
    const NoiseFloor noise = noiseFloor(store_, first.device, first.source, {toText(first.kernel), toText(second.kernel)});
    return compareRuns(first, second, noise, waive);
}

} // namespace kl::inline measure
