// SPDX-License-Identifier: MIT
#include "ui/style/style_sheet.h"
#include "ui/style/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFontInfo>
#include <QLabel>
#include <QSignalSpy>

namespace kl::ui {
namespace {

class Contrast : public testing::TestWithParam<Scheme> {};

TEST_P(Contrast, TextIsReadableOnEverySurface)
{
    for (const Token text :
         {Token::text, Token::muted, Token::accent, Token::better, Token::worse, Token::neutral, Token::waived, Token::stale})
        for (const Token ground : {Token::bg, Token::surface, Token::raised})
            EXPECT_GE(contrastRatio(tokenColor(GetParam(), text), tokenColor(GetParam(), ground)), 4.5)
                << tokenName(text).toStdString() << " on " << tokenName(ground).toStdString();
}

TEST_P(Contrast, SeriesStandOutFromTheSurface)
{
    for (int i = 0; i < kSeriesCount; ++i)
        EXPECT_GE(contrastRatio(tokenColor(GetParam(), seriesToken(i)), tokenColor(GetParam(), Token::surface)), 3.0) << "series " << i + 1;
}

TEST_P(Contrast, StyleSheetNamesNoUnknownToken)
{
    EXPECT_FALSE(styleSheet(GetParam()).contains(u'%'));
}

INSTANTIATE_TEST_SUITE_P(Schemes, Contrast, testing::Values(Scheme::light, Scheme::dark));

TEST(Style, ContrastOfBlackAndWhiteIs21)
{
    EXPECT_NEAR(contrastRatio(Qt::black, Qt::white), 21, 0.01);
    EXPECT_NEAR(contrastRatio(Qt::red, Qt::red), 1, 1e-9);
}

TEST(Style, SeriesColorsStartAgainAfterEight)
{
    EXPECT_EQ(seriesToken(8), Token::series1);
    EXPECT_EQ(seriesToken(7), Token::series8);
}

TEST(Style, SwitchingIsLive)
{
    QSignalSpy changed(&Theme::instance(), &Theme::changed);
    Theme::instance().choose(ThemeChoice::dark);
    EXPECT_EQ(qApp->palette().color(QPalette::Window), tokenColor(Scheme::dark, Token::bg));
    Theme::instance().choose(ThemeChoice::light);
    EXPECT_EQ(qApp->palette().color(QPalette::Window), tokenColor(Scheme::light, Token::bg));
    EXPECT_EQ(changed.count(), 2);
}

TEST(Style, ThemeWords)
{
    EXPECT_EQ(themeChoiceFrom("dark"), ThemeChoice::dark);
    EXPECT_EQ(themeChoiceFrom("light"), ThemeChoice::light);
    EXPECT_EQ(themeChoiceFrom("auto"), ThemeChoice::automatic);
}

TEST(Style, AKernelKeepsItsColor)
{
    const int naive = assignSeries("transpose/naive");
    EXPECT_NE(naive, assignSeries("transpose/tiled"));
    EXPECT_EQ(naive, assignSeries("transpose/naive"));
}

TEST(Style, EveryIconIsDrawn)
{
    for (const char* name :
         {"home", "sessions", "kernels", "diagnose", "compare", "history", "patterns", "close", "menu", "warning", "info", "empty"}) {
        const QImage image = icon(name).pixmap(24, 24).toImage();
        bool inked = false;
        for (int y = 0; y < image.height() && !inked; ++y)
            for (int x = 0; x < image.width() && !inked; ++x)
                inked = qAlpha(image.pixel(x, y)) > 128;
        EXPECT_TRUE(inked) << name;
    }
    EXPECT_TRUE(icon("no-such-icon").isNull());
}

TEST(Style, FontsHaveTheSizeAndWeightOfTheirRole)
{
    const std::tuple<TextRole, int, bool> fonts[] = {{TextRole::page, 20, true},   {TextRole::card, 15, true},
                                                     {TextRole::body, 13, false},  {TextRole::caption, 12, false},
                                                     {TextRole::figure, 28, true}, {TextRole::code, 13, false}};
    for (const auto& [role, size, semibold] : fonts) {
        EXPECT_EQ(makeFont(role).pixelSize(), size);
        EXPECT_EQ(makeFont(role).weight() == QFont::DemiBold, semibold) << size;
    }
    EXPECT_TRUE(QFontInfo(makeFont(TextRole::code)).fixedPitch());
}

TEST(Style, AnotherSchemeHasItsOwnPalette)
{
    int changed = 0;
    QObject context;
    QObject::connect(&Theme::instance(), &Theme::changed, &context, [&] { ++changed; });
    Theme::instance().choose(ThemeChoice::dark);
    EXPECT_EQ(Theme::instance().scheme(), Scheme::dark);
    EXPECT_EQ(changed, 1);
    EXPECT_EQ(QApplication::palette().color(QPalette::Window), tokenColor(Scheme::dark, Token::bg));
    EXPECT_EQ(QApplication::palette().color(QPalette::Text), tokenColor(Scheme::dark, Token::text));
    EXPECT_EQ(QApplication::palette().color(QPalette::Disabled, QPalette::Text), tokenColor(Scheme::dark, Token::muted));
    EXPECT_EQ(color(Token::better), tokenColor(Scheme::dark, Token::better));
    Theme::instance().choose(ThemeChoice::light);
    EXPECT_EQ(QApplication::palette().color(QPalette::Window), tokenColor(Scheme::light, Token::bg));
    EXPECT_EQ(color(Token::better), tokenColor(Scheme::light, Token::better));
}

} // namespace
} // namespace kl::ui
