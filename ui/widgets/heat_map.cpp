// SPDX-License-Identifier: MIT
#include "ui/widgets/heat_map.h"

#include "ui/style/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr double kFaintest = 0.15; ///< opacity of a row that has any samples

} // namespace

HeatMap::HeatMap(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("heatMap"));
    setAccessibleName(tr("Map of hot instructions"));
    setToolTip(tr("Where the samples are. Click to go there."));
    setFixedWidth(sizeHint().width());
    connect(&Theme::instance(), &Theme::changed, this, QOverload<>::of(&QWidget::update));
}

void HeatMap::setHeat(std::vector<std::int64_t> heat)
{
    heat_ = std::move(heat);
    update();
}

void HeatMap::setShown(int first, int count)
{
    first_ = first;
    count_ = count;
    update();
}

int HeatMap::rowAt(int y) const
{
    const auto rows = static_cast<int>(heat_.size());
    return std::clamp(static_cast<int>(static_cast<qint64>(y) * rows / std::max(height(), 1)), 0, std::max(rows - 1, 0));
}

void HeatMap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Token::raised));
    if (heat_.empty())
        return;
    const std::int64_t most = std::max<std::int64_t>(*std::ranges::max_element(heat_), 1);
    for (int y = 0; y < height(); ++y) {
        const int from = rowAt(y);
        const int to = std::max(from + 1, rowAt(y + 1));
        const std::int64_t hottest = *std::max_element(heat_.begin() + from, heat_.begin() + to);
        if (hottest <= 0)
            continue;
        QColor heat = color(Token::worse);
        heat.setAlphaF(static_cast<float>(kFaintest + (1 - kFaintest) * static_cast<double>(hottest) / static_cast<double>(most)));
        painter.fillRect(3, y, width() - 6, 1, heat);
    }
    const double scale = static_cast<double>(height()) / static_cast<double>(heat_.size());
    painter.setPen(color(Token::accent));
    painter.drawRect(
        QRectF(0.5, first_ * scale + 0.5, width() - 1.0, std::max(3.0, std::min(count_ * scale, height() - first_ * scale) - 1)));
}

void HeatMap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && !heat_.empty())
        emit picked(rowAt(static_cast<int>(event->position().y())));
}

void HeatMap::mouseMoveEvent(QMouseEvent* event)
{
    if ((event->buttons() & Qt::LeftButton) != 0 && !heat_.empty())
        emit picked(rowAt(static_cast<int>(event->position().y())));
}

} // namespace kl::ui
