// SPDX-License-Identifier: MIT
#include "ui/charts/chart_body.h"

#include "ui/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace kl::ui {

PaintedChart::PaintedChart(QWidget* parent) : ChartBody(parent)
{
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    connect(this, &ChartBody::changed, this, [this] { chosen_ = 0; });
}

void PaintedChart::setPickable()
{
    setFocusPolicy(Qt::StrongFocus);
}

void PaintedChart::draw(QPainter& painter, const QRectF& area)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(area.topLeft());
    painter.setFont(makeFont(TextRole::caption));
    if (const QString reason = emptyReason(); reason.isEmpty()) {
        paint(painter, area.size());
    } else {
        painter.setPen(color(Token::muted));
        painter.drawText(QRectF({0, 0}, area.size()), Qt::AlignCenter | Qt::TextWordWrap, reason);
    }
    painter.restore();
}

void PaintedChart::addHit(const QRectF& area, const QString& tip, int index)
{
    if (collecting_)
        hits_.push_back({area, tip, index});
}

void PaintedChart::text(QPainter& painter, const QRectF& box, int flags, const QString& words, Token token)
{
    painter.setPen(color(token));
    painter.drawText(box, flags, painter.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(box.width())));
}

void PaintedChart::paintEvent(QPaintEvent*)
{
    hits_.clear();
    collecting_ = true;
    QPainter painter(this);
    draw(painter, QRectF(rect()));
    collecting_ = false;
    if (hasFocus())
        paintChosen(painter);
}

void PaintedChart::paintChosen(QPainter& painter) const
{
    QRectF area;
    for (const Hit& hit : hits_)
        if (hit.index == chosen_)
            area |= hit.area;
    painter.setPen(color(Token::accent));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect((area.isEmpty() ? QRectF(rect()) : area & QRectF(rect())).adjusted(0.5, 0.5, -0.5, -0.5));
}

void PaintedChart::choose(int index)
{
    const bool there = std::ranges::any_of(hits_, [&](const Hit& hit) { return hit.index == index; });
    if (!there)
        return;
    chosen_ = index;
    update();
    emit picked(index);
}

void PaintedChart::keyPressEvent(QKeyEvent* event)
{
    if (focusPolicy() != Qt::StrongFocus) {
        ChartBody::keyPressEvent(event);
        return;
    }
    const int key = event->key();
    if (key == Qt::Key_Down || key == Qt::Key_Right)
        choose(chosen_ + 1);
    else if (key == Qt::Key_Up || key == Qt::Key_Left)
        choose(chosen_ - 1);
    else if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space)
        choose(chosen_);
    else
        ChartBody::keyPressEvent(event);
}

const PaintedChart::Hit* PaintedChart::findHitAt(const QPointF& point) const
{
    for (auto hit = hits_.rbegin(); hit != hits_.rend(); ++hit)
        if (hit->area.contains(point))
            return &*hit;
    return nullptr;
}

bool PaintedChart::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const Hit* hit = findHitAt(help->pos()); hit && !hit->tip.isEmpty())
            QToolTip::showText(help->globalPos(), hit->tip, this);
        else
            QToolTip::hideText();
        return true;
    }
    return ChartBody::event(event);
}

void PaintedChart::mouseReleaseEvent(QMouseEvent* event)
{
    if (const Hit* hit = findHitAt(event->position()); hit && hit->index >= 0)
        choose(hit->index);
}

} // namespace kl::ui
