// SPDX-License-Identifier: MIT
#include "ui/models/compiled_table_model.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

namespace kl::ui {

void CompiledTableModel::setLaunches(std::vector<CompiledLaunch> launches, const SmLimits& sm)
{
    sm_ = sm;
    setRows(std::move(launches));
}

QString CompiledTableModel::header(int column) const
{
    static const char* const kNames[ColumnCount] = {"Kernel", "Threads", "Registers", "Local",     "Spilled",
                                                    "Static", "Dynamic", "Occupancy", "Limited by"};
    return QCoreApplication::translate("CompiledTableModel", kNames[column]);
}

QVariant CompiledTableModel::cell(const CompiledLaunch& row, int column, int role) const
{
    if (role == Qt::ForegroundRole && (column == Local || column == Spilled) && row.stackBytes + row.spillStores + row.spillLoads > 0)
        return color(Token::worse);
    const Occupancy occupancy = computeOccupancy(sm_, row);
    if (column == Entry || column == Limiter)
        return role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kSortRole
                   ? QVariant(q(column == Entry ? row.entry : occupancy.limiter))
                   : QVariant();
    const double figures[ColumnCount] = {0,
                                         static_cast<double>(row.threads),
                                         static_cast<double>(row.registers),
                                         static_cast<double>(row.stackBytes),
                                         static_cast<double>(row.spillStores + row.spillLoads),
                                         static_cast<double>(row.staticSmem),
                                         static_cast<double>(row.dynamicSmem),
                                         occupancy.percent,
                                         0};
    const double figure = figures[column];
    if (role == kSortRole)
        return figure;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool bytes = column >= Local && column <= DynamicSmem;
    return column == Occupied ? q(formatPercent(figure)) : q(formatCount(figure)) + (bytes ? QStringLiteral(" B") : QString());
}

} // namespace kl::ui
