// SPDX-License-Identifier: MIT
// The rows of Run details that the snapshot of their wording has no figures for.
#include "core/base/format.h"
#include "core/model/model_words.h"
#include "tests/ui/support/counted_run.h"
#include "ui/pages/diagnose/fact_rows.h"
#include "ui/widgets/text.h"

#include <QStringList>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace kl::ui {
namespace {

std::map<std::string, std::string> readFacts(const RunRecord& run)
{
    std::map<std::string, std::string> rows;
    for (const auto& [name, value] : factRows(run)) {
        EXPECT_FALSE(rows.contains(name)) << name << " is there twice";
        rows[name] = value;
    }
    return rows;
}

bool hasFigure(const std::string& text, const std::string& figure)
{
    return text.find(figure) != std::string::npos;
}

TEST(FactFigures, EachTimeIsItsOwn)
{
    RunRecord run = countedRun("now", 1000);
    run.timing->gpu = {1000, 900, 1200, 37};
    run.timing->gpuHot = 700;
    run.timing->host = 9000;
    run.timing->energy = Energy{0.5, 2, 100, 3, ""};
    run.timing->temperatureC = 61;
    run.timing->discarded = 4;
    auto rows = readFacts(run);
    EXPECT_EQ(rows["GPU time, L2 cold"].rfind(formatTime(1000), 0), 0U) << rows["GPU time, L2 cold"];
    EXPECT_TRUE(hasFigure(rows["GPU time, L2 cold"], "n 37"));
    EXPECT_EQ(rows["GPU time, L2 hot"], formatTime(700));
    EXPECT_EQ(rows["Host time"], formatTime(9000));
    EXPECT_TRUE(hasFigure(rows["Samples"], " 4 ")) << rows["Samples"];
    EXPECT_TRUE(hasFigure(rows["GPU state"], "61")) << rows["GPU state"];
    EXPECT_EQ(rows["Energy"].rfind(formatEnergy(0.5), 0), 0U) << rows["Energy"];
    EXPECT_TRUE(hasFigure(rows["Energy"], "25\u202fW")) << "100 launches in 2 seconds";
    run.program.emplace();
    rows = readFacts(run);
    EXPECT_FALSE(rows.contains("GPU time, L2 hot")) << "a program leaves L2 as it is";
    EXPECT_FALSE(rows.contains("Host time"));
    EXPECT_EQ(rows["GPU time"].rfind(formatTime(1000), 0), 0U);
    EXPECT_TRUE(rows.contains("Energy"));
    run.timing.reset();
    run.program.reset();
    rows = readFacts(run);
    EXPECT_FALSE(rows.contains("Samples"));
    EXPECT_FALSE(rows.contains("Checks")) << "nothing was timed that could be checked";
}

TEST(FactFigures, BaselinesHaveTheirNamesTimesAndWhatIsMissing)
{
    RunRecord run = countedRun("now", 1000);
    EXPECT_FALSE(readFacts(run).contains("Baseline"));
    EXPECT_FALSE(readFacts(run).contains("Speedup"));
    const Baseline fast{"cuBLAS", Summary{1500, 1490, 1510, 5}, {}, "13.0", "", "cublas"};
    const Baseline slow{"PyTorch", Summary{4000, 3990, 4010, 5}, {}, "2.11", "", "torch"};
    const Baseline none{"Triton", {}, {}, "", "it is not installed", "triton"};
    run.baseline = fast;
    run.speedup = 1.5;
    run.baselines = {fast, slow, none};
    run.memoryBytes = 3 * 1024 * 1024;
    run.baseline->memoryBytes = 5 * 1024 * 1024;
    auto rows = readFacts(run);
    EXPECT_EQ(rows["Baseline"], "cuBLAS, " + formatTime(1500));
    EXPECT_EQ(rows["Speedup"], "1.50×");
    EXPECT_EQ(rows["vs. cublas"], "cuBLAS, " + formatTime(1500));
    EXPECT_EQ(rows["vs. torch"], "PyTorch, " + formatTime(4000));
    EXPECT_EQ(rows["vs. triton"], "it is not installed");
    EXPECT_EQ(rows["Memory"].rfind(formatBytes(3.0 * 1024 * 1024), 0), 0U) << rows["Memory"];
    EXPECT_TRUE(hasFigure(rows["Memory"], "cuBLAS " + formatBytes(5.0 * 1024 * 1024))) << rows["Memory"];
    run.baseline = none;
    run.speedup.reset();
    run.baselines.clear();
    rows = readFacts(run);
    EXPECT_EQ(rows["Baseline"], "Triton: it is not installed");
    EXPECT_FALSE(hasFigure(rows["Speedup"], "×")) << rows["Speedup"];
    EXPECT_FALSE(rows.contains("vs. cublas"));
}

TEST(FactFigures, AProgramAndAReportNameTheirKernelAndWhereItRan)
{
    RunRecord run = countedRun("now", 1000);
    run.program = ProgramFacts{{"python3", "train.py"}, "void scale<float>(float*)", 12, 24'000, 0.25, {}, {}};
    auto rows = readFacts(run);
    EXPECT_EQ(rows["Program"], "python3 train.py");
    EXPECT_EQ(rows["Kernel"], "void scale<float>(float*)");
    EXPECT_TRUE(hasFigure(rows["Calls"], "12") && hasFigure(rows["Calls"], formatTime(24'000)) &&
                hasFigure(rows["Calls"], formatPercent(25)))
        << rows["Calls"];
    EXPECT_FALSE(rows.contains("NVTX ranges"));
    EXPECT_FALSE(hasFigure(rows["Profiled launch"], "1,")) << "none was: " << rows["Profiled launch"];
    EXPECT_TRUE(rows.contains("Geometry"));
    EXPECT_FALSE(rows.contains("Problem"));
    EXPECT_TRUE(rows.contains("Checks"));
    run.program->profiledLaunch = 0;
    run.program->ranges = {"step", "forward"};
    rows = readFacts(run);
    EXPECT_TRUE(hasFigure(rows["Profiled launch"], "1, " + formatTime(1000))) << rows["Profiled launch"];
    EXPECT_EQ(rows["NVTX ranges"], "step › forward");
    run.metrics->values.erase("gpu__time_duration.sum");
    EXPECT_FALSE(hasFigure(readFacts(run)["Profiled launch"], formatTime(1000)));
    run.program.reset();
    run.source = Source::import;
    run.imported.emplace();
    run.imported->file = "a.ncu-rep";
    run.imported->kind = "range";
    run.imported->index = 4;
    run.imported->tool = "Nsight Compute 2025.3";
    run.imported->kernel = "imported_kernel";
    run.imported->process = "python3.12";
    run.imported->ranges = {"outer", "inner"};
    run.host = "gpu7";
    rows = readFacts(run);
    EXPECT_EQ(rows["File"], "a.ncu-rep, range 5");
    EXPECT_EQ(rows["Measured by"], "Nsight Compute 2025.3");
    EXPECT_EQ(rows["Kernel"], "imported_kernel");
    EXPECT_EQ(rows["Program"], "python3.12") << "where its command is not known";
    EXPECT_EQ(rows["NVTX ranges"], "outer › inner");
    EXPECT_FALSE(rows.contains("Checks")) << "KernelLoop did not time it";
    EXPECT_FALSE(hasFigure(rows["Device"], "gpu7"));
    EXPECT_TRUE(rows.contains("Geometry"));
    run.imported->command = "python3 train.py";
    EXPECT_EQ(readFacts(run)["Program"], "python3 train.py");
    run.imported->command.clear();
    run.imported->process.clear();
    EXPECT_FALSE(readFacts(run).contains("Program"));
    run.correctness.proof = PassProof{3, 12, 12, true, ""};
    EXPECT_TRUE(readFacts(run).contains("Checks"));
}

TEST(FactFigures, AResultHasItsReasonAndItsDifference)
{
    RunRecord run = countedRun("now", 1000);
    run.correctness.reason = "no reference";
    auto rows = readFacts(run);
    EXPECT_TRUE(rows["Result"].ends_with(": no reference")) << rows["Result"];
    const auto unchecked = rows;
    run.correctness.reason.clear();
    EXPECT_FALSE(readFacts(run)["Result"].ends_with(":"));
    run.correctness.result = CorrectnessResult::correct;
    run.correctness.maxAbs = 0.125;
    run.correctness.relL2 = 0.25;
    rows = readFacts(run);
    EXPECT_EQ(rows["Result"], toWord(CorrectnessResult::correct));
    const auto difference = std::ranges::find_if(rows, [](const auto& row) { return hasFigure(row.second, "0.125"); });
    ASSERT_NE(difference, rows.end());
    EXPECT_TRUE(hasFigure(difference->second, "0.25")) << difference->second;
    EXPECT_LT(difference->second.find("0.125"), difference->second.find("0.25")) << difference->second;
    EXPECT_FALSE(unchecked.contains(difference->first)) << "nothing was compared with the reference";
    EXPECT_FALSE(rows.contains("First failure"));
    run.correctness.witness = Witness{"It is late.", {}, "", {}, {}, {}, "", ""};
    EXPECT_FALSE(readFacts(run).contains("First failure")) << "it is about no element";
}

TEST(FactFigures, ALaunchAndItsCountersHaveEachFigure)
{
    RunRecord run = countedRun("now", 1000);
    run.launches = {{"f", 1234, 96, 40, 24, 1024, 512, 8, 62.5, "registers", 2.25, 1000.0, {}}};
    run.metrics->plan = {9, 4};
    run.metrics->rangeMode = "AutoRange";
    run.metrics->replayMode = "KernelReplay";
    run.metrics->cacheControl = "none";
    run.metrics->clockMhz = 1755;
    auto rows = readFacts(run);
    EXPECT_EQ(rows["Launch"].rfind(formatCount(1234) + " × 96", 0), 0U) << rows["Launch"];
    EXPECT_TRUE(hasFigure(rows["Launch"], "2.25")) << rows["Launch"];
    EXPECT_EQ(rows["Registers"].rfind("40 ", 0), 0U) << rows["Registers"];
    EXPECT_TRUE(hasFigure(rows["Registers"], formatBytes(24))) << rows["Registers"];
    EXPECT_EQ(rows["Shared memory"].rfind(formatBytes(1536), 0), 0U) << rows["Shared memory"];
    EXPECT_TRUE(hasFigure(rows["Occupancy"], "62") && rows["Occupancy"].ends_with("registers")) << rows["Occupancy"];
    EXPECT_TRUE(rows["Collection"].starts_with("AutoRange, KernelReplay, ")) << rows["Collection"];
    EXPECT_TRUE(rows["Collection"].ends_with(" none")) << "what was done with the caches: " << rows["Collection"];
    EXPECT_EQ(rows["Clock during profiling"], formatClock(1755));
    EXPECT_LT(rows["Metric passes"].find('9'), rows["Metric passes"].find('4')) << rows["Metric passes"];
    run.metrics->values["a"] = std::nullopt;
    EXPECT_EQ(readFacts(run)["Metrics"].rfind("7 ", 0), 0U) << "what has no value was not measured: " << readFacts(run)["Metrics"];
    run.metrics.reset();
    rows = readFacts(run);
    EXPECT_FALSE(rows.contains("Metrics"));
    EXPECT_FALSE(rows.contains("Collection"));
    run.launches.push_back(run.launches.front());
    run.launches.back().gpuNs.reset();
    run.launches.front().gpuNs.reset();
    rows = readFacts(run);
    EXPECT_EQ(rows["Launches"].rfind("2 ", 0), 0U);
    EXPECT_FALSE(hasFigure(rows["Longest"], "ns") || hasFigure(rows["Longest"], "µs")) << rows["Longest"];
    run.launches.clear();
    EXPECT_FALSE(readFacts(run).contains("Launch"));
    run.problem = {};
    EXPECT_FALSE(readFacts(run)["Problem"].empty()) << "it says that there is no one size";
}

TEST(FactFigures, ARecordingAndAnImportSayWhatTheyAre)
{
    RunRecord run = countedRun("now", 1000);
    run.host = "gpu7";
    QStringList devices;
    for (const Source source : {Source::live, Source::sample, Source::import}) {
        run.source = source;
        devices << q(readFacts(run)["Device"]);
        EXPECT_TRUE(devices.back().startsWith("NVIDIA H200")) << devices.back().toStdString();
        EXPECT_EQ(devices.back().contains("gpu7"), source == Source::live) << devices.back().toStdString();
    }
    run.source = Source::live;
    run.host.clear();
    devices << q(readFacts(run)["Device"]);
    EXPECT_EQ(devices.removeDuplicates(), 0) << devices.join('|').toStdString();
}

} // namespace
} // namespace kl::ui
