// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/kernels_roofline.h"

#include "core/base/format.h"
#include "ui/charts/chart_card.h"
#include "ui/pages/shared/roofline_spec.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QVBoxLayout>

namespace kl::ui {

KernelsRoofline::KernelsRoofline(QWidget* parent) : QWidget(parent), chart_(new XYChart)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapInside, kGapPage, kGapPage);
    chart_->setObjectName(QStringLiteral("kernelsRoofline"));
    card_ = new ChartCard(tr("Roofline of all kernels"), chart_, this);
    level_ = new QComboBox(card_);
    level_->addItems({QStringLiteral("DRAM"), QStringLiteral("L2"), QStringLiteral("L1")});
    level_->setAccessibleName(tr("Memory level of the roofline of all kernels"));
    card_->tools()->insertWidget(0, level_);
    column->addWidget(card_, 1);
    connect(level_, &QComboBox::currentIndexChanged, this, &KernelsRoofline::show);
    connect(chart_, &ChartBody::opened, this, &KernelsRoofline::opened);
}

void KernelsRoofline::setKernels(std::vector<KernelRow> kernels, const RunRecord& device)
{
    kernels_ = std::move(kernels);
    device_ = device;
    show();
}

void KernelsRoofline::show()
{
    XYSpec spec = kernelsRooflineSpec(kernels_, device_, static_cast<MemoryLevel>(level_->currentIndex()));
    const std::size_t placed = spec.series.empty() ? 0 : spec.series.back().points.size();
    card_->setFinding(placed > 0 ? tr("%1 of %2 kernels in the roofline; the area is their time").arg(placed).arg(kernels_.size())
                                 : tr("Roofline of all kernels"));
    card_->setCaption(tr("Click a kernel for its diagnosis."));
    chart_->setSpec(std::move(spec));
}

} // namespace kl::ui
