// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/xml.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace kl {
namespace {

TEST(Format, TimesPickTheUnitThatReadsBest)
{
    EXPECT_EQ(formatTime(8130), "8.13\u202fµs");
    EXPECT_EQ(formatTime(320), "320\u202fns");
    EXPECT_EQ(formatTime(1.27e6), "1.27\u202fms");
    EXPECT_EQ(formatTime(4.2e9), "4.2\u202fs");
    EXPECT_EQ(formatTime(999.7), "1\u202fµs");
    EXPECT_EQ(formatTime(std::nullopt), kNoValue);
}

TEST(Format, NothingFiniteIsADash)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    for (const double bad : {nan, inf, -inf}) {
        EXPECT_EQ(formatTime(bad), kNoValue);
        EXPECT_EQ(formatRatio(bad), kNoValue);
        EXPECT_EQ(formatPercent(bad), kNoValue);
        EXPECT_EQ(formatBytes(bad), kNoValue);
        EXPECT_EQ(formatCount(bad), kNoValue);
        EXPECT_EQ(formatMinutes(bad), kNoValue);
        EXPECT_EQ(formatWithUnit(bad, "warps"), kNoValue);
    }
}

TEST(Format, RatiosKeepWhatMatters)
{
    EXPECT_EQ(formatRatio(1.27), "1.27×");
    EXPECT_EQ(formatRatio(0.034), "0.034×");
    EXPECT_EQ(formatRatio(12.34), "12.3×");
    EXPECT_EQ(formatRatio(1.0), "1.00×");
}

TEST(Format, PercentAndChange)
{
    EXPECT_EQ(formatPercent(42.3), "42.3\u202f%");
    EXPECT_EQ(formatPercent(42.0), "42\u202f%");
    EXPECT_EQ(formatPercent(0.0), "0\u202f%");
    EXPECT_EQ(formatPercent(99.96), "100\u202f%");
    EXPECT_EQ(formatChange(0.12), "+12\u202f%");
    EXPECT_EQ(formatChange(-0.031), "\u22123.1\u202f%");
    EXPECT_EQ(formatChange(0), "0\u202f%");
}

TEST(Format, SizesAndRates)
{
    EXPECT_EQ(formatBytes(232448), "227\u202fKiB");
    EXPECT_EQ(formatBytes(512), "512\u202fB");
    EXPECT_EQ(formatBandwidth(4.3e12), "4.3\u202fTB/s");
    EXPECT_EQ(formatFlops(479e12), "479\u202fTFLOP/s");
    EXPECT_EQ(formatClock(1755), "1755\u202fMHz");
    EXPECT_EQ(formatIntensity(12.5), "12.5\u202fFLOP/B");
}

TEST(Format, NumbersHaveThreeDigits)
{
    EXPECT_EQ(formatNumber(0), "0");
    EXPECT_EQ(formatNumber(32), "32");
    EXPECT_EQ(formatNumber(3.14159), "3.14");
    EXPECT_EQ(formatNumber(-0.0421), "\u22120.042");
    EXPECT_EQ(formatNumber(1270), "1,270");
    EXPECT_EQ(formatCount(1048576), "1,048,576");
    EXPECT_EQ(formatCount(-5), "\u22125");
}

TEST(Format, WorkingTimeAndClock)
{
    EXPECT_EQ(formatMinutes(0.75), "45\u202fs");
    EXPECT_EQ(formatMinutes(12), "12\u202fmin");
    EXPECT_EQ(formatMinutes(65), "1\u202fh 05\u202fmin");
    EXPECT_EQ(formatMinutes(120), "2\u202fh");
    EXPECT_EQ(formatElapsed(3.4), "0:03");
    EXPECT_EQ(formatElapsed(3723), "1:02:03");
}

TEST(Format, UnitWords)
{
    EXPECT_EQ(formatWithUnit(8130, "ns"), formatTime(8130));
    EXPECT_EQ(formatWithUnit(8.13, "us"), formatTime(8130));
    EXPECT_EQ(formatWithUnit(32, "sectors/request"), "32\u202fsectors/request");
    EXPECT_EQ(formatWithUnit(0.5, ""), "0.5");
}

TEST(Format, EveryUnitHasItsScale)
{
    EXPECT_EQ(formatWithUnit(2, "ms"), "2\u202fms");
    EXPECT_EQ(formatWithUnit(2, "s"), "2\u202fs");
    EXPECT_EQ(formatWithUnit(50, "%"), "50\u202f%");
    EXPECT_EQ(formatWithUnit(2048, "bytes"), "2\u202fKiB");
    EXPECT_EQ(formatWithUnit(2000, "byte/s"), "2\u202fKB/s");
    EXPECT_EQ(formatWithUnit(2e9, "flop/s"), "2\u202fGFLOP/s");
    EXPECT_EQ(formatWithUnit(2, "flop/byte"), "2\u202fFLOP/B");
    EXPECT_EQ(formatWithUnit(1500, "MHz"), "1500\u202fMHz");
    EXPECT_EQ(formatWithUnit(1500, "count"), "1,500");
}

TEST(Format, MoneyHasTwoDecimalsAndItsSignFirst)
{
    EXPECT_EQ(formatMoney(0.365), "$0.36");
    EXPECT_EQ(formatMoney(-12.5), "\u2212$12.50");
    EXPECT_EQ(formatMoney(std::numeric_limits<double>::infinity()), kNoValue);
    EXPECT_EQ(formatPercent(std::optional<double>()), kNoValue);
    EXPECT_EQ(formatPercent(std::optional(12.0)), "12\u202f%");
}

TEST(Format, RoundingAtAUnitsEndIsTheNextUnit)
{
    EXPECT_EQ(formatTime(999.4), "999\u202fns");
    EXPECT_EQ(formatBytes(1023), "1,023\u202fB");
    EXPECT_EQ(formatBytes(1024), "1\u202fKiB");
    EXPECT_EQ(formatBandwidth(999.6e9), "1\u202fTB/s");
    EXPECT_EQ(formatNumber(999.4), "999");
    EXPECT_EQ(formatNumber(0.0005), "0.001");
    EXPECT_EQ(formatNumber(0.0004), "4.0e-04");
    EXPECT_EQ(formatNumber(1e15), "1.00e+15");
    EXPECT_EQ(formatMinutes(0.99), "59\u202fs");
    EXPECT_EQ(formatMinutes(0.995), "1\u202fmin");
    EXPECT_EQ(formatMinutes(59.6), "1\u202fh");
    EXPECT_EQ(formatMinutes(-1), "0\u202fs");
    EXPECT_EQ(formatElapsed(3599.9), "59:59");
    EXPECT_EQ(formatElapsed(3600), "1:00:00");
    EXPECT_EQ(formatPercent(0.04), "0\u202f%");
    EXPECT_EQ(formatPercent(-0.04), "0\u202f%");
    EXPECT_EQ(formatPercent(0.05), "0.1\u202f%");
}

TEST(Format, IsoTimeRoundTrips)
{
    const auto time = parseIsoTime("2025-10-12T08:09:10.250Z");
    ASSERT_TRUE(time);
    EXPECT_EQ(isoTime(*time), "2025-10-12T08:09:10.250Z");
    EXPECT_EQ(isoTime(*parseIsoTime("2025-10-12")), "2025-10-12T00:00:00.000Z");
    for (const char* bad :
         {"", "yesterday", "2025-13-01", "2025-02-30", "2025-10-12T25:00:00Z", "2025-10-12T08:09:10.2x", "2262-01-01", "1677-12-31"})
        EXPECT_FALSE(parseIsoTime(bad)) << bad;
    EXPECT_TRUE(parseIsoTime(isoNow()));
}

TEST(Format, RelativeTime)
{
    const TimePoint now = *parseIsoTime("2025-10-12T12:00:00Z");
    EXPECT_EQ(relativeTime("2025-10-12T11:59:30Z", now), relativeTime("2025-10-12T12:00:00Z", now));
    EXPECT_NE(relativeTime("2025-10-12T11:57:00Z", now).find("3\u202fmin"), std::string::npos);
    EXPECT_NE(relativeTime("2025-10-12T09:00:00Z", now).find("3\u202fh"), std::string::npos);
    EXPECT_EQ(relativeTime("2025-10-11T09:00:00Z", now), relativeTime("2025-10-10T18:00:00Z", now)) << "yesterday";
    EXPECT_EQ(test::valueText(relativeTime("2025-10-11T09:00:00Z", now) + ' '), "\"\"") << "a word";
    EXPECT_EQ(test::valueText(relativeTime("2025-10-07T09:00:00Z", now)), "\"5\"");
    EXPECT_EQ(relativeTime("2025-01-07T09:00:00Z", now), "2025-01-07");
    EXPECT_EQ(relativeTime("nonsense", now), "nonsense");
}

TEST(Format, RelativeTimeSnapshot)
{
    const TimePoint now = *parseIsoTime("2025-10-12T12:00:00Z");
    std::string text;
    for (const auto& [age, iso] : {std::pair("half a minute", "2025-10-12T11:59:30Z"),
                                   {"minutes", "2025-10-12T11:57:00Z"},
                                   {"hours", "2025-10-12T09:00:00Z"},
                                   {"a day", "2025-10-11T09:00:00Z"},
                                   {"days", "2025-10-07T09:00:00Z"}})
        text += std::string(age) + " | " + relativeTime(iso, now) + '\n';
    test::expectSnapshot("texts/relative-times.txt", text);
}

TEST(Xml, EscapesWhatHasAMeaningAndDropsWhatItCannotHold)
{
    EXPECT_EQ(escapeXml("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    EXPECT_EQ(escapeXml("1\x01\x1b[31m\t2\n\u00b5"), "1[31m\t2\n\u00b5");
}

TEST(Format, EnergyPicksItsUnit)
{
    EXPECT_EQ(formatEnergy(0.0125), "12.5\u202fmJ");
    EXPECT_EQ(formatEnergy(3.2e-7), "320\u202fnJ");
    EXPECT_EQ(formatEnergy(2.5e-6), "2.5\u202fµJ");
    EXPECT_EQ(formatEnergy(999.6), "1\u202fkJ");
    EXPECT_EQ(formatWithUnit(1.5, "J"), "1.5\u202fJ");
}

TEST(Format, RatiosChangeTheirDecimalsWhereRoundingDoes)
{
    EXPECT_EQ(formatRatio(0.0994), "0.099×");
    EXPECT_EQ(formatRatio(0.0995), "0.10×");
    EXPECT_EQ(formatRatio(9.94), "9.94×");
    EXPECT_EQ(formatRatio(99.4), "99.4×");
    EXPECT_EQ(formatRatio(99.6), "100×");
    EXPECT_EQ(formatRatio(0.0), "0.00×");
    EXPECT_EQ(formatRatio(0.00994), "0.0099×");
    EXPECT_EQ(formatRatio(0.00996), "0.010×");
    EXPECT_EQ(formatRatio(0.000459), "0.00046×");
    EXPECT_EQ(formatRatio(-0.000459), "-0.00046×");
    EXPECT_EQ(formatRatio(1.234e-6), "0.0000012×");
    EXPECT_EQ(formatRatio(4.56e-9), "4.6e-09×");
    EXPECT_EQ(formatRatio(std::optional<double>()), kNoValue);
}

TEST(Format, TimesOfALeapSecondAndOfBothSeparatorsAreRead)
{
    EXPECT_TRUE(parseIsoTime("2016-12-31T23:59:60Z"));
    EXPECT_FALSE(parseIsoTime("2016-12-31T23:59:61Z"));
    EXPECT_EQ(parseIsoTime("2025-10-12 08:09:10"), parseIsoTime("2025-10-12T08:09:10Z"));
    EXPECT_FALSE(parseIsoTime("2025-10-12T08:09:10+02:00")) << "another zone is not this time";
    EXPECT_FALSE(parseIsoTime("2025-10-12T24:00:00Z"));
    EXPECT_FALSE(parseIsoTime("2025-10-12T08:60:10Z"));
    EXPECT_EQ(isoTime(*parseIsoTime("2025-10-12T08:09:10.1239Z")), "2025-10-12T08:09:10.124Z");
}

TEST(Format, AnAgeBecomesADateAfterTwoWeeks)
{
    const TimePoint now = *parseIsoTime("2025-10-20T12:00:00Z");
    EXPECT_NE(relativeTime("2025-10-20T11:59:00Z", now).find("1\u202fmin"), std::string::npos);
    EXPECT_NE(relativeTime("2025-10-20T11:00:00Z", now).find("1\u202fh"), std::string::npos);
    EXPECT_NE(relativeTime("2025-10-19T12:00:01Z", now).find("23\u202fh"), std::string::npos);
    EXPECT_EQ(relativeTime("2025-10-19T12:00:00Z", now), relativeTime("2025-10-18T12:00:01Z", now)) << "yesterday";
    EXPECT_EQ(test::valueText(relativeTime("2025-10-18T12:00:00Z", now)), "\"2\"");
    EXPECT_EQ(test::valueText(relativeTime("2025-10-06T12:00:01Z", now)), "\"13\"");
    EXPECT_EQ(relativeTime("2025-10-06T12:00:00Z", now), "2025-10-06");
}

TEST(Format, ThreeDigitsWhateverTheSize)
{
    const std::vector<std::pair<double, std::string>> cases{{0.0006, "0.001"},
                                                            {0.9994, "0.999"},
                                                            {0.9996, "1"},
                                                            {1.2345, "1.23"},
                                                            {9.994, "9.99"},
                                                            {9.996, "10"},
                                                            {12.345, "12.3"},
                                                            {99.94, "99.9"},
                                                            {99.96, "100"},
                                                            {123.45, "123"},
                                                            {999.6, "1,000"},
                                                            {1234.4, "1,234"},
                                                            {1e14, "100,000,000,000,000"}};
    for (const auto& [value, text] : cases) {
        EXPECT_EQ(formatNumber(value), text);
        EXPECT_EQ(formatNumber(-value), "\u2212" + text);
    }
}

TEST(Format, EveryScaleBeginsAtOneOfItsUnit)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {formatTime(0.5), "0.5\u202fns"},          {formatTime(1.5e3), "1.5\u202fµs"},
        {formatTime(-1.5e6), "\u22121.5\u202fms"}, {formatTime(1.5e9), "1.5\u202fs"},
        {formatBytes(1536), "1.5\u202fKiB"},       {formatBytes(3 << 19), "1.5\u202fMiB"},
        {formatBytes(3 << 29), "1.5\u202fGiB"},    {formatBytes(1.5 * 1099511627776.0), "1.5\u202fTiB"},
        {formatBandwidth(1.5), "1.5\u202fB/s"},    {formatBandwidth(1.5e6), "1.5\u202fMB/s"},
        {formatBandwidth(1.5e9), "1.5\u202fGB/s"}, {formatFlops(1.5), "1.5\u202fFLOP/s"},
        {formatFlops(1.5e3), "1.5\u202fKFLOP/s"},  {formatFlops(1.5e6), "1.5\u202fMFLOP/s"},
        {formatFlops(1.5e15), "1.5\u202fPFLOP/s"}, {formatEnergy(1.5), "1.5\u202fJ"}};
    for (const auto& [shown, expected] : cases)
        EXPECT_EQ(shown, expected);
}

TEST(Format, UnitsHaveOtherSpellings)
{
    EXPECT_EQ(formatWithUnit(8.13, "µs"), formatTime(8130));
    EXPECT_EQ(formatWithUnit(2048, "byte"), formatBytes(2048));
    EXPECT_EQ(formatWithUnit(2000, "bytes/s"), formatBandwidth(2000));
    EXPECT_EQ(formatWithUnit(0.25, "ratio"), "0.25");
    EXPECT_EQ(formatWithUnit(1.5, "warp"), "1.5\u202fwarp");
}

TEST(Format, AChangeThatRoundsToNothingHasNoSign)
{
    EXPECT_EQ(formatChange(0.0004), "0\u202f%");
    EXPECT_EQ(formatChange(-0.0004), "0\u202f%");
    EXPECT_EQ(formatChange(0.0006), "+0.1\u202f%");
    EXPECT_EQ(formatChange(std::numeric_limits<double>::infinity()), kNoValue);
    EXPECT_EQ(formatCount(-0.4), "0");
    EXPECT_EQ(formatCount(-0.6), "\u22121");
    EXPECT_EQ(formatCount(999), "999");
    EXPECT_EQ(formatPercent(123.45), "123\u202f%");
    EXPECT_EQ(formatPercent(-12.34), "\u221212.3\u202f%");
}

TEST(Format, NothingFiniteIsADashInEveryUnit)
{
    for (const char* unit : {"ns", "us", "ms", "s", "%", "byte", "byte/s", "flop/s", "flop/byte", "MHz", "J", "count", "ratio", ""})
        EXPECT_EQ(formatWithUnit(std::numeric_limits<double>::quiet_NaN(), unit), kNoValue) << unit;
    EXPECT_EQ(formatElapsed(std::numeric_limits<double>::infinity()), kNoValue);
    EXPECT_EQ(formatElapsed(-5), "0:00");
    EXPECT_EQ(formatElapsed(60), "1:00");
}

TEST(Format, DatesAreReadToTheirBounds)
{
    for (const char* good :
         {"1678-01-01", "2261-12-31", "2024-02-29", "2025-10-12T00:00:00", "2025-10-12T23:59:59Z", "2025-10-12 23:59:59.9"})
        EXPECT_TRUE(parseIsoTime(good)) << good;
    for (const char* bad : {"1677-01-01", "2025-00-10", "2025-10-00", "2025-02-29", "2025/10-12", "2025-10/12", "2025-1-012",
                            "2025-10-12X08:09:10", "2025-10-12T08-09:10", "2025-10-12T08:09-10", "2025-10-12T08:09", "2025-10-12T",
                            "2025-10-12Z", "2025-10-12T-1:00:00", "2025-10-12T08:-1:00", "2025-10-12T08:09:10Zx", "2025-10-12T08:09:10.5x"})
        EXPECT_FALSE(parseIsoTime(bad)) << bad;
    EXPECT_EQ(isoTime(*parseIsoTime("2025-10-12T08:09:10.5")), "2025-10-12T08:09:10.500Z");
    EXPECT_EQ(isoTime(*parseIsoTime("1969-12-31T23:59:59.999Z")), "1969-12-31T23:59:59.999Z");
    const TimePoint noon = *parseIsoTime("2025-10-12T12:00:00Z");
    EXPECT_EQ(relativeTime("2025-10-12T12:05:00Z", noon), relativeTime("2025-10-12T12:00:00Z", noon)) << "another clock may be ahead";
}

TEST(Format, TimesInAnyUnitAreShownInTheBest)
{
    EXPECT_EQ(formatWithUnit(1500, "ns"), "1.5\u202fµs");
    EXPECT_EQ(formatWithUnit(1500, "us"), "1.5\u202fms");
    EXPECT_EQ(formatWithUnit(1500, "ms"), "1.5\u202fs");
    EXPECT_EQ(formatWithUnit(0.0015, "s"), "1.5\u202fms");
}

} // namespace
} // namespace kl
