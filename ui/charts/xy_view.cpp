// SPDX-License-Identifier: MIT
#include "ui/charts/xy_view.h"

#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"

#include <QEvent>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QLineSeries>
#include <QLocale>
#include <QPainter>

namespace kl::ui {

XYView::XYView(QWidget* parent) : QChartView(new QChart, parent)
{
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setContextMenuPolicy(Qt::NoContextMenu); // the card has one
    setBackgroundBrush(Qt::NoBrush);
    viewport()->setAutoFillBackground(false);
    connect(scene(), &QGraphicsScene::changed, this, [this] { picture_ = {}; });
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
    if (decimalMark() != u'.') {
        QLocale marks(QLocale::German); // has the comma, whatever else the user's locale has
        marks.setNumberOptions(QLocale::OmitGroupSeparator);
        fresh->setLocale(marks);
        fresh->setLocalizeNumbers(true);
    }
    setChart(fresh);
    delete old;
    picture_ = {};
}

void XYView::setNotes(std::vector<XYNote> notes)
{
    notes_ = std::move(notes);
    picture_ = {};
    viewport()->update();
}

void XYView::setEmptyReason(const QString& reason)
{
    emptyReason_ = reason;
    picture_ = {};
    viewport()->update();
}

void XYView::setHighlighted(std::vector<QPointF> places)
{
    if (places.empty() && highlighted_.empty())
        return;
    highlighted_ = std::move(places);
    picture_ = {};
    viewport()->update();
}

bool XYView::isDense() const
{
    constexpr qsizetype kMany = 100; // points
    qsizetype points = 0;
    for (const QAbstractSeries* series : chart()->series())
        if (const auto* xy = qobject_cast<const QXYSeries*>(series))
            points += xy->count();
    return points > kMany;
}

bool XYView::viewportEvent(QEvent* event)
{
    switch (event->type()) {
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::WindowActivate:
    case QEvent::WindowDeactivate: // to the scene, which has no focus to show: it would only be drawn again
        return QAbstractScrollArea::viewportEvent(event);
    default: return QChartView::viewportEvent(event);
    }
}

void XYView::paintEvent(QPaintEvent* event)
{
    if (!isDense())
        return QChartView::paintEvent(event);
    const QSize pixels = viewport()->size() * devicePixelRatioF();
    if (picture_.size() != pixels) {
        QPixmap drawn(pixels);
        drawn.setDevicePixelRatio(devicePixelRatioF());
        drawn.fill(Qt::transparent);
        QPainter painter(&drawn);
        render(&painter, QRectF(viewport()->rect()), viewport()->rect());
        picture_ = drawn;
    }
    QPainter(viewport()).drawPixmap(0, 0, picture_);
}

void XYView::paintHighlighted(QPainter& painter, const QRectF& plot) const
{
    constexpr double kRing = 9;
    painter.setPen(QPen(color(Token::text), 2));
    painter.setBrush(Qt::NoBrush);
    for (const QPointF& place : highlighted_)
        if (const QPointF at = chart()->mapToPosition(place, chart()->series().first()); plot.contains(at))
            painter.drawEllipse(at, kRing, kRing);
}

void XYView::drawForeground(QPainter* painter, const QRectF& rect)
{
    QChartView::drawForeground(painter, rect);
    painter->setFont(makeFont(TextRole::caption));
    const QRectF plot = chart()->plotArea();
    if (!emptyReason_.isEmpty()) {
        painter->setPen(color(Token::muted));
        painter->drawText(plot, Qt::AlignCenter | Qt::TextWordWrap, emptyReason_);
    }
    if (chart()->series().isEmpty())
        return;
    paintHighlighted(*painter, plot);
    std::vector<LabelWish> wishes;
    std::vector<const XYNote*> shown; // the part of the plot that is shown has these
    for (const XYNote& note : notes_) {
        const QPointF at = chart()->mapToPosition(note.at, chart()->series().first());
        const bool inside = at.y() >= plot.top() - 1 && at.y() <= plot.bottom() + 1 &&
                            (note.alongLine || (at.x() >= plot.left() - 1 && at.x() <= plot.right() + 1));
        if (!inside)
            continue;
        shown.push_back(&note);
        wishes.push_back({at, static_cast<double>(painter->fontMetrics().horizontalAdvance(note.text)) + 4, note.alongLine});
    }
    const std::vector<QRectF>& boxes = place(std::move(wishes), plot);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        QColor behind = color(Token::surface);
        behind.setAlphaF(0.8F);
        painter->fillRect(boxes[i], behind); // keeps labels legible where they must cross a line
        painter->setPen(color(shown[i]->token));
        painter->drawText(boxes[i].adjusted(2, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter, shown[i]->text);
    }
}

const std::vector<QRectF>& XYView::place(std::vector<LabelWish> wishes, const QRectF& plot)
{
    std::vector<QLineF> lines = wishes.empty() ? std::vector<QLineF>() : computeDrawnLines();
    if (wishes != placed_.wishes || lines != placed_.lines || plot != placed_.plot)
        placed_ = {wishes, lines, plot, placeLabels(wishes, lines, plot)};
    return placed_.boxes;
}

std::vector<QLineF> XYView::computeDrawnLines() const
{
    constexpr qsizetype kMostPoints = 2000; // of a series; labels cannot avoid a cloud of points
    std::vector<QLineF> lines;
    for (QAbstractSeries* series : chart()->series()) {
        const auto* points = qobject_cast<const QXYSeries*>(series);
        if (!points || points->count() > kMostPoints)
            continue;
        QPointF before;
        for (qsizetype i = 0; i < points->count(); ++i) {
            const QPointF at = chart()->mapToPosition(points->at(static_cast<int>(i)), series);
            lines.emplace_back(i > 0 && qobject_cast<const QLineSeries*>(points) ? before : at, at);
            before = at;
        }
    }
    return lines;
}

} // namespace kl::ui
