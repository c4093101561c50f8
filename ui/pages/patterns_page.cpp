// SPDX-License-Identifier: MIT
#include "ui/pages/patterns_page.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/patterns/add_pattern.h"
#include "ui/pages/environment/checked_machine.h"
#include "ui/pages/patterns/add_pattern_card.h"
#include "ui/pages/patterns/flow_view.h"
#include "ui/pages/patterns/pattern_detail.h"
#include "ui/pages/report_button.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/layout_pause.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QAbstractProxyModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace kl::ui {

PatternsPage::PatternsPage(AppContext& context, QWidget* parent) : Page(context, tr("Patterns"), parent)
{
    addAction(makeReportButton(context, this, tr("Save report…"), QStringLiteral("patterns.html"),
                               [&context] { return patternReport(context.store()); }));
    auto* whole = new QVBoxLayout;
    QWidget* body = makeScrollingBody(this, whole)->widget();
    auto* content = new QWidget(body);
    state_ = new StateStack(content, body);
    whole->addWidget(state_);
    auto* rows = new QVBoxLayout(content);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kGapBetween);
    rows->addWidget(makeFlow(content));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kGapBetween);
    columns->addWidget(makeList(content), 1);
    side_ = new QStackedWidget(content);
    side_->addWidget(makeDetail(side_));
    form_ = new AddPatternCard(side_);
    side_->addWidget(form_);
    columns->addWidget(side_, 1);
    rows->addLayout(columns, 1);
    connect(form_, &AddPatternCard::saved, this, &PatternsPage::save);
    connect(form_, &AddPatternCard::canceled, this, [this] { side_->setCurrentIndex(0); });
}

QWidget* PatternsPage::makeFlow(QWidget* parent)
{
    flowCard_ = new Card({}, parent);
    flow_ = new FlowView(flowCard_);
    connect(flow_, &FlowView::patternChosen, this, [this](const QString& slug) {
        side_->setCurrentIndex(0);
        search_->clear();
        choose(utf8(slug));
    });
    flowCard_->body()->addWidget(flow_);
    return flowCard_;
}

QWidget* PatternsPage::makeList(QWidget* parent)
{
    auto* card = new Card({}, parent);
    search_ = new QLineEdit(card);
    search_->setPlaceholderText(tr("Search titles, problems, and advice"));
    search_->setToolTip(search_->placeholderText());
    search_->setObjectName(QStringLiteral("patternSearch"));
    search_->setAccessibleName(tr("Search patterns"));
    search_->setClearButtonEnabled(true);
    connect(search_, &QLineEdit::textChanged, this, &PatternsPage::search);
    table_ = new DataTable(QStringLiteral("patterns"), card);
    table_->setWidestColumn(240);
    table_->setStretchColumn(PatternTableModel::Title);
    table_->setOptionalColumns({PatternTableModel::Return, PatternTableModel::Label, PatternTableModel::Kind}, 250);
    table_->setWrapped(true);
    table_->setSource(&model_);
    table_->setAccessibleName(tr("Patterns"));
    connect(table_, &DataTable::chosen, this, &PatternsPage::showDetail);
    list_ = new StateStack(table_, card);
    suggestions_ = new QVBoxLayout;
    suggestions_->setSpacing(kGapTight);
    card->body()->addWidget(search_);
    card->body()->addLayout(suggestions_);
    card->body()->addWidget(list_, 1);
    totals_ = makeLabel({}, TextRole::caption, card);
    totals_->setWordWrap(true);
    card->body()->addWidget(totals_);
    new_ = new ReasonedButton(tr("New pattern…"), false, card);
    new_->button()->setObjectName(QStringLiteral("newPattern"));
    connect(new_, &ReasonedButton::clicked, this, &PatternsPage::addBlank);
    add_ = new ReasonedButton(tr("Add from the session"), false, card);
    add_->button()->setObjectName(QStringLiteral("addPattern"));
    connect(add_, &ReasonedButton::clicked, this, &PatternsPage::draft);
    card->body()->addWidget(new_);
    card->body()->addWidget(add_);
    return card;
}

QWidget* PatternsPage::makeDetail(QWidget* parent)
{
    detail_ = new PatternDetail(parent);
    connect(detail_, &PatternDetail::applyRequested, this, &PatternsPage::apply);
    connect(detail_, &PatternDetail::editRequested, this, &PatternsPage::edit);
    connect(detail_, &PatternDetail::retireRequested, this, &PatternsPage::retire);
    connect(detail_, &PatternDetail::recipeRequested, this, &PatternsPage::fillRecipe);
    return detail_;
}

void PatternsPage::refresh()
{
    state_->showLoading();
    context().read(
        loader_, [session = context().currentSession()](Engine& engine, const Job&) { return readPatterns(engine, session); },
        [this](Result<PatternsData> found) {
            if (!found) {
                state_->showError(found.error(), [this] { refresh(); });
                return;
            }
            const LayoutPause pause(*this);
            show(std::move(*found));
            state_->showContent();
        });
}

void PatternsPage::show(PatternsData found)
{
    data_ = std::move(found);
    const FlowNode* next = data_.flow.next();
    flowCard_->setTitle(next ? tr("Next: %1").arg(q(next->title)) : tr("When to apply which pattern"));
    flowCard_->setCaption(data_.flowOf.empty() ? tr("Nothing measured yet: start on the left.") : tr("As of the %1.").arg(q(data_.flowOf)));
    flow_->setFlow(data_.flow);
    const QString reason = context().writeReason();
    new_->setReason(reason);
    add_->setText(data_.lastName.empty() ? tr("Add from session") : tr("Add from %1").arg(q(data_.lastName)));
    add_->setReason(!reason.isEmpty()           ? reason
                    : data_.lastSession.empty() ? tr("Patterns are drafted from a session. Open one first.")
                                                : QString());
    form_->setLocked(reason);
    const PatternReturn all = computeTotal(data_.history.patterns);
    if (all.applications == 0)
        totals_->setText(tr("No patterns applied in this database yet. Cost to learn: %1.")
                             .arg(all.investedHigh ? q(formatMinutes(*all.investedHigh)) : tr("an unknown amount")));
    else
        totals_->setText(tr("All patterns: %1 uses · saved %2 measured, %3 claimed · cost to learn %4 · return %5 measured, %6 claimed")
                             .arg(all.applications)
                             .arg(all.measuredMinutes ? q(formatMinutes(*all.measuredMinutes)) : tr("none yet"),
                                  all.quotedMinutes ? q(formatMinutes(*all.quotedMinutes)) : tr("none"),
                                  all.investedHigh ? q(formatMinutes(*all.investedHigh)) : tr("unknown"),
                                  q(formatRatio(all.measuredReturn)), q(formatRatio(all.quotedReturn))));
    showSuggestions();
    search();
}

void PatternsPage::showSuggestions()
{
    clearLayout(suggestions_);
    int shown = 0;
    for (const Suggestion& suggestion : data_.suggestions) {
        if (suggestion.applied || shown == 3)
            continue;
        ++shown;
        auto* row = new QWidget(this);
        auto* cells = new QHBoxLayout(row);
        cells->setContentsMargins(0, 0, 0, 0);
        QString title = q(suggestion.slug);
        for (const PatternRow& pattern : data_.rows)
            if (pattern.pattern.slug == suggestion.slug)
                title = q(pattern.pattern.title);
        auto* link = makeLinkButton(title, row);
        link->setObjectName(QStringLiteral("suggestion-") + q(suggestion.slug));
        for (const NextStep& step : suggestion.next)
            if (step.id == StepId::showPattern) // this page does it, and applies it there
                connect(link, &QPushButton::clicked, this, [this, slug = step.at(StepArgument::pattern)] { choose(slug); });
        cells->addWidget(link);
        cells->addWidget(makeLabel(tr("suggested now: %1").arg(q(suggestion.why)), TextRole::caption, row), 1);
        suggestions_->addWidget(row);
    }
}

void PatternsPage::open(const QString& argument)
{
    chosen_ = utf8(argument);
    search_->clear();
}

void PatternsPage::search()
{
    context().read(
        searcher_, [words = utf8(search_->text())](Engine& engine, const Job&) { return engine.store->searchPatterns(words); },
        [this](const Result<std::vector<std::string>>& slugs) {
            if (!slugs)
                list_->showError(slugs.error(), [this] { search(); });
            else
                showFound(*slugs);
        });
}

void PatternsPage::showFound(const std::vector<std::string>& slugs)
{
    std::vector<PatternRow> found;
    for (const std::string& slug : slugs)
        for (const PatternRow& row : data_.rows)
            if (row.pattern.slug == slug)
                found.push_back(row);
    const std::string wanted = chosen_;
    model_.setRows(std::move(found));
    if (data_.rows.empty())
        list_->showEmpty({QStringLiteral("patterns"),
                          tr("No patterns in this database"),
                          tr("A database opened for writing gets the built-in patterns."),
                          {},
                          {}});
    else if (model_.rowCount() == 0)
        list_->showEmpty(
            {QStringLiteral("search"), tr("No patterns match “%1”").arg(search_->text().trimmed()), {}, tr("Clear search"), [this] {
                 search_->clear();
             }});
    else
        list_->showContent();
    choose(wanted);
}

void PatternsPage::choose(const std::string& slug)
{
    int row = 0;
    for (int i = 0; i < model_.rowCount(); ++i)
        if (model_.at(i)->pattern.slug == slug)
            row = i;
    const auto* proxy = qobject_cast<const QAbstractProxyModel*>(table_->model());
    const QModelIndex index = proxy->mapFromSource(model_.index(row, PatternTableModel::Title));
    if (index.isValid())
        table_->setCurrentIndex(index);
    showDetail(row);
}

void PatternsPage::showDetail(int index)
{
    const PatternRow* row = model_.at(index);
    detail_->setVisible(row != nullptr);
    if (!row)
        return;
    chosen_ = row->pattern.slug;
    detail_->show(*row, data_.bodies[chosen_], data_.retired.contains(chosen_), describeUses(data_.history, chosen_));
    const QString reason = context().writeReason();
    detail_->setReasons(!reason.isEmpty()                    ? reason
                        : context().currentSession().empty() ? tr("Open a session first; patterns are applied in a session.")
                                                             : QString(),
                        reason);
}

void PatternsPage::apply()
{
    context().run(
        writer_, {},
        [slug = chosen_, session = context().currentSession()](Engine& engine, const Job&) {
            return engine.sessions.applyPattern(session, slug);
        },
        [this](Result<SessionView> view) {
            if (!view)
                context().post(view.error(), tr("Could not apply the pattern"));
            else
                context().post({MessageLevel::success, tr("Pattern applied"), q(view->header.name), {}});
            refresh();
        });
}

void PatternsPage::showForm()
{
    side_->setCurrentIndex(1);
}

void PatternsPage::addBlank()
{
    form_->setDraft(Pattern{});
    showForm();
}

void PatternsPage::draft()
{
    context().run(
        writer_, {}, [id = SessionId{data_.lastSession}](Engine& engine, const Job&) { return engine.sessions.view(id); },
        [this](const Result<SessionView>& view) {
            if (!view) {
                context().post(view.error(), tr("Could not read the session"));
                return;
            }
            form_->setDraft(draftPattern(*view));
            showForm();
        });
}

void PatternsPage::edit()
{
    for (const PatternRow& row : data_.rows)
        if (row.pattern.slug == chosen_) {
            Pattern pattern = row.pattern;
            if (pattern.kind == "own") {
                form_->setEdited(pattern, data_.bodies[chosen_]);
            } else {
                pattern.title = utf8(tr("%1 (my version)").arg(exact(pattern.title)));
                pattern.label.clear();
                pattern.learnedIn.clear();
                form_->setDraft(pattern, data_.bodies[chosen_]);
            }
            showForm();
        }
}

void PatternsPage::retire(bool retired)
{
    context().run(
        writer_, {}, [slug = chosen_, retired](Engine& engine, const Job&) { return retirePattern(*engine.store, slug, retired); },
        [this](const Status& done) {
            if (!done)
                context().post(done.error(), tr("Could not change the pattern"));
            refresh();
        });
}

void PatternsPage::fillRecipe()
{
    const MachineWanted present{context().device(), {}, {}};
    checker_.start(
        tr("Checking %1").arg(machineName(present.device)),
        [engine = context().engine(), present](const Job& job) { return checkOneMachine(*engine, present, job); },
        [this](const Result<CheckedMachine>& checked) {
            if (!checked)
                return context().post(checked.error(), tr("Could not check the environment"));
            detail_->setRecipe(q(recipeMarkdown(checked->recipe)));
        });
}

void PatternsPage::save(const Pattern& pattern, const PatternBody& body, bool replace)
{
    context().run(
        writer_, {},
        [pattern, body, replace](Engine& engine, const Job&) -> Result<Pattern> {
            KL_ASSIGN(Pattern added, addPattern(*engine.store, pattern, replace));
            KL_TRY(setPatternBody(*engine.store, added.slug, body));
            return added;
        },
        [this](const Result<Pattern>& added) {
            if (!added) {
                context().post(added.error(), tr("Could not save the pattern"));
                return;
            }
            chosen_ = added->slug;
            side_->setCurrentIndex(0);
            refresh();
        });
}

} // namespace kl::ui
