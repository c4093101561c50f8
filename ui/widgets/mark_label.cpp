// SPDX-License-Identifier: MIT
#include "ui/widgets/mark_label.h"

#include "ui/style/theme.h"

#include <array>

namespace kl::ui {

namespace {

struct Row {
    const char* sign;
    const char* word;
    Token token;
};

constexpr std::array<Row, 8> kRows{{
    {"✓", "pass", Token::better},
    {"✕", "fail", Token::worse},
    {"⊘", "waived", Token::waived},
    {"↻", "stale", Token::stale},
    {"–", "not evaluated", Token::neutral},
    {"●", "in progress", Token::accent},
    {"▲", "faster", Token::better},
    {"▼", "slower", Token::worse},
}};

const Row& findRow(Mark mark)
{
    return kRows[static_cast<std::size_t>(mark)];
}

} // namespace

QString markSign(Mark mark)
{
    return QString::fromUtf8(findRow(mark).sign);
}

QString markWord(Mark mark)
{
    return QString::fromUtf8(findRow(mark).word);
}

Token markToken(Mark mark)
{
    return findRow(mark).token;
}

Mark chooseMark(GateResult result, GateProgress progress)
{
    if (progress == GateProgress::waived)
        return Mark::waived;
    if (progress == GateProgress::stale)
        return Mark::stale;
    if (progress == GateProgress::running)
        return Mark::running;
    return result == GateResult::pass ? Mark::pass : result == GateResult::fail ? Mark::fail : Mark::none;
}

Mark chooseMark(CheckResult result)
{
    return result == CheckResult::pass ? Mark::pass : result == CheckResult::fail ? Mark::fail : Mark::none;
}

Mark chooseMark(Verdict verdict)
{
    return verdict == Verdict::faster ? Mark::better : verdict == Verdict::slower ? Mark::worse : Mark::none;
}

MarkLabel::MarkLabel(Mark mark, const QString& words, QWidget* parent) : QLabel(parent)
{
    set(mark, words);
}

void MarkLabel::set(Verdict verdict)
{
    QString words;
    switch (verdict) {
    case Verdict::faster: words = QStringLiteral("faster"); break;
    case Verdict::slower: words = QStringLiteral("slower"); break;
    case Verdict::equivalent: words = QStringLiteral("equivalent"); break;
    case Verdict::inconclusive: words = QStringLiteral("inconclusive"); break;
    case Verdict::notComparable: words = QStringLiteral("not comparable"); break;
    }
    set(chooseMark(verdict), words);
}

void MarkLabel::set(Mark mark, const QString& words)
{
    setText(markSign(mark) + u' ' + (words.isEmpty() ? markWord(mark) : words));
    setTextToken(this, markToken(mark));
}

} // namespace kl::ui
