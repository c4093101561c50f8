// SPDX-License-Identifier: MIT
#include "sessions/search/gzip_file.h"
#include "sessions/search/recorded_export.h"
#include "sessions/search/recorded_file.h"
#include "sessions/search/simulation.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace kl {
namespace {

const std::filesystem::path kFixture = std::filesystem::path(KL_SOURCE_DIR) / "tests/data/search/convolution_part.json.gz";

const RecordedSpace& part()
{
    static const RecordedSpace recorded = [] {
        Result<RecordedSpace> read = readRecordedSpace(kFixture);
        EXPECT_TRUE(read) << read.error().message;
        return *std::move(read);
    }();
    return recorded;
}

SimulatedSearch valueIn(const Result<std::vector<SimulatedSearch>>& searches)
{
    EXPECT_TRUE(searches) << (searches ? "" : searches.error().message);
    return searches ? searches->front() : SimulatedSearch{};
}

TEST(RecordedFile, ReadsT4)
{
    EXPECT_EQ(part().name, "convolution_part");
    ASSERT_EQ(part().space.size(), 760U);
    EXPECT_EQ(part().space.axes().size(), 7U);
    EXPECT_EQ(part().space.axes()[0].values, (std::vector<std::string>{"32", "48", "64", "128"}));
    std::size_t failed = 0;
    for (PointIndex point = 0; point < 760; ++point) {
        EXPECT_EQ(part().values[point].has_value(), part().failures[point].empty());
        EXPECT_GT(part().costs[point], 0);
        failed += part().values[point] ? 0U : 1U;
    }
    EXPECT_EQ(failed, 65U);
    EXPECT_EQ(RandomBaseline(part()).optimum(), 0.5536);
}

TEST(RecordedFile, ReadsKernelTunersCacheAlsoWhereItIsNotClosed)
{
    const std::string whole = R"({"kernel_name": "k", "tune_params_keys": ["A", "B"], "tune_params": {"A": [1, 2], "B": ["x"]},
        "objective": "time", "cache": {
        "2,x": {"A": 2, "B": "x", "time": 3.5, "times": [3, 4], "compile_time": 1000.0, "framework_time": 5},
        "1,x": {"A": 1, "B": "x", "time": "RuntimeFailedConfig", "compile_time": 500.0, "benchmark_time": 20},)";
    for (const std::string& text : {whole, whole.substr(0, whole.size() - 1) + "}}"}) {
        const Result<RecordedSpace> recorded = parseRecordedSpace(text, "k.json");
        ASSERT_TRUE(recorded) << recorded.error().message;
        EXPECT_EQ(recorded->space.text(0), "A=2,B=x");
        EXPECT_EQ(recorded->values[0], 3.5);
        EXPECT_DOUBLE_EQ(recorded->costs[0], 1.012) << "without a benchmark time, the sum of the runs";
        EXPECT_FALSE(recorded->values[1]);
        EXPECT_EQ(recorded->failures[1], "RuntimeFailedConfig");
        EXPECT_DOUBLE_EQ(recorded->costs[1], 0.52);
    }
}

TEST(RecordedFile, WhatPythonWritesOfNoNumberIsNoTime)
{
    const Result<RecordedSpace> recorded =
        parseRecordedSpace(R"({"tune_params_keys": ["A"], "cache": {"1": {"A": 1, "time": 3, "x": NaN, "y": -Infinity},
        "2": {"A": "NaN \" NaN", "time": NaN}, "3": {"A": 3, "time": Infinity}}})",
                           "k.json");
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_EQ(recorded->values, (std::vector<std::optional<double>>{3, std::nullopt, std::nullopt}));
    EXPECT_EQ(recorded->space.text(1), "A=NaN \" NaN") << "a text stays";
}

TEST(RecordedFile, WhatCannotBeReadIsBadInput)
{
    for (const char* text :
         {"[]", "{}", "{\"results\": []}", "{\"cache\": {}}", R"({"results": [{}]})",
          R"({"metadata": {"timeunit": "days"}, "results": []})",
          R"({"results": [{"configuration": {"A": 1}}, {"configuration": {"B": 1}}]})",
          R"({"results": [{"configuration": {"A": 1}, "measurements": [{"name": "time", "value": -1}]}]})",
          R"({"results": [{"configuration": {"A": 1}}, {"configuration": {"A": 1}}]})",
          R"({"results": [{"configuration": {"A": 1}, "times": {"compilation": -1}, "measurements": [{"name": "time", "value": 1}]}]})",
          R"({"results": [{"configuration": {"A": 1}, "times": {"compilation": 1e308}, "measurements": [{"name": "time", "value": 1}]}]})",
          R"({"tune_params_keys": ["A"], "cache": {"1": {"time": 1}}})"}) {
        const Result<RecordedSpace> recorded = parseRecordedSpace(text, "f");
        ASSERT_FALSE(recorded) << text;
        EXPECT_EQ(recorded.error().code, ErrorCode::badInput) << text;
    }
    EXPECT_EQ(readRecordedSpace("/no/such/file").error().code, ErrorCode::badInput);
    EXPECT_EQ(readRecordedSpace(kFixture.parent_path()).error().code, ErrorCode::badInput);
    const support::TempDir folder;
    const std::string bytes = support::readBytes(kFixture);
    support::writeBytes(folder / "short.gz", bytes.substr(0, bytes.size() / 2));
    EXPECT_EQ(readRecordedSpace(folder / "short.gz").error().code, ErrorCode::badInput);
    EXPECT_EQ(readPlainOrGzip(kFixture, 1000).error().code, ErrorCode::badInput);
}

TEST(RecordedFile, TimesOfAnyUnitAreMillisecondsAndOtherObjectivesAreRefused)
{
    const auto t4 = [](const std::string& objective, const std::string& unit) {
        return parseRecordedSpace(R"({"results": [{"configuration": {"A": 1}, "objectives": [")" + objective +
                                      R"("], "measurements": [{"name": ")" + objective + R"(", "value": 2.5, "unit": ")" + unit +
                                      R"("}]}]})",
                                  "f");
    };
    EXPECT_EQ(t4("time", "ms")->values[0], 2.5);
    EXPECT_EQ(t4("time", "")->values[0], 2.5);
    EXPECT_DOUBLE_EQ(*t4("kernel", "s")->values[0], 2500);
    EXPECT_DOUBLE_EQ(*t4("time", "us")->values[0], 2.5e-3);
    EXPECT_EQ(t4("GFLOP/s", "").error().code, ErrorCode::badInput) << "more of it is better";
    EXPECT_EQ(t4("energy", "J").error().code, ErrorCode::badInput);
    const char* cache = R"({"tune_params_keys": ["A"], "objective": "GFLOP/s", "cache": {"1": {"A": 1, "GFLOP/s": 5, "time": 2}}})";
    EXPECT_EQ(parseRecordedSpace(cache, "f").error().code, ErrorCode::badInput);
}

TEST(RecordedFile, WhatIsWrittenIsReadBack)
{
    const support::TempDir folder;
    for (const char* name : {"a.json", "a.json.gz", "a.cache.json", "a.cache.json.gz", "a.csv", "a.csv.gz"}) {
        ASSERT_TRUE(writeRecordedSpace(part(), folder / name));
        const Result<RecordedSpace> read = readRecordedSpace(folder / name);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->name, std::string_view(name).substr(0, std::string_view(name).find(".cache") == 1 ? 7 : 1)) << name;
        EXPECT_EQ(read->values, part().values) << name;
        EXPECT_EQ(read->failures, part().failures) << name;
        for (PointIndex point = 0; point < part().space.size(); ++point) {
            EXPECT_EQ(read->space.text(point), part().space.text(point));
            EXPECT_NEAR(read->costs[point], part().costs[point], 1e-9);
        }
    }
    EXPECT_LT(std::filesystem::file_size(folder / "a.json.gz") * 5, std::filesystem::file_size(folder / "a.json"));
    const std::string csv = formatRecorded(part(), RecordedFormat::csv);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 761);
    EXPECT_TRUE(
        csv.starts_with("block_size_x,block_size_y,tile_size_x,tile_size_y,read_only,use_padding,use_shmem,time_ms,cost_s,failure\r\n"));
    EXPECT_EQ(writeRecordedSpace(part(), folder / "a.txt").error().code, ErrorCode::usage);
}

/// The claim of the default, on a space that is small enough for every test run: better than each sampling and walking strategy.
TEST(SearchSimulation, ThePortfolioBeatsTheSimpleStrategies)
{
    SimulationPlan plan{{"portfolio", "random_sample", "latin_hypercube", "greedy_mls", "simulated_annealing"}, 20, 1, 1};
    const auto searches = simulateSearches({part()}, plan, {});
    ASSERT_TRUE(searches) << searches.error().message;
    std::map<std::string, ScoreInterval> scores;
    for (const SimulatedSearch& search : *searches)
        scores[search.strategy] = search.result.score;
    EXPECT_GT(scores["portfolio"].low, 0.45);
    for (const char* other : {"random_sample", "latin_hypercube", "greedy_mls", "simulated_annealing"})
        EXPECT_GT(scores["portfolio"].value, scores[other].value) << other;
    const auto again = simulateSearches({part()}, plan, {});
    for (std::size_t i = 0; i < searches->size(); ++i)
        EXPECT_EQ((*again)[i].result.score, (*searches)[i].result.score) << "on any number of processors";
}

TEST(RecordedFile, TooManyValuesAreRefusedBeforeTheyTakeMemory)
{
    std::string text = "[";
    while (text.size() < 26'000'000)
        text += "0,0,0,0,0,0,0,0,";
    const auto refused = parseRecordedSpace(text + "0]", "many.json");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::badInput);
    EXPECT_NE(refused.error().message.find("many.json"), std::string::npos) << refused.error().message;
    EXPECT_NE(refused.error().message.find("12000000"), std::string::npos) << "the limit: " << refused.error().message;
}

TEST(SearchSimulation, WithoutCostsEveryPointCostsTheSame)
{
    RecordedSpace free = part();
    std::ranges::fill(free.costs, 0.0);
    RecordedSpace equal = free;
    std::ranges::fill(equal.costs, 1.0);
    const SimulationPlan plan{{"random_sample"}, 10, 1, 1};
    const auto searches = simulateSearches({free, equal}, plan, {});
    ASSERT_TRUE(searches) << searches.error().message;
    EXPECT_EQ((*searches)[0].result.score, (*searches)[1].result.score);
    EXPECT_GT((*searches)[0].result.budgetSeconds, 1);
    EXPECT_LT((*searches)[0].result.score.value, 0.5) << "random search is not perfect";
    std::vector<double> costs{0, 4, 0, 2, 9};
    chargeUnknownCosts(costs);
    EXPECT_EQ(costs, (std::vector<double>{4, 4, 4, 2, 9})) << "the median of those that are known";
}

TEST(SearchSimulation, RefusesWhatItCannotScore)
{
    EXPECT_EQ(simulateSearches({part()}, {{"genetic"}, 1, 1, 1}, {}).error().code, ErrorCode::notFound);
    RecordedSpace flat = part();
    for (std::optional<double>& value : flat.values)
        value = 1;
    EXPECT_EQ(simulateSearches({flat}, {{"portfolio"}, 1, 1, 1}, {}).error().code, ErrorCode::badInput);
    std::stop_source stop;
    stop.request_stop();
    Job job;
    job.stop = stop.get_token();
    EXPECT_EQ(simulateSearches({part()}, {{"portfolio"}, 1, 1, 1}, job).error().code, ErrorCode::interrupted);
}

TEST(RecordedFile, OfSeveralObjectivesTheFirstIsReplayed)
{
    const Result<RecordedSpace> recorded = parseRecordedSpace(
        R"({"results": [{"configuration": {"A": 1}, "objectives": ["kernel time", "time"], "measurements": [
            {"name": "time", "value": 9, "unit": "ms"}, {"name": "kernel time", "value": 2, "unit": "ms"}]},
            {"configuration": {"A": 2}, "objectives": ["kernel time", "time"], "measurements": [
            {"name": "kernel time", "value": 3, "unit": "ms"}, {"name": "time", "value": 8, "unit": "ms"}]},
            {"configuration": {"A": 3}, "objectives": [], "measurements": [{"name": "kernel time", "value": 1, "unit": "ms"},
            {"name": "time", "value": 7, "unit": "ms"}]}]})",
        "f");
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_EQ(recorded->values, (std::vector<std::optional<double>>{2, 3, 7})) << "without objectives, the time";
}

TEST(RecordedFile, WhatAT4FileCallsInvalidHasNoTime)
{
    const Result<RecordedSpace> recorded = parseRecordedSpace(
        R"({"metadata": {"timeunit": "s"}, "results": [
            {"configuration": {"A": 1}, "invalidity": "correct", "measurements": [{"name": "time", "value": 2}],
             "times": {"compilation": 1, "framework": 2, "benchmark": 4, "runtimes": [100]}},
            {"configuration": {"A": 2}, "invalidity": "runtime", "measurements": [{"name": "time", "value": 1}],
             "times": {"compilation": 1, "runtimes": [8, 16]}},
            {"configuration": {"A": "x"}, "measurements": []}]})",
        "f");
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_EQ(recorded->values, (std::vector<std::optional<double>>{2, std::nullopt, std::nullopt}));
    EXPECT_EQ(recorded->failures[0], "");
    EXPECT_EQ(recorded->failures[1], "runtime");
    EXPECT_FALSE(recorded->failures[2].empty());
    EXPECT_EQ(recorded->costs, (std::vector<double>{7, 25, 0})) << "without a benchmark time, the sum of the runs";
    EXPECT_EQ(recorded->space.text(2), "A=x");
}

TEST(RecordedFile, EachUnitOfTheCostsIsKnown)
{
    const auto cost = [](const std::string& unit) {
        const Result<RecordedSpace> recorded = parseRecordedSpace(
            R"({"metadata": {"timeunit": ")" + unit +
                R"("}, "results": [{"configuration": {"A": 1}, "measurements": [{"name": "time", "value": 1}], "times": {"benchmark": 8}}]})",
            "f");
        return recorded ? recorded->costs.at(0) : -1;
    };
    for (const char* milli : {"", "ms", "milliseconds", "miliseconds"})
        EXPECT_DOUBLE_EQ(cost(milli), 8e-3) << milli;
    for (const char* whole : {"s", "seconds"})
        EXPECT_DOUBLE_EQ(cost(whole), 8) << whole;
    for (const char* micro : {"us", "microseconds"})
        EXPECT_DOUBLE_EQ(cost(micro), 8e-6) << micro;
    for (const char* nano : {"ns", "nanoseconds"})
        EXPECT_DOUBLE_EQ(cost(nano), 8e-9) << nano;
    EXPECT_EQ(cost("h"), -1);
}

TEST(RecordedFile, QuotesThatATextEscapesDoNotEndIt)
{
    const Result<RecordedSpace> recorded = parseRecordedSpace(
        R"({"tune_params_keys": ["A"], "cache": {"1": {"A": "\\", "time": NaN}, "2": {"A": "\"-Infinity", "time": 2, "x": -Infinity},
            "3": {"A": "I", "time": -1}}})",
        "k.json");
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_EQ(recorded->space.text(0), "A=\\");
    EXPECT_EQ(recorded->space.text(1), "A=\"-Infinity");
    EXPECT_EQ(recorded->values, (std::vector<std::optional<double>>{std::nullopt, 2, std::nullopt}));
}

TEST(RecordedFile, ACacheIsReadByItsObjective)
{
    const auto value = [](const std::string& objective) {
        return parseRecordedSpace(R"({"tune_params_keys": ["A"], "objective": ")" + objective +
                                      R"(", "cache": {"1": {"A": 1, "time": 5, "time_b": 6}, "2": {"A": 2, "time": 7}}})",
                                  "k.json");
    };
    EXPECT_EQ(value("")->values, (std::vector<std::optional<double>>{5, 7}));
    EXPECT_EQ(value("time_b")->values, (std::vector<std::optional<double>>{6, std::nullopt}));
    EXPECT_EQ(value("energy").error().where, "k.json");
}

TEST(SearchSimulation, CountsWhatWasEvaluatedAndWhatOfItFailed)
{
    RecordedSpace third = part();
    for (PointIndex point = 0; point < third.space.size(); ++point)
        if (point % 3 == 0) {
            third.values[point].reset();
            third.failures[point] = "it faults";
        }
    const auto searches = simulateSearches({third}, {{"random_sample"}, 10, 1, 1}, {});
    ASSERT_TRUE(searches) << searches.error().message;
    const SimulatedSearch& search = searches->front();
    EXPECT_EQ(search.space, "convolution_part");
    EXPECT_EQ(search.strategy, "random_sample");
    EXPECT_EQ(search.size, 760U);
    EXPECT_EQ(search.repeats, 10);
    EXPECT_GT(search.failed, 0.2 * search.evaluations);
    EXPECT_LT(search.failed, 0.6 * search.evaluations);
    EXPECT_EQ(search.near, 0) << "no number of trials was given";
}

TEST(SearchSimulation, OfAllTrialsEveryReplayEndsAtTheBest)
{
    SimulationPlan plan{{"random_sample"}, 5, 1, 1};
    plan.trials = part().space.size();
    EXPECT_EQ(valueIn(simulateSearches({part()}, plan, {})).near, 5);
    plan.trials = 1;
    EXPECT_LT(valueIn(simulateSearches({part()}, plan, {})).near, 5);
}

TEST(GzipFiles, OneThatIsCutOffIsNotReadAsIfItWereWhole)
{
    const support::TempDir folder;
    const std::string rows = "A,time_ms\n1,1\n2,2\n3,3\n";
    ASSERT_TRUE(writePlainOrGzip(folder / "a.csv.gz", rows));
    const std::string bytes = support::readBytes(folder / "a.csv.gz");
    EXPECT_NE(bytes, rows);
    EXPECT_EQ(*readPlainOrGzip(folder / "a.csv.gz", rows.size()), rows) << "the limit is of what it holds";
    EXPECT_EQ(readPlainOrGzip(folder / "a.csv.gz", rows.size() - 1).error().code, ErrorCode::badInput);
    for (const std::size_t cut : {1U, 4U, 8U, 9U}) {
        support::writeBytes(folder / "cut.csv.gz", bytes.substr(0, bytes.size() - cut));
        const Result<std::string> content = readPlainOrGzip(folder / "cut.csv.gz", 1000);
        ASSERT_FALSE(content) << cut;
        EXPECT_EQ(content.error().code, ErrorCode::badInput);
        EXPECT_EQ(content.error().where, (folder / "cut.csv.gz").string());
        EXPECT_FALSE(readRecordedSpace(folder / "cut.csv.gz")) << cut;
    }
    std::string damaged = bytes;
    damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1); // of the checksum
    support::writeBytes(folder / "damaged.csv.gz", damaged);
    EXPECT_EQ(readPlainOrGzip(folder / "damaged.csv.gz", 1000).error().code, ErrorCode::badInput);
    ASSERT_TRUE(writePlainOrGzip(folder / "plain.csv", rows));
    EXPECT_EQ(support::readBytes(folder / "plain.csv"), rows);
    EXPECT_EQ(*readPlainOrGzip(folder / "plain.csv", 1000), rows);
}

} // namespace
} // namespace kl
