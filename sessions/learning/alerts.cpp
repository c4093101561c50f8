// SPDX-License-Identifier: MIT
#include "sessions/learning/alerts.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/learning/regressions.h"

#include <fmt/format.h>

namespace kl::inline learning {

Result<std::vector<Alert>> regressionAlerts(const Store& store)
{
    KL_ASSIGN(const std::vector<KernelRegression> rows, regressions(store));
    std::vector<Alert> alerts;
    for (const KernelRegression& row : rows) {
        if (row.state != RegressionState::open)
            continue;
        alerts.push_back({"regression",
                          fmt::format("{} at {} on {} became {} slower: {} since {}; before, it took {}.", row.kernel, row.problem,
                                      row.device, row.change < 1 ? formatPercent(row.change * 100) : formatRatio(1 + row.change),
                                      formatTime(row.afterNs), row.since.substr(0, 10), formatTime(row.levelNs)),
                          "run:" + row.newest,
                          NextStep{StepId::profile, {{StepArgument::kernel, row.kernel}, {StepArgument::problem, row.problem}}}});
    }
    return alerts;
}

} // namespace kl::inline learning
