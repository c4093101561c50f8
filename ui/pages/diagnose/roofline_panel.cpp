// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/roofline_panel.h"

#include "ui/charts/chart_card.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/pages/shared/roofline_spec.h"
#include "ui/pages/shared/run_deltas.h"

#include <QComboBox>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kLeastRoofline = 240; ///< pixels, for the labels of four roofs

} // namespace

RooflinePanel::RooflinePanel(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    roofline_ = new XYChart;
    roofline_->setObjectName(QStringLiteral("roofline"));
    roofline_->setMinimumHeight(kLeastRoofline);
    rooflineCard_ = new ChartCard(tr("Roofline"), roofline_, this);
    level_ = new QComboBox(rooflineCard_);
    level_->addItems({QStringLiteral("DRAM"), QStringLiteral("L2"), QStringLiteral("L1")});
    level_->setAccessibleName(tr("Memory level of the roofline"));
    connect(level_, &QComboBox::currentIndexChanged, this, [this] {
        if (!rooflineCard_->isHidden() && !runs_.empty())
            showRoofline();
    });
    rooflineCard_->tools()->insertWidget(0, level_);
    units_ = new EvidenceBars;
    units_->setObjectName(QStringLiteral("unitBars"));
    unitsCard_ = new ChartCard(tr("Unit utilization"), units_, this);
    column->addWidget(rooflineCard_);
    column->addWidget(unitsCard_);
}

RooflinePanel::~RooflinePanel() = default;

void RooflinePanel::setRuns(std::vector<const RunRecord*> runs, std::vector<PinnedRun> baselines)
{
    baselines_ = std::move(baselines);
    runs_ = std::move(runs);
    missing_.clear();
    const bool placed = !computeRoofline(*runs_.front()).points.empty();
    rooflineCard_->setVisible(placed);
    if (placed) {
        unitsCard_->hide();
        showRoofline();
    } else {
        showUnits();
    }
    setVisible(missing_.isEmpty());
}

QString RooflinePanel::title() const
{
    return !missing_.isEmpty() ? QString() : unitsCard_->isHidden() ? rooflineCard_->title() : unitsCard_->title();
}

void RooflinePanel::showRoofline()
{
    const RunRecord& run = *runs_.front();
    const auto level = static_cast<MemoryLevel>(level_->currentIndex());
    XYSpec spec = rooflineSpec(runs_, level, false);
    addDeltas(spec, run, baselines_, level);
    roofline_->setSpec(std::move(spec));
    const QString title = rooflineTitle(run, level);
    rooflineCard_->setFinding(title.isEmpty() ? tr("Roofline") : title);
    rooflineCard_->setCaption(describeAmplification(run));
}

void RooflinePanel::showUnits()
{
    const RunRecord& run = *runs_.front();
    std::vector<EvidenceRow> rows = unitRows(run);
    addUnitDeltas(rows, baselines_);
    const QString gaps = explainMissingUnits(run);
    const bool measured = std::ranges::any_of(rows, [](const EvidenceRow& row) { return row.value.has_value(); });
    unitsCard_->setVisible(measured);
    if (!measured)
        missing_ = (explainMissingRoofline(run) + u' ' + gaps).trimmed();
    unitsCard_->setFinding(unitTitle(rows));
    unitsCard_->setCaption((explainMissingRoofline(run) + u' ' + gaps).trimmed());
    units_->setRows(std::move(rows), gaps);
}

} // namespace kl::ui
