// SPDX-License-Identifier: MIT
#include "ui/widgets/code_view.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/code_colors.h"
#include "ui/widgets/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>

namespace kl::ui {

namespace {

constexpr int kBarWidth = 36;
constexpr int kBesideBar = 4;            // pixels, on either side of it
constexpr int kAfterShare = 10;          // pixels
constexpr double kWidestPercent = 99.9;  // no share has more digits
constexpr double kMarkedShade = 0.14;    // opacity behind the marked line
constexpr double kStrongestShade = 0.22; // opacity behind a line with all samples

class Margin : public QWidget {
public:
    explicit Margin(CodeView* view) : QWidget(view), view_(view) {}
    QSize sizeHint() const override { return {view_->marginWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override { view_->paintMargin(event); }
    bool event(QEvent* event) override
    {
        if (event->type() != QEvent::ToolTip)
            return QWidget::event(event);
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), view_->tipAt(help->pos().y()), this);
        return true;
    }

private:
    CodeView* view_;
};

} // namespace

CodeView::CodeView(QWidget* parent) : QPlainTextEdit(parent), margin_(new Margin(this))
{
    setObjectName(QStringLiteral("code"));
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(makeFont(TextRole::code));
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Source code"));
    auto* colors = new CodeColors(document());
    connect(&Theme::instance(), &Theme::changed, colors, &CodeColors::reload);
    connect(&Theme::instance(), &Theme::changed, this, &CodeView::shade);
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { setViewportMargins(marginWidth(), 0, 0, 0); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy)
            margin_->scroll(0, dy);
        else
            margin_->update(0, rect.y(), margin_->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        if (!quiet_)
            emit lineChosen(textCursor().blockNumber() + 1);
    });
    setViewportMargins(marginWidth(), 0, 0, 0);
}

void CodeView::setCode(const QString& text)
{
    quiet_ = true;
    setPlainText(text);
    quiet_ = false;
    marked_ = 0;
    setHeat({});
}

void CodeView::setHeat(const std::map<int, LineHeat>& heat)
{
    heat_ = heat;
    setViewportMargins(marginWidth(), 0, 0, 0);
    const QRect inner = contentsRect();
    margin_->setGeometry(inner.left(), inner.top(), marginWidth(), inner.height());
    shade();
    margin_->update();
}

void CodeView::shade()
{
    QList<QTextEdit::ExtraSelection> shades;
    for (const auto& [line, heat] : heat_) {
        const QTextBlock block = document()->findBlockByNumber(line - 1);
        if (!block.isValid())
            continue;
        QColor back = color(Token::worse);
        back.setAlphaF(static_cast<float>(kStrongestShade * std::min(1.0, heat.share)));
        QTextEdit::ExtraSelection shade;
        shade.cursor = QTextCursor(block);
        shade.format.setBackground(back);
        shade.format.setProperty(QTextFormat::FullWidthSelection, true);
        shades << shade;
    }
    if (const QTextBlock block = document()->findBlockByNumber(marked_ - 1); marked_ > 0 && block.isValid()) {
        QColor back = color(Token::accent);
        back.setAlphaF(static_cast<float>(kMarkedShade));
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.format.setBackground(back);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        shades << mark;
    }
    setExtraSelections(shades);
}

void CodeView::setMarked(int line)
{
    marked_ = line;
    shade();
}

QString CodeView::tipAt(int y) const
{
    const auto heat = heat_.find(cursorForPosition({0, y}).blockNumber() + 1);
    return heat == heat_.end() ? QString() : heat->second.tip;
}

void CodeView::showLine(int line)
{
    const QTextBlock block = document()->findBlockByNumber(std::max(0, line - 1));
    quiet_ = true;
    setTextCursor(QTextCursor(block));
    quiet_ = false;
    centerCursor();
}

int CodeView::marginWidth() const
{
    const int digits = static_cast<int>(QString::number(std::max(10, blockCount())).size());
    return fontMetrics().horizontalAdvance(u'9') * digits + 16 + heatWidth();
}

int CodeView::heatWidth() const
{
    return heat_.empty() ? 0 : kBesideBar + kBarWidth + kBesideBar + shareWidth() + kAfterShare;
}

int CodeView::shareWidth() const
{
    return fontMetrics().horizontalAdvance(q(formatPercent(kWidestPercent)));
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
    const double heatLeft = margin_->width() - heatWidth() + kBesideBar;
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
        const double share = hot->second.share;
        painter.fillRect(QRectF(heatLeft, line.top() + 4, std::max(1.0, kBarWidth * std::min(1.0, share)), line.height() - 8),
                         color(Token::worse));
        painter.setPen(color(Token::text));
        painter.drawText(QRectF(heatLeft + kBarWidth + kBesideBar, line.top(), shareWidth(), line.height()),
                         Qt::AlignRight | Qt::AlignVCenter, q(formatPercent(share * 100)));
    }
}

} // namespace kl::ui
