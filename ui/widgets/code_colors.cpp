// SPDX-License-Identifier: MIT
#include "ui/widgets/code_colors.h"

#include "ui/style/theme.h"

#include <QRegularExpression>

namespace kl::ui {

namespace {

const QRegularExpression& keywords()
{
    static const QRegularExpression words(QStringLiteral(
        "\\b(auto|bool|break|case|char|class|const|constexpr|continue|default|do|double|else|enum|extern|false|float|for|if|inline|int|"
        "long|namespace|return|short|signed|sizeof|static|static_assert|struct|switch|template|true|typedef|typename|union|unsigned|"
        "using|void|volatile|while|size_t|u?int(8|16|32|64)_t|half|__half2?|float[234]|int[234]|uint[234])\\b"));
    return words;
}

const QRegularExpression& cudaWords()
{
    static const QRegularExpression words(
        QStringLiteral("\\b(__\\w+|threadIdx|blockIdx|blockDim|gridDim|warpSize|atomic\\w+|asm|min|max|exp2f?|rsqrtf?|fmaf?)\\b"));
    return words;
}

const QRegularExpression& numbers()
{
    static const QRegularExpression words(QStringLiteral("\\b(0x[0-9a-fA-F]+|[0-9]+\\.?[0-9]*([eE][-+]?[0-9]+)?)[uUlLfF]*\\b"));
    return words;
}

} // namespace

CodeColors::CodeColors(QTextDocument* document) : QSyntaxHighlighter(document)
{
    reload();
}

void CodeColors::reload()
{
    keyword_.setForeground(color(Token::accent));
    cuda_.setForeground(color(Token::waived));
    number_.setForeground(color(Token::worse));
    comment_.setForeground(color(Token::muted));
    comment_.setFontItalic(true);
    directive_.setForeground(color(Token::stale));
    rehighlight();
}

void CodeColors::highlightBlock(const QString& text)
{
    const auto paint = [&](const QRegularExpression& words, const QTextCharFormat& format) {
        for (auto it = words.globalMatch(text); it.hasNext();) {
            const auto match = it.next();
            setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), format);
        }
    };
    paint(numbers(), number_);
    paint(keywords(), keyword_);
    paint(cudaWords(), cuda_);
    if (text.trimmed().startsWith(u'#'))
        setFormat(0, static_cast<int>(text.size()), directive_);
    // Of the two kinds of comment the first one counts: within it the marks of the other are text. State 1 while a block comment is open at
    // the line's end.
    qsizetype at = 0;
    bool open = previousBlockState() == 1;
    setCurrentBlockState(0);
    while (at < text.size()) {
        const qsizetype block = open ? at : text.indexOf(QStringLiteral("/*"), at);
        const qsizetype line = open ? -1 : text.indexOf(QStringLiteral("//"), at);
        const bool toItsEnd = line >= 0 && (block < 0 || line < block);
        const qsizetype from = toItsEnd ? line : block;
        if (from < 0)
            return;
        const qsizetype end = toItsEnd ? -1 : text.indexOf(QStringLiteral("*/"), from);
        at = end < 0 ? text.size() : end + 2;
        setFormat(static_cast<int>(from), static_cast<int>(at - from), comment_);
        open = false;
        if (end < 0 && !toItsEnd)
            setCurrentBlockState(1);
    }
    if (open)
        setCurrentBlockState(1); // an empty line within a comment
}

} // namespace kl::ui
