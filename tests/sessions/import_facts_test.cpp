// SPDX-License-Identifier: MIT
// Edges of importing: figures that a file lacks, files that are none, and bundles that are damaged.
#include "core/base/ids.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/run_codec.h"
#include "kernels/catalog.h"
#include "sessions/import/bundle.h"
#include "sessions/import/bundle_writer.h"
#include "sessions/import/byte_source.h"
#include "sessions/import/derived_metrics.h"
#include "sessions/import/export_runs.h"
#include "sessions/import/file_bytes.h"
#include "sessions/import/foreign_kinds.h"
#include "sessions/import/import_runs.h"
#include "sessions/import/imported_runs.h"
#include "sessions/import/open_file.h"
#include "sessions/store/blob.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

using support::openStore;
using support::TempDir;
using support::writeBytes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const DiagnosisTree& loadImportTree()
{
    static const Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    return *tree;
}

/// A launch of a GPU that no table knows: what the file says has to do.
ImportedResult bareLaunch()
{
    ImportedResult result;
    result.facts.kind = "kernel";
    result.facts.kernel = "k";
    result.facts.grid = {4, 3, 2};
    result.facts.block = {8, 4, 2};
    return result;
}

RunRecord importedRun(ImportedResult result)
{
    ImportedFile file;
    file.results.push_back(std::move(result));
    return makeImportedRuns(std::move(file), {"x.ncu-rep", "hash", "2026-11-21T00:00:00.000Z"}, loadImportTree()).front();
}

TEST(ImportedFacts, GridAndBlockAreCountedWhereNoMetricSaysThem)
{
    ImportedResult result = bareLaunch();
    LaunchFacts facts = importedRun(result).launches.at(0);
    EXPECT_EQ(toText(importedRun(result).problem), "BLOCK=8x4x2,GRID=4x3x2");
    EXPECT_EQ(facts.entry, "k");
    EXPECT_EQ(facts.gridBlocks, 24);
    EXPECT_EQ(facts.blockThreads, 64);
    result.values = {{"launch__grid_size", 7}, {"launch__block_size", 33}};
    facts = importedRun(result).launches.at(0);
    EXPECT_EQ(facts.gridBlocks, 7);
    EXPECT_EQ(facts.blockThreads, 33);
    result.values = {{"launch__grid_size", -7}, {"launch__block_size", 1e18}, {"launch__registers_per_thread", 3e9}};
    facts = importedRun(result).launches.at(0);
    EXPECT_EQ(facts.gridBlocks, 24) << "a file that is not sound";
    EXPECT_EQ(facts.blockThreads, 64);
    EXPECT_EQ(facts.registers, std::numeric_limits<int>::max());
    result.values.clear();
    result.facts.block = {2048, 1, 1};
    EXPECT_EQ(importedRun(result).launches.at(0).blockThreads, 1024);
    result.facts.block = {8, 4};
    result.facts.grid.clear();
    const RunRecord none = importedRun(result);
    EXPECT_EQ(none.launches.at(0).gridBlocks + none.launches.at(0).blockThreads, 0);
    EXPECT_TRUE(none.problem.empty());
}

TEST(ImportedFacts, OfAnUnknownGpuTheReportsOwnLimitsCount)
{
    ImportedResult result = bareLaunch();
    result.values = {{"launch__occupancy_limit_registers", 9},  {"launch__occupancy_limit_shared_mem", 4},
                     {"launch__occupancy_limit_warps", 6},      {"launch__occupancy_limit_blocks", 4},
                     {"launch__occupancy_limit_barriers", 0},   {"sm__maximum_warps_per_active_cycle_pct", 37.5},
                     {"launch__waves_per_multiprocessor", 1.25}};
    const LaunchFacts facts = importedRun(result).launches.at(0);
    EXPECT_EQ(facts.blocksPerSm, 4);
    EXPECT_EQ(facts.occupancyLimiter, "shared memory") << "the first of the smallest";
    EXPECT_EQ(facts.theoreticalOccupancy, 37.5);
    EXPECT_EQ(facts.waves, 1.25);
    result.values.erase("launch__waves_per_multiprocessor");
    result.device.smCount = 2;
    EXPECT_EQ(importedRun(result).launches.at(0).waves, 3) << "24 blocks, 8 at once";
}

TEST(ImportedFacts, TimeAndClockAreThoseOfTheOneLaunch)
{
    ImportedResult result = bareLaunch();
    EXPECT_FALSE(importedRun(result).timing);
    for (const double none : {0.0, -1.0}) {
        result.values = {{"gpu__time_duration.sum", none}};
        EXPECT_FALSE(importedRun(result).timing);
    }
    result.values = {{"gpu__time_duration.sum", 2000}, {"gpc__cycles_elapsed.max", 3000}, {"gpc__cycles_elapsed.avg.per_second", 7e8}};
    const RunRecord run = importedRun(result);
    EXPECT_EQ(run.timing->gpu, (Summary{2000, 2000, 2000, 1}));
    EXPECT_THAT(run.timing->samples, ElementsAre(2000));
    EXPECT_EQ(run.timing->clockMhz, 1500);
    EXPECT_THAT(run.timing->clocks, ElementsAre(1500));
    EXPECT_EQ(run.metrics->clockMhz, 1500);
    EXPECT_EQ(run.launches[0].gpuNs, 2000);
    EXPECT_EQ(run.warnings.back().code, "one-launch");
    result.values.erase("gpc__cycles_elapsed.max");
    EXPECT_EQ(importedRun(result).timing->clockMhz, 700);
    result.values.erase("gpc__cycles_elapsed.avg.per_second");
    EXPECT_FALSE(importedRun(result).timing->clockMhz);
    for (const std::optional<double> ns : {std::optional<double>(), std::optional<double>(0)}) {
        result.values = {{"gpc__cycles_elapsed.max", 3000}, {"gpc__cycles_elapsed.avg.per_second", 7e8}};
        if (ns)
            result.values["gpu__time_duration.sum"] = ns;
        EXPECT_EQ(importedRun(result).metrics->clockMhz, 700) << "cycles of a time that is not known";
    }
}

TEST(ImportedFacts, WhatTheFileDoesNotSayIsReported)
{
    ImportedResult result = bareLaunch();
    RunRecord run = importedRun(result);
    EXPECT_EQ(run.id.text, makeUuidFromName("import hash 0"));
    EXPECT_NE(run.device.name, "");
    EXPECT_EQ(run.device.name.find_first_of("0123456789"), std::string::npos) << run.device.name;
    EXPECT_EQ(run.startedAt, "2026-11-21T00:00:00.000Z");
    EXPECT_EQ(run.warnings.at(0).code, "date-of-file");
    EXPECT_NE(run.metrics->replayMode, "");
    EXPECT_EQ(run.metrics->replayMode, run.metrics->cacheControl);
    EXPECT_EQ(run.metrics->launch, "k");
    EXPECT_EQ(run.imported->file, "x.ncu-rep");
    EXPECT_EQ(run.imported->fileHash, "hash");
    EXPECT_FALSE(run.correctness.reason.empty());
    result.startedAt = "2026-01-01T00:00:00.000Z";
    result.replayMode = "application";
    result.cacheControl = "none";
    result.device.ccMajor = 7;
    result.device.ccMinor = 5;
    result.facts.index = 2;
    result.facts.texts = {{"device__attribute", "text"}};
    result.values = {{"profiler__replayer_passes", 9}, {"device__attribute", std::nullopt}};
    result.missing = {{"device__attribute", "a text"}};
    run = importedRun(result);
    EXPECT_EQ(run.id.text, makeUuidFromName("import hash 2"));
    EXPECT_EQ(run.startedAt, "2026-01-01T00:00:00.000Z");
    EXPECT_THAT(run.warnings, IsEmpty());
    EXPECT_EQ(run.metrics->replayMode, "application");
    EXPECT_EQ(run.metrics->cacheControl, "none");
    EXPECT_EQ(run.metrics->plan.passes, 9);
    EXPECT_EQ(run.metrics->plan.ran, 9);
    EXPECT_THAT(run.device.name, HasSubstr("7.5"));
    EXPECT_FALSE(run.metrics->values.contains("device__attribute"));
    EXPECT_FALSE(run.metrics->missing.contains("device__attribute"));
}

TEST(ImportedFacts, WhatIsNoLaunchHasNoneAndIsNamedByItsPlace)
{
    ImportedResult result = bareLaunch();
    result.facts.kind = "command list";
    result.facts.kernel.clear();
    result.facts.index = 4;
    const RunRecord run = importedRun(result);
    EXPECT_THAT(run.launches, IsEmpty());
    EXPECT_EQ(toText(run.kernel), "program/command-5");
    EXPECT_EQ(run.warnings.back().code, "several-launches");
    EXPECT_THAT(run.metrics->rangeMode, HasSubstr(result.facts.kind));
    result = bareLaunch();
    EXPECT_NE(importedRun(result).metrics->rangeMode, run.metrics->rangeMode);
    result.facts.mangled = "_Z3mulPf";
    result.facts.kernel = "another";
    EXPECT_THAT(toText(importedRun(result).kernel), HasSubstr("mul")) << "the mangled name is the same in every file";
}

TEST(ImportedFactTexts, SnapshotOfWhatStandsForTheMissing)
{
    std::string text;
    const auto add = [&](const std::string& which, const ImportedResult& result) {
        const RunRecord run = importedRun(result);
        text += which + ": " + run.device.name + " | " + run.metrics->rangeMode + " | " + run.metrics->replayMode + " | " +
                run.metrics->cacheControl + " | " + run.correctness.reason + '\n';
        for (const Warning& warning : run.warnings)
            text += "  " + warning.code + ": " + warning.text + '\n';
    };
    ImportedResult result = bareLaunch();
    add("a launch", result);
    result.values = {{"gpu__time_duration.sum", 2000}};
    result.device.ccMajor = 7;
    result.device.ccMinor = 5;
    result.startedAt = "2026-01-01T00:00:00.000Z";
    add("a launch with a time", result);
    result.facts.kind = "command list";
    add("a command list", result);
    test::expectSnapshot("texts/imported-facts.txt", text);
}

TEST(DerivedMetrics, FollowFromTheOnesThatAreThere)
{
    const std::string perLoad = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
    const std::string perStore = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio";
    const std::string loads = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld";
    const std::string stores = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st";
    MetricSet metrics;
    metrics.values = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 64},
                      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 16},
                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 30},
                      {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0},
                      {loads + ".ratio", 8},
                      {loads + ".max_rate", 32},
                      {stores + ".ratio", 24},
                      {stores + ".max_rate", 32},
                      {"lts__t_sectors.sum", 10},
                      {"smsp__sass_inst_executed_op_global_ld.sum", 100},
                      {"smsp__sass_inst_executed_op_global_st.sum", 50},
                      {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 7},
                      {"smsp__inst_executed_op_global_red.sum", 3},
                      {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 99}};
    MetricSet partial = metrics;
    addDerivedMetrics(metrics);
    EXPECT_EQ(metrics.values.at(perLoad), 4);
    EXPECT_FALSE(metrics.values.at(perStore)) << "no requests to divide by";
    EXPECT_TRUE(metrics.missing.contains(perStore));
    EXPECT_FALSE(metrics.missing.contains(perLoad));
    EXPECT_EQ(metrics.values.at(loads + ".pct"), 25);
    EXPECT_EQ(metrics.values.at(stores + ".pct"), 75);
    EXPECT_EQ(metrics.values.at("lts__t_bytes.sum"), 320);
    EXPECT_EQ(metrics.values.at("smsp__sass_inst_executed_op_global_atom.sum"), 7);
    EXPECT_EQ(metrics.values.at("smsp__sass_inst_executed_op_global_red.sum"), 3) << "the first source that is there";
    EXPECT_EQ(metrics.values.at("smsp__sass_inst_executed_op_global.sum"), 160);
    EXPECT_EQ(metrics.spelled.at("smsp__sass_inst_executed_op_global_red.sum"), "smsp__inst_executed_op_global_red.sum");
    partial.values.erase("smsp__sass_inst_executed_op_global_st.sum");
    partial.values["lts__t_bytes.sum"] = 5;
    partial.missing = {{perLoad, "asked for"}, {perStore, "asked for"}};
    addDerivedMetrics(partial);
    EXPECT_FALSE(partial.values.contains("smsp__sass_inst_executed_op_global.sum") &&
                 partial.values.at("smsp__sass_inst_executed_op_global.sum"))
        << "no sum of a part";
    EXPECT_EQ(partial.values.at("lts__t_bytes.sum"), 5) << "what was measured stays";
    EXPECT_FALSE(partial.missing.contains(perLoad));
    EXPECT_EQ(partial.missing.at(perStore), "asked for") << "the file's own reason";
}

TEST(FilesThatAreNone, AreNamedByWhatTheyAre)
{
    const TempDir dir;
    const Catalog catalog = *Catalog::loadEmbedded();
    const auto getErrorCode = [&](const std::string& name) {
        const auto opened = openFile((dir / name).string(), loadImportTree(), catalog);
        EXPECT_FALSE(opened) << name;
        EXPECT_EQ(opened ? "" : opened.error().where, (dir / name).string());
        return opened ? ErrorCode::internal : opened.error().code;
    };
    std::filesystem::create_directory(dir / "folder");
    writeBytes(dir / "empty", "");
    writeBytes(dir / "text", "hello");
    writeBytes(dir / "json", "{}");
    writeBytes(dir / "list", "[]");
    writeBytes(dir / "none.json", R"({"schema":"kernelloop.runs/1","results":[]})");
    writeBytes(dir / "cut.bundle", packBytes(std::string(3000, 'x') + newUuid()).substr(0, 20));
    writeBytes(dir / "other.bundle", packBytes(R"({"schema":"other","results":[]})"));
    for (const char* name : {"folder", "empty", "text", "json", "list", "none.json", "cut.bundle", "other.bundle", "missing"})
        EXPECT_EQ(getErrorCode(name), ErrorCode::badInput) << name;
    for (const char* name : {"folder", "empty", "missing"})
        EXPECT_EQ(PlainFile::open((dir / name).string()).error().code, ErrorCode::badInput) << name;
}

TEST(FilesThatAreNone, OtherWellKnownKindsSayWhatToDo)
{
    using namespace std::string_literals;
    for (const std::string& bytes : {"SQLite format 3\0"s, "NSRP"s, "QDSTRM"s, "PK\x03\x04"s, "\x1f\x8b"s, "\xfd"s + "7zXZ", "==PROF=="s}) {
        const auto error = foreignKind(bytes + "rest", "file");
        ASSERT_TRUE(error) << bytes;
        EXPECT_EQ(error->code, ErrorCode::badInput);
        EXPECT_EQ(error->where, "file");
        EXPECT_THAT(error->next, IsEmpty());
        EXPECT_FALSE(foreignKind(bytes.substr(0, bytes.size() - 1), "file")) << bytes;
        EXPECT_FALSE(foreignKind(' ' + bytes, "file"));
    }
    const auto program = foreignKind("\x7f"s + "ELF", "a.out");
    ASSERT_EQ(program->next.size(), 1U);
    EXPECT_EQ(program->next[0].id, StepId::profileProgram);
    EXPECT_EQ(program->next[0].at(StepArgument::program), "a.out");
    EXPECT_FALSE(foreignKind("==PROF== x\n\"ID\",\"Process ID\",", "file")) << "a table follows";
}

TEST(FilesThatAreNone, TheOpenDatabaseIsNotRead)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    for (const Error& error : {fileBytes((dir / "kl.db").string()).error(), PlainFile::open((dir / "kl.db").string()).error()}) {
        EXPECT_EQ(error.code, ErrorCode::badInput);
        EXPECT_EQ(error.next.size(), 2U);
    }
}

TEST(FilesOfBytes, AreReadWholeWhateverTheirSize)
{
    const TempDir dir;
    for (const std::size_t size : {std::size_t{1}, std::size_t{4096}, (std::size_t{1} << 20U) + 1}) {
        const std::string bytes(size, 'x');
        writeBytes(dir / "file", bytes);
        EXPECT_EQ(fileBytes((dir / "file").string())->view(), bytes);
        std::string parts;
        const PlainFile file = *PlainFile::open((dir / "file").string());
        EXPECT_EQ(file.head(), bytes.substr(0, std::size_t{1} << 18U));
        for (int round = 0; round < 2; ++round) {
            parts.clear();
            const ByteSource source = file.bytes();
            for (std::string_view part = *source(); !part.empty(); part = *source())
                parts += part;
            EXPECT_EQ(parts, bytes) << "each time from the start";
        }
    }
}

class OwnBundles : public testing::Test {
protected:
    OwnBundles()
    {
        for (int i = 0; i < 3; ++i)
            runs.push_back(support::profiledRun("r" + std::to_string(i), "naive", "2026-03-01T09:00:00.000Z", 1000 + i));
    }
    std::string encodeRuns(const char* schema = "kernelloop.bundle/1") const
    {
        Json json{{"schema", schema}, {"results", Json::array()}};
        for (const RunRecord& run : runs)
            json["results"].push_back(runToJson(run));
        return encode(json);
    }
    Result<std::vector<ImportedRun>> import(
        const std::string& bytes, const std::function<bool(const RunRecord&)>& wanted = [](const RunRecord&) { return true; })
    {
        writeBytes(dir / "file", bytes);
        const PlainFile file = *PlainFile::open((dir / "file").string());
        return importRuns(
            file, "file", loadImportTree(), [&] { return Result<const Catalog*>(&catalog); },
            [&] {
                opened = true;
                return Result<Store*>(store.get());
            },
            wanted);
    }
    TempDir dir;
    Catalog catalog = *Catalog::loadEmbedded();
    std::unique_ptr<Store> store = openStore(":memory:");
    bool opened = false;
    std::vector<RunRecord> runs;
};

TEST_F(OwnBundles, AreStoredOnceAndOnlyWhatIsWanted)
{
    auto rows = import(packBytes(encodeRuns()), [](const RunRecord& run) { return run.id.text != "r1"; });
    ASSERT_TRUE(rows) << rows.error().message;
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_EQ(rows->at(0).id.text + rows->at(1).id.text, "r0r2");
    EXPECT_TRUE(rows->at(0).fresh);
    EXPECT_EQ(rows->at(0).kernel, "transpose/naive");
    EXPECT_EQ(rows->at(0).problem, "M=64,N=64");
    EXPECT_EQ(rows->at(0).gpuNs, 1000);
    EXPECT_FALSE(rows->at(0).classId.empty());
    rows = import(encodeRuns("kernelloop.runs/1"));
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), 3U);
    EXPECT_FALSE(rows->at(0).fresh);
    EXPECT_TRUE(rows->at(1).fresh);
    EXPECT_EQ(support::infoValue(*store, "runs"), "3");
}

TEST_F(OwnBundles, OfADamagedOneNothingIsStored)
{
    const std::string packed = packBytes(encodeRuns());
    std::string spoilt = encodeRuns();
    spoilt.replace(spoilt.rfind("\"transpose"), 10, "7         ");
    for (const std::string& bytes :
         {packed.substr(0, packed.size() - 5), encodeRuns().substr(0, encodeRuns().size() - 20), spoilt, packBytes(encodeRuns("other")),
          std::string(R"({"results":[]})"), packBytes(encodeRuns()) + packBytes("x")}) {
        const auto rows = import(bytes);
        ASSERT_FALSE(rows);
        EXPECT_EQ(rows.error().code, ErrorCode::badInput);
        EXPECT_FALSE(opened) << "no database is made for it";
    }
    EXPECT_EQ(support::infoValue(*store, "runs"), "0");
}

TEST_F(OwnBundles, TheResultThatCannotBeReadIsNumbered)
{
    Json json = *parseJson(encodeRuns(), "t");
    json["results"][2]["id"] = 7;
    const auto read = readRuns(encode(json), "file");
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message, HasSubstr(" 3"));
    json["results"][1].erase("correctness");
    EXPECT_FALSE(readRuns(encode(json), "file"));
    EXPECT_EQ(readRuns(encode(runToJson(runs[0])), "file")->at(0), runs[0]) << "one run by itself";
}

TEST_F(OwnBundles, HoldWhatTheirBeginningSays)
{
    const auto may = [&](const std::string& bytes) {
        writeBytes(dir / "file", bytes);
        return mayHoldOwnRuns(*PlainFile::open((dir / "file").string()));
    };
    EXPECT_TRUE(may(packBytes(encodeRuns())));
    EXPECT_TRUE(may(" \r\n\t{}"));
    EXPECT_TRUE(may("\xef\xbb\xbf{}"));
    EXPECT_FALSE(may("[]"));
    EXPECT_FALSE(may("   "));
    EXPECT_FALSE(may(packBytes("NVR" + std::string(1, '\0') + "x")));
    RunRecord program = runs[0];
    program.imported.emplace();
    program.imported->kernel = "mul(float*)";
    EXPECT_EQ(inShort(program, false).kernel, "mul(float*)");
    program.imported->kernel.clear();
    program.timing.reset();
    program.diagnosis.reset();
    EXPECT_EQ(inShort(program, false).kernel, "transpose/naive");
    EXPECT_EQ(inShort(program, false).classId, "");
    EXPECT_FALSE(inShort(program, false).gpuNs);
    EXPECT_FALSE(inShort(program, false).fresh);
}

TEST_F(OwnBundles, AnExportIsWholeOrNotThere)
{
    for (int i = 3; i < 40; ++i)
        runs.push_back(support::timedRun("r" + std::to_string(i), "naive", "2026-03-01T09:00:00.000Z", 1000));
    std::vector<RunId> ids;
    for (const RunRecord& run : runs) {
        ASSERT_TRUE(store->saveRun(run));
        ids.push_back(run.id);
    }
    for (const char* name : {"out.bundle", "out.json"}) {
        const auto bytes = exportRuns(*store, ids, (dir / name).string(), {});
        ASSERT_TRUE(bytes);
        EXPECT_EQ(*bytes, std::filesystem::file_size(dir / name));
        const std::string text = support::readBytes(dir / name);
        EXPECT_EQ(*readRuns(text, name), runs);
    }
    ids.push_back({"none"});
    EXPECT_EQ(exportRuns(*store, ids, (dir / "bad.bundle").string(), {}).error().code, ErrorCode::notFound);
    Job job;
    std::stop_source stopped;
    stopped.request_stop();
    job.stop = stopped.get_token();
    EXPECT_EQ(exportRuns(*store, ids, (dir / "bad.bundle").string(), job).error().code, ErrorCode::interrupted);
    EXPECT_FALSE(std::filesystem::exists(dir / "bad.bundle"));
}

TEST_F(OwnBundles, AResultOfALaterBatchIsNumberedFromTheBeginning)
{
    Json json{{"schema", "kernelloop.bundle/1"}, {"results", Json::array()}};
    for (int i = 0; i < 400; ++i)
        json["results"].push_back(runToJson(support::timedRun("r" + std::to_string(i), "naive", "2026-03-01T09:00:00.000Z", 1000 + i)));
    json["results"][350]["id"] = 7;
    const std::string text = encode(json);
    std::size_t at = 0;
    RunReader reader(
        [&]() -> Result<std::string_view> {
            const std::string_view part = std::string_view(text).substr(at, 1000);
            at += part.size();
            return part;
        },
        false, "file");
    std::size_t given = 0;
    Result<std::vector<RunRecord>> some = reader.next();
    for (; some && !some->empty(); some = reader.next())
        given += some->size();
    ASSERT_FALSE(some);
    EXPECT_GT(given, 0U);
    EXPECT_LE(given, 350U);
    EXPECT_THAT(some.error().message, HasSubstr(" 351"));
    EXPECT_EQ(some.error().where, "file");
}

TEST(UnpackedFiles, AFrameIsWholeOnlyWithItsLastByte)
{
    const auto unpackedText = [](const std::string& bytes) -> Result<std::string> {
        const ByteSource source = unpackSource(toByteSource(bytes), "file");
        std::string text;
        for (;;) {
            KL_ASSIGN(const std::string_view part, source());
            if (part.empty())
                return text;
            text += part;
        }
    };
    std::string varied;
    for (int i = 0; i < 50'000; ++i)
        varied += std::to_string(i * 7919 % 10'007) + ' ';
    for (const std::string& text : {std::string("short"), std::string(300'000, 'x'), varied}) {
        const std::string frame = packBytes(text);
        EXPECT_TRUE(isCompressed(frame));
        EXPECT_EQ(*unpackedText(frame), text);
        for (const std::size_t cut : {1U, 2U, 3U, 4U, 5U, 6U}) {
            const Result<std::string> half = unpackedText(frame.substr(0, frame.size() - cut));
            ASSERT_FALSE(half) << text.size() << ' ' << cut;
            EXPECT_EQ(half.error().code, ErrorCode::badInput);
            EXPECT_EQ(half.error().where, "file");
        }
    }
    EXPECT_FALSE(isCompressed("plain"));
    EXPECT_FALSE(unpackedText("plain"));
}

TEST_F(OwnBundles, AnExportThatIsCanceledLeavesNoFile)
{
    ASSERT_TRUE(store->saveRun(runs[0]));
    std::stop_source source;
    source.request_stop();
    Job job;
    job.stop = source.get_token();
    EXPECT_EQ(exportRuns(*store, {runs[0].id}, (dir / "out.bundle").string(), job).error().code, ErrorCode::interrupted);
    EXPECT_FALSE(std::filesystem::exists(dir / "out.bundle"));
}

TEST(DerivedMetrics, WhatIsThereStaysAndWhatIsDerivedIsNoLongerMissing)
{
    MetricSet metrics;
    metrics.values = {{"lts__t_sectors.sum", 10.0}};
    metrics.missing = {{"lts__t_bytes.sum", "the chip lacks it"}};
    addDerivedMetrics(metrics);
    EXPECT_EQ(metrics.values.at("lts__t_bytes.sum"), 320);
    EXPECT_FALSE(metrics.missing.contains("lts__t_bytes.sum"));
    EXPECT_FALSE(metrics.spelled.at("lts__t_bytes.sum").empty());
    MetricSet measured;
    measured.values = {{"lts__t_sectors.sum", 10.0}, {"lts__t_bytes.sum", 7.0}};
    addDerivedMetrics(measured);
    EXPECT_EQ(measured.values.at("lts__t_bytes.sum"), 7);
    EXPECT_FALSE(measured.spelled.contains("lts__t_bytes.sum"));
    for (const auto& [name, reason] : measured.missing) {
        EXPECT_FALSE(measured.values.at(name)) << name;
        EXPECT_FALSE(reason.empty()) << name;
    }
}

} // namespace
} // namespace kl::test
