// SPDX-License-Identifier: MIT
#include "ui/charts/limit_bars.h"

#include "ui/style/theme.h"

#include <QPainter>

#include <algorithm>

namespace kl::ui {

namespace {

constexpr double kMostRow = 42;
constexpr double kUsualRow = 18;
constexpr double kLeastRow = 16;
constexpr double kBar = 12;

} // namespace

void LimitBars::setBars(std::vector<LimitBar> bars, const QString& unit, const QString& limitName)
{
    bars_ = std::move(bars);
    unit_ = unit;
    limitName_ = limitName;
    update();
    emit changed();
}

QString LimitBars::emptyReason() const
{
    return bars_.empty() ? tr("No launch is possible with these inputs") : QString();
}

QSize LimitBars::sizeHint() const
{
    return {480, static_cast<int>(kUsualRow * std::max<double>(4, static_cast<double>(bars_.size())))};
}

QSize LimitBars::minimumSizeHint() const
{
    return {300, static_cast<int>(kLeastRow * std::max<double>(4, static_cast<double>(bars_.size())))};
}

void LimitBars::paint(QPainter& painter, const QSizeF& size)
{
    double scale = 0;
    double nameWidth = 0;
    double wordWidth = 0;
    for (const LimitBar& bar : bars_) {
        scale = std::max({scale, bar.value, bar.limit.value_or(0)});
        nameWidth = std::max<double>(nameWidth, painter.fontMetrics().horizontalAdvance(bar.name));
        wordWidth = std::max<double>(wordWidth, painter.fontMetrics().horizontalAdvance(bar.words));
    }
    nameWidth = std::min(nameWidth, size.width() * 0.34) + kGapInside + 2;
    wordWidth = std::min(wordWidth, size.width() * 0.4) + kGapInside + 2;
    const double lane = std::max(40.0, size.width() - nameWidth - wordWidth);
    const double row = std::clamp(size.height() / static_cast<double>(bars_.size()), kLeastRow, kMostRow);
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        const LimitBar& bar = bars_[i];
        const double top = row * static_cast<double>(i);
        const auto place = [&](double value) { return nameWidth + (scale > 0 ? lane * value / scale : 0); };
        text(painter, {0, top, nameWidth - kGapInside, row}, Qt::AlignLeft | Qt::AlignVCenter, bar.name);
        text(painter, {nameWidth + lane + kGapInside, top, wordWidth, row}, Qt::AlignLeft | Qt::AlignVCenter, bar.words,
             bar.good ? Token::better : Token::worse);
        const double thick = std::min(kBar, row - 6);
        const QRectF box(nameWidth, top + (row - thick) / 2, place(bar.limit.value_or(scale)) - nameWidth, thick);
        painter.fillRect(box, color(Token::raised));
        painter.fillRect(QRectF(nameWidth, box.top(), place(bar.value) - nameWidth, thick), color(bar.good ? Token::better : Token::worse));
        if (bar.limit)
            painter.fillRect(QRectF(place(*bar.limit) - 1, box.top() - 3, 2, thick + 6), color(Token::text));
        addHit({0, top, size.width(), row}, bar.name + u'\n' + bar.words + (bar.help.isEmpty() ? QString() : u'\n' + bar.help),
               static_cast<int>(i));
    }
}

ChartTable LimitBars::table() const
{
    ChartTable table{{tr("GPU"), unit_, limitName_, tr("Result")}, {}};
    for (const LimitBar& bar : bars_)
        table.rows.push_back(
            {bar.name, QString::number(bar.value, 'g', 9), bar.limit ? QString::number(*bar.limit, 'g', 9) : QString(), bar.words});
    return table;
}

std::vector<LegendItem> LimitBars::legend() const
{
    const bool limits = std::any_of(bars_.begin(), bars_.end(), [](const LimitBar& bar) { return bar.limit.has_value(); });
    if (!limits)
        return {};
    return {{tr("fits"), Token::better}, {tr("does not fit"), Token::worse}, {limitName_, Token::text, Swatch::line}};
}

} // namespace kl::ui
