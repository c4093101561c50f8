// SPDX-License-Identifier: MIT
#include "ui/pages/compare_page.h"

#include "core/base/try.h"
#include "sessions/measure/compare.h"
#include "sessions/measure/noise_floor.h"
#include "ui/import/opened_runs.h"
#include "ui/pages/compare/basket_card.h"
#include "ui/pages/compare/compare_tabs.h"
#include "ui/pages/compare/opening_pair.h"
#include "ui/pages/report_button.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/pages/shared/step_links.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/layout_pause.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/reflow.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace kl::ui {
namespace {

const QString kKernels = QStringLiteral("kernels:"); ///< prefix of an argument

} // namespace

ComparePage::ComparePage(AppContext& context, QWidget* parent) : Page(context, tr("Compare"), parent)
{
    connect(&context, &AppContext::databaseSwitched, this, [this] { // its runs are not in the other one
        basket_.clear();
        comparison_.clear();
        emptied_ = false;
        wanted_.reset();
    });
    addAction(makeReportButton(context, this, tr("Save report…"), QStringLiteral("comparison.html"), [this] { return report(); }));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kGapBetween);
    QWidget* body = makeScrollingBody(this, columns)->widget();
    auto* content = new QWidget(body);
    state_ = new StateStack(content, body);
    auto* right = new QVBoxLayout(content);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(kGapBetween);
    right->addWidget(makeVerdict(content));
    tabs_ = new CompareTabs(content);
    right->addWidget(tabs_, 1);
    auto* picker = new RunPicker(context, false, this);
    picker->setObjectName(QStringLiteral("runPicker"));
    basketCard_ = new BasketCard(picker, body);
    connect(basketCard_, &BasketCard::added, this, [this](const QString& id) {
        basket_ = listShownIds();
        open(QStringLiteral("run:") + id);
        refresh();
    });
    connect(basketCard_, &BasketCard::swapped, this, [this] {
        std::vector<std::string> ids = listShownIds();
        if (ids.size() > 1)
            std::swap(ids[0], ids[1]);
        take(std::move(ids));
    });
    connect(basketCard_, &BasketCard::emptied, this, [this] { take({}); });
    connect(basketCard_, &BasketCard::removed, this, [this](const QString& id) {
        std::vector<std::string> ids = listShownIds();
        std::erase(ids, utf8(id));
        take(std::move(ids));
    });
    columns->addWidget(basketCard_, 0, Qt::AlignTop);
    columns->addWidget(state_, 1);
    new Reflow(columns, this);
}

QWidget* ComparePage::makeVerdict(QWidget* parent)
{
    auto* card = new Card(tr("Verdict"), parent);
    mark_ = new MarkLabel(Mark::none, {}, card);
    card->tools()->addWidget(mark_);
    sentence_ = makeLabel({}, TextRole::page, card);
    sentence_->setObjectName(QStringLiteral("verdictSentence"));
    next_ = makeLabel({}, TextRole::body, card);
    basis_ = makeLabel({}, TextRole::caption, card);
    basis_->setObjectName(QStringLiteral("verdictBasis"));
    measure_ = new ReasonedButton(tr("Measure A against B, interleaved"), false, card);
    measure_->button()->setObjectName(QStringLiteral("measureAb"));
    connect(measure_, &ReasonedButton::clicked, this, &ComparePage::measure);
    for (QLabel* label : {sentence_, next_, basis_}) {
        label->setWordWrap(true);
        card->body()->addWidget(label);
    }
    steps_ = new QHBoxLayout;
    card->body()->addLayout(steps_);
    card->body()->addWidget(measure_);
    return card;
}

void ComparePage::open(const QString& argument)
{
    wanted_.reset();
    if (argument.startsWith(kKernels))
        return wantPair(argument.mid(kKernels.size()));
    if (argument.startsWith(QStringLiteral("run:"))) {
        const std::string id = utf8(argument.mid(4));
        comparison_.clear();
        emptied_ = false;
        if (std::find(basket_.begin(), basket_.end(), id) == basket_.end())
            basket_.push_back(id);
    } else if (argument.startsWith(QStringLiteral("runs:"))) {
        comparison_.clear();
        emptied_ = false;
        basket_.clear();
        for (const QString& id : argument.mid(5).split(u',', Qt::SkipEmptyParts))
            basket_.push_back(utf8(id));
    } else if (!argument.isEmpty()) {
        comparison_ = utf8(argument);
    }
}

void ComparePage::wantPair(const QString& kernels)
{
    const Result<Address> a = parseAddress(utf8(kernels.section(u' ', 0, 0)));
    const Result<Address> b = parseAddress(utf8(kernels.section(u' ', 1, 1)));
    const Result<Params> problem = parseParams(utf8(kernels.section(u' ', 2)));
    if (!a || !b || !problem)
        return;
    wanted_ = WantedPair{*a, *b, *problem};
    comparison_.clear();
    basket_.clear();
    emptied_ = false;
}

void ComparePage::take(std::vector<std::string> ids)
{
    wanted_.reset();
    basket_ = std::move(ids);
    emptied_ = basket_.empty();
    comparison_.clear();
    refresh();
}

Result<ComparePage::Loaded> ComparePage::load(Engine& engine, const std::vector<RunRecord>& opened, std::vector<std::string> basket,
                                              const std::string& comparison, const std::optional<WantedPair>& wanted, bool suggest)
{
    Loaded loaded;
    KL_ASSIGN(std::vector<RunSummary> runs, engine.store->runs(RunQuery{}));
    std::ranges::transform(opened, std::back_inserter(loaded.runs), summarizeRun);
    std::ranges::move(runs, std::back_inserter(loaded.runs));
    if (!comparison.empty()) {
        KL_ASSIGN(Comparison measured, engine.store->comparison(ComparisonId{comparison}));
        loaded.comparison = std::move(measured);
        basket = listSideRuns(*loaded.comparison, loaded.runs);
    }
    if (wanted && comparison.empty()) {
        basket = listKernelRuns(toText(wanted->a), toText(wanted->b), toText(wanted->problem), loaded.runs);
    } else if (basket.empty() && comparison.empty()) {
        RunPair pair = chooseOpeningPair(*engine.catalog, loaded.runs);
        loaded.canSuggest = !pair.ids.empty();
        if (suggest) {
            basket = std::move(pair.ids);
            loaded.why = std::move(pair.why);
        }
    }
    for (const std::string& id : basket)
        if (Result<RunRecord> run = findOpenedOrStored(*engine.store, opened, RunId{id}))
            loaded.basket.push_back(std::move(*run));
    if (!loaded.comparison && loaded.basket.size() >= 2) {
        const RunRecord& a = loaded.basket[0];
        const RunRecord& b = loaded.basket[1];
        loaded.comparison = compareRuns(a, b, noiseFloor(*engine.store, a.device, a.source, {toText(a.kernel), toText(b.kernel)}));
    }
    return loaded;
}

Result<Report> ComparePage::report() const
{
    if (!data_.comparison)
        return Error{
            .code = ErrorCode::inconclusive, .message = utf8(tr("There is nothing to compare yet.")), .hint = utf8(tr("Choose two runs."))};
    const std::optional<RunRecord> a = data_.basket.empty() ? std::nullopt : std::optional(data_.basket[0]);
    const std::optional<RunRecord> b = data_.basket.size() < 2 ? std::nullopt : std::optional(data_.basket[1]);
    return comparisonReport(*data_.comparison, a, b);
}

void ComparePage::refresh()
{
    state_->showLoading();
    context().read(
        reading_,
        [opened = context().openedRuns(), basket = basket_, comparison = comparison_, wanted = wanted_,
         suggest = !emptied_](Engine& engine, const Job&) { return load(engine, *opened, basket, comparison, wanted, suggest); },
        [this](Result<Loaded> loaded) {
            if (!loaded)
                state_->showError(loaded.error(), [this] { refresh(); });
            else
                show(std::move(*loaded));
        });
}

void ComparePage::show(Loaded loaded)
{
    const LayoutPause pause(*this);
    data_ = std::move(loaded);
    if (data_.why.empty()) // the first run that the user adds replaces the window's suggestion
        basket_ = listShownIds();
    basketCard_->setRuns(data_.basket, q(data_.why));
    for (QWidget* action : actions()) { // they are about the comparison
        action->setEnabled(data_.comparison.has_value());
        action->setToolTip(data_.comparison ? QString() : tr("There is nothing to compare yet."));
    }
    if (!data_.comparison)
        return showNothing();
    showVerdict();
    tabs_->show(*data_.comparison, data_.basket);
    state_->showContent();
}

void ComparePage::showNothing()
{
    PanelState state{QStringLiteral("compare"),
                     tr("Nothing to compare yet"),
                     tr("Add two runs on the left, or use “Add to Compare” on the Diagnose page."),
                     {},
                     {}};
    if (wanted_) {
        state.what = tr("No runs of %1 and %2 are stored").arg(q(toText(wanted_->a)), q(toText(wanted_->b)));
        state.why = measuring_.running() ? tr("Measuring. See the task list below.") : context().explainUnmeasurable();
        if (state.why.isEmpty()) {
            state.actionText = tr("Measure A against B, interleaved");
            state.action = [this, pair = *wanted_] { measurePair(pair); };
        }
    } else if (data_.canSuggest) {
        state.actionText = tr("Suggest two runs");
        state.action = [this] {
            emptied_ = false;
            refresh();
        };
    } else if (data_.runs.size() < 2) {
        state.actionText = tr("Choose a kernel to run");
        state.action = [this] { context().navigate(QStringLiteral("kernels")); };
    }
    state_->showEmpty(state);
}

std::vector<std::string> ComparePage::listShownIds() const
{
    std::vector<std::string> ids;
    for (const RunRecord& run : data_.basket)
        ids.push_back(run.id.text);
    return ids;
}

void ComparePage::showVerdict()
{
    const Comparison& comparison = *data_.comparison;
    mark_->set(comparison.verdict);
    sentence_->setText(q(comparison.sentence));
    next_->setText(q(comparison.next));
    std::vector<NextStep> steps = comparison.nextSteps;
    std::erase_if(steps, [](const NextStep& step) { return step.id == StepId::compareInTurn; }); // this page's button does that
    showStepLinks(context(), steps, steps_);
    next_->setVisible(!comparison.next.empty());
    QStringList basis;
    if (!comparison.statistics.empty())
        basis << q(comparison.statistics);
    if (comparison.noise.value)
        basis << tr("A/A noise: %1 %, %2")
                     .arg(figureWithMark(QString::number(100 * *comparison.noise.value, 'f', 2)), q(comparison.noise.from));
    for (const Warning& warning : comparison.warnings)
        basis << q(warning.text);
    basis_->setText(basis.join(QLatin1Char('\n')));
    basis_->setVisible(!basis.isEmpty());
    showMeasure();
}

void ComparePage::showMeasure()
{
    const std::vector<RunRecord>& runs = data_.basket;
    const auto isOfCatalog = [](const RunRecord& run) { return !run.program && !run.imported; };
    const bool possible = runs.size() > 1 && isOfCatalog(runs[0]) && isOfCatalog(runs[1]) && data_.comparison->blocks == 0;
    measure_->setVisible(possible);
    if (!possible)
        return;
    const bool known = context().catalog().variant(runs[0].kernel) && context().catalog().variant(runs[1].kernel);
    measure_->setReason(measuring_.running()                             ? tr("Measuring. See the task list below.")
                        : !known                                         ? tr("One of the kernels is no longer in the catalog.")
                        : runs[0].problem != runs[1].problem             ? tr("They ran on different problems.")
                        : runs[0].kernel.family != runs[1].kernel.family ? tr("They are different kernels.")
                                                                         : context().explainUnmeasurable());
}

void ComparePage::measure()
{
    if (data_.basket.size() < 2)
        return;
    measurePair({data_.basket[0].kernel, data_.basket[1].kernel, data_.basket[0].problem});
}

void ComparePage::measurePair(const WantedPair& pair)
{
    context().run(
        measuring_, tr("Measuring %1 against %2").arg(q(toText(pair.a)), q(toText(pair.b))),
        [pair](Engine& engine, const Job& job) { return engine.bench.ab(pair.a, pair.b, pair.problem, 1.0, job); },
        [this](const Result<Comparison>& measured) {
            if (measured)
                comparison_ = measured->id.text;
            else
                context().post(measured.error(), tr("The interleaved measurement failed"));
            refresh();
        });
    if (data_.comparison)
        showMeasure();
    else
        showNothing();
}

} // namespace kl::ui
