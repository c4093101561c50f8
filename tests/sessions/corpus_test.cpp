// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/codec/json.h"
#include "core/codec/run_codec.h"
#include "sessions/confusion/corpus_confusion.h"
#include "sessions/confusion/corpus_pairs.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string corpusData(const std::string& name)
{
    std::ifstream file(KL_SOURCE_DIR "/tests/data/corpus/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Recordings of the sample's kernels, and real rules of Nsight Compute.
class CorpusTest : public testing::Test {
protected:
    CorpusRecords countRecorded() const
    {
        CorpusRecords records;
        EXPECT_THAT(addRecords(corpusData("recordings/sample.jsonl"), "sample.jsonl", records), SizeIs(0));
        return records;
    }
    const JudgedCase& judged(const CorpusConfusion& confusion, const std::string& id) const
    {
        return *std::ranges::find(confusion.cases, id, [](const JudgedCase& one) { return one.label.id; });
    }
    Result<std::vector<CorpusCase>> cases = parseCorpus(corpusData("labels.json"), "labels.json");
    Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
};

TEST_F(CorpusTest, WhatIsRecordedIsJudgedByEveryJudge)
{
    const CorpusConfusion confusion = corpusConfusion(*cases, countRecorded(), *tree, false);
    ASSERT_THAT(confusion.cases, SizeIs(4)) << "one of five is held out";
    const JudgedCase& copy = judged(confusion, "copy-vector");
    EXPECT_EQ(copy.by(Judge::counters), "dram-bound");
    EXPECT_FALSE(copy.by(Judge::inferred).empty()) << "from the run with counters";
    EXPECT_FALSE(copy.by(Judge::ncu).empty());
    EXPECT_FALSE(copy.contradiction);
    EXPECT_EQ(judged(confusion, "transpose-naive").by(Judge::counters), "uncoalesced");
    EXPECT_EQ(judged(confusion, "waits-for-the-host").by(Judge::counters), "host-bound");
    EXPECT_EQ(judged(confusion, "waits-for-the-host").by(Judge::inferred), "") << "not recorded";
    EXPECT_EQ(confusion.rate(Judge::counters).of, 3);
    EXPECT_EQ(confusion.rate(Judge::counters).right, 3);
    EXPECT_EQ(confusion.rate(Judge::counters, [](const JudgedCase& one) { return one.label.expected == "dram-bound"; }).of, 1);
    EXPECT_EQ(confusion.countBalanced().right, 0);
}

TEST_F(CorpusTest, EstimatesAreHeldAgainstTheFasterCallOfAPair)
{
    const auto pairs = parsePairs(R"({"pairs": [{"slow": "transpose-naive", "fast": "copy-vector", "work": 0.5, "why": "half the bytes"},
                                                {"slow": "transpose-naive", "fast": "not recorded", "work": 1, "why": ""}]})",
                                  "pairs.json");
    ASSERT_TRUE(pairs);
    const CorpusRecords records = countRecorded();
    const std::vector<JudgedPair> judged = judgePairs(*pairs, records, *tree);
    ASSERT_THAT(judged, SizeIs(1));
    EXPECT_EQ(judged[0].classId, "uncoalesced");
    const auto time = [&](const char* id) { return records.at(id).counters->timing->gpu.median; };
    EXPECT_DOUBLE_EQ(judged[0].measured, time("transpose-naive") / (0.5 * time("copy-vector")));
    ASSERT_TRUE(judged[0].estimated);
    EXPECT_GT(*judged[0].estimated, 1);
    EXPECT_TRUE((JudgedPair{{}, {}, 4, 2}.isGood()));
    EXPECT_FALSE((JudgedPair{{}, {}, 4.1, 2}.isGood()));
    EXPECT_FALSE((JudgedPair{{}, {}, {}, 2}.isGood()));
    EXPECT_FALSE(parsePairs(R"({"pairs": [{"slow": "a", "fast": "b", "work": 0, "why": ""}]})", "pairs.json"));
    EXPECT_FALSE(parsePairs("{}", "pairs.json"));
}

TEST_F(CorpusTest, TheHeldOutPartIsScoredAlone)
{
    const CorpusConfusion confusion = corpusConfusion(*cases, countRecorded(), *tree, true);
    ASSERT_THAT(confusion.cases, SizeIs(1));
    EXPECT_EQ(confusion.cases[0].by(Judge::counters), "fp64-bound");
}

TEST_F(CorpusTest, WhatIsNotRecordedHasItsReason)
{
    const CorpusConfusion confusion = corpusConfusion(*cases, countRecorded(), *tree, false);
    EXPECT_FALSE(judged(confusion, "histogram-global").isRecorded());
    EXPECT_EQ(confusion.countRecorded(), 3);
    EXPECT_EQ(judged(confusion, "histogram-global").failed.at("counters"), "it took more than 60 s");
    EXPECT_THAT(corpusMarkdown(confusion), HasSubstr("histogram-global"));
}

TEST_F(CorpusTest, LaterLinesReplaceEarlierOnes)
{
    CorpusRecords records = countRecorded();
    EXPECT_THAT(addRecords("{\"id\": \"copy-vector\", \"mode\": \"counters\", \"failed\": \"gone\"}\n\n", "more", records), SizeIs(0));
    EXPECT_FALSE(records.at("copy-vector").counters);
    EXPECT_EQ(records.at("copy-vector").failed.at("counters"), "gone");
    EXPECT_TRUE(records.at("transpose-naive").counters);
}

TEST_F(CorpusTest, DamagedLinesAreNamedAndLeftOut)
{
    CorpusRecords records = countRecorded();
    const std::vector<DamagedRecording> damaged = addRecords("{\"id\": \"copy-vector\", \"mode\": \"counters\", \"run\": {\"device\": 1}}\n"
                                                             "{\"id\": \"x\", \"mode\": \"counter\"}\n"
                                                             "{\"id\": 1}\n"
                                                             "{\"id\": \"tra",
                                                             "torch.jsonl", records);
    ASSERT_THAT(damaged, SizeIs(4));
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(damaged[static_cast<std::size_t>(i)].where, "torch.jsonl:" + std::to_string(i + 1));
    EXPECT_TRUE(records.at("copy-vector").counters) << "what was read before stays";
}

TEST_F(CorpusTest, EveryClassThatIsAcceptedIsRight)
{
    std::vector<CorpusCase> ties = *cases;
    ties[0].expected = "issue-bound";
    EXPECT_EQ(corpusConfusion(ties, countRecorded(), *tree, false).rate(Judge::counters).right, 2);
    ties[0].also = {"dram-bound"};
    EXPECT_EQ(corpusConfusion(ties, countRecorded(), *tree, false).rate(Judge::counters).right, 3);
}

TEST_F(CorpusTest, LabelsAreChecked)
{
    EXPECT_EQ(parseCorpus("{}", "labels").error().code, ErrorCode::badInput);
    const std::string twice = R"({"cases": [{"id": "a", "expected": "dram-bound"}, {"id": "a", "expected": "dram-bound"}]})";
    EXPECT_EQ(parseCorpus(twice, "labels").error().code, ErrorCode::badInput);
    const Result<std::vector<CorpusCase>> shipped = [] {
        std::ifstream file(KL_SOURCE_DIR "/tests/corpus/labels.json");
        return parseCorpus(std::string{std::istreambuf_iterator<char>(file), {}}, "labels.json");
    }();
    ASSERT_TRUE(shipped.ok());
    EXPECT_GE(shipped->size(), 150U);
}

/// A launch with these shares of each unit's peak; its multiprocessors are active for all of the time.
RunRecord launchAt(double dram, double l1, double tensor, double fma, double activeShare = 1)
{
    RunRecord run;
    run.metrics.emplace();
    run.metrics->values = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", dram},
                           {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", l1},
                           {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", tensor},
                           {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", fma},
                           {"smsp__issue_active.avg.per_cycle_active", 0.5},
                           {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 50 * activeShare}};
    return run;
}

TEST(Contradictions, AnotherUnitAtItsRoofContradicts)
{
    EXPECT_EQ(findContradiction("l1-bound", launchAt(20, 60, 94, 10))->unit, "tensor_percent");
    EXPECT_EQ(findContradiction("uncoalesced", launchAt(20, 60, 94, 10))->unit, "tensor_percent");
    EXPECT_EQ(findContradiction("latency-bound", launchAt(85, 20, 0, 10))->unit, "dram_percent");
    EXPECT_FALSE(findContradiction("dram-bound", launchAt(85, 20, 0, 10)));
    EXPECT_FALSE(findContradiction("latency-bound", launchAt(79, 20, 0, 10)));
    EXPECT_FALSE(findContradiction("dram-bound", RunRecord())) << "nothing was measured";
}

TEST(Contradictions, TwoUnitsAtTheirRoofsContradictNeither)
{
    EXPECT_FALSE(findContradiction("tensor-bound", launchAt(20, 94.8, 93.6, 10)));
    EXPECT_FALSE(findContradiction("l1-bound", launchAt(20, 94.8, 93.6, 10)));
}

TEST(Contradictions, WasteIsAboutTheUnitThatItKeepsBusy)
{
    EXPECT_FALSE(findContradiction("bank-conflicts", launchAt(20, 95, 0, 10)));
    EXPECT_FALSE(findContradiction("divergence", launchAt(20, 30, 0, 95)));
    EXPECT_TRUE(findContradiction("bank-conflicts", launchAt(90, 40, 0, 10)));
}

TEST(Contradictions, WhatStreamsThroughL2IsNotItsLimit)
{
    RunRecord copy = launchAt(72, 29, 0, 10);
    copy.metrics->values["lts__throughput.avg.pct_of_peak_sustained_elapsed"] = 89;
    EXPECT_EQ(findContradiction("dram-bound", copy)->unit, "l2_percent");
    copy.metrics->values["gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"] = 72;
    EXPECT_FALSE(findContradiction("dram-bound", copy));
}

TEST(Contradictions, APipeIsJudgedOverTheWholeTime)
{
    EXPECT_TRUE(findContradiction("small-grid", launchAt(0, 0, 0, 95)));
    EXPECT_FALSE(findContradiction("small-grid", launchAt(0, 0, 0, 95, 0.25))) << "three of four multiprocessors are empty";
}

TEST(Contradictions, IssueSlotsThatThePipeFillsAreNoOtherUnit)
{
    RunRecord chain = launchAt(5, 5, 0, 79);
    chain.metrics->values["smsp__issue_active.avg.per_cycle_active"] = 0.96;
    chain.metrics->values["sm__inst_issued.avg.pct_of_peak_sustained_elapsed"] = 96;
    EXPECT_FALSE(findContradiction("fp32-bound", chain));
    EXPECT_TRUE(findContradiction("latency-bound", chain));
    chain.metrics->values["sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"] = 60;
    EXPECT_EQ(findContradiction("fp32-bound", chain)->unit, "issue_slots_percent");
    chain.metrics->values["sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"] = 79;
    chain.metrics->values["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 90;
    EXPECT_EQ(findContradiction("fp32-bound", chain)->unit, "dram_percent");
}

TEST(Contradictions, EachClassIsAboutItsUnits)
{
    const auto findUnit = [](const char* classId, const char* metric, double percent = 95) {
        RunRecord run = launchAt(5, 5, 5, 5);
        run.metrics->values[metric] = percent;
        const auto found = findContradiction(classId, run);
        return found ? found->unit : std::string();
    };
    constexpr const char* kDram = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
    constexpr const char* kL2 = "lts__throughput.avg.pct_of_peak_sustained_elapsed";
    constexpr const char* kL1 = "l1tex__throughput.avg.pct_of_peak_sustained_elapsed";
    constexpr const char* kTensor = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
    for (const char* about : {"l2-bound", "atomics", "uncoalesced", "register-spills"})
        EXPECT_EQ(findUnit(about, kL2), "") << about;
    for (const char* about : {"l1-bound", "mio-bound", "bank-conflicts", "atomics", "uncoalesced", "register-spills"})
        EXPECT_EQ(findUnit(about, kL1), "") << about;
    for (const char* about : {"dram-bound", "uncoalesced", "register-spills"})
        EXPECT_EQ(findUnit(about, kDram), "") << about;
    for (const char* about : {"tensor-bound", "fp64-bound"})
        EXPECT_EQ(findUnit(about, kTensor), "") << about;
    for (const char* other : {"dram-bound", "l1-bound", "fp32-bound", "launch-overhead"})
        EXPECT_EQ(findUnit(other, kL2), "l2_percent") << other;
    EXPECT_EQ(findUnit("atomics", kDram), "dram_percent");
    for (const char* none : {"invalid", "not-measured", "balanced", "power-limited"})
        EXPECT_EQ(findUnit(none, kDram), "") << none;
    EXPECT_EQ(findUnit("latency-bound", kDram, 80), "dram_percent") << "at its roof";
    EXPECT_EQ(findUnit("latency-bound", kDram, 79.9), "");
    RunRecord two = launchAt(85, 90, 0, 5);
    EXPECT_EQ(findContradiction("latency-bound", two)->unit, "l1_percent") << "the busier one";
    EXPECT_DOUBLE_EQ(findContradiction("latency-bound", two)->percent, 90);
}

JudgedCase caseWith(const std::string& id, const std::string& expected, const std::string& counters, const std::string& inferred,
                    const std::string& framework)
{
    JudgedCase one;
    one.label.id = id;
    one.label.expected = expected;
    one.label.framework = framework;
    one.label.call = "call " + id;
    one.found[static_cast<std::size_t>(Judge::counters)] = counters;
    one.found[static_cast<std::size_t>(Judge::inferred)] = inferred;
    return one;
}

/// Found by one judge and contradicted; found by another; by none; and not recorded.
CorpusConfusion fourJudged()
{
    CorpusConfusion confusion;
    confusion.cases = {caseWith("a", "dram-bound", "dram-bound", "l2-bound", "torch"), caseWith("b", "dram-bound", "balanced", "", "cupy"),
                       caseWith("c", "l2-bound", "", "l2-bound", "torch"), caseWith("d", "fp32-bound", "", "", "torch")};
    confusion.cases[0].label.also = {"l1-bound", "mio-bound"};
    confusion.cases[0].label.arguments = "f32[8]";
    confusion.cases[1].contradiction = Contradiction{"l2_percent", 91};
    confusion.cases[3].failed = {{"counters", "too long"}, {"ncu", "no ncu"}};
    return confusion;
}

TEST(CorpusTables, HaveARowForEachClassFrameworkAndMiss)
{
    CorpusConfusion confusion = fourJudged();
    EXPECT_EQ(confusion.countRecorded(), 3);
    EXPECT_EQ(confusion.countBalanced().of, 2);
    EXPECT_EQ(confusion.countBalanced().right, 1);
    const std::string text = corpusMarkdown(confusion);
    const std::string none = std::string(" ") + kNoValue + " |";
    for (const std::string& row :
         {std::string("\n3 of 4 "), std::string("- d, counters: too long"), std::string("- d, ncu: no ncu"),
          "| dram-bound | 1 of 2 (50 %) | 0 of 1 (0 %) |" + none + none, "| l2-bound |" + none + " 1 of 1 (100 %) |" + none + none,
          "| fp32-bound |" + none + none + none + none, std::string("| cupy | 0 of 1 (0 %) |"),
          "| torch | 1 of 1 (100 %) | 1 of 2 (50 %) |" + none + none, "| **all** | 1 of 2 (50 %) | 1 of 2 (50 %) |" + none + none,
          std::string("`balanced`: 1 of 2 (50 %)"), std::string(": 1\n"), std::string(" 80 % "),
          "| b | balanced | L2 throughput " + formatPercent(91) + " |",
          "| a | call a, f32[8] | dram-bound or l1-bound or mio-bound | dram-bound | l2-bound |" + none,
          "| b | call b | dram-bound | balanced |" + none + none})
        EXPECT_THAT(text, HasSubstr(row));
    EXPECT_THAT(text, testing::Not(HasSubstr("| c | call c")));
    EXPECT_THAT(text, testing::Not(HasSubstr("| d | call d")));
    confusion.heldOut = true;
    EXPECT_NE(corpusMarkdown(confusion), text) << "it names these cases";
    confusion.cases.erase(confusion.cases.begin() + 1);
    EXPECT_THAT(corpusMarkdown(confusion), testing::Not(HasSubstr(formatPercent(91)))) << "nothing is contradicted";
    EXPECT_THAT(corpusMarkdown(confusion), testing::Not(HasSubstr("\n| --- | --- | --- |\n"))) << "nor is there an empty table";
    confusion.cases.assign(300, caseWith("a", "dram-bound", "dram-bound", "", "torch"));
    confusion.cases.back().found[0] = "balanced";
    EXPECT_THAT(corpusMarkdown(confusion), HasSubstr("299 of 300 (99 %)")) << "not all";
}

TEST(CorpusTexts, SnapshotOfBothParts)
{
    CorpusConfusion confusion = fourJudged();
    const std::string most = corpusMarkdown(confusion);
    confusion.heldOut = true;
    confusion.cases.erase(confusion.cases.begin() + 1);
    test::expectSnapshot("texts/corpus.txt", most + "\n---\n\n" + corpusMarkdown(confusion));
}

TEST(CorpusTables, OfPairsHoldEstimatesAgainstOutcomes)
{
    EXPECT_EQ(pairsMarkdown({}), "");
    const CorpusPair pair{"slow", "fast", 1, ""};
    const std::string text =
        pairsMarkdown({{pair, "dram-bound", 3.0, 2.0}, {pair, "l2-bound", 0.9, 2.0}, {pair, "balanced", {}, 1.5}, {pair, "x", 1.0, 2.0}});
    EXPECT_THAT(text, HasSubstr("2 of 4 "));
    EXPECT_THAT(text, HasSubstr("| slow | fast | dram-bound | 3.00x | 2.00x |"));
    EXPECT_THAT(text, HasSubstr(std::string("| slow | fast | balanced | ") + kNoValue + " | 1.50x |"));
    for (const char* bad : {R"({"slow": "", "fast": "b", "work": 1})", R"({"slow": "a", "fast": "", "work": 1})",
                            R"({"slow": "a", "fast": "b", "work": -1})"})
        EXPECT_FALSE(parsePairs(std::string(R"({"pairs": [)") + bad + "]}", "pairs.json")) << bad;
    for (const char* bad : {R"({"id": "", "expected": "x"})", R"({"id": "a", "expected": ""})"})
        EXPECT_FALSE(parseCorpus(std::string(R"({"cases": [)") + bad + "]}", "labels.json")) << bad;
}

TEST_F(CorpusTest, ALineIsOfItsModeAlone)
{
    const CorpusRecords known = countRecorded();
    const std::string run = encode(runToJson(*known.at("copy-vector").counters));
    const auto with = [](const std::string& lines) {
        CorpusRecords records;
        EXPECT_THAT(addRecords(lines, "lines", records), SizeIs(0));
        return records.at("a");
    };
    CorpusRecord record = with(R"({"id": "a", "mode": "bare", "run": )" + run + R"(, "program": {"finding": {"class": "host-bound"}}})");
    EXPECT_TRUE(record.bare);
    EXPECT_FALSE(record.counters);
    EXPECT_EQ(record.programBare, "host-bound");
    EXPECT_FALSE(record.program);
    record = with(R"({"id": "a", "mode": "counters", "run": )" + run + R"(, "program": {"finding": null}})");
    EXPECT_TRUE(record.counters);
    EXPECT_FALSE(record.bare || record.programBare);
    EXPECT_EQ(record.program, "none");
    record = with(R"({"id": "a", "mode": "counters", "failed": {"why": 7}})");
    EXPECT_EQ(record.failed.at("counters"), R"({"why":7})");
    record = with(R"({"id": "a", "mode": "ncu", "failed": "x"}
                     )"
                  "\n"
                  R"({"id": "a", "mode": "ncu", "ncu": {"rules": [], "metrics": {}}})");
    EXPECT_TRUE(record.ncu);
    EXPECT_TRUE(record.failed.empty()) << "it went well later";
    record = with(R"({"id": "a", "mode": "counters", "program": {"finding": {"class": "x"}}})"
                  "\n"
                  R"({"id": "a", "mode": "counters", "failed": "gone"})");
    EXPECT_FALSE(record.program) << "a later line replaces the earlier one";
}

TEST_F(CorpusTest, AProgramIsJudgedByItsOwnFindingsAndAKernelWithoutCountersByItsBareRun)
{
    CorpusRecords records;
    CorpusRecord& program = records["p"];
    program.program = "host-bound";
    program.programBare = "none";
    program.failed = {{"ncu", "no ncu"}};
    const CorpusRecords known = countRecorded();
    records["k"].bare = known.at("transpose-naive").counters;
    records["k"].counters = known.at("copy-vector").counters;
    CorpusCase one, two;
    one.id = "p";
    one.subject = "program";
    one.expected = "host-bound";
    two.id = "k";
    two.subject = "kernel";
    two.expected = "dram-bound";
    const CorpusConfusion confusion = corpusConfusion({one, two}, records, *tree, false);
    EXPECT_EQ(judged(confusion, "p").by(Judge::counters), "host-bound");
    EXPECT_EQ(judged(confusion, "p").by(Judge::inferred), "none");
    EXPECT_EQ(judged(confusion, "p").failed, program.failed);
    EXPECT_EQ(judged(confusion, "k").by(Judge::counters), "dram-bound");
    records["k"].counters.reset();
    const std::string bare = judged(corpusConfusion({two}, records, *tree, false), "k").by(Judge::inferred);
    EXPECT_EQ(bare, judged(confusion, "k").by(Judge::inferred)) << "the bare run comes first";
    records["k"].counters = records["k"].bare;
    records["k"].bare.reset();
    EXPECT_EQ(judged(corpusConfusion({two}, records, *tree, false), "k").by(Judge::inferred), bare) << "else that with counters";
    EXPECT_EQ(judged(corpusConfusion({two}, {}, *tree, false), "k").by(Judge::inferred), "");
}

} // namespace
} // namespace kl
