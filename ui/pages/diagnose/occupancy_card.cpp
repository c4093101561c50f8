// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/occupancy_card.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr std::int64_t kKib = 1024;

QString amount(OccupancyInput input, std::int64_t value)
{
    return input == OccupancyInput::sharedMemory ? q(formatBytes(static_cast<double>(value))) : QString::number(value);
}

QString occupancyWords(const Occupancy& occupancy)
{
    if (occupancy.blocksPerSm == 0)
        return OccupancyCard::tr("does not fit on an SM: %1").arg(q(occupancy.limiter));
    return OccupancyCard::tr("%1, %2 blocks per SM, limited by %3")
        .arg(q(formatPercent(occupancy.percent)))
        .arg(occupancy.blocksPerSm)
        .arg(q(occupancy.limiter));
}

} // namespace

OccupancyCard::OccupancyCard(QWidget* parent) : Card(tr("Occupancy what-if"), parent)
{
    now_ = makeLabel({}, TextRole::caption, this);
    now_->setWordWrap(true);
    body()->addWidget(now_);
    sliders_ = new QGridLayout;
    sliders_->setHorizontalSpacing(kGapInside);
    sliders_->setVerticalSpacing(kGapTight);
    sliders_->setColumnStretch(1, 1);
    body()->addLayout(sliders_);
    threads_ = addSlider(tr("Threads"), threadsValue_);
    registers_ = addSlider(tr("Registers"), registersValue_);
    smem_ = addSlider(tr("Shared"), smemValue_);
    threads_->setObjectName(QStringLiteral("whatIfThreads"));
    registers_->setObjectName(QStringLiteral("whatIfRegisters"));
    smem_->setObjectName(QStringLiteral("whatIfShared"));
    threads_->setRange(1, kMaxBlockThreads / kWarpSize);
    registers_->setRange(1, kMaxThreadRegisters);
    result_ = makeLabel({}, TextRole::body, this);
    result_->setObjectName(QStringLiteral("whatIfResult"));
    result_->setWordWrap(true);
    body()->addWidget(result_);
    levers_ = new QVBoxLayout;
    levers_->setSpacing(2);
    body()->addLayout(levers_);
}

QSlider* OccupancyCard::addSlider(const QString& name, QLabel*& value)
{
    const int row = sliders_->rowCount();
    sliders_->addWidget(makeLabel(name, TextRole::caption, this), row, 0);
    auto* slider = new QSlider(Qt::Horizontal, this);
    slider->setAccessibleName(name);
    connect(slider, &QSlider::valueChanged, this, &OccupancyCard::showResult);
    sliders_->addWidget(slider, row, 1);
    value = makeLabel({}, TextRole::caption, this);
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    value->setMinimumWidth(58);
    sliders_->addWidget(value, row, 2);
    return slider;
}

void OccupancyCard::setRun(const RunRecord& run)
{
    whatIf_ = occupancyWhatIf(run);
    setVisible(whatIf_.has_value());
    if (!whatIf_)
        return;
    QString now = tr("Now: %1").arg(occupancyWords(whatIf_->now));
    if (whatIf_->achieved)
        now += tr("; achieved %1").arg(q(formatPercent(*whatIf_->achieved)));
    if (whatIf_->halvedTakes)
        now += tr(". With half the blocks per SM, it took %1 the time").arg(q(formatRatio(*whatIf_->halvedTakes)));
    now_->setText(now);
    smem_->setRange(0, static_cast<int>(whatIf_->limits.smemOptin / kKib));
    setNeeds(whatIf_->needs);
    showLevers();
}

void OccupancyCard::setNeeds(const BlockNeeds& needs)
{
    {
        const QSignalBlocker a(threads_), b(registers_), c(smem_);
        threads_->setValue((needs.threads + kWarpSize - 1) / kWarpSize);
        registers_->setValue(needs.registersPerThread);
        smem_->setValue(static_cast<int>((needs.smem + kKib - 1) / kKib));
    }
    showResult();
}

/// A slider at the run's position means the run's exact value, which may be between two steps.
BlockNeeds OccupancyCard::needs() const
{
    BlockNeeds needs{threads_->value() * kWarpSize, registers_->value(), smem_->value() * kKib};
    const BlockNeeds& own = whatIf_->needs;
    if (threads_->value() == (own.threads + kWarpSize - 1) / kWarpSize)
        needs.threads = own.threads;
    if (smem_->value() == (own.smem + kKib - 1) / kKib)
        needs.smem = own.smem;
    return needs;
}

void OccupancyCard::showResult()
{
    if (!whatIf_)
        return;
    const BlockNeeds wanted = needs();
    threadsValue_->setText(QString::number(wanted.threads));
    registersValue_->setText(QString::number(wanted.registersPerThread));
    smemValue_->setText(q(formatBytes(static_cast<double>(wanted.smem))));
    const Occupancy gives = computeOccupancy(whatIf_->limits, wanted);
    const double change = gives.percent - whatIf_->now.percent;
    result_->setText((change > 0 ? QStringLiteral("▲ ") : change < 0 ? QStringLiteral("▼ ") : QString()) + occupancyWords(gives));
    setTextToken(result_, change > 0 ? Token::better : change < 0 ? Token::worse : Token::text);
}

void OccupancyCard::showLevers()
{
    clearLayout(levers_);
    if (whatIf_->levers.empty())
        levers_->addWidget(makeLabel(whatIf_->now.percent >= 100 ? tr("Occupancy is already 100 %.") : tr("No single change raises it."),
                                     TextRole::caption, this));
    for (const OccupancyLever& lever : whatIf_->levers) {
        QPushButton* link = makeLinkButton(tr("%1 %2 → %3: %4")
                                               .arg(q(toWord(lever.input)), amount(lever.input, lever.from), amount(lever.input, lever.to),
                                                    q(formatPercent(lever.gives.percent))),
                                           this);
        link->setToolTip(tr("Set the sliders to this; then limited by %1").arg(q(lever.gives.limiter)));
        connect(link, &QPushButton::clicked, this, [this, lever] {
            BlockNeeds wanted = whatIf_->needs;
            if (lever.input == OccupancyInput::threads)
                wanted.threads = static_cast<int>(lever.to);
            else if (lever.input == OccupancyInput::registers)
                wanted.registersPerThread = static_cast<int>(lever.to);
            else
                wanted.smem = lever.to;
            setNeeds(wanted);
        });
        levers_->addWidget(link, 0, Qt::AlignLeft);
    }
}

} // namespace kl::ui
