// SPDX-License-Identifier: MIT
#include "ui/pages/compare/compare_tabs.h"

#include "core/diagnosis/run_facts.h"
#include "core/model/kernel_code.h"
#include "sessions/measure/code_listing.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/stacked_bar.h"
#include "ui/charts/xy_chart.h"
#include "ui/models/code_diff_model.h"
#include "ui/pages/compare/difference_model.h"
#include "ui/pages/compare/run_names.h"
#include "ui/pages/compare/sample_strip.h"
#include "ui/pages/compare/time_bars.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/pages/shared/roofline_spec.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/tab_room.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kLeastSamples = 240; ///< smaller leaves no room for the axis labels
constexpr int kLeastTabs = 420;
constexpr int kDiffRowHeight = 22;
constexpr int kDiffMarkWidth = 70;
constexpr int kDiffTimeWidth = 100;

bool haveSameLanguage(const RunRecord& a, const RunRecord& b)
{
    const SharedCode codeA = findCode(a);
    const SharedCode codeB = findCode(b);
    return codeA && codeB && codeA->language == codeB->language && codeA->language != CodeLanguage::none;
}

int countRegisters(const RunRecord& run)
{
    const LaunchFacts* launch = RunFacts(run).launch();
    return launch ? launch->registers : 0;
}

std::vector<const RunRecord*> pointersTo(const std::vector<RunRecord>& runs)
{
    std::vector<const RunRecord*> pointers;
    for (const RunRecord& run : runs)
        pointers.push_back(&run);
    return pointers;
}

/// The runs that the roofline cannot show while it shows others.
QString describeLeftOut(const std::vector<const RunRecord*>& runs)
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
    rooflineCard_ = new ChartCard(tr("Roofline"), roofline_, tabRoom(*this));
    addTab(rooflineCard_, tr("Roofline"));
    stalls_ = new StackedBar;
    stallsCard_ = new ChartCard(tr("Stall reasons"), stalls_, tabRoom(*this));
    addTab(stallsCard_, tr("Stalls"));
    environment_ = new DifferenceModel(this);
    environmentTable_ = new DataTable(QStringLiteral("environment-differences"), tabRoom(*this));
    environmentTable_->setStretchColumn(DifferenceModel::NameColumn);
    environmentTable_->setAccessibleName(tr("Tunables and environment of A and B"));
    environmentTable_->setWrapped(true);
    environmentTable_->setBreakable();
    environmentTable_->setSource(environment_);
    addTab(environmentTable_, tr("Tunables and environment"));
    codePage_ = makeCode();
    addTab(codePage_, tr("SASS"));
    connect(this, &QTabWidget::currentChanged, this, &CompareTabs::showCode);
    setMinimumHeight(kLeastTabs);
}

QWidget* CompareTabs::makeTimes()
{
    auto* times = new QWidget(tabRoom(*this));
    auto* column = new QVBoxLayout(times);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapInside);
    times_ = new TimeBars;
    times_->setObjectName(QStringLiteral("timeBars"));
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
    auto* page = new QWidget(tabRoom(*this));
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, kGapTight, 0, 0);
    all_ = new QCheckBox(tr("Show equal values"), page);
    metrics_ = new DifferenceModel(this);
    auto* table = new DataTable(QStringLiteral("differences"), page);
    table->setAccessibleName(tr("Metrics of A and B"));
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

QWidget* CompareTabs::makeCode()
{
    auto* page = new QWidget(tabRoom(*this));
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, kGapTight, 0, 0);
    codeSummary_ = makeLabel({}, TextRole::body, page);
    codeSummary_->setObjectName(QStringLiteral("codeSummary"));
    codeSummary_->setWordWrap(true);
    code_ = new CodeDiffModel(this);
    codeTable_ = new QTableView(page);
    codeTable_->setObjectName(QStringLiteral("codeDiff"));
    codeTable_->setTabKeyNavigation(false); // Tab leaves it, the arrow keys move in it
    codeTable_->setAccessibleName(tr("Instructions of A and B"));
    codeTable_->setModel(code_);
    codeTable_->setShowGrid(false);
    codeTable_->setWordWrap(false);
    codeTable_->setFrameShape(QFrame::NoFrame);
    codeTable_->setSelectionBehavior(QAbstractItemView::SelectRows);
    codeTable_->verticalHeader()->hide();
    codeTable_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    codeTable_->verticalHeader()->setDefaultSectionSize(kDiffRowHeight);
    codeTable_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (const auto& [section, width] : {std::pair(CodeDiffModel::Mark, kDiffMarkWidth), std::pair(CodeDiffModel::Moved, kDiffTimeWidth)}) {
        codeTable_->horizontalHeader()->setSectionResizeMode(section, QHeaderView::Fixed);
        codeTable_->horizontalHeader()->resizeSection(section, width);
    }
    column->addWidget(codeSummary_);
    column->addWidget(codeTable_, 1);
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
    times_->setRuns(runs, comparison.blocks > 0);
    timesCard_->setFinding(times_->finding());
    samples_->setSpec(sampleStrips(runs));
    const QString samples = sampleFinding(runs);
    samplesCard_->setFinding(samples.isEmpty() ? tr("Samples") : samples);
    roofline_->setSpec(rooflineSpec(runs, MemoryLevel::dram, true));
    rooflineCard_->setFinding(rooflineFinding(runs, names));
    rooflineCard_->setCaption(describeLeftOut(runs));
    const StallBars bars = stallBars(runs, names);
    const QString stalls = stallChange(bars);
    stallsCard_->setFinding(stalls.isEmpty() ? tr("Stall reasons") : stalls);
    stalls_->setRows(bars.parts, bars.rows, tr("% of a warp's latency"), explainMissingStalls(runs));
    sides_.clear();
    if (records.size() >= 2 && haveSameLanguage(records[0], records[1]))
        sides_.assign(records.begin(), records.begin() + 2);
    setTabVisible(indexOf(codePage_), !sides_.empty());
    showCode();
}

void CompareTabs::showCode()
{
    if (currentWidget() != codePage_ || sides_.size() < 2)
        return;
    const RunRecord& a = sides_[0];
    const RunRecord& b = sides_[1];
    code_->setCode(findCode(a), RunFacts(a).launchNs(), findCode(b), RunFacts(b).launchNs());
    codeSummary_->setText(code_->summary(countRegisters(a), countRegisters(b)));
}

void CompareTabs::showDifferences()
{
    metrics_->setDifferences(a_, b_, comparison_.metrics, all_->isChecked());
    std::vector<Difference> rest = comparison_.tunables;
    rest.insert(rest.end(), comparison_.environment.begin(), comparison_.environment.end());
    environment_->setDifferences(a_, b_, rest, true);
}

} // namespace kl::ui
