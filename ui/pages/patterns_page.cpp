// SPDX-License-Identifier: MIT
#include "ui/pages/patterns_page.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QAbstractProxyModel>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace kl {

PatternsPage::PatternsPage(AppContext& context) : Page(context, tr("Patterns"))
{
    auto* content = new QWidget(this);
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(kGapBetween);
    auto* card = new Card({}, content);
    search_ = new QLineEdit(card);
    search_->setPlaceholderText(tr("Search title, problem and advice"));
    search_->setAccessibleName(tr("Search patterns"));
    search_->setClearButtonEnabled(true);
    connect(search_, &QLineEdit::textChanged, this, &PatternsPage::filter);
    table_ = new DataTable(QStringLiteral("patterns"), card);
    table_->setWidestColumn(240);
    table_->setStretchColumn(PatternTableModel::Title);
    table_->setSource(&model_);
    table_->setAccessibleName(tr("Patterns"));
    connect(table_, &DataTable::chosen, this, &PatternsPage::showDetail);
    list_ = new StateStack(table_, card);
    card->body()->addWidget(search_);
    card->body()->addWidget(list_, 1);
    columns->addWidget(card, 3);
    columns->addWidget(makeDetail(), 2);
    state_ = new StateStack(content, this);
    auto* whole = new QVBoxLayout;
    whole->addWidget(state_);
    makeScrollingBody(this, whole);
}

QWidget* PatternsPage::makeDetail()
{
    detail_ = new Card({}, this);
    const auto add = [this](const QString& heading, TextRole role) {
        detail_->body()->addWidget(makeLabel(heading, TextRole::caption, detail_));
        auto* label = makeLabel({}, role, detail_);
        label->setWordWrap(true);
        detail_->body()->addWidget(label);
        detail_->body()->addSpacing(kGapInside);
        return label;
    };
    problem_ = add(tr("Problem"), TextRole::body);
    advice_ = add(tr("What to do"), TextRole::body);
    savings_ = add(tr("Saves"), TextRole::body);
    uses_ = add(tr("Used here"), TextRole::body);
    origin_ = add(tr("Origin"), TextRole::body);
    apply_ = new ReasonedButton(tr("Apply in the session"), true, detail_);
    connect(apply_, &ReasonedButton::clicked, this, &PatternsPage::apply);
    detail_->body()->addWidget(apply_);
    detail_->body()->addStretch(1);
    return detail_;
}

Result<PatternsPage::Data> PatternsPage::load(Engine& engine)
{
    auto patterns = engine.store->patterns();
    if (!patterns)
        return patterns.error();
    auto applications = engine.store->applications();
    if (!applications)
        return applications.error();
    const auto returns = patternReturns(*patterns, *applications, {});
    Data found;
    for (const Pattern& pattern : *patterns) {
        PatternRow row{pattern, {}};
        for (const PatternReturn& gained : returns)
            if (gained.slug == pattern.slug)
                row.gained = gained;
        found.rows.push_back(std::move(row));
    }
    found.applications = std::move(*applications);
    return found;
}

void PatternsPage::refresh()
{
    state_->showLoading();
    context().read(
        loader_, [](Engine& engine, const Job&) { return load(engine); },
        [this](Result<Data> found) {
            if (!found) {
                state_->showError(found.error(), [this] { refresh(); });
                return;
            }
            all_ = std::move(found->rows);
            applications_ = std::move(found->applications);
            filter();
            state_->showContent();
        });
}

void PatternsPage::open(const QString& argument)
{
    chosen_ = utf8(argument);
    search_->clear();
}

void PatternsPage::filter()
{
    const QString words = search_->text().trimmed();
    std::vector<PatternRow> found;
    for (const PatternRow& row : all_) {
        const Pattern& p = row.pattern;
        if (q(p.title + " " + p.problem + " " + p.advice + " " + p.slug).contains(words, Qt::CaseInsensitive))
            found.push_back(row);
    }
    const std::string wanted = chosen_;
    model_.setRows(std::move(found));
    if (all_.empty())
        list_->showEmpty({QStringLiteral("patterns"),
                          tr("No patterns in this database"),
                          tr("A database that is opened for writing gets the shipped ones."),
                          {},
                          {}});
    else if (model_.rowCount() == 0)
        list_->showEmpty(
            {QStringLiteral("search"), tr("No pattern matches “%1”").arg(words), {}, tr("Clear the search"), [this] { search_->clear(); }});
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
    const Pattern& pattern = row->pattern;
    chosen_ = pattern.slug;
    detail_->setTitle(q(pattern.title));
    detail_->setCaption((pattern.label.empty() ? QString() : tr("No. %1 · ").arg(q(pattern.label))) + q(pattern.kind) +
                        QStringLiteral(" · ") + q(pattern.slug));
    problem_->setText(q(pattern.problem));
    advice_->setText(q(pattern.advice));
    savings_->setText(
        tr("Quoted: %1 each time\nMeasured here: %2")
            .arg(quotedText(pattern), row->gained.measuredMinutes ? q(formatMinutes(*row->gained.measuredMinutes)) : tr("nothing yet")));
    QStringList uses;
    for (const PatternApplication& use : applications_)
        if (use.pattern == pattern.slug)
            uses << relative(use.at) + (use.note.empty() ? QString() : QStringLiteral(" · ") + q(use.note));
    uses_->setText(uses.isEmpty() ? tr("Not applied in this database yet") : uses.mid(0, 6).join(u'\n'));
    origin_->setText(pattern.origin.empty() ? tr("Your own") : q(pattern.origin));
    const QString reason = context().writeReason();
    apply_->setReason(!reason.isEmpty()                    ? reason
                      : context().currentSession().empty() ? tr("Open a session first: a pattern is applied in one.")
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
                context().post(view.error(), tr("The pattern could not be applied"));
            else
                context().post({MessageLevel::success, tr("Pattern applied"), q(view->header.name), {}, {}, {}});
            refresh();
        });
}

} // namespace kl
