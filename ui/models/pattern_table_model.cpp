// SPDX-License-Identifier: MIT
#include "ui/models/pattern_table_model.h"

#include "core/base/format.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

namespace kl {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("PatternTableModel", text);
}

QString shownText(const PatternRow& row, int column)
{
    switch (column) {
    case PatternTableModel::Label: return row.pattern.label.empty() ? q(kNoValue) : q(row.pattern.label);
    case PatternTableModel::Title: return q(row.pattern.title);
    case PatternTableModel::Kind: return q(row.pattern.kind);
    case PatternTableModel::Quoted: return quotedText(row.pattern);
    case PatternTableModel::Measured: return row.gained.measuredMinutes ? q(formatMinutes(*row.gained.measuredMinutes)) : q(kNoValue);
    default: return QString::number(row.gained.applications);
    }
}

} // namespace

QString quotedText(const Pattern& pattern)
{
    if (pattern.quotedMinutes && pattern.quotedMinutesHigh)
        return tr("%1 to %2").arg(q(formatMinutes(*pattern.quotedMinutes)), q(formatMinutes(*pattern.quotedMinutesHigh)));
    if (pattern.quotedMinutes)
        return q(formatMinutes(*pattern.quotedMinutes));
    return pattern.quotedDollars ? q(formatMoney(*pattern.quotedDollars)) : q(kNoValue);
}

QString PatternTableModel::header(int column) const
{
    static const char* const kNames[ColumnCount] = {"No.", "Pattern", "Kind", "Quoted", "Measured", "Uses"};
    return tr(kNames[column]);
}

QVariant PatternTableModel::cell(const PatternRow& row, int column, int role) const
{
    if (role == Qt::DisplayRole)
        return shownText(row, column);
    if (role == Qt::ToolTipRole)
        return column == Title ? q(row.pattern.problem) : shownText(row, column);
    if (role != kSortRole)
        return {};
    switch (column) {
    case Label: return q(row.pattern.label).rightJustified(12, u'0'); // "9" before "10"
    case Quoted: return row.pattern.quotedMinutes.value_or(-1);
    case Measured: return row.gained.measuredMinutes.value_or(-1);
    case Uses: return row.gained.applications;
    default: return shownText(row, column);
    }
}

} // namespace kl
