// SPDX-License-Identifier: MIT
#include "ui/pages/search/watch_charts.h"

#include "core/base/format.h"
#include "sessions/search/search_insight.h"
#include "ui/widgets/text.h"

#include <algorithm>

namespace kl::ui {
namespace {

constexpr double kToMicro = 1e-3;
constexpr std::size_t kPairs = 4;
constexpr double kLeastShare = 0.005; ///< below it, a row would read 0 %

QString addSpaces(const std::string& tunables)
{
    return q(tunables).replace(u',', QStringLiteral(", "));
}

} // namespace

XYSpec progressSpec(const SearchRecord& record, std::size_t trials, bool byTime)
{
    XYSpec spec;
    spec.x.title = byTime ? QObject::tr("measuring, s") : QObject::tr("points");
    spec.y.title = QObject::tr("GPU time, µs");
    spec.y.log = true;
    spec.emptyReason = QObject::tr("No measured point yet");
    XYSeries points, best;
    points.name = QObject::tr("point");
    points.line = false;
    best.name = QObject::tr("best so far");
    best.token = Token::series2;
    best.marker = Marker::none;
    const std::vector<std::optional<double>> least = bestSoFar(record);
    const std::size_t count = std::min(trials, record.trials.size());
    for (std::size_t i = 0; i < count; ++i) {
        const SearchTrial& trial = record.trials[i];
        const double x = byTime ? trial.at : static_cast<double>(i + 1);
        if (trial.ns && trial.why.empty())
            points.points.push_back(
                {x, *trial.ns * kToMicro, {}, {}, QObject::tr("%1: %2").arg(addSpaces(trial.tunables), q(formatTime(*trial.ns)))});
        const bool steps = i > 0 && least[i - 1] && least[i] && *least[i] < *least[i - 1];
        if (steps) // a step, not a slope
            best.points.push_back({x, *least[i - 1] * kToMicro, {}, {}, {}});
        if (least[i] && (steps || i == 0 || !least[i - 1] || i + 1 == count))
            best.points.push_back(
                {x, *least[i] * kToMicro, {}, {}, QObject::tr("best of %1 points: %2").arg(i + 1).arg(q(formatTime(*least[i])))});
    }
    spec.series = {std::move(points), std::move(best)};
    return spec;
}

std::vector<EvidenceRow> importanceRows(const SearchRecord& record, std::size_t trials)
{
    std::vector<EvidenceRow> rows;
    std::size_t pairs = 0;
    for (const Importance& importance : computeImportance(record, trials)) {
        const bool pair = importance.tunables.size() > 1;
        if (importance.share < kLeastShare)
            continue;
        if (pair && ++pairs > kPairs)
            break;
        EvidenceRow row;
        row.name = q(importance.tunables.front());
        if (pair)
            row.name += QStringLiteral(" × ") + q(importance.tunables.back());
        row.value = 100 * importance.share;
        row.valueText = q(formatPercent(100 * importance.share));
        row.percent = true;
        row.holds = !pair;
        row.help =
            pair ? QObject::tr("Share of the spread that both explain together, beyond what each explains alone")
                 : QObject::tr("Share of the spread of the measured times (variance of their logarithm) that this tunable explains alone");
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<QStringList> makeRejectedRows(const SearchRecord& record, std::size_t trials)
{
    std::vector<QStringList> rows;
    for (std::size_t i = 0; i < std::min(trials, record.trials.size()); ++i)
        if (const SearchTrial& trial = record.trials[i]; !trial.why.empty())
            rows.push_back({addSpaces(trial.tunables), QObject::tr("measuring"), q(trial.why)});
    for (const std::string& wrong : record.wrong)
        rows.push_back({addSpaces(wrong.substr(0, wrong.find(": "))), QObject::tr("suite"), q(wrong.substr(wrong.find(": ") + 2))});
    for (const SearchRejection& rejection : record.rejected)
        rows.push_back({addSpaces(rejection.tunables), q(rejection.gate), q(rejection.why)});
    return rows;
}

} // namespace kl::ui
