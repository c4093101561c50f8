// SPDX-License-Identifier: MIT
// A run in words and tables: each row has the figure of its heading, and what was not measured has none.
#include "app/kloop/render/render.h"
#include "app/kloop/render/render_baselines.h"
#include "core/device/pm_roles.h"
#include "core/diagnosis/classes.h"
#include "core/model/model_words.h"
#include "core/stats/ratio_text.h"
#include "tests/support/snapshot.h"
#include "text_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kl::cli {
namespace {

using test::countCells;
using test::findRow;
using test::lacksRow;
using test::readFigures;
using test::readRows;
using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class RenderRun : public testing::Test {
protected:
    void SetUp() override
    {
        run_.id.text = "01234567";
        run_.kernel = {"transpose", "naive", {}};
        run_.problem = {{"M", std::int64_t{64}}};
        run_.device.name = "Test GPU";
        run_.device.ccMajor = 9;
        run_.device.ccMinor = 1;
        run_.correctness = {.result = CorrectnessResult::correct, .maxAbs = 0.5, .relL2 = 0.125, .meanAbs = 0.25};
    }
    std::string text(bool stored = true) const { return renderRun(run_, stored); }
    /// The row of a fact, without its name.
    std::string fact(const std::string& name) const
    {
        const std::string row = findRow(text(), name + " | ");
        return row.empty() ? row : row.substr(name.size() + 3);
    }
    std::string figures(const std::string& name) const { return readFigures(fact(name)); }

    RunRecord run_;
};

TEST_F(RenderRun, TheDeviceSaysWhereAndWhenItMeasured)
{
    EXPECT_THAT(readRows(text())[0], AllOf(StartsWith("transpose/naive "), EndsWith(" M=64")));
    EXPECT_THAT(fact("Device"), AllOf(StartsWith("Test GPU, "), EndsWith(" 9.1")));
    run_.host = "node7";
    run_.startedAt = "2026-01-02T03:04:05.000Z";
    EXPECT_THAT(fact("Device"), AllOf(StartsWith("Test GPU "), HasSubstr("node7"), EndsWith(" 9.1")));
    run_.source = Source::sample;
    EXPECT_THAT(fact("Device"), AllOf(StartsWith("Test GPU, "), HasSubstr(" 9.1, "), EndsWith("2026-01-02T03:04:05.000Z")));
    run_.problem.clear();
    EXPECT_EQ(readRows(text())[0], "transpose/naive");
    EXPECT_EQ(fact("Stored as"), "run:01234567");
    EXPECT_THAT(text(false), Not(HasSubstr("run:01234567")));
}

TEST_F(RenderRun, AnImportedRunNamesItsFileAndLaunch)
{
    EXPECT_EQ(fact("Imported"), "");
    run_.imported = ImportFacts{.file = "r.ncu-rep", .index = 2, .kind = "kernel"};
    EXPECT_EQ(fact("Imported"), "r.ncu-rep, kernel 3");
    run_.imported->kernel = "scale(float*)";
    run_.imported->process = "a.out";
    EXPECT_THAT(fact("Imported"), AllOf(StartsWith("r.ncu-rep, kernel 3: scale(float*)"), EndsWith("a.out")));
    run_.imported->host = "node7";
    run_.imported->tool = "ncu 2025.3";
    EXPECT_THAT(fact("Imported"),
                AllOf(StartsWith("r.ncu-rep, kernel 3: scale(float*)"), HasSubstr("a.out"), HasSubstr("node7"), EndsWith("ncu 2025.3")));
}

TEST_F(RenderRun, TheResultHasItsFiguresAndItsReasonOnce)
{
    EXPECT_THAT(fact("Result"), StartsWith("correct, "));
    EXPECT_EQ(figures("Result"), "0.5 | 0.25 | 0.125");
    EXPECT_EQ(fact("Failed"), "");
    Correctness& c = run_.correctness;
    c.nonfinite = 3;
    c.unwritten = 4;
    c.peerMaxAbs = 0.75;
    c.suite = {{.problem = "M=1", .pass = true}, {.problem = "M=2", .pass = true}};
    c.seed = 1;
    EXPECT_EQ(figures("Result"), "0.5 | 0.25 | 0.125 | 3 | 4 | 16 | 0.75 | 2 | 2");
    c = {.result = CorrectnessResult::incorrect, .reason = "row 3 is incorrect", .seed = 7};
    run_.status = ResultStatus::validationFailed;
    run_.reason = c.reason;
    EXPECT_EQ(fact("Failed"), "validation_failed");
    EXPECT_THAT(fact("Result"), StartsWith("incorrect, "));
    EXPECT_THAT(fact("Result"), EndsWith(" --seed 7: row 3 is incorrect"));
    run_.status = ResultStatus::computationFailed;
    run_.reason = "an illegal address";
    c = {.reason = "it did not run"};
    EXPECT_EQ(fact("Failed"), "computation_failed: an illegal address");
    EXPECT_THAT(fact("Result"), EndsWith(": it did not run"));
    const std::string because = fact("Result");
    c.reason.clear();
    EXPECT_EQ(fact("Result") + ": it did not run", because);
}

TEST_F(RenderRun, AWitnessAndTheFirstMismatchSayWhere)
{
    run_.status = ResultStatus::validationFailed;
    run_.correctness.result = CorrectnessResult::replays;
    run_.correctness.reason = "it returns an earlier result";
    run_.correctness.witness = Witness{.what = "It returned an earlier result."};
    EXPECT_EQ(fact("First failure"), "It returned an earlier result.");
    EXPECT_THAT(fact("Result"), StartsWith("replays; "));
    EXPECT_EQ(figures("Result"), "0.5 | 0.25 | 0.125") << "those of the first launch";
    EXPECT_THAT(fact("Result"), Not(HasSubstr(run_.correctness.reason))) << "the witness says it";
    run_.correctness.witness->pass = 4;
    run_.correctness.witness->global = "cache";
    EXPECT_THAT(fact("First failure"), AllOf(StartsWith("It returned an earlier result. ("), EndsWith(" cache)")));
    EXPECT_EQ(figures("First failure"), "4");
    EXPECT_EQ(fact("First mismatch"), "");
    run_.correctness.firstWrong = Mismatch{.buffer = "out", .index = 5, .expected = 2, .got = 3};
    EXPECT_THAT(fact("First mismatch"), StartsWith("out[5]: "));
    EXPECT_EQ(figures("First mismatch"), "5 | 3 | 2");
}

TEST_F(RenderRun, TimesAreNamedByWhatTheyAreOf)
{
    EXPECT_EQ(fact("GPU time") + fact("Samples") + fact("Checks"), "");
    run_.timing = Timing{.gpu = {2000, 1900, 2100, 5}, .discarded = 2};
    EXPECT_EQ(figures("GPU time"), "2 µs | 1.9 µs | 2.1 µs");
    EXPECT_EQ(figures("Samples"), "5 | 2");
    EXPECT_EQ(fact("GPU state"), "");
    EXPECT_EQ(fact("Energy"), "");
    EXPECT_NE(fact("Checks"), "") << "that there is none is reported";
    EXPECT_EQ(figures("Checks"), "");
    run_.timing->gpuHot = 1500;
    run_.timing->host = 9000;
    run_.timing->clockMhz = 1755;
    run_.timing->energy = Energy{.reason = "no counter"};
    EXPECT_EQ(figures("GPU time"), "2 µs | 1.9 µs | 2.1 µs | 1.5 µs | 9 µs");
    EXPECT_EQ(figures("GPU state"), "1755 MHz");
    EXPECT_THAT(fact("Energy"), EndsWith(": no counter"));
    run_.timing->gpu.n = 1;
    EXPECT_EQ(figures("GPU time"), "2 µs | 1.5 µs | 9 µs");
    run_.imported = ImportFacts{.file = "r.ncu-rep"};
    EXPECT_EQ(fact("Checks"), "") << "another tool's passes are not ours to check";
    run_.correctness.proof = PassProof{.inputSets = 2, .passes = 9, .checked = 8};
    EXPECT_EQ(figures("Checks"), "8 | 9 | 2");
}

TEST_F(RenderRun, ABaselineHasItsTimeOrWhyThereIsNone)
{
    EXPECT_EQ(fact("Baseline") + fact("Speedup") + fact("Memory"), "");
    run_.baseline = Baseline{.name = "SDPA", .unavailable = "no PyTorch"};
    EXPECT_EQ(fact("Baseline"), "SDPA: no PyTorch");
    run_.baseline = Baseline{.name = "SDPA", .gpu = Summary{3000, 2900, 3100, 5}};
    EXPECT_EQ(fact("Baseline"), "SDPA, 3 µs");
    run_.baseline->version = "torch 2.11";
    run_.speedup = 1.5;
    run_.memoryBytes = 2048;
    EXPECT_EQ(fact("Baseline"), "SDPA, 3 µs (torch 2.11)");
    EXPECT_EQ(fact("Speedup"), "1.50×");
    EXPECT_THAT(fact("Memory"), StartsWith("2 KiB; SDPA: "));
    EXPECT_EQ(figures("Memory"), "2 KiB") << "its own alone is known";
    run_.baselines = {*run_.baseline};
    EXPECT_EQ(fact("Baseline"), "SDPA, 3 µs (torch 2.11)");
    run_.baselines.push_back(*run_.baseline);
    EXPECT_EQ(fact("Baseline"), "") << "several have a table of their own";
    EXPECT_THAT(text(), HasSubstr(renderBaselines(run_)));
}

TEST_F(RenderRun, MetricsAreCountedWithTheirPasses)
{
    EXPECT_EQ(fact("Metrics"), "");
    run_.metrics = MetricSet{};
    EXPECT_EQ(fact("Metrics"), "");
    run_.metrics->values = {{"gpu__time_duration.sum", 1234}};
    run_.metrics->missing = {{"a", "no"}, {"b", "no"}};
    run_.metrics->plan = {1, 1};
    run_.metrics->rangeMode = "AutoRange";
    run_.metrics->replayMode = "KernelReplay";
    run_.metrics->cacheControl = "none";
    EXPECT_THAT(fact("Metrics"), AllOf(HasSubstr("; AutoRange, KernelReplay, "), EndsWith(": none")));
    EXPECT_EQ(figures("Metrics"), "1 | 2 | 1 | 1");
    run_.metrics->values["x"] = 1;
    run_.metrics->plan = {3, 2};
    run_.metrics->clockMhz = 1755;
    EXPECT_EQ(figures("Metrics"), "2 | 2 | 3 | 2 | 1755 MHz");
    EXPECT_EQ(fact("Counted"), "") << "of a program's kernel only";
    run_.program = ProgramFacts{};
    EXPECT_EQ(figures("Counted"), "1.23 µs | 1755 MHz");
    run_.metrics->clockMhz.reset();
    EXPECT_EQ(figures("Counted"), "1.23 µs");
    run_.metrics->values.clear();
    EXPECT_EQ(figures("Metrics"), "0 | 2 | 3 | 2") << "why there are none is worth knowing";
    run_.warnings = {{"w", "The clock was not locked.", {{StepId::checkEnvironment}}}};
    EXPECT_EQ(fact("Note"), "The clock was not locked: kloop env");
}

TEST_F(RenderRun, SizesAreListedWhereOneIsIncorrect)
{
    run_.correctness.suite = {{.problem = "M=1", .pass = true, .maxAbs = 0.5, .relL2 = 0.125, .meanAbs = 0.25}};
    EXPECT_TRUE(lacksRow(text(), "M=1"));
    run_.correctness.suite.push_back({.problem = "M=2", .maxAbs = 4, .relL2 = 3, .reason = "too far off."});
    const std::string right = findRow(text(), "M=1 | "), wrong = findRow(text(), "M=2 | ");
    EXPECT_THAT(right, EndsWith(" | 0.5 | 0.25 | 0.125"));
    EXPECT_THAT(wrong, EndsWith(" | 4 | – | 3 | too far off."));
    EXPECT_NE(right.substr(6, right.find(" | ", 6) - 6), wrong.substr(6, wrong.find(" | ", 6) - 6)) << "correct, and not";
    EXPECT_THAT(figures("Result"), EndsWith(" | 1 | 2")) << "sizes are correct";
    run_.correctness.suite[1].firstWrong = Mismatch{.buffer = "out", .index = 5, .fault = "NaN"};
    EXPECT_THAT(findRow(text(), "M=2"), AllOf(StartsWith(wrong + ' '), EndsWith(": out[5]: NaN")));
}

TEST_F(RenderRun, AFindingHasItsPathAndItsFixes)
{
    Finding finding{.classId = "uncoalesced",
                    .title = "Stores are spread.",
                    .priority = "P1",
                    .confidence = 0.9,
                    .path = {{"invalid", "kernel_us", 8.5, 10, "<", false},
                             {"uncoalesced", "store_sectors", 32, 8, ">", true},
                             {"dram", "dram_share", {}, {}, ">", false}},
                    .fixes = {{.id = "transpose/tiled", .title = "Tile it", .confidence = 0.554, .why = "rows", .kind = "stage"},
                              {.id = "b", .title = "Other", .confidence = 0.25, .cases = 1},
                              {.id = "c", .title = "Third", .cases = 12}}};
    const std::string text = renderDiagnosis({finding, {}});
    EXPECT_EQ(readRows(text)[0], "Stores are spread.");
    EXPECT_THAT(readRows(text)[1], StartsWith("uncoalesced (P1), "));
    EXPECT_EQ(readFigures(readRows(text)[1]), "90 %");
    EXPECT_THAT(findRow(text, "invalid"), StartsWith("invalid | kernel_us | 8.5 | < | 10 | "));
    EXPECT_THAT(findRow(text, "uncoalesced |"), StartsWith("uncoalesced | store_sectors | 32 | > | 8 | "));
    EXPECT_THAT(findRow(text, "dram |"), AllOf(StartsWith("dram | dram_share | "), HasSubstr(" | > | ")));
    std::set<std::string> answers;
    for (const char* node : {"invalid |", "uncoalesced |", "dram |"})
        answers.insert(findRow(text, node).substr(findRow(text, node).rfind(" | ")));
    EXPECT_EQ(answers.size(), 3U) << "it does not hold, it holds, it was not measured";
    EXPECT_THAT(findRow(text, "1. "), AllOf(StartsWith("1. Tile it (transpose/tiled), "), EndsWith(": rows")));
    EXPECT_EQ(readFigures(findRow(text, "1. ")), "1 | 55 % | 1.20×");
    EXPECT_THAT(findRow(text, "2. "), StartsWith("2. Other (b), "));
    EXPECT_EQ(readFigures(findRow(text, "2. ")), "2 | 25 % | 1");
    EXPECT_THAT(findRow(text, "3. "), StartsWith("3. Third (c), "));
    EXPECT_EQ(readFigures(findRow(text, "3. ")), "3 | 0 % | 12");
}

TEST_F(RenderRun, OtherFindingsFollowWithTheirEstimates)
{
    Diagnosis diagnosis{{.classId = "balanced", .title = "Nothing stands out.", .priority = "P3", .inferred = true}, {}};
    const std::string alone = renderDiagnosis(diagnosis);
    EXPECT_THAT(readRows(alone)[1], StartsWith("balanced (P3), "));
    EXPECT_EQ(readFigures(readRows(alone)[1]), "0 %");
    diagnosis.finding.inferred = false;
    EXPECT_NE(readRows(renderDiagnosis(diagnosis))[1], readRows(alone)[1]) << "with counters";
    diagnosis.finding.inferred = true;
    diagnosis.secondary = {{.classId = "spills", .title = "Spills.", .priority = "P2", .estimate = Estimate{0.2, "how"}},
                           {.classId = "tail", .title = "A tail.", .priority = "P3"}};
    const std::string text = renderDiagnosis(diagnosis);
    EXPECT_THAT(findRow(text, "spills"), AllOf(StartsWith("spills (P2, "), EndsWith(" 1.25×): Spills.")));
    EXPECT_EQ(findRow(text, "tail"), "tail (P3): A tail.");
}

TEST_F(RenderRun, TargetsThatAreMissedSayWhatToDo)
{
    EXPECT_EQ(renderTargets(run_), "") << "nothing was measured";
    run_.diagnosis = Diagnosis{};
    run_.timing = Timing{.gpu = {20000, 19000, 21000, 5}};
    const auto duration = [&] { return findRow(renderTargets(run_), "Kernel duration"); };
    EXPECT_EQ(readFigures(duration()), "20 µs | 10 µs | 10 µs");
    const std::string met = duration().substr(duration().rfind(", "));
    EXPECT_TRUE(lacksRow(renderTargets(run_), "Kernel duration: "));
    run_.timing->gpu.median = 5000;
    EXPECT_EQ(readFigures(duration()), "5 µs | 10 µs | 10 µs");
    EXPECT_NE(duration().substr(duration().rfind(", ")), met);
    EXPECT_THAT(findRow(renderTargets(run_), "Kernel duration: ").size(), testing::Gt(std::string("Kernel duration: ").size()));
    EXPECT_TRUE(lacksRow(renderTargets(run_), "Occupancy: ")) << "what was not measured misses nothing";
}

TEST_F(RenderRun, BaselinesStandBesideTheKernel)
{
    run_.flops = 4e6;
    run_.timing = Timing{.gpu = {2000, 1900, 2100, 5}, .host = 7000};
    run_.baselines = {{.name = "SDPA",
                       .gpu = Summary{3000, 2900, 3100, 5},
                       .host = 8000,
                       .version = "torch 2.11",
                       .id = "sdpa",
                       .kernelsNs = 2500,
                       .maxAbs = 0.25},
                      {.name = "copy", .gpu = Summary{1000, 900, 1100, 5}, .id = "copy"},
                      {.name = "cuDNN", .unavailable = "not installed", .id = "cudnn"}};
    const std::string text = renderBaselines(run_);
    EXPECT_EQ(findRow(text, "transpose/naive"), "transpose/naive | 2 µs | 2 TFLOP/s | 7 µs | 0.5");
    EXPECT_EQ(findRow(text, "sdpa"), "sdpa | 3 µs | 1.33 TFLOP/s | 2.5 µs | 8 µs | 1.50× | 0.25 | SDPA; torch 2.11");
    EXPECT_EQ(findRow(text, "copy"), "copy | 1 µs | 4 TFLOP/s | – | – | 0.50× | – | copy");
    EXPECT_THAT(findRow(text, "cudnn"), EndsWith(": not installed"));
    run_.correctness.result = CorrectnessResult::incorrect;
    EXPECT_EQ(findRow(renderBaselines(run_), "transpose/naive"), "transpose/naive | 2 µs | 2 TFLOP/s | 7 µs | –");
    run_.flops = 0;
    EXPECT_EQ(findRow(renderBaselines(run_), "copy"), "copy | 1 µs | – | – | – | 0.50× | – | copy");
    run_.timing.reset();
    EXPECT_EQ(findRow(renderBaselines(run_), "copy"), "copy | 1 µs | – | – | – | – | – | copy");
}

TEST_F(RenderRun, BaselinesAsDataHaveTheKernelsOwnRowFirst)
{
    run_.kernel.tunables = {{"BLOCK", std::int64_t{8}}};
    run_.source = Source::sample;
    run_.flops = 4e6;
    run_.timing = Timing{.gpu = {2000, 1900, 2100, 5}, .host = 7000};
    run_.baselines = {{.name = "SDPA", .gpu = Summary{3000, 2900, 3100, 5}, .id = "sdpa"}, {.name = "x", .unavailable = "no", .id = "x"}};
    const Json json = baselinesToJson(run_);
    EXPECT_EQ(json["kernel"], "transpose");
    EXPECT_EQ(json["variant"], "naive");
    EXPECT_EQ(json["tunables"], "BLOCK=8");
    EXPECT_EQ(json["problem"], "M=64");
    EXPECT_EQ(json["device"], Json({{"name", "Test GPU"}, {"source", "sample"}}));
    EXPECT_EQ(json["flops"], 4e6);
    EXPECT_EQ(json["run"], "01234567");
    const Json& own = json["rows"][0];
    EXPECT_TRUE(own["id"].is_null());
    EXPECT_EQ(own["name"], "transpose/naive@BLOCK=8");
    EXPECT_EQ(own["gpu_ns"]["median"], 2000);
    EXPECT_EQ(own["host_ns"], 7000);
    EXPECT_DOUBLE_EQ(own["tflops"].get<double>(), 2);
    EXPECT_EQ(own["max_abs"], 0.5);
    EXPECT_EQ(own["rel_l2"], 0.125);
    EXPECT_EQ(json["rows"][1]["id"], "sdpa");
    EXPECT_DOUBLE_EQ(json["rows"][1]["tflops"].get<double>(), 4.0 / 3);
    EXPECT_DOUBLE_EQ(json["rows"][1]["speedup"].get<double>(), 1.5);
    EXPECT_EQ(json["rows"][2]["unavailable"], "no");
    EXPECT_TRUE(json["rows"][2]["tflops"].is_null());
    EXPECT_TRUE(json["rows"][2]["speedup"].is_null());
    run_.timing.reset();
    run_.reason = "it failed";
    const Json failed = baselinesToJson(run_)["rows"];
    EXPECT_TRUE(failed[0]["gpu_ns"].is_null());
    EXPECT_TRUE(failed[0]["tflops"].is_null());
    EXPECT_EQ(failed[0]["unavailable"], "it failed");
    EXPECT_TRUE(failed[1]["speedup"].is_null());
}

TEST_F(RenderRun, RulesOfNsightComputeAreHeldAgainstTheFindingSnapshot)
{
    run_.imported = ImportFacts{.file = "r.ncu-rep"};
    run_.metrics = MetricSet{};
    EXPECT_EQ(renderNcuOpinion(run_), "") << "no rules";
    const std::string kind = "optimization";
    RuleResult bandwidth{.rule = "SOLBottleneck",
                         .title = "DRAM bandwidth",
                         .kind = "optimization",
                         .text = "Compress the traffic.",
                         .speedupPercent = 20,
                         .speedupScope = "global"};
    RuleResult conflicts{.rule = "SharedMemoryConflicts",
                         .title = "Shared Load Bank Conflicts",
                         .kind = "optimization",
                         .text = "Pad the rows.",
                         .speedupPercent = 40,
                         .speedupScope = "global",
                         .places = {{"k.cu", 12, "half of it"}}};
    run_.imported->rules = {bandwidth, conflicts};
    run_.diagnosis = Diagnosis{{.classId = "bank-conflicts"}, {}};
    const std::string same = renderNcuOpinion(run_);
    const auto top = [](const std::string& text) {
        for (const std::string& row : readRows(text))
            if (row.find(", SharedMemoryConflicts, ") != std::string::npos)
                return row;
        return std::string();
    };
    EXPECT_THAT(top(same), HasSubstr(std::string(classTitle("bank-conflicts"))));
    EXPECT_THAT(findRow(same, ">"), AllOf(StartsWith("> SharedMemoryConflicts, " + kind + ", "), EndsWith(" 40 % global: Pad the rows.")));
    EXPECT_THAT(findRow(same, "SOL"), AllOf(StartsWith("SOLBottleneck, " + kind + ", "), EndsWith(" 20 % global: Compress the traffic.")));
    EXPECT_EQ(findRow(same, "k.cu"), "k.cu:12: half of it");
    run_.diagnosis->finding.classId = "uncoalesced";
    EXPECT_THAT(top(renderNcuOpinion(run_)), AllOf(HasSubstr(std::string(classTitle("bank-conflicts"))), Not(top(same))))
        << "another class was found";
    test::expectSnapshot("render/ncu-rules.txt", same + renderNcuOpinion(run_));
    run_.imported->rules[1].speedupPercent.reset();
    EXPECT_THAT(readRows(renderNcuOpinion(run_)), Contains(EndsWith("SharedMemoryConflicts, " + kind + ": Pad the rows.")));
    run_.metrics.reset();
    EXPECT_EQ(renderNcuOpinion(run_), "");
}

TEST_F(RenderRun, ExperimentsHaveTheirRatioOrWhyThereIsNone)
{
    run_.experiments = {{"half-grid", "4 of 8 blocks", 0.5, 12, {}}, {"half-occupancy", {}, {}, 9, "no shared memory left"}};
    EXPECT_EQ(findRow(text(), "half-grid"), "half-grid | 0.50× | 12 | 4 of 8 blocks");
    EXPECT_THAT(findRow(text(), "half-occupancy"), AllOf(StartsWith("half-occupancy | – | "), EndsWith(": no shared memory left")));
}

TEST_F(RenderRun, EveryFactOfARunSnapshot)
{
    const std::string plain = text();
    run_.host = "node7";
    run_.imported = ImportFacts{.file = "r.ncu-rep", .index = 2, .kind = "kernel", .kernel = "scale(float*)", .process = "a.out"};
    run_.timing = Timing{.gpu = {2000, 1900, 2100, 5}, .gpuHot = 1500, .host = 9000, .clockMhz = 1755, .discarded = 2};
    run_.timing->energy = Energy{.reason = "no counter"};
    run_.baseline = Baseline{.name = "SDPA", .gpu = Summary{3000, 2900, 3100, 5}, .version = "torch 2.11"};
    run_.speedup = 1.5;
    run_.memoryBytes = 2048;
    run_.program = ProgramFacts{};
    run_.metrics = MetricSet{.values = {{"gpu__time_duration.sum", 1234}}, .missing = {{"a", "no"}}, .clockMhz = 1755};
    run_.metrics->plan = {3, 2};
    run_.metrics->rangeMode = "AutoRange";
    run_.metrics->replayMode = "KernelReplay";
    run_.metrics->cacheControl = "none";
    run_.warnings = {{"w", "The clock was not locked.", {{StepId::checkEnvironment}}}};
    run_.experiments = {{"half-grid", "4 of 8 blocks", 0.5, 12, {}}, {"half-occupancy", {}, {}, 9, "no shared memory left"}};
    run_.diagnosis = Diagnosis{{.classId = "balanced", .title = "Nothing stands out.", .priority = "P3", .inferred = true}, {}};
    const std::string measured = text();
    Correctness& c = run_.correctness;
    c.nonfinite = 3;
    c.unwritten = 4;
    c.peerMaxAbs = 0.75;
    c.proof = PassProof{.inputSets = 2, .passes = 9, .checked = 8};
    c.suite = {{.problem = "M=1", .pass = true}, {.problem = "M=2", .maxAbs = 4, .reason = "too far off."}};
    c.suite[1].firstWrong = Mismatch{.buffer = "out", .index = 5, .expected = 2, .got = 3};
    c.result = CorrectnessResult::replays;
    c.witness = Witness{.what = "It returned an earlier result.", .pass = 4, .global = "cache"};
    c.firstWrong = c.suite[1].firstWrong;
    run_.status = ResultStatus::validationFailed;
    test::expectSnapshot("render/run.txt", plain + measured + text());
}

TEST_F(RenderRun, LinesInstructionsAndCurvesSnapshot)
{
    run_.program = ProgramFacts{};
    const SourceLine line{.file = "a.cu", .line = 1, .samples = 60, .share = 0.6, .stalls = {{"long_scoreboard", 60}}};
    run_.sourceProfile = SourceProfile{.samples = 100, .lines = {line}, .texts = {{"a.cu", "one"}}};
    std::string text = renderHotLines(run_, Catalog({}));
    run_.sourceProfile->lines = {{.samples = 100}};
    run_.sourceProfile->instructions = {{.function = "_Z1kv", .offset = 0x1f0, .samples = 75, .stalls = {{"barrier", 75}}}};
    text += renderHotLines(run_, Catalog({}));
    run_.pmSampling = PmSampling{.intervalNs = 10, .unavailable = "not on this chip"};
    text += renderDuration(run_);
    run_.pmSampling = PmSampling{.intervalNs = 10};
    run_.pmSampling->passes = {{{300, 400}, {{"dram__throughput.avg.pct_of_peak_sustained_elapsed", {50, 100}}}},
                               {{300, 400}, {{"sm__cycles_active.avg.pct_of_peak_sustained_elapsed", {100, 10}}}}};
    test::expectSnapshot("render/run-lines.txt", text + renderDuration(run_));
}

/// 40 columns of a launch of 400 ns.
TEST_F(RenderRun, ACurveHasAColumnPerPartOfTheLaunch)
{
    EXPECT_EQ(renderDuration(run_), "");
    run_.pmSampling = PmSampling{.intervalNs = 10, .unavailable = "not on this chip"};
    EXPECT_THAT(readRows(renderDuration(run_)), Contains(EndsWith(": not on this chip")));
    PmPass pass;
    PmSeries dram{"dram__throughput.avg.pct_of_peak_sustained_elapsed", {}};
    for (int i = 1; i <= 40; ++i) {
        pass.endNs.push_back(10 * i - 1);
        dram.values.push_back(i <= 10 ? 100 : i <= 20 ? 50 : i <= 30 ? 0 : 12.5);
    }
    pass.endNs.back() = 400; // in the last column, too
    pass.series = {dram};
    run_.pmSampling->passes = {pass};
    const auto bars = [](const char* bar) {
        std::string ten;
        for (int i = 0; i < 10; ++i)
            ten += bar;
        return ten;
    };
    const std::string text = renderDuration(run_);
    EXPECT_EQ(readFigures(findRow(text, "Percent")), "400 ns");
    EXPECT_THAT(text, HasSubstr("  " + bars("█") + bars("▄") + bars(" ") + bars("▁") + "\n"));
    EXPECT_THAT(findRow(text, "DRAM throughput"), StartsWith("DRAM throughput | 40.4 % | 100 % | "));
    EXPECT_EQ(readFigures(findRow(text, "Sampled")), "10 ns");

    run_.pmSampling->passes[0] = {{100, 200, 400}, {{dram.metric, {20, 60, 100}}}}; // fewer samples than columns
    run_.pmSampling->passes.push_back({{400}, {{"sm__cycles_active.avg.pct_of_peak_sustained_elapsed", {75}}}});
    const std::string coarse = renderDuration(run_);
    EXPECT_EQ(readFigures(findRow(coarse, "Sampled")), "10 ns | 2");
    EXPECT_THAT(findRow(coarse, "Active SMs"), StartsWith("Active SMs | 75 % | 75 % | "));
    EXPECT_EQ(pmFinding(*run_.pmSampling), "");
    EXPECT_THAT(readRows(coarse).back(), StartsWith("Sampled"));
    EXPECT_THAT(coarse, HasSubstr(bars(" ") + "▂▂▂▂▂▂▂▂▂▂▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅█\n")) << "a level holds until the next sample";
    run_.pmSampling->passes[1] = {{300, 400}, {{"sm__cycles_active.avg.pct_of_peak_sustained_elapsed", {130, 10}}}};
    const std::string tail = renderDuration(run_);
    EXPECT_EQ(readRows(tail).back(), readRows(pmFinding(*run_.pmSampling))[0] + '.');
    EXPECT_EQ(readFigures(readRows(tail).back()), "25 %");
    EXPECT_THAT(tail, HasSubstr("█▁\n")) << "no bar is higher than 100 %";
}

TEST_F(RenderRun, AnExplanationMarksWhereTheFindingWasMade)
{
    const Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree.ok());
    EXPECT_EQ(renderExplanation(run_, *tree), "");
    const std::vector<DiagnosisTree::Node>& nodes = tree->nodes();
    ASSERT_GE(nodes.size(), 4U);
    Finding finding{.classId = nodes[2].classId,
                    .path = {{nodes[0].id, "no_such_quantity", 3, 4, ">", false},
                             {nodes[1].id, "no_such_quantity", {}, 4, ">", false},
                             {nodes[2].id, "no_such_quantity", 5, 4, ">", true}}};
    run_.diagnosis = Diagnosis{finding, {}};
    std::string text = renderExplanation(run_, *tree);
    const auto answer = [&](std::size_t i) { // to a question, behind its number and its title
        const std::string begin = fmt::format("{}. {} ", i + 1, nodes[i].title), row = findRow(text, std::to_string(i + 1) + ". ");
        EXPECT_THAT(row, StartsWith(begin));
        return row.substr(std::min(begin.size(), row.size()));
    };
    EXPECT_EQ((std::set<std::string>{answer(0), answer(1), answer(2), answer(3)}).size(), 4U)
        << "no, not measured, where the finding was made, not reached";
    EXPECT_THAT(answer(2), EndsWith(": " + nodes[2].classId));
    const std::string yes = answer(2).substr(0, answer(2).find(": "));
    const std::vector<std::string> rows = readRows(text);
    EXPECT_THAT(rows, Contains("no_such_quantity | 3 | > | 4 | false"));
    EXPECT_THAT(rows, Contains(AllOf(StartsWith("no_such_quantity | "), HasSubstr(" | > | 4 | "), Not(EndsWith(" | false")),
                                     Not(EndsWith(" | true")))))
        << "which was not measured";
    EXPECT_THAT(rows, Contains("no_such_quantity | 5 | > | 4 | true"));
    EXPECT_THAT(rows, Contains(nodes[2].help));
    EXPECT_THAT(rows, Not(Contains(nodes[3].help)));

    run_.diagnosis->finding.path.pop_back(); // what is left in the end makes no comparison
    run_.diagnosis->finding.classId = nodes.back().classId;
    text = renderExplanation(run_, *tree);
    EXPECT_EQ(answer(nodes.size() - 1), yes + ": " + nodes.back().classId);
}

TEST_F(RenderRun, HotLinesHaveTheirShareStallAndText)
{
    const Catalog catalog({});
    EXPECT_EQ(renderHotLines(run_, catalog), "") << "nothing was sampled";
    run_.sourceProfile = SourceProfile{.unavailable = "not permitted"};
    EXPECT_THAT(readRows(renderHotLines(run_, catalog)), Contains(EndsWith(": not permitted")));
    run_.program = ProgramFacts{};
    SourceLine first{.file = "a.cu", .line = 2, .samples = 60, .share = 0.6, .stalls = {{"long_scoreboard", 45}, {"selected", 15}}};
    first.waitsFor = {{"a.cu:1", 40}};
    SourceLine second{.file = "a.cu", .line = 1, .samples = 40, .share = 0.4, .stalls = {{"barrier", 30}}};
    run_.sourceProfile = SourceProfile{.samples = 100, .lines = {first, second}, .texts = {{"a.cu", "one\n  two\nthree"}}};
    std::string text = renderHotLines(run_, catalog);
    const std::ptrdiff_t columns = countCells(findRow(text, "Line"));
    EXPECT_THAT(findRow(text, "a.cu:2"), AllOf(StartsWith("a.cu:2 | 60 % | long scoreboard 75 %, "), EndsWith(" a.cu:1 | two")));
    EXPECT_EQ(findRow(text, "a.cu:1"), "a.cu:1 | 40 % | barrier 75 % | one");
    run_.sourceProfile->lines[0].executed = 1000;
    text = renderHotLines(run_, catalog);
    EXPECT_EQ(countCells(findRow(text, "Line")), columns + 1);
    EXPECT_THAT(findRow(text, "a.cu:2"), AllOf(StartsWith("a.cu:2 | 60 % | long scoreboard 75 %, "), EndsWith(" a.cu:1 | 1,000 | two")));
    EXPECT_EQ(findRow(text, "a.cu:1"), "a.cu:1 | 40 % | barrier 75 % | one");

    const std::string wide = std::string(68, 'x') + "µµµµ";
    run_.sourceProfile->texts["a.cu"] = wide.substr(0, 72) + "\n" + wide;
    text = renderHotLines(run_, catalog);
    EXPECT_THAT(findRow(text, "a.cu:1"), testing::EndsWith(" | " + wide.substr(0, 72))) << "72 bytes fit";
    EXPECT_THAT(findRow(text, "a.cu:2"), testing::EndsWith(" | " + std::string(68, 'x') + "...")) << "no character is cut in two";

    run_.sourceProfile->lines = {{.samples = 100}};
    run_.sourceProfile->instructions = {{.function = "_Z1kv", .offset = 0x1f0, .samples = 75, .stalls = {{"barrier", 75}}}};
    text = renderHotLines(run_, catalog);
    EXPECT_EQ(findRow(text, "0x1f0"), "0x1f0 | 75 % | barrier 100 % | k()");
}

TEST(RenderComparison, ItsFactsAreTheComparisons)
{
    Comparison c{.a = "k/a", .b = "k/b", .verdict = Verdict::faster, .reason = "interval-above-1"};
    std::string text = renderComparison(c);
    EXPECT_EQ(readRows(text)[0], "A k/a");
    EXPECT_EQ(readRows(text)[1], "B k/b");
    EXPECT_EQ(readRows(text)[2], "faster");
    EXPECT_EQ(findRow(text, "Verdict"),
              fmt::format("Verdict | {} ({})", toWord(Verdict::faster), readRows(std::string(verdictReasonText("interval-above-1")))[0]));
    Comparison other{.a = "k/a", .b = "k/b", .verdict = Verdict::notComparable, .reason = "other-device", .sentence = "Other GPUs."};
    EXPECT_EQ(findRow(renderComparison(other), "Verdict"), "Verdict | not-comparable") << "the sentence says why";
    for (const char* unsaid :
         {"Speedup", "Wall", "Energy", "Blocks", "Statistics", "A/A noise", "Note", "Next", "First failure", "Tunable", "Metric"})
        EXPECT_EQ(findRow(text, unsaid), "") << unsaid;
    c.sentence = "B is faster.";
    c.ratio = Ratio{1.5, 1.25, 1.75};
    c.wall = WallComparison{{2, 1.5, 2.5}, 4000, 2000};
    c.energy = EnergyComparison{.reason = "no counter"};
    c.blocks = 8;
    c.statistics = "bootstrap";
    c.noise = {0.015, "5 repeats"};
    c.warnings = {{"w", "Mind the clock.", {}}};
    c.next = "Keep it.";
    c.nextSteps = {{StepId::listCosts}};
    text = renderComparison(c);
    EXPECT_EQ(readRows(text)[2], "B is faster.");
    EXPECT_EQ(readFigures(findRow(text, "Speedup")), "1.50× | 1.25× | 1.75×");
    EXPECT_EQ(readFigures(findRow(text, "Wall")), "2.00× | 1.50× | 2.50× | 4 µs | 2 µs");
    EXPECT_THAT(findRow(text, "Energy"), EndsWith(": no counter"));
    EXPECT_EQ(findRow(text, "Blocks"), "Blocks | 8");
    EXPECT_EQ(findRow(text, "Statistics"), "Statistics | bootstrap");
    EXPECT_EQ(findRow(text, "A/A noise"), "A/A noise | 1.50 % (5 repeats)");
    EXPECT_EQ(findRow(text, "Note"), "Note | Mind the clock.");
    EXPECT_EQ(findRow(text, "Next"), "Next | Keep it: kloop cost");
    c.noise = {{}, "not calibrated"};
    EXPECT_EQ(findRow(renderComparison(c), "A/A noise"), "A/A noise | not calibrated");
}

TEST(RenderComparison, AWitnessNamesItsSide)
{
    Comparison c{.a = "k/a", .b = "k/b", .refuted = RefutedSide{.side = "b"}};
    EXPECT_TRUE(lacksRow(renderComparison(c), "First failure"));
    c.refuted->witness = Witness{.what = "wrong"};
    EXPECT_TRUE(lacksRow(renderComparison(c), "First failure")) << "no place to name";
    c.refuted->witness->pass = 3;
    EXPECT_THAT(findRow(renderComparison(c), "First failure"), AllOf(StartsWith("First failure | B, "), EndsWith(" 3")));
    c.refuted->side = "a";
    EXPECT_THAT(findRow(renderComparison(c), "First failure"), AllOf(StartsWith("First failure | A, "), EndsWith(" 3")));
}

TEST(RenderComparison, DifferencesStandInTheirOwnTables)
{
    Comparison c{.a = "k/a", .b = "k/b"};
    c.tunables = {{"BLOCK", "8", "16", {}}};
    c.environment = {{"driver", "580", "590", {}}};
    c.metrics = {{"gpu__time_duration.sum", "2000", "1000", -0.5}};
    const std::string text = renderComparison(c);
    EXPECT_EQ(findRow(text, "BLOCK"), "BLOCK | 8 | 16");
    EXPECT_EQ(findRow(text, "driver"), "driver | 580 | 590");
    EXPECT_EQ(findRow(text, "gpu__time"), "gpu__time_duration.sum | 2000 | 1000 | −50 %") << "a metric stays as it was read";
}

} // namespace
} // namespace kl::cli
