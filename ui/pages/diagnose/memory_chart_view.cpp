// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/memory_chart_view.h"

#include "core/base/format.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <functional>

namespace kl::ui {
namespace {

constexpr double kLine = 15;       ///< height of a line of text
constexpr double kFlow = 106;      ///< an arrow with its name above and five lines under it
constexpr double kBoxShare = 0.12; ///< of the width, for each of the four columns of boxes
constexpr double kLeastBox = 86;   ///< the name of bank conflicts fits, and "32 sectors/request" beside it at a width of 1280
constexpr double kSharedHeight = 82;
constexpr int kEmptyHeight = 40;
constexpr double kGap = 10;
constexpr double kHead = 5; ///< an arrow's head
constexpr double kThinnest = 1, kThickest = 7;

const MemoryFigure* figure(const std::vector<MemoryFigure>& figures, std::string_view name)
{
    const auto found = std::ranges::find(figures, name, &MemoryFigure::name);
    return found == figures.end() ? nullptr : &*found;
}

QString formatFigure(const MemoryFigure& one)
{
    if (!one.value)
        return QStringLiteral("–");
    if (one.unit == "count" && *one.value >= 1e6)
        return figureWithMark(q(formatNumber(*one.value / 1e6))) + QStringLiteral("\u202fM");
    if (one.unit == "count" && *one.value >= 1e4)
        return figureWithMark(q(formatNumber(*one.value / 1e3))) + QStringLiteral("\u202fk");
    return figureWithMark(q(formatWithUnit(*one.value, one.unit)));
}

using DeltasOf = std::function<Deltas(const MemoryFigure&)>;

QString describeFigures(const QString& head, const std::vector<MemoryFigure>& figures, const DeltasOf& deltas)
{
    QStringList lines{head};
    for (const MemoryFigure& one : figures) {
        const QString change = joinDeltas(deltas(one));
        lines << QStringLiteral("%1: %2").arg(q(one.name), one.value ? figureWithMark(q(formatWithUnit(*one.value, one.unit))) +
                                                                           (change.isEmpty() ? change : QStringLiteral("  ") + change) +
                                                                           QStringLiteral("  (") + q(one.how) + u')'
                                                                     : QStringLiteral("not measured: ") + q(one.missing));
    }
    return lines.join(u'\n');
}

/// Under the arrow: "524 k requests", "4 sectors/request", "64 MB", "248 GB/s", "0.7 % of peak".
std::vector<Segments> describeFlow(const MemoryFlow& flow, const DeltasOf& deltas)
{
    std::vector<Segments> lines;
    const auto add = [&](const MemoryFigure& one, const QString& words) {
        lines.push_back({{words, Token::muted}});
        addSegments(lines.back(), deltas(one));
    };
    const QString none = QStringLiteral("not measured");
    const MemoryFigure* requests = figure(flow.figures, "requests");
    if (requests && !requests->value && !figure(flow.figures, "bytes"))
        lines.push_back({{none, Token::muted}});
    if (requests && requests->value) {
        add(*requests, formatFigure(*requests) + QStringLiteral(" requests"));
        if (const MemoryFigure* sectors = figure(flow.figures, "sectors per request"); sectors && sectors->value && *sectors->value > 0)
            add(*sectors,
                formatFigure(*sectors) + (*sectors->value == 1 ? QStringLiteral(" sector/request") : QStringLiteral(" sectors/request")));
    }
    if (const MemoryFigure* bytes = figure(flow.figures, "bytes")) {
        if (bytes->value)
            add(*bytes, formatFigure(*bytes));
        else
            lines.push_back({{none, Token::muted}});
    }
    if (const MemoryFigure* rate = figure(flow.figures, "rate"); rate && rate->value)
        add(*rate, formatFigure(*rate));
    if (const MemoryFigure* share = figure(flow.figures, "of peak"); share && share->value)
        add(*share, formatFigure(*share) + QStringLiteral(" of peak"));
    return lines;
}

double scaleThickness(const MemoryFlow& flow)
{
    const MemoryFigure* share = figure(flow.figures, "of peak");
    return share && share->value ? kThinnest + (kThickest - kThinnest) * std::clamp(*share->value / 100, 0.0, 1.0) : kThinnest;
}

int findColumn(const std::string& unit)
{
    return unit == "sm" ? 0 : unit == "l2" ? 2 : unit == "dram" ? 3 : 1;
}

/// No traffic: neither requests nor bytes.
bool isIdle(const MemoryFlow& flow)
{
    bool any = false;
    for (const char* name : {"requests", "bytes"})
        if (const MemoryFigure* one = figure(flow.figures, name)) {
            if (!one->value || *one->value > 0)
                return false;
            any = true;
        }
    return any;
}

} // namespace

void MemoryChartView::setChart(MemoryChart chart, std::vector<MemoryBaseline> baselines)
{
    chart_ = std::move(chart);
    baselines_ = std::move(baselines);
    setMaximumHeight(sizeHint().height()); // more height would only spread the arrows
    updateGeometry();
    update();
    emit changed();
}

QString MemoryChartView::emptyReason() const
{
    const auto any = [](const auto& parts) {
        return std::ranges::any_of(parts, [](const auto& part) {
            return std::ranges::any_of(part.figures, [](const MemoryFigure& one) { return one.value.has_value(); });
        });
    };
    if (any(chart_.units) || any(chart_.flows))
        return {};
    return chart_.flows.empty() ? tr("No run yet") : q(chart_.flows.front().figures.front().missing);
}

QSize MemoryChartView::sizeHint() const
{
    if (!emptyReason().isEmpty())
        return {760, kEmptyHeight};
    const std::size_t rows = std::max<std::size_t>(2, between("sm", "l1").size());
    return {760, static_cast<int>(static_cast<double>(rows) * kFlow + kGap + kSharedHeight) + 4};
}

QSize MemoryChartView::minimumSizeHint() const
{
    return {560, sizeHint().height()};
}

std::vector<const MemoryFlow*> MemoryChartView::between(const std::string& a, const std::string& b) const
{
    std::vector<const MemoryFlow*> flows;
    for (const MemoryFlow& flow : chart_.flows)
        if (((flow.from == a && flow.to == b) || (flow.from == b && flow.to == a)) && !isIdle(flow))
            flows.push_back(&flow);
    return flows;
}

Deltas MemoryChartView::computeDeltas(const MemoryUnit& unit, const MemoryFigure& one) const
{
    std::vector<std::pair<const MemoryFigure*, Token>> before;
    for (const MemoryBaseline& baseline : baselines_) {
        const auto same = std::ranges::find(baseline.chart.units, unit.id, &MemoryUnit::id);
        before.emplace_back(same == baseline.chart.units.end() ? nullptr : figure(same->figures, one.name), baseline.token);
    }
    return figureDeltas(one, before);
}

Deltas MemoryChartView::computeDeltas(const MemoryFlow& flow, const MemoryFigure& one) const
{
    std::vector<std::pair<const MemoryFigure*, Token>> before;
    for (const MemoryBaseline& baseline : baselines_) {
        const auto same = std::ranges::find_if(baseline.chart.flows, [&](const MemoryFlow& other) {
            return other.from == flow.from && other.to == flow.to && other.what == flow.what;
        });
        before.emplace_back(same == baseline.chart.flows.end() ? nullptr : figure(same->figures, one.name), baseline.token);
    }
    return figureDeltas(one, before);
}

void MemoryChartView::paintUnit(QPainter& painter, const QRectF& box, const MemoryUnit& unit)
{
    painter.setPen(color(Token::border));
    painter.setBrush(color(Token::raised));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const MemoryFigure* busy = figure(unit.figures, "busy");
    if (busy && busy->value) { // filled from the bottom, like a gauge
        const double height = (box.height() - 2) * std::clamp(*busy->value / 100, 0.0, 1.0);
        QColor fill = color(Token::accent);
        fill.setAlphaF(0.22F);
        painter.fillRect(QRectF(box.left() + 1, box.bottom() - 1 - height, box.width() - 2, height), fill);
    }
    // Value above name if there is room for both.
    const auto figures = static_cast<double>(unit.figures.size());
    const bool apart = kLine * (1 + 2 * figures) <= box.height() - 2;
    double y = box.top() + std::max(3.0, (box.height() - kLine * (1 + (apart ? 2 : 1) * figures)) / 2);
    const QRectF line(box.left() + 1, 0, box.width() - 2, kLine);
    text(painter, line.translated(0, y), Qt::AlignCenter, q(unit.title));
    for (const MemoryFigure& one : unit.figures) {
        y += kLine;
        if (y + kLine > box.bottom())
            break;
        Segments segments{{apart ? formatFigure(one) : formatFigure(one) + u' ' + q(one.name), apart ? Token::text : Token::muted}};
        if (one.value)
            addSegments(segments, computeDeltas(unit, one));
        paintSegments(painter, line.translated(0, y), Qt::AlignHCenter, segments);
        if (apart)
            text(painter, line.translated(0, y += kLine), Qt::AlignCenter, q(one.name), Token::muted);
    }
    addHit(box, describeFigures(q(unit.title), unit.figures, [&](const MemoryFigure& one) { return computeDeltas(unit, one); }), 0);
}

void MemoryChartView::paintFlows(QPainter& painter, const QRectF& from, const QRectF& to, const std::vector<const MemoryFlow*>& flows)
{
    if (flows.empty())
        return;
    const double left = from.right() + 3, right = to.left() - 3;
    const double top = std::max(from.top(), to.top()), bottom = std::min(from.bottom(), to.bottom());
    const double step = (bottom - top) / static_cast<double>(flows.size());
    double middle = top + std::max(kLine + kHead, step / 2 - 2.5 * kLine);
    for (const MemoryFlow* flow : flows) {
        const bool leftwards = findColumn(flow->from) > findColumn(flow->to);
        const double width = scaleThickness(*flow);
        const double tip = leftwards ? left : right, back = leftwards ? left + kHead + 2 : right - kHead - 2;
        painter.setPen(QPen(color(Token::accent), width, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(back, middle), QPointF(leftwards ? right : left, middle));
        const std::array<QPointF, 3> head{QPointF(tip, middle), QPointF(back, middle - kHead), QPointF(back, middle + kHead)};
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(Token::accent));
        painter.drawPolygon(head.data(), 3);
        text(painter, {left, middle - kHead - kLine, right - left, kLine}, Qt::AlignCenter, q(flow->what));
        double y = middle + std::max(kHead, width / 2);
        const DeltasOf deltas = [&](const MemoryFigure& one) { return computeDeltas(*flow, one); };
        for (const Segments& line : describeFlow(*flow, deltas)) {
            paintSegments(painter, {from.right() + 1, y, to.left() - from.right() - 2, kLine}, Qt::AlignHCenter, line);
            y += kLine;
        }
        addHit({left, middle - step / 2, right - left, step}, describeFigures(q(flow->what), flow->figures, deltas), 0);
        middle += step;
    }
}

void MemoryChartView::paint(QPainter& painter, const QSizeF& size)
{
    if (chart_.units.size() != 5)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const double box = std::clamp(size.width() * kBoxShare, kLeastBox, 180.0);
    const double gap = (size.width() - 4 * box) / 3;
    const double upper = size.height() - kSharedHeight - kGap;
    const auto column = [&](int at, double height) { return QRectF(at * (box + gap), 0, box, height); };
    const QRectF sm = column(0, size.height()), l1 = column(1, upper), l2 = column(2, upper), dram = column(3, upper);
    const QRectF shared(l1.left(), upper + kGap, box, kSharedHeight);
    const std::array<QRectF, 5> places{sm, l1, shared, l2, dram};
    for (std::size_t i = 0; i < places.size(); ++i)
        paintUnit(painter, places[i], chart_.units[i]);
    paintFlows(painter, sm, l1, between("sm", "l1"));
    paintFlows(painter, sm, shared, between("sm", "shared"));
    paintFlows(painter, l1, l2, between("l1", "l2"));
    paintFlows(painter, l2, dram, between("l2", "dram"));
}

ChartTable MemoryChartView::table() const
{
    ChartTable table{{tr("Unit"), tr("Metric"), tr("Value"), tr("Formula")}, {}};
    if (!baselines_.empty())
        table.header << tr("Change");
    const auto add = [&](const QString& where, const auto& part) {
        for (const MemoryFigure& one : part.figures) {
            table.rows.push_back(
                {where, q(one.name),
                 one.value ? figureWithMark(q(formatWithUnit(*one.value, one.unit))) : tr("not measured: ") + q(one.missing), q(one.how)});
            if (!baselines_.empty())
                table.rows.back() << (one.value ? joinDeltas(computeDeltas(part, one)) : QString());
        }
    };
    for (const MemoryUnit& unit : chart_.units)
        add(q(unit.title), unit);
    for (const MemoryFlow& flow : chart_.flows)
        add(QStringLiteral("%1 → %2, %3").arg(q(flow.from), q(flow.to), q(flow.what)), flow);
    return table;
}

std::vector<LegendItem> MemoryChartView::legend() const
{
    return {{tr("traffic (thicker = closer to peak)"), Token::accent, Swatch::line}, {tr("utilization"), Token::accent}};
}

QString explainMissingMemory(const MemoryChart& chart)
{
    QStringList parts;
    for (const auto& [why, what] : listMissing(chart)) {
        QStringList names;
        for (const std::string& name : what)
            names << q(name);
        parts << QStringLiteral("%1 (%2)").arg(names.join(QStringLiteral(", ")), q(why));
    }
    return parts.isEmpty() ? QString() : QStringLiteral("Not measured: ") + parts.join(QStringLiteral("; "));
}

QString memoryTitle(const MemoryChart& chart)
{
    const MemoryUnit* busiest = nullptr;
    double most = -1;
    bool all = true;
    for (const MemoryUnit& unit : chart.units)
        if (const MemoryFigure* busy = figure(unit.figures, "busy")) {
            all = all && busy->value;
            if (busy->value.value_or(-1) > most) {
                most = *busy->value;
                busiest = &unit;
            }
        }
    return busiest ? QStringLiteral("Memory: %1 is the busiest level%2: %3 of its peak")
                         .arg(q(busiest->title), all ? QString() : QStringLiteral(" measured"), q(formatPercent(most)))
                   : QString();
}

} // namespace kl::ui
