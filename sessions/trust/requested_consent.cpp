// SPDX-License-Identifier: MIT
#include "sessions/trust/requested_consent.h"

#include "core/base/try.h"

#include <chrono>

namespace kl::inline trust {

Status RequestedConsent::allow(const FileCommand& command, const Job& job)
{
    std::unique_lock<std::timed_mutex> lock(asking_, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(50)))
        if (job.stop.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "Stopped by the user.", .where = command.file};
    KL_ASSIGN(const std::vector<TrustedCommand> known, store_.list());
    FileCommand requestedCommand = command;
    for (const TrustedCommand& row : known) {
        if (row.command.hash == command.hash)
            return {};
        if (row.command.file == command.file && requestedCommand.changedSince.empty()) // newest first
            requestedCommand.changedSince = row.at;
    }
    if (allowed_.contains(command.hash))
        return {};
    if (!asker_)
        return needsConsent(requestedCommand);
    KL_ASSIGN(const bool answer, asker_(requestedCommand, job));
    if (!answer)
        return needsConsent(requestedCommand);
    allowed_.insert(command.hash);
    if (const Status kept = store_.add(command); !kept && job.notice)
        job.notice("This is allowed only this time. " + kept.error().message);
    return {};
}

} // namespace kl::inline trust
