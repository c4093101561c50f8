// SPDX-License-Identifier: MIT
#include "ui/pages/environment/machine_cards.h"

#include "core/base/format.h"
#include "core/device/shared_memory.h"
#include "core/model/model_words.h"
#include "sessions/hosts/host_list.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace kl::ui {
namespace {

QGridLayout* addGrid(Card* card)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kGapBetween);
    grid->setVerticalSpacing(kGapTight);
    card->body()->addLayout(grid);
    return grid;
}

void addCells(QGridLayout* grid, const QStringList& cells, TextRole role, QWidget* parent)
{
    const int row = grid->rowCount();
    for (int column = 0; column < cells.size(); ++column) {
        QLabel* cell = makeLabel(cells[column], role, parent);
        cell->setWordWrap(column == 0);
        grid->addWidget(cell, row, column, (column == 0 ? Qt::Alignment() : Qt::AlignRight) | Qt::AlignTop);
    }
}

QString bytesText(std::int64_t bytes)
{
    return q(formatWithUnit(static_cast<double>(bytes) / 1024, "KiB"));
}

/// With its GPUs, or why it has none that can be used.
QString describe(const KnownHost& host)
{
    const std::string more = host.state == HostState::ready ? gpusText(host) : host.reason;
    return more.empty() ? q(host.host) : q(host.host) + QStringLiteral("\n") + q(more);
}

} // namespace

DevicesCard::DevicesCard(AppContext& context, QWidget* parent) : Card(tr("GPUs and hosts"), parent), context_(context), rows_(addGrid(this))
{
    rows_->setColumnStretch(0, 1);
}

void DevicesCard::show(const CheckedMachine& checked)
{
    const std::vector<DeviceInfo>& gpus = checked.gpus;
    clearLayout(rows_);
    setCaption(gpus.empty() ? tr("No usable GPU: %1.").arg(machineName(checked.device)) : QString());
    if (!gpus.empty())
        addCells(rows_, {tr("GPU"), tr("Capability"), tr("SMs"), tr("Per block"), tr("Per SM")}, TextRole::caption, this);
    const bool recorded = checked.device.kind == DeviceKind::sample; // cards of several recordings, one at a time: none is counted
    std::vector<std::pair<QStringList, int>> kinds;                  // equal ones in one line
    for (const DeviceInfo& gpu : gpus) {
        const QStringList cells{q(gpu.name), QStringLiteral("%1.%2").arg(gpu.ccMajor).arg(gpu.ccMinor), QString::number(gpu.smCount),
                                bytesText(gpu.smemPerBlockOptin), bytesText(gpu.smemPerSm)};
        const auto known = std::ranges::find(kinds, cells, &std::pair<QStringList, int>::first);
        if (known == kinds.end())
            kinds.emplace_back(cells, 1);
        else
            ++known->second;
    }
    for (auto& [cells, count] : kinds) {
        if (count > 1 && !recorded)
            cells.front() = QStringLiteral("%1 × %2").arg(count).arg(cells.front());
        addCells(rows_, cells, TextRole::body, this);
    }
    const Result<std::vector<KnownHost>> hosts = HostList().list();
    if (!hosts)
        return context_.post(hosts.error(), tr("Could not read the list of hosts"));
    if (hosts->empty())
        return;
    addCells(rows_, {tr("Host"), tr("State"), tr("$/hour"), tr("Cost"), tr("Last used")}, TextRole::caption, this);
    for (const KnownHost& host : *hosts)
        addCells(rows_,
                 {describe(host), q(toWord(host.state)), host.dollarsPerHour ? q(formatMoney(*host.dollarsPerHour)) : QString(),
                  host.dollars > 0 ? q(formatMoney(host.dollars)) : QString(), q(lastUse(host))},
                 TextRole::body, this);
}

Card* makeLimitsCard(QWidget* parent)
{
    auto* card = new Card(QObject::tr("Shared memory limits"), parent);
    card->setCaption(QObject::tr("Shared memory per block: the commonly quoted limit, and the actual one."));
    QGridLayout* grid = addGrid(card);
    grid->setColumnStretch(0, 1);
    addCells(grid, {QObject::tr("GPU"), QObject::tr("Commonly quoted"), QObject::tr("Actual")}, TextRole::caption, card);
    for (const CorrectedLimit& limit : listCorrectedLimits()) {
        addCells(grid, {q(limit.gpu), bytesText(limit.quoted), bytesText(limit.limit)}, TextRole::body, card);
        QLabel* why = makeLabel(q(limit.why), TextRole::caption, card);
        why->setWordWrap(true);
        grid->addWidget(why, grid->rowCount(), 0, 1, 3);
    }
    return card;
}

} // namespace kl::ui
