// SPDX-License-Identifier: MIT
#include "ui/models/run_table_model.h"

#include "core/base/format.h"
#include "core/model/model_words.h"
#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

namespace kl::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("RunTableModel", text);
}

Mark chooseMark(const RunSummary& row)
{
    if (!isUsable(row))
        return Mark::fail;
    return row.correctness == CorrectnessResult::correct ? Mark::pass : Mark::none;
}

QVariant raw(std::optional<double> value)
{
    return value ? QVariant(*value) : QVariant(-1.0); // missing values sort below every measurement
}

QString formatCell(const RunSummary& row, int column)
{
    switch (column) {
    case RunTableModel::Kernel: return q(row.kernel);
    case RunTableModel::Problem: return q(row.problem);
    case RunTableModel::GpuTime: return q(formatTime(row.gpuNs));
    case RunTableModel::Speedup: return q(formatRatio(row.speedup));
    case RunTableModel::Finding: return row.classId.empty() ? tr("not profiled") : q(row.priority + " " + row.classId);
    case RunTableModel::Correct:
        return markSign(chooseMark(row)) + u' ' +
               (chooseMark(row) == Mark::none                                 ? tr("not checked")
                : isRefuted(row.correctness) || chooseMark(row) == Mark::pass ? q(toWord(row.correctness))
                                                                              : tr("failed"));
    case RunTableModel::Device:
        return q(row.device) + (row.source == Source::sample   ? tr(" (recorded)")
                                : row.source == Source::import ? tr(" (imported)")
                                                               : QString());
    default: return formatMeasuredTime(row.source, row.startedAt);
    }
}

} // namespace

QString RunTableModel::header(int column) const
{
    static const char* const kNames[ColumnCount] = {"Kernel", "Problem", "GPU time", "Speedup", "Finding", "Result", "Device", "When"};
    return tr(kNames[column]);
}

QVariant RunTableModel::cell(const RunSummary& row, int column, int role) const
{
    if (role == Qt::DisplayRole)
        return formatCell(row, column);
    if (role == Qt::ToolTipRole && column == Correct && !row.refutation.empty())
        return formatCell(row, column) + u'\n' + q(row.refutation);
    if (role == Qt::ToolTipRole)
        return column == Started ? absoluteTime(row.startedAt) : formatCell(row, column);
    if (role == Qt::ForegroundRole && column == Correct)
        return color(markToken(chooseMark(row)));
    if (role == Qt::ForegroundRole && column == Speedup && row.speedup)
        return color(*row.speedup >= 1 ? Token::better : Token::worse);
    if (role != kSortRole)
        return {};
    switch (column) {
    case GpuTime: return raw(row.gpuNs);
    case Speedup: return raw(row.speedup);
    case Started: return q(row.startedAt);
    default: return formatCell(row, column);
    }
}

} // namespace kl::ui
