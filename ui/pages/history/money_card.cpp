// SPDX-License-Identifier: MIT
#include "ui/pages/history/money_card.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "ui/style/theme.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {

namespace {

QDoubleSpinBox* makeMoney(const char* name, QWidget* parent)
{
    auto* box = new NumberBox(parent);
    box->setObjectName(QString::fromLatin1(name));
    box->setRange(0, 100000);
    box->setDecimals(2);
    box->setPrefix(QStringLiteral("$"));
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    return box;
}

QLabel* makeLine(const QString& words, TextRole role, QWidget* parent)
{
    auto* label = makeLabel(words, role, parent);
    label->setWordWrap(true);
    return label;
}

} // namespace

MoneyCard::MoneyCard(AppContext& context, QWidget* parent)
    : Card(tr("Cost"), parent), context_(context), sums_(new QVBoxLayout), entries_(new QVBoxLayout)
{
    body()->addLayout(sums_);
    body()->addWidget(makeHairline(this));
    body()->addWidget(makeSettings());
    body()->addWidget(makeHairline(this));
    body()->addWidget(makeEntry());
    body()->addLayout(entries_);
    body()->addStretch(1);
}

QWidget* MoneyCard::makeSettings()
{
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    auto* form = new QFormLayout;
    column->addLayout(form);
    gpu_ = new QComboBox(box);
    gpu_->setObjectName(QStringLiteral("gpuName"));
    gpu_->setEditable(true);
    price_ = makeMoney("gpuPrice", box);
    source_ = makeLine({}, TextRole::caption, box);
    rate_ = makeMoney("engineerRate", box);
    target_ = makeMoney("costTarget", box);
    save_ = new ReasonedButton(tr("Save prices and rates"), false, box);
    save_->button()->setObjectName(QStringLiteral("savePrices"));
    form->addRow(tr("GPU"), gpu_);
    form->addRow(tr("Price per hour"), price_);
    form->addRow(tr("Engineering rate per hour"), rate_);
    form->addRow(tr("Cost target per session"), target_);
    column->addWidget(source_);
    column->addWidget(save_);
    connect(gpu_, &QComboBox::currentTextChanged, this, [this](const QString& name) {
        const auto known = findPrice(prices_, utf8(name));
        price_->setValue(known ? known->dollarsPerHour : 0);
        source_->setText(known ? tr("The price is a %1 from %2: %3")
                                     .arg(q(known->priceClass == "own"       ? "setting"
                                            : known->priceClass == "derived" ? "derived value"
                                                                             : known->priceClass),
                                          q(known->date), q(known->source))
                               : tr("No price for this GPU."));
    });
    connect(save_, &ReasonedButton::clicked, this, [this] {
        change(tr("Could not save the prices"),
               [gpu = utf8(gpu_->currentText().trimmed()), price = price_->value(), rate = rate_->value(), target = target_->value(),
                before = findPrice(prices_, utf8(gpu_->currentText()))](Store& store) -> Status {
                   if (!gpu.empty() && price > 0 && (!before || before->dollarsPerHour != price))
                       KL_TRY(setGpuPrice(store, gpu, price));
                   KL_TRY(setEngineerRate(store, rate));
                   return setSessionCostTarget(store, target);
               });
    });
    return box;
}

QWidget* MoneyCard::makeEntry()
{
    auto* box = new QWidget(this);
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    session_ = new QComboBox(box);
    session_->setObjectName(QStringLiteral("costSession"));
    session_->setPlaceholderText(tr("no sessions of your own yet"));
    kind_ = new QComboBox(box);
    kind_->setObjectName(QStringLiteral("costKind"));
    for (const auto& [word, words] : {std::pair{"assistant", tr("assistant")}, std::pair{"gpu", tr("GPU")},
                                      std::pair{"other", tr("other cost")}, std::pair{"value", tr("value of the result")}})
        kind_->addItem(words, QString::fromLatin1(word));
    dollars_ = makeMoney("costDollars", box);
    note_ = new QLineEdit(box);
    note_->setObjectName(QStringLiteral("costNote"));
    note_->setPlaceholderText(tr("Purpose"));
    add_ = new ReasonedButton(tr("Add cost"), false, box);
    add_->button()->setObjectName(QStringLiteral("addCost"));
    form->addRow(tr("Session"), session_);
    form->addRow(tr("Category"), kind_);
    form->addRow(tr("Amount"), dollars_);
    form->addRow(tr("Note"), note_);
    form->addRow(QString(), add_);
    connect(add_, &ReasonedButton::clicked, this, [this] {
        change(tr("Could not add the cost"),
               [session = utf8(session_->currentData().toString()), kind = utf8(kind_->currentData().toString()),
                dollars = dollars_->value(), note = utf8(note_->text())](Store& store) -> Status {
                   const auto added = addCost(store, {session}, kind, dollars, note);
                   return added ? Status{} : Status{added.error()};
               });
        note_->clear();
    });
    return box;
}

Result<MoneyCard::Data> MoneyCard::load(const Store& store)
{
    KL_ASSIGN(auto prices, gpuPrices(store));
    KL_ASSIGN(auto entries, store.costs());
    return Data{std::move(prices), std::move(entries)};
}

void MoneyCard::show(const History& history, const Data& entered)
{
    prices_ = entered.prices;
    const QString gpu = gpu_->currentText();
    QString used; // of the newest session
    for (const HistoryRow& row : history.rows)
        if (!row.sample && !row.device.empty())
            used = q(row.device);
    gpu_->clear();
    for (const GpuPrice& price : prices_)
        gpu_->addItem(q(price.gpu));
    gpu_->setCurrentText(!gpu.isEmpty() ? gpu : !used.isEmpty() ? used : QStringLiteral("NVIDIA H200"));
    rate_->setValue(history.engineerRate);
    target_->setValue(history.sessionCostTarget);
    const QVariant chosen = session_->currentData();
    session_->clear();
    for (auto row = history.rows.rbegin(); row != history.rows.rend(); ++row)
        if (!row->sample)
            session_->addItem(q(row->name) + QStringLiteral(" · ") + q(row->kernel), q(row->id));
    session_->setCurrentIndex(std::max(0, session_->findData(chosen)));
    session_->setEnabled(session_->count() > 0);
    const QString reason = context_.writeReason();
    save_->setReason(reason);
    add_->setReason(!reason.isEmpty()        ? reason
                    : session_->count() == 0 ? tr("Open a session first; costs belong to a session.")
                                             : QString());
    showSums(history);
    showEntries(history, entered.entries);
}

void MoneyCard::showSums(const History& history)
{
    clearLayout(sums_);
    const HistoryTotals& own = history.own;
    const auto spent = own.sumSpent();
    const auto marked = [&](double dollars) { return (own.costDerived ? "~" : "") + formatMoney(dollars); };
    setTitle(spent ? tr("%1 spent in this database").arg(q(marked(*spent))) : tr("No cost recorded in this database"));
    if (spent)
        sums_->addWidget(makeLine(tr("%1 for bills and GPU time, %2 for work at %3 per hour")
                                      .arg(q(own.costHigh ? marked(*own.costHigh) : kNoValue),
                                           q(own.engineer ? formatMoney(*own.engineer) : kNoValue), q(formatMoney(history.engineerRate))),
                                  TextRole::body, this));
    const auto add = [&](const QString& what, std::optional<double> value) {
        if (value)
            sums_->addWidget(
                makeLine(tr("%1: %2, return %3").arg(what, q(formatMoney(*value)), q(formatRatio(returnOnInvestment(value, spent)))),
                         TextRole::body, this));
    };
    add(tr("Value entered"), own.valueEntered);
    add(tr("Time saved, measured"), own.valueMeasured);
    add(tr("Time saved, claimed"), own.valueQuoted);
    if (!history.notes.empty())
        sums_->addWidget(makeLine(q(history.notes.front()), TextRole::caption, this));
}

void MoneyCard::showEntries(const History& history, const std::vector<CostEntry>& entries)
{
    clearLayout(entries_);
    for (const CostEntry& entry : entries) {
        QString name = q(entry.session);
        for (const HistoryRow& row : history.rows)
            if (row.id == entry.session)
                name = q(row.name);
        auto* row = new QWidget(this);
        auto* cells = new QHBoxLayout(row);
        cells->setContentsMargins(0, 0, 0, 0);
        cells->addWidget(makeLine(tr("%1 · %2 %3").arg(name, q(entry.kind), q(formatMoney(entry.dollars))) +
                                      (entry.note.empty() ? QString() : QStringLiteral(" · ") + q(entry.note)),
                                  TextRole::body, row),
                         1);
        auto* remove = makeLinkButton(tr("Undo"), row);
        remove->setObjectName(QStringLiteral("removeCost"));
        remove->setEnabled(context_.writeReason().isEmpty());
        connect(remove, &QPushButton::clicked, this,
                [this, id = entry.id] { change(tr("Could not undo the entry"), [id](Store& store) { return store.removeCost(id); }); });
        cells->addWidget(remove);
        entries_->addWidget(row);
    }
}

void MoneyCard::change(const QString& failed, std::function<Status(Store&)> work)
{
    context_.run(
        writer_, {}, [work = std::move(work)](Engine& engine, const Job&) { return work(*engine.store); },
        [this, failed](const Status& done) {
            if (!done)
                context_.post(done.error(), failed);
        });
}

} // namespace kl::ui
