// SPDX-License-Identifier: MIT
// Rows of the smaller tables: costs, patterns, notes, noise, artifacts, labels; and pages of lists at their limits.
#include "core/model/kernel_code.h"
#include "sessions/store/amounts.h"
#include "sessions/store/artifact_names.h"
#include "sessions/store/blob.h"
#include "sessions/store/sqlite.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"

#include <cerrno>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <sqlite3.h>
#include <system_error>

namespace kl {
namespace {

using support::infoValue;
using support::openStore;
using support::profiledRun;
using support::TempDir;
using support::timedRun;
using testing::ElementsAre;
using testing::IsEmpty;

std::string joinIds(const std::vector<RunSummary>& rows)
{
    std::string ids;
    for (const RunSummary& row : rows)
        ids += row.id.text + ' ';
    return ids;
}

SessionHeader sessionNamed(const std::string& id, const std::string& at, const std::string& kind = "optimize")
{
    return {{id}, "name " + id, kind, "objective " + id, "transpose", Source::sample, at, R"({"kind":"x"})"};
}

void startSession(Store& store, const SessionHeader& header)
{
    ASSERT_TRUE(store.createSession(header, {1, header.createdAt, "opened", "{}"}));
}

TEST(Amounts, ReachFromZeroToTheMostOfTheirUnit)
{
    struct Case {
        std::optional<double> minutes, dollars;
        bool fits;
    };
    const double infinite = std::numeric_limits<double>::infinity();
    for (const Case& one : {Case{{}, {}, true}, Case{0, 0, true}, Case{kMostMinutes, kMostDollars, true}, Case{kMostMinutes + 1, {}, false},
                            Case{{}, kMostDollars + 1, false}, Case{kMostMinutes + 1, 1, false}, Case{1, kMostDollars * 2, false},
                            Case{{}, kMostMinutes * 2, true}, Case{-0.01, 1, false}, Case{1, -0.01, false}, Case{std::nan(""), {}, false},
                            Case{{}, infinite, false}}) {
        const Status status = checkAmounts(one.minutes, one.dollars, "here");
        EXPECT_EQ(status.ok(), one.fits) << one.minutes.value_or(-7) << ' ' << one.dollars.value_or(-7);
        if (!status) {
            EXPECT_EQ(status.error().code, ErrorCode::badInput);
            EXPECT_EQ(status.error().where, "here");
        }
    }
    EXPECT_NE(checkAmounts(-1, 1, "").error().message.find("minutes"), std::string::npos) << "names the one that is wrong";
    EXPECT_NE(checkAmounts(1, -1, "").error().message.find("dollars"), std::string::npos);
}

TEST(StoreCosts, ComeBackOldestFirstAndOnceRemovedAreGoneFromTheList)
{
    const auto store = openStore(":memory:");
    startSession(*store, sessionNamed("s1", "2026-01"));
    const CostEntry late{"k2", "s1", "2026-03", "value", 12.5, "late"};
    const CostEntry early{"k1", "s1", "2026-02", "assistant", 3.25, "early"};
    for (const CostEntry& cost : {late, early, early})
        ASSERT_TRUE(store->saveCost(cost));
    EXPECT_THAT(*store->costs(), ElementsAre(early, late));
    ASSERT_TRUE(store->removeCost("k1"));
    EXPECT_THAT(*store->costs(), ElementsAre(late));
    EXPECT_EQ(infoValue(*store, "cost_entries"), "2");
    EXPECT_EQ(store->dependents(SessionId{"s1"})->costs, 1) << "a removed one is not counted";
    for (const char* id : {"k1", "k3"})
        EXPECT_EQ(store->removeCost(id).error().code, ErrorCode::notFound) << id;
    EXPECT_EQ(store->saveCost({"k4", "nowhere", "2026-03", "gpu", 1, ""}).error().code, ErrorCode::badInput);
}

TEST(StorePatterns, EveryFieldComesBackAndIsReplaced)
{
    const auto store = openStore(":memory:");
    const Pattern full{"slug", "10", "Title", "operational", "Problem", "Advice", "finding", 30.0, 60.0, 1.5, "origin", "session"};
    ASSERT_TRUE(store->savePattern(full));
    EXPECT_THAT(*store->patterns(), ElementsAre(full));
    const Pattern other{"slug", "11", "Other", "expert", "Another", "More", "", {}, {}, {}, "elsewhere", ""};
    ASSERT_TRUE(store->savePattern(other));
    EXPECT_THAT(*store->patterns(), ElementsAre(other));
    EXPECT_THAT(*store->searchPatterns("title"), IsEmpty()) << "the text that was replaced is not found";
    EXPECT_THAT(*store->searchPatterns("another"), ElementsAre("slug"));
    EXPECT_THAT(*store->searchPatterns("anoth-mor"), ElementsAre("slug")) << "beginnings of two words";
    EXPECT_THAT(*store->searchPatterns("another \"less\""), IsEmpty());
    EXPECT_THAT(*store->searchPatterns(" \"*- "), ElementsAre("slug")) << "no word at all";
}

TEST(StorePatterns, ApplicationsComeBackOldestFirst)
{
    const auto store = openStore(":memory:");
    startSession(*store, sessionNamed("s1", "2026-01"));
    ASSERT_TRUE(store->savePattern({"a", "", "A", "own", "p", "do"}));
    const PatternApplication late{"u2", "a", "s1", "2026-03", {}, 60.0, 0.5, true, "late"};
    const PatternApplication early{"u1", "a", "", "2026-02", 12.5, {}, {}, false, "early"};
    for (const PatternApplication& use : {late, early})
        ASSERT_TRUE(store->saveApplication(use));
    EXPECT_THAT(*store->applications(), ElementsAre(early, late));
    EXPECT_EQ(store->dependents(SessionId{"s1"})->applications, 1);
}

TEST(StoreNotes, AreOfTheirSubjectOldestFirstAndChangeTheirTextAlone)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->saveNote({"n2", "run:r1", "t2", "second"}));
    ASSERT_TRUE(store->saveNote({"n1", "run:r1", "t1", "first"}));
    ASSERT_TRUE(store->saveNote({"n3", "run:r11", "t1", "of another"}));
    ASSERT_TRUE(store->saveNote({"n2", "run:r9", "t9", "changed"}));
    EXPECT_THAT(*store->notes("run:r1"), ElementsAre(Note{"n1", "run:r1", "t1", "first"}, Note{"n2", "run:r1", "t2", "changed"}));
    EXPECT_THAT(*store->notes("run:r9"), IsEmpty());
}

TEST(StoreNoise, ComesBackNewestFirstAndIsKeptAsItWasFirstSaved)
{
    const auto store = openStore(":memory:");
    const NoiseRecord early{"n1",  "GPU-1",    "H200", "580.1", Source::live, "transpose/naive", "M=64,N=64",
                            0.001, {1, 1.125}, 2,      0,       "2026-01"};
    const NoiseRecord late{"n2", "GPU-2", "A100", "570.2", Source::sample, "copy/coalesced", "N=8", 0.002, {1, 0.5, 2}, 1, 2, "2026-02"};
    for (const NoiseRecord& noise : {early, late})
        ASSERT_TRUE(store->saveNoise(noise));
    NoiseRecord again = early;
    again.noise = 0.5;
    ASSERT_TRUE(store->saveNoise(again));
    EXPECT_THAT(*store->noise(), ElementsAre(late, early));
}

TEST(StoreArtifacts, AreListedByTheStartOfTheirName)
{
    const auto store = openStore(":memory:");
    for (const char* name : {"log/b", "log/a", "logs", "Log/c", "blog/d"})
        ASSERT_TRUE(store->saveArtifact(name, name));
    EXPECT_THAT(*artifactNames(*store, "log/"), ElementsAre("log/a", "log/b"));
    EXPECT_THAT(*artifactNames(*store, "log"), ElementsAre("log/a", "log/b", "logs"));
    EXPECT_EQ(artifactNames(*store, "")->size(), 5U);
    EXPECT_THAT(*artifactNames(*store, "%"), IsEmpty()) << "no wildcard";
}

TEST(StoreComparisons, EveryVerdictIsAColumnAndBlocksKeepTheirOrderPastTen)
{
    const auto store = openStore(":memory:");
    Comparison c;
    c.id = {"c1"};
    for (int i = 0; i < 12; ++i)
        c.data.push_back({{i + 0.5}, {i + 1.0, i + 2.0}});
    ASSERT_TRUE(store->saveComparison(c));
    EXPECT_EQ(*store->comparison({"c1"}), c);
    Comparison other = c;
    other.reason = "changed";
    ASSERT_TRUE(store->saveComparison(other));
    EXPECT_EQ(*store->comparison({"c1"}), c) << "the first one stays";
    EXPECT_EQ(infoValue(*store, "comparison_blocks"), "12");
}

TEST(StoreRuns, ColumnsHoldTheFiguresOfTheRun)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    RunRecord run = profiledRun("r1", "naive", "2026-01", 400);
    run.timing->gpu = {400, 390, 420, 3};
    run.timing->gpuHot = 350;
    run.timing->host = 9000;
    run.timing->clockMhz = 1755;
    run.memoryBytes = 4096;
    run.device.driverVersion = "580.1";
    run.reason = "why";
    ASSERT_TRUE(store->saveRun(run));
    RunRecord empty = timedRun("r2", "naive", "2026-02", 1);
    empty.timing->gpu.n = 0;
    empty.baseline.emplace();
    ASSERT_TRUE(store->saveRun(empty));
    const auto db = sqlite::Connection::open((dir / "kl.db").string(), false, false);
    EXPECT_THAT(*db->texts("SELECT printf('%g %g %g %g %g %g %s %g %g %d %s %s', gpu_ns, gpu_ns_low, gpu_ns_high, gpu_ns_hot, host_ns, "
                           "clock_mhz, baseline_name, baseline_ns, speedup, memory_bytes, driver, reason) FROM runs WHERE id = 'r1'"),
                ElementsAre("400 390 420 350 9000 1755 " + run.baseline->name + " 100 0.25 4096 580.1 why"));
    EXPECT_EQ(*db->number("SELECT count(*) FROM runs WHERE gpu_ns IS NULL AND gpu_ns_hot IS NULL AND baseline_name IS NULL AND "
                          "baseline_ns IS NULL AND memory_bytes IS NULL AND id = 'r2'"),
              1);
    EXPECT_THAT(*db->texts("SELECT printf('%d %s %s %s', rank, class, priority, coalesce(runtime_reduction, '-')) FROM findings ORDER BY "
                           "rank"),
                ElementsAre("0 uncoalesced P0 0.5", "1 occupancy-limited P2 -"));
    EXPECT_FALSE(store->summary({"r2"})->gpuNs) << "no launch was timed";
}

TEST(StoreRuns, TheStartOfAnIdThatManyShareNamesThree)
{
    const auto store = openStore(":memory:");
    for (const char* id : {"ab1", "ab2", "ab3", "b"})
        ASSERT_TRUE(store->saveRun(timedRun(id, "naive", "t", 1)));
    const std::string three = store->runStarting("ab").error().message;
    EXPECT_EQ(three.find("…"), std::string::npos) << three;
    ASSERT_TRUE(store->saveRun(timedRun("ab4", "naive", "t", 1)));
    ASSERT_TRUE(store->saveRun(timedRun("ab5", "naive", "t", 1)));
    const std::string five = store->runStarting("ab").error().message;
    EXPECT_NE(five.find("…"), std::string::npos) << five;
    EXPECT_EQ(five.find("ab5"), std::string::npos) << five;
    EXPECT_EQ(store->runStarting("b")->text, "b");
}

TEST(StoreRuns, CodeIsReplacedWhereThereIsCodeAlone)
{
    const auto store = openStore(":memory:");
    RunRecord run = profiledRun("r1", "naive", "2026-01", 1000);
    ASSERT_TRUE(store->saveRun(run));
    const auto codeSaying = [](const char* text) {
        KernelCode code;
        code.functions = {"naive"};
        code.instructions.resize(1);
        code.instructions.front().text = text;
        return SharedCode(std::move(code));
    };
    EXPECT_EQ(store->saveCode({"r1"}, codeSaying("x")).error().code, ErrorCode::notFound) << "it was not sampled";
    EXPECT_EQ(store->saveCode({"none"}, codeSaying("x")).error().code, ErrorCode::notFound);
    run.id = {"r2"};
    run.sourceProfile.emplace();
    run.sourceProfile->samples = 1;
    run.sourceProfile->code = codeSaying("before");
    ASSERT_TRUE(store->saveRun(run));
    ASSERT_TRUE(store->saveCode({"r2"}, codeSaying("after")));
    run.sourceProfile->code = codeSaying("after");
    EXPECT_EQ(*store->run({"r2"}), run);
}

TEST(StoreRuns, FindingsAreThoseOfTheNewestDiagnosis)
{
    const auto store = openStore(":memory:");
    const RunRecord run = profiledRun("r1", "naive", "2026-01", 1000);
    ASSERT_TRUE(store->saveRun(run));
    StoredDiagnosis later{"2026-02", *run.diagnosis};
    later.diagnosis.finding.classId = "dram-bound";
    later.diagnosis.finding.priority = "P1";
    later.diagnosis.secondary.clear();
    StoredDiagnosis latest = later;
    latest.at = "2026-03";
    latest.diagnosis.finding.classId = "l2-bound";
    for (const StoredDiagnosis& one : {later, latest})
        ASSERT_TRUE(store->saveDiagnosis({"r1"}, one));
    EXPECT_THAT(*store->diagnoses({"r1"}), ElementsAre(StoredDiagnosis{"2026-01", *run.diagnosis}, later, latest));
    EXPECT_EQ(*store->run({"r1"})->diagnosis, latest.diagnosis);
    EXPECT_EQ(store->outcome({"r1"})->classId, "l2-bound");
    EXPECT_EQ(store->summary({"r1"})->priority, "P1");
    EXPECT_EQ(infoValue(*store, "findings"), "1");
    ASSERT_TRUE(store->saveRun(timedRun("r2", "naive", "2026-01", 1)));
    EXPECT_THAT(*store->diagnoses({"r2"}), IsEmpty()) << "not a profile";
    EXPECT_EQ(store->saveDiagnosis({"none"}, later).error().code, ErrorCode::notFound);
    EXPECT_EQ(store->diagnoses({"none"}).error().code, ErrorCode::notFound);
}

class PagesOfRuns : public testing::Test {
protected:
    /// Three profiles, one plain run, one without a time. Times fall as they get newer.
    void SetUp() override
    {
        for (int i = 1; i <= 3; ++i)
            ASSERT_TRUE(
                store->saveRun(profiledRun("r" + std::to_string(i), i == 2 ? "tiled" : "naive", "t" + std::to_string(i), 1000.0 / i)));
        ASSERT_TRUE(store->saveRun(timedRun("r4", "naive", "t4", 100)));
        RunRecord failed = timedRun("r5", "naive", "t5", 1);
        failed.status = ResultStatus::computationFailed;
        failed.timing.reset();
        ASSERT_TRUE(store->saveRun(failed));
    }
    std::string ids(const RunQuery& query) const { return joinIds(*store->runs(query)); }
    std::unique_ptr<Store> store = openStore(":memory:");
};

TEST_F(PagesOfRuns, AFullPageHasARestAndAShortOneNone)
{
    const RunPage full = *store->runPage({.limit = 4});
    EXPECT_EQ(joinIds(full.rows), "r5 r4 r3 r2 ");
    EXPECT_EQ(full.next, RunId{"r2"});
    const RunPage rest = *store->runPage({.limit = 4, .after = {"r2"}});
    EXPECT_EQ(joinIds(rest.rows), "r1 ");
    EXPECT_FALSE(rest.next);
    EXPECT_FALSE(store->runPage({.limit = 6})->next);
    EXPECT_FALSE(store->runPage({.limit = 0})->next);
    EXPECT_FALSE(store->runPage({.words = {"transpose"}})->next) << "all were looked at";
    EXPECT_EQ(store->runPage({.limit = 2, .words = {"tile", "transpose"}})->rows.size(), 1U);
}

TEST_F(PagesOfRuns, OrdersByTimeLeaveOutWhatHasNone)
{
    EXPECT_EQ(ids({.order = RunOrder::fastest}), "r4 r3 r2 r1 ");
    EXPECT_EQ(ids({.order = RunOrder::slowest}), "r1 r2 r3 r4 ");
    EXPECT_EQ(ids({.order = RunOrder::fastest, .after = {"r3"}}), "r2 r1 ");
    EXPECT_EQ(ids({.order = RunOrder::slowest, .after = {"r3"}}), "r4 ");
    EXPECT_EQ(ids({.limit = 2, .order = RunOrder::slowest}), "r1 r2 ");
}

TEST_F(PagesOfRuns, FiltersAreHeldTogether)
{
    EXPECT_EQ(ids({.kernel = "transpose/naive", .classId = "uncoalesced"}), "r3 r1 ");
    EXPECT_EQ(ids({.kernel = "transpose/naive", .profilesOnly = true}), "r3 r1 ");
    EXPECT_EQ(ids({.classId = "uncoal"}), "") << "a class is named in full";
    EXPECT_EQ(ids({.beforeStartedAt = "t3", .beforeId = "r3"}), "r2 r1 ");
    EXPECT_EQ(ids({.beforeStartedAt = "t3"}), "r2 r1 ");
    for (const char* id : {"r1", "r4"})
        ASSERT_TRUE(store->setTag(std::string("run:") + id, "keep", true));
    ASSERT_TRUE(store->setTag("run:r2", "keeper", true));
    EXPECT_EQ(ids({.tag = "keep"}), "r4 r1 ");
    EXPECT_EQ(ids({.profilesOnly = true, .tag = "keep"}), "r1 ");
    EXPECT_EQ(ids({.words = {"KEEP"}}), "r4 r2 r1 ");
    EXPECT_EQ(ids({.words = {"uncoalesced", "naive"}}), "r3 r1 ");
    ASSERT_TRUE(store->setTag("run:r1", "aaa", true));
    EXPECT_EQ(store->summary({"r1"})->tags, "aaa keep");
}

TEST(StoreSessions, AHeaderKeepsItsSourceAndBriefListsLeaveOutThePlan)
{
    const auto store = openStore(":memory:");
    int number = 0;
    for (const Source source : {Source::live, Source::sample, Source::import}) {
        ++number;
        SessionHeader header = sessionNamed("s" + std::to_string(number), "t" + std::to_string(number));
        header.source = source;
        startSession(*store, header);
        EXPECT_EQ(*store->session(header.id), header);
        EXPECT_EQ(store->sessions()->back(), header);
        EXPECT_EQ(store->sessions(SessionQuery{})->front(), header) << "newest first";
        header.templateJson = "";
        EXPECT_EQ(store->sessions(SessionQuery{.brief = true})->front(), header);
    }
    EXPECT_EQ(store->session({"none"}).error().code, ErrorCode::notFound);
}

TEST(StoreSessions, AreFoundByKindTagWordAndPlace)
{
    const auto store = openStore(":memory:");
    for (int i = 1; i <= 4; ++i)
        startSession(*store, sessionNamed("s" + std::to_string(i), "t" + std::to_string(i), i % 2 == 0 ? "debug" : "optimize"));
    ASSERT_TRUE(store->setTag("session:s3", "paper", true));
    ASSERT_TRUE(store->setTag("session:s2", "papers", true));
    const auto ids = [&](const SessionQuery& query) {
        std::string all;
        const auto found = store->sessions(query);
        for (const SessionHeader& header : *found)
            all += header.id.text + ' ';
        return all;
    };
    EXPECT_EQ(ids({}), "s4 s3 s2 s1 ");
    EXPECT_EQ(ids({.limit = 2}), "s4 s3 ");
    EXPECT_EQ(ids({.after = {"s3"}, .limit = 1}), "s2 ");
    EXPECT_EQ(ids({.kind = "debug"}), "s4 s2 ");
    EXPECT_EQ(ids({.tag = "paper"}), "s3 ");
    EXPECT_EQ(ids({.words = {"PAPER"}}), "s3 s2 ");
    EXPECT_EQ(ids({.words = {"paper", "debug"}}), "s2 ");
    EXPECT_EQ(ids({.words = {"objective S4"}}), "s4 ");
    EXPECT_EQ(ids({.tag = "papers", .kind = "debug", .words = {"transpose"}}), "s2 ");
    EXPECT_EQ(ids({.words = {"nowhere"}}), "");
}

TEST(StoreSessions, DeletingOneTakesWhatIsItsOwnAndNothingOfOthers)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->savePattern({"a", "", "A", "own", "p", "do"}));
    for (const std::string id : {"s1", "s2"}) {
        startSession(*store, sessionNamed(id, "t"));
        ASSERT_TRUE(store->appendEvent({id}, {2, "t", "note", ""}));
        ASSERT_TRUE(store->saveCost({"k" + id, id, "t", "gpu", 1, ""}));
        ASSERT_TRUE(store->saveApplication({"u" + id, "a", id, "t"}));
        ASSERT_TRUE(store->saveNote({"n" + id, "session:" + id, "t", "x"}));
        ASSERT_TRUE(store->setTag("session:" + id, "x", true));
    }
    ASSERT_TRUE(store->saveNote({"m", "session:s1", "t", "removed"}));
    ASSERT_TRUE(store->removeNote("m"));
    const Dependents own{.notes = 1, .events = 2, .costs = 1, .applications = 1};
    EXPECT_EQ(*store->dependents(SessionId{"s1"}), own);
    EXPECT_EQ(store->dependents(SessionId{"s3"}).error().code, ErrorCode::notFound);
    EXPECT_EQ(store->events({"s1"})->back().dataJson, "{}");
    ASSERT_TRUE(store->removeSession({"s1"}));
    EXPECT_EQ(*store->dependents(SessionId{"s2"}), own);
    EXPECT_EQ(store->events({"s1"}).error().code, ErrorCode::notFound);
    EXPECT_THAT(*store->notes("session:s1"), IsEmpty());
    EXPECT_THAT(*store->tags("session:s1"), IsEmpty());
    EXPECT_THAT(*store->tags("session:s2"), ElementsAre("x"));
    EXPECT_EQ(store->costs()->size(), 1U);
    EXPECT_EQ(store->applications()->size(), 1U);
    EXPECT_THAT(*store->check(), IsEmpty());
}

TEST(StoreLabels, ATagIsOneWordOfAThingThatIsThere)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->saveRun(timedRun("r1", "naive", "t", 1)));
    startSession(*store, sessionNamed("s1", "t"));
    for (const char* tag : {"", " ", "a b", "a\tb", "a\n"})
        EXPECT_EQ(store->setTag("run:r1", tag, true).error().code, ErrorCode::badInput) << '"' << tag << '"';
    const Status none = store->setTag("session:r1", "x", true);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::notFound);
    EXPECT_EQ(none.error().where, "session:r1");
    EXPECT_EQ(store->setTag("run:s1", "x", true).error().where, "run:s1");
    for (const char* tag : {"b", "a", "c"})
        ASSERT_TRUE(store->setTag("run:r1", tag, true));
    ASSERT_TRUE(store->setTag("run:r1", "b", false));
    EXPECT_THAT(*store->tags("run:r1"), ElementsAre("a", "c"));
    ASSERT_TRUE(store->nameRun({"r1"}, "first"));
    ASSERT_TRUE(store->nameRun({"r1"}, "second"));
    EXPECT_EQ(store->summary({"r1"})->name, "second");
    ASSERT_TRUE(store->removeRun({"r1"}));
    EXPECT_EQ(infoValue(*store, "tags") + infoValue(*store, "run_names"), "00");
}

TEST(StoreLabels, ASessionKeepsItsOwnNameAndAnEmptyOneIsRefused)
{
    const auto store = openStore(":memory:");
    startSession(*store, sessionNamed("s1", "t"));
    EXPECT_TRUE(store->renameSession({"s1"}, "name s1")) << "the name that it has";
    EXPECT_EQ(store->renameSession({"s1"}, "").error().code, ErrorCode::badInput);
    EXPECT_EQ(store->renameSession({"none"}, "x").error().code, ErrorCode::notFound);
    EXPECT_EQ(store->session({"s1"})->name, "name s1");
}

TEST(StoreAdmin, ARowThatRefersToNothingIsAProblem)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    ASSERT_TRUE(store->saveRun(timedRun("r1", "naive", "t", 1)));
    const auto db = sqlite::Connection::open((dir / "kl.db").string(), true, false);
    ASSERT_TRUE(db->exec("PRAGMA foreign_keys = OFF; INSERT INTO run_names(run_id, name) VALUES('gone', 'x')"));
    const auto problems = store->check();
    ASSERT_EQ(problems->size(), 1U);
    EXPECT_NE(problems->front().find("run_names"), std::string::npos) << problems->front();
    EXPECT_NE(problems->front().find("runs"), std::string::npos) << problems->front();
}

TEST(StoreAdmin, InfoCountsBytesOfTheFile)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    EXPECT_EQ(infoValue(*store, "bytes"), std::to_string(std::filesystem::file_size(dir / "kl.db")));
    EXPECT_EQ(infoValue(*store, "location"), (dir / "kl.db").string());
    EXPECT_EQ(infoValue(*store, "sqlite_sequence"), "absent");
}

TEST(StoreBackup, NeverReplacesAFileAndLeavesNoHalfOfOne)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    support::writeBytes(dir / "mine", "mine");
    const Status taken = store->backup(dir / "mine");
    EXPECT_EQ(taken.error().code, ErrorCode::badInput);
    EXPECT_EQ(support::readBytes(dir / "mine"), "mine");
    const Status nowhere = store->backup(dir / "none" / "copy.db");
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, ErrorCode::badInput);
    EXPECT_EQ(nowhere.error().where, (dir / "none" / "copy.db").string());
    EXPECT_THAT(nowhere.error().message, testing::HasSubstr(std::generic_category().message(ENOENT)));
    EXPECT_FALSE(std::filesystem::exists(dir / "none"));
}

TEST(StoreOpen, AFileWhosePagesDoNotAddUpIsRefused)
{
    const TempDir dir;
    openStore(dir / "kl.db");
    std::string bytes = support::readBytes(dir / "kl.db");
    bytes[39] = 5; // the number of free pages, of which there are none
    support::writeBytes(dir / "kl.db", bytes);
    const auto store = Store::open(dir / "kl.db");
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::badInput);
    EXPECT_EQ(store.error().where, (dir / "kl.db").string());
    EXPECT_FALSE(store.error().detail.empty());
    EXPECT_EQ(support::readBytes(dir / "kl.db"), bytes);
}

TEST(StoreOpen, AFileWithADamagedListOfTablesIsRefused)
{
    const TempDir dir;
    openStore(dir / "kl.db");
    std::string bytes = support::readBytes(dir / "kl.db");
    bytes[100] = 'x'; // the kind of the first page: the header before it stays
    support::writeBytes(dir / "kl.db", bytes);
    const auto store = Store::open(dir / "kl.db");
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::badInput);
    EXPECT_EQ(support::readBytes(dir / "kl.db"), bytes);
}

TEST(StoreLocation, IsTheVariableElseInTheUsersDataFolder)
{
    const support::SetVariable data("XDG_DATA_HOME", "/data");
    {
        const support::SetVariable chosen("KERNELLOOP_DB", "/elsewhere/my.db");
        EXPECT_EQ(Store::defaultLocation(), "/elsewhere/my.db");
    }
    for (const char* none : {static_cast<const char*>(nullptr), ""}) {
        const support::SetVariable chosen("KERNELLOOP_DB", none);
        EXPECT_EQ(Store::defaultLocation(), "/data/kernelloop/kernelloop.db");
    }
}

TEST(StoreBlobs, WhatIsCutOffOrOddIsDamaged)
{
    const std::string text(1000, 'x');
    const std::string frame = packBytes(text);
    EXPECT_EQ(*unpackBytes(frame), text);
    EXPECT_EQ(*unpackBytes(packBytes("")), "");
    std::string flipped = frame;
    flipped.back() = static_cast<char>(flipped.back() ^ 1); // the checksum
    for (const std::string& damaged : {frame.substr(0, frame.size() - 1), std::string("no frame"), std::string(), flipped})
        EXPECT_EQ(unpackBytes(damaged).error().code, ErrorCode::badInput);
    const std::vector<double> samples{0.5, -1, 1e300};
    EXPECT_EQ(*unpackSamples(packSamples(samples)), samples);
    EXPECT_EQ(unpackSamples(packBytes("1234567")).error().code, ErrorCode::badInput) << "not a whole number of samples";
}

TEST(SqliteErrors, EachKindHasItsCode)
{
    struct Case {
        int code;
        ErrorCode expected;
        bool busy;
    };
    for (const Case& one : {Case{SQLITE_BUSY, ErrorCode::environment, true}, Case{SQLITE_BUSY_SNAPSHOT, ErrorCode::environment, true},
                            Case{SQLITE_LOCKED, ErrorCode::environment, true}, Case{SQLITE_CORRUPT, ErrorCode::badInput, false},
                            Case{SQLITE_NOTADB, ErrorCode::badInput, false}, Case{SQLITE_CANTOPEN, ErrorCode::badInput, false},
                            Case{SQLITE_READONLY, ErrorCode::badInput, false}, Case{SQLITE_PERM, ErrorCode::badInput, false},
                            Case{SQLITE_FULL, ErrorCode::environment, false}, Case{SQLITE_IOERR_READ, ErrorCode::environment, false},
                            Case{SQLITE_CONSTRAINT, ErrorCode::badInput, false}, Case{SQLITE_MISUSE, ErrorCode::internal, false}}) {
        const Error error = sqlite::toError(nullptr, one.code);
        EXPECT_EQ(error.code, one.expected) << one.code;
        EXPECT_EQ(sqlite::isBusy(error), one.busy) << one.code;
        EXPECT_EQ(error.where, "database");
    }
    EXPECT_FALSE(sqlite::isBusy(Error{.code = ErrorCode::environment, .message = "x", .detail = "5"}));
}

} // namespace
} // namespace kl
