// SPDX-License-Identifier: MIT
#include "ui/charts/xy_chart.h"

#include "core/base/format.h"
#include "ui/charts/geometry/ticks.h"
#include "ui/charts/geometry/zoom.h"
#include "ui/charts/linked_hover.h"
#include "ui/charts/xy_view.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QtCharts>

#include <cmath>

namespace kl::ui {

namespace {

constexpr int kMostNames = 10;     ///< along a category axis
constexpr int kBesideNames = 80;   ///< pixels of the width without names: the other axis and margins
constexpr double kMarkerSize = 10; ///< pixels
constexpr double kSmallMarkerSize = 5;
constexpr double kLeastArea = 7, kMostArea = 44; ///< pixels across, of markers with an area
constexpr double kWheelStep = 1.25;              ///< one notch
constexpr double kKeyStep = 0.1;                 ///< of the plot
constexpr double kFoot = 0.06;                   ///< of an axis: half a marker's height in a low chart
constexpr std::size_t kDense = 60;               ///< markers of one series; beyond this they are small and without outline

QScatterSeries::MarkerShape chooseShape(Marker marker)
{
    switch (marker) {
    case Marker::square: return QScatterSeries::MarkerShapeRectangle;
    case Marker::triangle: return QScatterSeries::MarkerShapeTriangle;
    case Marker::diamond: return QScatterSeries::MarkerShapeRotatedRectangle;
    default: return QScatterSeries::MarkerShapeCircle;
    }
}

std::vector<double> collectValues(const XYSpec& spec, bool horizontal)
{
    std::vector<double> values;
    for (const XYSeries& series : spec.series)
        for (const XYPoint& point : series.points) {
            values.push_back(horizontal ? point.x : point.y);
            if (!horizontal && point.high)
                values.push_back(*point.high);
            if (!horizontal && point.low)
                values.push_back(*point.low);
        }
    if (!horizontal)
        for (const XYReference& reference : spec.references)
            values.push_back(reference.y * 1.15); // room for its label above the line
    return values;
}

/// Whether a marker is so low that the plot's edge would clip it.
bool hasMarkerNear(const XYSpec& spec, double low, double span)
{
    for (const XYSeries& series : spec.series)
        if (series.marker != Marker::none && series.points.size() <= kDense)
            for (const XYPoint& point : series.points)
                if (point.y >= low && point.y < low + kFoot * span)
                    return true;
    return false;
}

AxisRange fitAxis(const XYSpec& spec, const XYAxis& axis, bool horizontal)
{
    AxisRange range;
    if (!axis.categories.isEmpty()) {
        range = {-0.5, static_cast<double>(axis.categories.size()) - 0.5};
    } else {
        const auto values = collectValues(spec, horizontal);
        range = axis.log ? logRange(values) : linearRange(values, axis.withZero);
        if (!axis.log && !horizontal && hasMarkerNear(spec, range.low, range.high - range.low))
            range.low -= kFoot * (range.high - range.low);
    }
    if (axis.min)
        range.low = *axis.min;
    if (axis.max)
        range.high = *axis.max;
    return range.high > range.low ? range : AxisRange{range.low, range.low + 1};
}

void setRange(QAbstractAxis* made, const XYAxis& axis, const AxisRange& range)
{
    if (auto* log = qobject_cast<QLogValueAxis*>(made)) {
        log->setBase(logBase(range)); // one base, one label
        log->setLabelFormat(log->base() < 2 ? QStringLiteral("%.3g") : QStringLiteral("%.6g"));
    } else if (auto* linear = qobject_cast<QValueAxis*>(made); linear && axis.categories.isEmpty()) {
        const auto ticks = niceTicks(range.low, range.high, axis.ticks);
        if (ticks.size() > 1) {
            linear->setTickType(QValueAxis::TicksDynamic);
            linear->setTickAnchor(ticks.front());
            linear->setTickInterval(ticks[1] - ticks[0]);
        }
    }
    made->setRange(range.low, range.high);
}

QString longestName(const XYAxis& axis)
{
    return *std::ranges::max_element(axis.categories, {}, &QString::size);
}

/// Of how many names along an axis one is shown, so that they do not touch in a chart of this width.
int nameStep(const XYAxis& axis, int width)
{
    const int each = QFontMetrics(makeFont(TextRole::caption)).horizontalAdvance(longestName(axis)) + kGapInside;
    const int most = std::clamp((width - kBesideNames) / each, 2, kMostNames);
    return (static_cast<int>(axis.categories.size()) + most - 1) / most;
}

} // namespace

class XYChart::View : public XYView {
public:
    using XYView::XYView;
};

XYChart::XYChart(QWidget* parent) : ChartBody(parent), view_(new View(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(view_);
    setFocusPolicy(Qt::StrongFocus);
    view_->viewport()->installEventFilter(this);
    connect(&LinkedHover::instance(), &LinkedHover::changed, this, &XYChart::highlight);
    connect(&Theme::instance(), &Theme::changed, this, &XYChart::rebuild);
    rebuild();
}

void XYChart::setSpec(XYSpec spec)
{
    spec_ = std::move(spec);
    zoomX_.reset();
    zoomY_.reset();
    rebuild();
    emit changed();
}

QString XYChart::emptyReason() const
{
    return drawn_ > 0 ? QString() : spec_.emptyReason.isEmpty() ? tr("No data yet") : spec_.emptyReason;
}

void XYChart::resizeEvent(QResizeEvent* event)
{
    ChartBody::resizeEvent(event);
    laidOut_ = width();
    if (spec_.x.categories.isEmpty())
        return;
    const int needed = nameStep(spec_.x, width());
    if (needed > nameStep_ || 2 * needed <= nameStep_) // names would overlap, or twice as many have room
        rebuild();
}

QAbstractAxis* XYChart::makeAxis(const XYAxis& axis, bool horizontal)
{
    const AxisRange range = horizontal ? rangeX() : rangeY();
    QAbstractAxis* made = nullptr;
    if (!axis.categories.isEmpty()) {
        auto* names = new QCategoryAxis;
        names->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        // Names that would overlap are left out; the axis requires each to be unique, and lays out even invisible ones.
        const QString longest = longestName(axis);
        nameStep_ = nameStep(axis, laidOut_.value_or(hint_.width()));
        for (int i = 0; i < axis.categories.size(); i += nameStep_) {
            QString name = axis.categories[i];
            while (names->categoriesLabels().contains(name))
                name += QChar(0x200B);
            names->append(name, i);
        }
        if (horizontal) // the last one may be at the plot's edge
            view_->chart()->setMargins(QMargins(0, 4, QFontMetrics(makeFont(TextRole::caption)).horizontalAdvance(longest) / 2, 0));
        made = names;
    } else if (axis.log) {
        made = new QLogValueAxis;
    } else {
        auto* linear = new QValueAxis;
        linear->setLabelFormat(QStringLiteral("%.6g")); // as %g, which Qt does not take with a comma
        made = linear;
    }
    setRange(made, axis, range);
    view_->chart()->addAxis(made, horizontal ? Qt::AlignBottom : Qt::AlignLeft); // the chart's own theme colors it: ours follow
    made->setTruncateLabels(false);                 // to "...", where a chart is laid out before its values are there
    made->setTitleText(axis.title.toHtmlEscaped()); // charts draw markup
    made->setTitleFont(makeFont(TextRole::caption));
    made->setTitleBrush(color(Token::muted));
    made->setLabelsFont(makeFont(TextRole::caption));
    made->setLabelsColor(color(Token::muted));
    made->setLinePenColor(color(Token::border));
    made->setGridLinePen(QPen(color(Token::raised), 1));
    made->setGridLineVisible(!horizontal || axis.log);
    return made;
}

/// The points come last: each of the steps before would lay them all out.
void XYChart::attach(QXYSeries* series, const QList<QPointF>& points)
{
    view_->chart()->addSeries(series);
    series->attachAxis(xAxis_);
    series->attachAxis(yAxis_);
    series->replace(points);
}

void XYChart::addLine(const std::vector<QPointF>& points, const QColor& ink, Qt::PenStyle style, double width)
{
    auto* line = new QLineSeries;
    line->setPen(QPen(ink, width, style, Qt::FlatCap));
    attach(line, QList<QPointF>(points.begin(), points.end()));
}

void XYChart::addSeries(const XYSeries& series, int index)
{
    const QColor ink = color(series.token);
    std::vector<QPointF> places;
    std::vector<XYPoint> kept;
    for (const XYPoint& point : series.points) {
        if (!drawable(point.x, spec_.x.log) || !drawable(point.y, spec_.y.log))
            continue;
        places.emplace_back(point.x, point.y);
        kept.push_back(point);
        if (point.low && point.high && drawable(*point.low, spec_.y.log) && drawable(*point.high, spec_.y.log))
            addLine({{point.x, *point.low}, {point.x, *point.high}}, ink, Qt::SolidLine, 1.5);
    }
    drawn_ += static_cast<int>(places.size());
    if (series.line && places.size() > 1)
        addLine(places, ink, series.dashed ? Qt::DashLine : Qt::SolidLine, 2);
    if (series.marker == Marker::none || places.empty())
        return;
    const bool byArea = std::ranges::any_of(kept, [](const XYPoint& point) { return point.area.has_value(); });
    if (!byArea)
        return addDots(series, index, kept, kept.size() > kDense ? kSmallMarkerSize : kMarkerSize);
    std::ranges::sort(kept, std::greater(), &XYPoint::area); // the small ones are on top
    for (const XYPoint& point : kept)
        addDots(series, index, {point}, std::max(kLeastArea, kMostArea * std::sqrt(std::clamp(point.area.value_or(0), 0.0, 1.0))));
}

void XYChart::addDots(const XYSeries& series, int index, const std::vector<XYPoint>& points, double size)
{
    QColor ink = color(series.token);
    auto* dots = new QScatterSeries;
    dots->setMarkerShape(chooseShape(series.marker));
    dots->setMarkerSize(size);
    dots->setBorderColor(size < kMarkerSize ? QColor(Qt::transparent) : color(Token::surface));
    if (points.front().area)
        ink.setAlphaF(0.6F); // they overlap
    dots->setColor(ink);
    QList<QPointF> places;
    places.reserve(static_cast<qsizetype>(points.size()));
    for (const XYPoint& point : points)
        places.emplace_back(point.x, point.y);
    attach(dots, places);
    const auto pointAt = [points](const QPointF& at) {
        const auto found = std::ranges::find_if(points, [&](const XYPoint& p) { return p.x == at.x() && p.y == at.y(); });
        return found == points.end() ? XYPoint() : *found;
    };
    connect(dots, &QXYSeries::hovered, this, [this, pointAt](const QPointF& at, bool over) {
        const XYPoint point = over ? pointAt(at) : XYPoint();
        LinkedHover::instance().set(point.id);
        if (!point.tip.isEmpty())
            QToolTip::showText(QCursor::pos(), point.tip, this);
        else
            QToolTip::hideText();
    });
    connect(dots, &QXYSeries::clicked, this, [this, index, pointAt](const QPointF& at) {
        if (moved_)
            return;
        emit picked(index);
        if (const QString id = pointAt(at).id; !id.isEmpty())
            emit opened(id);
    });
}

AxisRange XYChart::rangeX() const
{
    return zoomX_.value_or(fitAxis(spec_, spec_.x, true));
}

AxisRange XYChart::rangeY() const
{
    return zoomY_.value_or(fitAxis(spec_, spec_.y, false));
}

void XYChart::showRanges()
{
    setRange(xAxis_, spec_.x, rangeX());
    setRange(yAxis_, spec_.y, rangeY());
}

void XYChart::resetZoom()
{
    zoomX_.reset();
    zoomY_.reset();
    showRanges();
}

void XYChart::zoom(const QPointF& at, double factor)
{
    if (spec_.x.categories.isEmpty()) // names are all shown or none
        zoomX_ = zoomRange(rangeX(), at.x(), factor, spec_.x.log, fitAxis(spec_, spec_.x, true));
    zoomY_ = zoomRange(rangeY(), at.y(), factor, spec_.y.log, fitAxis(spec_, spec_.y, false));
    showRanges();
}

void XYChart::pan(const QPointF& by)
{
    if (zoomX_)
        zoomX_ = panRange(*zoomX_, by.x(), spec_.x.log, fitAxis(spec_, spec_.x, true));
    if (zoomY_)
        zoomY_ = panRange(*zoomY_, by.y(), spec_.y.log, fitAxis(spec_, spec_.y, false));
    showRanges();
}

bool XYChart::eventFilter(QObject* watched, QEvent* event)
{
    const QRectF plot = view_->chart()->plotArea();
    if (watched != view_->viewport() || plot.isEmpty())
        return ChartBody::eventFilter(watched, event);
    if (event->type() == QEvent::Wheel) {
        auto* wheel = static_cast<QWheelEvent*>(event);
        if (!hasFocus() && !wheel->modifiers().testFlag(Qt::ControlModifier))
            return false;
        const QPointF at((wheel->position().x() - plot.left()) / plot.width(), (plot.bottom() - wheel->position().y()) / plot.height());
        const double notches = wheel->angleDelta().y() / 120.0;
        zoom({std::clamp(at.x(), 0.0, 1.0), std::clamp(at.y(), 0.0, 1.0)}, std::pow(kWheelStep, -notches));
        event->accept();
        return true;
    }
    if (event->type() == QEvent::MouseButtonDblClick) {
        resetZoom();
        return true;
    }
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (event->type() == QEvent::MouseButtonPress && mouse->button() == Qt::LeftButton) {
        setFocus(Qt::MouseFocusReason);
        dragged_ = mouse->position();
        moved_ = false;
    } else if (event->type() == QEvent::MouseButtonRelease) {
        dragged_.reset();
    } else if (event->type() == QEvent::MouseMove && dragged_ && isZoomed()) {
        const QPointF by = mouse->position() - *dragged_;
        moved_ = true;
        pan({-by.x() / plot.width(), by.y() / plot.height()});
        dragged_ = mouse->position();
    } else if (event->type() == QEvent::Leave) {
        LinkedHover::instance().set({});
    }
    return false; // points are hovered and clicked
}

void XYChart::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom({0.5, 0.5}, 1 / kWheelStep);
    case Qt::Key_Minus: return zoom({0.5, 0.5}, kWheelStep);
    case Qt::Key_0: return resetZoom();
    default: break;
    }
    const QPointF step = event->key() == Qt::Key_Left    ? QPointF(-kKeyStep, 0)
                         : event->key() == Qt::Key_Right ? QPointF(kKeyStep, 0)
                         : event->key() == Qt::Key_Up    ? QPointF(0, kKeyStep)
                         : event->key() == Qt::Key_Down  ? QPointF(0, -kKeyStep)
                                                         : QPointF();
    if (step.isNull() || !isZoomed())
        return ChartBody::keyPressEvent(event);
    pan(step);
}

void XYChart::highlight()
{
    const QString& id = LinkedHover::instance().id();
    std::vector<QPointF> places;
    for (const XYSeries& series : spec_.series)
        for (const XYPoint& point : series.points)
            if (!id.isEmpty() && point.id == id && drawable(point.x, spec_.x.log) && drawable(point.y, spec_.y.log))
                places.emplace_back(point.x, point.y);
    view_->setHighlighted(std::move(places));
}

void XYChart::rebuild()
{
    view_->startOver();
    drawn_ = 0;
    xAxis_ = makeAxis(spec_.x, true);
    yAxis_ = makeAxis(spec_.y, false);
    // Without a point the range is a default: its ticks would be read as values.
    xAxis_->setLabelsVisible(!spec_.x.categories.isEmpty() || spec_.x.min || !collectValues(spec_, true).empty());
    const AxisRange across = fitAxis(spec_, spec_.x, true);
    std::vector<XYNote> notes = spec_.notes;
    for (const XYReference& reference : spec_.references) {
        addLine({{across.low, reference.y}, {across.high, reference.y}}, color(reference.token), Qt::DashLine, 1);
        notes.push_back({{across.low, reference.y}, reference.label, reference.token, true});
    }
    for (std::size_t i = 0; i < spec_.series.size(); ++i)
        addSeries(spec_.series[i], static_cast<int>(i));
    view_->setNotes(std::move(notes));
    view_->setEmptyReason(emptyReason());
}

ChartTable XYChart::table() const
{
    ChartTable table;
    table.header = {tr("Series"), spec_.x.title.isEmpty() ? tr("x") : spec_.x.title, spec_.y.title, tr("Low"), tr("High"), tr("Note")};
    for (const XYSeries& series : spec_.series)
        for (const XYPoint& point : series.points) {
            const auto place = static_cast<qsizetype>(point.x);
            const bool named = place >= 0 && place < spec_.x.categories.size();
            table.rows.push_back({series.name, named ? spec_.x.categories[place] : QString::number(point.x, 'g', 8),
                                  QString::number(point.y, 'g', 8), point.low ? QString::number(*point.low, 'g', 8) : QString(),
                                  point.high ? QString::number(*point.high, 'g', 8) : QString(), point.tip});
        }
    return table;
}

std::vector<LegendItem> XYChart::legend() const
{
    std::vector<LegendItem> items;
    for (const XYSeries& series : spec_.series) {
        const bool any = std::any_of(series.points.begin(), series.points.end(), [this](const XYPoint& point) {
            return drawable(point.x, spec_.x.log) && drawable(point.y, spec_.y.log);
        });
        if (series.name.isEmpty())
            continue;
        const QString reason =
            any ? QString() : QStringLiteral(" (") + (series.emptyReason.isEmpty() ? tr("no data") : series.emptyReason) + u')';
        LegendItem item{series.name + reason, series.token,
                        !series.line    ? Swatch::marker
                        : series.dashed ? Swatch::dashed
                                        : Swatch::line,
                        series.marker};
        if (std::ranges::find(items, item) == items.end()) // one entry for all series with the same look and name
            items.push_back(std::move(item));
    }
    return items;
}

void XYChart::draw(QPainter& painter, const QRectF& area)
{
    view_->render(&painter, area, view_->viewport()->rect(), Qt::KeepAspectRatio);
}

} // namespace kl::ui
