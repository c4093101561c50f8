// SPDX-License-Identifier: MIT
#include "ui/style/theme.h"
#include "ui/widgets/code_colors.h"

#include <gtest/gtest.h>

#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

namespace kl::ui {
namespace {

/// The color of a character of a line; none where it has the text's own.
QColor colorAt(const QTextDocument& document, int line, int column)
{
    QColor found;
    for (const QTextLayout::FormatRange& range : document.findBlockByNumber(line).layout()->formats())
        if (column >= range.start && column < range.start + range.length)
            found = range.format.foreground().color();
    return found;
}

TEST(CodeColors, ACommentReachesOverLines)
{
    QTextDocument document(QStringLiteral("int a; /* first\nint second\nthird */ int b;\nint c;"));
    CodeColors colors(&document);
    colors.rehighlight();
    EXPECT_EQ(colorAt(document, 0, 0), color(Token::accent));
    EXPECT_EQ(colorAt(document, 0, 10), color(Token::muted));
    EXPECT_EQ(colorAt(document, 1, 0), color(Token::muted)) << "int within the comment";
    EXPECT_EQ(colorAt(document, 2, 0), color(Token::muted));
    EXPECT_EQ(colorAt(document, 2, 9), color(Token::accent)) << "behind the comment";
    EXPECT_EQ(colorAt(document, 3, 0), color(Token::accent));
}

TEST(CodeColors, WithinACommentTheOtherKindIsText)
{
    QTextDocument document(QStringLiteral("int a; // /* not open\nint b;\n/* // */ int c;\n/*\n\nint d;"));
    CodeColors colors(&document);
    colors.rehighlight();
    EXPECT_EQ(colorAt(document, 0, 10), color(Token::muted));
    EXPECT_EQ(colorAt(document, 1, 0), color(Token::accent)) << "nothing is open";
    EXPECT_EQ(colorAt(document, 2, 3), color(Token::muted));
    EXPECT_EQ(colorAt(document, 2, 9), color(Token::accent)) << "behind the comment";
    EXPECT_EQ(colorAt(document, 5, 0), color(Token::muted)) << "an empty line ends no comment";
}

} // namespace
} // namespace kl::ui
