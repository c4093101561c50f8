// SPDX-License-Identifier: MIT
#include "ui/models/sweep_table_model.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <limits>

namespace kl::ui {
namespace {

std::optional<double> figureIn(const SweepRow& row, int column)
{
    switch (column) {
    case SweepTableModel::Time: return row.ns();
    case SweepTableModel::Bandwidth: return row.bytesPerSecond();
    case SweepTableModel::Rate: return row.flopsPerSecond();
    case SweepTableModel::Speedup: return row.speedup();
    default: return {};
    }
}

std::string figureText(double value, int column)
{
    switch (column) {
    case SweepTableModel::Time: return formatTime(value);
    case SweepTableModel::Bandwidth: return formatBandwidth(value);
    case SweepTableModel::Rate: return formatFlops(value);
    default: return formatRatio(value);
    }
}

QString cellText(const SweepRow& row, int column)
{
    switch (column) {
    case SweepTableModel::Kernel: return q(toText(row.kernel));
    case SweepTableModel::Problem: return spaceProblem(toText(row.problem));
    case SweepTableModel::Baseline: return row.run && row.run->baseline ? q(row.run->baseline->name) : q(kNoValue);
    case SweepTableModel::Finding: return q(row.missing.empty() ? row.classId() : row.missing);
    default: break;
    }
    const std::optional<double> figure = figureIn(row, column);
    return q(figure ? figureText(*figure, column) : std::string(kNoValue));
}

} // namespace

QString SweepTableModel::header(int column) const
{
    static const char* const kNames[ColumnCount] = {"Kernel", "Problem", "GPU time", "Bandwidth", "Rate", "Speedup", "Over", "Limited by"};
    return QCoreApplication::translate("SweepTableModel", kNames[column]);
}

QVariant SweepTableModel::cell(const SweepRow& row, int column, int role) const
{
    if (role == Qt::DisplayRole)
        return cellText(row, column);
    if (role == Qt::ToolTipRole)
        return column == Finding && row.run && row.run->diagnosis ? q(row.run->diagnosis->finding.title)
               : column == Finding && !row.hint.empty()           ? q(row.hint)
                                                                  : cellText(row, column);
    if (role == Qt::ForegroundRole && !row.ns())
        return color(Token::muted);
    if (role != kSortRole)
        return {};
    if (numeric(column)) // what is missing sorts last
        return figureIn(row, column).value_or(std::numeric_limits<double>::max());
    return cellText(row, column);
}

} // namespace kl::ui
