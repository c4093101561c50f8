// SPDX-License-Identifier: MIT
// Every format of one report, and the charts, from figures that are written down here.
#include "core/base/format.h"
#include "core/codec/json.h"
#include "core/stats/ratio_text.h"
#include "sessions/report/report.h"
#include "sessions/report/report_charts.h"
#include "tests/support/store_support.h"

#include <cmath>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// A report with one of everything.
ReportModel fullModel()
{
    ReportModel model;
    model.title = "Title";
    model.subtitle = "Subtitle";
    model.verdict = "Verdict";
    model.tone = "bad";
    model.figures = {{"Speedup", "2.00×", "against copy"}};
    ReportModel::Section section{"Section"};
    section.paragraphs = {"Paragraph"};
    section.tables = {{{"Name", "Figure"}, {{"a", "✓ 1"}, {"✕ b", "2"}}, 1}};
    section.charts = {{"<svg>drawn</svg>", "What it shows"}};
    section.code = "kloop run <x>";
    model.sections = {section};
    return model;
}

std::string renderParagraph(const std::string& paragraph)
{
    ReportModel model = fullModel();
    model.sections.front().paragraphs = {paragraph};
    const std::string text = toMarkdown(model);
    const std::size_t begin = text.find("## Section\n\n") + 12;
    return text.substr(begin, text.find("\n\n", begin) - begin);
}

TEST(ReportMarkdown, HasEachPartInItsPlace)
{
    EXPECT_EQ(toMarkdown(fullModel()),
              "# Title\n\nSubtitle\n\n**Verdict**\n\n|  |  |  |\n| --- | --- | --- |\n| Speedup | 2.00× | against copy |\n\n"
              "## Section\n\nParagraph\n\n*What it shows*\n\n| Name | Figure |\n| --- | ---: |\n| a | ✓ 1 |\n| ✕ b | 2 "
              "|\n\n```sh\nkloop run <x>\n```\n");
    ReportModel bare = fullModel();
    bare.figures.clear();
    bare.sections.front().code.clear();
    EXPECT_THAT(toMarkdown(bare), AllOf(Not(HasSubstr("|  |  |  |")), Not(HasSubstr("```"))));
}

TEST(ReportMarkdown, TextIsNoMarkup)
{
    EXPECT_EQ(renderParagraph("a|b*c_d`e<f[g]h\\i"), "a\\|b\\*c\\_d\\`e\\<f\\[g\\]h\\\\i");
    EXPECT_EQ(renderParagraph("# no heading #"), "\\# no heading #");
    EXPECT_EQ(renderParagraph("> no quotation"), "\\> no quotation");
    EXPECT_EQ(renderParagraph("#"), "#") << "the head of a column of numbers";
    EXPECT_EQ(renderParagraph("see http://x.y and www.z.w: there"), "see http\\://x.y and www\\.z.w: there");
    EXPECT_EQ(renderParagraph("a.b:c"), "a.b:c");
    EXPECT_EQ(renderParagraph("ww.a"), "ww.a");
}

TEST(ReportMarkdown, CodeHasALongerFenceThanItHolds)
{
    ReportModel model = fullModel();
    model.sections.front().code = "echo ```` x";
    EXPECT_THAT(toMarkdown(model), HasSubstr("\n`````sh\necho ```` x\n`````\n"));
}

TEST(ReportHtml, HasEachPartAndItsTone)
{
    const std::string html = toHtml(fullModel());
    for (const char* part :
         {"<title>Title</title>", "<h1>Title</h1>", "<p class=\"sub\">Subtitle</p>", "<p class=\"verdict bad\">Verdict</p>",
          "<span>Speedup</span><b>2.00×</b><span>against copy</span>", "<h2>Section</h2>", "<p>Paragraph</p>",
          "<svg>drawn</svg></div><figcaption>What it shows</figcaption>", "<th>Name</th><th class=\"r\">Figure</th>",
          "<td>a</td><td class=\"r\">✓ 1</td>", "<td class=\"fail\">✕ b</td><td class=\"r\">2</td>", "<pre>kloop run &lt;x&gt;</pre>"})
        EXPECT_THAT(html, HasSubstr(part));
    EXPECT_THAT(html, HasSubstr("<style>\n:root{"));
    EXPECT_THAT(html, AllOf(Not(HasSubstr("class=\"wide\"")), HasSubstr("script-src 'none'"), Not(HasSubstr("<script"))));
    ReportModel wide = fullModel();
    wide.sections.front().tables = {{{"a", "b", "c", "d"}, {{"✓ yes", "", "", ""}}}};
    EXPECT_THAT(toHtml(wide), AllOf(HasSubstr("<table class=\"wide\">"), HasSubstr("<td class=\"pass\">✓ yes</td>")));
    wide.sections.front().tables.front().columns.pop_back();
    EXPECT_THAT(toHtml(wide), Not(HasSubstr("<table class=\"wide\">")));
}

TEST(ReportHtml, APageMayHaveItsOwnStyleScriptAndRemarks)
{
    ReportModel model = fullModel();
    model.sections.front().targets = {{"G1", "Gate"}, {"G2", "Other"}};
    const PageParts parts{".own{}", [](const ReviewTarget& target) { return "<i>" + target.id + "</i>"; }, "<hr>", "run()"};
    const std::string html = toHtml(model, parts);
    EXPECT_THAT(html, AllOf(HasSubstr(".own{}</style>"), HasSubstr("<i>G1</i><i>G2</i></section>"),
                            HasSubstr("</footer>\n<hr><script>run()</script>\n")));
    EXPECT_THAT(html, HasSubstr("script-src 'sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ='"));
}

TEST(ReportPrint, HasEachPartAndItsTone)
{
    const std::string html = toPrintHtml(fullModel());
    for (const char* part :
         {"<title>Title</title>", "<h1>Title</h1>", "<p class=\"sub\">Subtitle</p>", "<p class=\"bad\"><b>Verdict</b></p>",
          "<span class=\"sub\">Speedup</span><br><span style=\"font-size:18pt\">2.00×</span><br><span class=\"sub\">against copy</span>",
          "<h2>Section</h2>", "<p>Paragraph</p>", "base64,PHN2Zz5kcmF3bjwvc3ZnPg==", "<p class=\"sub\">What it shows</p>",
          "<th align=\"left\">Name</th><th align=\"right\">Figure</th>",
          "<tr><td align=\"left\" class=\"plain\">a</td><td align=\"right\" class=\"pass\">✓ 1</td>",
          "<td align=\"left\" class=\"fail\">✕ b</td><td align=\"right\" class=\"plain\">2</td>",
          "<pre class=\"code\">kloop run &lt;x&gt;</pre>"})
        EXPECT_THAT(html, HasSubstr(part));
    ReportModel bare = fullModel();
    bare.sections.front().charts.front().svg.clear();
    bare.sections.front().code.clear();
    EXPECT_THAT(toPrintHtml(bare), AllOf(Not(HasSubstr("<img")), Not(HasSubstr("<pre")), HasSubstr("What it shows")));
}

TEST(ReportFormats, AreEachWhatTheyAreCalled)
{
    Report report;
    report.model = fullModel();
    report.json = "{}";
    report.csv = {{"a"}, {{"1"}}, 0};
    EXPECT_EQ(render(report, ReportFormat::html), toHtml(report.model));
    EXPECT_EQ(render(report, ReportFormat::print), toPrintHtml(report.model));
    EXPECT_EQ(render(report, ReportFormat::markdown), toMarkdown(report.model));
    EXPECT_EQ(render(report, ReportFormat::csv), "a\r\n1\r\n");
    EXPECT_EQ(render(report, ReportFormat::json), "{}");
    EXPECT_EQ(rawNumber(0.1), "0.1");
    EXPECT_EQ(rawNumber(HUGE_VAL), "");
}

TEST(Charts, BarsAreDrawnToTheLongestAndCarryTheirInterval)
{
    // Names end at 250, figures begin at 590: 340 for the longest.
    const std::string svg = barsSvg({{"a", 50, 0, 0, "#1", "half"}, {"b", 80, 60, 100, "#2", {}}}, "name");
    EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 720 76\""));
    EXPECT_THAT(svg, HasSubstr("<rect x=\"250.0\" y=\"11.0\" width=\"170.0\" height=\"20.0\" rx=\"2\" fill=\"#1\"/>"));
    EXPECT_THAT(svg, HasSubstr("<rect x=\"250.0\" y=\"45.0\" width=\"272.0\" height=\"20.0\" rx=\"2\" fill=\"#2\"/>"));
    EXPECT_THAT(svg, HasSubstr("<line x1=\"454.0\" y1=\"55.0\" x2=\"590.0\" y2=\"55.0\""));
    EXPECT_THAT(svg, HasSubstr("<line x1=\"454.0\" y1=\"50.0\" x2=\"454.0\" y2=\"60.0\""));
    EXPECT_THAT(svg, HasSubstr("<line x1=\"590.0\" y1=\"50.0\" x2=\"590.0\" y2=\"60.0\""));
    EXPECT_THAT(svg, HasSubstr("<text x=\"238.0\" y=\"25.0\" class=\"name\" text-anchor=\"end\">a<"));
    EXPECT_THAT(svg, HasSubstr("<text x=\"602.0\" y=\"59.0\" class=\"num\">"));
    EXPECT_THAT(svg, AllOf(HasSubstr(">half<"), HasSubstr('>' + formatTime(80.0) + '<')));
    EXPECT_THAT(svg, Not(HasSubstr("y1=\"21.0\""))) << "the first has no interval";
    EXPECT_EQ(barsSvg({{"a", 0, 0, 0, "#1", {}}}, "name"), "");
}

TEST(Charts, EvidenceHasABarATickAndTheAnswerInColor)
{
    const std::string svg = evidenceSvg({{"n", "m", 50.0, 100.0, "<", true},
                                         {"n", "m", -20.0, 10.0, "<=", false},
                                         {"n", "gone", {}, 1.0, "<", true},
                                         {"n", "gone", 1.0, {}, "<", true}},
                                        "name");
    EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 720 76\"")) << "two have both figures";
    EXPECT_THAT(svg, Not(HasSubstr("gone")));
    EXPECT_THAT(svg, HasSubstr("<rect x=\"250.0\" y=\"13.0\" width=\"340.0\" height=\"16.0\" rx=\"2\" fill=\"#EEF2F7\"/>"));
    EXPECT_THAT(svg, HasSubstr("<rect x=\"250.0\" y=\"13.0\" width=\"154.5\" height=\"16.0\" rx=\"2\" fill=\"#B84300\"/>"));
    EXPECT_THAT(svg, HasSubstr("<line x1=\"559.1\" y1=\"8.0\" x2=\"559.1\" y2=\"34.0\""));
    EXPECT_THAT(svg, HasSubstr("<rect x=\"250.0\" y=\"47.0\" width=\"309.1\" height=\"16.0\" rx=\"2\" fill=\"#5F6B7A\"/>"));
    EXPECT_THAT(svg, HasSubstr("<line x1=\"404.5\" y1=\"42.0\""));
    EXPECT_THAT(svg, HasSubstr("<text x=\"238.0\" y=\"25.0\" class=\"name\" text-anchor=\"end\">m<"));
    EXPECT_THAT(svg, HasSubstr("<text x=\"602.0\" y=\"25.0\" class=\"num\">50 (&lt; 100)<"));
    EXPECT_EQ(evidenceWords({"n", "m", 1.0, 2.0, "<=", false}).threshold, "≤ 2");
}

TEST(Charts, TheRatioPlotHasADotPerBlockBetweenTheFarthestFigures)
{
    Comparison comparison;
    comparison.ratio = Ratio{1.5, 1.4, 1.6};
    comparison.data = {{{300, 150, 200}, {100, 100, 100}}, {{160}, {100, 7}}, {{1}, {0}}};
    // From 0 to 2 with 6 % of room at either end: 24 + (ratio + 0.12) / 2.24 × 672.
    const std::string svg = ratioSvg(comparison, 1.2, "name");
    EXPECT_THAT(svg, HasSubstr("<circle cx=\"660.0\"")) << "2, the median of the first block";
    EXPECT_THAT(svg, HasSubstr("<circle cx=\"540.0\""));
    EXPECT_THAT(svg, HasSubstr("<circle cx=\"60.0\"")) << "no ratio";
    EXPECT_THAT(svg, HasSubstr("<rect x=\"480.0\" y=\"46.0\" width=\"60.0\" height=\"20.0\""));
    EXPECT_THAT(svg, HasSubstr("<line x1=\"510.0\" y1=\"40.0\" x2=\"510.0\" y2=\"72.0\""));
    EXPECT_THAT(svg, HasSubstr("<text x=\"510.0\" y=\"32.0\""));
    EXPECT_THAT(svg, HasSubstr("<text x=\"360.0\" y=\"108.0\" class=\"num\">1.00×")) << "the same, from the middle to the right";
    EXPECT_THAT(svg, HasSubstr("<text x=\"420.0\" y=\"126.0\" class=\"num\" text-anchor=\"end\">1.20×"));
    comparison.data = {{{400}, {100}}};
    EXPECT_THAT(ratioSvg(comparison, 1.2, "name"), HasSubstr("y=\"126.0\" class=\"num\">1.00×")) << "both in the left half change places";
}

Comparison measuredComparison()
{
    Comparison comparison;
    comparison.a = "run:a";
    comparison.b = "run:b";
    comparison.verdict = Verdict::slower;
    comparison.reason = "interval-below-1";
    comparison.sentence = "B is slower.";
    comparison.ratio = Ratio{0.5, 0.4, 0.6};
    comparison.blocks = 4;
    comparison.data = {{{100}, {200}}};
    comparison.noise = {0.01, "5 repeats"};
    return comparison;
}

/// The sections of a comparison's report in their order; the snapshot of one has them with their titles.
enum class ComparisonPart : std::size_t { times, basis, metrics, tunables, environment };

const ReportModel::Section& findPart(const Report& report, ComparisonPart part)
{
    return report.model.sections.at(static_cast<std::size_t>(part));
}

TEST(ComparisonReport, HasTheTimesOfTheSidesThatWereMeasured)
{
    RunRecord a = support::timedRun("a", "naive", "2026-01-01T00:00:00.000Z", 200);
    a.correctness.result = CorrectnessResult::incorrect;
    a.timing->energy = Energy{0.5, 2, 10, 3, {}};
    RunRecord b = support::timedRun("b", "tiled", "2026-01-01T00:00:00.000Z", 100);
    const Report report = comparisonReport(measuredComparison(), a, b);
    EXPECT_EQ(report.model.tone, "bad");
    EXPECT_EQ(report.model.verdict, "B is slower.");
    EXPECT_EQ(report.model.subtitle, "A: run:a · B: run:b");
    ASSERT_THAT(report.model.figures, SizeIs(2));
    EXPECT_EQ(report.model.figures[0].value, formatRatio(0.5));
    EXPECT_EQ(report.model.figures[1].value, "slower");
    EXPECT_EQ(report.model.figures[1].note, verdictReasonText("interval-below-1"));
    EXPECT_NE(report.model.figures[1].note, "");
    EXPECT_THAT(report.model.sections, SizeIs(5));
    const ReportModel::Section& times = findPart(report, ComparisonPart::times);
    ASSERT_THAT(times.tables.at(0).rows, SizeIs(2));
    EXPECT_THAT(times.tables[0].rows[0], ElementsAre("A", AllOf(StartsWith("transpose/naive"), EndsWith("M=64,N=64")), formatTime(200.0),
                                                     testing::_, "3", "✕ incorrect", "NVIDIA H200"));
    EXPECT_THAT(times.tables[0].rows[1], ElementsAre("B", AllOf(StartsWith("transpose/tiled"), EndsWith("M=64,N=64")), formatTime(100.0),
                                                     testing::_, "3", "✓ correct", "NVIDIA H200"));
    EXPECT_THAT(times.charts, SizeIs(1));
    ASSERT_THAT(times.paragraphs, SizeIs(1));
    EXPECT_THAT(times.paragraphs[0], HasSubstr(formatEnergy(0.5)));
    b.correctness.result = CorrectnessResult::notChecked;
    const Report second = comparisonReport(measuredComparison(), {}, b);
    EXPECT_THAT(findPart(second, ComparisonPart::times).tables.at(0).rows, SizeIs(1));
    EXPECT_THAT(findPart(second, ComparisonPart::times).tables[0].rows[0][5],
                AllOf(Not(IsEmpty()), Not(StartsWith("✓")), Not(StartsWith("✕"))))
        << "it was not checked";
    EXPECT_THAT(second.model.title, AllOf(HasSubstr("run:a"), EndsWith("transpose/tiled")));
    EXPECT_EQ(Json::parse(second.json)["a"], nullptr);
    EXPECT_EQ(Json::parse(second.json)["b"]["id"], "b");
    EXPECT_THAT(findPart(comparisonReport(measuredComparison(), {}, {}), ComparisonPart::times).tables, IsEmpty());
}

TEST(ComparisonReport, SaysWhatTheVerdictIsBasedOn)
{
    Comparison comparison = measuredComparison();
    comparison.verdict = Verdict::inconclusive;
    comparison.refuted = RefutedSide{"b", CorrectnessResult::incorrect, Witness{"x", 3, "out", 17, 1.0, 2.0, {}, {}}};
    comparison.statistics = "by four blocks";
    comparison.waived = "another driver";
    comparison.warnings = {{"throttled", "It was hot."}};
    comparison.next = "Look.";
    comparison.nextSteps = {{StepId::calibrate}};
    comparison.wall = WallComparison{Ratio{1.1, 1.0, 1.2}, 1000, 900};
    comparison.energy = EnergyComparison{Ratio{1.5, 1.4, 1.6}, 3.0, 2.0, 4, {}};
    comparison.metrics = {{"dram", "1", "2", 1.0}, {"chip", "x", "y", {}}};
    comparison.environment = {{"driver", "580", "581", {}}};
    const Report report = comparisonReport(comparison, {}, {});
    EXPECT_EQ(report.model.tone, "neutral");
    ASSERT_THAT(report.model.figures, SizeIs(3));
    EXPECT_EQ(report.model.figures[1].value, formatRatio(1.5));
    const ReportModel::Section& basis = findPart(report, ComparisonPart::basis);
    ASSERT_THAT(basis.paragraphs, SizeIs(6));
    EXPECT_THAT(basis.paragraphs[0], HasSubstr(" B: "));
    EXPECT_EQ(basis.paragraphs[1], "by four blocks");
    EXPECT_THAT(basis.paragraphs[2], HasSubstr(": " + formatPercent(1) + " (5 repeats)"));
    EXPECT_THAT(basis.paragraphs[3], HasSubstr("another driver"));
    EXPECT_EQ(basis.paragraphs[4], "It was hot.");
    EXPECT_THAT(basis.paragraphs[5], HasSubstr("Look. " + titleFor(comparison.nextSteps[0]) + '.'));
    EXPECT_THAT(basis.charts.at(0).sentence, HasSubstr("(4 "));
    const ReportModel::Section& times = findPart(report, ComparisonPart::times);
    EXPECT_THAT(times.paragraphs.at(1), AllOf(HasSubstr(formatTime(1000.0)), HasSubstr(formatTime(900.0)), HasSubstr(formatRatio(1.1))));
    EXPECT_THAT(times.paragraphs.at(2), HasSubstr(formatRatio(1.5)));
    EXPECT_THAT(findPart(report, ComparisonPart::metrics).tables.at(0).rows, SizeIs(2));
    EXPECT_THAT(findPart(report, ComparisonPart::metrics).tables[0].rows[1], ElementsAre("chip", "x", "y", kNoValue));
    EXPECT_THAT(findPart(report, ComparisonPart::tunables).tables, IsEmpty());
    EXPECT_THAT(findPart(report, ComparisonPart::environment).tables.at(0).rows, SizeIs(1));
    EXPECT_EQ(toCsv(report.csv),
              "group,name,a,b,change\r\nratio,time(A) / time(B),0.4,0.6,0.5\r\nratio,energy(A) / energy(B),1.4,1.6,1.5\r\n"
              "metric,dram,1,2,1\r\nmetric,chip,x,y,\r\nenvironment,driver,580,581,\r\n");
    comparison.noise = {};
    comparison.refuted->side = "a";
    comparison.ratio.reset();
    const Report bare = comparisonReport(comparison, {}, {});
    const ReportModel::Section& uncalibrated = findPart(bare, ComparisonPart::basis);
    EXPECT_THAT(uncalibrated.paragraphs[0], HasSubstr(" A: "));
    EXPECT_THAT(uncalibrated.paragraphs[2], AllOf(HasSubstr(std::string(kNoValue) + " ("), Not(HasSubstr("()")))) << "with the reason";
    EXPECT_THAT(uncalibrated.charts, IsEmpty());
    EXPECT_THAT(bare.model.figures, SizeIs(2));
}

} // namespace
} // namespace kl
