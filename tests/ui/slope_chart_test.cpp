// SPDX-License-Identifier: MIT
#include "ui/pages/session/slope_chart.h"
#include "ui/style/theme.h"

#include <gtest/gtest.h>

#include <QImage>

#include <cmath>

namespace kl::ui {
namespace {

/// Of a chart as it is painted.
class SlopeImage : public testing::Test {
protected:
    SlopeImage() { chart.resize(500, 264); }
    /// Whether an x in ±`reach` of a side's middle has the color of texts at this height.
    bool hasInk(double share, double y, int reach) const
    {
        const QImage image = const_cast<SlopeChart&>(chart).grab().toImage();
        const int middle = static_cast<int>(std::lround(share * image.width()));
        for (int x = middle - reach; x <= middle + reach; ++x)
            for (int down = -1; down <= 1; ++down)
                if (const QColor at = image.pixelColor(x, static_cast<int>(y) + down);
                    std::abs(at.lightness() - color(Token::text).lightness()) < 60)
                    return true;
        return false;
    }
    static constexpr double kLeft = 0.28, kRight = 0.72;
    static constexpr double kTop = 34; ///< of a chart of this height
    SlopeChart chart;
};

TEST_F(SlopeImage, TheAxisReachesTheUpperEndOfEveryInterval)
{
    chart.setTimes("a", Summary{100, 90, 400, 9}, "b", Summary{100, 90, 110, 9});
    EXPECT_TRUE(hasInk(kLeft, kTop, 3)) << "the upper end of the left one";
    EXPECT_TRUE(hasInk(kLeft, 184, 3)) << "its median is at a quarter";
    EXPECT_FALSE(hasInk(kRight, kTop, 3));
    EXPECT_FALSE(hasInk(kRight, 100, 3));
    EXPECT_TRUE(hasInk(kRight, 184, 3));
    chart.setTimes("a", Summary{100, 90, 110, 9}, "b", Summary{100, 90, 400, 9});
    EXPECT_FALSE(hasInk(kLeft, 100, 3));
    EXPECT_TRUE(hasInk(kRight, kTop, 3)) << "of the right one as well";
    EXPECT_TRUE(hasInk(kRight, 100, 3)) << "the interval is drawn up to there";
}

TEST_F(SlopeImage, TheAxisBeginsAtZero)
{
    chart.setTimes("a", Summary{200, 200, 200, 9}, "b", Summary{50, 50, 50, 9});
    EXPECT_TRUE(hasInk(kLeft, kTop, 3));
    EXPECT_TRUE(hasInk(kRight, 184, 3)) << "a quarter of the time, a quarter of the height";
    EXPECT_FALSE(hasInk(kRight, 134, 3));
}

} // namespace
} // namespace kl::ui
