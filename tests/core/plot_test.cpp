// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/plot/axis.h"
#include "core/plot/charts.h"
#include "core/plot/svg.h"
#include "tests/core/support/profiles.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

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
    const Roofline roofline = computeRoofline(run);
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

std::vector<std::string> listLabels(const std::vector<Tick>& ticks)
{
    std::vector<std::string> labels;
    for (const Tick& tick : ticks)
        labels.push_back(tick.label);
    return labels;
}

TEST(Axis, TicksAreRoundAlsoBelowZero)
{
    using Labels = std::vector<std::string>;
    EXPECT_EQ(listLabels(Axis(Scale::linear, -10, 10, 0, 1).ticks(4)), (Labels{"\u221210", "\u22125", "0", "5", "10"}));
    EXPECT_EQ(listLabels(Axis(Scale::linear, 90, 130, 0, 1).ticks(5)), (Labels{"90", "100", "110", "120", "130"}));
    EXPECT_EQ(listLabels(Axis(Scale::linear, 0, 0.04, 0, 1).ticks(2)), (Labels{"0", "0.02", "0.04"}));
    EXPECT_EQ(listLabels(Axis(Scale::linear, 0, 60, 0, 1).ticks(1)), (Labels{"0"})) << "a step of 100 does not fit";
    EXPECT_EQ(listLabels(Axis(Scale::log, 1, 1e12, 0, 1).ticks(4)), (Labels{"1", "1,000", "1M", "1G", "1T"}));
    EXPECT_EQ(listLabels(Axis(Scale::log, 0.01, 100, 0, 1).ticks(9)), (Labels{"0.01", "0.1", "1", "10", "100"}));
    EXPECT_EQ(listLabels(Axis(Scale::linear, 0, 30e3, 0, 1).ticks(3)), (Labels{"0", "10k", "20k", "30k"}));
}

TEST(Axis, UnusableEndsAreTheNearestUsable)
{
    EXPECT_EQ(Axis(Scale::log, 0, 50, 0, 1).low(), 1);
    EXPECT_EQ(Axis(Scale::log, 5, 5, 0, 1).high(), 50);
    EXPECT_EQ(Axis(Scale::linear, 5, 5, 0, 1).high(), 6);
    EXPECT_EQ(Axis(Scale::linear, -200, -300, 0, 1).high(), -180);
    EXPECT_EQ(Axis(Scale::linear, NAN, 3, 0, 1).low(), 0);
    EXPECT_EQ(Axis::around(Scale::linear, {}, 0, 1).high(), 1);
    EXPECT_EQ(Axis::around(Scale::log, {}, 0, 1).high(), 10);
    EXPECT_EQ(Axis::around(Scale::linear, {-3, 12}, 0, 1).low(), -5);
    EXPECT_EQ(Axis::around(Scale::linear, {-3, 12}, 0, 1).high(), 15);
    EXPECT_NEAR(Axis::around(Scale::log, {1, 100}, 0, 1).high(), 100, 1e-9) << "a power of ten is its own end";
}

/// Four decades of 100 pixels across, three up: 0.1 to 1000 FLOP/byte, 10^11 to 10^14 FLOP/s.
TEST(Roofline, EverythingIsAtItsPlace)
{
    std::vector<Roof> roofs(4);
    roofs[0] = {"DRAM", 1e12, true, false, MemoryLevel::dram, "dram"};
    roofs[1] = {"DRAM measured", 0.5e12, true, true, MemoryLevel::dram, "dram"};
    roofs[2] = {"FP32", 1e14, false, false, {}, "fp32"};
    roofs[3] = {"none", 0, false, false, {}, "fp64"};
    const std::vector<RooflinePoint> points{{"k", 10, 1e13, false}, {"other", 1, 1e12, true, MemoryLevel::l2}};
    const std::string svg = svgRoofline(roofs, points, {}, {484, 368});
    const auto holds = [&](const std::string& part) { return svg.find(part) != std::string::npos; };
    EXPECT_TRUE(holds(R"(<line x1="64.00" y1="324.00" x2="364.00" y2="24.00" stroke="#0072B2" stroke-width="2.0"/>)")) << svg;
    EXPECT_TRUE(
        holds(R"(<line x1="94.10" y1="324.00" x2="394.10" y2="24.00" stroke="#0072B2" stroke-width="1.2" stroke-dasharray="5 4"/>)"));
    EXPECT_TRUE(holds(R"(<line x1="364.00" y1="24.00" x2="464.00" y2="24.00" stroke="#009E73" stroke-width="2.0"/>)"))
        << "from the slope on";
    EXPECT_TRUE(holds(R"(<circle cx="264.00" cy="124.00" r="6.0" fill="#0B5CAD">)"));
    EXPECT_TRUE(holds(R"(<circle cx="164.00" cy="224.00" r="4.0" fill="#5F6B7A">)"));
    EXPECT_TRUE(holds(formatIntensity(10))) << "the first point";
    EXPECT_FALSE(holds(formatIntensity(10) + "</title>")) << "whose bytes are by formula";
    EXPECT_TRUE(holds(formatIntensity(1) + "</title>")) << "those of the other were measured";
    EXPECT_TRUE(holds(">other (L2)</text>"));
    EXPECT_FALSE(holds(">none</text>")) << "a roof of nothing is none";
    EXPECT_TRUE(holds(R"(<text x="464.00" y="19.00" fill="#009E73" text-anchor="end" font-size="11">FP32</text>)"));
    EXPECT_TRUE(holds(R"(viewBox="0 0 484 368")"));
    EXPECT_TRUE(holds("<title>Roofline: k at 10\u202fTFLOP/s</title>"));
    EXPECT_TRUE(
        svgRoofline({roofs[2]}, points, {}, {484, 368}).find(R"(<line x1="64.00" y1="24.00" x2="464.00" y2="24.00" stroke="#0072B2")") !=
        std::string::npos)
        << "without a slope it is as wide as the picture";
}

TEST(Svg, EachShapeHasItsAttributes)
{
    Palette palette;
    palette.surface = "#FEFEFE";
    Svg svg(10, 20, "name", palette);
    svg.line(1, 2, 3, 4, "#111111", 1.5, "5 4");
    svg.line(5, 6, 7, 8, "#222222");
    svg.circle(5, 6, 7, "#333333", "a & b");
    svg.circle(8, 9, 1, "#444444");
    svg.text(1, 2, "left", "#555555");
    svg.text(3, 4, "middle", "#666666", Svg::Anchor::middle, 9);
    svg.text(5, 6, "right", "#777777", Svg::Anchor::end, 11, true);
    EXPECT_EQ(
        svg.finish(),
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 20\" width=\"10\" height=\"20\" role=\"img\" "
        "font-family=\"system-ui, sans-serif\"><title>name</title>\n<rect width=\"10\" height=\"20\" fill=\"#FEFEFE\"/>\n"
        "<line x1=\"1.00\" y1=\"2.00\" x2=\"3.00\" y2=\"4.00\" stroke=\"#111111\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"/>\n"
        "<line x1=\"5.00\" y1=\"6.00\" x2=\"7.00\" y2=\"8.00\" stroke=\"#222222\" stroke-width=\"1.0\"/>\n"
        "<circle cx=\"5.00\" cy=\"6.00\" r=\"7.0\" fill=\"#333333\"><title>a &amp; b</title></circle>\n"
        "<circle cx=\"8.00\" cy=\"9.00\" r=\"1.0\" fill=\"#444444\"/>\n"
        "<text x=\"1.00\" y=\"2.00\" fill=\"#555555\" text-anchor=\"start\" font-size=\"12\">left</text>\n"
        "<text x=\"3.00\" y=\"4.00\" fill=\"#666666\" text-anchor=\"middle\" font-size=\"9\">middle</text>\n"
        "<text x=\"5.00\" y=\"6.00\" fill=\"#777777\" text-anchor=\"end\" font-size=\"11\" font-weight=\"600\">right</text>\n</svg>\n");
}

TEST(Roofline, TheFirstPointIsTheOneThatTheChartIsAbout)
{
    std::vector<Roof> roofs(3);
    roofs[0] = {"DRAM", 1e12, true, false, MemoryLevel::dram, "dram"};
    roofs[1] = {"FP32", 1e14, false, false, {}, "fp32"};
    roofs[2] = {"FP64", 5e13, false, true, {}, "fp64"};
    const std::vector<RooflinePoint> points{{"k", 10, 1e13, true}, {"other", 1, 1e12, true}};
    const std::string svg = svgRoofline(roofs, points, {}, {484, 368});
    EXPECT_NE(svg.find("font-weight=\"600\">k</text>"), std::string::npos);
    EXPECT_NE(svg.find("\">other</text>"), std::string::npos);
    EXPECT_EQ(svg.find("font-weight=\"600\">other"), std::string::npos);
    for (const double intensity : {10.0, 1.0})
        EXPECT_NE(svg.find(formatIntensity(intensity) + "</title>"), std::string::npos) << "all bytes were measured";
    EXPECT_NE(svg.find("font-size=\"11\">FP64</text>"), std::string::npos);
    EXPECT_GT(svg.find(">FP64<"), svg.find(">FP32<"));
    EXPECT_NE(svg.find("stroke-width=\"1.2\" stroke-dasharray=\"5 4\""), std::string::npos) << "a measured flat roof is dashed, too";
}

TEST(Roofline, APointBeyondTheUsualIntensitiesWidensThePicture)
{
    std::vector<Roof> roofs(2);
    roofs[0] = {"DRAM", 1e12, true, false, MemoryLevel::dram, "dram"};
    roofs[1] = {"FP32", 1e14, false, false, {}, "fp32"};
    const auto shows = [&](double intensity, const char* label) {
        return svgRoofline(roofs, {{"k", intensity, 1e12, true}}, {}, {484, 368}).find('>' + std::string(label) + "</text>") !=
               std::string::npos;
    };
    EXPECT_TRUE(shows(1, "0.1"));
    EXPECT_TRUE(shows(1, formatNumber(1000).c_str()));
    EXPECT_FALSE(shows(1, "0.01"));
    EXPECT_TRUE(shows(0.02, "0.01"));
    EXPECT_TRUE(shows(20'000, "100k"));
    EXPECT_NE(svgRoofline(roofs, {}).find("<title>Roofline</title>"), std::string::npos) << "of no kernel";
    const std::string bare = svgRoofline({}, {});
    EXPECT_EQ(bare.find("<line"), std::string::npos);
    EXPECT_NE(bare.find("text-anchor=\"middle\""), std::string::npos) << "it says why it is empty";
}

} // namespace
} // namespace kl::plot
