// SPDX-License-Identifier: MIT
#include "sessions/trust/asked_consent.h"

#include <chrono>

namespace kl {

Status AskedConsent::allow(const FileCommand& command, const Job& job)
{
    std::unique_lock<std::timed_mutex> lock(asking_, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(50)))
        if (job.stop.stop_requested())
            return Error{ErrorCode::interrupted, "Stopped by you.", {}, command.file, {}};
    const Result<bool> known = store_.holds(command.hash);
    if (!known)
        return known.error();
    if (*known || allowed_.contains(command.hash))
        return {};
    if (!asker_)
        return needsConsent(command);
    const Result<bool> answer = asker_(command, job);
    if (!answer)
        return answer.error();
    if (!*answer)
        return needsConsent(command);
    allowed_.insert(command.hash);
    if (const Status kept = store_.add(command); !kept && job.notice)
        job.notice("This is allowed for now alone. " + kept.error().message);
    return {};
}

} // namespace kl
