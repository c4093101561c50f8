// SPDX-License-Identifier: MIT
#include "ui/charts/xy_chart.h"

#include "core/base/format.h"
#include "ui/charts/geometry/ticks.h"
#include "ui/charts/xy_view.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QtCharts>

#include <cmath>

namespace kl::ui {

namespace {

constexpr int kMostNames = 10;     ///< along a category axis
constexpr double kMostDecades = 6; ///< one label per decade; wider axes skip decades
constexpr double kMarkerSize = 10; ///< pixels
constexpr double kSmallMarkerSize = 5;
constexpr double kFoot = 0.06;     ///< of an axis: half a marker's height in a low chart
constexpr std::size_t kDense = 60; ///< markers of one series; beyond this they are small and without outline

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
    connect(&Theme::instance(), &Theme::changed, this, &XYChart::rebuild);
    rebuild();
}

void XYChart::setSpec(XYSpec spec)
{
    spec_ = std::move(spec);
    rebuild();
    emit changed();
}

QString XYChart::emptyReason() const
{
    return drawn_ > 0 ? QString() : spec_.emptyReason.isEmpty() ? tr("No data yet") : spec_.emptyReason;
}

QAbstractAxis* XYChart::makeAxis(const XYAxis& axis, bool horizontal)
{
    const AxisRange range = fitAxis(spec_, axis, horizontal);
    QAbstractAxis* made = nullptr;
    if (!axis.categories.isEmpty()) {
        auto* names = new QCategoryAxis;
        names->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        names->setTruncateLabels(false);
        // Names that would overlap are left out; the axis requires each to be unique.
        const int every = (static_cast<int>(axis.categories.size()) + kMostNames - 1) / kMostNames;
        for (int i = 0; i < axis.categories.size(); ++i)
            names->append(i % every == 0 ? axis.categories[i] : QString(i + 1, QChar(0x200B)), i);
        names->setRange(range.low, range.high);
        made = names;
    } else if (axis.log) {
        auto* log = new QLogValueAxis;
        log->setBase(std::pow(10.0, std::max(1.0, std::ceil(std::log10(range.high / range.low) / kMostDecades)))); // one base, one label
        log->setLabelFormat(QStringLiteral("%g"));
        log->setRange(range.low, range.high);
        made = log;
    } else {
        auto* linear = new QValueAxis;
        linear->setRange(range.low, range.high);
        const auto ticks = niceTicks(range.low, range.high, axis.ticks);
        if (ticks.size() > 1) {
            linear->setTickType(QValueAxis::TicksDynamic);
            linear->setTickAnchor(ticks.front());
            linear->setTickInterval(ticks[1] - ticks[0]);
        }
        linear->setLabelFormat(QStringLiteral("%g"));
        made = linear;
    }
    view_->chart()->addAxis(made, horizontal ? Qt::AlignBottom : Qt::AlignLeft); // the chart's own theme colors it: ours follow
    made->setTitleText(axis.title);
    made->setTitleFont(makeFont(TextRole::caption));
    made->setTitleBrush(color(Token::muted));
    made->setLabelsFont(makeFont(TextRole::caption));
    made->setLabelsColor(color(Token::muted));
    made->setLinePenColor(color(Token::border));
    made->setGridLinePen(QPen(color(Token::raised), 1));
    made->setGridLineVisible(!horizontal || axis.log);
    return made;
}

void XYChart::attach(QXYSeries* series)
{
    view_->chart()->addSeries(series);
    series->attachAxis(xAxis_);
    series->attachAxis(yAxis_);
}

void XYChart::addLine(const std::vector<QPointF>& points, const QColor& ink, Qt::PenStyle style, double width)
{
    auto* line = new QLineSeries;
    line->setPen(QPen(ink, width, style, Qt::FlatCap));
    for (const QPointF& point : points)
        line->append(point);
    attach(line);
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
    auto* dots = new QScatterSeries;
    dots->setMarkerShape(chooseShape(series.marker));
    const bool dense = places.size() > kDense;
    dots->setMarkerSize(dense ? kSmallMarkerSize : kMarkerSize);
    dots->setColor(ink);
    dots->setBorderColor(dense ? QColor(Qt::transparent) : color(Token::surface));
    for (const QPointF& place : places)
        dots->append(place);
    attach(dots);
    connect(dots, &QXYSeries::hovered, this, [this, kept](const QPointF& at, bool over) {
        const auto found = std::find_if(kept.begin(), kept.end(), [&](const XYPoint& p) { return p.x == at.x() && p.y == at.y(); });
        if (over && found != kept.end())
            QToolTip::showText(QCursor::pos(), found->tip, this);
        else
            QToolTip::hideText();
    });
    connect(dots, &QXYSeries::clicked, this, [this, index] { emit picked(index); });
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
