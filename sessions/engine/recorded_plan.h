// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/measure/workbench.h"
#include "sessions/session/session_template.h"

#include <map>
#include <optional>
#include <string>

namespace kl::inline engine {

/// What a recording lacks for a session's plan. Answers are kept, so that many plans of one family cost little. On a live device nothing
/// is lacking.
class RecordedPlan {
public:
    explicit RecordedPlan(Workbench& bench) : bench_(bench) {}

    /// One sentence, or empty. Errors of the catalog (a problem that the variant cannot take) are returned as the sentence.
    std::string explainMissing(const SessionTemplate& plan, const Address& start, const Params& problem);
    /// What a recording lacks to try one change of a session to its end, one sentence, or empty.
    std::string explainMissingChange(const SessionTemplate& plan, const Address& from, const Address& to, const Params& problem);
    /// A caveat of a debugging session: that the recorded kernel is correct on every size, so that there is nothing to find, or that no fix
    /// is recorded. Empty where the recording shows a fault, or for another kind or a live device.
    std::string faultCaveat(const SessionTemplate& plan, const Address& start, const Params& problem);

private:
    bool holdsRun(const Address& variant, const Params& problem, bool suite);
    bool holdsProfile(const Address& variant, const Params& problem);
    bool holdsComparison(const Address& a, const Address& b, const Params& problem);
    std::string fixCaveat(const Address& start, const Params& problem);
    /// The recorded run over the suite, on the smallest size; unset if there is none.
    std::optional<RunAnswer> findRecordedSuite(const Address& variant);
    /// A sentence that names what a recording can debug to its end; empty without any.
    std::string debuggableFaults();
    /// Whether a change of `start` can be tried to the end; true where the catalog has none, since the session then says so.
    bool holdsChange(const Address& start, const Params& problem);

    Workbench& bench_;
    std::map<std::string, bool> known_; ///< by the request in words
};

} // namespace kl::inline engine
