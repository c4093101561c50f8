// SPDX-License-Identifier: MIT
#include "ui/models/kernel_row.h"

#include "core/base/format.h"
#include "core/device/metric_value.h"
#include "core/diagnosis/estimate_text.h"
#include "core/diagnosis/roofline.h"
#include "sessions/program/program_profile.h"
#include "ui/widgets/text.h"

#include <QStringList>

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kl::ui {
namespace {

const QString kRangeSeparator = QStringLiteral(" › ");

QString joinRanges(const std::vector<std::string>& ranges)
{
    QStringList names;
    for (const std::string& range : ranges)
        names << q(range);
    return names.join(kRangeSeparator);
}

/// "4,096" of {4096, 1, 1}, "(64, 64)" of {64, 64, 1}.
QString describeExtent(const std::vector<int>& extent)
{
    qsizetype used = 3;
    while (used > 1 && extent[static_cast<std::size_t>(used) - 1] == 1)
        --used;
    QStringList parts;
    for (qsizetype i = 0; i < used; ++i)
        parts << (used == 1 ? q(formatCount(extent.front())) : QString::number(extent[static_cast<std::size_t>(i)]));
    return used == 1 ? parts.front() : u'(' + parts.join(QStringLiteral(", ")) + u')';
}

/// A size of a problem like "BLOCK=256x1x1,GRID=4096x1x1", as kernels of reports and programs have it; empty for another problem.
std::vector<int> readExtent(const Params& problem, const std::string& name)
{
    const auto found = problem.find(name);
    if (found == problem.end() || !std::holds_alternative<std::string>(found->second))
        return {};
    std::vector<int> extent;
    for (const QString& part : q(std::get<std::string>(found->second)).split(u'x'))
        extent.push_back(part.toInt());
    return extent.size() == 3 ? extent : std::vector<int>{};
}

void describeShape(const RunRecord& run, KernelRow& row)
{
    const std::vector<int> grid = readExtent(run.problem, "GRID");
    const std::vector<int> block = readExtent(run.problem, "BLOCK");
    if (!run.launches.empty())
        row.threads = static_cast<double>(run.launches.front().gridBlocks) * run.launches.front().blockThreads;
    if (!run.imported && !run.program) {
        row.shape = spaceProblem(toText(run.problem));
        return;
    }
    if (grid.empty() || block.empty()) {
        if (!run.launches.empty())
            row.shape = QStringLiteral("%1 × %2").arg(q(formatCount(static_cast<double>(run.launches.front().gridBlocks))),
                                                      q(formatCount(run.launches.front().blockThreads)));
        return;
    }
    row.shape = describeExtent(grid) + QStringLiteral(" × ") + describeExtent(block);
    row.threads = 1;
    for (const std::vector<int>* extent : {&grid, &block})
        for (const int size : *extent)
            row.threads *= size;
}

void describeOrigin(const RunRecord& run, KernelRow& row)
{
    if (run.imported) {
        row.origin = q(run.imported->fileHash);
        row.originName = q(run.imported->file);
    } else if (run.program) {
        QStringList words;
        for (const std::string& word : run.program->command)
            words << q(word);
        row.originName = words.join(u' ');
        row.origin = row.originName + u'\n' + q(run.startedAt);
    }
}

/// Its places in the rooflines, and the roof that the counted launch is closest to.
void describeRoof(const RunRecord& run, KernelRow& row)
{
    const Roofline roofline = computeRoofline(run);
    for (std::size_t level = 0; level < row.points.size(); ++level)
        if (const RooflinePoint* point = mainPoint(roofline, static_cast<MemoryLevel>(level)))
            row.points[level] = KernelPoint{point->intensity, point->flopsPerSecond};
    for (const auto& [id, reached] : roofline.reached) {
        const Roof* roof = findRoof(roofline, id);
        if (roof == nullptr || !(roof->value > 0))
            continue;
        const double percent = 100 * reached / roof->value;
        if (row.roofPercent && percent <= *row.roofPercent)
            continue;
        row.roofPercent = percent;
        row.roof = q(roofKind(id).title);
    }
}

void describeTimes(const RunRecord& run, KernelRow& row)
{
    if (run.timing && run.timing->gpu.n > 0)
        row.ns = run.timing->gpu.median;
    else if (run.metrics)
        row.ns = metricValue(*run.metrics, "gpu__time_duration.sum");
    row.totalNs = row.ns;
    if (run.program) {
        row.calls = run.program->launches;
        row.totalNs = run.program->totalNs;
        row.share = run.program->share;
    }
}

void describeFinding(const RunRecord& run, KernelRow& row)
{
    if (!run.diagnosis)
        return;
    const Finding& finding = run.diagnosis->finding;
    row.classId = q(finding.classId);
    row.priority = q(finding.priority);
    row.finding = exact(finding.title);
    row.speedup = computeEstimatedSpeedup(finding);
    if (finding.estimate && row.totalNs)
        row.savedNs = finding.estimate->runtimeReduction * *row.totalNs;
}

std::optional<double> addUp(const std::vector<const KernelRow*>& rows, std::optional<double> KernelRow::*figure)
{
    std::optional<double> sum;
    for (const KernelRow* row : rows)
        if (const std::optional<double>& one = row->*figure)
            sum = sum.value_or(0) + *one;
    return sum;
}

} // namespace

KernelRow describeKernel(const RunRecord& run)
{
    KernelRow row;
    row.id = run.id;
    row.name = row.shortName = q(toText(run.kernel));
    const std::string& foreign = run.imported ? run.imported->kernel : run.program ? run.program->kernel : std::string();
    if (!foreign.empty()) {
        row.name = q(foreign);
        row.shortName = q(shortKernelName(foreign));
    }
    row.range = joinRanges(run.imported ? run.imported->ranges : run.program ? run.program->ranges : std::vector<std::string>{});
    row.device = q(run.device.name);
    row.startedAt = run.startedAt;
    row.failed = !isUsable(run);
    describeShape(run, row);
    describeOrigin(run, row);
    describeTimes(run, row);
    describeFinding(run, row);
    describeRoof(run, row);
    return row;
}

KernelRow describeKernel(const RunSummary& run)
{
    KernelRow row;
    row.id = run.id;
    row.name = row.shortName = q(run.kernel);
    row.shape = spaceProblem(run.problem);
    row.ns = row.totalNs = run.gpuNs;
    row.classId = q(run.classId);
    row.priority = q(run.priority);
    row.device = q(run.device);
    row.startedAt = run.startedAt;
    row.failed = !isUsable(run);
    return row;
}

void addShares(std::vector<KernelRow>& rows)
{
    std::map<QString, double> totals;
    for (const KernelRow& row : rows)
        if (!row.origin.isEmpty() && row.totalNs)
            totals[row.origin] += *row.totalNs;
    for (KernelRow& row : rows)
        if (!row.origin.isEmpty() && row.totalNs && !row.share && totals[row.origin] > 0)
            row.share = *row.totalNs / totals[row.origin];
}

KernelRow sumKernels(const std::vector<const KernelRow*>& rows)
{
    const auto most = [](const KernelRow* row) { return std::pair(row->savedNs.value_or(-1), row->totalNs.value_or(-1)); };
    KernelRow sum = **std::ranges::max_element(rows, {}, most);
    sum.calls = 0;
    for (const KernelRow* row : rows)
        sum.calls += row->calls;
    for (const auto figure : {&KernelRow::totalNs, &KernelRow::share, &KernelRow::savedNs})
        sum.*figure = addUp(rows, figure);
    sum.ns = sum.totalNs && sum.calls > 0 ? std::optional(*sum.totalNs / static_cast<double>(sum.calls)) : std::nullopt;
    sum.speedup = sum.totalNs && sum.savedNs && *sum.savedNs < *sum.totalNs ? std::optional(*sum.totalNs / (*sum.totalNs - *sum.savedNs))
                                                                            : std::nullopt;
    return sum;
}

} // namespace kl::ui
