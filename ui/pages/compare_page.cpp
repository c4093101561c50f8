// SPDX-License-Identifier: MIT
#include "ui/pages/compare_page.h"

#include "ui/pages/compare/basket_card.h"
#include "ui/pages/compare/compare_tabs.h"
#include "ui/pages/compare/opening_pair.h"
#include "ui/pages/report_button.h"
#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace kl {

ComparePage::ComparePage(AppContext& context) : Page(context, tr("Compare"))
{
    addAction(makeReportButton(context, this, tr("Save as a report…"), QStringLiteral("comparison.html"), [this] { return report(); }));
    auto* content = new QWidget(this);
    auto* right = new QVBoxLayout(content);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(kGapBetween);
    right->addWidget(makeVerdict());
    tabs_ = new CompareTabs(content);
    right->addWidget(tabs_, 1);
    state_ = new StateStack(content, this);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kGapBetween);
    basketCard_ = new BasketCard(this);
    connect(basketCard_, &BasketCard::added, this, [this](const QString& id) {
        basket_ = shownIds();
        open(QStringLiteral("run:") + id);
        refresh();
    });
    connect(basketCard_, &BasketCard::removed, this, [this](const QString& id) {
        basket_ = shownIds();
        std::erase(basket_, utf8(id));
        comparison_.clear();
        refresh();
    });
    columns->addWidget(basketCard_);
    columns->addWidget(state_, 1);
    makeScrollingBody(this, columns);
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
    if (basket.empty() && comparison.empty()) {
        RunPair pair = openingPair(*engine.catalogue, loaded.runs);
        basket = std::move(pair.ids);
        loaded.why = std::move(pair.why);
    }
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
    if (data_.why.empty()) // what the window chose itself gives way to the first run that the user adds elsewhere
        basket_ = shownIds();
    basketCard_->setRuns(data_.basket, data_.runs, q(data_.why));
    if (!data_.comparison) {
        state_->showEmpty({QStringLiteral("compare"),
                           tr("Nothing to compare yet"),
                           tr("A comparison needs two runs. Add them on the left, or with “Add to Compare” on a diagnosis."),
                           {},
                           {}});
        return;
    }
    showVerdict();
    tabs_->show(*data_.comparison, data_.basket);
    state_->showContent();
}

std::vector<std::string> ComparePage::shownIds() const
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

} // namespace kl
