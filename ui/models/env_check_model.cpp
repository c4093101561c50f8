// SPDX-License-Identifier: MIT
#include "ui/models/env_check_model.h"

#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace kl::ui {
namespace {

QString checkWords(const char* text)
{
    return QCoreApplication::translate("EnvCheckModel", text);
}

} // namespace

QString checkName(std::string_view id)
{
    QString words = q(id).replace(u'-', u' ');
    for (const char* name : {"gpu", "nvrtc", "cupti", "cuda"})
        words.replace(QRegularExpression(QStringLiteral("\\b%1\\b").arg(QLatin1String(name))), QString::fromLatin1(name).toUpper());
    return words.left(1).toUpper() + words.mid(1);
}

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
    case Check: return checkName(row.id);
    case Needed: return row.requirement == Requirement::required ? checkWords("required") : checkWords("optional");
    default: return q(row.found);
    }
}

} // namespace kl::ui
