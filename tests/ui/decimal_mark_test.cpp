// SPDX-License-Identifier: MIT
// Which figures of a text get the mark of the user's locale, and which dots are none.
#include "tests/ui/support/in_language.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/text.h"
#include "ui/window/preferences/value_table.h"

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QTest>

#include <thread>

namespace kl::ui {
namespace {

TEST(DecimalMark, FiguresAreKnownByTheirUnit)
{
    const InGerman german;
    const std::pair<const char*, const char*> texts[] = {
        {"1.27×", "1,27×"},
        {"77.8\u202f%", "77,8\u202f%"},
        {"0.43\u202fµs", "0,43\u202fµs"},
        {"\u22123.5\u202f%", "\u22123,5\u202f%"},
        {"-3.5 % (-1.5 ms)", "-3,5 % (-1,5 ms)"},
        {"1.20× (1.05× to 1.31×), n = 20.", "1,20× (1,05× to 1,31×), n = 20."},
        {"4.3\u202fTB/s of 4.8\u202fTB/s", "4,3\u202fTB/s of 4,8\u202fTB/s"},
        {"12.5\u202fFLOP/B, 0.97 waves, 1.5x", "12,5\u202fFLOP/B, 0,97 waves, 1,5x"},
        {"took 1.5 s.", "took 1,5 s."},
        {"$0.37 per hour, \u2212$1.50", "$0,37 per hour, \u2212$1,50"},
        {"\u0394 ×2.3, +1.5\u202fpts", "\u0394 ×2,3, +1,5\u202fpts"},
        {"max abs 1.2e-05", "max abs 1,2e-05"},
        {"16.5 sectors per request where 1.03 would do", "16,5 sectors per request where 1,03 would do"},
        {"the lower bound of the 95 % CI is at least 1.20.", "the lower bound of the 95 % CI is at least 1,20."},
        {"max abs 0.001, mean abs 0.0002, relative L2 0.0003; Under 0.6", "max abs 0,001, mean abs 0,0002, relative L2 0,0003; Under 0,6"},
        {"8.14 of 32 threads are active", "8,14 of 32 threads are active"},
        {"27.1\u202fsectors/request", "27,1\u202fsectors/request"},
        {"1,270.5\u202fMHz", "1\u202f270,5\u202fMHz"},
        {"1,048,576", "1\u202f048\u202f576"},
        {"824 of 2,592 points, 40,960 bytes.", "824 of 2\u202f592 points, 40\u202f960 bytes."},
        {"\u22121,023\u202fB, 1,063× (1.5×)", "\u22121\u202f023\u202fB, 1\u202f063× (1,5×)"},
    };
    for (const auto& [text, shown] : texts) {
        EXPECT_EQ(utf8(q(text)), shown);
        EXPECT_EQ(utf8(withPoints(QString::fromUtf8(shown))), text);
        EXPECT_EQ(utf8(exact(text)), text);
    }
}

TEST(DecimalMark, OtherDotsStay)
{
    const InGerman german;
    for (const char* text : {"CUDA 13.0",
                             "driver 580.159.04",
                             "CUDA 13.0, sm_90",
                             "13.0 and 12.8",
                             "10.0.0.1:8080",
                             "10.1.2.3 % ",
                             "ALPHA=1.5",
                             "ALPHA=1.5 s",
                             "gemm/v1.5×",
                             "--ratio=1.05 x",
                             "v2.1 s",
                             "copy-1.5 ms",
                             "/data/1.5 s/x.cu",
                             "float x = 1.5f;",
                             "0.5 * acc",
                             "see 1.2. Then",
                             "3.",
                             ".5 s",
                             "1.5 sm",
                             "1.5 Bytes_",
                             "torch before 2.3 is",
                             "torch 2.3 and later",
                             "at least 1.2.3",
                             "at least 1.5f",
                             "2.0x86",
                             "2026-11-21T01:45:04.123Z",
                             "l1tex__t_sectors.sum 1",
                             "PyTorch 2.11 wheels"})
        EXPECT_EQ(utf8(q(text)), text);
    for (const char* text : {"B=1,64 KB", "1,2,4 ms", "x,5 s"})
        EXPECT_EQ(utf8(withPoints(QString::fromUtf8(text))), text) << "lists";
}

TEST(DecimalMark, ALoneFigureIsMarkedByItsMaker)
{
    EXPECT_EQ(figureWithMark("0.84"), "0.84");
    const InGerman german;
    EXPECT_EQ(figureWithMark("0.84"), "0,84");
    EXPECT_EQ(figureWithMark("1,270"), "1\u202f270");
    EXPECT_EQ(figureWithMark(q("0.042 s")), "0,042 s") << "three decimals are not a group";
}

TEST(DecimalMark, IsAPointWithoutACommaInTheLocale)
{
    EXPECT_EQ(decimalMark(), u'.');
    for (const auto& [language, mark] : {std::pair{QLocale::German, u','}, std::pair{QLocale::French, u','},
                                         std::pair{QLocale::English, u'.'}, std::pair{QLocale::Arabic, u'.'}}) {
        const InLanguage in(language);
        EXPECT_EQ(decimalMark(), mark);
        EXPECT_EQ(q("1.27×"), mark == u',' ? "1,27×" : "1.27×");
    }
    EXPECT_EQ(decimalMark(), u'.');
}

TEST(DecimalMark, OneThreadCanWriteForOtherPrograms)
{
    const InGerman german;
    {
        const PointsOnly points;
        EXPECT_EQ(q("1.27×"), "1.27×");
        QString other;
        std::jthread([&other] { other = q("1.27×"); }).join();
        EXPECT_EQ(other, "1,27×");
    }
    EXPECT_EQ(q("1.27×"), "1,27×");
}

double typed(QLocale::Language language, const char* text)
{
    const InLanguage in(language);
    NumberBox box;
    box.setRange(0, 10000);
    box.selectAll();
    QTest::keyClicks(&box, QLatin1String(text));
    box.interpretText();
    return box.value();
}

TEST(NumberBox, TakesBothMarksWhereTheLocaleHasAComma)
{
    for (const auto language : {QLocale::German, QLocale::French}) {
        EXPECT_EQ(typed(language, "1.5"), 1.5);
        EXPECT_EQ(typed(language, "1,5"), 1.5);
        EXPECT_EQ(typed(language, "12.25"), 12.25);
    }
    EXPECT_EQ(typed(QLocale::English, "1.5"), 1.5);
    const InGerman german;
    NumberBox box;
    box.setValue(1.5);
    EXPECT_EQ(box.text(), "1,50");
}

TEST(ValueTables, TakeBothMarks)
{
    const InGerman german;
    ValueTable table({"Name"}, "Values", nullptr);
    table.setRows({{"a", {"x"}, {}, 1.05, 2.5}});
    EXPECT_EQ(table.item(0, 1)->text(), "1,05");
    EXPECT_EQ(table.item(0, 2)->text(), "2,5");
    table.item(0, 1)->setText("1.5");
    EXPECT_EQ(table.collectChanged(), (std::map<std::string, double>{{"a", 1.5}}));
    table.item(0, 1)->setText("1,25");
    EXPECT_EQ(table.collectChanged(), (std::map<std::string, double>{{"a", 1.25}}));
    EXPECT_EQ(table.item(0, 1)->text(), "1,25");
}

} // namespace
} // namespace kl::ui
