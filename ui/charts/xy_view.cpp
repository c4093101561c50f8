// SPDX-License-Identifier: MIT
#include "ui/charts/xy_view.h"

#include "ui/style/theme.h"

#include <QLegend>
#include <QPainter>

namespace kl {

XYView::XYView(QWidget* parent) : QChartView(new QChart, parent)
{
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setBackgroundBrush(Qt::NoBrush);
    viewport()->setAutoFillBackground(false);
    startOver();
}

void XYView::startOver()
{
    QChart* old = chart();
    auto* fresh = new QChart;
    fresh->setBackgroundVisible(false);
    fresh->legend()->hide();
    fresh->layout()->setContentsMargins(0, 0, 0, 0);
    fresh->setMargins(QMargins(0, 4, 0, 0));
    setChart(fresh);
    delete old;
}

void XYView::setNotes(std::vector<XYNote> notes)
{
    notes_ = std::move(notes);
    viewport()->update();
}

void XYView::setEmptyReason(const QString& reason)
{
    emptyReason_ = reason;
    viewport()->update();
}

void XYView::drawForeground(QPainter* painter, const QRectF& rect)
{
    QChartView::drawForeground(painter, rect);
    painter->setFont(fontOf(TextRole::caption));
    const QRectF plot = chart()->plotArea();
    if (!emptyReason_.isEmpty()) {
        painter->setPen(color(Token::muted));
        painter->drawText(plot, Qt::AlignCenter | Qt::TextWordWrap, emptyReason_);
    }
    if (chart()->series().isEmpty())
        return;
    std::vector<QRectF> taken;
    for (const XYNote& note : notes_) {
        const QPointF at = chart()->mapToPosition(note.at, chart()->series().first());
        const double width = painter->fontMetrics().horizontalAdvance(note.text) + 4;
        const double left = std::clamp(at.x() + 4, plot.left() + 2, std::max(plot.left() + 2, plot.right() - width));
        const double top = at.y() - 17 < plot.top() ? at.y() + 2 : at.y() - 17;
        QRectF box(left, top, width, 15);
        for (const QRectF& other : taken)
            if (box.intersects(other))
                box.moveLeft(other.right() + kGapInside); // lines that lie close have their words side by side
        taken.push_back(box);
        painter->setPen(color(note.token));
        painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, note.text);
    }
}

} // namespace kl
