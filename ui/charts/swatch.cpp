// SPDX-License-Identifier: MIT
#include "ui/charts/swatch.h"

#include "ui/style/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace kl::ui {

namespace {

class Sign : public QWidget {
public:
    Sign(const LegendItem& item, QWidget* parent) : QWidget(parent), item_(item) { setFixedSize(18, 12); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor ink = color(item_.token);
        const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
        switch (item_.swatch) {
        case Swatch::solid: painter.fillRect(box, ink); break;
        case Swatch::hatched:
            painter.fillRect(box, makeHatch(item_.token));
            painter.setPen(ink);
            painter.drawRect(box);
            break;
        case Swatch::line:
        case Swatch::dashed:
            painter.setPen(QPen(ink, 2, item_.swatch == Swatch::line ? Qt::SolidLine : Qt::DashLine));
            painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
            break;
        case Swatch::marker:
            painter.setPen(Qt::NoPen);
            painter.setBrush(ink);
            paintMarker(painter, box.center());
        }
    }

private:
    void paintMarker(QPainter& painter, const QPointF& at) const
    {
        constexpr double kHalf = 4.5;
        switch (item_.marker) {
        case Marker::square: painter.drawRect(QRectF(at.x() - kHalf, at.y() - kHalf, 2 * kHalf, 2 * kHalf)); break;
        case Marker::triangle:
            painter.drawPolygon(QPolygonF{{at.x(), at.y() - kHalf}, {at.x() + kHalf, at.y() + kHalf}, {at.x() - kHalf, at.y() + kHalf}});
            break;
        case Marker::diamond:
            painter.drawPolygon(
                QPolygonF{{at.x(), at.y() - kHalf}, {at.x() + kHalf, at.y()}, {at.x(), at.y() + kHalf}, {at.x() - kHalf, at.y()}});
            break;
        default: painter.drawEllipse(at, kHalf, kHalf);
        }
    }

    LegendItem item_;
};

} // namespace

QBrush makeHatch(Token token)
{
    return QBrush(color(token), Qt::BDiagPattern);
}

QWidget* makeSwatch(const LegendItem& item, QWidget* parent)
{
    auto* box = new QWidget(parent);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(new Sign(item, box));
    row->addWidget(makeLabel(item.name, TextRole::caption, box));
    return box;
}

} // namespace kl::ui
