// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/learning/own_cases.h"
#include "sessions/learning/recommend.h"
#include "sessions/measure/compare.h"
#include "sessions/session/events.h"
#include "sessions/store/kept.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <set>
#include <string>

namespace kl {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

RunRecord makeRun(const std::string& id, const std::string& kernel, double us)
{
    RunRecord run = support::timedRun(id, "naive", "2026-03-01T09:00:00.000Z", us * 1e3);
    run.kernel = *parseAddress(kernel);
    return run;
}

/// With metrics that the embedded tree calls uncoalesced.
RunRecord makeProfile(const std::string& id, const std::string& kernel, double us)
{
    RunRecord run = makeRun(id, kernel, us);
    run.launches.emplace_back();
    run.launches.back().waves = 12;
    run.metrics.emplace();
    run.metrics->values = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 30.0},
                           {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 60.0},
                           {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 40.0},
                           {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 20.0},
                           {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 4.0},
                           {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", 32.0},
                           {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", 100.0},
                           {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 12.5},
                           {"smsp__sass_inst_executed_op_global_ld.sum", 524288.0},
                           {"smsp__sass_inst_executed_op_global_st.sum", 524288.0}};
    run.diagnosis.emplace();
    return run;
}

class FixCases : public testing::Test {
protected:
    std::optional<std::string> kind(const char* from, const char* to)
    {
        return classifyChange(*catalog, *parseAddress(from), *parseAddress(to));
    }
    std::vector<FixState> own()
    {
        const auto states = ownStates(*store, *catalog, *tree);
        EXPECT_TRUE(states) << (states ? "" : states.error().message);
        return states ? *states : std::vector<FixState>{};
    }
    void save(const RunRecord& run) { ASSERT_TRUE(store->saveRun(run)); }
    /// On transpose/naive, where a tile in shared memory made a kernel of each of these families so many times as fast.
    Advice advisedAfter(const std::vector<std::string>& families, double speedup = 16) const
    {
        const RunRecord run = makeProfile("1", "transpose/naive", 100);
        std::vector<FixState> states;
        for (const std::string& family : families) {
            FixState state = computeState(run, *tree);
            state.family = family;
            state.kernel = family + "/" + std::to_string(states.size());
            state.outcomes.push_back({state.kernel, "stage-in-shared-memory", std::log(speedup)});
            states.push_back(std::move(state));
        }
        return advise(run, *catalog, *tree, FixModel::makeTrained(std::move(states)));
    }
    /// On a kernel that is gone, by a tree without this change.
    Advice advisedNothing() const
    {
        const auto silent =
            DiagnosisTree::parse(R"({"schema": 1, "nodes": [{"id": "rest", "title": "Balanced", "class": "balanced", "help": "h",
        "finding": "Nothing.", "priority": 3, "confidence": 0.5, "any": [{"all": []}], "fixes": []}]})",
                                 "tree");
        EXPECT_TRUE(silent) << (silent ? "" : silent.error().message);
        RunRecord alone = makeProfile("1", "transpose/naive", 100);
        alone.kernel = {"mine", "gone", {}};
        return silent ? advise(alone, *catalog, *silent, FixModel::makeTrained({})) : Advice();
    }

    Result<Catalog> catalog = Catalog::loadEmbedded();
    Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    std::unique_ptr<Store> store = support::openStore(":memory:");
};

TEST_F(FixCases, AChangeHasTheKindThatTheDescriptorGivesIt)
{
    EXPECT_EQ(kind("transpose/naive", "transpose/tiled"), "stage-in-shared-memory");
    EXPECT_EQ(kind("transpose/tiled", "transpose/naive"), std::nullopt) << "undoing is not a fix";
    EXPECT_EQ(kind("transpose/naive", "transpose/padded"), std::nullopt) << "two changes";
    EXPECT_EQ(kind("transpose/naive", "copy/vector"), std::nullopt);
    EXPECT_EQ(kind("attention/fused", "attention/fused@SWIZZLE=pad"), "pad-shared-memory");
    EXPECT_EQ(kind("attention/fused", "attention/fused@BLOCK_M=32"), "smaller-tiles") << "a default is a value, too";
    EXPECT_EQ(kind("attention/fused@BLOCK_M=32", "attention/fused@BLOCK_M=128"), "larger-tiles");
    EXPECT_EQ(kind("attention/fused", "attention/fused@BLOCK_M=32,WARPS=2"), std::nullopt) << "two changes";
    EXPECT_EQ(kind("attention/fused", "attention/fused"), std::nullopt);
}

TEST_F(FixCases, EveryKindOfTheCatalogIsAFixOfTheTree)
{
    for (const KernelFamily& family : catalog->families())
        for (const Variant& variant : family.variants)
            for (const auto& [from, slug] : variant.changes)
                EXPECT_FALSE(tree->fixTitle(slug).empty()) << family.id << '/' << variant.id << ": " << slug;
}

TEST_F(FixCases, EveryStepOfASeriesHasAKind)
{
    for (const KernelFamily& family : catalog->families())
        for (const Variant& variant : family.variants)
            EXPECT_TRUE(variant.fixes.empty() || !(*catalog->variant({family.id, variant.fixes, {}}))->fault.empty() ||
                        variant.changes.contains(variant.fixes))
                << family.id << '/' << variant.id;
}

TEST_F(FixCases, PairsOneChangeApartAreCases)
{
    RunRecord elsewhere = makeRun("3", "transpose/tiled", 10);
    elsewhere.device.name = "NVIDIA A100";
    RunRecord wrong = makeRun("4", "transpose/tiled", 10);
    wrong.correctness.result = CorrectnessResult::incorrect;
    RunRecord cheat = makeRun("5", "transpose/tiled", 5);
    cheat.correctness.result = CorrectnessResult::incorrectWhenTimed;
    const auto states = computeStates(
        {makeProfile("1", "transpose/naive", 100), makeRun("2", "transpose/tiled", 50), elsewhere, wrong, cheat}, *catalog, *tree);
    ASSERT_EQ(states.size(), 1U);
    EXPECT_EQ(states[0].classId, "uncoalesced");
    EXPECT_EQ(states[0].family, "transpose");
    ASSERT_EQ(states[0].outcomes.size(), 1U);
    EXPECT_EQ(states[0].outcomes[0].kind, "stage-in-shared-memory");
    EXPECT_NEAR(states[0].outcomes[0].gain, std::log(2.0), 1e-12);
    EXPECT_GT(states[0].trust.at("coalesce-accesses").confidence, 0.5);
    EXPECT_FALSE(states[0].trust.contains("transpose/tiled")) << "what the catalog has ready is not a word of the tree";
    ASSERT_EQ(states[0].features.size(), caseFeatures().size());
    EXPECT_NEAR(*states[0].features[0], std::log(31.0), 1e-12);
    EXPECT_FALSE(states[0].features[10]) << "no stall was counted";
}

TEST_F(FixCases, KernelsOfOneProblemAreOneFamily)
{
    RunRecord run = makeProfile("1", "transpose/naive", 100);
    run.kernel.family = "transpose+own";
    EXPECT_EQ(computeState(run, *tree).family, "transpose");
}

TEST_F(FixCases, TheDatabasesOwnRunsAreLearntFromAndReplaysAreNot)
{
    RunRecord replayed = makeProfile("1", "transpose/naive", 100);
    replayed.source = Source::sample;
    save(replayed);
    save(makeRun("2", "transpose/tiled", 50));
    EXPECT_TRUE(own().empty());
    save(makeProfile("3", "transpose/naive", 100));
    const auto states = own();
    ASSERT_EQ(states.size(), 1U);
    EXPECT_TRUE(states[0].own);
    EXPECT_EQ(states[0].outcomes.size(), 1U);
    const auto model = trainModel(*store, *catalog, *tree);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ((*model)->ownCases(), 1);
    EXPECT_EQ((*model)->cases(), (*loadShippedModel())->cases() + 1);
}

TEST_F(FixCases, TheModelIsKeptUntilTheDatabaseChanges)
{
    save(makeProfile("1", "transpose/naive", 100));
    save(makeRun("2", "transpose/tiled", 50));
    Kept<std::shared_ptr<const FixModel>> kept;
    const auto train = [&] { return trainModel(*store, *catalog, *tree); };
    const auto first = kept.of(*store, train);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ((*first)->ownCases(), 1);
    const auto again = kept.of(*store, train);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *first) << "the same one, not another of the same";
    save(makeRun("3", "transpose/padded", 25));
    const auto later = kept.of(*store, train);
    ASSERT_TRUE(later);
    EXPECT_NE(*later, *first);
}

TEST_F(FixCases, ASessionsAbIsACaseOnce)
{
    save(makeProfile("1", "transpose/naive", 100));
    save(makeRun("2", "transpose/tiled", 50));
    for (const auto& [id, ratio] : {std::pair{"c1", 4.0}, std::pair{"c2", 1.5}}) {
        Comparison comparison;
        comparison.id.text = id;
        comparison.ratio = Ratio{ratio, ratio, ratio};
        ASSERT_TRUE(store->saveComparison(comparison));
    }
    SessionHeader header;
    header.id.text = "s";
    header.name = "first";
    header.kind = "optimize";
    header.kernel = "transpose";
    header.createdAt = "2026-01-02T00:00:00.000Z";
    header.templateJson = "{}";
    ASSERT_TRUE(store->createSession(header, {1, header.createdAt, event::kOpened, "{}"}));
    int seq = 1;
    const auto append = [&](const char* type, const char* data) {
        ASSERT_TRUE(store->appendEvent(header.id, {++seq, header.createdAt, type, data}));
    };
    append(event::kProfiled, R"({"run": "1"})");
    append(event::kFixChosen, R"({"fix": "transpose/tiled", "title": "Stage", "candidate": "transpose/tiled"})");
    append(event::kEvaluated, R"({"comparison": "c1"})");
    append(event::kEditBegun, R"({"fix": "vector-loads"})");
    append(event::kEvaluated, R"({"comparison": "c2"})");
    const auto states = own();
    ASSERT_EQ(states.size(), 1U);
    ASSERT_EQ(states[0].outcomes.size(), 2U) << "the pair of runs is the session's";
    EXPECT_EQ(states[0].outcomes[0].kind, "stage-in-shared-memory");
    EXPECT_NEAR(states[0].outcomes[0].gain, std::log(4.0), 1e-12) << "the interleaved A/B, not the two runs";
    EXPECT_EQ(states[0].outcomes[1].kind, "vector-loads");
    EXPECT_NEAR(states[0].outcomes[1].gain, std::log(1.5), 1e-12);
}

TEST_F(FixCases, TheFileIsReadAsItWasWritten)
{
    auto states = computeStates({makeProfile("1", "transpose/naive", 100), makeRun("2", "transpose/tiled", 50)}, *catalog, *tree);
    const auto read = parseStates(statesToText(states), "test");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 1U);
    ASSERT_EQ((*read)[0].trust.size(), states[0].trust.size());
    EXPECT_DOUBLE_EQ((*read)[0].trust.at("coalesce-accesses").confidence, 0.8);
    EXPECT_NEAR((*read)[0].outcomes[0].gain, std::log(2.0), 1e-4);
    EXPECT_FALSE(parseStates("[]", "test"));
    const auto other = parseStates(R"({"features": ["dram_percent"], "states": [{"features": [1]}]})", "test");
    ASSERT_FALSE(other);
    ASSERT_EQ(other.error().next.size(), 1U);
    EXPECT_EQ(other.error().next.front().id, StepId::writeFixCases);
}

TEST_F(FixCases, AnAdviceNamesFixChanceAndBasis)
{
    const std::string staged = (*catalog->variant({"transpose", "tiled", {}}))->fixTitle;
    const Advice byTree = advisedAfter({});
    EXPECT_THAT(byTree.sentence, HasSubstr(staged.substr(1))) << "but for its capital";
    EXPECT_THAT(byTree.sentence, HasSubstr(formatPercent(70) + ' '));
    EXPECT_THAT(byTree.sentence, HasSubstr(formatRatio(1.2)));
    ASSERT_GE(byTree.changes.size(), 2U);
    EXPECT_EQ(byTree.changes[0].ready, std::vector<std::string>{"transpose/tiled"});
    EXPECT_EQ(byTree.changes[0].title, staged);
    EXPECT_EQ(byTree.changes[0].chance.cases, 0);
    EXPECT_FALSE(byTree.changes[0].chance.learned);
    EXPECT_EQ(byTree.changes[1].chance.kind, "coalesce-accesses") << "a larger gain, but an edit";
    EXPECT_GT(byTree.changes[1].chance.gain, byTree.changes[0].chance.gain);
    EXPECT_EQ(byTree.best, 0U);
    const Advice learned = advisedAfter({"f", "g", "h"});
    EXPECT_THAT(learned.sentence, HasSubstr(staged.substr(1)));
    EXPECT_THAT(learned.sentence, HasSubstr(formatPercent(70) + ' '));
    EXPECT_THAT(learned.sentence, HasSubstr(" 3 "));
    ASSERT_FALSE(learned.changes.empty());
    EXPECT_EQ(learned.changes[0].chance.kind, "stage-in-shared-memory");
    EXPECT_EQ(learned.changes[0].chance.cases, 3);
    EXPECT_EQ(learned.changes[0].chance.kernels, 3);
    EXPECT_TRUE(learned.changes[0].chance.learned);
    EXPECT_EQ(learned.cases, 3);
    EXPECT_FALSE(learned.calibrated);
}

TEST_F(FixCases, AReadyChangeThatDoesNotPayIsListedFirstButNotRecommended)
{
    const Advice advice = advisedAfter({"f", "g", "h"}, 1.0 / 16);
    ASSERT_GE(advice.changes.size(), 2U);
    EXPECT_EQ(advice.changes[0].ready, std::vector<std::string>{"transpose/tiled"});
    EXPECT_LT(advice.changes[0].chance.gain, 0);
    ASSERT_LT(advice.best, advice.changes.size());
    EXPECT_EQ(advice.changes[advice.best].chance.kind, "coalesce-accesses");
    EXPECT_THAT(advice.sentence, HasSubstr(tree->fixTitle("coalesce-accesses").substr(1)));
}

TEST_F(FixCases, AFindingAndAnAdviceHaveOneOrder)
{
    const RunRecord run = makeProfile("1", "transpose/naive", 100);
    Diagnosis diagnosis = diagnoseIn(*catalog, *tree, run);
    weigh(diagnosis, run, *tree, **loadShippedModel());
    std::vector<std::string> found, advised;
    for (const Fix& fix : diagnosis.finding.fixes)
        if (!fix.kind.empty())
            found.push_back(fix.kind);
    for (const Recommendation& change : advise(run, *catalog, *tree, **loadShippedModel()).changes)
        if (std::ranges::find(found, change.chance.kind) != found.end())
            advised.push_back(change.chance.kind);
    ASSERT_GE(found.size(), 3U);
    EXPECT_EQ(advised, found);
}

TEST_F(FixCases, AStepIsReportedInTheWordsOfTheChangeThatItIs)
{
    const auto adviceOn = [&](const char* kernel, const std::string& kind) {
        RunRecord run = makeProfile("1", kernel, 100);
        run.problem = (*catalog->family(run.kernel.family))->problems.front();
        const Advice advice = advise(run, *catalog, *tree, **loadShippedModel());
        const auto found = std::ranges::find_if(advice.changes, [&](const Recommendation& change) { return change.chance.kind == kind; });
        return found == advice.changes.end() ? Recommendation() : *found;
    };
    const Recommendation blocks = adviceOn("occupancy/tiny-blocks", "other-block-size");
    const auto ownTitle = [&](const char* kernel) { return (*catalog->variant(*parseAddress(kernel)))->fixTitle; };
    ASSERT_NE(ownTitle("occupancy/quads"), ownTitle("occupancy/full"));
    EXPECT_EQ(blocks.title, ownTitle("occupancy/quads")) << "occupancy/full fixes another variant, by another change";
    EXPECT_EQ(blocks.ready, (std::vector<std::string>{"occupancy/quads", "occupancy/full", "occupancy/pairs"})) << "what fixes it first";
    EXPECT_EQ(adviceOn("jacobi/single", "lower-precision").title, tree->fixTitle("lower-precision"));
    ASSERT_NE(ownTitle("chain/fused"), tree->fixTitle("fuse-kernels"));
    EXPECT_EQ(adviceOn("chain/separate", "fuse-kernels").title, ownTitle("chain/fused")) << "of the same kind";
    ASSERT_EQ(tree->fixTitle("larger-tiles"), "");
    EXPECT_THAT(adviceOn("attention/fused", "larger-tiles").title, ContainsRegex("larger[^-]tiles")) << "its id";
}

TEST_F(FixCases, WhatCannotApplyIsNotAdvised)
{
    RunRecord run = makeProfile("1", "transpose/naive", 100);
    std::vector<FixState> states;
    for (const char* family : {"f", "g", "h"}) {
        FixState state = computeState(run, *tree);
        state.family = family;
        state.kernel = std::string(family) + "/a";
        state.outcomes.push_back({state.kernel, "tensor-cores", std::log(16.0)});
        states.push_back(std::move(state));
    }
    const FixModel model = FixModel::makeTrained(std::move(states));
    const auto advised = [&] {
        const Advice advice = advise(run, *catalog, *tree, model);
        return std::ranges::any_of(advice.changes, [](const Recommendation& r) { return r.chance.kind == "tensor-cores"; });
    };
    EXPECT_TRUE(advised()) << "learned elsewhere";
    run.launches.back().opcodes = {{"mma", 8}, {"int", 10}};
    EXPECT_FALSE(advised()) << "it is on the tensor cores already";
}

TEST_F(FixCases, AnInvalidRunGetsNoAdvice)
{
    RunRecord run = makeProfile("1", "transpose/naive", 100);
    run.correctness.result = CorrectnessResult::incorrect;
    const Advice advice = advise(run, *catalog, *tree, **loadShippedModel());
    EXPECT_EQ(advice.classId, "invalid");
    EXPECT_TRUE(advice.changes.empty());
    EXPECT_FALSE(advice.sentence.empty());
    EXPECT_NE(advice.sentence, advisedNothing().sentence) << "not that nothing helps";
}

TEST_F(FixCases, TheFindingsFixesCarryWhatWasLearned)
{
    const RunRecord run = makeProfile("1", "transpose/naive", 100);
    Diagnosis diagnosis = tree->diagnose(run, {{"transpose/tiled", "Stage it", "uncoalesced", "stage-in-shared-memory"}});
    weigh(diagnosis, run, *tree, **loadShippedModel());
    const FixState state = computeState(run, *tree);
    const std::vector<Fix>& fixes = diagnosis.finding.fixes;
    ASSERT_GE(fixes.size(), 3U);
    EXPECT_EQ(fixes[0].variant, "transpose/tiled") << "what is ready comes first";
    EXPECT_DOUBLE_EQ(fixes[0].confidence, (*loadShippedModel())->estimateChance(state, "stage-in-shared-memory").chance);
    for (std::size_t i = 2; i < fixes.size(); ++i)
        EXPECT_GE(fixes[i - 1].gain, fixes[i].gain) << fixes[i].id;
}

TEST_F(FixCases, WhereTooLittleWasMeasuredTheFirstFixIsToMeasureMore)
{
    RunRecord run = makeProfile("1", "transpose/naive", 100);
    run.metrics->values = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 30},
                           {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 75}};
    Diagnosis diagnosis = tree->diagnose(run, {});
    weigh(diagnosis, run, *tree, **loadShippedModel());
    ASSERT_EQ(diagnosis.finding.classId, "not-measured");
    std::vector<std::string> ids;
    for (const Fix& fix : diagnosis.finding.fixes)
        ids.push_back(fix.id);
    EXPECT_EQ(ids, (std::vector<std::string>{"measure-more"}));
}

TEST_F(FixCases, AKindOfChangeHasOneSpelling)
{
    std::set<std::string> kinds, american;
    const Result<std::vector<FixState>> states = loadShippedStates();
    ASSERT_TRUE(states) << states.error().message;
    for (const FixState& state : *states)
        for (const FixOutcome& outcome : state.outcomes) {
            kinds.insert(outcome.kind);
            std::string kind = outcome.kind;
            if (const std::size_t at = kind.rfind("ise"); at != std::string::npos && at + 3 == kind.size())
                kind.replace(at, 3, "ize");
            american.insert(kind);
        }
    EXPECT_GT(kinds.size(), 10U);
    EXPECT_EQ(kinds, american);
}

/// A family of two tunables with names for their changes, and one without; b and c are steps from a.
KernelFamily namedSteps()
{
    KernelFamily family;
    family.id = "mine";
    Tunable rows;
    rows.name = "ROWS";
    rows.values = {std::int64_t{16}, std::int64_t{32}, std::int64_t{64}};
    rows.defaultValue = std::int64_t{32};
    rows.raising = "larger-tiles";
    Tunable mode;
    mode.name = "MODE";
    mode.values = {std::string("plain"), std::string("Fast_Path"), std::string("named")};
    mode.defaultValue = std::string("plain");
    mode.meaning = {{"named", "meant"}};
    family.tunables = {rows, mode};
    for (const char* id : {"a", "b", "c"}) {
        Variant variant;
        variant.id = id;
        variant.tunables = {"ROWS", "MODE"};
        family.variants.push_back(variant);
    }
    family.variants[1].fixes = "a";
    family.variants[1].changes = {{"a", "stage"}};
    family.variants[2].fixes = "b";
    return family;
}

TEST(KindsOfChange, FollowTheTunablesAndStepsOfTheDescriptor)
{
    const Catalog own{std::vector<KernelFamily>{namedSteps()}};
    const auto kind = [&](const char* from, const char* to) { return classifyChange(own, *parseAddress(from), *parseAddress(to)); };
    EXPECT_EQ(kind("mine/a", "mine/a@ROWS=64"), "larger-tiles");
    EXPECT_EQ(kind("mine/a", "mine/a@ROWS=16"), "rows-down") << "no name is given";
    EXPECT_EQ(kind("mine/a@ROWS=16", "mine/a"), "larger-tiles") << "from 16 to the default of 32";
    EXPECT_EQ(kind("mine/a", "mine/a@MODE=Fast_Path"), "mode-fast-path");
    EXPECT_EQ(kind("mine/a", "mine/a@MODE=named"), "meant");
    EXPECT_EQ(kind("mine/a@MODE=named", "mine/a"), "mode-plain");
    EXPECT_EQ(kind("mine/a", "mine/a@ROWS=32"), std::nullopt) << "its default";
    EXPECT_EQ(kind("mine/a", "mine/b"), "stage");
    EXPECT_EQ(kind("mine/b", "mine/c"), "mine-c") << "a step without a name";
    EXPECT_EQ(kind("mine/a", "mine/c"), std::nullopt);
    EXPECT_EQ(kind("mine/a", "mine/b@ROWS=64"), std::nullopt) << "two changes";
    EXPECT_EQ(kind("mine/a@ROWS=64", "mine/b@ROWS=64"), "stage");
    EXPECT_EQ(kind("mine/a", "mine/gone"), std::nullopt);
}

TEST(Promises, AreLogarithmsWithinTheirBounds)
{
    EXPECT_DOUBLE_EQ(computePromise({}), std::log(2.0));
    EXPECT_DOUBLE_EQ(computePromise(0.5), std::log(2.0));
    EXPECT_DOUBLE_EQ(computePromise(0.75), std::log(4.0));
    EXPECT_DOUBLE_EQ(computePromise(0), 0.02);
    EXPECT_DOUBLE_EQ(computePromise(1), std::log(20.0));
    EXPECT_DOUBLE_EQ(computePromise(0.95), std::log(20.0));
}

TEST_F(FixCases, OtherProblemsFailuresAndProgramsAreNoOutcomes)
{
    const RunRecord before = makeProfile("1", "transpose/naive", 100);
    RunRecord other = makeRun("2", "transpose/tiled", 50);
    other.problem = *parseParams("M=1,N=1");
    RunRecord failed = makeRun("3", "transpose/tiled", 50);
    failed.status = ResultStatus::computationFailed;
    RunRecord untimed = makeRun("4", "transpose/tiled", 50);
    untimed.timing.reset();
    RunRecord program = makeRun("5", "transpose/tiled", 50);
    program.program.emplace();
    RunRecord none = makeRun("6", "transpose/tiled", 0);
    EXPECT_TRUE(computeStates({before, other, failed, untimed, program, none}, *catalog, *tree).empty());
    EXPECT_TRUE(computeStates({makeRun("1", "transpose/naive", 100), makeRun("2", "transpose/tiled", 50)}, *catalog, *tree).empty())
        << "no profile";
    const auto states = computeStates({before, makeRun("7", "transpose/tiled", 200)}, *catalog, *tree);
    ASSERT_EQ(states.size(), 1U);
    EXPECT_NEAR(states[0].outcomes[0].gain, -std::log(2.0), 1e-12) << "slower";
    EXPECT_EQ(states[0].outcomes[0].to, "transpose/tiled");
    EXPECT_EQ(states[0].kernel, "transpose/naive");
    EXPECT_EQ(states[0].problem, toText(before.problem));
    EXPECT_EQ(states[0].device, "NVIDIA H200");
    EXPECT_FALSE(states[0].own);
}

TEST_F(FixCases, TheFileKeepsFourDigitsAndEachField)
{
    FixState state =
        computeStates({makeProfile("1", "transpose/naive", 100), makeRun("2", "transpose/tiled", 50)}, *catalog, *tree).front();
    state.estimate = 0.123456;
    state.trust = {{"k", {0.654321, 0.111119}}, {"l", {0.5, {}}}};
    state.features[0] = 1.23456;
    state.features[1].reset();
    state.outcomes = {{"to", "kind", -0.98765}};
    FixState expected = state;
    expected.estimate = 0.1235;
    expected.trust = {{"k", {0.6543, 0.1111}}, {"l", {0.5, {}}}};
    for (std::optional<double>& feature : expected.features)
        if (feature)
            feature = std::round(*feature * 1e4) / 1e4;
    expected.outcomes[0].gain = -0.9877;
    const auto read = parseStates(statesToText({state, state}), "test");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 2U);
    EXPECT_EQ((*read)[0], expected);
    EXPECT_EQ((*read)[1], expected);
    EXPECT_EQ(parseStates(statesToText({}), "test")->size(), 0U);
    state.features.pop_back();
    EXPECT_EQ(parseStates(statesToText({state}), "test").error().where, "features");
}

TEST_F(FixCases, WithoutAModelTheTreesConfidenceStaysWithAWarning)
{
    RunRecord run = makeProfile("1", "transpose/naive", 100);
    run.diagnosis = tree->diagnose(run, {});
    const RunRecord before = run;
    const auto warning = weighBy(Error{.code = ErrorCode::badInput, .message = "It is damaged."}, run, *tree);
    ASSERT_TRUE(warning);
    EXPECT_EQ(warning->code, "no-recommender");
    EXPECT_NE(warning->text.find("It is damaged."), std::string::npos);
    EXPECT_EQ(run, before);
    EXPECT_FALSE(weighBy(loadShippedModel(), run, *tree));
    EXPECT_NE(run, before);
}

TEST_F(FixCases, TheBasisOfAnAdviceSaysHowFewCasesThereAre)
{
    for (const auto& families : {std::vector<std::string>{"f0"}, std::vector<std::string>{"f0", "f1"}}) {
        const Advice few = advisedAfter(families);
        ASSERT_FALSE(few.changes.empty());
        EXPECT_EQ(few.changes[0].chance.cases, std::ssize(families));
        EXPECT_FALSE(few.changes[0].chance.learned);
        EXPECT_THAT(few.sentence, HasSubstr(": " + std::to_string(families.size()) + ' '));
    }
    const Advice none = advisedNothing();
    EXPECT_TRUE(none.changes.empty());
    EXPECT_EQ(none.kernel, "mine/gone");
    EXPECT_EQ(none.classId, "balanced");
    EXPECT_EQ(none.problem, toText(makeProfile("1", "transpose/naive", 100).problem));
}

class AdviceTexts : public FixCases {};

TEST_F(AdviceTexts, SnapshotOfEachBasis)
{
    std::string text = "none: " + advisedNothing().sentence + '\n';
    text += "by the tree: " + advisedAfter({}).sentence + '\n';
    text += "one case: " + advisedAfter({"f"}).sentence + '\n';
    text += "two cases: " + advisedAfter({"f", "g"}).sentence + '\n';
    text += "learned: " + advisedAfter({"f", "g", "h"}).sentence + '\n';
    text += "learned of one family: " + advisedAfter({"f", "f", "f"}).sentence + '\n';
    RunRecord wrong = makeProfile("1", "transpose/naive", 100);
    wrong.correctness.result = CorrectnessResult::incorrect;
    text += "incorrect: " + advise(wrong, *catalog, *tree, **loadShippedModel()).sentence + '\n';
    RunRecord fused = makeProfile("1", "attention/fused", 100);
    fused.problem = (*catalog->family("attention"))->problems.front();
    for (const Recommendation& change : advise(fused, *catalog, *tree, **loadShippedModel()).changes)
        if (change.chance.kind == "larger-tiles")
            text += "a kind without a title: " + change.title + '\n';
    test::expectSnapshot("texts/advice.txt", text);
}

TEST_F(FixCases, AFileWithAnotherFeatureOfTheSameNumberIsRefused)
{
    const auto states = computeStates({makeProfile("1", "transpose/naive", 100), makeRun("2", "transpose/tiled", 50)}, *catalog, *tree);
    const std::string text = statesToText(states);
    ASSERT_TRUE(parseStates(text, "test"));
    const std::string first = '"' + std::string(caseFeatures().front()) + '"';
    std::string renamed = text;
    renamed.replace(renamed.find(first), first.size(), "\"another_percent\"");
    const auto refused = parseStates(renamed, "there");
    ASSERT_FALSE(refused) << "its figures are of something else";
    EXPECT_EQ(refused.error().where, "features");
    EXPECT_EQ(refused.error().next.at(0).at(StepArgument::file), "there");
    std::string swapped = text;
    const std::string second = '"' + std::string(caseFeatures()[1]) + '"';
    swapped.replace(swapped.find(second), second.size(), first);
    swapped.replace(swapped.find(first), first.size(), second);
    EXPECT_FALSE(parseStates(swapped, "test")) << "the order counts";
}

} // namespace
} // namespace kl
