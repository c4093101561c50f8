// SPDX-License-Identifier: MIT
#include "ui/widgets/decimal_mark.h"

#include <QLocale>
#include <QSet>

#include <algorithm>
#include <array>
#include <atomic>

namespace kl::ui {
namespace {

constexpr QChar kPoint = u'.';
constexpr QChar kComma = u',';
constexpr QChar kThin(0x202f), kHard(0xa0);

std::atomic<char16_t> windowMark{u'.'};
thread_local int pointsOnly = 0;

const QSet<QString>& units()
{
    static const QSet<QString> words = [] {
        QSet<QString> all;
        for (const char16_t* word :
             {u"×",   u"%",     u"pts",    u"points",    u"ns",      u"us",      u"µs",    u"μs",    u"ms",   u"s",
              u"min", u"h",     u"d",      u"Hz",        u"kHz",     u"MHz",     u"GHz",   u"nJ",    u"µJ",   u"mJ",
              u"J",   u"kJ",    u"mW",     u"W",         u"kW",      u"°C",      u"B",     u"KiB",   u"MiB",  u"GiB",
              u"TiB", u"waves", u"cycles", u"registers", u"sectors", u"threads", u"bytes", u"times", u"FLOP", u"FLOP/B"})
            all.insert(QString::fromUtf16(word));
        for (const QChar prefix : QStringLiteral("KMGTP"))
            for (const char16_t* unit : {u"B", u"B/s", u"FLOP", u"FLOP/s"})
                all.insert(prefix + QString::fromUtf16(unit));
        return all << QStringLiteral("B/s") << QStringLiteral("FLOP/s");
    }();
    return words;
}

bool isDigit(QStringView text, qsizetype at)
{
    return at >= 0 && at < text.size() && text[at] >= u'0' && text[at] <= u'9';
}

qsizetype skipLetters(QStringView text, qsizetype at)
{
    while (at < text.size() && (text[at].isLetter() || text[at] == u'°'))
        ++at;
    return at;
}

/// Whether a word of units() begins at `at` and ends there, too.
bool hasUnit(QStringView text, qsizetype at)
{
    if (at >= text.size())
        return false;
    if (text[at] == u'×' || text[at] == u'%')
        return true;
    const qsizetype end = skipLetters(text, at);
    if (end == at || isDigit(text, end) || (end < text.size() && text[end] == u'_'))
        return false;
    if (units().contains(text.mid(at, end - at).toString()))
        return true;
    const qsizetype per = end < text.size() && text[end] == u'/' ? skipLetters(text, end + 1) : end;
    return per > end + 1 && units().contains(text.mid(at, per - at).toString());
}

/// Whether the word before a figure is one that sentences of ours have before figures without a unit, and never before a version: "at
/// least 1.20", "max abs 0.001", "where 1.03 would do".
bool hasLead(QStringView text, qsizetype start)
{
    if (start < 2 || text[start - 1] != u' ')
        return false;
    const QStringView before = text.first(start - 1);
    const QStringView word = before.mid(before.lastIndexOf(u' ') + 1);
    return std::ranges::any_of(std::array{u"least", u"most", u"within", u"under", u"below", u"above", u"where", u"abs", u"L2", u"error"},
                               [&](const char16_t* lead) { return word.compare(QStringView(lead), Qt::CaseInsensitive) == 0; });
}

/// Whether a figure begins here: what is before is not of a name, a path, a version or a setting.
bool beginsAlone(QStringView text, qsizetype start)
{
    if (start == 0)
        return true;
    const QChar before = text[start - 1];
    if (before == u'-')
        return start == 1 || text[start - 2].isSpace() || text[start - 2] == u'(';
    return !before.isLetterOrNumber() && !QStringView(u"_=.,/:@#").contains(before);
}

/// Whether the figure with decimals text[start, end) is one of ours.
bool isFigure(QStringView text, qsizetype start, qsizetype end)
{
    if (!beginsAlone(text, start))
        return false;
    if (end + 1 < text.size() && (text[end] == kPoint || text[end] == kComma) && isDigit(text, end + 1))
        return false;                                                      // a version, a list
    if (start > 0 && (text[start - 1] == u'$' || text[start - 1] == u'×')) // "×2.3" is a change
        return true;
    if (end + 2 < text.size() && text[end] == u'e' && (text[end + 1] == u'-' || text[end + 1] == u'+') && isDigit(text, end + 2))
        return true;
    if (end < text.size() && (text[end] == kThin || text[end] == kHard))
        return end + 1 < text.size() && !isDigit(text, end + 1); // only before units
    if (end < text.size() && text[end] == u'x')                  // as people type it
        return end + 1 == text.size() || !(text[end + 1].isLetterOrNumber() || text[end + 1] == u'_');
    const bool apart = end < text.size() && text[end] == u' ';
    if (hasUnit(text, apart ? end + 1 : end))
        return true;
    if (apart && text.mid(end + 1).startsWith(u"of ") && isDigit(text, end + 4)) // "8.14 of 32 threads"
        return true;
    const bool ends = end == text.size() || !(text[end].isLetterOrNumber() || text[end] == u'_');
    return ends && hasLead(text, start);
}

QString exchange(QString text, QChar from, QChar to)
{
    for (qsizetype at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + 1)) {
        qsizetype start = at, end = at + 1;
        while (isDigit(text, start - 1))
            --start;
        while (isDigit(text, end))
            ++end;
        if (start < at && end > at + 1 && isFigure(text, start, end))
            text[at] = to;
    }
    return text;
}

/// Exchanges what separates thousands ("1,270"). Lists (1,2,4), settings (N=1,024) and decimals ("0,042") have other commas.
QString exchangeGroups(QString text, QChar from, QChar to)
{
    constexpr qsizetype kGroup = 3;
    for (qsizetype at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + 1)) {
        qsizetype start = at, end = at;
        while (isDigit(text, start - 1))
            --start;
        const auto isGroup = [&text, from](qsizetype i) {
            return i < text.size() && text[i] == from && isDigit(text, i + 1) && isDigit(text, i + 2) && isDigit(text, i + kGroup) &&
                   !isDigit(text, i + kGroup + 1);
        };
        while (isGroup(end))
            end += kGroup + 1;
        const bool lone =
            end == text.size() || !(text[end].isLetterOrNumber() || text[end] == u'_' || (text[end] == kComma && isDigit(text, end + 1)));
        if (start == at || end == at || at - start > kGroup || text[start] == u'0' || !beginsAlone(text, start) || !lone)
            continue;
        for (; at < end; at += kGroup + 1)
            text[at] = to;
        --at;
    }
    return text;
}

} // namespace

QChar decimalMark()
{
    return pointsOnly > 0 ? kPoint : QChar(windowMark.load(std::memory_order_relaxed));
}

void useDecimalMark(QChar mark)
{
    windowMark.store(mark.unicode(), std::memory_order_relaxed);
}

QChar localeDecimalMark()
{
    return QLocale().decimalPoint() == kComma ? kComma : kPoint;
}

QString withMark(QString text)
{
    return decimalMark() == kPoint ? text : exchange(exchangeGroups(std::move(text), kComma, kThin), kPoint, decimalMark());
}

QString figureWithMark(QString figure)
{
    return decimalMark() == kPoint ? figure : exchangeGroups(std::move(figure), kComma, kThin).replace(kPoint, decimalMark());
}

QString withPoints(QString text)
{
    if (windowMark == kPoint.unicode())
        return text;
    if (pointsOnly > 0) // what was written under it already has commas between thousands
        text = exchangeGroups(std::move(text), kComma, kThin);
    return exchangeGroups(exchange(std::move(text), QChar(windowMark), kPoint), kThin, kComma);
}

PointsOnly::PointsOnly()
{
    ++pointsOnly;
}

PointsOnly::~PointsOnly()
{
    --pointsOnly;
}

} // namespace kl::ui
