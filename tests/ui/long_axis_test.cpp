// SPDX-License-Identifier: MIT
// A chart over a thousand sessions lays out as few names as one over ten.
#include "ui/charts/xy_chart.h"
#include "ui/style/theme.h"

#include <gtest/gtest.h>

#include <QCategoryAxis>
#include <QChart>
#include <QChartView>

namespace kl::ui {
namespace {

/// The names along the x axis of a chart with that many categories, as wide as charts of a page are by themselves, or shown that wide.
QStringList readNames(int categories, const QString& form = QStringLiteral("2026-01-%1"), int width = 0)
{
    XYSpec spec;
    XYSeries series;
    for (int i = 0; i < categories; ++i) {
        spec.x.categories << form.arg(1 + i % 2);
        series.points.push_back({static_cast<double>(i), 1.0, {}, {}, {}, {}, {}});
    }
    spec.series = {series};
    XYChart chart;
    chart.setSpec(std::move(spec));
    if (width > 0) {
        chart.resize(width, 200);
        chart.show();
    }
    const auto* view = chart.findChild<QChartView*>();
    EXPECT_TRUE(view);
    for (QAbstractAxis* axis : view->chart()->axes(Qt::Horizontal))
        if (auto* names = qobject_cast<QCategoryAxis*>(axis))
            return names->categoriesLabels();
    return {};
}

TEST(LongAxis, HasAsFewNamesAsAShortOne)
{
    EXPECT_EQ(readNames(3).size(), 3) << "names that repeat stay apart";
    EXPECT_EQ(readNames(10, "N-%1").size(), 10);
    EXPECT_LT(readNames(10).size(), 10) << "longer ones would overlap";
    const QFontMetrics metrics(makeFont(TextRole::caption));
    for (const int width : {240, 300, 420, 800}) {
        const QStringList names = readNames(22, QStringLiteral("attention-%1"), width);
        EXPECT_GE(names.size(), 2) << width;
        if (width > 240) {
            EXPECT_LT(names.size() * metrics.horizontalAdvance(names.back()), width) << "they would touch";
        }
    }
    EXPECT_GT(readNames(22, QStringLiteral("attention-%1"), 800).size(), readNames(22, QStringLiteral("attention-%1"), 300).size());
    EXPECT_LE(readNames(1000).size(), 10);
    qsizetype length = 0;
    for (const QString& name : readNames(1000))
        length = std::max(length, name.size());
    EXPECT_LT(length, 30);
}

} // namespace
} // namespace kl::ui
