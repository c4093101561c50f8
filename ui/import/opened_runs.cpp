// SPDX-License-Identifier: MIT
#include "ui/import/opened_runs.h"

#include <algorithm>

namespace kl::ui {

RunSummary summarizeRun(const RunRecord& run)
{
    RunSummary summary;
    summary.id = run.id;
    summary.kernel = toText(run.kernel);
    summary.problem = toText(run.problem);
    summary.device = run.device.name;
    summary.source = run.source;
    summary.startedAt = run.startedAt;
    if (run.timing)
        summary.gpuNs = run.timing->gpu.median;
    if (run.diagnosis) {
        summary.classId = run.diagnosis->finding.classId;
        summary.priority = run.diagnosis->finding.priority;
    }
    return summary;
}

std::string displayKernel(const RunRecord& run)
{
    if (run.imported && !run.imported->kernel.empty())
        return run.imported->kernel;
    return run.program ? run.program->kernel : toText(run.kernel);
}

Result<RunRecord> findOpenedOrStored(const Store& store, const std::vector<RunRecord>& opened, const RunId& id)
{
    const auto held = std::ranges::find(opened, id, &RunRecord::id);
    return held == opened.end() ? store.run(id) : Result<RunRecord>(*held);
}

} // namespace kl::ui
