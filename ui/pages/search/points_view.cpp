// SPDX-License-Identifier: MIT
#include "ui/pages/search/points_view.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kLeastPointWidth = 440;

/// Entries of the list of points: all, survivors, rejected, then one a gate.
enum Shown { kAll, kSurvivors, kRejected, kFirstGate };

bool survives(const SpaceRow& row)
{
    return !row.point.rejectedBy && (!row.compiled || row.compiled->verdict.pass);
}

bool isShown(const SpaceRow& row, int shown)
{
    if (shown == kAll)
        return true;
    if (shown == kSurvivors || shown == kRejected)
        return survives(row) == (shown == kSurvivors);
    return row.point.rejectedBy == static_cast<std::size_t>(shown - kFirstGate);
}

} // namespace

PointsView::PointsView(QWidget* parent)
    : QWidget(parent), shown_(new QComboBox(this)), count_(makeLabel({}, TextRole::caption, this)),
      table_(new DataTable(QStringLiteral("space-points"), this))
{
    shown_->setObjectName(QStringLiteral("shown"));
    shown_->setAccessibleName(tr("Points to show"));
    shown_->addItems({tr("All"), tr("Survivors"), tr("Rejected")});
    for (const SpaceGate gate : kSpaceGates)
        shown_->addItem(tr("Rejected by %1").arg(q(titleFor(gate)).toLower()));
    shown_->setCurrentIndex(kSurvivors);
    table_->setObjectName(QStringLiteral("spacePoints"));
    table_->setSource(&model_);
    table_->setStretchColumn(SpaceTableModel::Point);
    table_->setWrapped(true);
    table_->setWidestColumn(420);
    table_->setAccessibleName(tr("Points"));
    auto* tools = new QHBoxLayout;
    tools->addWidget(shown_);
    tools->addWidget(count_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kGapInside, 0, 0);
    column->setSpacing(kGapInside);
    column->addLayout(tools);
    column->addWidget(table_, 1);
    connect(shown_, &QComboBox::currentIndexChanged, this, &PointsView::fill);
    connect(table_, &DataTable::chosen, this, [this](int index) {
        if (const SpaceRow* row = model_.at(index))
            emit chosen(*row);
    });
}

void PointsView::setRows(std::vector<SpaceRow> rows)
{
    rows_ = std::move(rows);
    showCompiledColumns(false);
    fill();
}

void PointsView::setCompiled(const std::vector<CompiledPoint>& points)
{
    for (const CompiledPoint& point : points)
        rows_[point.index].compiled = point;
    showCompiledColumns(true);
    fill();
}

void PointsView::showCompiledColumns(bool shown)
{
    table_->setColumnHidden(SpaceTableModel::Registers, !shown);
    table_->setColumnHidden(SpaceTableModel::Local, !shown);
}

void PointsView::pick(int stage)
{
    shown_->setCurrentIndex(stage == 0 ? static_cast<int>(kAll) : kFirstGate + stage - 1);
}

void PointsView::clearChoice()
{
    table_->clearSelection();
    table_->setCurrentIndex({});
}

void PointsView::fill()
{
    std::vector<SpaceRow> rows;
    rows.reserve(rows_.size());
    for (const SpaceRow& row : rows_)
        if (isShown(row, shown_->currentIndex()))
            rows.push_back(row);
    const bool good = shown_->currentIndex() == kSurvivors; // no value of theirs exceeds its limit
    for (const int column : {SpaceTableModel::Found, SpaceTableModel::Limit})
        table_->setColumnHidden(column, good);
    table_->setOptionalColumns(good ? std::vector<int>{SpaceTableModel::Why}
                                    : std::vector<int>{SpaceTableModel::Found, SpaceTableModel::Limit, SpaceTableModel::Why},
                               kLeastPointWidth);
    count_->setText(tr("%1 points. Select one to see its gates.").arg(q(formatCount(static_cast<double>(rows.size())))));
    model_.setRows(std::move(rows));
}

} // namespace kl::ui
