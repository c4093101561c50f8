// SPDX-License-Identifier: MIT
#include "ui/widgets/code_view.h"

#include "ui/style/theme.h"
#include "ui/widgets/code_colours.h"

#include <QPainter>
#include <QTextBlock>

namespace kl {

namespace {

class Margin : public QWidget {
public:
    explicit Margin(CodeView* view) : QWidget(view), view_(view) {}
    QSize sizeHint() const override { return {view_->marginWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override { view_->paintMargin(event); }

private:
    CodeView* view_;
};

} // namespace

CodeView::CodeView(QWidget* parent) : QPlainTextEdit(parent), margin_(new Margin(this))
{
    setObjectName(QStringLiteral("code"));
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(fontOf(TextRole::code));
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Source code"));
    auto* colours = new CodeColours(document());
    connect(&Theme::instance(), &Theme::changed, colours, &CodeColours::reload);
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { setViewportMargins(marginWidth(), 0, 0, 0); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy)
            margin_->scroll(0, dy);
        else
            margin_->update(0, rect.y(), margin_->width(), rect.height());
    });
    setViewportMargins(marginWidth(), 0, 0, 0);
}

void CodeView::setCode(const QString& text)
{
    heat_.clear();
    setPlainText(text);
}

void CodeView::setHeat(const std::map<int, double>& shares)
{
    heat_ = shares;
    setViewportMargins(marginWidth(), 0, 0, 0);
    margin_->update();
}

void CodeView::showLine(int line)
{
    const QTextBlock block = document()->findBlockByNumber(std::max(0, line - 1));
    setTextCursor(QTextCursor(block));
    centerCursor();
}

int CodeView::marginWidth() const
{
    const int digits = static_cast<int>(QString::number(std::max(10, blockCount())).size());
    return fontMetrics().horizontalAdvance(u'9') * digits + 16 + (heat_.empty() ? 0 : 76);
}

void CodeView::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    const QRect inner = contentsRect();
    margin_->setGeometry(inner.left(), inner.top(), marginWidth(), inner.height());
}

void CodeView::paintMargin(QPaintEvent* event)
{
    QPainter painter(margin_);
    painter.fillRect(event->rect(), color(Token::raised));
    painter.setFont(font());
    const double heatLeft = margin_->width() - 72;
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
        if (line.top() > event->rect().bottom())
            break;
        const int number = block.blockNumber() + 1;
        const double right = heat_.empty() ? margin_->width() - 8 : heatLeft - 6;
        painter.setPen(color(Token::muted));
        painter.drawText(QRectF(0, line.top(), right, line.height()), Qt::AlignRight | Qt::AlignVCenter, QString::number(number));
        const auto hot = heat_.find(number);
        if (hot == heat_.end())
            continue;
        painter.fillRect(QRectF(heatLeft, line.top() + 3, 32 * std::min(1.0, hot->second), line.height() - 6), color(Token::worse));
        painter.drawText(QRectF(heatLeft, line.top(), 66, line.height()), Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(hot->second * 100, 'f', hot->second < 0.1 ? 1 : 0) + u'%');
    }
}

} // namespace kl
