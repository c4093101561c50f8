// SPDX-License-Identifier: MIT
#include "sessions/search/confirm.h"

#include "core/base/try.h"
#include "core/stats/confirmation.h"
#include "core/stats/correctness_text.h"
#include "sessions/measure/requests.h"

#include <fmt/format.h>

namespace kl::inline search {

Result<Confirmation> confirm(Collector& collector, const Catalog& catalog, const Address& winner, const Params& problem, int samples,
                             double target, const Job& job)
{
    Confirmation confirmation;
    confirmation.target = target;
    KL_ASSIGN(RunRequest request, runRequest(catalog, winner, problem, false, toChip(collector)));
    if (request.work.baseline.kind.empty()) {
        confirmation.reason = fmt::format("{} has no baseline.", winner.family);
        return confirmation;
    }
    request.trial = true; // it is correct on the whole suite; every timed pass is checked all the same
    request.maxSamples = kConfirmBlock;
    request.minSeconds = 0;
    std::vector<AbBlock> blocks;
    for (int done = 0; done < samples; done += kConfirmBlock) {
        job.report(fmt::format("confirming against {}: {} of {} passes", request.work.baseline.name, done, samples));
        KL_ASSIGN(const RunAnswer answer, run(collector, request, Job{{}, job.stop, job.notice}));
        if (answer.status != ResultStatus::ok || isRefuted(answer.correctness.result) || !answer.timing)
            return Error{.code = ErrorCode::kernelFailed,
                         .message = fmt::format("{} failed while it was confirmed: {}", toText(winner),
                                                isRefuted(answer.correctness.result) ? describeRefuted(answer.correctness) : answer.reason),
                         .where = toText(winner)};
        if (!answer.baseline || !answer.baseline->gpu) {
            confirmation.reason =
                answer.baseline && !answer.baseline->unavailable.empty() ? answer.baseline->unavailable : "The baseline was not measured.";
            return confirmation;
        }
        confirmation.rival = answer.baseline->name;
        confirmation.version = answer.baseline->version;
        AbBlock block;
        block.a.assign(static_cast<std::size_t>(std::max(1, answer.baseline->gpu->n)), answer.baseline->gpu->median);
        block.b = answer.timing->samples;
        if (block.b.empty())
            block.b.assign(static_cast<std::size_t>(std::max(1, answer.timing->gpu.n)), answer.timing->gpu.median);
        blocks.push_back(std::move(block));
    }
    judgeTarget(blocks, confirmation);
    return confirmation;
}

} // namespace kl::inline search
