// SPDX-License-Identifier: MIT
#include "ui/charts/delta.h"

#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"

#include <QPainter>

#include <cmath>

namespace kl::ui {
namespace {

constexpr QChar kMinus(0x2212);
constexpr double kSame = 0.0005; ///< relative

QString withSign(double value, int decimals)
{
    const QString digits = figureWithMark(QString::number(std::abs(value), 'f', decimals));
    return (value < 0 ? QString(kMinus) : QStringLiteral("+")) + digits;
}

} // namespace

QString deltaText(std::optional<double> now, std::optional<double> before, bool share)
{
    if (!now || !before || !std::isfinite(*now) || !std::isfinite(*before))
        return QStringLiteral("n/a");
    if (share) {
        const double points = *now - *before;
        return std::abs(points) < 0.05 ? QStringLiteral("=")
                                       : withSign(points, std::abs(points) < 10 ? 1 : 0) + QStringLiteral("\u202fpts");
    }
    if (std::abs(*now - *before) <= kSame * std::abs(*before))
        return QStringLiteral("=");
    if (*before == 0)
        return QStringLiteral("new");
    const double ratio = *now / *before;
    if (ratio >= 2)
        return QStringLiteral("×") + figureWithMark(QString::number(ratio, 'g', ratio < 100 ? 2 : 3));
    const double percent = 100 * (ratio - 1);
    return withSign(percent, std::abs(percent) < 10 ? 1 : 0) + QStringLiteral("\u202f%");
}

QString joinDeltas(const Deltas& deltas)
{
    QString text;
    for (const Delta& delta : deltas)
        text += (text.isEmpty() ? QStringLiteral("Δ ") : QStringLiteral(", ")) + delta.text;
    return text;
}

void addSegments(Segments& segments, const Deltas& deltas)
{
    for (const Delta& delta : deltas)
        segments.emplace_back(QStringLiteral(" ") + delta.text, delta.token);
}

double paintSegments(QPainter& painter, const QRectF& box, int flags, const Segments& segments)
{
    const QFontMetrics metrics = painter.fontMetrics();
    double width = 0;
    for (const auto& segment : segments)
        width += metrics.horizontalAdvance(segment.first);
    const double spare = std::max(0.0, box.width() - width);
    double x = box.left() + ((flags & Qt::AlignRight) != 0 ? spare : (flags & Qt::AlignHCenter) != 0 ? spare / 2 : 0);
    for (const auto& [text, token] : segments) {
        const double room = box.right() - x;
        if (room <= 0)
            break;
        painter.setPen(color(token));
        painter.drawText(QRectF(x, box.top(), room, box.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, static_cast<int>(std::ceil(room)) + 1));
        x += metrics.horizontalAdvance(text);
    }
    return std::min(width, box.width());
}

} // namespace kl::ui
