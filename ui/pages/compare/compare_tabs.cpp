// SPDX-License-Identifier: MIT
#include "ui/pages/compare/compare_tabs.h"

#include "ui/charts/chart_card.h"
#include "ui/charts/stacked_bar.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/compare/difference_model.h"
#include "ui/pages/compare/run_names.h"
#include "ui/pages/compare/sample_strip.h"
#include "ui/pages/compare/time_bars.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/pages/shared/roofline_spec.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kLeastSamples = 240; ///< smaller leaves no room for the axis labels
constexpr int kLeastTabs = 420;

std::vector<const RunRecord*> pointersTo(const std::vector<RunRecord>& runs)
{
    std::vector<const RunRecord*> pointers;
    for (const RunRecord& run : runs)
        pointers.push_back(&run);
    return pointers;
}

/// The runs that the roofline cannot show while it shows others.
QString leftOut(const std::vector<const RunRecord*>& runs)
{
    QStringList names;
    for (const RunRecord* run : runs)
        if (rooflineTitle(*run, MemoryLevel::dram).isEmpty())
            names << q(toText(run->kernel));
    if (names.isEmpty() || static_cast<std::size_t>(names.size()) == runs.size())
        return {};
    return CompareTabs::tr("Not shown because floating-point work or DRAM traffic is unknown: %1").arg(names.join(QStringLiteral(", ")));
}

/// The position under the roofs of the last run that the roofline shows.
QString rooflineFinding(const std::vector<const RunRecord*>& runs, const QStringList& names)
{
    for (auto i = static_cast<qsizetype>(runs.size()) - 1; i >= 0; --i) {
        QString title = rooflineTitle(*runs[static_cast<std::size_t>(i)], MemoryLevel::dram);
        if (title.isEmpty())
            continue;
        title[0] = title[0].toLower();
        return names[i] + u' ' + title;
    }
    return CompareTabs::tr("Roofline");
}

} // namespace

CompareTabs::CompareTabs(QWidget* parent) : QTabWidget(parent)
{
    addTab(makeTimes(), tr("Times and distributions"));
    addTab(makeMetrics(), tr("Metrics"));
    roofline_ = new XYChart;
    rooflineCard_ = new ChartCard(tr("Roofline"), roofline_, this);
    addTab(rooflineCard_, tr("Roofline"));
    stalls_ = new StackedBar;
    stallsCard_ = new ChartCard(tr("Stall reasons"), stalls_, this);
    addTab(stallsCard_, tr("Stalls"));
    environment_ = new DifferenceModel(this);
    environmentTable_ = new DataTable(QStringLiteral("environment-differences"), this);
    environmentTable_->setStretchColumn(DifferenceModel::NameColumn);
    environmentTable_->setWrapped(true);
    environmentTable_->setBreakable();
    environmentTable_->setSource(environment_);
    addTab(environmentTable_, tr("Tunables and environment"));
    setMinimumHeight(kLeastTabs);
}

QWidget* CompareTabs::makeTimes()
{
    auto* times = new QWidget(this);
    auto* column = new QVBoxLayout(times);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapInside);
    times_ = new TimeBars;
    timesCard_ = new ChartCard(tr("Time per run"), times_, times);
    samples_ = new XYChart;
    samples_->setMinimumHeight(kLeastSamples);
    column->addWidget(timesCard_);
    samplesCard_ = new ChartCard(tr("Samples"), samples_, times);
    column->addWidget(samplesCard_, 1);
    return times;
}

QWidget* CompareTabs::makeMetrics()
{
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, kGapTight, 0, 0);
    all_ = new QCheckBox(tr("Show equal values"), page);
    metrics_ = new DifferenceModel(this);
    auto* table = new DataTable(QStringLiteral("differences"), page);
    table->setWidestColumn(220);
    table->setStretchColumn(DifferenceModel::NameColumn);
    table->setWrapped(true);
    table->setBreakable();
    table->setSource(metrics_);
    column->addWidget(all_);
    column->addWidget(table, 1);
    connect(all_, &QCheckBox::toggled, this, &CompareTabs::showDifferences);
    return page;
}

void CompareTabs::show(const Comparison& comparison, const std::vector<RunRecord>& records)
{
    comparison_ = comparison;
    const std::vector<const RunRecord*> runs = pointersTo(records);
    const QStringList names = runNames(runs);
    a_ = names.value(0, q(comparison.a));
    b_ = names.value(1, q(comparison.b));
    showDifferences();
    times_->setRuns(runs);
    timesCard_->setFinding(times_->finding());
    samples_->setSpec(sampleStrips(runs));
    const QString samples = sampleFinding(runs);
    samplesCard_->setFinding(samples.isEmpty() ? tr("Samples") : samples);
    roofline_->setSpec(rooflineSpec(runs, MemoryLevel::dram, true));
    rooflineCard_->setFinding(rooflineFinding(runs, names));
    rooflineCard_->setCaption(leftOut(runs));
    const StallBars bars = stallBars(runs, names);
    const QString stalls = stallChange(bars);
    stallsCard_->setFinding(stalls.isEmpty() ? tr("Stall reasons") : stalls);
    stalls_->setRows(bars.parts, bars.rows, tr("% of a warp's latency"), stallsMissing(runs));
}

void CompareTabs::showDifferences()
{
    metrics_->setDifferences(a_, b_, comparison_.metrics, all_->isChecked());
    std::vector<Difference> rest = comparison_.tunables;
    rest.insert(rest.end(), comparison_.environment.begin(), comparison_.environment.end());
    environment_->setDifferences(a_, b_, rest, true);
}

} // namespace kl::ui
