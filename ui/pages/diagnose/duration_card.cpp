// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/duration_card.h"

#include "core/base/format.h"
#include "core/device/pm_roles.h"
#include "core/model/run.h"
#include "ui/charts/xy_chart.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <algorithm>

namespace kl::ui {
namespace {

constexpr double kMicrosecond = 1e-3; ///< ns to µs

/// A step per sample: its value holds for all of it.
XYSeries makeSeries(const PmCurve& curve, Token token)
{
    XYSeries series{q(findPmRoleInfo(curve.role).label), token, true, false, Marker::none, {}, {}};
    double begin = 0;
    for (std::size_t i = 0; i < std::min(curve.pass->endNs.size(), curve.series->values.size()); ++i) {
        const double middle = (begin + curve.pass->endNs[i]) / 2;
        series.points.push_back({middle * kMicrosecond, curve.series->values[i], {}, {}, {}, {}, {}});
        begin = curve.pass->endNs[i];
    }
    return series;
}

} // namespace

XYSpec durationChart(const PmSampling& sampling)
{
    constexpr Token kTokens[] = {Token::series1, Token::series2, Token::series3, Token::series4,
                                 Token::series5, Token::series6, Token::series7, Token::series8};
    XYSpec spec;
    spec.x = {DurationCard::tr("time since the launch began, µs"), false, true, 0.0, pmDuration(sampling) * kMicrosecond, {}, 6};
    spec.y = {DurationCard::tr("% of peak"), false, true, 0.0, {}, {}, 5};
    for (const PmCurve& curve : pmCurves(sampling))
        spec.series.push_back(makeSeries(curve, kTokens[static_cast<std::size_t>(curve.role)]));
    return spec;
}

DurationCard::DurationCard(QWidget* parent) : DurationCard(new XYChart, parent) {}

DurationCard::DurationCard(XYChart* chart, QWidget* parent) : ChartCard(tr("Over the launch's duration"), chart, parent), chart_(chart)
{
    setObjectName(QStringLiteral("durationCard"));
    chart_->setObjectName(QStringLiteral("durationChart"));
    chart_->setHint({420, 220});
}

void DurationCard::setRun(const RunRecord& run)
{
    const bool there = run.pmSampling && !run.pmSampling->passes.empty();
    missing_ = run.pmSampling && !there ? q(run.pmSampling->unavailable) : QString();
    setVisible(there);
    if (!there)
        return;
    const PmSampling& sampling = *run.pmSampling;
    const std::string finding = pmFinding(sampling);
    setFinding(finding.empty() ? tr("Over the launch's duration") : q(finding));
    QStringList means;
    for (const PmCurve& curve : pmCurves(sampling))
        means << tr("%1 %2").arg(q(findPmRoleInfo(curve.role).label), q(formatPercent(curve.mean)));
    setCaption(tr("PM sampling of one execution, every %1. Means: %2.").arg(q(formatTime(sampling.intervalNs)), means.join(tr(", "))));
    chart_->setSpec(durationChart(sampling));
}

} // namespace kl::ui
