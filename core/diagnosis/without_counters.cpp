// SPDX-License-Identifier: MIT
#include "core/diagnosis/without_counters.h"

#include <utility>

namespace kl::inline diagnosis {

RunRecord withoutCounters(RunRecord run)
{
    if (run.metrics) // a profile stays one
        run.metrics.emplace();
    run.sourceProfile.reset();
    return run;
}

} // namespace kl::inline diagnosis
