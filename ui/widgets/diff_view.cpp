// SPDX-License-Identifier: MIT
#include "ui/widgets/diff_view.h"

#include "ui/style/theme.h"

#include <QFontMetrics>
#include <QSyntaxHighlighter>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kFewestLines = 4;
constexpr int kMostLines = 24;

class DiffColors : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override
    {
        const bool head = text.startsWith(QStringLiteral("---")) || text.startsWith(QStringLiteral("+++")) || text.startsWith(u'@');
        if (head)
            setFormat(0, static_cast<int>(text.size()), color(Token::muted));
        else if (text.startsWith(u'+'))
            setFormat(0, static_cast<int>(text.size()), color(Token::better));
        else if (text.startsWith(u'-'))
            setFormat(0, static_cast<int>(text.size()), color(Token::worse));
    }
};

} // namespace

DiffView::DiffView(QWidget* parent) : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(makeFont(TextRole::code));
    setAccessibleName(tr("Difference"));
    auto* colors = new DiffColors(document());
    connect(&Theme::instance(), &Theme::changed, colors, &QSyntaxHighlighter::rehighlight);
    hide();
}

void DiffView::setDiff(const QString& unified)
{
    if (unified != toPlainText())
        setPlainText(unified);
    const int lines = std::clamp(static_cast<int>(unified.count(u'\n')) + 1, kFewestLines, kMostLines);
    setFixedHeight(lines * QFontMetrics(font()).lineSpacing() + 2 * static_cast<int>(document()->documentMargin()) + 2 * frameWidth());
    setVisible(!unified.isEmpty());
}

} // namespace kl::ui
