// SPDX-License-Identifier: MIT
#include "core/model/kernel_code.h"
#include "core/model/model_words.h"
#include "sessions/store/schema.h"
#include "sessions/store/sqlite.h"
#include "tests/support/store_support.h"

#include <cmath>
#include <limits>
#include <optional>

namespace kl {
namespace {

using support::infoValue;
using support::openStore;
using support::profiledRun;
using support::TempDir;
using support::timedRun;

TEST(Statements, AreUsedAgainWithoutWhatTheyHeld)
{
    std::optional<sqlite::Statement> late;
    {
        const auto db = sqlite::Connection::open(":memory:", true, true);
        ASSERT_TRUE(db);
        ASSERT_TRUE(db->exec("CREATE TABLE t(a TEXT); INSERT INTO t VALUES('x'), ('y')"));
        constexpr const char* kAll = "SELECT a, ?1 FROM t ORDER BY a";
        for (int round = 0; round < 3; ++round) {
            Result<sqlite::Statement> outer = db->query(kAll, std::string("bound"));
            ASSERT_TRUE(outer && *outer->row());
            Result<sqlite::Statement> inner = db->prepare(kAll); // while the other is at its first row
            ASSERT_TRUE(inner && *inner->row());
            EXPECT_EQ(inner->text(0), "x");
            EXPECT_TRUE(inner->null(1)) << "round " << round;
            EXPECT_TRUE(*outer->row());
            EXPECT_EQ(outer->text(0), "y");
            EXPECT_EQ(outer->text(1), "bound");
        }
        ASSERT_TRUE(db->exec("ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'z'"));
        EXPECT_EQ(*db->texts("SELECT b FROM t"), (std::vector<std::string>{"z", "z"}));
        EXPECT_EQ(*db->texts("SELECT a FROM t ORDER BY a"), (std::vector<std::string>{"x", "y"}));
        for (int other = 0; other < 100; ++other)
            EXPECT_EQ(*db->number("SELECT " + std::to_string(other)), other);
        late.emplace(std::move(*db->prepare(kAll)));
    }
    late.reset(); // after its connection
}

TEST(Runs, ASummaryComesWithoutUnpacking)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->saveRun(support::profiledRun("r1", "naive", "2026-03-01T09:00:00.000Z", 1000)));
    const Result<RunSummary> summary = store->summary({"r1"});
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(*summary, store->runs({})->at(0));
    EXPECT_EQ(summary->classId, "uncoalesced");
    EXPECT_EQ(store->summary({"r2"}).error().code, ErrorCode::notFound);
}

TEST(StoreRuns, ARunComesBackExactly)
{
    const auto store = openStore(":memory:");
    RunRecord run = profiledRun("r1", "naive", "2026-03-01T09:00:00.000Z", 1e6 / 7);
    run.kernel.tunables = {{"TILE", std::int64_t{32}}};
    run.warnings = {{"clock-unlocked", "The clock moved."}};
    ASSERT_TRUE(store->saveRun(run));
    const Result<RunRecord> back = store->run({"r1"});
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, run);
}

TEST(StoreRuns, MachineCodeAloneIsMissingFromARunThatIsReadWithoutIt)
{
    const auto store = openStore(":memory:");
    RunRecord run = profiledRun("r1", "naive", "2026-03-01T09:00:00.000Z", 1000);
    run.sourceProfile.emplace();
    run.sourceProfile->samples = 7;
    run.sourceProfile->lines = {{"kernel.cu", 3, 7, 1, {{"wait", 7}}, 5, {}, {}}};
    run.sourceProfile->texts = {{"kernel.cu", "\"code\": {}\\\n"}};
    const RunRecord without = run;
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"naive"};
    code.instructions.resize(1);
    code.instructions.front().text = "say \"}],\\\"";
    run.sourceProfile->code = SharedCode(std::move(code));
    ASSERT_TRUE(store->saveRun(run));
    EXPECT_EQ(*store->run(run.id), run);
    EXPECT_EQ(*store->runWithoutCode(run.id), without);
    const RunRecord plain = timedRun("r2", "naive", "2026-03-01T09:00:01.000Z", 1000);
    ASSERT_TRUE(store->saveRun(plain));
    EXPECT_EQ(*store->runWithoutCode(plain.id), plain);
    EXPECT_EQ(store->runWithoutCode({"r3"}).error().code, ErrorCode::notFound);
}

TEST(StoreRuns, SeveralAreSavedTogetherOrNotAtAll)
{
    const auto store = openStore(":memory:");
    const RunRecord first = profiledRun("r1", "naive", "t1", 1);
    RunRecord second = timedRun("r2", "naive", "t2", 1);
    ASSERT_TRUE(store->saveRuns({&first, &second, &first}));
    EXPECT_EQ(infoValue(*store, "runs"), "2");
    EXPECT_EQ(*store->run(first.id), first);
    EXPECT_EQ(*store->run(second.id), second);
    const RunRecord third = timedRun("r3", "naive", "t3", 1);
    second.id = {};
    EXPECT_FALSE(store->saveRuns({&third, &second}).ok());
    second.id.text = "r4";
    second.correctness.maxAbs = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(store->saveRuns({&third, &second}).ok());
    EXPECT_EQ(infoValue(*store, "runs"), "2");
}

TEST(StoreRuns, SavingTwiceChangesNothing)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->saveRun(timedRun("r1", "naive", "2026-03-01T09:00:00.000Z", 100)));
    const std::int64_t before = store->dataVersion();
    ASSERT_TRUE(store->saveRun(timedRun("r1", "tiled", "2027-01-01T00:00:00.000Z", 999)));
    EXPECT_EQ(store->dataVersion(), before);
    EXPECT_EQ(store->run({"r1"})->kernel.variant, "naive");
    EXPECT_EQ(infoValue(*store, "runs"), "1");
}

TEST(StoreRuns, EverySeriesOfSamplesComesBack)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    RunRecord run = timedRun("r1", "naive", "2026-01-01T00:00:00Z", 1000);
    run.timing->clocks = {1980.0, std::nullopt, 1755.0};
    run.timing->hotSamples = {900.5, 901};
    run.timing->hostSamples = {5000, 5100, 5200};
    run.timing->stoppedBy = "noise-stable";
    run.timing->temperatureC = 41;
    run.timing->powerW = 320.5;
    run.timing->throttleReasons = {"power cap"};
    run.workerSeconds = 0.25;
    ASSERT_TRUE(store->saveRun(run));
    EXPECT_EQ(*store->run({"r1"}), run);
    const Result<sqlite::Connection> db = sqlite::Connection::open(dir / "kl.db", false, false);
    EXPECT_EQ(*db->number("SELECT count(*) FROM run_series WHERE run_id = 'r1'"), 3);
}

TEST(StoreRuns, ARunIsFoundByTheStartOfItsId)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    for (const char* id : {"0190-aa-1", "0190-ab-2", "0191-cc-3"})
        ASSERT_TRUE(store->saveRun(timedRun(id, "naive", "2026-01-01T00:00:00Z", 1000)));
    EXPECT_EQ(store->runStarting("0191")->text, "0191-cc-3");
    EXPECT_EQ(store->runStarting("0190-ab-2")->text, "0190-ab-2");
    EXPECT_EQ(store->runStarting("0192").error().code, ErrorCode::notFound);
    const Result<RunId> several = store->runStarting("0190-");
    ASSERT_FALSE(several);
    EXPECT_EQ(several.error().code, ErrorCode::badInput);
    EXPECT_NE(several.error().message.find("0190-ab-2"), std::string::npos);
    EXPECT_EQ(store->runStarting("").error().code, ErrorCode::badInput);
}

TEST(StoreRuns, AnUnknownRunIsNotFound)
{
    const auto store = openStore(":memory:");
    EXPECT_EQ(store->run({"nope"}).error().code, ErrorCode::notFound);
}

TEST(StoreRuns, ARunWithoutIdIsRefused)
{
    const auto store = openStore(":memory:");
    EXPECT_FALSE(store->saveRun(timedRun("", "naive", "", 1)));
    EXPECT_EQ(infoValue(*store, "runs"), "0");
}

TEST(StoreRuns, ANumberThatIsNotFiniteIsRefusedRatherThanStoredUnreadable)
{
    const auto store = openStore(":memory:");
    RunRecord run = timedRun("r1", "naive", "t1", 1);
    run.correctness.maxAbs = std::nan("");
    EXPECT_EQ(store->saveRun(run).error().code, ErrorCode::badInput);
    EXPECT_EQ(infoValue(*store, "runs"), "0");
    run = timedRun("r1", "naive", "t1", 1);
    run.timing->samples[1] = std::nan(""); // samples are kept as bytes
    EXPECT_TRUE(store->saveRun(run));
    EXPECT_TRUE(std::isnan(store->run({"r1"})->timing->samples[1]));
}

TEST(StoreRuns, TheSummaryShowsTimeSpeedupAndFinding)
{
    const auto store = openStore(":memory:");
    const RunRecord run = profiledRun("r1", "naive", "2026-03-01T09:00:00.000Z", 400);
    ASSERT_TRUE(store->saveRun(run));
    const auto runs = store->runs({});
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 1U);
    RunSummary expected{{"r1"},           "transpose/naive",          "M=64,N=64", "NVIDIA H200", Source::live,  "2026-03-01T09:00:00.000Z",
                        ResultStatus::ok, CorrectnessResult::correct, 400.0,       0.25,          "uncoalesced", "P0"};
    expected.sourceHash = run.sourceHash;
    expected.deviceUuid = run.device.uuid;
    EXPECT_FALSE(expected.deviceUuid.empty());
    EXPECT_EQ(runs->front(), expected);
}

/// The column knows three words, the record all of them.
TEST(StoreRuns, EveryResultComesBackFromAListAndFromItsRecord)
{
    const auto store = openStore(":memory:");
    int number = 0;
    for (const auto& [result, word] : enumWords(CorrectnessResult{})) {
        const std::string id = "r" + std::to_string(++number);
        RunRecord run = timedRun(id, "naive", "t" + std::to_string(number), 1);
        run.correctness.result = result;
        if (isRefuted(result))
            run.correctness.witness = Witness{std::string("seen: ") + word, 3, "out", 35, 3.0, 4.5, "0x7f00", ""};
        ASSERT_TRUE(store->saveRun(run)) << word;
        const RunSummary summary = *store->summary({id});
        EXPECT_EQ(summary.correctness, result) << word;
        EXPECT_EQ(summary.refutation, isRefuted(result) ? std::string("seen: ") + word : "") << word;
        EXPECT_EQ(isUsable(summary), !isRefuted(result)) << word;
        EXPECT_EQ(*store->run({id}), run) << word;
    }
    EXPECT_EQ(store->runs({})->size(), static_cast<std::size_t>(number));
}

TEST(StoreRuns, AFailedRunHasNoTimeRatherThanZero)
{
    const auto store = openStore(":memory:");
    RunRecord run = timedRun("r1", "naive", "2026-03-01T09:00:00.000Z", 1);
    run.status = ResultStatus::computationFailed;
    run.reason = "illegal address";
    run.timing.reset();
    ASSERT_TRUE(store->saveRun(run));
    const RunSummary row = store->runs({})->front();
    EXPECT_EQ(row.status, ResultStatus::computationFailed);
    EXPECT_FALSE(row.gpuNs);
    EXPECT_FALSE(row.speedup);
    EXPECT_EQ(store->run({"r1"})->reason, "illegal address");
}

TEST(StoreRuns, PagingByKeyVisitsEveryRunOnceNewestFirst)
{
    const auto store = openStore(":memory:");
    for (int i = 0; i < 25; ++i) // five share each time: the id breaks the tie
        ASSERT_TRUE(store->saveRun(timedRun("r" + std::to_string(100 + i), "naive", "2026-03-0" + std::to_string(1 + i / 5), 100)));
    std::vector<std::string> seen;
    RunQuery query;
    query.limit = 4;
    for (;;) {
        const auto page = store->runs(query);
        ASSERT_TRUE(page);
        if (page->empty())
            break;
        for (const RunSummary& run : *page)
            seen.push_back(run.id.text);
        query.beforeStartedAt = page->back().startedAt;
        query.beforeId = page->back().id.text;
    }
    ASSERT_EQ(seen.size(), 25U);
    EXPECT_EQ(seen.front(), "r124");
    EXPECT_TRUE(std::is_sorted(seen.rbegin(), seen.rend()));
}

TEST(StoreRuns, AnAddressPrefixEndsAtAPartOfTheAddress)
{
    const auto store = openStore(":memory:");
    RunRecord tuned = timedRun("r3", "naive", "t3", 1);
    tuned.kernel.tunables = {{"TILE", std::int64_t{32}}};
    RunRecord other = timedRun("r4", "naive", "t4", 1);
    other.kernel.family = "transpose2";
    for (const RunRecord& run : {timedRun("r1", "naive", "t1", 1), timedRun("r2", "naive2", "t2", 1), tuned, other})
        ASSERT_TRUE(store->saveRun(run));
    const auto ids = [&](const std::string& kernel) {
        std::string all;
        RunQuery query;
        query.kernel = kernel;
        const auto found = store->runs(query);
        for (const RunSummary& run : *found)
            all += run.id.text + ' ';
        return all;
    };
    EXPECT_EQ(ids("transpose"), "r3 r2 r1 ");
    EXPECT_EQ(ids("transpose/naive"), "r3 r1 ");
    EXPECT_EQ(ids("transpose/naive@TILE=32"), "r3 ");
    EXPECT_EQ(ids("trans"), "");
}

TEST(StoreRuns, ProfilesOnlyLeavesPlainRunsOut)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->saveRun(timedRun("r1", "naive", "t1", 1)));
    ASSERT_TRUE(store->saveRun(profiledRun("r2", "naive", "t2", 1)));
    RunQuery query;
    query.profilesOnly = true;
    ASSERT_EQ(store->runs(query)->size(), 1U);
    EXPECT_EQ(store->runs(query)->front().id.text, "r2");
}

TEST(StoreRuns, SharedSubjectsAreStoredOnce)
{
    const auto store = openStore(":memory:");
    for (const char* id : {"r1", "r2"}) {
        RunRecord run = profiledRun(id, "naive", "t1", 1);
        run.host = "farm-7";
        ASSERT_TRUE(store->saveRun(run));
        EXPECT_EQ(store->run(run.id)->host, "farm-7");
    }
    EXPECT_EQ(infoValue(*store, "devices"), "1");
    EXPECT_EQ(infoValue(*store, "variants"), "1");
    EXPECT_EQ(infoValue(*store, "problems"), "1");
    EXPECT_EQ(infoValue(*store, "hosts"), "1");
    EXPECT_EQ(infoValue(*store, "findings"), "4");
}

TEST(StoreRuns, ARunOfAnUnknownHostNamesNone)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->saveRun(timedRun("r1", "naive", "t1", 1)));
    EXPECT_EQ(infoValue(*store, "hosts"), "0") << "this machine did not measure it";
}

TEST(StoreComparisons, ComeBackWithTheirBlocks)
{
    const auto store = openStore(":memory:");
    Comparison c;
    c.id = {"c1"};
    c.a = "transpose/naive";
    c.b = "transpose/tiled";
    c.verdict = Verdict::faster;
    c.reason = "interval-above-1";
    c.ratio = Ratio{2.5, 2.4, 2.6};
    c.blocks = 2;
    c.data = {{{10.5, 11}, {4, 4.25}}, {{10}, {4.125}}};
    c.tunables = {{"TILE", "16", "32", 1.0}};
    ASSERT_TRUE(store->saveComparison(c));
    ASSERT_TRUE(store->saveComparison(c));
    const Result<Comparison> back = store->comparison({"c1"});
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, c);
    EXPECT_EQ(infoValue(*store, "comparison_blocks"), "2");
    EXPECT_EQ(store->comparison({"c2"}).error().code, ErrorCode::notFound);
}

SessionHeader header(const std::string& id, const std::string& at)
{
    return {{id}, "N+6 " + id, "optimize", "Make it faster", "transpose", Source::live, at, "{}"};
}

TEST(StoreSessions, EventsComeBackInOrder)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->createSession(header("s1", "t1"), {1, "t1", "opened", R"({"a":1})"}));
    ASSERT_TRUE(store->appendEvent({"s1"}, {2, "t2", "note", R"({"text":"x"})"}));
    const auto events = store->events({"s1"});
    ASSERT_TRUE(events);
    const std::vector<SessionEvent> expected{{1, "t1", "opened", R"({"a":1})"}, {2, "t2", "note", R"({"text":"x"})"}};
    EXPECT_EQ(*events, expected);
    EXPECT_EQ(*store->session({"s1"}), header("s1", "t1"));
}

TEST(StoreSessions, AreListedOldestFirst)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->createSession(header("s2", "2026-02"), {1, "t", "opened", "{}"}));
    ASSERT_TRUE(store->createSession(header("s1", "2026-01"), {1, "t", "opened", "{}"}));
    EXPECT_EQ(store->sessions()->front().id.text, "s1");
}

TEST(StoreSessions, TheLoserOfARaceHearsChangedElsewhere)
{
    const TempDir dir;
    const auto a = openStore(dir / "kl.db");
    const auto b = openStore(dir / "kl.db");
    ASSERT_TRUE(a->createSession(header("s1", "t1"), {1, "t1", "opened", "{}"}));
    ASSERT_TRUE(a->appendEvent({"s1"}, {2, "t2", "kept", "{}"}));
    const Status late = b->appendEvent({"s1"}, {2, "t2", "reverted", "{}"});
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::changedElsewhere);
    EXPECT_EQ(b->events({"s1"})->back().type, "kept");
}

TEST(StoreSessions, ANameIsTakenOnce)
{
    const TempDir dir;
    const auto a = openStore(dir / "kl.db");
    const auto b = openStore(dir / "kl.db");
    SessionHeader second = header("s2", "t1");
    second.name = header("s1", "t1").name;
    ASSERT_TRUE(a->createSession(header("s1", "t1"), {1, "t1", "opened", "{}"}));
    const Status late = b->createSession(second, {1, "t1", "opened", "{}"});
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::changedElsewhere);
    EXPECT_NE(late.error().message.find(second.name), std::string::npos);
    EXPECT_EQ(a->sessions()->size(), 1U);
}

TEST(StoreSessions, AGapOrAMissingSessionIsAnError)
{
    const auto store = openStore(":memory:");
    EXPECT_EQ(store->appendEvent({"s1"}, {1, "t", "note", "{}"}).error().code, ErrorCode::notFound);
    EXPECT_EQ(store->events({"s1"}).error().code, ErrorCode::notFound);
    ASSERT_TRUE(store->createSession(header("s1", "t1"), {1, "t1", "opened", "{}"}));
    EXPECT_EQ(store->appendEvent({"s1"}, {3, "t", "note", "{}"}).error().code, ErrorCode::internal);
    EXPECT_EQ(store->createSession(header("s1", "t1"), {1, "t1", "opened", "{}"}).error().code, ErrorCode::changedElsewhere);
}

TEST(StoreSessions, EventDataMustBeJson)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->createSession(header("s1", "t1"), {1, "t1", "opened", "{}"}));
    EXPECT_EQ(store->appendEvent({"s1"}, {2, "t", "note", "{broken"}).error().code, ErrorCode::badInput);
    EXPECT_EQ(store->events({"s1"})->size(), 1U);
}

TEST(StorePatterns, ReplacingKeepsApplicationsAndOrder)
{
    const auto store = openStore(":memory:");
    Pattern first{"a", "1", "A", "operational", "p", "do", "", 60.0, {}, {}, "notes"};
    ASSERT_TRUE(store->savePattern(first));
    ASSERT_TRUE(store->savePattern({"b", "2", "B", "own", "p", "do", "", {}, {}, 0.5, "mine"}));
    const PatternApplication use{"u1", "a", "", "t", 12.5, 60.0, {}, true, "n"};
    ASSERT_TRUE(store->saveApplication(use));
    ASSERT_TRUE(store->saveApplication(use));
    first.title = "A, better";
    ASSERT_TRUE(store->savePattern(first));
    EXPECT_EQ(store->patterns()->front(), first);
    ASSERT_EQ(store->applications()->size(), 1U);
    EXPECT_EQ(store->applications()->front(), use);
}

TEST(StorePatterns, AnApplicationOfAnUnknownPatternIsRefused)
{
    const auto store = openStore(":memory:");
    EXPECT_EQ(store->saveApplication({"u1", "none", "", "t"}).error().code, ErrorCode::badInput);
}

TEST(StoreNotes, ARemovedNoteIsGoneFromTheListAndKeptInTheTable)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->saveNote({"n1", "run:r1", "t1", "first"}));
    ASSERT_TRUE(store->saveNote({"n2", "run:r1", "t2", "second"}));
    ASSERT_TRUE(store->removeNote("n1"));
    ASSERT_EQ(store->notes("run:r1")->size(), 1U);
    EXPECT_EQ(store->notes("run:r1")->front().text, "second");
    EXPECT_EQ(infoValue(*store, "notes"), "2");
    EXPECT_EQ(store->removeNote("n1").error().code, ErrorCode::notFound);
}

TEST(StoreArtifacts, KeepBytesAndReplaceByName)
{
    const auto store = openStore(":memory:");
    const std::string bytes("a\0b\xff", 4);
    ASSERT_TRUE(store->saveArtifact("report", "old"));
    ASSERT_TRUE(store->saveArtifact("report", bytes));
    EXPECT_EQ(*store->artifact("report"), bytes);
    ASSERT_TRUE(store->saveArtifact("empty", ""));
    EXPECT_EQ(*store->artifact("empty"), "");
    EXPECT_EQ(store->artifact("none").error().code, ErrorCode::notFound);
}

TEST(StoreSettings, AreTextByKey)
{
    const auto store = openStore(":memory:");
    EXPECT_FALSE(store->setting("gpu-price"));
    ASSERT_TRUE(store->setSetting("gpu-price", "2.5"));
    ASSERT_TRUE(store->setSetting("gpu-price", "3"));
    EXPECT_EQ(store->setting("gpu-price"), "3");
}

TEST(StoreDataVersion, ChangesWithWritesOfThisAndOfOtherConnections)
{
    const TempDir dir;
    const auto a = openStore(dir / "kl.db");
    const auto b = openStore(dir / "kl.db");
    const std::int64_t before = a->dataVersion();
    EXPECT_EQ(a->dataVersion(), before);
    ASSERT_TRUE(a->setSetting("x", "1"));
    const std::int64_t own = a->dataVersion();
    EXPECT_NE(own, before);
    ASSERT_TRUE(b->setSetting("x", "2"));
    EXPECT_NE(a->dataVersion(), own);
    EXPECT_EQ(a->setting("x"), "2");
}

TEST(StoreBackup, CopiesWhatIsStillInTheLog)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    ASSERT_TRUE(store->setSetting("x", "1"));
    ASSERT_TRUE(std::filesystem::exists(dir / "kl.db-wal"));
    ASSERT_TRUE(store->backup(dir / "copy.db"));
    EXPECT_EQ(openStore(dir / "copy.db")->setting("x"), "1");
    EXPECT_EQ(store->backup(dir / "copy.db").error().code, ErrorCode::badInput);
}

TEST(StoreAdmin, InfoAndCheckDescribeASoundFile)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    ASSERT_TRUE(store->saveRun(profiledRun("r1", "naive", "t1", 1)));
    EXPECT_EQ(infoValue(*store, "schema"), std::to_string(kSchemaVersion));
    EXPECT_EQ(infoValue(*store, "read-only"), "no");
    EXPECT_EQ(infoValue(*store, "runs"), "1");
    EXPECT_TRUE(store->check()->empty());
}

} // namespace
} // namespace kl
