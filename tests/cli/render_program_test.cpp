// SPDX-License-Identifier: MIT
// The tables of `kloop profile -- CMD`: each column has the figure of its heading.
#include "app/kloop/render/render.h"
#include "tests/support/snapshot.h"
#include "text_rows.h"

#include <gmock/gmock.h>

namespace kl::cli {
namespace {

using test::countCells;
using test::findRow;
using test::lacksRow;
using test::readFigures;
using test::readRows;
using test::withFigures;
using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kScale = "void lib::scale<float>(float*, int)";
constexpr const char* kSum = "void lib::sum(float*)";

DeviceInfo gpuCalled(const std::string& name)
{
    DeviceInfo device;
    device.name = name;
    return device;
}

RunRecord makeProgramRun(const std::string& kernel, double totalNs, double share)
{
    RunRecord run;
    run.id.text = "01234567-89ab-cdef-0123-456789abcdef";
    run.kernel = {"program", "scale-1", {}};
    run.problem = {{"GRID", std::string("4x1x1")}, {"BLOCK", std::string("64x1x1")}};
    run.device = gpuCalled("Test GPU");
    run.launches = {{.entry = kernel, .gridBlocks = 4, .blockThreads = 64}};
    run.timing = Timing{.gpu = {250, 240, 260, 3}};
    run.program = ProgramFacts{{"./a.out"}, kernel, 1200, totalNs, share, {}, {}};
    run.diagnosis = Diagnosis{{.classId = "dram-bound", .title = "DRAM limits it.", .priority = "P1", .confidence = 0.5}, {}};
    return run;
}

/// Three launches that were made alone take 250 ns each, three others `together`.
KernelTotals makeKernelTotals(const std::string& name, double together)
{
    KernelTotals kernel;
    kernel.name = name;
    kernel.device = gpuCalled("Test GPU");
    ShapeTotals& shape = kernel.shapes[{{4, 1, 1}, {64, 1, 1}, 0}];
    for (const auto& [ns, alone] :
         {std::pair{250.0, true}, {250.0, true}, {250.0, true}, {together, false}, {together, false}, {together, false}})
        shape.times.push_back({.ns = ns, .alone = alone});
    return kernel;
}

class RenderProgram : public testing::Test {
protected:
    void SetUp() override
    {
        profile_.program.command = {"python3", "train.py"};
        profile_.program.wallSeconds = 2;
        profile_.totals.kernels = {makeKernelTotals(kScale, 300), makeKernelTotals(kSum, 400)};
        profile_.totals.launches = 1500;
        profile_.totals.kernelNs = 2000;
        profile_.totals.kernelUnionNs = 1600;
        profile_.totals.copyNs = 500;
        profile_.totals.busyNs = 4000;
        profile_.totals.spanNs = 8000;
        profile_.runs = {makeProgramRun(kScale, 1500, 0.75), makeProgramRun(kSum, 500, 0.25)};
    }
    ShapeTotals& shape(std::size_t kernel) { return profile_.totals.kernels[kernel].shapes.begin()->second; }
    std::string text(const DiagnosisTree* explain = nullptr) const { return renderProgram(profile_, Catalog({}), explain); }

    ProgramProfile profile_;
};

TEST_F(RenderProgram, TheSummaryHasTheSumsOfTheProgram)
{
    EXPECT_EQ(readRows(text())[1], "python3 train.py");
    EXPECT_EQ(readFigures(readRows(text())[2]), "0 | 2 s | 1,500 | 2 | 2 µs | 500 ns | 50 % | 8 µs");
    EXPECT_EQ(readRows(text())[3], "") << "nothing overlaps, and nothing was run again";
    profile_.program.exitCode = 11;
    const std::string exited = readRows(text())[2];
    EXPECT_THAT(readFigures(exited), StartsWith("11 | 2 s | "));
    profile_.program.signal = 11;
    profile_.program.exitCode = 139;
    EXPECT_THAT(readFigures(readRows(text())[2]), StartsWith("11 | 2 s | ")) << "the signal instead of the exit code";
    EXPECT_NE(readRows(text())[2], exited);
    profile_.counted = ProgramRun{.command = {}, .wallSeconds = 3};
    EXPECT_EQ(readFigures(readRows(text())[3]), "3 s") << "to run it again";
    profile_.totals.launches = 1;
    EXPECT_THAT(readFigures(readRows(text())[2]), StartsWith("11 | 2 s | 1 | 2 | "));
    profile_.totals.launches = 0;
    profile_.totals.spanNs = 0;
    EXPECT_EQ(readFigures(readRows(text())[2]), "11 | 2 s") << "nothing is reported of a GPU that did nothing";
}

TEST_F(RenderProgram, AFindingOfTheWholeProgramComesWithItsFixes)
{
    const std::size_t without = readRows(text()).size();
    profile_.finding =
        Finding{.classId = "host-bound",
                .title = "The GPU waits for the host.",
                .estimate = Estimate{0.5, "idle over span"},
                .fixes = {{.id = "a", .title = "Use graphs", .why = "one launch"}, {.id = "b", .title = "Fuse", .why = "w"}}};
    const std::vector<std::string> rows = readRows(text());
    EXPECT_THAT(rows, Contains("The GPU waits for the host."));
    EXPECT_THAT(rows, Contains(AllOf(withFigures("2.00× | 50 %"), EndsWith(": idle over span"))));
    EXPECT_EQ(rows.size(), without + 5) << "with the blank line before it";
    EXPECT_THAT(rows, Contains("- Use graphs: one launch"));
    EXPECT_THAT(rows, Contains("- Fuse: w"));
}

TEST_F(RenderProgram, AKernelsRowHasItsShareTimesAndFinding)
{
    EXPECT_EQ(countCells(findRow(text(), "Share")), 9);
    EXPECT_EQ(findRow(text(), "75 %"), "75 % | 1.5 µs | 1,200 | 250 ns | 300 ns | scale<float> | 4x1x1 | dram-bound | run:01234567-89ab");
    EXPECT_EQ(findRow(text(), "25 %"), "25 % | 500 ns | 1,200 | 250 ns | 400 ns | sum | 4x1x1 | dram-bound | run:01234567-89ab");
    profile_.totals.kernels[0].device = gpuCalled("Another GPU");
    profile_.runs[0].timing.reset();
    EXPECT_EQ(findRow(text(), "75 %"), "75 % | 1.5 µs | 1,200 | – | – | scale<float> | 4x1x1 | dram-bound | run:01234567-89ab")
        << "times of another GPU are not its own";
}

TEST_F(RenderProgram, KernelsThatRunBesideOthersSaySo)
{
    shape(0).exclusiveNs = 400; // of 1600
    shape(0).beside = {{kSum, 90}, {kScale, 30}};
    EXPECT_EQ(readFigures(readRows(text())[3]), "2 µs | 1.6 µs") << "of kernels, and in which time";
    EXPECT_EQ(countCells(findRow(text(), "Share")), 11) << "a column of the share, one of what runs beside it";
    EXPECT_THAT(findRow(text(), "75 %"), StartsWith("75 % | 1.5 µs | 25 % | sum | 1,200 | "));
    EXPECT_THAT(findRow(text(), "25 %"), StartsWith("25 % | 500 ns | 0 % | 1,200 | ")) << "no other kernel beside it";
    shape(0).beside = {{kScale, 90}};
    std::string itself = findRow(text(), "75 %");
    EXPECT_THAT(itself,
                AllOf(StartsWith("75 % | 1.5 µs | 25 % | "), HasSubstr(" | 1,200 | "), Not(HasSubstr(" | scale<float> | 1,200 | "))));
    EXPECT_EQ(countCells(itself), 11) << "a word says that it runs beside itself";
    profile_.totals.kernelUnionNs = 0;
    EXPECT_EQ(findRow(text(), "75 %"), itself.erase(itself.find(" | 25 %"), std::string(" | 25 %").size()))
        << "of no time there is no share";
}

TEST_F(RenderProgram, KernelsOfGraphsSayWhatLaunchesThem)
{
    EXPECT_TRUE(lacksRow(text(), "CUDA graph"));
    profile_.totals.graphs = {
        {.pid = 77, .id = 3, .launches = 5, .kernelLaunches = 20, .kernelNs = 900, .unionNs = 300, .spanNs = 400, .medianSpanNs = 150}};
    shape(0).graphLaunches = 6;
    shape(1).graphLaunches = 5; // the sixth was launched by itself
    EXPECT_EQ(findRow(text(), "graph 3"), "graph 3 | 77 | 5 | 4 | 900 ns | 150 ns | 75 %");
    const auto launcher = [&](const std::string& share) {
        const std::string row = findRow(text(), share), grid = " | 4x1x1 | ";
        const std::size_t begin = row.find(grid), end = row.find(" | dram-bound");
        EXPECT_LT(begin + grid.size(), end) << row;
        return row.substr(begin + grid.size(), end - begin - grid.size());
    };
    const std::string graph = launcher("75 %");
    EXPECT_NE(launcher("25 %"), graph) << "a stream launches it, too";
    shape(0).times.push_back({.ns = 9, .again = true});
    EXPECT_EQ(launcher("75 %"), graph) << "a launch of the second run is in no sum";
    shape(0).graphLaunches = 0;
    EXPECT_THAT(findRow(text(), "75 %"), HasSubstr(" | 4x1x1 | dram-bound"));
    profile_.totals.graphs[0].spanNs = 0;
    EXPECT_EQ(findRow(text(), "graph 3"), "graph 3 | 77 | 5 | 4 | 900 ns | 150 ns | 0 %");
}

TEST_F(RenderProgram, LongListsEndWithWhatIsLeftOut)
{
    profile_.runs.assign(10, profile_.runs[0]);
    profile_.totals.ranges.assign(12, {.stack = {"step"}, .count = 1});
    profile_.totals.graphs.assign(12, {.pid = 1, .id = 8, .launches = 1});
    EXPECT_THAT(text(), Not(HasSubstr("--json"))) << "all of them are shown";
    profile_.runs.resize(13, profile_.runs[1]);
    profile_.totals.ranges.resize(16, {.stack = {"late"}, .count = 1});
    profile_.totals.graphs.resize(17, {.pid = 1, .id = 9, .launches = 1});
    const std::vector<std::string> rows = readRows(text());
    for (const char* more : {"3", "4", "5"})
        EXPECT_THAT(rows, Contains(AllOf(HasSubstr("--json"), withFigures(more))));
    EXPECT_EQ(std::ranges::count_if(rows, [](const std::string& row) { return row.starts_with("75 % | "); }), 10);
    EXPECT_EQ(std::ranges::count_if(rows, [](const std::string& row) { return row.starts_with("step | "); }), 12);
    EXPECT_EQ(std::ranges::count_if(rows, [](const std::string& row) { return row.starts_with("graph 8 | "); }), 12);
    EXPECT_EQ(findRow(text(), "25 %"), "");
    EXPECT_TRUE(lacksRow(text(), "late"));
    EXPECT_EQ(findRow(text(), "graph 9"), "");
}

TEST_F(RenderProgram, RangesAreIndentedByTheirDepth)
{
    profile_.totals.ranges = {{.stack = {"train"}, .count = 1, .hostNs = 1e6, .launches = 40, .gpuNs = 5e5},
                              {.stack = {"train", "step"}, .count = 10, .hostNs = 9e5, .launches = 30, .gpuNs = 4e5}};
    EXPECT_EQ(findRow(text(), "train"), "train | 1 | 1 ms | 40 | 500 µs");
    EXPECT_EQ(findRow(text(), "step"), "step | 10 | 900 µs | 30 | 400 µs");
    EXPECT_THAT(text(), HasSubstr("\n    step ")) << "two blanks further than the range around it";
}

TEST_F(RenderProgram, AChosenRangeIsSummedUpAsAWhole)
{
    profile_.totals.chosen = RangeTotals{.stack = {"train", "step"},
                                         .count = 10,
                                         .hostNs = 9e5,
                                         .launches = 30,
                                         .gpuNs = 4e3,
                                         .unionNs = 3000,
                                         .spanNs = 6000,
                                         .busyNs = 4500};
    const auto whole = [&] { return readFigures(findRow(text(), "step ")); };
    EXPECT_EQ(whole(), "10 | 900 µs | 30 | 4 µs | 3 µs | 75 %");
    const std::string share = findRow(text(), "step ");
    const std::size_t busy = readRows(text()).size();
    EXPECT_THAT(readRows(text()), Contains(withFigures("75 % | 6 µs"))) << "how long the GPU was busy";
    profile_.totals.busyNs = 0;
    profile_.totals.chosen->spanNs = 0;
    EXPECT_EQ(whole(), "10 | 900 µs | 30 | 4 µs | 3 µs");
    EXPECT_THAT(share, StartsWith(findRow(text(), "step "))) << "no share of nothing";
    EXPECT_EQ(readRows(text()).size(), busy - 1) << "nor a time of nothing";

    const auto ending = [&](const std::string& end) {
        const std::vector<std::string> rows = readRows(text());
        const auto row = std::ranges::find_if(rows, [&](const std::string& one) { return one.ends_with(end); });
        return row == rows.end() ? "no row ends with " + end : *row;
    };
    const std::size_t uncounted = readRows(text()).size();
    profile_.range = RangeCounters{.covered = 0.8, .values = {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", 12}}};
    EXPECT_EQ(readFigures(ending(": SM 12 %")), "80 % | 12 %");
    EXPECT_EQ(readRows(text()).size(), uncounted + 1) << "not counted as a whole";
    profile_.range->whole = CountedRange{};
    profile_.range->whole->entries = 4;
    profile_.range->whole->metrics.values = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 41},
                                             {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 30}};
    EXPECT_EQ(readFigures(ending(": DRAM 41 %, L2 30 %")), "4 | 41 % | 30 %");
    EXPECT_EQ(readFigures(ending(": SM 12 %")), "80 % | 12 %");
    EXPECT_EQ(readRows(text()).size(), uncounted + 2);
    profile_.range->whole->failure = "too many kernels";
    profile_.range->values.clear();
    EXPECT_THAT(readRows(text()), Contains(EndsWith(": too many kernels")));
    EXPECT_EQ(readRows(text()).size(), uncounted + 1) << "the reason in the place of both";
}

TEST_F(RenderProgram, RanksAreListedAndAddedUp)
{
    profile_.totals.ranks = {{.rank = ProcessRank{.rank = 4},
                              .pids = {11},
                              .deviceIndex = 1,
                              .device = gpuCalled("GPU A"),
                              .launches = 900,
                              .kernelNs = 1000,
                              .waitingNs = 200,
                              .copyNs = 30,
                              .busyNs = 1100,
                              .spanNs = 2000}};
    EXPECT_TRUE(lacksRow(text(), "rank 4")) << "one alone is the program";
    profile_.totals.ranks.push_back({.pids = {12, 13},
                                     .deviceIndex = 0,
                                     .device = gpuCalled("GPU B"),
                                     .launches = 600,
                                     .kernelNs = 3000,
                                     .waitingNs = 400,
                                     .copyNs = 40,
                                     .busyNs = 1200,
                                     .spanNs = 2500});
    EXPECT_EQ(findRow(text(), "rank 4"), "rank 4 | 1: GPU A | 900 | 1 µs | 200 ns | 30 ns | 1.1 µs | 2 µs");
    EXPECT_EQ(findRow(text(), "process 12"), "process 12, 13 | 0: GPU B | 600 | 3 µs | 400 ns | 40 ns | 1.2 µs | 2.5 µs");
    EXPECT_THAT(readFigures(readRows(text())), Contains("1,500 | 4 µs | 600 ns | 70 ns | 4 µs | 8 µs")) << "in total";
    EXPECT_TRUE(lacksRow(text(), "Process")) << "the heading of ranks";
    profile_.totals.ranks[0].rank.reset();
    EXPECT_NE(findRow(text(), "Process"), "") << "the heading of processes";
    EXPECT_THAT(findRow(text(), "process 11"), StartsWith("process 11 | 1: GPU A"));
}

TEST_F(RenderProgram, TheKernelThatTakesMostIsShownInFull)
{
    profile_.notes = {{"lost", "Ten launches were lost."}};
    EXPECT_EQ(findRow(text(), "note:"), "note: Ten launches were lost.");
    EXPECT_THAT(readRows(text()), Contains(kScale));
    EXPECT_THAT(readRows(text()), Contains(AllOf(StartsWith("program/scale-1 "), EndsWith(" BLOCK=64x1x1,GRID=4x1x1"))));
    EXPECT_THAT(readRows(text()), Not(Contains(kSum)));
    const Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree.ok());
    const std::string explanation = renderExplanation(profile_.runs[0], *tree);
    ASSERT_NE(explanation, "");
    EXPECT_THAT(text(), Not(HasSubstr(explanation)));
    EXPECT_THAT(text(&*tree), HasSubstr(explanation));
    profile_.runs.clear();
    EXPECT_THAT(readRows(text(&*tree)), Not(Contains(kScale)));
    EXPECT_TRUE(lacksRow(text(), "Share")) << "no table of no kernels";
}

TEST_F(RenderProgram, EveryPartOfOneSnapshot)
{
    std::string all = text();
    profile_.program.signal = 11;
    profile_.counted = ProgramRun{.command = {}, .wallSeconds = 3};
    profile_.finding = Finding{.classId = "host-bound",
                               .title = "The GPU waits for the host.",
                               .estimate = Estimate{0.5, "idle over span"},
                               .fixes = {{.id = "a", .title = "Use graphs", .why = "one launch"}}};
    shape(0).exclusiveNs = 400;
    shape(0).beside = {{kScale, 90}};
    shape(0).graphLaunches = 6;
    profile_.runs.assign(12, profile_.runs[0]);
    profile_.totals.graphs.assign(14, {.pid = 77, .id = 3, .launches = 5, .kernelLaunches = 20, .kernelNs = 900, .spanNs = 400});
    profile_.totals.ranges.assign(15, {.stack = {"train"}, .count = 1, .hostNs = 1e6, .launches = 40, .gpuNs = 5e5});
    profile_.totals.chosen = RangeTotals{.stack = {"train", "step"},
                                         .count = 10,
                                         .hostNs = 9e5,
                                         .launches = 30,
                                         .gpuNs = 4e3,
                                         .unionNs = 3000,
                                         .spanNs = 6000,
                                         .busyNs = 4500};
    profile_.totals.ranks = {{.rank = ProcessRank{.rank = 4}, .pids = {11}, .device = gpuCalled("GPU A"), .launches = 900},
                             {.pids = {12, 13}, .device = gpuCalled("GPU B"), .launches = 600}};
    profile_.range = RangeCounters{.covered = 0.8, .values = {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", 12}}};
    profile_.range->whole = CountedRange{};
    profile_.range->whole->entries = 4;
    profile_.range->whole->metrics.values = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 41}};
    all += text();
    profile_.range->whole->failure = "too many kernels";
    profile_.totals.ranks[0].rank.reset();
    shape(0).graphLaunches = 5; // the sixth was launched by itself
    test::expectSnapshot("render/program.txt", all + text());
}

} // namespace
} // namespace kl::cli
