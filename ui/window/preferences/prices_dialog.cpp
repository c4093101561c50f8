// SPDX-License-Identifier: MIT
#include "ui/window/preferences/prices_dialog.h"

#include "core/base/format.h"
#include "sessions/hosts/host_list.h"
#include "sessions/learning/money.h"
#include "ui/context/app_context.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"
#include "ui/window/preferences/value_table.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr QSize kPricesSize(720, 560);

} // namespace

PricesDialog::PricesDialog(AppContext& context, QWidget* parent)
    : Dialog(parent), context_(context), hosts_(new ValueTable({tr("Host"), tr("GPUs")}, tr("Hosts, dollars per hour"), this)),
      prices_(new ValueTable({tr("GPU"), tr("From")}, tr("GPUs, dollars per hour"), this))
{
    setWindowTitle(tr("Hosts and prices"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapBetween, kGapPage, kGapBetween);
    column->setSpacing(kGapInside);
    column->addWidget(makeHosts(), 1);
    column->addWidget(makePrices(), 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(kPricesSize);
    showHosts();
    showPrices();
}

QWidget* PricesDialog::makeHosts()
{
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(makeLabel(tr("Hosts: dollars per hour of the machine, 0 for the price of its GPU"), TextRole::card, box));
    hosts_->setObjectName(QStringLiteral("hostPrices"));
    column->addWidget(hosts_, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapInside);
    name_ = new QLineEdit(box);
    name_->setObjectName(QStringLiteral("hostName"));
    name_->setPlaceholderText(tr("Host as ssh takes it, or slurm:PARTITION"));
    name_->setAccessibleName(name_->placeholderText());
    QPushButton* add = makeButton(tr("Add host"), false, box);
    add->setObjectName(QStringLiteral("hostAdd"));
    remove_ = makeButton(tr("Remove host"), false, box);
    remove_->setObjectName(QStringLiteral("hostRemove"));
    row->addWidget(name_, 1);
    row->addWidget(add);
    row->addWidget(remove_);
    column->addLayout(row);
    connect(add, &QPushButton::clicked, this, &PricesDialog::addHost);
    connect(remove_, &QPushButton::clicked, this, &PricesDialog::removeHost);
    connect(hosts_, &QTableWidget::itemSelectionChanged, this, [this] { remove_->setEnabled(!hosts_->selectedItems().isEmpty()); });
    connect(hosts_, &ValueTable::edited, this, &PricesDialog::saveHosts, Qt::QueuedConnection); // fills the table again
    return box;
}

void PricesDialog::saveHosts()
{
    for (const auto& [host, dollars] : hosts_->collectChanged())
        if (const Status done = HostList().change(
                host,
                [dollars = dollars](KnownHost& known) { known.dollarsPerHour = dollars > 0 ? std::optional(dollars) : std::nullopt; });
            !done)
            context_.post(done.error(), tr("Could not save the price"));
    showHosts();
}

QWidget* PricesDialog::makePrices()
{
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(makeLabel(tr("GPUs: dollars per hour"), TextRole::card, box));
    prices_->setObjectName(QStringLiteral("gpuPrices"));
    column->addWidget(prices_, 1);
    const QString reason = context_.writeReason();
    prices_->setEnabled(reason.isEmpty());
    if (!reason.isEmpty())
        column->addWidget(makeLabel(reason, TextRole::caption, box));
    connect(prices_, &ValueTable::edited, this, &PricesDialog::savePrices, Qt::QueuedConnection);
    return box;
}

void PricesDialog::savePrices()
{
    for (const auto& [gpu, dollars] : prices_->collectChanged())
        if (const Status done = setGpuPrice(*context_.engine()->store, gpu, dollars); !done)
            context_.post(done.error(), tr("Could not save the price"));
    showPrices();
    context_.pollData();
}

void PricesDialog::showHosts()
{
    std::vector<ValueRow> rows;
    const Result<std::vector<KnownHost>> known = HostList().list();
    if (known)
        for (const KnownHost& host : *known)
            rows.push_back({host.host, {q(host.host), q(gpusText(host))}, q(host.note), host.dollarsPerHour.value_or(0), 0});
    else
        context_.post(known.error());
    hosts_->setRows(std::move(rows));
    remove_->setEnabled(false);
}

void PricesDialog::showPrices()
{
    const Result<std::vector<GpuPrice>> shipped = loadShippedPrices();
    const Result<std::vector<GpuPrice>> known = gpuPrices(context_.store());
    if (!known)
        return context_.post(known.error());
    std::vector<ValueRow> rows;
    for (const GpuPrice& price : *known) {
        double usual = price.dollarsPerHour;
        if (shipped)
            if (const auto same = std::ranges::find(*shipped, price.gpu, &GpuPrice::gpu); same != shipped->end())
                usual = same->dollarsPerHour;
        rows.push_back({price.gpu, {q(price.gpu), q(price.priceClass + ", " + price.date)}, q(price.source), price.dollarsPerHour, usual});
    }
    prices_->setRows(std::move(rows));
}

void PricesDialog::addHost()
{
    const std::string host = utf8(name_->text().trimmed());
    if (host.empty())
        return name_->setFocus();
    if (const Status done = HostList().change(host, [](KnownHost&) {}); !done)
        return context_.post(done.error(), tr("Could not add the host"));
    name_->clear();
    showHosts();
}

void PricesDialog::removeHost()
{
    const QList<QTableWidgetItem*> chosen = hosts_->selectedItems();
    if (chosen.isEmpty())
        return;
    if (const Status done = HostList().remove(utf8(hosts_->item(chosen.front()->row(), 0)->text())); !done)
        context_.post(done.error(), tr("Could not remove the host"));
    showHosts();
}

} // namespace kl::ui
