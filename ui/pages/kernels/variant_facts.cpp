// SPDX-License-Identifier: MIT
#include "ui/pages/kernels/variant_facts.h"

#include "core/base/format.h"
#include "ui/pages/kernels/kernel_list.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QTreeWidget>

namespace kl::ui {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("KernelsPage", text);
}

/// Times of different problems cannot be compared: uses the first of the family's problems with a time for all its variants.
std::string findShownProblem(const KernelFamily& family, const std::vector<RunSummary>& runs)
{
    for (const Params& problem : family.problems)
        for (const RunSummary& run : runs)
            if (isUsable(run) && run.gpuNs && run.kernel.starts_with(family.id + "/") && run.problem == toText(problem))
                return run.problem;
    return {};
}

const RunSummary* newestTime(const std::vector<RunSummary>& runs, const std::string& kernel, const std::string& problem)
{
    for (const RunSummary& run : runs)
        if (run.kernel == kernel && run.problem == problem && isUsable(run) && run.gpuNs)
            return &run;
    return nullptr;
}

const RunSummary* newestProfile(const std::vector<RunSummary>& runs, const std::string& kernel, const std::string& problem)
{
    for (const RunSummary& run : runs)
        if (run.kernel == kernel && run.problem == problem && !run.classId.empty())
            return &run;
    return nullptr;
}

} // namespace

QString launchWords(const LaunchFacts& launch)
{
    QStringList parts;
    parts << tr("%1 registers").arg(launch.registers);
    parts << (launch.localBytes > 0 ? tr("%1 local memory per thread").arg(q(formatBytes(static_cast<double>(launch.localBytes))))
                                    : tr("no spills"));
    parts << tr("%1 shared memory per block").arg(q(formatBytes(static_cast<double>(launch.staticSmem + launch.dynamicSmem))));
    parts << tr("%1 × %2 threads").arg(q(formatCount(static_cast<double>(launch.gridBlocks))), q(formatCount(launch.blockThreads)));
    QString occupancy = tr("occupancy %1").arg(q(formatPercent(launch.theoreticalOccupancy)));
    if (!launch.occupancyLimiter.empty())
        occupancy += tr(", limited by %1").arg(q(launch.occupancyLimiter));
    parts << occupancy;
    return q(launch.entry) + QStringLiteral(": ") + parts.join(QStringLiteral(" · "));
}

void fitColumns(QTreeWidget& list)
{
    const QAbstractItemView& view = list; // which has the hint for others
    int width = 2 * list.frameWidth() + list.verticalScrollBar()->sizeHint().width();
    for (int column = 0; column < list.columnCount(); ++column)
        width += std::max(view.sizeHintForColumn(column), list.header()->sectionSizeHint(column));
    list.setMinimumWidth(width);
}

void fillVerdicts(QTreeWidget& list, const Catalog& catalog, const std::vector<RunSummary>& runs)
{
    QHeaderView& header = *list.header();
    std::vector<QHeaderView::ResizeMode> modes;
    for (int c = 0; c < header.count(); ++c) {
        modes.push_back(header.sectionResizeMode(c));
        header.setSectionResizeMode(c, QHeaderView::Interactive); // else each text measures the whole column
    }
    for (int f = 0; f < list.topLevelItemCount(); ++f) {
        QTreeWidgetItem* top = list.topLevelItem(f);
        QTreeWidgetItem* best = nullptr;
        double bestNs = 0;
        for (int v = 0; v < top->childCount(); ++v) {
            QTreeWidgetItem* item = top->child(v);
            const std::string kernel = utf8(item->data(0, Qt::UserRole).toString());
            const auto family = catalog.family(kernel.substr(0, kernel.find('/')));
            if (!family)
                continue;
            const std::string problem = findShownProblem(**family, runs);
            const RunSummary* run = newestTime(runs, kernel, problem);
            const RunSummary* profile = newestProfile(runs, kernel, problem);
            item->setText(1, run ? q(formatTime(run->gpuNs)) : QStringLiteral("–"));
            item->setText(2, profile ? q(profile->classId) : QStringLiteral("–"));
            item->setToolTip(1, run ? tr("%1, %2").arg(q(run->problem), formatMeasuredTime(run->source, run->startedAt))
                                    : tr("Not measured yet"));
            item->setToolTip(2, profile ? q(profile->priority + " " + profile->classId) : tr("Not profiled yet"));
            item->setData(1, kBestRole, false);
            if (run && (best == nullptr || *run->gpuNs < bestNs)) {
                best = item;
                bestNs = *run->gpuNs;
            }
        }
        if (best != nullptr && top->childCount() > 1) {
            best->setData(1, kBestRole, true);
            best->setText(1, QStringLiteral("▲ ") + best->text(1));
            best->setToolTip(1, tr("Fastest of its family on %1").arg(best->toolTip(1)));
        }
    }
    for (int c = 0; c < header.count(); ++c)
        header.setSectionResizeMode(c, modes[static_cast<std::size_t>(c)]);
    fitColumns(list);
}

} // namespace kl::ui
