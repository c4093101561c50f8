// SPDX-License-Identifier: MIT
#include "ui/models/tuned_table_model.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>

namespace kl::ui {
namespace {

QString translateWords(const char* text)
{
    return QCoreApplication::translate("TunedTableModel", text);
}

QString howText(const TunedRow& row)
{
    const TunedPoint& point = row.point;
    if (row.wrong)
        return markSign(Mark::fail) + u' ' + translateWords("incorrect");
    if (!point.ns)
        return q(point.why);
    if (point.refined)
        return translateWords("full");
    return point.remembered ? translateWords("earlier search") : translateWords("briefly");
}

QString formatCell(const TunedRow& row, int column)
{
    switch (column) {
    case TunedTableModel::Time: return q(row.point.ns ? formatTime(*row.point.ns) : std::string(kNoValue));
    case TunedTableModel::Slower: return q(row.times ? formatRatio(*row.times) : std::string(kNoValue));
    case TunedTableModel::Point: return row.changed.empty() ? translateWords("default") : spaceProblem(toText(row.changed));
    default: return howText(row);
    }
}

} // namespace

QString TunedTableModel::header(int column) const
{
    static const char* const kNames[ColumnCount] = {"GPU time", "vs. best", "Point", "Measurement"};
    return translateWords(kNames[column]);
}

QVariant TunedTableModel::cell(const TunedRow& row, int column, int role) const
{
    if (role == Qt::DisplayRole)
        return formatCell(row, column);
    if (role == Qt::ToolTipRole)
        return column == Point ? spaceProblem(toText(row.point.tunables)) : formatCell(row, column);
    if (role == Qt::ForegroundRole && (!row.point.ns || row.wrong))
        return color(Token::worse);
    if (role != kSortRole)
        return {};
    if (column == Time || column == Slower) // failed points sort last
        return column == Time ? row.point.ns.value_or(std::numeric_limits<double>::max())
                              : row.times.value_or(std::numeric_limits<double>::max());
    return formatCell(row, column);
}

std::vector<TunedRow> makeTunedRows(const std::vector<TunedPoint>& points, const KernelFamily& family, const Variant& variant)
{
    std::map<std::string, const TunedPoint*> latest;
    for (const TunedPoint& point : points)
        latest[point.kernel] = &point;
    std::vector<TunedRow> rows;
    for (const auto& [kernel, point] : latest)
        rows.push_back({*point, makeAddress(family, variant, point->tunables).tunables, {}, false});
    std::ranges::stable_sort(rows, {}, [](const TunedRow& row) { return row.point.ns.value_or(std::numeric_limits<double>::max()); });
    for (TunedRow& row : rows)
        if (row.point.ns && rows.front().point.ns && *rows.front().point.ns > 0)
            row.times = *row.point.ns / *rows.front().point.ns;
    return rows;
}

} // namespace kl::ui
