// SPDX-License-Identifier: MIT
#include "ui/pages/calculate/occupancy_calculator.h"

#include "core/base/format.h"
#include "core/device/device_table.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/limit_bars.h"
#include "ui/charts/xy_chart.h"
#include "ui/style/theme.h"
#include "ui/widgets/input_card.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {

namespace {

constexpr double kEnough = 50;        ///< percent; the method's occupancy_min
constexpr QSize kChartHint{320, 120}; ///< four fit at 1280 × 800; they grow by stretch

/// In the unit of the axis: shared memory in KiB, everything else unchanged.
double axisValue(OccupancyInput input, std::int64_t value)
{
    return input == OccupancyInput::sharedMemory ? static_cast<double>(value) / 1024 : static_cast<double>(value);
}

QString axisTitle(OccupancyInput input)
{
    switch (input) {
    case OccupancyInput::threads: return QObject::tr("threads per block");
    case OccupancyInput::registers: return QObject::tr("registers per thread");
    case OccupancyInput::sharedMemory: break;
    }
    return QObject::tr("shared memory per block, KiB");
}

std::int64_t selectInputValue(const BlockNeeds& needs, OccupancyInput input)
{
    switch (input) {
    case OccupancyInput::threads: return needs.threads;
    case OccupancyInput::registers: return needs.registersPerThread;
    case OccupancyInput::sharedMemory: break;
    }
    return needs.smem;
}

QString amount(OccupancyInput input, std::int64_t value)
{
    return input == OccupancyInput::sharedMemory ? q(formatWithUnit(static_cast<double>(value) / 1024, "KiB")) : QString::number(value);
}

/// The sweep as steps: a point where the occupancy changes and one just before it, so that the line has the curve's corners.
std::vector<XYPoint> makeSteps(const std::vector<OccupancyPoint>& sweep, OccupancyInput input)
{
    std::vector<XYPoint> points;
    for (std::size_t i = 0; i < sweep.size(); ++i) {
        const Occupancy& here = sweep[i].occupancy;
        const bool edge = i == 0 || i + 1 == sweep.size() || sweep[i - 1].occupancy.percent != here.percent ||
                          sweep[i + 1].occupancy.percent != here.percent;
        if (!edge)
            continue;
        XYPoint point;
        point.x = axisValue(input, sweep[i].at);
        point.y = here.percent;
        point.tip = QObject::tr("%1 %2: %3, %4 per SM, limited by %5")
                        .arg(q(toWord(input)), amount(input, sweep[i].at), q(formatPercent(here.percent)), blocksText(here.blocksPerSm),
                             q(here.limiter));
        points.push_back(point);
    }
    return points;
}

} // namespace

OccupancyCalculator::OccupancyCalculator(QWidget* parent) : QWidget(parent)
{
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, kGapInside, 0, 0);
    columns->setSpacing(kGapBetween);
    columns->addWidget(makeInputs());
    columns->addWidget(makeCharts(), 1);
    calculate();
}

QWidget* OccupancyCalculator::makeInputs()
{
    auto* card = new InputCard(tr("Launch"), this);
    threads_ = card->addWhole(QStringLiteral("threads"), tr("Threads per block"), 1, 1024, 256);
    registers_ = card->addWhole(QStringLiteral("registers"), tr("Registers per thread"), 0, 255, 64);
    smem_ = card->addWhole(QStringLiteral("smem"), tr("Shared memory per block"), 0, 1 << 20, 0, tr(" B"));
    gpu_ = card->addChoice(QStringLiteral("gpu"), tr("GPU"), gpuNames(), gpuIndex(QStringLiteral("H200")));
    card->setCaption(tr("Registers and shared memory are listed with every run"));
    figure_ = new KeyFigure(tr("Occupancy"), card);
    blocks_ = makeLabel({}, TextRole::caption, card);
    blocks_->setWordWrap(true);
    auto* heading = makeLabel(tr("How to raise it"), TextRole::card, card);
    levers_ = makeLabel({}, TextRole::body, card);
    levers_->setObjectName(QStringLiteral("levers"));
    levers_->setWordWrap(true);
    card->body()->addSpacing(kGapInside);
    card->body()->addWidget(figure_);
    card->body()->addWidget(blocks_);
    card->body()->addSpacing(kGapInside);
    card->body()->addWidget(heading);
    card->body()->addWidget(levers_);
    card->body()->addStretch(1);
    fixColumn(card, 320);
    connect(card, &InputCard::changed, this, &OccupancyCalculator::calculate);
    return card;
}

QWidget* OccupancyCalculator::makeCharts()
{
    auto* area = new QWidget(this);
    auto* grid = new QGridLayout(area);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(kGapBetween);
    int place = 0;
    for (const OccupancyInput input : {OccupancyInput::registers, OccupancyInput::sharedMemory, OccupancyInput::threads}) {
        auto* chart = new XYChart;
        chart->setObjectName(q(toWord(input)));
        chart->setHint(kChartHint);
        auto* card = new ChartCard({}, chart, area);
        curves_[static_cast<std::size_t>(place)] = {input, chart, card};
        grid->addWidget(card, place / 2, place % 2);
        ++place;
    }
    bars_ = new LimitBars;
    barsCard_ = new ChartCard({}, bars_, area);
    grid->addWidget(barsCard_, 1, 1);
    for (int i = 0; i < 2; ++i) {
        grid->setColumnStretch(i, 1);
        grid->setRowStretch(i, 1);
    }
    return area;
}

BlockNeeds OccupancyCalculator::needs() const
{
    return {threads_->value(), registers_->value(), smem_->value()};
}

void OccupancyCalculator::calculate()
{
    const GpuRow& gpu = deviceTable().gpus[static_cast<std::size_t>(std::max(0, gpu_->currentIndex()))];
    const SmLimits limits = smLimits(gpu.ccMajor, gpu.ccMinor).value_or(SmLimits{});
    const Occupancy now = computeOccupancy(limits, needs());
    const OccupancyTerms terms = occupancyTerms(limits, needs());
    figure_->set(q(formatPercent(now.percent)),
                 now.blocksPerSm == 0     ? tr("the block does not fit: %1").arg(q(now.limiter))
                 : now.limiter == "warps" ? tr("all warp slots used")
                                          : tr("limited by %1").arg(q(now.limiter)),
                 now.percent >= kEnough ? Token::text : Token::worse);
    blocks_->setText(tr("%1 per SM. Block limit: registers %2, shared memory %3, warps %4, block slots %5")
                         .arg(blocksText(now.blocksPerSm))
                         .arg(terms.byRegisters)
                         .arg(terms.bySharedMemory)
                         .arg(terms.byWarps)
                         .arg(terms.byBlocks));
    showLevers(limits, now);
    for (const Curve& curve : curves_)
        showCurve(curve, limits, now);
    showGpus();
}

void OccupancyCalculator::showLevers(const SmLimits& limits, const Occupancy& now)
{
    QStringList lines;
    for (const OccupancyLever& lever : occupancyLevers(limits, needs()))
        lines << tr("%1 %2 → %3: %4")
                     .arg(q(toWord(lever.input)), amount(lever.input, lever.from), amount(lever.input, lever.to),
                          q(formatPercent(lever.gives.percent)));
    if (lines.empty())
        lines << (now.limiter == "warps" ? tr("Occupancy is already 100 %.") : tr("No single change raises it."));
    levers_->setText(lines.join(u'\n'));
}

void OccupancyCalculator::showCurve(const Curve& curve, const SmLimits& limits, const Occupancy& now)
{
    const std::vector<OccupancyPoint> sweep = occupancySweep(limits, needs(), curve.input);
    XYSpec spec;
    spec.x.title = axisTitle(curve.input);
    spec.x.withZero = true;
    spec.x.max = axisValue(curve.input, sweep.back().at);
    spec.y.title = tr("occupancy, %");
    spec.y.min = 0;
    spec.y.max = 100;
    spec.references = {{kEnough, tr("recommended, 50 %"), Token::neutral}};
    spec.series.push_back({tr("occupancy"), Token::series1, true, false, Marker::none, makeSteps(sweep, curve.input), {}});
    XYSeries here{tr("this launch"), Token::series2, false, false, Marker::diamond, {}, tr("outside the range")};
    const std::int64_t at = selectInputValue(needs(), curve.input);
    if (at >= sweep.front().at || curve.input == OccupancyInput::threads)
        here.points.push_back({axisValue(curve.input, at), now.percent, {}, {}, tr("this launch: %1").arg(q(formatPercent(now.percent)))});
    spec.series.push_back(here);
    curve.chart->setSpec(std::move(spec));
    std::int64_t most = -1; // the largest value with the same occupancy
    for (const OccupancyPoint& point : sweep)
        if (now.blocksPerSm > 0 && point.occupancy.percent >= now.percent)
            most = std::max(most, point.at);
    const QString word = q(toWord(curve.input));
    const QString limit = word.left(1).toUpper() + word.mid(1);
    curve.card->setFinding(now.limiter == toWord(curve.input) ? tr("Limited by %1").arg(word)
                           : most > at                        ? tr("%1 can go up to %2").arg(limit, amount(curve.input, most))
                                                              : tr("Occupancy by %1").arg(word));
}

void OccupancyCalculator::showGpus()
{
    std::vector<LimitBar> bars;
    double best = 0;
    for (const GpuRow& gpu : deviceTable().gpus) {
        const auto limits = smLimits(gpu.ccMajor, gpu.ccMinor);
        if (!limits)
            continue;
        const Occupancy occupancy = computeOccupancy(*limits, needs());
        best = std::max(best, occupancy.percent);
        LimitBar bar;
        bar.name = q(gpu.name).remove(QStringLiteral("NVIDIA "));
        bar.value = occupancy.percent;
        bar.good = occupancy.percent >= kEnough;
        bar.words = tr("%1, %2").arg(q(formatPercent(occupancy.percent)), q(occupancy.limiter));
        bar.help = tr("%1 per SM").arg(blocksText(occupancy.blocksPerSm));
        bars.push_back(std::move(bar));
    }
    barsCard_->setFinding(tr("Up to %1 on the known GPUs").arg(q(formatPercent(best))));
    bars_->setBars(std::move(bars), tr("Occupancy, %"), {});
}

} // namespace kl::ui
