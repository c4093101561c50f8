// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/measure/workbench.h"

#include <optional>
#include <string>

namespace kl::inline measure {

/// The smallest size on which a kernel fails.
struct FailingCase {
    RunRecord run;                 ///< of the suite, where it fails
    std::optional<Params> problem; ///< unset when every size that was tried is correct
    std::string seen;              ///< in words, with the figures of the failure
};

/// Runs a variant on every size of its family's suite, smallest first, takes the first that fails, and shrinks it by bisection over each of
/// its sizes (shrinkProblem; checked, not timed). `seen` names the first incorrect element. Errors: what Workbench::run answers.
Result<FailingCase> findFailingCase(Workbench& bench, const Address& variant, const KernelFamily& family, const Job& job);

} // namespace kl::inline measure
