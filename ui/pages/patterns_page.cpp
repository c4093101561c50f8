// SPDX-License-Identifier: MIT
#include "ui/pages/patterns_page.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/patterns/add_pattern.h"
#include "ui/pages/patterns/add_pattern_card.h"
#include "ui/pages/report_button.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
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

PatternsPage::PatternsPage(AppContext& context) : Page(context, tr("Patterns"))
{
    addAction(makeReportButton(context, this, tr("Save quick reference…"), QStringLiteral("quick-reference.html"),
                               [&context] { return quickReference(context.tree()); }));
    addAction(makeReportButton(context, this, tr("Save report…"), QStringLiteral("patterns.html"),
                               [&context] { return patternReport(context.store()); }));
    auto* content = new QWidget(this);
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(kGapBetween);
    columns->addWidget(makeList(), 3);
    side_ = new QStackedWidget(content);
    side_->addWidget(makeDetail());
    form_ = new AddPatternCard(side_);
    side_->addWidget(form_);
    columns->addWidget(side_, 2);
    connect(form_, &AddPatternCard::saved, this, &PatternsPage::add);
    connect(form_, &AddPatternCard::canceled, this, [this] { side_->setCurrentIndex(0); });
    state_ = new StateStack(content, this);
    auto* whole = new QVBoxLayout;
    whole->addWidget(state_);
    makeScrollingBody(this, whole);
}

QWidget* PatternsPage::makeList()
{
    auto* card = new Card({}, this);
    search_ = new QLineEdit(card);
    search_->setPlaceholderText(tr("Search titles, problems, and advice"));
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
    add_ = new ReasonedButton(tr("Add from the session"), false, card);
    add_->button()->setObjectName(QStringLiteral("addPattern"));
    connect(add_, &ReasonedButton::clicked, this, &PatternsPage::draft);
    totals_ = makeLabel({}, TextRole::caption, card);
    totals_->setWordWrap(true);
    card->body()->addWidget(totals_);
    card->body()->addWidget(add_);
    return card;
}

QWidget* PatternsPage::makeDetail()
{
    detail_ = new Card({}, this);
    const auto add = [this](const QString& heading) {
        detail_->body()->addWidget(makeLabel(heading, TextRole::caption, detail_));
        auto* label = makeLabel({}, TextRole::body, detail_);
        label->setWordWrap(true);
        detail_->body()->addWidget(label);
        detail_->body()->addSpacing(kGapInside);
        return label;
    };
    problem_ = add(tr("Problem"));
    advice_ = add(tr("What to do"));
    savings_ = add(tr("Saves"));
    return_ = add(tr("Return on cost to learn"));
    uses_ = add(tr("Uses"));
    uses_->setObjectName(QStringLiteral("patternUses"));
    origin_ = add(tr("Origin"));
    apply_ = new ReasonedButton(tr("Apply in session"), true, detail_);
    apply_->button()->setObjectName(QStringLiteral("applyPattern"));
    connect(apply_, &ReasonedButton::clicked, this, &PatternsPage::apply);
    detail_->body()->addWidget(apply_);
    detail_->body()->addStretch(1);
    return detail_;
}

Result<PatternsPage::Data> PatternsPage::load(Engine& engine, const SessionId& session)
{
    KL_ASSIGN(auto patterns, engine.store->patterns());
    KL_ASSIGN(auto history, loadHistory(*engine.store));
    Data found;
    for (const HistoryRow& row : history.rows)
        if (!row.sample && (found.lastSession != session.text || session.empty())) {
            found.lastSession = row.id;
            found.lastName = row.name;
        }
    if (!session.empty()) {
        const auto library = PatternLibrary::embedded();
        const auto view = engine.sessions.view(session);
        if (library && view)
            found.suggestions = suggestionsFor(*library, patterns, *view);
    }
    for (const Pattern& pattern : patterns) {
        PatternRow row{pattern, {}};
        for (const PatternReturn& gained : history.patterns)
            if (gained.slug == pattern.slug)
                row.gained = gained;
        found.rows.push_back(std::move(row));
    }
    found.history = std::move(history);
    return found;
}

void PatternsPage::refresh()
{
    state_->showLoading();
    context().read(
        loader_, [session = context().currentSession()](Engine& engine, const Job&) { return load(engine, session); },
        [this](Result<Data> found) {
            if (!found) {
                state_->showError(found.error(), [this] { refresh(); });
                return;
            }
            show(std::move(*found));
            state_->showContent();
        });
}

void PatternsPage::show(Data found)
{
    data_ = std::move(found);
    const QString reason = context().writeReason();
    add_->setText(data_.lastName.empty() ? tr("Add from session") : tr("Add from %1").arg(q(data_.lastName)));
    add_->setReason(!reason.isEmpty()           ? reason
                    : data_.lastSession.empty() ? tr("Patterns are drafted from a session. Open one first.")
                                                : QString());
    form_->setLocked(reason);
    const PatternReturn all = totalOf(data_.history.patterns);
    if (all.applications == 0)
        totals_->setText(tr("No patterns applied in this database yet. Cost to learn: %1.")
                             .arg(all.investedHigh ? q(formatMinutes(*all.investedHigh)) : tr("an unknown amount")));
    else
        totals_->setText(tr("All patterns: %1 uses · saved %2 measured, %3 quoted · cost to learn %4 · return %5 measured, %6 quoted")
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
        connect(link, &QPushButton::clicked, this, [this, slug = suggestion.slug] { choose(slug); });
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

QString PatternsPage::describeUses(const std::string& slug) const
{
    constexpr int kMostUses = 6;
    QStringList uses;
    const History& history = data_.history;
    for (auto use = history.applications.rbegin(); use != history.applications.rend() && uses.size() < kMostUses; ++use) {
        if (use->pattern != slug)
            continue;
        QString line = relative(use->at);
        for (const HistoryRow& row : history.rows)
            if (row.id == use->session)
                line = q(row.name);
        const auto how = std::find_if(history.savings.begin(), history.savings.end(), [&](const MeasuredSaving& saving) {
            return saving.session == use->session && saving.pattern == slug;
        });
        line += use->measuredMinutes ? tr(" · measured %1").arg(q(formatMinutes(*use->measuredMinutes))) : tr(" · not measured");
        if (how != history.savings.end())
            line += QStringLiteral(": ") + q(how->why);
        if (!use->note.empty())
            line += QStringLiteral(" · ") + q(use->note);
        uses << line;
    }
    return uses.isEmpty() ? tr("Not applied in this database yet") : uses.join(u'\n');
}

void PatternsPage::showDetail(int index)
{
    const PatternRow* row = model_.at(index);
    detail_->setVisible(row != nullptr);
    if (!row)
        return;
    const Pattern& pattern = row->pattern;
    chosen_ = pattern.slug;
    detail_->setTitle(q(pattern.title));
    detail_->setCaption((pattern.label.empty() ? QString() : tr("No. %1 · ").arg(q(pattern.label))) + q(pattern.kind) +
                        QStringLiteral(" · ") + q(pattern.slug));
    problem_->setText(q(pattern.problem));
    advice_->setText(q(pattern.advice));
    savings_->setText(
        tr("Quoted: %1 per use\nMeasured here: %2")
            .arg(formatQuoted(pattern), row->gained.measuredMinutes ? q(formatMinutes(*row->gained.measuredMinutes)) : tr("none yet")));
    return_->setText(returnText(row->gained));
    uses_->setText(describeUses(pattern.slug));
    origin_->setText(pattern.origin.empty() ? tr("Your own") : q(pattern.origin));
    const QString reason = context().writeReason();
    apply_->setReason(!reason.isEmpty()                    ? reason
                      : context().currentSession().empty() ? tr("Open a session first; patterns are applied in a session.")
                                                           : QString());
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
            side_->setCurrentIndex(1);
        });
}

void PatternsPage::add(const Pattern& pattern)
{
    context().run(
        writer_, {}, [pattern](Engine& engine, const Job&) { return addPattern(*engine.store, pattern); },
        [this](const Result<Pattern>& added) {
            if (!added) {
                context().post(added.error(), tr("Could not add the pattern"));
                return;
            }
            chosen_ = added->slug;
            side_->setCurrentIndex(0);
            refresh();
        });
}

} // namespace kl::ui
