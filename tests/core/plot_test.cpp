// SPDX-License-Identifier: MIT
#include "core/plot/axis.h"
#include "core/plot/charts.h"
#include "core/plot/svg.h"
#include "tests/core/support/profiles.h"

#include <cmath>
#include <gtest/gtest.h>

namespace kl::plot {
namespace {

void expectSound(const std::string& svg)
{
    EXPECT_TRUE(svg.starts_with("<svg "));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("\"inf"), std::string::npos);
    EXPECT_NE(svg.find("<title>"), std::string::npos);
}

TEST(Axis, LinearTicksAreRoundAndInside)
{
    const Axis axis(Scale::linear, 0, 97, 0, 100);
    const auto ticks = axis.ticks(5);
    ASSERT_EQ(ticks.size(), 5U);
    EXPECT_EQ(ticks[0].value, 0);
    EXPECT_EQ(ticks[4].value, 80);
    EXPECT_EQ(ticks[4].label, "80");
}

TEST(Axis, MapsEndsAndMiddle)
{
    const Axis axis(Scale::linear, 10, 20, 300, 100); // a y axis: low values further down
    EXPECT_EQ(axis.pixel(10), 300);
    EXPECT_EQ(axis.pixel(20), 100);
    EXPECT_EQ(axis.pixel(15), 200);
    EXPECT_EQ(axis.pixel(1000), 100); // clamped
}

TEST(Axis, LogMapsDecadesEvenly)
{
    const Axis axis(Scale::log, 1, 100, 0, 200);
    EXPECT_NEAR(*axis.pixel(10), 100, 1e-9);
    EXPECT_EQ(axis.ticks().size(), 3U);
}

TEST(Axis, WhatCannotBeDrawnIsLeftOut)
{
    const Axis axis(Scale::log, 1, 100, 0, 200);
    EXPECT_FALSE(axis.pixel(0));
    EXPECT_FALSE(axis.pixel(-3));
    EXPECT_FALSE(axis.pixel(NAN));
    EXPECT_FALSE(Axis(Scale::linear, 0, 1, 0, 1).pixel(INFINITY));
}

TEST(Axis, UnusableRangesAreReplaced)
{
    for (const auto& [low, high] : {std::pair{NAN, NAN}, {5.0, 5.0}, {7.0, 3.0}, {-INFINITY, INFINITY}})
        for (const Scale scale : {Scale::linear, Scale::log}) {
            const Axis axis(scale, low, high, 0, 100);
            EXPECT_LT(axis.low(), axis.high());
            EXPECT_FALSE(axis.ticks().empty() && scale == Scale::linear);
        }
    EXPECT_GT(Axis(Scale::log, -1, 0, 0, 100).low(), 0);
}

TEST(Axis, AroundValuesEndsOnRoundNumbers)
{
    const Axis linear = Axis::around(Scale::linear, {3, 97, NAN}, 0, 100);
    EXPECT_EQ(linear.low(), 0);
    EXPECT_EQ(linear.high(), 100);
    const Axis log = Axis::around(Scale::log, {0.034, 0, -1, 2}, 0, 100);
    EXPECT_NEAR(log.low(), 0.01, 1e-12);
    EXPECT_NEAR(log.high(), 10, 1e-9);
    EXPECT_LT(Axis::around(Scale::linear, {5, 5}, 0, 1).low(), Axis::around(Scale::linear, {5, 5}, 0, 1).high());
    EXPECT_GT(Axis::around(Scale::log, {}, 0, 1).low(), 0);
}

TEST(Svg, EscapesTextAndLeavesOutWhatIsNotFinite)
{
    Svg svg(100, 50, "a < b & \"c\"", {});
    svg.line(0, 0, NAN, 1, "#000000");
    svg.circle(INFINITY, 0, 5, "#000000");
    svg.text(1, 2, "<script>", "#000000");
    const std::string text = svg.finish();
    expectSound(text);
    EXPECT_EQ(text.find("<script>"), std::string::npos);
    EXPECT_EQ(text.find("<line"), std::string::npos);
    EXPECT_EQ(text.find("<circle"), std::string::npos);
    EXPECT_NE(text.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
}

TEST(Roofline, DrawsRoofsAndTheKernelAtEachLevel)
{
    RunRecord run = test::reductionGridStride();
    run.metrics->values["lts__t_bytes.sum"] = 70e6;
    const Roofline roofline = rooflineOf(run);
    const std::string svg = svgRoofline(roofline.roofs, roofline.points);
    expectSound(svg);
    EXPECT_NE(svg.find("reduction/grid-stride (L2)"), std::string::npos);
    EXPECT_NE(svg.find("DRAM 4.8"), std::string::npos);
    EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos) << "measured roofs are dashed";
}

TEST(Roofline, SurvivesNothingAndNonsense)
{
    expectSound(svgRoofline({}, {}));
    expectSound(svgRoofline({{"bad", 0, true}, {"worse", NAN, false}},
                            {{"zero", 0, 0, false}, {"negative", -1, -1, false}, {"nan", NAN, NAN, false}}));
}

} // namespace
} // namespace kl::plot
