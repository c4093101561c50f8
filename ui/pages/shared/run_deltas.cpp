// SPDX-License-Identifier: MIT
#include "ui/pages/shared/run_deltas.h"

#include "core/diagnosis/quantities.h"
#include "core/diagnosis/run_facts.h"
#include "ui/import/opened_runs.h"
#include "ui/widgets/text.h"

#include <algorithm>

namespace kl::ui {

void addDeltas(std::vector<EvidenceRow>& rows, const Finding& finding, const std::vector<PinnedRun>& baselines)
{
    for (EvidenceRow& row : rows) {
        const Quantity* quantity = nullptr;
        for (const PathEntry& entry : finding.path)
            if (const Quantity* one = findQuantity(entry.metric); one && q(one->title) == row.name)
                quantity = one;
        for (const PinnedRun& baseline : baselines) {
            const auto before = quantity ? quantity->compute(RunFacts(*baseline.run)) : std::nullopt;
            row.deltas.push_back({before, deltaText(row.value, before, row.percent), baseline.token});
        }
    }
}

void addUnitDeltas(std::vector<EvidenceRow>& rows, const std::vector<PinnedRun>& baselines)
{
    for (const PinnedRun& baseline : baselines) {
        const std::vector<EvidenceRow> theirs = unitRows(*baseline.run); // the same units, or none
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EvidenceRow& row = rows[i];
            const std::optional<double> before = i < theirs.size() ? theirs[i].value : std::nullopt;
            row.deltas.push_back({before, deltaText(row.value, before, row.percent), baseline.token});
        }
    }
}

void addDeltas(StallBars& bars, const std::vector<const RunRecord*>& runs, const std::vector<PinnedRun>& baselines)
{
    if (bars.rows.empty() || bars.runs.front() != runs.front())
        return; // the run itself has none
    StackedRow& row = bars.rows.front();
    row.deltas.resize(row.parts.size());
    for (const PinnedRun& baseline : baselines) {
        const auto found = std::ranges::find(bars.runs, baseline.run);
        for (std::size_t i = 0; i < row.parts.size(); ++i) {
            const std::optional<double> before =
                found == bars.runs.end() ? std::nullopt
                                         : std::optional(bars.rows[static_cast<std::size_t>(found - bars.runs.begin())].parts[i]);
            row.deltas[i].push_back({before, deltaText(row.parts[i], before, true), baseline.token});
        }
    }
}

void addDeltas(XYSpec& roofline, const RunRecord& run, const std::vector<PinnedRun>& baselines, MemoryLevel level)
{
    const Roofline mine = computeRoofline(run);
    const RooflinePoint* point = mainPoint(mine, level);
    for (const PinnedRun& baseline : baselines) {
        for (XYSeries& series : roofline.series)
            for (XYPoint& drawn : series.points)
                if (drawn.id == q(baseline.run->id.text))
                    series.token = baseline.token;
        const Roofline theirs = computeRoofline(*baseline.run);
        const RooflinePoint* before = mainPoint(theirs, level);
        if (!point)
            continue;
        const QString change = deltaText(point->flopsPerSecond, before ? std::optional(before->flopsPerSecond) : std::nullopt, false);
        roofline.notes.push_back({QPointF(point->intensity, point->flopsPerSecond * 1e-12), change, baseline.token, false});
        for (XYSeries& series : roofline.series)
            for (XYPoint& drawn : series.points)
                if (drawn.id == q(run.id.text))
                    drawn.tip += u'\n' + baselineName(*baseline.run, run) + QStringLiteral(": Δ ") + change;
    }
}

Deltas figureDeltas(const MemoryFigure& figure, const std::vector<std::pair<const MemoryFigure*, Token>>& before)
{
    Deltas deltas;
    for (const auto& [one, token] : before) {
        const std::optional<double> value = one ? one->value : std::nullopt;
        deltas.push_back({value, deltaText(figure.value, value, figure.unit == "%"), token});
    }
    return deltas;
}

QString baselineName(const RunRecord& baseline, const RunRecord& run)
{
    QString name = q(displayKernel(baseline));
    if (baseline.problem != run.problem)
        name += QStringLiteral(", ") + q(toText(baseline.problem));
    return name;
}

} // namespace kl::ui
