// SPDX-License-Identifier: MIT
#include "ui/pages/compare_page.h"

#include "ui/charts/chart_card.h"
#include "ui/charts/stacked_bar.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/compare/difference_model.h"
#include "ui/pages/compare/sample_strip.h"
#include "ui/pages/compare/time_bars.h"
#include "ui/pages/diagnose/finding_charts.h"
#include "ui/pages/diagnose/roofline_spec.h"
#include "ui/pages/report_button.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace kl {
namespace {

constexpr int kBasketWidth = 300;
constexpr int kLeastSamples = 240; ///< less leaves no room for the axis's numbers

std::vector<const RunRecord*> pointersTo(const std::vector<RunRecord>& runs)
{
    std::vector<const RunRecord*> pointers;
    for (const RunRecord& run : runs)
        pointers.push_back(&run);
    return pointers;
}

/// The runs on their family's own problem size: those tell more than the small sizes of a suite.
std::vector<RunSummary> onDefaultProblem(const Catalogue& catalogue, const std::vector<RunSummary>& runs)
{
    std::vector<RunSummary> kept;
    for (const RunSummary& run : runs) {
        const auto family = catalogue.family(run.kernel.substr(0, run.kernel.find('/')));
        if (family && !(*family)->problems.empty() && run.problem == toText((*family)->problems.front()))
            kept.push_back(run);
    }
    return kept;
}

/// What an empty basket opens with: the newest two runs of one family on one problem and device that are different variants, the older
/// one first. Empty when there are none.
std::vector<std::string> newestPair(const std::vector<RunSummary>& runs)
{
    const auto familyOf = [](const RunSummary& run) { return run.kernel.substr(0, run.kernel.find('/')); };
    constexpr const char* kNoVariants = "program"; // kernels found in programs do different work
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (std::size_t j = i + 1; j < runs.size(); ++j) {
            const RunSummary& newer = runs[i];
            const RunSummary& older = runs[j];
            if (newer.gpuNs && older.gpuNs && newer.kernel != older.kernel && familyOf(newer) == familyOf(older) &&
                familyOf(newer) != kNoVariants && newer.problem == older.problem && newer.device == older.device &&
                newer.source == older.source) {
                // The slower one is A, so that the comparison reads as a change for the better.
                const bool swap = *newer.gpuNs > *older.gpuNs;
                return swap ? std::vector{newer.id.text, older.id.text} : std::vector{older.id.text, newer.id.text};
            }
        }
    return {};
}

/// Which runs the roofline cannot show where it shows others.
QString leftOut(const std::vector<const RunRecord*>& runs)
{
    QStringList names;
    for (const RunRecord* run : runs)
        if (rooflineTitle(*run, MemoryLevel::dram).isEmpty())
            names << q(toText(run->kernel));
    if (names.isEmpty() || static_cast<std::size_t>(names.size()) == runs.size())
        return {};
    return ComparePage::tr("Not shown, without both floating-point work and known DRAM traffic: %1").arg(names.join(QStringLiteral(", ")));
}

/// What stands beside a measured A/B: the newest runs of its two sides that are of one problem and device, or the newest of each.
std::vector<std::string> runsOfSides(const Comparison& measured, const std::vector<RunSummary>& runs)
{
    std::vector<const RunSummary*> a;
    std::vector<const RunSummary*> b;
    for (const RunSummary& run : runs) {
        if (run.kernel == measured.a)
            a.push_back(&run);
        if (run.kernel == measured.b)
            b.push_back(&run);
    }
    for (const RunSummary* left : a)
        for (const RunSummary* right : b)
            if (left->problem == right->problem && left->device == right->device && left->source == right->source)
                return {left->id.text, right->id.text};
    std::vector<std::string> ids;
    for (const auto& side : {a, b})
        if (!side.empty())
            ids.push_back(side.front()->id.text);
    return ids;
}

} // namespace

ComparePage::ComparePage(AppContext& context) : Page(context, tr("Compare"))
{
    addAction(makeReportButton(context, this, tr("Save as a report…"), QStringLiteral("comparison.html"), [this] { return report(); }));
    auto* content = new QWidget(this);
    auto* right = new QVBoxLayout(content);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(kGapBetween);
    right->addWidget(makeVerdict());
    right->addWidget(makeTabs(), 1);
    state_ = new StateStack(content, this);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kGapBetween);
    columns->addWidget(makeBasket());
    columns->addWidget(state_, 1);
    makeScrollingBody(this, columns);
}

QWidget* ComparePage::makeBasket()
{
    auto* card = new Card(tr("Runs to compare"), this);
    card->setCaption(tr("The first two are A and B."));
    card->setFixedWidth(kBasketWidth);
    basketRows_ = new QVBoxLayout;
    basketRows_->setSpacing(kGapInside);
    card->body()->addLayout(basketRows_);
    picker_ = new QComboBox(card);
    picker_->setObjectName(QStringLiteral("runPicker"));
    picker_->setAccessibleName(tr("Add a run"));
    picker_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    picker_->setMinimumContentsLength(24);
    card->body()->addWidget(picker_);
    card->body()->addStretch(1);
    connect(picker_, &QComboBox::activated, this, [this](int index) {
        const QString id = picker_->itemData(index).toString();
        if (!id.isEmpty()) {
            open(QStringLiteral("run:") + id);
            refresh();
        }
    });
    return card;
}

QWidget* ComparePage::makeVerdict()
{
    auto* card = new Card(tr("Verdict"), this);
    mark_ = new MarkLabel(Mark::none, {}, card);
    card->tools()->addWidget(mark_);
    sentence_ = makeLabel({}, TextRole::page, card);
    sentence_->setObjectName(QStringLiteral("verdictSentence"));
    next_ = makeLabel({}, TextRole::body, card);
    basis_ = makeLabel({}, TextRole::caption, card);
    basis_->setObjectName(QStringLiteral("verdictBasis"));
    for (QLabel* label : {sentence_, next_, basis_}) {
        label->setWordWrap(true);
        card->body()->addWidget(label);
    }
    return card;
}

QTabWidget* ComparePage::makeTabs()
{
    auto* tabs = new QTabWidget(this);
    auto* metrics = new QWidget(tabs);
    auto* column = new QVBoxLayout(metrics);
    column->setContentsMargins(0, kGapTight, 0, 0);
    all_ = new QCheckBox(tr("Show equal values too"), metrics);
    metrics_ = new DifferenceModel(this);
    metricTable_ = new DataTable(QStringLiteral("differences"), metrics);
    metricTable_->setWidestColumn(220);
    metricTable_->setStretchColumn(DifferenceModel::NameColumn);
    metricTable_->setSource(metrics_);
    column->addWidget(all_);
    column->addWidget(metricTable_, 1);
    connect(all_, &QCheckBox::toggled, this, &ComparePage::showDifferences);
    times_ = new TimeBars;
    timesCard_ = new ChartCard(tr("Time of each run"), times_, tabs);
    samples_ = new XYChart;
    samples_->setMinimumHeight(kLeastSamples);
    samplesCard_ = new ChartCard(tr("Every sample"), samples_, tabs);
    auto* times = new QWidget(tabs);
    auto* timesColumn = new QVBoxLayout(times);
    timesColumn->setContentsMargins(0, 0, 0, 0);
    timesColumn->setSpacing(kGapInside);
    timesColumn->addWidget(timesCard_);
    timesColumn->addWidget(samplesCard_, 1);
    tabs->addTab(times, tr("Times and distributions"));
    tabs->addTab(metrics, tr("Metrics"));
    roofline_ = new XYChart;
    rooflineCard_ = new ChartCard(tr("Roofline, in the order of the basket"), roofline_, tabs);
    tabs->addTab(rooflineCard_, tr("Roofline"));
    stalls_ = new StackedBar;
    tabs->addTab(new ChartCard(tr("Where the time goes"), stalls_, tabs), tr("Stalls"));
    environment_ = new DifferenceModel(this);
    environmentTable_ = new DataTable(QStringLiteral("environment-differences"), tabs);
    environmentTable_->setStretchColumn(DifferenceModel::NameColumn);
    environmentTable_->setSource(environment_);
    tabs->addTab(environmentTable_, tr("Tunables and environment"));
    tabs->setMinimumHeight(420);
    return tabs;
}

void ComparePage::open(const QString& argument)
{
    if (argument.startsWith(QStringLiteral("run:"))) {
        const std::string id = utf8(argument.mid(4));
        comparison_.clear();
        if (std::find(basket_.begin(), basket_.end(), id) == basket_.end())
            basket_.push_back(id);
    } else if (!argument.isEmpty()) {
        comparison_ = utf8(argument);
    }
}

Result<ComparePage::Loaded> ComparePage::load(Engine& engine, std::vector<std::string> basket, const std::string& comparison)
{
    Loaded loaded;
    Result<std::vector<RunSummary>> runs = engine.store->runs(RunQuery{});
    if (!runs)
        return runs.error();
    loaded.runs = std::move(*runs);
    if (!comparison.empty()) {
        Result<Comparison> measured = engine.store->comparison(ComparisonId{comparison});
        if (!measured)
            return measured.error();
        loaded.comparison = std::move(*measured);
        basket = runsOfSides(*loaded.comparison, loaded.runs);
    }
    if (basket.empty() && comparison.empty())
        basket = newestPair(onDefaultProblem(*engine.catalogue, loaded.runs));
    if (basket.empty() && comparison.empty())
        basket = newestPair(loaded.runs);
    for (const std::string& id : basket)
        if (Result<RunRecord> run = engine.store->run(RunId{id}))
            loaded.basket.push_back(std::move(*run));
    if (!loaded.comparison && loaded.basket.size() >= 2) {
        Result<Comparison> verdict = engine.bench.compare(loaded.basket[0].id, loaded.basket[1].id);
        if (!verdict)
            return verdict.error();
        loaded.comparison = std::move(*verdict);
    }
    return loaded;
}

Result<Report> ComparePage::report() const
{
    if (!data_.comparison)
        return Error{ErrorCode::inconclusive, utf8(tr("There is nothing to compare yet.")), utf8(tr("Choose two runs.")), {}, {}};
    const std::optional<RunRecord> a = data_.basket.empty() ? std::nullopt : std::optional(data_.basket[0]);
    const std::optional<RunRecord> b = data_.basket.size() < 2 ? std::nullopt : std::optional(data_.basket[1]);
    return comparisonReport(*data_.comparison, a, b);
}

void ComparePage::refresh()
{
    state_->showLoading();
    context().read(
        reading_, [basket = basket_, comparison = comparison_](Engine& engine, const Job&) { return load(engine, basket, comparison); },
        [this](Result<Loaded> loaded) {
            if (!loaded)
                state_->showError(loaded.error(), [this] { refresh(); });
            else
                show(std::move(*loaded));
        });
}

void ComparePage::show(Loaded loaded)
{
    data_ = std::move(loaded);
    basket_.clear();
    for (const RunRecord& run : data_.basket)
        basket_.push_back(run.id.text);
    showBasket();
    if (!data_.comparison) {
        state_->showEmpty({QStringLiteral("compare"),
                           tr("Nothing to compare yet"),
                           tr("A comparison needs two runs. Add them on the left, or with “Add to Compare” on a diagnosis."),
                           {},
                           {}});
        return;
    }
    showVerdict();
    showDifferences();
    showCharts();
    state_->showContent();
}

void ComparePage::showBasket()
{
    clearLayout(basketRows_);
    char letter = 'A';
    for (const RunRecord& run : data_.basket) {
        auto* row = new QHBoxLayout;
        auto* words = new QVBoxLayout;
        words->setSpacing(2);
        words->addWidget(makeLabel(QStringLiteral("%1  %2").arg(QLatin1Char(letter++)).arg(q(toText(run.kernel))), TextRole::body, this));
        QLabel* facts =
            makeLabel(QStringLiteral("%1 · %2 · %3").arg(spaced(toText(run.problem)), q(run.device.name), relative(run.startedAt)),
                      TextRole::caption, this);
        facts->setWordWrap(true);
        facts->setToolTip(absoluteTime(run.startedAt));
        words->addWidget(facts);
        row->addLayout(words, 1);
        QPushButton* remove = makeLinkButton(tr("Remove"), this);
        remove->setAccessibleName(tr("Remove %1").arg(q(toText(run.kernel))));
        connect(remove, &QPushButton::clicked, this, [this, id = run.id.text] {
            basket_.erase(std::remove(basket_.begin(), basket_.end(), id), basket_.end());
            comparison_.clear();
            refresh();
        });
        row->addWidget(remove, 0, Qt::AlignTop);
        basketRows_->addLayout(row);
    }
    picker_->clear();
    picker_->addItem(tr("Add a run…"), QString());
    for (const RunSummary& run : data_.runs)
        picker_->addItem(QStringLiteral("%1 · %2 · %3").arg(q(run.kernel), q(run.problem), relative(run.startedAt)), q(run.id.text));
}

void ComparePage::showVerdict()
{
    const Comparison& comparison = *data_.comparison;
    mark_->set(comparison.verdict);
    sentence_->setText(q(comparison.sentence));
    next_->setText(comparison.next.starts_with("kloop ") ? tr("Next: %1").arg(q(comparison.next)) : q(comparison.next));
    next_->setVisible(!comparison.next.empty());
    QStringList basis;
    if (!comparison.statistics.empty())
        basis << q(comparison.statistics);
    if (comparison.noise.value)
        basis << tr("Calibrated noise %1 %, %2").arg(100 * *comparison.noise.value, 0, 'f', 2).arg(q(comparison.noise.from));
    for (const Warning& warning : comparison.warnings)
        basis << q(warning.text);
    basis_->setText(basis.join(QLatin1Char('\n')));
    basis_->setVisible(!basis.isEmpty());
}

void ComparePage::showDifferences()
{
    if (!data_.comparison)
        return;
    const Comparison& comparison = *data_.comparison;
    const QString a = data_.basket.empty() ? q(comparison.a) : q(toText(data_.basket[0].kernel));
    const QString b = data_.basket.size() < 2 ? q(comparison.b) : q(toText(data_.basket[1].kernel));
    metrics_->setDifferences(a, b, comparison.metrics, all_->isChecked());
    std::vector<Difference> rest = comparison.tunables;
    rest.insert(rest.end(), comparison.environment.begin(), comparison.environment.end());
    environment_->setDifferences(a, b, rest, true);
}

void ComparePage::showCharts()
{
    const std::vector<const RunRecord*> runs = pointersTo(data_.basket);
    times_->setRuns(runs);
    timesCard_->setFinding(times_->finding());
    samples_->setSpec(sampleStrips(runs));
    roofline_->setSpec(rooflineSpec(runs, MemoryLevel::dram, true));
    rooflineCard_->setCaption(leftOut(runs));
    const StallBars bars = stallBars(runs);
    stalls_->setRows(bars.parts, bars.rows, tr("% of a warp's latency"), tr("Stall reasons were not collected; they belong to tier 2."));
}

} // namespace kl
