// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose_page.h"

#include "core/diagnosis/estimate_text.h"
#include "sessions/engine/workbench.h"
#include "ui/charts/chart_card.h"
#include "ui/import/opened_runs.h"
#include "ui/pages/diagnose/diagnosis_side.h"
#include "ui/pages/diagnose/finding_charts.h"
#include "ui/pages/diagnose/hot_lines_panel.h"
#include "ui/pages/diagnose/memory_chart_view.h"
#include "ui/pages/diagnose/profile_choices.h"
#include "ui/pages/diagnose/tree_view.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <set>

namespace kl {
namespace {

constexpr int kSideWidth = 300;
constexpr int kLeastRoofline = 240; ///< pixels, for the labels of four roofs
constexpr int kLeastPicker = 200;
constexpr int kPickerLetters = 60;
constexpr int kTwoColumns = 1040; ///< pixels; in a narrower page the side stands below
constexpr int kMostProfiles = 1000;

/// A line under a chart, there once something was clicked.
QLabel* makeHelpLine(QWidget* parent)
{
    QLabel* line = makeLabel({}, TextRole::caption, parent);
    line->setWordWrap(true);
    line->hide();
    return line;
}

void showHelp(QLabel* line, const QString& words)
{
    line->setText(words);
    line->setVisible(!words.isEmpty());
}

/// "Such estimates here: 3 of 4 came true …"; empty where none was tested.
QString rulesRecord(const std::optional<RuleOutcome>& rule)
{
    if (!rule)
        return {};
    return DiagnosePage::tr("\nSuch estimates in this database: %1 of %2 came true within a factor of two; promised %3 %, gave %4 %.")
        .arg(rule->hits)
        .arg(rule->cases)
        .arg(100 * rule->estimated, 0, 'f', 0)
        .arg(100 * rule->realized, 0, 'f', 0);
}

/// The run of an id, else the newest of an address, else the newest of all. An older run than the list reaches back to is found by its id.
Result<RunRecord> chosenRun(const Store& store, const std::vector<RunSummary>& profiles, const std::string& wanted,
                            const std::vector<RunRecord>& opened)
{
    if (Result<RunRecord> run = store.run(RunId{wanted}))
        return run;
    const auto found = std::ranges::find_if(profiles, [&](const RunSummary& p) { return p.id.text == wanted || p.kernel == wanted; });
    return openedOrStored(store, opened, found == profiles.end() ? profiles.front().id : found->id);
}

} // namespace

DiagnosePage::DiagnosePage(AppContext& context) : Page(context, tr("Diagnose"))
{
    picker_ = new QComboBox(this);
    picker_->setObjectName(QStringLiteral("profilePicker"));
    picker_->setAccessibleName(tr("Profile to show"));
    picker_->setMinimumWidth(kLeastPicker);
    picker_->setMinimumContentsLength(kPickerLetters);
    picker_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    picker_->view()->setTextElideMode(Qt::ElideMiddle);
    connect(picker_, &QComboBox::activated, this, [this](int index) {
        wanted_ = utf8(picker_->itemData(index).toString());
        refresh();
    });
    addAction(picker_);
    QPushButton* open = makeButton(tr("Open report…"), false, this);
    open->setObjectName(QStringLiteral("openReport"));
    open->setToolTip(tr("Reports and CSV pages of Nsight Compute, or bundles of runs; they can be dropped on the window, too (Ctrl+O)"));
    connect(open, &QPushButton::clicked, this, [this] { this->context().openReports(); });
    addAction(open);
    compare_ = makeButton(tr("Add to Compare"), false, this);
    compare_->setObjectName(QStringLiteral("addToCompare"));
    connect(compare_, &QPushButton::clicked, this, [this] {
        if (data_.run)
            this->context().navigate(QStringLiteral("compare"), QStringLiteral("run:") + q(data_.run->id.text));
    });
    addAction(compare_);
    state_ = new StateStack(makeContent(), this);
    auto* column = new QVBoxLayout;
    column->addWidget(state_);
    makeScrollingBody(this, column);
}

QWidget* DiagnosePage::makeContent()
{
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    auto* head = new Card({}, content);
    chips_ = makeLabel({}, TextRole::caption, head);
    sentence_ = makeLabel({}, TextRole::page, head);
    estimate_ = makeLabel({}, TextRole::body, head);
    for (QLabel* label : {chips_, sentence_, estimate_}) {
        label->setWordWrap(true);
        head->body()->addWidget(label);
    }
    sentence_->setObjectName(QStringLiteral("findingSentence"));
    head->setTone(QStringLiteral("accent"));
    column->addWidget(head);

    columns_ = new QHBoxLayout;
    columns_->setSpacing(kGapBetween);
    auto* grid = new QGridLayout;
    grid->setSpacing(kGapBetween);
    auto* why = why_ = new Card(tr("Why: the questions asked, in order"), content);
    tree_ = new TreeView(why);
    why->body()->addWidget(tree_);
    question_ = makeHelpLine(why);
    question_->setObjectName(QStringLiteral("questionHelp"));
    question_->setTextFormat(Qt::RichText);
    why->body()->addWidget(question_);
    connect(tree_, &TreeView::explained, question_, [this](const QString& html) { showHelp(question_, html); });
    evidence_ = new EvidenceBars;
    evidence_->setObjectName(QStringLiteral("evidenceBars"));
    evidence_->setPickable();
    evidenceCard_ = new ChartCard(tr("Evidence"), evidence_, content);
    evidenceHelp_ = makeHelpLine(evidenceCard_);
    evidenceHelp_->setObjectName(QStringLiteral("evidenceHelp"));
    evidenceCard_->body()->addWidget(evidenceHelp_);
    connect(evidence_, &ChartBody::picked, evidenceHelp_, [this](int index) {
        if (const auto at = static_cast<std::size_t>(index); at < evidence_->rows().size())
            showHelp(evidenceHelp_, evidence_->rows()[at].name + QStringLiteral(": ") + evidence_->rows()[at].help);
    });
    roofline_ = new XYChart;
    roofline_->setMinimumHeight(kLeastRoofline);
    rooflineCard_ = new ChartCard(tr("Roofline"), roofline_, content);
    level_ = new QComboBox(rooflineCard_);
    level_->addItems({QStringLiteral("DRAM"), QStringLiteral("L2"), QStringLiteral("L1")});
    level_->setAccessibleName(tr("Memory level of the roofline"));
    connect(level_, &QComboBox::currentIndexChanged, this, &DiagnosePage::showRoofline);
    rooflineCard_->tools()->insertWidget(0, level_);
    units_ = new EvidenceBars;
    unitsCard_ = new ChartCard(tr("How busy each unit is"), units_, content);
    stalls_ = new StackedBar;
    stallsCard_ = new ChartCard(tr("Where the time goes"), stalls_, content);
    stallMeanings_ = makeLabel({}, TextRole::caption, stallsCard_);
    stallMeanings_->setObjectName(QStringLiteral("stallMeanings"));
    stallMeanings_->setWordWrap(true);
    stallMeanings_->setTextFormat(Qt::RichText);
    stallsCard_->body()->addWidget(stallMeanings_);
    memory_ = new MemoryChartView;
    memory_->setObjectName(QStringLiteral("memoryChart"));
    memoryCard_ = new ChartCard(tr("Memory"), memory_, content);
    grid->addWidget(why, 0, 0, 1, 2);
    grid->addWidget(evidenceCard_, 1, 0);
    grid->addWidget(rooflineCard_, 1, 1);
    grid->addWidget(unitsCard_, 1, 1);
    grid->addWidget(memoryCard_, 2, 0, 1, 2);
    grid->addWidget(stallsCard_, 3, 0, 1, 2);
    hotLines_ = new HotLinesPanel(content);
    grid->addWidget(hotLines_, 4, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(5, 1);
    columns_->addLayout(grid, 1);
    side_ = new DiagnosisSide(content);
    connect(side_, &DiagnosisSide::kernelRequested, this,
            [this](const QString& address) { context().navigate(QStringLiteral("kernels"), address); });
    columns_->addWidget(side_);
    column->addLayout(columns_, 1);
    return content;
}

void DiagnosePage::resizeEvent(QResizeEvent* event)
{
    const bool beside = width() >= kTwoColumns;
    columns_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    side_->setMinimumWidth(beside ? kSideWidth : 0);
    side_->setMaximumWidth(beside ? kSideWidth : QWIDGETSIZE_MAX);
    Page::resizeEvent(event);
}

void DiagnosePage::open(const QString& argument)
{
    if (!argument.isEmpty())
        wanted_ = utf8(argument);
}

Result<DiagnosePage::Loaded> DiagnosePage::load(Engine& engine, const std::string& wanted, const std::vector<RunRecord>& opened)
{
    const Store& store = *engine.store;
    Loaded loaded;
    RunQuery query;
    query.profilesOnly = true;
    query.limit = kMostProfiles;
    Result<std::vector<RunSummary>> profiles = store.runs(query);
    if (!profiles)
        return profiles.error();
    loaded.profiles = std::move(*profiles);
    for (const RunRecord& other : opened)
        loaded.profiles.insert(loaded.profiles.begin(), summaryOf(other));
    if (loaded.profiles.empty())
        return loaded;
    Result<RunRecord> run = chosenRun(store, loaded.profiles, wanted, opened);
    if (!run)
        return run.error();
    loaded.run = std::move(*run);
    const RunId& shown = loaded.run->id;
    if (loaded.run->diagnosis && std::ranges::find(loaded.profiles, shown, &RunSummary::id) == loaded.profiles.end())
        loaded.profiles.push_back(summaryOf(*loaded.run)); // older than the list reaches back
    const Result<std::vector<RuleCase>> cases = engine.ruleCases();
    if (!cases)
        return cases.error();
    if (loaded.run->diagnosis)
        for (const RuleOutcome& outcome : ruleOutcomes(*cases, loaded.run->source == Source::sample))
            if (outcome.rule == loaded.run->diagnosis->finding.classId)
                loaded.rule = outcome;
    if (loaded.run->program || loaded.run->imported)
        return loaded; // the other kernels of a program are no variants of this one
    const std::string self = toText(loaded.run->kernel);
    std::set<std::string> seen{self};
    for (const RunSummary& profile : loaded.profiles) {
        const bool sameFamily = profile.kernel.starts_with(loaded.run->kernel.family + '/');
        if (!sameFamily || profile.problem != toText(loaded.run->problem) || profile.device != loaded.run->device.name ||
            !seen.insert(profile.kernel).second)
            continue;
        if (Result<RunRecord> other = store.run(profile.id))
            loaded.family.push_back(std::move(*other));
    }
    return loaded;
}

Result<DiagnosePage::Loaded> DiagnosePage::addAdvice(Loaded loaded, Engine& engine)
{
    if (!loaded.run || !loaded.run->diagnosis)
        return loaded;
    const auto model = engine.recommender();
    loaded.advice.emplace();
    if (model)
        loaded.advice = advise(*loaded.run, *engine.catalog, *engine.tree, **model);
    else // the finding stands all the same
        loaded.advice->sentence = "What was learned cannot be read: " + model.error().message;
    return loaded;
}

void DiagnosePage::refresh()
{
    state_->showLoading();
    context().read(
        reading_,
        [wanted = wanted_, opened = context().openedRuns()](Engine& engine, const Job&) {
            Result<Loaded> loaded = load(engine, wanted, *opened);
            return loaded ? addAdvice(std::move(*loaded), engine) : loaded;
        },
        [this](Result<Loaded> loaded) {
            if (!loaded)
                state_->showError(loaded.error(), [this] { refresh(); });
            else
                show(std::move(*loaded));
        });
}

void DiagnosePage::show(Loaded loaded)
{
    data_ = std::move(loaded);
    picker_->clear();
    compare_->setEnabled(data_.run.has_value());
    compare_->setToolTip(data_.run ? QString() : tr("There is no profile to add yet."));
    for (const auto& [words, id] : profileChoices(data_.profiles))
        picker_->addItem(words, id);
    picker_->setPlaceholderText(data_.profiles.empty() ? tr("no profile yet") : tr("choose a profile"));
    picker_->setEnabled(!data_.profiles.empty());
    picker_->setCurrentIndex(data_.run ? picker_->findData(q(data_.run->id.text)) : -1);
    picker_->setToolTip(picker_->currentText());
    picker_->view()->setMinimumWidth(picker_->view()->sizeHintForColumn(0) + kGapBetween);
    if (data_.run && !data_.run->diagnosis) {
        const QString kernel = q(toText(data_.run->kernel));
        state_->showEmpty({QStringLiteral("diagnose"), tr("This run of %1 was not profiled").arg(kernel),
                           tr("It was timed alone; a diagnosis needs its hardware metrics, or a profile without counters."),
                           tr("Show %1, to profile it").arg(kernel),
                           [this, kernel] { context().navigate(QStringLiteral("kernels"), kernel); }});
        return;
    }
    if (!data_.run) {
        state_->showEmpty({QStringLiteral("diagnose"), tr("No profile yet"),
                           tr("A diagnosis is made of a profile, with hardware counters or without, or of a report of Nsight Compute."),
                           tr("Choose a kernel to profile"), [this] { context().navigate(QStringLiteral("kernels")); }});
        return;
    }
    showRun();
    state_->showContent();
}

void DiagnosePage::showRun()
{
    const RunRecord& run = *data_.run;
    const Finding& finding = run.diagnosis->finding;
    chips_->setText(QStringLiteral("%1 · %2 · %3 · %4")
                        .arg(q(finding.priority), q(finding.classId), tr("confidence %1 %").arg(finding.confidence * 100, 0, 'f', 0),
                             q(shownKernel(run))) +
                    (finding.inferred ? tr(" · inferred without hardware counters") : QString()));
    sentence_->setText(q(finding.title));
    estimate_->setVisible(finding.estimate.has_value());
    if (finding.estimate)
        estimate_->setText(q(estimateText(finding)) + rulesRecord(data_.rule));
    showHelp(question_, {});
    showHelp(evidenceHelp_, {});
    const std::vector<DiagnosisTree::Node>& nodes = context().tree().nodes();
    const bool known = std::ranges::all_of(finding.path, [&](const PathEntry& entry) {
        return std::ranges::find(nodes, entry.node, &DiagnosisTree::Node::id) != nodes.end();
    });
    why_->setCaption(known ? QString()
                           : tr("Another tree than the present one made this diagnosis: questions that only it has are not drawn."));
    tree_->setTree(nodes, finding);
    std::vector<EvidenceRow> rows = evidenceRows(finding);
    evidenceCard_->setFinding(evidenceTitle(finding));
    const std::size_t asked = finding.path.size();
    evidenceCard_->setCaption(rows.size() < asked ? tr("The weightiest %1; the others stand above, with their questions.").arg(rows.size())
                                                  : QString());
    evidence_->setRows(std::move(rows));
    showRoofline();
    std::vector<const RunRecord*> runs{&run};
    for (const RunRecord& other : data_.family)
        runs.push_back(&other);
    const StallBars bars = stallBars(runs);
    stalls_->setRows(bars.parts, bars.rows, tr("% of a warp's latency"), stallsMissing(runs));
    const QString title = stallTitle(run);
    stallsCard_->setFinding(title.isEmpty() ? tr("Where the time goes") : title);
    const QString meanings = stallMeanings(run);
    stallMeanings_->setText(meanings);
    stallMeanings_->setVisible(!meanings.isEmpty());
    MemoryChart memory = memoryChart(run);
    const QString memoryFinding = memoryTitle(memory);
    memoryCard_->setFinding(memoryFinding.isEmpty() ? tr("Memory") : memoryFinding);
    const QString memoryGaps = memoryMissing(memory);
    memory_->setChart(std::move(memory));
    memoryCard_->setCaption(memory_->emptyReason().isEmpty() ? memoryGaps : QString()); // an empty chart says its reason itself
    hotLines_->setRun(run, context().catalog(), bars.parts);
    side_->setRun(run, data_.advice);
}

void DiagnosePage::showRoofline()
{
    if (!data_.run)
        return;
    const Roofline roofline = rooflineOf(*data_.run);
    const bool floating = !roofline.points.empty();
    rooflineCard_->setVisible(floating);
    unitsCard_->setVisible(!floating);
    if (!floating) {
        std::vector<EvidenceRow> rows = unitRows(*data_.run);
        unitsCard_->setFinding(unitTitle(rows));
        const QString gaps = unitsMissing(*data_.run);
        unitsCard_->setCaption(rows.empty() ? rooflineMissing(*data_.run) : (rooflineMissing(*data_.run) + u' ' + gaps).trimmed());
        units_->setRows(std::move(rows), gaps);
        return;
    }
    std::vector<const RunRecord*> runs{&*data_.run};
    for (const RunRecord& other : data_.family)
        runs.push_back(&other);
    const auto level = static_cast<MemoryLevel>(level_->currentIndex());
    roofline_->setSpec(rooflineSpec(runs, level, false));
    const QString title = rooflineTitle(*data_.run, level);
    rooflineCard_->setFinding(title.isEmpty() ? tr("Roofline") : title);
    rooflineCard_->setCaption(amplificationText(*data_.run));
}

} // namespace kl
