// SPDX-License-Identifier: MIT
#include "ui/models/session_table_model.h"

#include "core/base/format.h"
#include "sessions/learning/scripted.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace kl::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("SessionTableModel", text);
}

QString patternsText(const HistoryRow& row)
{
    if (!row.patternsApplied)
        return q(kNoValue);
    QString text =
        row.patternsKnown ? tr("%1 of %2").arg(*row.patternsApplied).arg(*row.patternsKnown) : QString::number(*row.patternsApplied);
    return row.patternsPlanned ? QStringLiteral("~") + text : text;
}

/// The place of G1 to G5 among them; unset for a gate with an id of its kind's own.
std::optional<std::size_t> findGatePlace(const GateOutcome& gate)
{
    const bool numbered = gate.gate.size() == 2 && gate.gate[0] == 'G' && gate.gate[1] >= '1' && gate.gate[1] <= '5';
    return numbered ? std::optional(static_cast<std::size_t>(gate.gate[1] - '1')) : std::nullopt;
}

QString gatesText(const HistoryRow& row)
{
    QStringList words;
    for (const Mark mark : gateMarks(row))
        words << markSign(mark);
    for (const GateOutcome& gate : row.gates)
        if (!findGatePlace(gate))
            words << q(gate.gate) + u' ' + markSign(parseMark(gate.result));
    return words.isEmpty() ? q(kNoValue) : words.join(u' ');
}

QString outcomeText(const HistoryRow& row)
{
    const Mark mark = row.status == SessionStatus::open         ? Mark::running
                      : row.status == SessionStatus::endedEarly ? Mark::fail
                      : nameOutcome(row) == "reverted"          ? Mark::none
                                                                : Mark::pass;
    return markSign(mark) + u' ' + q(nameOutcome(row));
}

QString gatesTip(const HistoryRow& row)
{
    QStringList lines;
    for (const GateOutcome& gate : row.gates)
        lines << q(formatTitle(gate)) + QStringLiteral(": ") + markWord(parseMark(gate.result)) +
                     (gate.source.empty() ? QString() : QStringLiteral(" (") + q(gate.source) + u')');
    return lines.isEmpty() ? tr("No gate results recorded") : lines.join(u'\n');
}

QString mistakesTip(const HistoryRow& row)
{
    QStringList lines;
    for (const Mistake& mistake : row.mistakes)
        lines << tr("%1: %2 (%3 stopped by a rule, %4 in earlier sessions)")
                         .arg(q(mistake.id))
                         .arg(mistake.count)
                         .arg(mistake.caught)
                         .arg(mistake.before) +
                     u'\n' + q(mistake.how);
    return !lines.isEmpty() ? lines.join(u'\n') : row.sample ? tr("None listed") : tr("None");
}

QString minutesText(const HistoryRow& row)
{
    const QString spent = figureText(row.minutes, &formatMinutes);
    return row.budgetMinutes ? tr("%1 / %2").arg(spent, q(formatMinutes(*row.budgetMinutes))) : spent;
}

QVariant raw(std::optional<double> value)
{
    return value ? QVariant(*value) : QVariant(-1.0);
}

std::optional<double> sumFigures(const std::vector<Figure>& figures)
{
    const auto figure = findShownFigure(figures);
    return figure ? std::optional(figure->value) : std::nullopt;
}

/// With the tag that says who took the steps, as lists of runs have tags.
QString nameText(const HistoryRow& row)
{
    return isScriptedKind(row.kind) ? q(row.name) + QStringLiteral(" #") + QLatin1String(kScriptedTag) : q(row.name);
}

QString formatCell(const HistoryRow& row, int column)
{
    switch (column) {
    case SessionTableModel::Name: return nameText(row);
    case SessionTableModel::Objective: return q(row.objective);
    case SessionTableModel::Minutes: return minutesText(row);
    case SessionTableModel::Gain: return q(formatRatio(row.gain));
    case SessionTableModel::Speedup: return figureText(row.speedup, &formatRatio);
    case SessionTableModel::Gates: return gatesText(row);
    case SessionTableModel::Patterns: return patternsText(row);
    case SessionTableModel::Status: return outcomeText(row);
    case SessionTableModel::Grade: return row.grade.letter.empty() ? q(kNoValue) : q(row.grade.letter);
    case SessionTableModel::Mistakes: {
        const auto made = sumMistakes(row);
        return made ? QString::number(*made) : q(kNoValue);
    }
    default: {
        const auto cost = cashFigure(row.money);
        return cost ? q(formatMarked(*cost, &formatMoney)) : q(kNoValue);
    }
    }
}

} // namespace

Mark parseMark(const std::string& word)
{
    return word == "pass"     ? Mark::pass
           : word == "fail"   ? Mark::fail
           : word == "waived" ? Mark::waived
           : word == "stale"  ? Mark::stale
                              : Mark::none;
}

std::vector<Mark> gateMarks(const HistoryRow& row)
{
    std::vector<Mark> marks;
    for (const GateOutcome& gate : row.gates)
        if (const std::optional<std::size_t> place = findGatePlace(gate)) {
            marks.resize(std::max(marks.size(), *place + 1), Mark::none);
            marks[*place] = parseMark(gate.result);
        }
    return marks;
}

QString figureText(const std::vector<Figure>& figures, std::string (*format)(double))
{
    const auto figure = findShownFigure(figures);
    return figure ? q(formatMarked(*figure, format)) : q(kNoValue);
}

QString figureTip(const std::vector<Figure>& figures, std::string (*format)(double))
{
    QStringList lines;
    for (const Figure& figure : figures)
        lines << q(format(figure.value)) + u' ' + q(toString(figure.kind)) +
                     (figure.source.empty() ? QString() : QStringLiteral(", ") + q(figure.source));
    return lines.isEmpty() ? tr("Not recorded") : lines.join(u'\n');
}

std::optional<double> sumCost(const HistoryRow& row)
{
    return computeCash(row.money);
}

std::optional<int> sumMistakes(const HistoryRow& row)
{
    if (row.sample && row.mistakes.empty())
        return {};
    int made = 0;
    for (const Mistake& mistake : row.mistakes)
        made += mistake.count;
    return made;
}

QString SessionTableModel::header(int column) const
{
    static const char* const kNames[ColumnCount] = {"Session",  "Objective", "Time / budget", "Improvement", "Speedup", "Gates",
                                                    "Patterns", "Outcome",   "Grade",         "Mistakes",    "Cost"};
    return tr(kNames[column]);
}

QVariant SessionTableModel::cell(const HistoryRow& row, int column, int role) const
{
    if (role == Qt::DisplayRole)
        return formatCell(row, column);
    if (role == Qt::ToolTipRole) {
        switch (column) {
        case Minutes: return figureTip(row.minutes, &formatMinutes);
        case Gain: return row.gain ? tr("Old time / new time of the change that the session kept") : tr("No change was kept");
        case Speedup: return tr("Against the baseline. %1").arg(figureTip(row.speedup, &formatRatio));
        case Gates: return gatesTip(row);
        case Patterns: return row.patternsPlanned ? tr("%1, planned").arg(patternsText(row).mid(1)) : patternsText(row);
        case Status: return q(row.statusText);
        case Grade: return q(row.grade.reason);
        case Mistakes: return mistakesTip(row);
        case Cost:
            return tr("GPU: %1\nAssistant: %2")
                .arg(row.money.gpu.empty() && !row.money.why.empty() ? q(row.money.why) : figureTip(row.money.gpu, &formatMoney),
                     figureTip(row.money.assistant, &formatMoney));
        case Name: return q(row.name + " · " + row.date + " · " + row.origin);
        default: return formatCell(row, column);
        }
    }
    if (role == Qt::ForegroundRole) {
        const auto speedup = sumFigures(row.speedup);
        if (column == Gain && row.gain)
            return color(*row.gain >= 1 ? Token::better : Token::worse);
        if (column == Speedup && speedup)
            return color(*speedup >= 1 ? Token::better : Token::worse);
        if (column == Status)
            return color(row.status == SessionStatus::open         ? Token::accent
                         : row.status == SessionStatus::endedEarly ? Token::worse
                         : nameOutcome(row) == "reverted"          ? Token::muted
                                                                   : Token::better);
        return {};
    }
    if (role != kSortRole)
        return {};
    switch (column) {
    case Name: return q(row.date);
    case Minutes: return raw(sumFigures(row.minutes));
    case Gain: return raw(row.gain);
    case Speedup: return raw(sumFigures(row.speedup));
    case Patterns: return row.patternsApplied ? *row.patternsApplied : -1;
    case Mistakes: return sumMistakes(row).value_or(-1);
    case Cost: return raw(sumCost(row));
    default: return formatCell(row, column);
    }
}

} // namespace kl::ui
