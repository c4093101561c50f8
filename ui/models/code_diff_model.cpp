// SPDX-License-Identifier: MIT
#include "ui/models/code_diff_model.h"

#include "core/base/format.h"
#include "core/model/kernel_code.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <cmath>
#include <fmt/format.h>

namespace kl::ui {
namespace {

constexpr std::size_t kOpcodesInSummary = 6;

QString formatMovedTime(const std::optional<double>& ns)
{
    if (!ns || std::abs(*ns) < 0.5)
        return {};
    return (*ns < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + q(formatTime(std::abs(*ns)));
}

QString fromTo(const QString& what, std::int64_t a, std::int64_t b)
{
    return a == b ? QStringLiteral("%1 %2").arg(what).arg(a) : QStringLiteral("%1 %2 → %3").arg(what).arg(a).arg(b);
}

} // namespace

void CodeDiffModel::setCode(const SharedCode& a, std::optional<double> nsA, const SharedCode& b, std::optional<double> nsB)
{
    beginResetModel();
    a_ = a;
    b_ = b;
    diff_ = a && b ? diffCode({&*a, nsA}, {&*b, nsB}) : CodeDiff();
    endResetModel();
}

QString CodeDiffModel::summary(int registersA, int registersB) const
{
    if (!a_ || !b_)
        return {};
    QStringList parts;
    if (registersA > 0 && registersB > 0)
        parts << fromTo(tr("Registers per thread"), registersA, registersB);
    if (diff_.mostLiveA > 0 && diff_.mostLiveB > 0)
        parts << fromTo(tr("most live"), diff_.mostLiveA, diff_.mostLiveB);
    parts << fromTo(tr("spill instructions"), diff_.spillsA, diff_.spillsB);
    parts << tr("%1 added, %2 removed, %3 with other operands").arg(diff_.added).arg(diff_.removed).arg(diff_.changed);
    QStringList opcodes;
    for (const OpcodeDiff& one : diff_.opcodes)
        if (static_cast<std::size_t>(opcodes.size()) < kOpcodesInSummary)
            opcodes << fromTo(q(one.opcode), one.a, one.b) + (one.movedNs ? u' ' + formatMovedTime(one.movedNs) : QString());
    return parts.join(QStringLiteral(" · ")) + (opcodes.isEmpty() ? QString() : u'\n' + opcodes.join(QStringLiteral(" · ")));
}

QString CodeDiffModel::text(const CodeDiffRow& row, int column) const
{
    const auto line = [](const SharedCode& code, const std::optional<std::size_t>& at) {
        return at ? q(fmt::format("{:04x}  {}", code->instructions[*at].offset, code->instructions[*at].text)) : QString();
    };
    switch (column) {
    case Mark: return !row.a ? QStringLiteral("+") : !row.b ? QStringLiteral("\u2212") : row.changed ? QStringLiteral("~") : QString();
    case TextA: return line(a_, row.a);
    case TextB: return line(b_, row.b);
    default: return formatMovedTime(row.movedNs);
    }
}

QVariant CodeDiffModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const CodeDiffRow& row = diff_.rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return text(row, index.column());
    case Qt::FontRole: return index.column() == Moved ? QVariant() : makeFont(TextRole::code);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (index.column() == Moved ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::ForegroundRole:
        if (index.column() == Moved && row.movedNs)
            return color(*row.movedNs < 0 ? Token::better : Token::worse);
        return row.changed || !row.a || !row.b ? QVariant() : QVariant(color(Token::muted));
    default: return {};
    }
}

QVariant CodeDiffModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Mark: return tr("Change");
    case TextA: return tr("A");
    case TextB: return tr("B");
    default: return tr("Time");
    }
}

} // namespace kl::ui
