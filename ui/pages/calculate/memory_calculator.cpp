// SPDX-License-Identifier: MIT
#include "ui/pages/calculate/memory_calculator.h"

#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/input_card.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {

QString TierTableModel::header(int column) const
{
    static const char* const kNames[ColumnCount] = {"Memory", "Use for", "How to optimize", "Size and bandwidth"};
    return QCoreApplication::translate("TierTableModel", kNames[column]);
}

QVariant TierTableModel::cell(const TierAdvice& row, int column, int role) const
{
    const std::string words[ColumnCount] = {toWord(row.tier), row.useFor, row.optimize, row.size};
    return role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kSortRole ? QVariant(q(words[column])) : QVariant();
}

MemoryCalculator::MemoryCalculator(QWidget* parent) : QWidget(parent)
{
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, kGapInside, 0, 0);
    columns->setSpacing(kGapBetween);
    columns->addWidget(makeInputs());
    columns->addWidget(makeAnswers(), 1);
    calculate();
}

QWidget* MemoryCalculator::makeInputs()
{
    auto* card = new InputCard(tr("Data"), this);
    gpu_ = card->addChoice(QStringLiteral("gpu"), tr("GPU"), gpuNames(), gpuIndex(QStringLiteral("H200")));
    bytes_ = card->addWhole(QStringLiteral("bytes"), tr("Size"), 1, 2'000'000'000, 32768, tr(" B"));
    sharedBy_ = card->addChoice(QStringLiteral("sharedBy"), tr("Reused by"), {tr("one thread"), tr("one block"), tr("all blocks")}, 1);
    reads_ = card->addWhole(QStringLiteral("reads"), tr("Reads per element"), 1, 1'000'000, 8);
    readOnly_ = card->addFlag(QStringLiteral("readOnly"), tr("read-only while the kernel runs"));
    sameAddress_ = card->addFlag(QStringLiteral("sameAddress"), tr("all threads of a warp read the same address"));
    card->setCaption(tr("Size per thread, per block, or in total, depending on who reuses it"));
    card->body()->addStretch(1);
    fixColumn(card, 320);
    connect(card, &InputCard::changed, this, &MemoryCalculator::calculate);
    return card;
}

QWidget* MemoryCalculator::makeAnswers()
{
    auto* area = new QWidget(this);
    auto* rows = new QVBoxLayout(area);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kGapBetween);
    placement_ = new Card({}, area);
    placement_->setTone(QStringLiteral("accent"));
    why_ = makeLabel({}, TextRole::body, placement_);
    next_ = makeLabel({}, TextRole::caption, placement_);
    for (QLabel* label : {why_, next_}) {
        label->setWordWrap(true);
        placement_->body()->addWidget(label);
    }
    why_->setObjectName(QStringLiteral("placementWhy"));
    auto* tiers = new Card(tr("Memory types"), area);
    table_ = new DataTable(QStringLiteral("memoryTiers"), tiers);
    table_->setSource(&model_);
    table_->setStretchColumn(TierTableModel::Size);
    table_->setOptionalColumns({TierTableModel::UseFor, TierTableModel::Optimize}, 170);
    table_->setWidestColumn(216);
    table_->setWrapped(true);
    table_->setAccessibleName(tr("Memory tiers"));
    tiers->body()->addWidget(table_, 1);
    rows->addWidget(placement_);
    rows->addWidget(tiers, 1);
    return area;
}

void MemoryCalculator::calculate()
{
    const GpuRow& gpu = deviceTable().gpus[static_cast<std::size_t>(std::max(0, gpu_->currentIndex()))];
    model_.setRows(memoryHierarchy(gpu));
    DataUse use;
    use.bytes = bytes_->value();
    use.sharedBy = static_cast<SharedBy>(sharedBy_->currentIndex());
    use.reads = reads_->value();
    use.readOnly = readOnly_->isChecked();
    use.sameAddress = sameAddress_->isChecked();
    const auto placed = placeData(use, gpu);
    placement_->setTitle(placed ? tr("Best fit: %1").arg(q(toWord(placed->tier))) : q(placed.error().message));
    why_->setText(placed ? q(placed->why) : QString());
    next_->setText(placed ? q(placed->next) : q(placed.error().hint));
}

} // namespace kl::ui
