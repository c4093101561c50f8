// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <string>

namespace kl::inline engine {

/// Writes a session's report into its database; the engine says when. StoredReports of sessions/report does it for the programs.
class SessionReporter {
public:
    virtual ~SessionReporter() = default;

    /// The session is being documented: stores its report in every form that is kept, and answers the artifact that people open. Errors:
    /// those of reading the session; the store's.
    virtual Result<std::string> document(const SessionId& id) = 0;

    /// The session has finished: stores what people open once more, so that it shows the session to its end. Errors: as document().
    virtual Status finish(const SessionId& id) = 0;
};

} // namespace kl::inline engine
