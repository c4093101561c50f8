// SPDX-License-Identifier: MIT
#include "ui/models/pattern_table_model.h"

#include "core/base/format.h"
#include "sessions/patterns/pattern_library.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

namespace kl::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("PatternTableModel", text);
}

QString formatCell(const PatternRow& row, int column)
{
    switch (column) {
    case PatternTableModel::Label: return row.pattern.label.empty() ? q(kNoValue) : q(row.pattern.label);
    case PatternTableModel::Title: return q(row.pattern.title);
    case PatternTableModel::Kind: return q(row.pattern.kind);
    case PatternTableModel::Quoted: return formatQuoted(row.pattern);
    case PatternTableModel::Measured: return row.gained.measuredMinutes ? q(formatMinutes(*row.gained.measuredMinutes)) : q(kNoValue);
    case PatternTableModel::Uses: return QString::number(row.gained.applications);
    default: return row.gained.measuredReturn ? q(formatRatio(*row.gained.measuredReturn)) : q(kNoValue);
    }
}

} // namespace

QString formatQuoted(const Pattern& pattern)
{
    if (pattern.quotedMinutes && pattern.quotedMinutesHigh)
        return tr("%1 to %2").arg(q(formatMinutes(*pattern.quotedMinutes)), q(formatMinutes(*pattern.quotedMinutesHigh)));
    if (pattern.quotedMinutes)
        return q(formatMinutes(*pattern.quotedMinutes));
    return pattern.quotedDollars ? q(formatMoney(*pattern.quotedDollars)) : q(kNoValue);
}

QString occasionText(const std::string& when)
{
    static constexpr std::pair<const char*, const char*> kTexts[] = {
        {occasion::kSessionStart, "At the start of a session"},
        {occasion::kSpeedupBelow1, "When the speedup is below 1×"},
        {occasion::kFinding, "When a profile has a finding"},
        {occasion::kReMeasure, "When a change is measured again"},
        {occasion::kKeep, "When a change was kept"},
        {occasion::kLongWork, "Before long work"},
        {occasion::kSourceChange, "When the source is changed"},
        {occasion::kBuildFailure, "When a build fails"},
        {occasion::kWrongResult, "When a result is incorrect"},
    };
    for (const auto& [id, text] : kTexts)
        if (when == id)
            return tr(text);
    return q(when);
}

QString returnText(const PatternReturn& gained)
{
    if (!gained.investedHigh)
        return tr("Unknown: it was not learned in a recorded session");
    const QString cost = *gained.investedLow == *gained.investedHigh
                             ? q(formatMinutes(*gained.investedHigh))
                             : tr("%1 to %2").arg(q(formatMinutes(*gained.investedLow)), q(formatMinutes(*gained.investedHigh)));
    if (!gained.measuredReturn && !gained.quotedReturn)
        return tr("None yet. Learned in %1; cost %2.").arg(q(gained.learnedIn), cost);
    return tr("%1 measured, %2 claimed. Learned in %3; cost %4.")
        .arg(q(formatRatio(gained.measuredReturn)), q(formatRatio(gained.quotedReturn)), q(gained.learnedIn), cost);
}

QString PatternTableModel::header(int column) const
{
    static const char* const kNames[ColumnCount] = {"No.", "Pattern", "Kind", "Claimed", "Measured", "Uses", "Return"};
    return tr(kNames[column]);
}

QVariant PatternTableModel::cell(const PatternRow& row, int column, int role) const
{
    if (role == Qt::DisplayRole)
        return formatCell(row, column);
    if (role == Qt::ToolTipRole)
        return column == Title ? q(row.pattern.problem) : column == Return ? returnText(row.gained) : formatCell(row, column);
    if (role != kSortRole)
        return {};
    switch (column) {
    case Label: return q(row.pattern.label).rightJustified(12, u'0'); // "9" before "10"
    case Quoted: return row.pattern.quotedMinutes.value_or(-1);
    case Measured: return row.gained.measuredMinutes.value_or(-1);
    case Uses: return row.gained.applications;
    case Return: return row.gained.measuredReturn.value_or(-1);
    default: return formatCell(row, column);
    }
}

} // namespace kl::ui
