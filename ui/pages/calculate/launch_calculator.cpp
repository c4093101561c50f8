// SPDX-License-Identifier: MIT
#include "ui/pages/calculate/launch_calculator.h"

#include "core/base/format.h"
#include "core/device/launch_gain.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/xy_chart.h"
#include "ui/style/theme.h"
#include "ui/widgets/input_card.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/text.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include <cmath>

namespace kl::ui {

namespace {

constexpr double kLeastUs = 0.5;
constexpr double kMostUs = 500;
constexpr int kPoints = 61;

QString percent(double fraction)
{
    return q(formatPercent(100 * fraction));
}

} // namespace

LaunchCalculator::LaunchCalculator(QWidget* parent) : QWidget(parent)
{
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, kGapInside, 0, 0);
    columns->setSpacing(kGapBetween);
    columns->addWidget(makeInputs());
    columns->addWidget(makeAnswers(), 1);
    calculate();
}

QWidget* LaunchCalculator::makeInputs()
{
    auto* card = new InputCard(tr("One step"), this);
    kernel_ = card->addReal(QStringLiteral("kernelUs"), tr("Kernel"), 0.01, 1e6, 5, tr(" µs"));
    launch_ = card->addReal(QStringLiteral("launchUs"), tr("Launch"), 0.01, 1e6, 10, tr(" µs"));
    kernels_ = card->addWhole(QStringLiteral("kernels"), tr("Kernels to fuse"), 2, 1000, 2);
    card->setCaption(tr("Kernel: GPU time. Launch: host time minus GPU time. Every run lists both."));
    auto* words =
        makeLabel(tr("Serial: each launch waits for the previous kernel, so a step takes both times.\n\nQueued: launches are issued ahead, "
                     "so a step takes the longer of the two."),
                  TextRole::caption, card);
    words->setWordWrap(true);
    card->body()->addSpacing(kGapInside);
    card->body()->addWidget(words);
    card->body()->addStretch(1);
    fixColumn(card, 320);
    connect(card, &InputCard::changed, this, &LaunchCalculator::calculate);
    return card;
}

QWidget* LaunchCalculator::makeAnswers()
{
    auto* area = new QWidget(this);
    auto* rows = new QVBoxLayout(area);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kGapBetween);
    auto* figures = new Card({}, area);
    auto* line = new QHBoxLayout;
    line->setSpacing(kGapPage);
    work_ = new KeyFigure(tr("Optimizing the kernel"), figures);
    fusion_ = new KeyFigure(tr("Fusion"), figures);
    removed_ = new KeyFigure(tr("No launch overhead"), figures);
    queued_ = new KeyFigure(tr("Optimizing the kernel, queued"), figures);
    for (KeyFigure* figure : {work_, fusion_, removed_, queued_})
        line->addWidget(figure, 1);
    figures->body()->addLayout(line);
    chart_ = new XYChart;
    chart_->setHint({420, 140}); // it grows by stretch
    card_ = new ChartCard({}, chart_, area);
    rows->addWidget(figures);
    rows->addWidget(card_, 1);
    return area;
}

void LaunchCalculator::calculate()
{
    const LaunchCost cost{kernel_->value(), launch_->value(), kernels_->value()};
    const auto gain = launchGain(cost);
    if (!gain)
        return; // unreachable with the ranges of the fields
    work_->set(percent(gain->kernelWorkMost), tr("less time at best"));
    fusion_->set(q(formatRatio(gain->fusionMost)),
                 tr("faster at best; %1 if kernel time stays the same").arg(q(formatRatio(gain->fusionLeast))));
    removed_->set(q(formatRatio(gain->launchRemoved)), tr("faster at best; a CUDA graph comes close"));
    queued_->set(percent(gain->kernelWorkQueued), gain->kernelWorkQueued > 0 ? tr("less time at best") : tr("launches take longer"));
    showCurves(cost.kernelUs, cost.launchUs, cost.kernels);
    card_->setFinding(gain->fusionMost > 1 / (1 - gain->kernelWorkMost)
                          ? tr("Fusing %1 kernels can gain more than optimizing one").arg(cost.kernels)
                          : tr("Optimizing the kernel can gain more than fusing %1").arg(cost.kernels));
}

void LaunchCalculator::showCurves(double kernelUs, double launchUs, int kernels)
{
    XYSpec spec;
    spec.x.title = tr("kernel time, µs");
    spec.x.log = true;
    spec.y.title = tr("lowest possible time, % of now");
    spec.y.min = 0;
    spec.y.max = 100;
    XYSeries serial{tr("optimized kernel, serial"), Token::series1, true, false, Marker::none, {}, {}};
    XYSeries queued{tr("optimized kernel, queued"), Token::series3, true, true, Marker::none, {}, {}};
    XYSeries fused{tr("fused, as long as one kernel"), Token::series2, true, false, Marker::none, {}, {}};
    for (int i = 0; i < kPoints; ++i) {
        const double us = kLeastUs * std::pow(kMostUs / kLeastUs, static_cast<double>(i) / (kPoints - 1));
        const auto gain = launchGain({us, launchUs, kernels});
        if (!gain)
            continue;
        const QString at = q(formatTime(us * 1000));
        serial.points.push_back({us, 100 * (1 - gain->kernelWorkMost), {}, {}, tr("kernel %1").arg(at)});
        queued.points.push_back({us, 100 * (1 - gain->kernelWorkQueued), {}, {}, tr("kernel %1").arg(at)});
        fused.points.push_back({us, 100 / gain->fusionMost, {}, {}, tr("kernel %1").arg(at)});
    }
    XYSeries here{tr("this kernel"), Token::series2, false, false, Marker::diamond, {}, tr("outside the range")};
    if (const auto gain = launchGain({kernelUs, launchUs, kernels}))
        here.points.push_back({kernelUs, 100 * (1 - gain->kernelWorkMost), {}, {}, tr("this kernel")});
    here.token = Token::series5;
    spec.series = {std::move(serial), std::move(queued), std::move(fused), std::move(here)};
    chart_->setSpec(std::move(spec));
}

} // namespace kl::ui
