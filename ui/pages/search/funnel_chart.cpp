// SPDX-License-Identifier: MIT
#include "ui/pages/search/funnel_chart.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QPainter>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr double kMostStage = 34;
constexpr double kLeastStage = 20;
constexpr double kBarShare = 0.62; ///< of a stage's height

QString formatGroupedCount(std::size_t count)
{
    return q(formatCount(static_cast<double>(count)));
}

} // namespace

void FunnelChart::setStages(std::vector<FunnelStage> stages, const QString& otherName)
{
    stages_ = std::move(stages);
    otherName_ = otherName;
    update();
    emit changed();
}

QString FunnelChart::emptyReason() const
{
    return stages_.empty() ? tr("No search space") : QString();
}

void FunnelChart::paint(QPainter& painter, const QSizeF& size)
{
    const double whole = std::max<double>(1, static_cast<double>(stages_.front().left));
    double nameWidth = 0;
    for (const FunnelStage& stage : stages_)
        nameWidth = std::max<double>(nameWidth, painter.fontMetrics().horizontalAdvance(stage.name));
    nameWidth += kGapBetween;
    const double leftWidth = painter.fontMetrics().horizontalAdvance(formatGroupedCount(stages_.front().left)) + kGapBetween;
    const double rejectedWidth = painter.fontMetrics().horizontalAdvance(tr("%1 rejected").arg(formatGroupedCount(stages_.front().left)));
    const double lane = std::max(60.0, size.width() - nameWidth - leftWidth - rejectedWidth - kGapBetween);
    const double height = std::clamp(size.height() / static_cast<double>(stages_.size()), kLeastStage, kMostStage);
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        const FunnelStage& stage = stages_[i];
        const double top = height * static_cast<double>(i);
        const double thick = height * kBarShare;
        const double y = top + (height - thick) / 2;
        const auto width = [&](std::size_t left) { return lane * static_cast<double>(left) / whole; };
        text(painter, {0, top, nameWidth - kGapInside, height}, Qt::AlignLeft | Qt::AlignVCenter, stage.name,
             stage.judged ? Token::text : Token::muted);
        painter.fillRect(QRectF(nameWidth, y, width(stage.left + stage.rejected), thick), color(Token::raised));
        painter.fillRect(QRectF(nameWidth, y, width(stage.left), thick), color(i + 1 == stages_.size() ? Token::better : Token::accent));
        if (stage.other) { // a tick at the count on the other GPU
            const double x = nameWidth + width(*stage.other);
            painter.fillRect(QRectF(x - 1.5, y - 3, 3, thick + 6), color(Token::series2));
        }
        text(painter, {nameWidth + lane, top, leftWidth, height}, Qt::AlignRight | Qt::AlignVCenter, formatGroupedCount(stage.left));
        const QString rejected = i == 0          ? QString()
                                 : !stage.judged ? tr("not checked")
                                                 : tr("%1 rejected").arg(formatGroupedCount(stage.rejected));
        text(painter, {nameWidth + lane + leftWidth + kGapBetween, top, rejectedWidth, height}, Qt::AlignLeft | Qt::AlignVCenter, rejected,
             stage.rejected > 0 && i > 0 ? Token::worse : Token::muted);
        QString tip = tr("%1: %2 left").arg(stage.name, formatGroupedCount(stage.left));
        if (stage.other)
            tip += tr(", %1 on %2").arg(formatGroupedCount(*stage.other), otherName_);
        addHit({0, top, size.width(), height}, stage.help.isEmpty() ? tip : tip + u'\n' + stage.help, static_cast<int>(i));
    }
}

ChartTable FunnelChart::table() const
{
    ChartTable table{{tr("Gate"), tr("Rejected"), tr("Left")}, {}};
    if (!otherName_.isEmpty())
        table.header << tr("Left on %1").arg(otherName_);
    for (const FunnelStage& stage : stages_) {
        QStringList row{stage.name, QString::number(stage.rejected), QString::number(stage.left)};
        if (!otherName_.isEmpty())
            row << (stage.other ? QString::number(*stage.other) : QString());
        table.rows.push_back(row);
    }
    return table;
}

std::vector<LegendItem> FunnelChart::legend() const
{
    std::vector<LegendItem> items{{tr("left"), Token::accent}, {tr("rejected here"), Token::raised}};
    if (!otherName_.isEmpty())
        items.push_back({tr("left on %1").arg(otherName_), Token::series2, Swatch::line});
    return items;
}

} // namespace kl::ui
