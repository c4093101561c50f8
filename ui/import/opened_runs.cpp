// SPDX-License-Identifier: MIT
#include "ui/import/opened_runs.h"

#include "sessions/program/program_profile.h"

#include <QString>

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
    const std::string foreign = fullKernel(run);
    if (foreign.empty())
        return toText(run.kernel);
    constexpr qsizetype kLongest = 60; // template arguments of a library's kernel can take thousands
    const QString name = QString::fromStdString(shortKernelName(foreign));
    if (name.size() <= kLongest)
        return name.toStdString();
    return (name.left(kLongest * 2 / 3) + QChar(0x2026) + name.right(kLongest / 3 - 1)).toStdString();
}

std::string fullKernel(const RunRecord& run)
{
    if (run.imported && !run.imported->kernel.empty())
        return run.imported->kernel;
    return run.program ? run.program->kernel : std::string();
}

Result<RunRecord> findOpenedOrStored(const Store& store, const std::vector<RunRecord>& opened, const RunId& id)
{
    const auto held = std::ranges::find(opened, id, &RunRecord::id);
    return held == opened.end() ? store.run(id) : Result<RunRecord>(*held);
}

} // namespace kl::ui
