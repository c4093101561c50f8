// SPDX-License-Identifier: MIT
#include "ui/pages/compare/difference_model.h"

#include "core/base/format.h"
#include "core/device/run_figures.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"

#include <cmath>

namespace kl::ui {
namespace {

/// The token of a change: better, worse, or plain where the metric has no direction or barely moved.
Token chooseToken(const Difference& row)
{
    const MetricInfo* info = findFigure(row.name);
    constexpr double kNoise = 0.01;
    if (info == nullptr || info->better == Better::neutral || !row.change || std::abs(*row.change) < kNoise)
        return Token::text;
    return (*row.change > 0) == (info->better == Better::higher) ? Token::better : Token::worse;
}

QString changeText(const Difference& row)
{
    if (!row.change)
        return {};
    const Token token = chooseToken(row);
    const QString mark = token == Token::better ? QStringLiteral("▲ ") : token == Token::worse ? QStringLiteral("▼ ") : QString();
    return mark + q(formatDifference(*row.change));
}

QString valueText(const Difference& row, const std::string& value)
{
    bool isNumber = false;
    const double number = exact(value).toDouble(&isNumber);
    const bool isFigure = isNumber && (row.change || findFigure(row.name)); // else a tunable, a version, a hash: as it is
    if (!isFigure)
        return value.empty() ? QStringLiteral("not measured") : q(value);
    return figureWithMark(q(formatFigure(row.name, number)));
}

QString formatCell(const Difference& row, int column)
{
    switch (column) {
    case DifferenceModel::NameColumn: return q(row.name);
    case DifferenceModel::AColumn: return valueText(row, row.a);
    case DifferenceModel::BColumn: return valueText(row, row.b);
    default: return changeText(row);
    }
}

} // namespace

void DifferenceModel::setDifferences(const QString& a, const QString& b, const std::vector<Difference>& differences, bool all)
{
    a_ = a;
    b_ = b;
    std::vector<Difference> shown;
    for (const Difference& row : differences)
        if (all || row.a != row.b)
            shown.push_back(row);
    setRows(std::move(shown));
}

QString DifferenceModel::header(int column) const
{
    switch (column) {
    case NameColumn: return tr("Name");
    case AColumn: return a_.isEmpty() ? tr("A") : a_;
    case BColumn: return b_.isEmpty() ? tr("B") : b_;
    default: return tr("Change");
    }
}

QVariant DifferenceModel::cell(const Difference& row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole: return formatCell(row, column);
    case Qt::ForegroundRole: return column == ChangeColumn ? QVariant(color(chooseToken(row))) : QVariant();
    case Qt::FontRole: return column == NameColumn ? QVariant(makeFont(TextRole::code)) : QVariant();
    case Qt::ToolTipRole:
        if (const MetricInfo* info = findFigure(row.name))
            return QStringLiteral("%1\n%2\n%3").arg(q(row.name), q(info->title), q(info->help));
        return q(row.name);
    case kSortRole:
        if (column == ChangeColumn)
            return row.change ? std::abs(*row.change) : -1.0;
        return formatCell(row, column);
    default: return {};
    }
}

} // namespace kl::ui
