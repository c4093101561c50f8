// SPDX-License-Identifier: MIT
#include "ui/pages/shared/hot_line_rows.h"

#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include <QCoreApplication>

namespace kl::ui {
namespace {

constexpr qsizetype kNamed = 6; // one color each, as in the stall bars

QString words(const char* text)
{
    return QCoreApplication::translate("HotLines", text);
}

QString stallTitle(const std::string& stall)
{
    return stall == "selected" ? words("not stalled") : q(kl::stallTitle(stall));
}

QString describePlace(const std::string& file, int line)
{
    if (line <= 0)
        return words("unknown line");
    return file == kSourceFile ? words("line %1").arg(line) : q(placeText(file, line));
}

QString describePlace(const HotLine& hot)
{
    return hot.offset ? words("instruction %1").arg(q(fmt::format("{:#x}", *hot.offset))) : describePlace(hot.line.file, hot.line.line);
}

bool waitsElsewhere(const SourceLine& line, const LinePlace& cause)
{
    return line.line > 0 && cause != LinePlace{line.file, line.line};
}

/// Stalls of a line by decreasing share, e.g. "long scoreboard 52 %" of its own samples.
QStringList stallWords(const SourceLine& line)
{
    std::vector<std::pair<std::string, std::int64_t>> order(line.stalls.begin(), line.stalls.end());
    std::ranges::stable_sort(order, std::ranges::greater{}, &std::pair<std::string, std::int64_t>::second);
    QStringList list;
    for (const auto& [stall, samples] : order)
        if (list.size() < 6)
            list << QStringLiteral("%1 %2").arg(
                stallTitle(stall),
                q(formatPercent(100.0 * static_cast<double>(samples) / static_cast<double>(std::max<std::int64_t>(line.samples, 1)))));
    return list;
}

QString describeLine(const SourceLine& line, const QString& place)
{
    QStringList lines{words("%1: %2 of the samples (%3)").arg(place, q(formatPercent(line.share * 100))).arg(line.samples)};
    lines << stallWords(line);
    if (const LinePlace cause = findCause(line); waitsElsewhere(line, cause))
        lines << words("waits for a result of %1").arg(describePlace(cause.file, cause.line));
    if (line.executed)
        lines << words("%1 warp instructions executed").arg(q(formatNumber(static_cast<double>(*line.executed))));
    if (line.executed && line.threads && *line.executed > 0)
        lines << words("%1 of 32 threads active per warp")
                     .arg(
                         figureWithMark(QString::number(static_cast<double>(*line.threads) / static_cast<double>(*line.executed), 'f', 1)));
    return lines.join(u'\n');
}

/// Part names: the known ones, then the stalls of the lines by samples, then the rest and "not stalled".
QStringList partNames(const HotLines& hot, const QStringList& known)
{
    if (!known.isEmpty())
        return known;
    std::map<std::string, std::int64_t> sums;
    for (const HotLine& one : hot.lines)
        for (const auto& [stall, samples] : one.line.stalls)
            sums[stall] += stall == "selected" ? 0 : samples;
    std::vector<std::pair<std::string, std::int64_t>> order(sums.begin(), sums.end());
    std::ranges::stable_sort(order, std::ranges::greater{}, &std::pair<std::string, std::int64_t>::second);
    QStringList names;
    for (const auto& [stall, samples] : order)
        if (stall != "selected" && names.size() < kNamed)
            names << stallTitle(stall);
    return names << words("other") << words("not stalled");
}

} // namespace

HotLineParts hotLineParts(const HotLines& hot, const QStringList& known)
{
    HotLineParts all;
    if (hot.lines.empty())
        return all;
    all.parts = partNames(hot, known);
    qsizetype rest = all.parts.indexOf(words("other"));
    if (rest < 0) {
        rest = all.parts.size();
        all.parts << words("other");
    }
    for (const HotLine& one : hot.lines) {
        HotLineRow row;
        row.place = describePlace(one);
        row.text = q(one.text);
        row.share = one.line.share;
        row.parts.assign(static_cast<std::size_t>(all.parts.size()), 0);
        row.tip = describeLine(one.line, row.place);
        if (waitsElsewhere(one.line, one.cause))
            row.note = words("waits for %1").arg(describePlace(one.cause.file, one.cause.line));
        for (const auto& [stall, samples] : one.line.stalls) {
            const qsizetype found = all.parts.indexOf(stallTitle(stall));
            row.parts[static_cast<std::size_t>(found < 0 ? rest : found)] +=
                one.line.share * static_cast<double>(samples) / static_cast<double>(std::max<std::int64_t>(one.line.samples, 1));
        }
        all.rows.push_back(std::move(row));
    }
    return all;
}

std::map<int, LineHeat> mapHeat(const SourceProfile& profile, const std::string& file)
{
    std::map<int, LineHeat> heat;
    for (const SourceLine& line : profile.lines)
        if (line.file == file && line.line > 0 && line.share >= kLeastHeat)
            heat[line.line] = {line.share, describeLine(line, describePlace(line.file, line.line))};
    return heat;
}

QString hotLineTitle(const HotLines& hot)
{
    if (hot.lines.empty())
        return words("Hot lines");
    const HotLine& first = hot.lines.front();
    const bool elsewhere = waitsElsewhere(first.line, first.cause);
    QString place = elsewhere ? describePlace(first.cause.file, first.cause.line) : describePlace(first);
    place[0] = place[0].toUpper();
    const QString share = q(formatPercent(first.line.share * 100));
    if (elsewhere)
        return words("%1: %2 of the samples are at %3, most of them waiting for it")
            .arg(place, share, describePlace(first.line.file, first.line.line));
    return words("%1 has %2 of the samples, mostly %3").arg(place, share, stallTitle(first.stall));
}

int findEntryLine(std::string_view source, std::string_view entry)
{
    if (entry.empty())
        return 0;
    const std::string called = fmt::format("{}(", entry);
    const auto isPartOfAName = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t at = source.find(called); at != std::string_view::npos; at = source.find(called, at + 1))
        if (at == 0 || !isPartOfAName(source[at - 1]))
            return 1 + static_cast<int>(std::ranges::count(source.substr(0, at), '\n'));
    return 0;
}

int lineToShow(const HotLines& hot, const std::string& file)
{
    if (hot.lines.empty())
        return 0;
    const HotLine& first = hot.lines.front();
    if (first.cause.file == file && first.cause.line > 0)
        return first.cause.line;
    return first.line.file == file ? first.line.line : 0;
}

} // namespace kl::ui
