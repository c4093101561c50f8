// SPDX-License-Identifier: MIT
// Details of runs, comparisons, code, curves and lists of metrics in words: means, ends of lists, and values of another kind.
#include "app/kloop/render/render.h"
#include "app/kloop/render/render_baselines.h"
#include "app/kloop/render/render_metrics.h"
#include "app/kloop/render/render_sass.h"
#include "app/kloop/render/render_show.h"
#include "app/kloop/render/render_timeline.h"
#include "core/device/metric_catalog.h"
#include "core/device/metric_sections.h"
#include "core/diagnosis/memory_chart.h"
#include "core/diagnosis/quantities.h"
#include "core/model/source_lines.h"
#include "tests/support/snapshot.h"
#include "text_rows.h"

#include <chrono>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

using test::countCells;
using test::findRow;
using test::lacksRow;
using test::readRows;
using test::withFigures;
using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(RenderDetails, AFigureOfARunIsComparedInItsUnitAndAWordAsItIs)
{
    Comparison c{.a = "k/a", .b = "k/b"};
    c.metrics = {{"gpu_ns", "2000", "500", -0.75}, {"speedup", "0.5", "none", {}}, {"host_ns", "", "3000", {}}};
    c.environment = {{"driver_version", "580.159", "590.1 beta", {}}};
    const std::string text = renderComparison(c);
    EXPECT_EQ(findRow(text, "gpu_ns"), "gpu_ns | 2 µs | 500 ns | −75 %");
    EXPECT_EQ(findRow(text, "speedup"), "speedup | 0.50× | none");
    EXPECT_THAT(findRow(text, "host_ns"), EndsWith(" | 3 µs")) << "only one side has it";
    EXPECT_EQ(findRow(text, "driver_version"), "driver_version | 580.159 | 590.1 beta");
    EXPECT_TRUE(lacksRow(renderComparison({.a = "k/a", .b = "k/b"}), "gpu_ns"));
}

TEST(RenderDetails, AColumnOfACurveIsTheMeanOfItsSamples)
{
    RunRecord run;
    run.pmSampling = PmSampling{.intervalNs = 5};
    PmPass pass;
    PmSeries dram{"dram__throughput.avg.pct_of_peak_sustained_elapsed", {}};
    for (int i = 1; i <= 80; ++i) {
        pass.endNs.push_back(5 * i - 1);
        dram.values.push_back(i % 2 == 0 ? 25 : 100);
    }
    pass.endNs.back() = 400;
    pass.series = {dram};
    run.pmSampling->passes = {pass};
    std::string bar;
    for (int i = 0; i < 40; ++i)
        bar += "▅";
    EXPECT_THAT(renderDuration(run), HasSubstr("  " + bar + "\n")) << "62.5 % of both samples in it";
}

class RenderPath : public testing::Test {
protected:
    void SetUp() override
    {
        Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
        ASSERT_TRUE(tree.ok());
        tree_.emplace(std::move(*tree));
        run_.diagnosis = Diagnosis{};
    }
    const std::vector<DiagnosisTree::Node>& nodes() const { return tree_->nodes(); }
    /// The answer to a question, behind its number and its title.
    std::string answer(std::size_t at) const
    {
        const std::string number = std::to_string(at + 1) + ". ", begin = number + nodes()[at].title + ' ';
        const std::string row = findRow(renderExplanation(run_, *tree_), number);
        EXPECT_THAT(row, StartsWith(begin));
        return row.substr(std::min(begin.size(), row.size()));
    }

    std::optional<DiagnosisTree> tree_;
    RunRecord run_;
};

TEST_F(RenderPath, AFindingWithoutComparisonsIsTheFirstNodeOfItsClass)
{
    run_.diagnosis->finding.classId = nodes()[1].classId;
    EXPECT_THAT(answer(1), EndsWith(": " + nodes()[1].classId));
    EXPECT_THAT(readRows(renderExplanation(run_, *tree_)), Contains(nodes()[1].help));
    const std::string unreached = answer(0);
    EXPECT_EQ(answer(2), unreached);
    run_.diagnosis->finding.path = {{nodes()[0].id, "no_such_quantity", 3, 4, ">", false}};
    EXPECT_NE(answer(0), unreached);
    EXPECT_EQ(answer(2), unreached);
}

TEST_F(RenderPath, TheLastComparisonDecidesWhereItHolds)
{
    Finding& finding = run_.diagnosis->finding;
    finding.classId = nodes()[2].classId;
    finding.path = {{nodes()[0].id, "no_such_quantity", 9, 4, ">", true}, {nodes()[1].id, "no_such_quantity", 3, 4, ">", false}};
    EXPECT_THAT(answer(2), EndsWith(": " + nodes()[2].classId)) << "the class that was come to after it";
    EXPECT_THAT(answer(1), Not(HasSubstr(nodes()[1].classId)));
    EXPECT_EQ(answer(0), answer(1)) << "an earlier one that held only led on";
    EXPECT_NE(answer(0), answer(nodes().size() - 1)) << "which was not reached";
    finding.path[1].taken = true;
    EXPECT_THAT(answer(1), EndsWith(": " + nodes()[1].classId));
}

TEST_F(RenderPath, EveryAnswerSnapshot)
{
    Finding& finding = run_.diagnosis->finding;
    finding.title = "Loads limit it.";
    finding.priority = "P1";
    finding.classId = nodes()[2].classId;
    finding.path = {{nodes()[0].id, "throttled", 0, 1, ">=", false},
                    {nodes()[0].id, "modeled", 1, 1, "<", false},
                    {nodes()[1].id, "counters", {}, 1, ">=", false},
                    {nodes()[2].id, "no_such_quantity", 5, 4, ">", true}};
    std::string text = renderDiagnosis(*run_.diagnosis);
    for (std::size_t i = 0; i < 4; ++i)
        text += answer(i) + '\n';
    test::expectSnapshot("render/answers.txt", text);
}

TEST_F(RenderPath, AQuantityHasItsTitleItsUnitAndHowItIsComputed)
{
    const auto known = std::ranges::find_if(quantities(), [](const Quantity& one) { return one.unit == "%"; });
    ASSERT_NE(known, quantities().end());
    run_.diagnosis->finding.classId = nodes()[0].classId;
    run_.diagnosis->finding.path = {{nodes()[0].id, std::string(known->id), 62.5, 50, ">", true}};
    const std::string row = findRow(renderExplanation(run_, *tree_), std::string(known->title));
    EXPECT_EQ(row, std::string(known->title) + " | 62.5 % | > | 50 % | true | " + readRows(std::string(known->how))[0]);
}

TEST_F(RenderPath, AFlagIsWhatIsAskedOfIt)
{
    EXPECT_THAT(nodes()[0].asks, Contains("throttled"));
    const std::string node = nodes()[0].id;
    Finding& finding = run_.diagnosis->finding;
    finding.path = {{node, "throttled", 0, 1, ">=", false}, {node, "modeled", 1, 1, "<", false}, {node, "counters", {}, 1, ">=", false}};
    EXPECT_THAT(findRow(renderExplanation(run_, *tree_), "throttled"), StartsWith("throttled | false | "));
    const std::vector<std::string> rows = readRows(renderDiagnosis(*run_.diagnosis));
    const auto flag = [&](const char* quantity, const char* sense) {
        const Quantity* found = findQuantity(quantity);
        EXPECT_NE(found, nullptr) << quantity;
        return node + " | " + std::string(found ? flagInWords(*found, sense) : "") + " | ";
    };
    const std::string throttled = findRow(renderDiagnosis(*run_.diagnosis), flag("throttled", ">="));
    ASSERT_NE(throttled, "");
    EXPECT_THAT(rows, Contains(flag("modeled", "<") + throttled.substr(throttled.rfind(" | ") + 3))) << "the same answer";
    EXPECT_THAT(rows, Contains(AllOf(StartsWith(flag("counters", ">=")),
                                     testing::Truly([](const std::string& row) { return countCells(row) == 4; }))))
        << "it was not measured, and so was skipped";
}

TEST(RenderDetails, LinesOfTheKernelsOwnFileAreNumbersAlone)
{
    RunRecord run;
    run.program = ProgramFacts{};
    SourceLine own{.file = kSourceFile, .line = 12, .samples = 60, .share = 0.6, .stalls = {{"long_scoreboard", 60}}};
    own.waitsFor = {{std::string(kSourceFile) + ":7", 60}};
    const SourceLine other{.file = "a.cuh", .line = 3, .samples = 40, .share = 0.4, .stalls = {{"barrier", 40}}};
    run.sourceProfile = SourceProfile{.samples = 100, .lines = {own, other}};
    const std::string text = renderHotLines(run, Catalog({}));
    EXPECT_THAT(findRow(text, "12 | 60 %"), AllOf(StartsWith("12 | 60 % | long scoreboard 100 %, "), EndsWith(" 7")));
    EXPECT_THAT(findRow(text, "a.cuh:3"), StartsWith("a.cuh:3 | 40 % | barrier 100 %"));
    run.sourceProfile->lines.assign(7, other);
    EXPECT_EQ(std::ranges::count_if(readRows(renderHotLines(run, Catalog({}))),
                                    [](const std::string& row) { return row.starts_with("a.cuh:3"); }),
              5)
        << "the five hottest";
}

TEST(RenderDetails, ASpeedupNeedsBothTimes)
{
    RunRecord run;
    run.kernel = {"transpose", "naive", {}};
    run.baselines = {{.name = "copy", .gpu = Summary{1000, 900, 1100, 5}, .id = "copy"}};
    run.timing = Timing{.gpu = {0, 0, 0, 5}};
    EXPECT_TRUE(baselinesToJson(run)["rows"][1]["speedup"].is_null()) << "a time of zero has none";
    EXPECT_TRUE(baselinesToJson(run)["rows"][0]["tflops"].is_null());
    EXPECT_EQ(baselinesToJson(run)["tunables"], "");
    run.source = Source::live;
    EXPECT_EQ(baselinesToJson(run)["device"]["source"], "live");
}

TEST(RenderDetails, SectionsAsDataHaveWhatTheyAreForAndTheirMetrics)
{
    const Json json = listingToJson({});
    ASSERT_EQ(json["sections"].size(), metricSections().size());
    for (std::size_t i = 0; i < metricSections().size(); ++i) {
        const MetricSection& one = metricSections()[i];
        EXPECT_EQ(json["sections"][i]["id"], one.id);
        EXPECT_EQ(json["sections"][i]["title"], one.title);
        EXPECT_EQ(json["sections"][i]["help"], one.help);
        EXPECT_EQ(json["sections"][i]["aliases"], Json(one.aliases));
        EXPECT_EQ(json["sections"][i]["metrics"], Json(one.metrics));
    }
    for (std::size_t i = 0; i < metricCatalog().size(); ++i)
        EXPECT_EQ(json["metrics"][i]["alternatives"], Json(metricCatalog()[i].alternatives)) << metricCatalog()[i].name;
    EXPECT_EQ(json["tiers"][1]["metrics"], Json(listTierMetrics(1)));
    EXPECT_EQ(planToJson({.chip = "GH100"})["plan"]["passes"], 0);
}

RunRecord makeCodeRun(std::vector<CodeInstruction> instructions)
{
    RunRecord run;
    run.sourceProfile = SourceProfile{.launch = "k"};
    run.sourceProfile->code =
        SharedCode(KernelCode{.language = CodeLanguage::sass, .functions = {"k"}, .instructions = std::move(instructions)});
    return run;
}

TEST(RenderDetails, ADiffThatBeginsAlikeBeginsWithItsFirstDifference)
{
    std::vector<CodeInstruction> a, b;
    CodeDiff diff;
    for (int i = 0; i < 6; ++i) {
        a.push_back({.offset = 16 * i, .text = "A" + std::to_string(i)});
        b.push_back({.offset = 16 * i, .text = "B" + std::to_string(i)});
        diff.rows.push_back({.a = i, .b = i});
    }
    diff.rows[5].changed = true;
    diff.mostLiveA = 8;
    std::string text = renderCodeDiff(makeCodeRun(a), makeCodeRun(b), diff, "k/a", "k/b");
    EXPECT_THAT(readRows(text), Not(Contains("..."))) << "nothing was shown before what is left out";
    EXPECT_THAT(readRows(text), Contains("0030 | 0030 | B3"));
    EXPECT_THAT(readRows(text), Not(Contains("0020 | 0020 | B2")));
    EXPECT_TRUE(lacksRow(text, "Most live")) << "of one side only";
    diff.mostLiveA = 0;
    diff.mostLiveB = 8;
    diff.rows[5].changed = false;
    text = renderCodeDiff(makeCodeRun(a), makeCodeRun(b), diff, "k/a", "k/b");
    EXPECT_TRUE(lacksRow(text, "Most live"));
    EXPECT_THAT(text, Not(HasSubstr("B3"))) << "no difference, no instructions";
}

TEST(RenderDetails, PointsByFormulaAndWhatWasNotMeasuredAreMarked)
{
    RunRecord run;
    run.device.name = "NVIDIA H200";
    run.device.ccMajor = 9;
    run.device.smCount = 132;
    run.device.clockMhz = 1980;
    run.timing = Timing{.gpu = {100000, 99000, 101000, 5}};
    run.launches = {{.entry = "k", .gridBlocks = 132, .blockThreads = 256}};
    run.flops = 4e9;
    run.idealBytes = 1e8;
    run.metrics =
        MetricSet{.values = {{"gpu__time_duration.sum", 100000}, {"dram__bytes_read.sum", 1.5e8}, {"dram__bytes_write.sum", 0.5e8}},
                  .missing = {{"lts__t_bytes.sum", "the pass limit"}},
                  .launch = "k",
                  .clockMhz = 1500};
    const std::string text = renderRoofline(run);
    const std::string formula = findRow(text, "analytic"), counted = findRow(text, "useful");
    EXPECT_GT(formula.find(" | "), counted.find(" | ") + std::string("analytic").size() - std::string("useful").size())
        << "one says that its bytes are computed";
    const std::string chart = renderMemoryChart(run);
    const auto missing = listMissing(memoryChart(run));
    ASSERT_FALSE(missing.empty());
    for (const auto& [why, what] : missing)
        EXPECT_THAT(readRows(chart), Contains(AllOf(HasSubstr(why), HasSubstr(what.front()))));
}

TEST(RenderDetails, WarpsOfARoleAreItsFirstAndItsLast)
{
    Timeline timeline;
    TimelineReport report;
    report.roles = {{.name = "producer", .warps = {4}, .work = 1}, {.name = "consumer", .warps = {2, 5, 7}, .work = 1}};
    report.spanCycles = 960;
    const std::string text = renderTimeline(timeline, report);
    EXPECT_THAT(findRow(text, "producer |"), StartsWith("producer | 4 | "));
    EXPECT_THAT(findRow(text, "consumer |"), StartsWith("consumer | 2-7 (3) | "));
}

TEST(RenderDetails, AnOldLogSaysHowOldItIs)
{
    SessionView view;
    view.header = {.id = {"s1"}, .name = "N", .kind = "optimize"};
    view.events = {{.seq = 1, .at = isoTime(std::chrono::system_clock::now() - std::chrono::minutes(45)), .type = "note"}};
    EXPECT_THAT(readRows(renderSession(view)), Contains(withFigures("45 min")));
}

TEST(RenderDetails, ADecisionNumbersItsStepsWithTheirCommands)
{
    const Decision decision{
        .level = "low", .action = "Do it.", .next = {{"First", {StepId::listCosts}}, {"Second", {StepId::profileWithNcu}}}};
    const std::vector<std::string> rows = readRows(renderDecision(decision));
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows[0], "low: Do it.");
    EXPECT_EQ(rows[1], "1. First");
    EXPECT_EQ(rows[2], "kloop cost");
    EXPECT_EQ(rows[3], "2. Second");
    EXPECT_THAT(rows[4], StartsWith("ncu "));
}

} // namespace
} // namespace kl::cli
