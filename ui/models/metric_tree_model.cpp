// SPDX-License-Identifier: MIT
#include "ui/models/metric_tree_model.h"

#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/device/run_figures.h"
#include "ui/models/word_filter.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace kl::ui {
namespace {

constexpr quintptr kSection = 0; ///< internal id; a metric has its section's number above it

bool isFigure(int column)
{
    using Model = MetricTreeModel;
    return column == Model::Value || column == Model::Peak || column == Model::Baseline || column == Model::Change;
}

QString formatMetric(const MetricRow& row, int column)
{
    switch (column) {
    case MetricTreeModel::Name: return row.label.isEmpty() ? q(row.name) : row.label;
    case MetricTreeModel::Metric: return row.label.isEmpty() ? QString() : q(row.name);
    case MetricTreeModel::Value: return row.value ? formatExact(*row.value) : row.text.isEmpty() ? q(kNoValue) : row.text;
    case MetricTreeModel::Unit: return row.unit;
    case MetricTreeModel::Peak: return row.percent ? q(formatPercent(*row.percent)) : QString();
    case MetricTreeModel::Baseline: return row.baseline ? formatExact(*row.baseline) : QString();
    case MetricTreeModel::Change: return row.change ? q(formatDifference(*row.change)) : QString();
    default: return row.meaning;
    }
}

QVariant rawMetric(const MetricRow& row, int column)
{
    const auto figure = [](const std::optional<double>& value) { return value ? QVariant(*value) : QVariant(); };
    switch (column) {
    case MetricTreeModel::Value: return figure(row.value);
    case MetricTreeModel::Peak: return figure(row.percent);
    case MetricTreeModel::Baseline: return figure(row.baseline);
    case MetricTreeModel::Change: return figure(row.change);
    default: return formatMetric(row, column);
    }
}

QVariant changeColor(const MetricRow& row)
{
    constexpr double kNoise = 0.01;
    const MetricInfo* info = findMetric(row.name);
    if (!info || info->better == Better::neutral || !row.change || std::abs(*row.change) < kNoise)
        return {};
    return color((*row.change > 0) == (info->better == Better::higher) ? Token::better : Token::worse);
}

} // namespace

void MetricTreeModel::setGroups(std::vector<MetricGroup> groups)
{
    beginResetModel();
    groups_ = std::move(groups);
    endResetModel();
}

const MetricRow* MetricTreeModel::at(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == kSection)
        return nullptr;
    return &groups_[index.internalId() - 1].rows[static_cast<std::size_t>(index.row())];
}

QModelIndex MetricTreeModel::find(const std::string& metric) const
{
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const auto row = std::ranges::find(groups_[g].rows, metric, &MetricRow::name);
        if (row != groups_[g].rows.end())
            return createIndex(static_cast<int>(row - groups_[g].rows.begin()), 0, static_cast<quintptr>(g + 1));
    }
    return {};
}

QModelIndex MetricTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : kSection);
}

QModelIndex MetricTreeModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == kSection)
        return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, kSection);
}

int MetricTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(groups_.size());
    if (parent.column() != 0 || parent.internalId() != kSection)
        return 0;
    return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].rows.size());
}

int MetricTreeModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant MetricTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isFigure(column) ? Qt::AlignRight : Qt::AlignLeft)));
    const MetricRow* row = at(index);
    if (!row) {
        const MetricGroup& group = groups_[static_cast<std::size_t>(index.row())];
        if (column == Name && (role == Qt::DisplayRole || role == kSortRole))
            return QStringLiteral("%1 (%2)").arg(group.title).arg(group.rows.size());
        if (role == Qt::FontRole && column == Name)
            return makeFont(TextRole::card);
        return role == Qt::ToolTipRole ? QVariant(group.help) : QVariant();
    }
    switch (role) {
    case Qt::DisplayRole: return formatMetric(*row, column);
    case Qt::ToolTipRole: return row->meaning.isEmpty() ? q(row->name) : QStringLiteral("%1\n%2").arg(q(row->name), row->meaning);
    case Qt::ForegroundRole: return column == Change ? changeColor(*row) : QVariant();
    case kSortRole: return rawMetric(*row, column);
    case kFilterRole: {
        const QStringList words{row->label, q(row->name), row->meaning, groups_[index.internalId() - 1].title};
        return words.join(u' ');
    }
    default: return {};
    }
}

QVariant MetricTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const char* const kNames[ColumnCount] = {QT_TR_NOOP("Name"),   QT_TR_NOOP("Metric"),    QT_TR_NOOP("Value"),
                                                    QT_TR_NOOP("Unit"),   QT_TR_NOOP("% of peak"), QT_TR_NOOP("Baseline"),
                                                    QT_TR_NOOP("Change"), QT_TR_NOOP("Meaning")};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isFigure(section) ? Qt::AlignRight : Qt::AlignLeft)));
    return role == Qt::DisplayRole ? QVariant(tr(kNames[section])) : QVariant();
}

} // namespace kl::ui
