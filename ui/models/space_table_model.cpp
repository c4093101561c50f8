// SPDX-License-Identifier: MIT
#include "ui/models/space_table_model.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace kl::ui {
namespace {

QString inWords(const char* text)
{
    return QCoreApplication::translate("SpaceTableModel", text);
}

const GateVerdict* findRejecting(const SpaceRow& row)
{
    return row.point.rejectedBy ? &row.point.verdicts[*row.point.rejectedBy] : nullptr;
}

bool compiledAway(const SpaceRow& row)
{
    return row.compiled && !row.compiled->verdict.pass;
}

QString gateText(const SpaceRow& row)
{
    if (const GateVerdict* verdict = findRejecting(row))
        return markSign(Mark::fail) + u' ' + q(titleFor(verdict->gate));
    if (compiledAway(row))
        return markSign(Mark::fail) + u' ' +
               (row.compiled->verdict.gate == "compile"  ? inWords("Does not compile")
                : row.compiled->verdict.gate == "spills" ? inWords("Spills")
                                                         : inWords("Achievable occupancy"));
    return markSign(Mark::pass) + u' ' + inWords("survives");
}

QString reasonText(const SpaceRow& row)
{
    if (const GateVerdict* verdict = findRejecting(row))
        return q(verdict->reason);
    return q(row.compiled ? row.compiled->verdict.reason : row.point.verdicts[static_cast<std::size_t>(SpaceGate::occupancy)].reason);
}

/// The maximum over all launches; unset before compiling.
template <class Of> std::optional<double> findMost(const SpaceRow& row, Of of)
{
    if (!row.compiled || row.compiled->built.launches.empty())
        return {};
    double most = 0;
    for (const CompiledLaunch& launch : row.compiled->built.launches)
        most = std::max(most, static_cast<double>(of(launch)));
    return most;
}

std::optional<double> findNumber(const SpaceRow& row, int column)
{
    const GateVerdict* verdict = findRejecting(row);
    switch (column) {
    case SpaceTableModel::Found: return verdict ? verdict->value : std::nullopt;
    case SpaceTableModel::Limit: return verdict ? verdict->limit : std::nullopt;
    case SpaceTableModel::Registers: return findMost(row, [](const CompiledLaunch& launch) { return launch.registers; });
    case SpaceTableModel::Local: return findMost(row, [](const CompiledLaunch& launch) { return launch.stackBytes; });
    default: return {};
    }
}

QString formatCell(const SpaceRow& row, int column)
{
    switch (column) {
    case SpaceTableModel::Point: return row.changed.empty() ? inWords("default") : spaceProblem(toText(row.changed));
    case SpaceTableModel::Gate: return gateText(row);
    case SpaceTableModel::Found:
    case SpaceTableModel::Limit: return findRejecting(row) ? gateFigure(findRejecting(row)->gate, findNumber(row, column)) : QString();
    case SpaceTableModel::Registers:
    case SpaceTableModel::Local: {
        const std::optional<double> number = findNumber(row, column);
        return number ? q(formatCount(*number)) + (column == SpaceTableModel::Local ? QStringLiteral(" B") : QString()) : QString();
    }
    default: return reasonText(row);
    }
}

} // namespace

QString gateFigure(SpaceGate gate, std::optional<double> value)
{
    if (!value)
        return q(kNoValue);
    switch (gate) {
    case SpaceGate::sharedMemory: return q(formatWithUnit(*value, "B"));
    case SpaceGate::occupancy:
    case SpaceGate::coalescing: return q(formatPercent(*value));
    case SpaceGate::bankConflicts: return *value > 1 ? inWords("%1-way").arg(*value) : inWords("none");
    case SpaceGate::threads:
    case SpaceGate::registers: break;
    }
    return q(formatCount(*value));
}

QString SpaceTableModel::header(int column) const
{
    static const char* const kNames[ColumnCount] = {"Point", "Verdict", "Value", "Limit", "Registers", "Local", "Why"};
    return inWords(kNames[column]);
}

QVariant SpaceTableModel::cell(const SpaceRow& row, int column, int role) const
{
    if (role == Qt::ToolTipRole && column == Point)
        return spaceProblem(toText(row.point.tunables));
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return formatCell(row, column);
    if (role == Qt::ForegroundRole && column == Gate)
        return color(findRejecting(row) || compiledAway(row) ? Token::worse : Token::better);
    if (role != kSortRole)
        return {};
    if (!numeric(column))
        return formatCell(row, column);
    const std::optional<double> number = findNumber(row, column);
    return number ? QVariant(*number) : QVariant(-1.0); // unknown values sort first
}

} // namespace kl::ui
