// SPDX-License-Identifier: MIT
#include "ui/models/env_check_model.h"

#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

namespace kl::ui {
namespace {

QString checkWords(const char* text)
{
    return QCoreApplication::translate("EnvCheckModel", text);
}

} // namespace

QString EnvCheckModel::header(int column) const
{
    static const char* const kNames[ColumnCount] = {"Result", "Check", "Needed", "Found"};
    return checkWords(kNames[column]);
}

QVariant EnvCheckModel::cell(const EnvCheck& row, int column, int role) const
{
    const Mark mark = chooseMark(row.result);
    if (role == Qt::ForegroundRole && column == Result)
        return color(row.result == CheckResult::fail && row.requirement == Requirement::optional ? Token::waived : markToken(mark));
    if (role == Qt::ToolTipRole)
        return q(row.why);
    if (role == kSortRole && column == Result)
        return row.result == CheckResult::fail ? static_cast<int>(row.requirement) : 2 + static_cast<int>(row.result); // what failed first
    if (role != Qt::DisplayRole && role != kSortRole)
        return {};
    switch (column) {
    case Result: return markSign(mark) + u' ' + (row.result == CheckResult::skipped ? checkWords("skipped") : markWord(mark));
    case Check: return q(row.id);
    case Needed: return row.requirement == Requirement::required ? checkWords("required") : checkWords("optional");
    default: return q(row.found);
    }
}

} // namespace kl::ui
