// SPDX-License-Identifier: MIT
#include "sessions/engine/workbench.h"

#include "core/base/format.h"
#include "core/stats/ab.h"
#include "profiler/protocol/message_codec.h"
#include "sessions/engine/compare.h"
#include "sessions/engine/requests.h"

#include <cstdlib>

namespace kl {
namespace {

/// A replayed answer gets an id of its request and recording time: replaying twice stores one row.
std::string idFor(Source source, const std::string& key, const std::string& recordedAt)
{
    return source == Source::live ? newUuid() : uuidOfName(key + ' ' + recordedAt);
}

RunRecord recordOf(RunAnswer answer, const RunRequest& request, const Address& address, const Params& problem, Source source,
                   const std::string& key)
{
    RunRecord run;
    run.id.text = idFor(source, key, answer.recordedAt);
    run.kernel = address;
    run.problem = problem;
    run.sourceHash = answer.sourceHash.empty() ? request.work.sourceHash : answer.sourceHash;
    run.device = std::move(answer.device);
    run.source = source;
    run.startedAt = source == Source::live || answer.recordedAt.empty() ? isoNow() : answer.recordedAt;
    run.status = answer.status;
    run.reason = std::move(answer.reason);
    run.correctness = std::move(answer.correctness);
    run.timing = std::move(answer.timing);
    run.memoryBytes = answer.memoryBytes;
    run.baseline = std::move(answer.baseline);
    if (run.timing && run.timing->gpu.median > 0 && run.baseline && run.baseline->gpu)
        run.speedup = run.baseline->gpu->median / run.timing->gpu.median;
    run.launches = std::move(answer.launches);
    run.flops = request.work.flops;
    run.idealBytes = request.work.idealBytes;
    run.metrics = std::move(answer.metrics);
    run.sourceProfile = std::move(answer.sourceProfile);
    run.warnings = std::move(answer.warnings);
    return run;
}

/// The calibrated A/A noise of a device as a fraction: the user's setting, else none known.
double noiseOf(const Store& store, const std::string& device)
{
    std::optional<std::string> text = store.setting("accepted-noise:" + device);
    if (!text)
        text = store.setting("accepted-noise");
    const double value = text ? std::strtod(text->c_str(), nullptr) : 0;
    return value > 0 ? value : 0;
}

} // namespace

Workbench::Workbench(const Catalogue& catalogue, const DiagnosisTree& tree, Collector& collector, Store& store)
    : catalogue_(catalogue), tree_(tree), collector_(collector), store_(store)
{
}

Result<EnvReport> Workbench::environment(const Job& job)
{
    const Result<EnvRequest> request = envRequest(catalogue_);
    if (!request)
        return request.error();
    return checkEnvironment(collector_, *request, job);
}

Result<RunRecord> Workbench::run(const Address& address, const Params& problem, bool suite, const Job& job)
{
    const Result<RunRequest> request = runRequest(catalogue_, address, problem, suite);
    if (!request)
        return request.error();
    Result<RunAnswer> answer = kl::run(collector_, *request, job);
    if (!answer)
        return answer.error();
    const Result<Params> full = parseParams(request->work.problem);
    RunRecord record = recordOf(std::move(*answer), *request, address, full ? *full : problem, collector_.source(),
                                requestKey("run", toJsonMessage(*request)));
    if (const Status saved = store_.saveRun(record); !saved)
        return saved.error();
    return record;
}

Result<RunRecord> Workbench::profile(const Address& address, const Params& problem, int tier, const Job& job)
{
    const Result<ProfileRequest> request = profileRequest(catalogue_, address, problem, tier);
    if (!request)
        return request.error();
    Result<RunAnswer> answer = kl::profile(collector_, *request, job);
    if (!answer)
        return answer.error();
    const Result<Params> full = parseParams(request->run.work.problem);
    RunRecord record = recordOf(std::move(*answer), request->run, address, full ? *full : problem, collector_.source(),
                                requestKey("profile", toJsonMessage(*request)));
    record.diagnosis = tree_.diagnose(record, ladderOf(catalogue_, address));
    if (const Status saved = store_.saveRun(record); !saved)
        return saved.error();
    return record;
}

Result<Comparison> Workbench::ab(const Address& a, const Address& b, const Params& problem, double keepAt, const Job& job)
{
    const Result<AbRequest> first = abRequest(catalogue_, a, b, problem, 0);
    if (!first)
        return first.error();
    Result<AbAnswer> answer = interleave(collector_, *first, job);
    if (!answer)
        return answer.error();
    const std::string key = requestKey("ab", toJsonMessage(*first));
    const double noise = noiseOf(store_, answer->device.name);
    Comparison comparison = judgeBlocks(*answer, toText(a), toText(b), noise, keepAt);

    if (wantsSecondLook(comparison, noise, keepAt)) {
        const Result<AbRequest> second = abRequest(catalogue_, a, b, problem, kBlocksPerLook);
        if (!second)
            return second.error();
        Result<AbAnswer> more = interleave(collector_, *second, job);
        if (more) {
            answer->blocks.insert(answer->blocks.end(), more->blocks.begin(), more->blocks.end());
            if (more->status != ResultStatus::ok) {
                answer->status = more->status;
                answer->reason = more->reason;
            }
            comparison = judgeBlocks(*answer, toText(a), toText(b), noise, keepAt);
        } else if (more.error().code != ErrorCode::notRecorded) {
            return more.error();
        }
    }
    comparison.id.text = idFor(collector_.source(), key + ' ' + std::to_string(comparison.blocks), answer->recordedAt);
    comparison.tunables = tunableDifferences(a, b);
    if (const Status saved = store_.saveComparison(comparison); !saved)
        return saved.error();
    return comparison;
}

Result<Comparison> Workbench::compare(const RunId& a, const RunId& b) const
{
    const Result<RunRecord> first = store_.run(a);
    if (!first)
        return first.error();
    const Result<RunRecord> second = store_.run(b);
    if (!second)
        return second.error();
    return compareRuns(*first, *second);
}

} // namespace kl
