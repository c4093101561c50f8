// SPDX-License-Identifier: MIT
// Runs made from other tools' files: ids, facts, derived metrics, what the tree can still say.
#include "core/base/ids.h"
#include "core/base/scratch_folder.h"
#include "core/base/write_file.h"
#include "core/codec/run_codec.h"
#include "core/diagnosis/classes.h"
#include "profiler/import/ncu_csv.h"
#include "profiler/import/ncu_opinion.h"
#include "profiler/import/ncu_report.h"
#include "sessions/import/bundle.h"
#include "sessions/import/bundle_writer.h"
#include "sessions/import/derived_metrics.h"
#include "sessions/import/export_runs.h"
#include "sessions/import/import_runs.h"
#include "sessions/import/imported_runs.h"
#include "sessions/import/open_file.h"
#include "sessions/import/store_runs.h"
#include "sessions/store/blob.h"
#include "tests/support/real_reports.h"
#include "tests/support/sanitized.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kl::test {
namespace {

const DiagnosisTree& importTree()
{
    static const Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    return *tree;
}

std::vector<RunRecord> importReport(const std::string& name)
{
    const std::string bytes = ncuData(name);
    const Result<ImportedFile> file = isNcuReport(bytes) ? readNcuReport(bytes, name) : readNcuCsv(bytes, name);
    EXPECT_TRUE(file.ok());
    return file ? makeImportedRuns(*file, {name, contentHash(bytes), "2026-11-21T00:00:00.000Z"}, importTree()) : std::vector<RunRecord>();
}

TEST(ImportedRuns, AreNamesOfTheBytesAndThePlace)
{
    const std::vector<RunRecord> first = importReport("three_kernels.ncu-rep");
    const std::vector<RunRecord> again = importReport("three_kernels.ncu-rep");
    ASSERT_EQ(first.size(), 3u);
    EXPECT_EQ(first[0].id, again[0].id);
    EXPECT_NE(first[0].id, first[1].id);
    EXPECT_EQ(first[0].id.text[14], '5'); // a version 5 UUID
    EXPECT_NE(first[0].id, importReport("three_kernels_raw.csv")[0].id);
}

TEST(ImportedRuns, HoldWhatTheLaunchWas)
{
    const RunRecord run = importReport("three_kernels.ncu-rep")[0];
    EXPECT_EQ(run.source, Source::import);
    EXPECT_EQ(toText(run.problem), "BLOCK=256x1x1,GRID=1056x1x1");
    EXPECT_EQ(run.kernel.family, "program");
    ASSERT_EQ(run.launches.size(), 1u);
    EXPECT_EQ(run.launches[0].gridBlocks, 1056);
    EXPECT_EQ(run.launches[0].registers, 24);
    EXPECT_EQ(run.launches[0].blocksPerSm, 8);
    EXPECT_DOUBLE_EQ(run.launches[0].theoreticalOccupancy, 100);
    EXPECT_DOUBLE_EQ(run.launches[0].waves, 1);
    ASSERT_TRUE(run.timing.has_value());
    EXPECT_EQ(run.timing->gpu.n, 1);
    EXPECT_NEAR(run.timing->clockMhz.value_or(0), 1975.3, 0.1);
    EXPECT_EQ(run.metrics->plan.ran, 38);
}

TEST(ImportedRuns, OccupancyCountsStaticAndDynamicSharedMemory)
{
    ImportedResult result;
    result.facts.kind = "kernel";
    result.device.ccMajor = 9;
    result.device.smCount = 132;
    result.values = {{"launch__block_size", 256},
                     {"launch__registers_per_thread", 32},
                     {"launch__shared_mem_per_block_static", 1024},
                     {"launch__shared_mem_per_block_dynamic", 100 * 1024}};
    ImportedFile file;
    file.results.push_back(std::move(result));
    const std::vector<RunRecord> runs = makeImportedRuns(std::move(file), {"x.ncu-rep", "1", "2026-11-21T00:00:00.000Z"}, importTree());
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].launches[0].blocksPerSm, 2);
    EXPECT_EQ(runs[0].launches[0].occupancyLimiter, "shared memory");
}

TEST(ImportedRuns, MissingMetricsAreDerivedWhereTheyFollowAndSaidWhereNot)
{
    const MetricSet metrics = *importReport("three_kernels.ncu-rep")[0].metrics;
    const std::string perLoad = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
    EXPECT_DOUBLE_EQ(metrics.values.at(perLoad).value_or(0), 32);
    EXPECT_THAT(metrics.spelled.at(perLoad), testing::HasSubstr("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum / "));
    EXPECT_DOUBLE_EQ(metrics.values.at("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct").value_or(0), 12.5);
    EXPECT_DOUBLE_EQ(metrics.values.at("smsp__sass_inst_executed_op_global.sum").value_or(0), 2 * 524288);
    EXPECT_FALSE(metrics.values.at("lts__t_sectors_op_read.sum").has_value());
    EXPECT_THAT(metrics.missing.at("lts__t_sectors_op_read.sum"), testing::HasSubstr("ncu --set full"));
    const MetricSet fma = *importReport("three_kernels.ncu-rep")[1].metrics;
    EXPECT_FALSE(fma.values.at(perLoad).has_value()) << "no loads, no quotient";
}

TEST(ImportedMetricTexts, SnapshotOfWhatTheyAreDerivedFromOrWhyNot)
{
    std::set<std::string> lines;
    const std::vector<RunRecord> runs = importReport("three_kernels.ncu-rep");
    for (const RunRecord& run : runs) {
        ASSERT_TRUE(run.metrics);
        for (const auto& [name, from] : run.metrics->spelled)
            lines.insert(name + ": " + from + '\n');
        for (const auto& [name, why] : run.metrics->missing)
            lines.insert("missing: " + why + '\n');
    }
    std::string text;
    for (const std::string& line : lines)
        text += line;
    expectSnapshot("texts/imported-metrics.txt", text);
}

TEST(ImportedRuns, TheTreeSeesThroughWhatItHas)
{
    const std::vector<RunRecord> whole = importReport("three_kernels.ncu-rep");
    EXPECT_EQ(whole[0].diagnosis->finding.classId, "uncoalesced");
    EXPECT_EQ(whole[1].diagnosis->finding.classId, "fp32-bound");
    EXPECT_FALSE(whole[1].diagnosis->finding.inferred);
    const std::vector<RunRecord> page = importReport("three_kernels_raw.csv");
    for (std::size_t i = 0; i < whole.size(); ++i)
        EXPECT_EQ(page[i].diagnosis->finding.classId, whole[i].diagnosis->finding.classId);
    for (const std::string& report : ncuReports())
        for (const RunRecord& run : importReport(report + ".ncu-rep")) {
            EXPECT_TRUE(run.diagnosis.has_value());
            EXPECT_NE(run.diagnosis->finding.classId, "invalid") << report << ": " << run.imported->kernel;
        }
}

TEST(ImportedRuns, NoGridIsHeldAgainstSeveralLaunchesCountedTogether)
{
    for (const char* name : {"ranges.ncu-rep", "graph.ncu-rep"}) {
        const std::vector<RunRecord> runs = importReport(name);
        ASSERT_EQ(runs.size(), 1u);
        EXPECT_TRUE(runs[0].launches.empty());
        EXPECT_NE(runs[0].diagnosis->finding.classId, "small-grid") << name;
        EXPECT_EQ(runs[0].warnings.back().code, "several-launches");
        for (const PathEntry& entry : runs[0].diagnosis->finding.path) {
            EXPECT_FALSE(entry.metric == "waves" && entry.value) << name;
        }
    }
}

TEST(Bundles, ARunThatNoneCouldReadAgainIsNotWritten)
{
    const support::TempDir dir;
    RunRecord run = importReport("three_kernels.ncu-rep").front();
    run.reason = std::string(kMostRunBytes, 'x');
    for (const char* name : {"large.bundle", "large.json"}) {
        Result<BundleWriter> writer = BundleWriter::begin(dir / name);
        ASSERT_TRUE(writer.ok());
        const Status added = writer->add({run});
        ASSERT_FALSE(added);
        EXPECT_EQ(added.error().code, ErrorCode::badInput);
        EXPECT_EQ(added.error().where, "run:" + run.id.text);
    }
}

TEST(ImportedRuns, GoThroughJsonAndBundlesWhole)
{
    const std::vector<RunRecord> runs = importReport("three_kernels.ncu-rep");
    const support::TempDir dir;
    for (const char* name : {"runs.bundle", "runs.json"}) {
        Result<BundleWriter> writer = BundleWriter::begin(dir / name);
        ASSERT_TRUE(writer.ok());
        ASSERT_TRUE(writer->add({runs[0]}));
        ASSERT_TRUE(writer->add({runs.begin() + 1, runs.end()}));
        EXPECT_FALSE(std::filesystem::exists(dir / name)) << "nothing of the file appears before it is whole";
        ASSERT_TRUE(writer->finish());
        const std::string bytes = support::readBytes(dir / name);
        EXPECT_EQ(writer->bytes(), bytes.size());
        const Result<std::vector<RunRecord>> again = readRuns(bytes, name);
        ASSERT_TRUE(again.ok()) << again.error().message;
        EXPECT_EQ(*again, runs);
        for (const std::size_t size : {bytes.size() / 2, bytes.size() - 3, std::size_t{5}})
            EXPECT_FALSE(readRuns(bytes.substr(0, size), "cut").ok()) << name << ' ' << size;
    }
}

TEST(OpenFile, ACompressedReportHasTheRunsOfThePlainOne)
{
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder);
    const std::filesystem::path data = std::filesystem::path(KL_SOURCE_DIR) / "tests/data/ncu/three_kernels.ncu-rep.zst";
    const std::string packed = (folder->path() / "r.ncu-repz").string(); // a zstd frame of the report
    const std::string plain = (folder->path() / "r.ncu-rep").string();
    std::filesystem::copy_file(data, packed);
    ASSERT_TRUE(writeFile(plain, ncuData("three_kernels.ncu-rep")));
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    const Result<OpenedFile> a = openFile(packed, importTree(), *catalog);
    const Result<OpenedFile> b = openFile(plain, importTree(), *catalog);
    ASSERT_TRUE(a) << a.error().message;
    ASSERT_TRUE(b) << b.error().message;
    ASSERT_EQ(a->runs.size(), 3U);
    EXPECT_TRUE(a->foreign);
    for (std::size_t i = 0; i < a->runs.size(); ++i) {
        EXPECT_EQ(a->runs[i].id, b->runs[i].id);
        EXPECT_EQ(a->runs[i].metrics, b->runs[i].metrics);
    }
    const Result<PlainFile> file = PlainFile::open(packed);
    ASSERT_TRUE(file);
    EXPECT_FALSE(mayHoldOwnRuns(*file)) << "the command line imports it as a report";
}

TEST(OpenFile, ACompressedReportThatIsCutOffIsRefused)
{
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder);
    const std::string path = (folder->path() / "cut.ncu-repz").string();
    std::ifstream in(std::filesystem::path(KL_SOURCE_DIR) / "tests/data/ncu/three_kernels.ncu-rep.zst", std::ios::binary);
    const std::string packed(std::istreambuf_iterator<char>(in), {});
    ASSERT_TRUE(writeFile(path, packed.substr(0, packed.size() / 2)));
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    const Result<OpenedFile> opened = openFile(path, importTree(), *catalog);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::badInput);
}

TEST(NcuOpinion, TopRulesOfTheRealReportsAreClasses)
{
    const std::vector<RunRecord> runs = importReport("three_kernels.ncu-rep");
    const auto strided = ncuOpinion(runs[0].imported->rules, *runs[0].metrics);
    ASSERT_TRUE(strided.has_value());
    EXPECT_EQ(strided->rule->rule, "MemoryCacheAccessPattern");
    EXPECT_EQ(strided->classId, "uncoalesced");
    for (const RunRecord& run : runs)
        for (const RuleResult& rule : run.imported->rules)
            if (const std::string classId = classifyNcuRule(rule, *run.metrics); !classId.empty()) {
                EXPECT_TRUE(isClass(classId)) << rule.rule;
            }
    const auto tiny = ncuOpinion(runs[2].imported->rules, *runs[2].metrics);
    ASSERT_TRUE(tiny.has_value());
    EXPECT_EQ(tiny->classId, "small-grid");
}

TEST(NcuOpinion, EstimatesOfTheKernelComeFirstThenLocalOnesThenOrder)
{
    const auto rule = [](const char* id, std::optional<double> percent, const char* scope, const char* kind = "optimization") {
        return RuleResult{"", id, "", kind, "", percent, scope, {}, {}};
    };
    const MetricSet none;
    std::vector<RuleResult> rules{rule("PCSamplingData", 99.0, "global"), rule("IssueSlotUtilization", 95.0, "local"),
                                  rule("ThreadDivergence", 10.0, "global"), rule("SharedMemoryConflicts", 20.0, "global"),
                                  rule("TheoreticalOccupancy", 50.0, "global", "info")};
    EXPECT_EQ(ncuOpinion(rules, none)->classId, "bank-conflicts");
    rules = {rule("AchievedOccupancy", {}, ""), rule("MemoryL2Compression", 0.2, "global"), rule("IssueSlotUtilization", 30.0, "local")};
    EXPECT_EQ(ncuOpinion(rules, none)->classId, "latency-bound");
    rules.pop_back();
    EXPECT_EQ(ncuOpinion(rules, none)->classId, "occupancy-limited") << "estimates below 1 % count as none";
    EXPECT_FALSE(ncuOpinion({rule("PMSamplingData", {}, "", "warning")}, none).has_value());
    rules = {rule("TheoreticalOccupancy", 80.0, "global", "warning"), rule("ThreadDivergence", {}, "")};
    EXPECT_EQ(ncuOpinion(rules, none)->classId, "divergence")
        << "what can be optimized goes before what is only said, whatever the figures";
}

TEST(NcuOpinion, SpeedOfLightIsDistinguishedByItsWordsAndTheBusiestUnit)
{
    MetricSet metrics;
    metrics.values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 60;
    metrics.values["lts__throughput.avg.pct_of_peak_sustained_elapsed"] = 90;
    metrics.values["sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"] = 85;
    metrics.values["gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"] = 90;
    metrics.values["sm__throughput.avg.pct_of_peak_sustained_elapsed"] = 40;
    const auto classify = [&](const char* text) {
        return classifyNcuRule({"SpeedOfLight", "SOLBottleneck", "", "optimization", text, {}, "", {}, {}}, metrics);
    };
    EXPECT_EQ(classify("Memory is more heavily utilized than Compute: look"), "l2-bound");
    EXPECT_EQ(classify("Compute is more heavily utilized than Memory: look"), "fp64-bound");
    EXPECT_EQ(classify("This workload is utilizing greater than 80.0% of the available"), "l2-bound");
    EXPECT_EQ(classify("typically indicate latency issues. Look"), "latency-bound");
    EXPECT_EQ(classify("This kernel grid is too small to fill"), "small-grid");
    EXPECT_EQ(classify("Compute and Memory are well-balanced: to"), "balanced");
}

/// A bundle as the programs before this one wrote it: a frame that says how large it is.
TEST(Bundles, ThoseThatWereWrittenAtOnceAreRead)
{
    const std::vector<RunRecord> runs = importReport("three_kernels.ncu-rep");
    Json json{{"schema", "kernelloop.bundle/1"}, {"exported_at", "2026-01-01T00:00:00.000Z"}, {"results", Json::array()}};
    for (const RunRecord& run : runs)
        json["results"].push_back(runToJson(run));
    const Result<std::vector<RunRecord>> again = readRuns(packBytes(encode(json)), "old");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, runs);
}

/// Peak memory, bytes, of what a process of its own does.
std::size_t measurePeak(const std::function<bool()>& work)
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(work() ? 0 : 1);
    int status = -1;
    rusage usage{};
    EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
    EXPECT_EQ(status, 0);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

TEST(Bundles, AnySizeIsWrittenAndReadInTheMemoryOfAFewRuns)
{
    if (isAddressSanitized())
        GTEST_SKIP() << "the sanitizer's memory counts, too";
    constexpr std::size_t kOnce = std::size_t{256} << 20U; // more could not be read at once
    constexpr std::size_t kNote = std::size_t{1} << 20U;
    const support::TempDir dir;
    RunRecord run = support::profiledRun(newUuid(), "naive", "2026-03-01T09:00:00.000Z", 1000);
    run.reason.assign(kNote, 'x'); // large, and quickly compressed
    const std::size_t count = kOnce / kNote + 4;
    const std::size_t writing = measurePeak([&] {
        Result<BundleWriter> writer = BundleWriter::begin(dir / "large.bundle");
        for (std::size_t i = 0; writer && i < count; ++i) {
            run.id.text = "run-" + std::to_string(i);
            if (!writer->add({run}))
                return false;
        }
        return writer && writer->finish();
    });
    const std::size_t reading = measurePeak([&] {
        const Result<PlainFile> file = PlainFile::open(dir / "large.bundle");
        RunReader reader(file->bytes(), true, "large");
        for (std::size_t seen = 0;;) {
            const Result<std::vector<RunRecord>> runs = reader.next();
            if (!runs || runs->empty())
                return runs && seen == count;
            seen += runs->size();
        }
    });
    EXPECT_LT(std::filesystem::file_size(dir / "large.bundle"), kOnce / 100);
    const std::size_t idle = measurePeak([] { return true; });
    EXPECT_LT(writing, idle + kOnce / 12);
    EXPECT_LT(reading, idle + kOnce / 12);
}

TEST(Bundles, ABombIsRefusedAtTheSizeOfARun)
{
    const std::string head = R"({"schema":"kernelloop.bundle/1","results":[{"kernel":")";
    for (const std::string& text : {head + std::string(kMostRunBytes + 1, 'x') + R"("}]})", std::string(kMostRunBytes, '[')}) {
        const auto runs = readRuns(packBytes(text), "bomb");
        ASSERT_FALSE(runs.ok());
        EXPECT_EQ(runs.error().code, ErrorCode::badInput);
    }
}

TEST(ListSplitter, CutsWhatTheParserWouldFind)
{
    const auto split = [](const std::string& text, std::size_t piece) {
        std::string items;
        ListSplitter splitter("results", 1000, [&](const std::string& item) {
            items += item + ';';
            return true;
        });
        bool fine = true;
        for (std::size_t at = 0; fine && at < text.size(); at += piece)
            fine = splitter.feed(std::string_view(text).substr(at, piece));
        return fine && splitter.finish() ? items + splitter.rest() : "fault";
    };
    for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}}) {
        EXPECT_EQ(split(R"({"a":{"results":[1]},"results":[{"x":"]}\"{"},[2], 3 ,"s"],"b":1})", piece),
                  R"({"x":"]}\"{"};[2];3 ;"s";{"a":{"results":[1]},"results":[],"b":1})");
        EXPECT_EQ(split(R"({"results":[]})", piece), R"({"results":[]})");
        EXPECT_EQ(split(R"({"results":5})", piece), R"({"results":5})");
        for (const char* text : {R"({"results":[1,]})", R"({"results":[,1]})", R"({"results":[{}{}]})", R"({"results":[1})", "[1]", "", "x",
                                 R"({"results":[1],)", R"({"a":1}})"})
            EXPECT_EQ(split(text, piece), "fault") << text;
    }
}

TEST(ImportedRuns, WhatWasMeasuredElsewhereCountsAsImported)
{
    const auto store = support::openStore(":memory:");
    std::vector<RunRecord> runs(3, importReport("three_kernels.ncu-rep")[0]);
    const Source given[] = {Source::live, Source::sample, Source::import};
    const Source stored[] = {Source::import, Source::sample, Source::import};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        runs[i].id.text = "run-" + std::to_string(i);
        runs[i].source = given[i];
    }
    ASSERT_EQ(storeRuns(*store, runs).value(), (std::vector<bool>{true, true, true}));
    for (std::size_t i = 0; i < runs.size(); ++i)
        EXPECT_EQ(store->run(runs[i].id)->source, stored[i]) << i;
}

TEST(ExportRuns, OfAKernelAreThoseOfEveryPage)
{
    const std::unique_ptr<Store> store = support::openStore(":memory:");
    std::vector<RunRecord> runs;
    std::set<std::string> expected;
    for (int i = 0; i < 2 * RunQuery().limit + 1; ++i) {
        const std::string id = "r" + std::to_string(1000 + i);
        runs.push_back(support::timedRun(id, "naive", i % 3 == 0 ? "2026-01-01T00:00:00.000Z" : "2026-01-02T00:00:00.000Z", 100));
        expected.insert(id);
    }
    runs.push_back(support::timedRun("other", "tiled", "2026-01-01T00:00:00.000Z", 100));
    std::vector<const RunRecord*> all;
    for (const RunRecord& run : runs)
        all.push_back(&run);
    ASSERT_TRUE(store->saveRuns(all));
    const Result<std::vector<RunId>> found = listKernelRuns(*store, "transpose/naive");
    ASSERT_TRUE(found);
    std::set<std::string> ids;
    for (const RunId& id : *found)
        ids.insert(id.text);
    EXPECT_EQ(found->size(), expected.size()) << "each once";
    EXPECT_EQ(ids, expected);
    EXPECT_EQ(listKernelRuns(*store, "transpose")->size(), expected.size() + 1);
    EXPECT_TRUE(listKernelRuns(*store, "copy")->empty());
}

} // namespace
} // namespace kl::test
