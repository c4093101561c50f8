// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose_page.h"

#include "core/base/format.h"
#include "core/sass/disassemble.h"
#include "sessions/learning/rediagnose.h"
#include "sessions/measure/code_listing.h"
#include "ui/context/baselines.h"
#include "ui/context/step_doors.h"
#include "ui/pages/diagnose/baseline_strip.h"
#include "ui/pages/diagnose/decision_card.h"
#include "ui/pages/diagnose/diagnosis_side.h"
#include "ui/pages/diagnose/duration_card.h"
#include "ui/pages/diagnose/evidence_card.h"
#include "ui/pages/diagnose/finding_header.h"
#include "ui/pages/diagnose/gaps_card.h"
#include "ui/pages/diagnose/glance_card.h"
#include "ui/pages/diagnose/hot_lines_panel.h"
#include "ui/pages/diagnose/kernels_roofline.h"
#include "ui/pages/diagnose/memory_card.h"
#include "ui/pages/diagnose/metric_browser.h"
#include "ui/pages/diagnose/roofline_panel.h"
#include "ui/pages/diagnose/stalls_card.h"
#include "ui/pages/diagnose/target_dialog.h"
#include "ui/pages/diagnose/time_history.h"
#include "ui/pages/diagnose/timeline_tab.h"
#include "ui/pages/diagnose/tree_line.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/pages/shared/run_actions.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/pages/shared/source_view.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/layout_pause.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/reflow.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/tab_room.h"
#include "ui/widgets/text.h"

#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSplitter>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <utility>

namespace kl::ui {
namespace {

constexpr int kSideWidth = 300;
constexpr int kTwoColumns = 1040; ///< pixels; in a narrower page the side column goes below the charts
constexpr int kKernelsHeight = 236;
constexpr int kKernelsFrame = 128; ///< of a table without rows: filter, header, margins
constexpr int kKernelRow = 24;
constexpr const char* kSplitterKey = "diagnose/kernels";
const QString kReport = QStringLiteral("report:"); ///< prefixes of an argument
const QString kSourceTab = QStringLiteral("source:");
const QString kMetric = QStringLiteral("metric:");

} // namespace

DiagnosePage::DiagnosePage(AppContext& context, QWidget* parent) : Page(context, tr("Diagnose"), parent)
{
    makeActions();
    splitter_ = new QSplitter(Qt::Vertical, this);
    splitter_->setChildrenCollapsible(false);
    splitter_->addWidget(makeKernels());
    tabs_ = new QTabWidget(splitter_);
    tabs_->setDocumentMode(true);
    tabs_->setObjectName(QStringLiteral("pageTabs")); // the tabs start at the page's margin
    QWidget* room = tabRoom(*tabs_);
    auto* diagnosis = new QWidget(room);
    auto* column = new QVBoxLayout;
    area_ = makeScrollingBody(diagnosis, column);
    auto* content = new QWidget(area_->widget());
    state_ = new StateStack(content, area_->widget());
    column->addSpacing(kGapInside); // below the tabs
    column->addWidget(state_);
    fillContent(content);
    metrics_ = new MetricBrowser(context, room);
    tabs_->addTab(diagnosis, tr("Diagnosis"));
    tabs_->addTab(metrics_, tr("All metrics"));
    sourceTab_ = new QWidget(room);
    auto* sourceColumn = new QVBoxLayout(sourceTab_);
    sourceColumn->setContentsMargins(kGapPage, kGapInside, kGapPage, kGapInside);
    source_ = new SourceView(sourceTab_);
    source_->setObjectName(QStringLiteral("sourcePage"));
    sourceColumn->addWidget(source_);
    tabs_->addTab(sourceTab_, tr("Source"));
    times_ = new TimeHistory(context, room);
    tabs_->addTab(times_, tr("Over time"));
    kernelsRoofline_ = new KernelsRoofline(room);
    tabs_->addTab(kernelsRoofline_, tr("All kernels"));
    timeline_ = new TimelineTab(room);
    tabs_->addTab(timeline_, tr("Timeline"));
    for (QWidget* later : std::initializer_list<QWidget*>{kernelsRoofline_, timeline_}) // of the run that is shown
        tabs_->setTabVisible(tabs_->indexOf(later), false);
    connect(times_, &TimeHistory::opened, this, &DiagnosePage::choose);
    connect(kernelsRoofline_, &KernelsRoofline::opened, this, &DiagnosePage::choose);
    connect(tabs_, &QTabWidget::currentChanged, this, &DiagnosePage::showTab);
    splitter_->addWidget(tabs_);
    splitter_->setStretchFactor(1, 1);
    if (!splitter_->restoreState(QSettings().value(QString::fromLatin1(kSplitterKey)).toByteArray()))
        splitter_->setSizes({kKernelsHeight, height()});
    connect(splitter_, &QSplitter::splitterMoved, this,
            [this] { QSettings().setValue(QString::fromLatin1(kSplitterKey), splitter_->saveState()); });
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(splitter_);
}

void DiagnosePage::makeActions()
{
    picker_ = new RunPicker(context(), true, this);
    picker_->setObjectName(QStringLiteral("profilePicker"));
    picker_->setAccessibleName(tr("Choose a profile"));
    picker_->setRun({}, tr("Choose a profile"));
    connect(picker_, &RunPicker::picked, this, &DiagnosePage::choose);
    addAction(picker_);
    QPushButton* open = makeButton(tr("Open report…"), false, this);
    open->setObjectName(QStringLiteral("openReport"));
    open->setToolTip(
        tr("Open Nsight Compute reports, their CSV pages, or bundles of runs (Ctrl+O). You can also drop files on the window."));
    connect(open, &QPushButton::clicked, this, [this] { context().openReports(); });
    addAction(open);
    compare_ = makeButton(tr("Add to Compare"), false, this);
    compare_->setObjectName(QStringLiteral("addToCompare"));
    connect(compare_, &QPushButton::clicked, this, [this] {
        if (data_.run)
            context().addToCompare({q(data_.run->id.text)});
    });
    addAction(compare_);
    pin_ = makeButton(tr("Pin as baseline"), false, this);
    pin_->setObjectName(QStringLiteral("pinBaseline"));
    pin_->setCheckable(true);
    pin_->setToolTip(
        tr("Show every figure of other runs with its change against this one. Up to %1 runs, each in its color.").arg(Baselines::kMost));
    connect(pin_, &QPushButton::clicked, this, [this](bool on) {
        if (data_.run)
            Baselines::instance().pin(context().location(), data_.run->id, on);
    });
    addAction(pin_);
    target_ = makeTargetButton(context(), this, [this] { return data_.run ? &*data_.run : nullptr; });
    addAction(target_);
    offerAction(target_, false);
    connect(&Baselines::instance(), &Baselines::changed, this, [this] {
        if (isVisible() && data_.run)
            choose(q(data_.run->id.text));
    });
}

QWidget* DiagnosePage::makeKernels()
{
    kernelsPane_ = new QWidget(splitter_);
    auto* column = new QVBoxLayout(kernelsPane_);
    column->setContentsMargins(kGapPage, 0, kGapPage, kGapInside);
    auto* card = new Card({}, kernelsPane_);
    kernels_ = new KernelTable(QStringLiteral("report-kernels"), card);
    kernels_->setObjectName(QStringLiteral("reportKernels"));
    kernels_->setMinimumHeight(130);
    kernels_->setMenuFiller(
        [this](QMenu& menu, const std::vector<RunId>& runs) { addRunActions(menu, this->context(), runs, this, [this] { refresh(); }); });
    connect(kernels_, &KernelTable::chosen, this, &DiagnosePage::choose);
    connect(kernels_, &KernelTable::opened, this, [this] { area_->setFocus(); });
    connect(kernels_, &KernelTable::compareRequested, this,
            [this](const QStringList& ids) { context().navigate(QStringLiteral("compare"), QStringLiteral("runs:") + ids.join(u',')); });
    card->body()->addWidget(kernels_);
    column->addWidget(card);
    kernelsPane_->hide();
    return kernelsPane_;
}

void DiagnosePage::fillContent(QWidget* content)
{
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    treeLine_ = new TreeLine(content);
    connect(treeLine_, &TreeLine::againRequested, this, &DiagnosePage::diagnoseAgain);
    column->addWidget(treeLine_);
    header_ = new FindingHeader(content);
    column->addWidget(header_);
    baselines_ = new BaselineStrip(content);
    baselines_->setObjectName(QStringLiteral("baselineStrip"));
    connect(baselines_, &BaselineStrip::opened, this, &DiagnosePage::choose);
    connect(baselines_, &BaselineStrip::unpinned, this,
            [this](const QString& id) { Baselines::instance().pin(context().location(), {utf8(id)}, false); });
    column->addWidget(baselines_);
    column->addWidget(makeGlance(content));
    columns_ = new QHBoxLayout;
    columns_->setSpacing(kGapBetween);
    columns_->addLayout(makeCharts(content), 1);
    side_ = new DiagnosisSide(content);
    connect(side_, &DiagnosisSide::kernelRequested, this,
            [this](const QString& address) { context().navigate(QStringLiteral("kernels"), address); });
    connect(side_, &DiagnosisSide::stepRequested, this, [this](const NextStep& step) {
        if (const std::optional<StepDoor> door = findDoor(step))
            context().navigate(door->page, door->argument);
    });
    side_->setFixedWidth(kSideWidth);
    columns_->addWidget(side_);
    new Reflow(columns_, this, kTwoColumns);
    column->addLayout(columns_, 1);
}

QWidget* DiagnosePage::makeGlance(QWidget* parent)
{
    glance_ = new GlanceCard(parent);
    glance_->add(QStringLiteral("roofline"), tr("Roofline"));
    glance_->add(QStringLiteral("memory"), tr("Memory"));
    glance_->add(QStringLiteral("stalls"), tr("Stalls"));
    glance_->add(QStringLiteral("source"), tr("Source"));
    connect(glance_, &GlanceCard::chosen, this, [this](const QString& place) {
        const std::map<QString, QWidget*> cards{{QStringLiteral("roofline"), roofline_},
                                                {QStringLiteral("memory"), memory_},
                                                {QStringLiteral("stalls"), stalls_},
                                                {QStringLiteral("source"), hotLines_}};
        area_->verticalScrollBar()->setValue(cards.at(place)->mapTo(area_->widget(), QPoint()).y());
    });
    return glance_;
}

QLayout* DiagnosePage::makeCharts(QWidget* parent)
{
    decision_ = new DecisionCard(parent);
    evidence_ = new EvidenceCard(parent);
    roofline_ = new RooflinePanel(parent);
    memory_ = new MemoryCard(parent);
    stalls_ = new StallsCard(parent);
    duration_ = new DurationCard(parent);
    hotLines_ = new HotLinesPanel(parent);
    connect(hotLines_, &HotLinesPanel::maximizeRequested, this, [this] { tabs_->setCurrentWidget(sourceTab_); });
    gaps_ = new GapsCard(parent);
    auto* charts = new QVBoxLayout;
    charts->setSpacing(kGapBetween);
    auto* pair = new QHBoxLayout;
    pair->setSpacing(kGapBetween);
    pair->addWidget(evidence_, 1);
    pair->addWidget(roofline_, 1);
    new Reflow(pair, this);
    charts->addWidget(decision_);
    charts->addLayout(pair);
    for (QWidget* chart : std::initializer_list<QWidget*>{memory_, stalls_, duration_, hotLines_, gaps_})
        charts->addWidget(chart);
    charts->addStretch(1);
    return charts;
}

void DiagnosePage::open(const QString& argument)
{
    if (argument == kSourceTab)
        return tabs_->setCurrentWidget(sourceTab_);
    if (argument.startsWith(kMetric)) {
        metric_ = argument.mid(kMetric.size());
        return tabs_->setCurrentWidget(metrics_);
    }
    wantsLargest_ = argument.startsWith(kReport);
    wanted_ = utf8(wantsLargest_ ? argument.mid(kReport.size()) : argument);
    area_->verticalScrollBar()->setValue(0);
}

void DiagnosePage::choose(const QString& id)
{
    open(id);
    refresh();
}

QLineEdit* DiagnosePage::filterField() const
{
    if (tabs_->currentWidget() == metrics_)
        return metrics_->filterField();
    if (tabs_->currentWidget() == sourceTab_)
        return source_->findField();
    return kernelsPane_->isVisible() ? kernels_->filterField() : nullptr;
}

void DiagnosePage::refresh()
{
    state_->showLoading();
    context().read(
        reading_,
        [wanted = wanted_, opened = context().openedRuns(), pinned = Baselines::instance().of(context().location())](
            Engine& engine, const Job&) { return readDiagnosis(engine, wanted, *opened, pinned); },
        [this](Result<DiagnosisData> loaded) {
            if (!loaded)
                state_->showError(loaded.error(), [this] { refresh(); });
            else
                show(std::move(*loaded));
        });
}

void DiagnosePage::show(DiagnosisData loaded)
{
    const LayoutPause pause(*this);
    data_ = std::move(loaded);
    showKernels();
    if (wantsLargest_ && !kernelsPane_->isHidden())
        kernels_->view()->setFocus(Qt::OtherFocusReason); // the arrow keys walk through the diagnoses
    if (const std::optional<RunId> largest = kernels_->first(); std::exchange(wantsLargest_, false) && largest && *largest != data_.run->id)
        return choose(q(largest->text));
    showPicker();
    sourceShown_ = false;
    showPin();
    showTimeline();
    showTab();
    readCode();
    if (data_.run && data_.run->timeline && !data_.run->diagnosis)
        tabs_->setCurrentWidget(timeline_);
    if (!data_.run)
        return showNoProfile();
    if (!data_.run->diagnosis)
        return showWithoutDiagnosis(q(toText(data_.run->kernel)));
    showRun();
    state_->showContent();
}

void DiagnosePage::showKernels()
{
    const bool several = data_.kernels.size() > 1;
    if (kernels_->rows().size() != data_.kernels.size() ||
        !std::ranges::equal(kernels_->rows(), data_.kernels, {}, &KernelRow::id, &KernelRow::id))
        kernels_->setRows(data_.kernels);
    if (several)
        kernels_->setCurrent(data_.run->id);
    kernelsPane_->setVisible(several);
    if (several && !QSettings().contains(QString::fromLatin1(kSplitterKey))) // a few kernels leave the room to the diagnosis
        splitter_->setSizes({std::min(kKernelsHeight, kKernelsFrame + kKernelRow * static_cast<int>(data_.kernels.size())), height()});
    tabs_->setTabVisible(tabs_->indexOf(kernelsRoofline_), several);
}

void DiagnosePage::showPicker()
{
    compare_->setEnabled(data_.run.has_value());
    compare_->setToolTip(data_.run ? QString() : tr("There is no profile to add yet."));
    picker_->setEnabled(!data_.profiles.empty());
    if (!data_.run)
        return picker_->setRun({}, data_.profiles.empty() ? tr("No profiles yet") : tr("Choose a profile"));
    const KernelRow row = describeKernel(*data_.run);
    QStringList parts{row.shortName};
    for (const QString& part : {row.shape, row.ns ? q(formatTime(*row.ns)) : tr("not timed"), row.classId})
        if (!part.isEmpty())
            parts << part;
    picker_->setRun(data_.run->id, parts.join(QStringLiteral(" · ")));
}

void DiagnosePage::showPin()
{
    const bool pinned = data_.run && Baselines::instance().isPinned(context().location(), data_.run->id);
    pin_->setEnabled(data_.run.has_value());
    pin_->setChecked(pinned);
    pin_->setText(pinned ? tr("Pinned as baseline") : tr("Pin as baseline"));
    offerAction(target_, data_.run && data_.run->program);
}

/// What a tab shows is read, or filled in, only while it is looked at: a report has thousands of metrics.
void DiagnosePage::showTab()
{
    showSource();
    if (!data_.run)
        return;
    if (tabs_->currentWidget() == metrics_)
        showMetrics();
    else if (tabs_->currentWidget() == times_)
        times_->setRun(*data_.run);
    else if (tabs_->currentWidget() == kernelsRoofline_)
        kernelsRoofline_->setKernels(data_.kernels, *data_.run);
}

void DiagnosePage::showMetrics()
{
    metrics_->setRun(*data_.run, data_.baselines.empty() ? nullptr : &data_.baselines.back());
    if (!metric_.isEmpty())
        metrics_->showMetric(std::exchange(metric_, {}));
}

/// A run that recorded its warps has no diagnosis: its timeline is what there is to look at.
void DiagnosePage::showTimeline()
{
    const bool there = data_.run && data_.run->timeline;
    tabs_->setTabVisible(tabs_->indexOf(timeline_), there);
    if (there)
        timeline_->setRun(*data_.run);
}

/// Only while it is looked at, as the metrics.
void DiagnosePage::showSource()
{
    tabs_->setTabVisible(tabs_->indexOf(sourceTab_),
                         data_.run && (findCode(*data_.run) || !sourceTexts(*data_.run, context().catalog()).empty()));
    if (!data_.run || tabs_->currentWidget() != sourceTab_ || std::exchange(sourceShown_, true))
        return;
    source_->setRun(*data_.run, context().catalog());
}

void DiagnosePage::readCode()
{
    const SharedCode code = data_.run ? findCode(*data_.run) : SharedCode();
    if (!code || !canDisassemble(*code))
        return;
    context().read(
        disassembling_,
        [code, id = data_.run->id](Engine& engine, const Job&) -> Result<SharedCode> {
            SharedCode read(disassemble(*code));
            if (read->language == CodeLanguage::sass && !engine.store->unchecked())
                (void)engine.store->saveCode(id, read); // else it is disassembled again the next time
            return read;
        },
        [this, id = data_.run->id](Result<SharedCode> read) {
            if (!read || !data_.run || data_.run->id != id)
                return;
            const LayoutPause pause(*this);
            data_.run->sourceProfile->code = std::move(*read);
            hotLines_->setRun(*data_.run, context().catalog(), stalls_->parts());
            sourceShown_ = false;
            showSource();
        });
}

void DiagnosePage::showWithoutDiagnosis(const QString& kernel)
{
    state_->showEmpty({QStringLiteral("diagnose"), tr("This run of %1 was not profiled").arg(kernel),
                       tr("Only its time was measured. Profile the kernel, with or without hardware counters, to get a diagnosis."),
                       tr("Go to %1").arg(kernel), [this, kernel] { context().navigate(QStringLiteral("kernels"), kernel); }});
}

void DiagnosePage::showNoProfile()
{
    state_->showEmpty({QStringLiteral("diagnose"), tr("No profiles yet"),
                       tr("Profile a kernel, with or without hardware counters, or open an Nsight Compute report to get a diagnosis."),
                       tr("Choose a kernel to profile"), [this] { context().navigate(QStringLiteral("kernels")); }});
}

void DiagnosePage::showRun()
{
    const RunRecord& run = *data_.run;
    const std::vector<const RunRecord*> runs = data_.runs();
    treeLine_->setDiagnosis(*run.diagnosis, context().tree());
    std::vector<PinnedRun> baselines;
    for (std::size_t i = 0; i < data_.baselines.size(); ++i)
        baselines.push_back({&data_.baselines[i], data_.colors[i]});
    baselines_->setRun(run, baselines);
    header_->setRun(run, data_.rule ? &*data_.rule : nullptr);
    decision_->setFinding(context().tree(), run.diagnosis->finding);
    evidence_->setEvidence(run.diagnosis->finding, baselines);
    roofline_->setRuns(runs, baselines);
    memory_->setRun(run, baselines);
    stalls_->setRuns(runs, baselines);
    hotLines_->setRun(run, context().catalog(), stalls_->parts());
    duration_->setRun(run);
    glance_->setText(QStringLiteral("roofline"), roofline_->title(), roofline_->missing());
    glance_->setText(QStringLiteral("memory"), memory_->missing().isEmpty() ? memory_->title() : QString(), memory_->missing());
    glance_->setText(QStringLiteral("stalls"), stalls_->missing().isEmpty() ? stalls_->title() : QString(), stalls_->missing());
    glance_->setText(QStringLiteral("source"), hotLines_->title(), hotLines_->missing());
    gaps_->setGaps({{tr("Unit utilization"), roofline_->missing()},
                    {tr("Memory chart"), memory_->missing()},
                    {tr("Stall reasons"), stalls_->missing()},
                    {tr("PM sampling"), duration_->missing()},
                    {tr("Hot lines"), hotLines_->missing()}});
    side_->setRun(run, data_.advice, baselines);
}

void DiagnosePage::diagnoseAgain()
{
    treeLine_->setReason(tr("Diagnosing"));
    const QString unwritable = context().writeReason();
    context().run(
        diagnosing_, tr("Diagnosing again"),
        [id = data_.run->id, keep = unwritable.isEmpty()](Engine& engine, const Job& job) {
            return rediagnoseRuns(*engine.store, *engine.catalog, *engine.tree, engine.weigher, {id}, keep, job);
        },
        [this, unwritable](Result<std::vector<Rediagnosis>> made) {
            treeLine_->setReason({});
            if (!made)
                return context().post(made.error(), tr("The run was not diagnosed again"));
            if (unwritable.isEmpty())
                return refresh();
            if (!data_.run || data_.run->id != made->front().id)
                return; // another run is shown by now
            data_.run->diagnosis = std::move(made->front().after);
            showRun();
            treeLine_->setUnstored(unwritable);
        });
}

} // namespace kl::ui
