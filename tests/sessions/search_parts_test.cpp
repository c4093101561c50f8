// SPDX-License-Identifier: MIT
// The parts that a search is made of, each by itself.
#include "core/base/format.h"
#include "core/stats/ratio_text.h"
#include "kernels/code_builder.h"
#include "kernels/space/search_space.h"
#include "profiler/protocol/message_codec.h"
#include "sessions/search/best_point.h"
#include "sessions/search/candidate_space.h"
#include "sessions/search/confirm.h"
#include "sessions/search/packed_search.h"
#include "sessions/search/recorded_export.h"
#include "sessions/search/recorded_file.h"
#include "sessions/search/recorded_listing.h"
#include "sessions/search/recorded_search.h"
#include "sessions/search/search_insight.h"
#include "sessions/search/search_log.h"
#include "sessions/search/tuned_export.h"
#include "sessions/search/tuned_record.h"
#include "sessions/store/blob.h"
#include "sessions/store/search_records.h"
#include "tests/sessions/text_lines.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Params pointAt(std::int64_t rows, const std::string& word)
{
    return {{"ROWS", rows}, {"WORD", word}};
}

/// ROWS 64, 32, 16 and WORD b, a, in this order.
std::vector<Tunable> twoTunables()
{
    Tunable rows;
    rows.name = "ROWS";
    rows.values = {std::int64_t{64}, std::int64_t{32}, std::int64_t{16}};
    rows.defaultValue = std::int64_t{32};
    Tunable word;
    word.name = "WORD";
    word.values = {std::string("b"), std::string("a")};
    word.defaultValue = std::string("a");
    return {rows, word};
}

/// Four compiled points: the second is the program of the first, the third spills.
SpaceBuild fourPoints()
{
    SpaceBuild build;
    for (const Params& tunables : {pointAt(64, "a"), pointAt(64, "b"), pointAt(32, "a"), pointAt(16, "a")}) {
        build.space.points.emplace_back().tunables = tunables;
        CompiledPoint& compiled = build.points.emplace_back();
        compiled.index = build.points.size() - 1;
        compiled.built.launches = {{"k", 128, 32, 8, 0, 0, 1024, 512, 1, {{"mma", 4}}},
                                   {"l", 128, 16, 0, 0, 0, 0, 0, 1, {{"mma", 3}, {"bar", 1}}}};
    }
    build.points[1].sameAs = 0;
    build.points[2].verdict = {false, "spills", "It spills."};
    build.points[3].built.cached = true;
    return build;
}

SmLimits hopperLimits()
{
    SmLimits sm;
    sm.ccMajor = 9;
    sm.smemPerSm = 233472;
    sm.smemOptin = 232448;
    sm.smemReserved = 1024;
    sm.maxWarps = 64;
    sm.maxBlocks = 32;
    return sm;
}

TEST(CandidateSpaces, KnowTheTightestLaunchAndAllInstructions)
{
    SpaceBuild build = fourPoints();
    build.points[0].built.launches[0].registers = 200; // two blocks of 128 threads
    GateVerdict coalescing;
    coalescing.gate = SpaceGate::coalescing;
    coalescing.judged = true;
    coalescing.value = 62.5;
    build.space.points[0].verdicts[4] = coalescing;
    const SmLimits sm = hopperLimits();
    EXPECT_EQ(collectKnownFacts(build, build.points[0], sm),
              (std::map<std::string, double>{{"occupancy", computeOccupancy(sm, build.points[0].built.launches[0]).percent},
                                             {"registers", 200},
                                             {"local_bytes", 8},
                                             {"smem", 1536},
                                             {"opcode mma", 7},
                                             {"opcode bar", 1},
                                             {"sector_efficiency", 62.5}}));
    build.space.points[0].verdicts[4].judged = false;
    EXPECT_FALSE(collectKnownFacts(build, build.points[0], sm).contains("sector_efficiency"));
    build.points[0].built.launches.clear();
    EXPECT_THAT(collectKnownFacts(build, build.points[0], sm), IsEmpty());
    const std::vector<FeatureColumn> columns = makeColumns({{{"a", 1}}, {{"b", 2}}, {{"a", 3}, {"b", 4}}});
    ASSERT_THAT(columns, SizeIs(2));
    EXPECT_EQ(columns[0].name, "a");
    EXPECT_THAT(columns[0].values, ElementsAre(1, 0, 3));
    EXPECT_THAT(columns[1].values, ElementsAre(0, 2, 4));
}

TEST(CandidateSpaces, HaveTheValuesThatOccurInTheDescriptorsOrder)
{
    const Params first = pointAt(16, "a"), second = pointAt(64, "a");
    const Result<TuningSpace> space = makeSpace(twoTunables(), {&first, &second});
    ASSERT_TRUE(space) << space.error().message;
    ASSERT_THAT(space->axes(), SizeIs(2));
    EXPECT_THAT(space->axes()[0].values, ElementsAre("64", "16"));
    EXPECT_THAT(space->axes()[1].values, ElementsAre("a"));
    EXPECT_EQ(space->text(0), "ROWS=16,WORD=a");
    EXPECT_EQ(space->text(1), "ROWS=64,WORD=a");
    EXPECT_EQ(formatParamValue(ParamValue(std::int64_t{-3})), "-3");
    EXPECT_EQ(formatParamValue(ParamValue(std::string("x"))), "x");
}

TEST(CandidateSpaces, StartAtTheirProgramsAndLeaveTheRestOut)
{
    KernelFamily family;
    family.tunables = twoTunables();
    const SpaceBuild build = fourPoints();
    EXPECT_THAT(build.candidates(), ElementsAre(&build.points[0], &build.points[3]));
    EXPECT_EQ(build.countRejectedBy("spills"), 1U);
    EXPECT_EQ(build.countRejectedBy("compile"), 0U);
    EXPECT_EQ(build.countCached(), 1U);
    const Result<SearchSetting> setting = candidateSpace(
        family, build, hopperLimits(), {pointAt(16, "a"), pointAt(64, "b"), pointAt(32, "a"), pointAt(8, "a"), pointAt(64, "a")});
    ASSERT_TRUE(setting) << setting.error().message;
    EXPECT_THAT(setting->start, ElementsAre(1, 0, 0)) << "what was rejected or is not a point cannot be measured";
    EXPECT_EQ(setting->space.size(), 2U);
    EXPECT_EQ(setting->space.text(1), "ROWS=16,WORD=a");
}

TEST(SearchLogs, ATrialHasEachFigureOfItsPoint)
{
    TunedPoint point;
    point.tunables = pointAt(64, "a");
    point.ns = 100;
    point.joules = 0.5;
    point.gpu = "GPU-1";
    point.why = "an old reason";
    point.seconds = 2;
    point.at = 30;
    point.remembered = point.cut = true;
    SearchTrial expected;
    expected.tunables = "ROWS=64,WORD=a";
    expected.ns = 100;
    expected.joules = 0.5;
    expected.gpu = "GPU-1";
    expected.seconds = 2;
    expected.at = 30;
    expected.remembered = expected.cut = true;
    EXPECT_EQ(makeTrial(point), expected);
    point.ns.reset();
    EXPECT_EQ(makeTrial(point).why, "an old reason");
    EXPECT_EQ(point.cost(Objective::time), std::nullopt);
    EXPECT_EQ(point.cost(Objective::energy), 0.5);
}

TEST(TunedRecords, AreInTheOrderOfTheirTunables)
{
    TuneResult result;
    EXPECT_EQ(makeTunedSpace(result).error().code, ErrorCode::badInput);
    result.device = "H200";
    result.build.space.kernel = "k/v";
    result.build.space.problem = "N=1";
    for (const auto& [rows, ns] : {std::pair{64, 3e6}, std::pair{16, 2e6}, std::pair{32, 0.0}}) {
        TunedPoint& point = result.points.emplace_back();
        point.tunables = pointAt(rows, "a");
        point.seconds = rows;
        if (ns > 0)
            point.ns = ns;
        else
            point.why = "failed";
    }
    result.points[1].remembered = true;
    const Result<RecordedSpace> recorded = makeTunedSpace(result);
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_THAT(recorded->name, AllOf(HasSubstr("k/v"), HasSubstr("N=1"), HasSubstr("H200")));
    EXPECT_EQ(recorded->space.text(0), "ROWS=16,WORD=a");
    EXPECT_EQ(recorded->values, (std::vector<std::optional<double>>{2, std::nullopt, 3}));
    EXPECT_THAT(recorded->failures, ElementsAre("", "failed", ""));
    EXPECT_THAT(recorded->costs, ElementsAre(0, 32, 64)) << "what an earlier search measured has no known cost";
}

/// ROWS=2 failed, ROWS=1.5 did not.
RecordedSpace smallSpace()
{
    RecordedSpace recorded{
        "k", *TuningSpace::fromTexts({"ROWS", "WORD"}, {{"2", "a"}, {"1.5", "b"}}), {std::nullopt, 2.5}, {"it faults", ""}, {0.25, 0.5}};
    return recorded;
}

TEST(RecordedExport, WritesEachFormatWithItsUnits)
{
    EXPECT_EQ(formatRecorded(smallSpace(), RecordedFormat::csv),
              "ROWS,WORD,time_ms,cost_s,failure\r\n2,a,,0.25,it faults\r\n1.5,b,2.5,0.5,\r\n");
    const Json cache = Json::parse(formatRecorded(smallSpace(), RecordedFormat::cache));
    EXPECT_EQ(
        cache,
        (Json{
            {"kernel_name", "k"},
            {"tune_params_keys", {"ROWS", "WORD"}},
            {"tune_params", {{"ROWS", {1.5, 2}}, {"WORD", {"a", "b"}}}},
            {"objective", "time"},
            {"cache",
             {{"2,a",
               {{"ROWS", 2}, {"WORD", "a"}, {"time", "it faults"}, {"compile_time", 250.0}, {"benchmark_time", 0}, {"framework_time", 0}}},
              {"1.5,b",
               {{"ROWS", 1.5}, {"WORD", "b"}, {"time", 2.5}, {"compile_time", 500.0}, {"benchmark_time", 0}, {"framework_time", 0}}}}}}));
    const Json t4 = Json::parse(formatRecorded(smallSpace(), RecordedFormat::t4));
    EXPECT_EQ(t4["metadata"]["timeunit"], "milliseconds");
    EXPECT_EQ(t4["schema_version"], "1.0.0");
    ASSERT_THAT(t4["results"], SizeIs(2));
    EXPECT_EQ(t4["results"][0], (Json{{"configuration", {{"ROWS", 2}, {"WORD", "a"}}},
                                      {"times", {{"compilation", 250.0}, {"benchmark", 0}, {"framework", 0}}},
                                      {"invalidity", "it faults"},
                                      {"correctness", 0},
                                      {"measurements", {{{"name", "time"}, {"value", "it faults"}, {"unit", "ms"}}}},
                                      {"objectives", {"time"}}}));
    EXPECT_EQ(t4["results"][1]["invalidity"], "correct");
    EXPECT_EQ(t4["results"][1]["correctness"], 1);
    EXPECT_EQ(t4["results"][1]["measurements"][0]["value"], 2.5);
}

TEST(RecordedExport, TheNameSaysTheFormat)
{
    for (const auto& [name, format] :
         {std::pair{"a.csv", RecordedFormat::csv}, std::pair{"a.csv.gz", RecordedFormat::csv},
          std::pair{"a.cache.json", RecordedFormat::cache}, std::pair{"a.cache.json.gz", RecordedFormat::cache},
          std::pair{"a.json", RecordedFormat::t4}, std::pair{"x/a.json.gz", RecordedFormat::t4}})
        EXPECT_EQ(*formatFor(name), format) << name;
    for (const char* name : {"a", "a.txt", "a.json.zip", "csv"})
        EXPECT_EQ(formatFor(name).error().code, ErrorCode::usage) << name;
    EXPECT_EQ(writeRecordedSpace(smallSpace(), "/tmp/a.txt").error().code, ErrorCode::usage);
}

TEST(RecordedFiles, CostsAreTheSumOfTheirParts)
{
    const auto readT4Cost = [](const std::string& metadata, const std::string& times) {
        const auto read =
            parseRecordedSpace(R"({"metadata": {"timeunit": ")" + metadata + R"("}, "results": [{"configuration": {"A": 1}, "times": )" +
                                   times + R"(, "invalidity": "correct", "measurements": [{"name": "time", "value": 1}]}]})",
                               "f");
        EXPECT_TRUE(read) << read.error().message;
        return read->costs.at(0);
    };
    EXPECT_DOUBLE_EQ(readT4Cost("milliseconds", R"({"compilation": 1, "framework": 2, "benchmark": 4, "runtimes": [100]})"), 7e-3);
    EXPECT_DOUBLE_EQ(readT4Cost("seconds", R"({"compilation": 1, "framework": 2, "runtimes": [4, 8, "x"]})"), 15);
    EXPECT_DOUBLE_EQ(readT4Cost("microseconds", R"({"benchmark": 5})"), 5e-6);
    EXPECT_DOUBLE_EQ(readT4Cost("ns", R"({"benchmark": 5})"), 5e-9);
    const auto invalid = parseRecordedSpace(
        R"({"results": [{"configuration": {"A": 1}, "invalidity": "compile", "measurements": [{"name": "time", "value": 1}]},
        {"configuration": {"A": 2}, "objectives": ["t"], "measurements": [{"name": "time", "value": 1, "unit": "ms"},
        {"name": "t", "value": 2, "unit": "s"}]},
        {"configuration": {"A": 3}, "measurements": []}]})",
        "f");
    ASSERT_TRUE(invalid) << invalid.error().message;
    EXPECT_EQ(invalid->values, (std::vector<std::optional<double>>{std::nullopt, 2000, std::nullopt}));
    EXPECT_THAT(invalid->failures, ElementsAre("compile", "", kNoTime));
    const auto csv = parseRecordedSpace("A,time_ms,cost_s,failure\n1,2.5,7,\n2,,,why\n3,1,0,\n", "x.csv.gz");
    ASSERT_TRUE(csv) << csv.error().message;
    EXPECT_THAT(csv->costs, ElementsAre(7, 0, 0));
    EXPECT_THAT(csv->failures, ElementsAre("", "why", ""));
    EXPECT_FALSE(parseRecordedSpace("A,time_ms\n1,1\n", "x.txt")) << "not named as CSV";
    EXPECT_FALSE(parseRecordedSpace("A,time_ms,cost_s\n1,1,1e10\n", "x.csv")) << "three centuries";
    EXPECT_TRUE(parseRecordedSpace("A,time_ms,cost_s\n1,1,1e9\n", "x.csv"));
}

TEST(RecordedSearches, ChargeWhatTheyMeasuredAlone)
{
    SearchRecord record;
    record.id = "abc";
    record.kernel = "mine/gone";
    record.problem = "N=1";
    record.device = "H200";
    for (const int rows : {64, 32, 16}) {
        SearchTrial& trial = record.trials.emplace_back();
        trial.tunables = "ROWS=" + std::to_string(rows) + ",WORD=a";
        trial.ns = rows * 1e6;
        trial.seconds = rows;
    }
    record.trials[1].remembered = true;
    record.trials[0].why = "an old reason";
    const Catalog none{std::vector<KernelFamily>()};
    const Result<RecordedSpace> space = makeRecordedSpace(record, none);
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_THAT(space->costs, ElementsAre(64, 0, 16));
    EXPECT_THAT(space->failures, ElementsAre("", "", "")) << "it has a time";
    EXPECT_EQ(space->values[2], 16);
    EXPECT_THAT(space->start, ElementsAre(2)) << "the least of each where the kernel is gone";
    KernelFamily family;
    family.id = "mine";
    family.tunables = twoTunables();
    const Catalog with{std::vector<KernelFamily>{family}};
    EXPECT_THAT(makeRecordedSpace(record, with)->start, ElementsAre(1)) << "the kernel's default";
    EXPECT_THAT(makeRecordedSpace(record, with)->space.axes()[0].values, ElementsAre("64", "32", "16"));
    record.trials[1].tunables = "ROWS=48,WORD=a";
    EXPECT_THAT(makeRecordedSpace(record, with)->space.axes()[0].values, ElementsAre("16", "48", "64")) << "48 is not a value of it now";
}

TEST(PackedSearches, HoldNothingOfTheMachine)
{
    SearchRecord record;
    record.id = "i";
    record.kernel = "k/v";
    record.host = "gpu7";
    record.device = "H200";
    record.deviceUuid = "GPU-1";
    record.trials.emplace_back().tunables = "A=1";
    record.trials[0].ns = 123.456789;
    record.trials[0].metrics = {{"m", 123456.789}};
    record.best.emplace();
    record.best->run = "run";
    record.best->comparison = "comparison";
    record.best->profile = "profile";
    record.best->kernel = "k/v";
    const Result<std::string> text = unpackBytes(packSearch(record));
    ASSERT_TRUE(text) << text.error().message;
    const SearchRecord read = *searchRecordFromJson(Json::parse(*text), "packed");
    record.host.clear();
    record.deviceUuid.clear();
    record.best->run.clear();
    record.best->comparison.clear();
    record.best->profile.clear();
    record.trials[0].metrics["m"] = 123460;
    EXPECT_EQ(read, record);
}

/// Answers runs of a catalog's kernel, and keeps what it was asked.
class ConfirmingGpu final : public Collector {
public:
    ConfirmingGpu()
    {
        answer.timing.emplace();
        answer.timing->gpu = {100, 99, 101, 4};
        answer.baseline.emplace();
        answer.baseline->name = "copy";
        answer.baseline->version = "1.2";
        answer.baseline->gpu = Summary{150, 149, 151, 3};
    }
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    Result<Json> ask(Verb, const Json& body, const Job&) override
    {
        requested.push_back(*fromJsonMessage<RunRequest>(body));
        answer.timing->gpu.median = 100 * (1 + 0.001 * static_cast<double>(requested.size() % 2));
        return toJsonMessage(answer);
    }
    RunAnswer answer;
    std::vector<RunRequest> requested;

private:
    Hello hello_;
};

class Confirming : public testing::Test {
protected:
    Result<Confirmation> confirmation(int samples = 30) { return confirm(gpu, catalog, {"transpose", "naive", {}}, {}, samples, 1.2, {}); }
    Catalog catalog = *Catalog::loadEmbedded();
    ConfirmingGpu gpu;
};

TEST_F(Confirming, TakesBlocksOfTenUntilAllPassesAreThere)
{
    const Result<Confirmation> found = confirmation(25);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_THAT(gpu.requested, SizeIs(3));
    EXPECT_EQ(gpu.requested[0].trial, true);
    EXPECT_EQ(gpu.requested[0].maxSamples, kConfirmBlock);
    EXPECT_EQ(gpu.requested[0].minSeconds, 0);
    EXPECT_TRUE(gpu.requested[0].withBaseline);
    EXPECT_EQ(found->rival, "copy");
    EXPECT_EQ(found->version, "1.2");
    EXPECT_EQ(found->blocks, 3);
    EXPECT_EQ(found->target, 1.2);
    EXPECT_EQ(found->verdict, TargetVerdict::met);
    EXPECT_NEAR(found->student.value, 1.5, 0.01) << "rival over winner";
    EXPECT_EQ(found->rivalNs, 150);
    gpu.answer.timing->samples = {200, 200};
    EXPECT_NEAR(confirmation()->student.value, 0.75, 1e-9) << "the samples, where they are there";
}

TEST_F(Confirming, WithoutARivalItSaysWhy)
{
    gpu.answer.baseline->gpu.reset();
    const std::string unmeasured = confirmation()->reason;
    EXPECT_NE(unmeasured, "");
    gpu.answer.baseline->unavailable = "no torch";
    EXPECT_EQ(confirmation()->reason, "no torch");
    EXPECT_EQ(confirmation()->verdict, TargetVerdict::noRival);
    gpu.answer.baseline.reset();
    EXPECT_EQ(confirmation()->reason, unmeasured);
    EXPECT_EQ(confirmation()->verdict, TargetVerdict::noRival);
}

TEST_F(Confirming, AWinnerThatFailsIsAnError)
{
    gpu.answer.status = ResultStatus::computationFailed;
    gpu.answer.reason = "it faults";
    EXPECT_EQ(confirmation().error().code, ErrorCode::kernelFailed);
    EXPECT_THAT(confirmation().error().message, HasSubstr("it faults"));
    EXPECT_EQ(confirmation().error().where, "transpose/naive");
    gpu.answer.status = ResultStatus::ok;
    gpu.answer.correctness.result = CorrectnessResult::stateful;
    gpu.answer.correctness.witness = Witness{"It keeps state."};
    EXPECT_THAT(confirmation().error().message, HasSubstr("It keeps state."));
    EXPECT_THAT(gpu.requested, SizeIs(4)) << "one block each";
}

class ConfirmationTexts : public Confirming {};

TEST_F(ConfirmationTexts, SnapshotOfWhatCannotBeConfirmed)
{
    gpu.answer.baseline->gpu.reset();
    std::string text = "no rival: " + confirmation()->reason + '\n';
    gpu.answer.status = ResultStatus::computationFailed;
    gpu.answer.reason = "it faults";
    text += test::errorLine("a fault", confirmation().error());
    gpu.answer.status = ResultStatus::ok;
    gpu.answer.correctness.result = CorrectnessResult::stateful;
    gpu.answer.correctness.witness = Witness{"It keeps state."};
    text += test::errorLine("refuted", confirmation().error());
    test::expectSnapshot("texts/confirmation.txt", text);
}

TEST(SearchInsight, ADecidedSpaceNeedsEightTimedPoints)
{
    SearchRecord record;
    for (int i = 0; i < 8; ++i) {
        SearchTrial& trial = record.trials.emplace_back();
        trial.tunables = "A=" + std::to_string(i % 2) + ",B=" + std::to_string(i / 2 % 2);
        trial.ns = i % 2 == 0 ? 100 : 200;
    }
    EXPECT_THAT(computeImportance(record, 7), IsEmpty());
    const std::vector<Importance> all = computeImportance(record, 8);
    ASSERT_THAT(all, SizeIs(3));
    EXPECT_THAT(all[0].tunables, ElementsAre("A"));
    EXPECT_NEAR(all[0].share, 1, 1e-12);
    EXPECT_THAT(all[1].tunables, ElementsAre("B"));
    EXPECT_EQ(all[1].share, 0);
    EXPECT_THAT(all[2].tunables, ElementsAre("A", "B"));
    EXPECT_NEAR(all[2].share, 0, 1e-12);
    record.trials[7].why = "failed";
    EXPECT_THAT(computeImportance(record, 8), IsEmpty());
    record.trials[7].why.clear();
    record.trials[3].ns = 150; // adjusted for two groups of eight: 1 − (1 − R²) 7 / 6
    double mean = 0, between = 0, total = 0, odd = 0;
    for (const SearchTrial& trial : record.trials)
        mean += std::log(*trial.ns) / 8;
    for (std::size_t i = 1; i < 8; i += 2)
        odd += std::log(*record.trials[i].ns) / 4;
    between = 4 * (odd - mean) * (odd - mean) + 4 * (std::log(100.0) - mean) * (std::log(100.0) - mean);
    for (const SearchTrial& trial : record.trials)
        total += (std::log(*trial.ns) - mean) * (std::log(*trial.ns) - mean);
    EXPECT_NEAR(computeImportance(record, 100)[0].share, 1 - (1 - between / total) * 7 / 6, 1e-9);
}

TEST(SearchInsight, TheBestSoFarNeverRises)
{
    SearchRecord record;
    for (const double ns : {0.0, 5.0, 7.0, 3.0, 4.0}) {
        SearchTrial& trial = record.trials.emplace_back();
        if (ns > 0)
            trial.ns = ns;
    }
    record.trials[3].why = "refuted";
    EXPECT_THAT(bestSoFar(record), ElementsAre(std::nullopt, 5.0, 5.0, 5.0, 4.0));
}

TEST(SearchInsight, AReplayIsRecordedAsItWouldHaveBeen)
{
    RecordedSpace space = smallSpace();
    const Result<SearchRecord> record = replayRecord(space, "brute_force", 7, 1);
    ASSERT_TRUE(record) << record.error().message;
    EXPECT_EQ(record->state, SearchStage::finished);
    EXPECT_EQ(record->kernel, "k");
    EXPECT_EQ(record->strategy, "brute_force");
    EXPECT_EQ(record->seed, 7U);
    EXPECT_EQ(record->total, 2);
    EXPECT_EQ(record->left, 1);
    const SearchRecord whole = *replayRecord(space, "brute_force", 7, 9);
    ASSERT_THAT(whole.trials, SizeIs(2));
    EXPECT_EQ(whole.left, 0);
    EXPECT_EQ(whole.seconds, 0.75);
    EXPECT_EQ(whole.trials[1].at, 0.75);
    for (const SearchTrial& trial : whole.trials) {
        const bool failed = trial.tunables == "ROWS=2,WORD=a";
        EXPECT_EQ(trial.ns, failed ? std::nullopt : std::optional(2.5e6));
        EXPECT_EQ(trial.why, failed ? "it faults" : "");
        EXPECT_EQ(trial.seconds, failed ? 0.25 : 0.5);
    }
    EXPECT_EQ(replayRecord(space, "no such", 1, 1).error().code, ErrorCode::notFound);
}

TEST(TunedExport, HasEachFigureOfTheSearch)
{
    const Catalog catalog = *Catalog::loadEmbedded();
    const KernelFamily& family = **catalog.family("attention");
    const Variant& variant = **catalog.variant({"attention", "fused", {}});
    FoundBest best;
    SearchRecord& record = best.record;
    record.id = "id";
    record.startedAt = "2026-01-02T03:04:05.000Z";
    record.kernel = "attention/fused";
    record.problem = "B=2,BF16=0,CAUSAL=0,D=64,GROUP=1,H=8,OUTLIERS=0,S=512,SK=512";
    record.device = "H200";
    record.arch = "sm_90";
    record.driver = "580.1";
    record.objective = "energy";
    record.strategy = "tpe";
    record.seed = 5;
    record.left = 4;
    record.sourceHash = "hash";
    record.trials.resize(3);
    record.best.emplace();
    record.best->kernel = "attention/fused@BLOCK_M=32";
    record.best->tunables = "BLOCK_M=32,BLOCK_N=64,HALF2=on,MIN_BLOCKS=1,SPLIT_KV=off,STAGES=2,SWIZZLE=pad,UNROLL=full,WARPS=2";
    record.best->ns = 7000;
    record.best->joules = 0.25;
    record.best->overDefault = Ratio{1.5, 1.4, 1.6};
    record.best->confirmed.emplace();
    record.best->confirmed->rival = "SDPA";
    record.best->confirmed->version = "torch 2";
    record.best->confirmed->verdict = TargetVerdict::met;
    record.best->confirmed->student = {1.2, 1.1, 1.3};
    record.best->confirmed->bootstrap = {1.2, 1.15, 1.35};
    record.best->finding = "It waits.";
    record.best->run = "run";
    const Json json = *makeTunedJson(family, variant, best);
    EXPECT_EQ(json["schema"], "kernelloop.search-best/1");
    EXPECT_EQ(json["kernel"], "attention/fused@BLOCK_M=32");
    EXPECT_EQ(json["point"]["BLOCK_M"], 32);
    EXPECT_EQ(json["point"]["SWIZZLE"], "pad");
    EXPECT_THAT(json["compiler_options"].get<std::string>(), AllOf(HasSubstr("-DBLOCK_M=32"), HasSubstr(" -DWARPS=2")));
    EXPECT_EQ(json["problem"], record.problem);
    EXPECT_EQ(json["device"], "H200");
    EXPECT_EQ(json["arch"], "sm_90");
    EXPECT_EQ(json["driver"], "580.1");
    EXPECT_EQ(json["objective"], "energy");
    EXPECT_EQ(json["gpu_ns"], 7000);
    EXPECT_EQ(json["energy_per_launch_j"], 0.25);
    EXPECT_EQ(json["over_default"], 1.5);
    EXPECT_EQ(json["rival"], (Json{{"name", "SDPA"}, {"version", "torch 2"}, {"ratio", 1.2}, {"low", 1.1}, {"high", 1.35}}));
    EXPECT_EQ(json["finding"], "It waits.");
    EXPECT_EQ(json["run"], "run");
    EXPECT_EQ(json["source_hash"], "hash");
    EXPECT_EQ(json["stale"], nullptr);
    EXPECT_EQ(json["search"],
              (Json{{"id", "id"}, {"started_at", record.startedAt}, {"strategy", "tpe"}, {"seed", 5}, {"measured", 3}, {"left", 4}}));
    const std::string header = *makeTunedHeader(family, variant, best);
    for (const char* part :
         {"namespace kernelloop::tuned::attention_fused {", "device[] = \"H200\"", "arch[] = \"sm_90\"", "source_hash[] = \"hash\"",
          "kernel[] = \"attention/fused@BLOCK_M=32\"", "static constexpr int swizzle = 1; // pad", "static constexpr long long s = 512;",
          "580.1", "2026-01-02T03:04:05.000Z", "tpe: 3 "})
        EXPECT_THAT(header, HasSubstr(part));
    const std::string overSdpa = "SDPA " + ratioText(record.best->confirmed->student);
    const std::string overDefault = ratioText(*record.best->overDefault);
    EXPECT_THAT(header, AllOf(HasSubstr(overSdpa), HasSubstr(formatEnergy(0.25)), HasSubstr(overDefault), HasSubstr(formatTime(7000.0))));
    KernelFamily odd = family;
    odd.id = "my-kernel";
    odd.constraints = {"ceildiv(S,BLOCK_M)*2>=1.5", "WARPS^2<=64", "nosuch(S)>0"};
    Variant named = variant;
    named.id = "new";
    named.constraints.clear();
    FoundBest renamed = best;
    renamed.record.kernel = "my-kernel/new";
    const std::string generated = *makeTunedHeader(odd, named, renamed);
    EXPECT_THAT(generated, HasSubstr("namespace kernelloop::tuned::my_kernel_new_ {"));
    EXPECT_THAT(generated, HasSubstr("static_assert(formula::ceildiv(problem::s,tunables::block_m)*2.0>=1.5,"));
    EXPECT_THAT(generated, AllOf(Not(HasSubstr("WARPS^2")), Not(HasSubstr("nosuch")))) << "what C++ would read otherwise";
    record.best->confirmed->verdict = TargetVerdict::noRival;
    record.best->joules.reset();
    record.best->overDefault.reset();
    record.best->finding.clear();
    best.stale = "It changed.";
    const Json bare = *makeTunedJson(family, variant, best);
    for (const char* key : {"rival", "energy_per_launch_j", "over_default", "finding"})
        EXPECT_EQ(bare[key], nullptr) << key;
    EXPECT_EQ(bare["stale"], "It changed.");
    best.stale.clear();
    EXPECT_THAT(*makeTunedHeader(family, variant, best),
                AllOf(Not(HasSubstr(overSdpa)), Not(HasSubstr(formatEnergy(0.25))), Not(HasSubstr(overDefault))));
    record.best->tunables = "BLOCK_M=17";
    EXPECT_EQ(makeTunedHeader(family, variant, best).error().code, ErrorCode::badInput);
    EXPECT_EQ((*makeTunedJson(family, variant, best))["compiler_options"], nullptr);
}

} // namespace
} // namespace kl
