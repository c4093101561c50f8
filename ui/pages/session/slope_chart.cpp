// SPDX-License-Identifier: MIT
#include "ui/pages/session/slope_chart.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QPainter>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kTop = 34;
constexpr int kBottom = 30;
constexpr int kMarker = 5;

double placeOnAxis(double ns, double top, double bottom, double maximum)
{
    return bottom - (bottom - top) * ns / maximum;
}

} // namespace

SlopeChart::SlopeChart(QWidget* parent) : PaintedChart(parent) {}

void SlopeChart::setTimes(const QString& before, const std::optional<Summary>& beforeNs, const QString& after,
                          const std::optional<Summary>& afterNs)
{
    before_ = {before, beforeNs};
    after_ = {after, afterNs};
    const auto words = [](const Side& side) {
        return side.ns ? tr("%1 takes %2").arg(side.name, q(formatTime(side.ns->median))) : tr("%1 was not measured").arg(side.name);
    };
    setAccessibleName(words(before_) + QStringLiteral(", ") + words(after_));
    update();
    emit changed();
}

ChartTable SlopeChart::table() const
{
    ChartTable table{{tr("variant"), tr("median, ns"), tr("low, ns"), tr("high, ns"), tr("n")}, {}};
    for (const Side* side : {&before_, &after_})
        if (side->ns)
            table.rows.push_back({side->name, QString::number(side->ns->median, 'f', 1), QString::number(side->ns->low, 'f', 1),
                                  QString::number(side->ns->high, 'f', 1), QString::number(side->ns->n)});
    return table;
}

QString SlopeChart::emptyReason() const
{
    return before_.ns || after_.ns ? QString() : tr("Not measured yet");
}

void SlopeChart::paint(QPainter& painter, const QSizeF& size)
{
    const double left = size.width() * 0.28;
    const double right = size.width() * 0.72;
    const double top = kTop;
    const double bottom = size.height() - kBottom;
    double maximum = 0;
    for (const Side* side : {&before_, &after_})
        if (side->ns)
            maximum = std::max(maximum, std::max(side->ns->high, side->ns->median));
    painter.setPen(color(Token::border));
    painter.drawLine(QPointF(left - 40, bottom), QPointF(right + 40, bottom));
    if (maximum <= 0)
        return;
    if (before_.ns && after_.ns) {
        const bool faster = after_.ns->median <= before_.ns->median;
        painter.setPen(QPen(color(faster ? Token::better : Token::worse), 2));
        painter.drawLine(QPointF(left, placeOnAxis(before_.ns->median, top, bottom, maximum)),
                         QPointF(right, placeOnAxis(after_.ns->median, top, bottom, maximum)));
    }
    paintSide(painter, before_, left, top, bottom, maximum, true);
    paintSide(painter, after_, right, top, bottom, maximum, false);
}

void SlopeChart::paintSide(QPainter& painter, const Side& side, double x, double top, double bottom, double maximum, bool left) const
{
    painter.setPen(color(Token::muted));
    painter.setFont(makeFont(TextRole::caption));
    painter.drawText(QRectF(x - 110, bottom + 6, 220, 20), Qt::AlignHCenter | Qt::AlignTop, side.name);
    if (!side.ns) {
        painter.drawText(QRectF(x - 80, bottom - 24, 160, 20), Qt::AlignCenter, tr("not measured"));
        return;
    }
    const double y = placeOnAxis(side.ns->median, top, bottom, maximum);
    const double low = placeOnAxis(side.ns->low, top, bottom, maximum);
    const double high = placeOnAxis(side.ns->high, top, bottom, maximum);
    painter.setPen(QPen(color(Token::text), 1.5));
    painter.drawLine(QPointF(x, low), QPointF(x, high));
    for (const double end : {low, high})
        painter.drawLine(QPointF(x - 4, end), QPointF(x + 4, end));
    painter.setBrush(color(Token::text));
    painter.drawEllipse(QPointF(x, y), kMarker, kMarker);
    painter.setFont(makeFont(TextRole::card));
    const QRectF box = left ? QRectF(x - 130, y - 12, 118, 24) : QRectF(x + 12, y - 12, 118, 24);
    painter.drawText(box, (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, q(formatTime(side.ns->median)));
}

} // namespace kl::ui
