// SPDX-License-Identifier: MIT
// Widgets that place, scale or cut what they hold by their own size.
#include "ui/style/theme.h"
#include "ui/widgets/copy_card.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/heat_map.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QImage>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

#include <cstdlib>

namespace kl::ui {
namespace {

/// A label whose hint is this, and which may be smaller.
class HintedLabel : public QLabel {
public:
    HintedLabel(QSize hint, QWidget* parent) : QLabel(parent), hint_(hint) { setMinimumSize(1, 1); }
    QSize sizeHint() const override { return hint_; }
    QSize minimumSizeHint() const override { return {1, 1}; }

private:
    QSize hint_;
};

TEST(FlowSizes, AnItemWiderThanTheLayoutIsNarrowedToItAndTheNextIsBelow)
{
    QWidget host;
    auto* flow = new FlowLayout(&host, 10, 5);
    auto* wide = new HintedLabel({400, 30}, &host);
    auto* next = new HintedLabel({50, 20}, &host);
    flow->addWidget(wide);
    flow->addWidget(next);
    host.show();
    flow->setGeometry({5, 6, 150, 100});
    EXPECT_EQ(wide->geometry(), QRect(5, 6, 150, 30));
    EXPECT_EQ(next->geometry(), QRect(5, 6 + 30 + 5, 50, 20));
    EXPECT_EQ(flow->heightForWidth(150), 55);
    flow->setGeometry({0, 0, 460, 100});
    EXPECT_EQ(wide->width(), 400);
    EXPECT_EQ(next->pos(), QPoint(410, 0)) << "just fits";
    flow->setGeometry({0, 0, 459, 100});
    EXPECT_EQ(next->pos(), QPoint(0, 35));
    EXPECT_EQ(wide->width(), 400) << "what is wide enough";
}

TEST(FlowSizes, ALineIsAsHighAsItsHighestItem)
{
    QWidget host;
    auto* flow = new FlowLayout(&host, 10, 5);
    std::vector<HintedLabel*> labels;
    for (const int height : {40, 20, 10}) {
        labels.push_back(new HintedLabel({100, height}, &host));
        flow->addWidget(labels.back());
    }
    host.show();
    EXPECT_EQ(flow->sizeHint(), QSize(320, 40));
    EXPECT_EQ(flow->heightForWidth(210), 40 + 5 + 10);
    EXPECT_EQ(flow->heightForWidth(100), 40 + 5 + 20 + 5 + 10) << "one below the other";
    flow->setGeometry({0, 0, 210, 100});
    EXPECT_EQ(labels[2]->pos(), QPoint(0, 45));
}

class HeatMapImage : public testing::Test {
protected:
    HeatMapImage()
    {
        map.resize(16, 100);
        map.setShown(0, 0);
    }
    QColor at(int y) { return map.grab().toImage().pixelColor(map.width() / 2, y); }
    QColor edgeAt(int y) { return map.grab().toImage().pixelColor(0, y); }
    static int computeDifference(const QColor& a, const QColor& b)
    {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
    }
    HeatMap map;
};

TEST_F(HeatMapImage, OfTheRowsInAPixelTheHottestIsShown)
{
    std::vector<std::int64_t> heat(1000, 0);
    heat[567] = 9;
    map.setHeat(heat);
    const QColor cold = at(30);
    EXPECT_NE(at(56), cold);
    EXPECT_EQ(at(55), cold);
    EXPECT_EQ(at(57), cold);
    heat[567] = 0;
    heat[569] = 9;
    map.setHeat(heat);
    EXPECT_NE(at(56), cold) << "the last of the pixel";
    EXPECT_EQ(at(57), cold);
}

TEST_F(HeatMapImage, HotterRowsAreStrongerAndAnySampleIsSeen)
{
    map.setHeat({1000, 500, 1, 0, 0});
    const QColor cold = at(90);
    const int hot = computeDifference(at(10), cold), half = computeDifference(at(30), cold), faint = computeDifference(at(50), cold);
    EXPECT_GT(hot, half);
    EXPECT_GT(half, faint);
    EXPECT_GT(faint, 0);
    EXPECT_EQ(at(70), cold);
    map.setHeat({10, 5, 0, 0, 0});
    EXPECT_EQ(computeDifference(at(30), cold), half) << "relative to the hottest";
    map.setHeat({0, 0, 0, 0, 0});
    EXPECT_EQ(at(10), at(90)) << "nothing was sampled";
}

TEST_F(HeatMapImage, TheRowsThatAreListedAreFramed)
{
    map.setHeat(std::vector<std::int64_t>(50, 0));
    map.setShown(20, 10); // 40 to 60 of 100 pixels
    const QColor inside = edgeAt(50), outside = edgeAt(20);
    EXPECT_NE(inside, outside);
    EXPECT_EQ(edgeAt(45), inside);
    EXPECT_EQ(edgeAt(35), outside);
    EXPECT_EQ(edgeAt(65), outside);
    map.setShown(45, 100);
    EXPECT_EQ(edgeAt(95), inside) << "cut at the end";
    EXPECT_EQ(edgeAt(50), outside);
}

TEST(CopyCardSizes, AreAsHighAsTheirTextWithinBoundsAndCopyThePresentOne)
{
    CopyCard card("Recipe", "recipe");
    const auto* text = card.findChild<QPlainTextEdit*>("recipe");
    const auto measureHeight = [&](int lines) {
        QStringList words;
        for (int i = 0; i < lines; ++i)
            words << QStringLiteral("line %1").arg(i);
        card.setText(words.join(u'\n'));
        return text->minimumHeight();
    };
    EXPECT_EQ(measureHeight(1), measureHeight(2)) << "three lines at least";
    EXPECT_LT(measureHeight(2), measureHeight(3));
    EXPECT_LT(measureHeight(10), measureHeight(15));
    EXPECT_EQ(measureHeight(15), measureHeight(90)) << "then it scrolls";
    EXPECT_EQ(text->minimumHeight(), text->maximumHeight());
    EXPECT_TRUE(text->isReadOnly());
    EXPECT_TRUE(text->tabChangesFocus());
    EXPECT_EQ(text->accessibleName(), "Recipe");
    card.setText("a\nb");
    card.findChild<QPushButton*>("recipeCopy")->click();
    EXPECT_EQ(QApplication::clipboard()->text(), "a\nb");
}

} // namespace
} // namespace kl::ui
