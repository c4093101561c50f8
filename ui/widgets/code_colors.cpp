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
    // Block comments: state 1 while one is open at the line's end.
    int from = previousBlockState() == 1 ? 0 : static_cast<int>(text.indexOf(QStringLiteral("/*")));
    setCurrentBlockState(0);
    while (from >= 0) {
        const auto end = text.indexOf(QStringLiteral("*/"), from);
        const int until = end < 0 ? static_cast<int>(text.size()) : static_cast<int>(end) + 2;
        setFormat(from, until - from, comment_);
        if (end < 0)
            setCurrentBlockState(1);
        from = end < 0 ? -1 : static_cast<int>(text.indexOf(QStringLiteral("/*"), until));
    }
    const auto line = text.indexOf(QStringLiteral("//"));
    if (line >= 0)
        setFormat(static_cast<int>(line), static_cast<int>(text.size() - line), comment_);
}

} // namespace kl::ui
