// SPDX-License-Identifier: MIT
// Lists of runs and sessions: filtered, sorted, a page at a time, on a synthetic history; names, tags and deleting.
#include "sessions/store/sqlite.h"
#include "tests/support/store_support.h"
#include "tests/support/synthetic_history.h"

#include <gmock/gmock.h>
#include <set>

namespace kl {
namespace {

using support::openStore;
using support::syntheticRun;
using support::SyntheticSize;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr SyntheticSize kSize{600, 1200, 20, 7};

/// One for all tests that only read.
const Store& history()
{
    static const std::unique_ptr<Store> store = [] {
        auto made = openStore(":memory:");
        EXPECT_TRUE(support::writeSynthetic(*made, kSize));
        return made;
    }();
    return *store;
}

std::vector<RunSummary> allPages(RunQuery query)
{
    std::vector<RunSummary> all;
    for (;;) {
        const Result<RunPage> page = history().runPage(query);
        EXPECT_TRUE(page);
        all.insert(all.end(), page->rows.begin(), page->rows.end());
        if (!page->next)
            return all;
        query.after = *page->next;
    }
}

TEST(SyntheticHistory, TheSameSeedGivesTheSameRunsAndAllSayWhatTheyAre)
{
    EXPECT_EQ(syntheticRun(kSize, 3), syntheticRun(kSize, 3));
    EXPECT_NE(syntheticRun(kSize, 3).id, syntheticRun({600, 1200, 20, 8}, 3).id);
    std::size_t metrics = 0;
    for (const RunSummary& row : allPages({})) {
        EXPECT_TRUE(row.kernel.starts_with("synthetic-") && row.device.starts_with("SYNTHETIC"));
        metrics += history().run(row.id)->metrics->values.size();
    }
    EXPECT_EQ(metrics, 1200U);
    EXPECT_THAT(*history().sessions(), SizeIs(20));
}

TEST(RunList, PagesOfEachOrderHoldEveryRunOnce)
{
    for (const RunOrder order : {RunOrder::newest, RunOrder::fastest, RunOrder::slowest}) {
        const std::vector<RunSummary> rows = allPages({.limit = 37, .order = order});
        std::set<std::string> ids;
        for (const RunSummary& row : rows)
            ids.insert(row.id.text);
        EXPECT_EQ(ids.size(), 600U);
        ASSERT_EQ(rows.size(), 600U);
        for (std::size_t i = 1; i < rows.size(); ++i)
            EXPECT_TRUE(order == RunOrder::newest    ? rows[i - 1].startedAt >= rows[i].startedAt
                        : order == RunOrder::fastest ? *rows[i - 1].gpuNs <= *rows[i].gpuNs
                                                     : *rows[i - 1].gpuNs >= *rows[i].gpuNs);
    }
}

TEST(RunList, FiltersFindWhatAScanOfAllFinds)
{
    const std::vector<RunSummary> all = allPages({});
    const auto count = [&](auto matches) { return static_cast<std::size_t>(std::ranges::count_if(all, matches)); };
    EXPECT_EQ(allPages({.classId = "dram-bound"}).size(), count([](const RunSummary& r) { return r.classId == "dram-bound"; }));
    EXPECT_EQ(allPages({.kernel = "synthetic-07", .limit = 3}).size(),
              count([](const RunSummary& r) { return r.kernel.starts_with("synthetic-07/"); }));
    EXPECT_EQ(allPages({.limit = 3, .order = RunOrder::slowest, .words = {"NTHETIC-07", "l1-"}}).size(),
              count([](const RunSummary& r) { return r.kernel.starts_with("synthetic-07/") && r.classId == "l1-bound"; }));
    EXPECT_THAT(allPages({.words = {"nowhere"}}), IsEmpty());
    EXPECT_THAT(allPages({.words = {"synthetic-07", "nowhere"}}), IsEmpty());
    for (const std::string& word : {std::string("ic-07/v"), all.front().problem.substr(1), all.front().device.substr(0, 5)})
        EXPECT_EQ(allPages({.words = {word}}).size(),
                  count([&](const RunSummary& r) { return (r.kernel + ' ' + r.problem + ' ' + r.device).find(word) != std::string::npos; }))
            << word;
    EXPECT_EQ(history().runs({.limit = 1000})->size(), 600U);
}

/// No list reads a table from end to end, and none sorts more than its page.
TEST(RunList, EveryOrderAndFilterHasAnIndex)
{
    const support::TempDir dir;
    ASSERT_TRUE(openStore(dir / "kl.db"));
    const auto db = sqlite::Connection::open((dir / "kl.db").string(), false, false);
    ASSERT_TRUE(db);
    for (const char* sql : {"SELECT rowid FROM runs r WHERE 1 ORDER BY r.started_at DESC, r.id DESC LIMIT 200",
                            "SELECT rowid FROM runs r WHERE r.gpu_ns IS NOT NULL ORDER BY r.gpu_ns, r.id LIMIT 200",
                            "SELECT rowid FROM runs r WHERE r.gpu_ns IS NOT NULL ORDER BY r.gpu_ns DESC, r.id DESC LIMIT 200",
                            "SELECT rowid FROM runs r WHERE r.class IS NOT NULL ORDER BY r.started_at DESC, r.id DESC LIMIT 200",
                            "SELECT rowid FROM runs r WHERE r.class IS NOT NULL AND r.class = 'x' ORDER BY r.started_at DESC, r.id DESC",
                            "SELECT id FROM sessions ORDER BY created_at DESC, id DESC LIMIT 200"}) {
        Result<sqlite::Statement> plan = db->query(std::string("EXPLAIN QUERY PLAN ") + sql);
        ASSERT_TRUE(plan);
        while (*plan->row()) {
            EXPECT_EQ(plan->text(3).find("TEMP B-TREE"), std::string::npos) << sql << '\n' << plan->text(3);
            EXPECT_NE(plan->text(3).find("INDEX"), std::string::npos) << sql << '\n' << plan->text(3);
        }
    }
}

TEST(RunList, TheRunsOfAFamilyAreFoundAndSortedWithoutReadingThem)
{
    const support::TempDir dir;
    ASSERT_TRUE(openStore(dir / "kl.db"));
    const auto db = sqlite::Connection::open((dir / "kl.db").string(), false, false);
    ASSERT_TRUE(db);
    const std::string family = "SELECT rowid FROM runs r WHERE r.address >= 'copy' AND r.address < 'copz' AND ";
    for (const char* rest : {"r.gpu_ns IS NOT NULL ORDER BY +r.gpu_ns, +r.id", "r.gpu_ns IS NOT NULL ORDER BY +r.gpu_ns DESC, +r.id DESC",
                             "r.class IS NOT NULL AND r.gpu_ns IS NOT NULL ORDER BY +r.gpu_ns, +r.id",
                             "r.class IS NOT NULL ORDER BY +r.started_at DESC, +r.id DESC",
                             "r.class IS NOT NULL AND +r.class = 'x' ORDER BY +r.started_at DESC, +r.id DESC"}) {
        Result<sqlite::Statement> plan = db->query("EXPLAIN QUERY PLAN " + family + rest);
        ASSERT_TRUE(plan);
        ASSERT_TRUE(*plan->row());
        EXPECT_NE(plan->text(3).find("COVERING INDEX"), std::string::npos) << rest << '\n' << plan->text(3);
        EXPECT_NE(plan->text(3).find("address>"), std::string::npos) << rest << '\n' << plan->text(3);
    }
}

TEST(RunList, SessionsAreListedByPage)
{
    const auto first = history().sessions({.limit = 15});
    ASSERT_THAT(*first, SizeIs(15));
    EXPECT_EQ(first->front().name, "synthetic 20");
    EXPECT_THAT(*history().sessions({.after = first->back().id}), SizeIs(5));
    EXPECT_THAT(*history().sessions({.words = {"SYNTHETIC 7"}}), SizeIs(1));
}

class Labels : public testing::Test {
protected:
    void SetUp() override
    {
        store = openStore(":memory:");
        for (const char* id : {"r1", "r2"})
            ASSERT_TRUE(store->saveRun(support::profiledRun(id, id, "2026-01-01T00:00:00.000Z", 5000)));
        SessionHeader header{SessionId{"s1"}, "N", "optimize", "faster", "transpose", Source::live, "2026-01-01T00:00:00.000Z", "{}"};
        ASSERT_TRUE(store->createSession(header, {1, header.createdAt, "opened", "{}"}));
        Comparison compared;
        compared.id = {"c1"};
        compared.a = "run:r1";
        compared.b = "run:r2";
        ASSERT_TRUE(store->saveComparison(compared));
    }
    void refer(const std::string& id) const
    {
        ASSERT_TRUE(store->appendEvent({"s1"}, {2, "2026-01-01T00:00:01.000Z", "measured", "{\"run\":\"" + id + "\"}"}));
    }
    std::unique_ptr<Store> store;
};

TEST_F(Labels, NamesAndTagsAreListedAndFound)
{
    ASSERT_TRUE(store->nameRun({"r1"}, "before the fix"));
    ASSERT_TRUE(store->setTag("run:r1", "keep", true));
    ASSERT_TRUE(store->setTag("run:r1", "keep", true)) << "a second time has no effect";
    ASSERT_TRUE(store->setTag("session:s1", "paper", true));
    EXPECT_EQ(store->summary({"r1"})->name, "before the fix");
    EXPECT_THAT(*store->runs({.tag = "keep"}), SizeIs(1));
    EXPECT_THAT(*store->runs({.words = {"Before"}}), SizeIs(1));
    EXPECT_THAT(*store->sessions({.tag = "paper"}), SizeIs(1));
    EXPECT_THAT(*store->tags("run:r1"), ElementsAre("keep"));
    ASSERT_TRUE(store->setTag("run:r1", "keep", false));
    ASSERT_TRUE(store->nameRun({"r1"}, ""));
    EXPECT_EQ(store->summary({"r1"})->name + store->summary({"r1"})->tags, "");
    EXPECT_EQ(store->setTag("run:r1", "two words", true).error().code, ErrorCode::badInput);
    EXPECT_EQ(store->setTag("run:none", "x", true).error().code, ErrorCode::notFound);
    EXPECT_EQ(store->nameRun({"none"}, "x").error().code, ErrorCode::notFound);
}

TEST_F(Labels, AnOpenSessionIsFoundWithoutItsPlan)
{
    const std::string at = "2026-01-01T00:00:02.000Z";
    ASSERT_TRUE(
        store->createSession({SessionId{"s2"}, "N+1", "optimize", "faster", "transpose", Source::live, at, "{}"}, {1, at, "opened", "{}"}));
    ASSERT_TRUE(store->appendEvent({"s2"}, {2, at, "finished", "{}"}));
    ASSERT_TRUE(
        store->createSession({SessionId{"s3"}, "N+2", "sample", "faster", "transpose", Source::sample, at, ""}, {1, at, "opened", "{}"}));
    const auto open = store->sessions(SessionQuery{.unfinished = true, .brief = true});
    ASSERT_THAT(*open, SizeIs(1)) << "neither the finished one nor a shipped one";
    EXPECT_EQ(open->front().id.text, "s1");
    EXPECT_EQ(open->front().templateJson, "");
    EXPECT_EQ(store->sessions(SessionQuery{.kind = "sample"})->front().id.text, "s3");
    ASSERT_TRUE(store->appendEvent({"s1"}, {2, at, "finished", "{}"}));
    EXPECT_THAT(*store->sessions(SessionQuery{.unfinished = true}), IsEmpty());
}

TEST_F(Labels, AHistoryReadsOfARunAndAComparisonWhatItNeeds)
{
    const RunRecord run = *store->run({"r1"});
    const Result<RunOutcome> outcome = store->outcome({"r1"});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->status, run.status);
    EXPECT_EQ(outcome->correctness, run.correctness.result);
    EXPECT_EQ(outcome->device, run.device.name);
    EXPECT_EQ(outcome->classId, run.diagnosis->finding.classId);
    EXPECT_EQ(store->outcome({"none"}).error().code, ErrorCode::notFound);
    EXPECT_EQ(*store->ratio({"c1"}), std::nullopt);
    Comparison compared;
    compared.id = {"c2"};
    compared.a = "run:r1";
    compared.b = "run:r2";
    compared.ratio = Ratio{1.5, 1.4, 1.6};
    ASSERT_TRUE(store->saveComparison(compared));
    EXPECT_EQ(*store->ratio({"c2"}), compared.ratio);
    EXPECT_EQ(store->ratio({"none"}).error().code, ErrorCode::notFound);
}

TEST_F(Labels, ARunIsDeletedWithWhatDependsOnIt)
{
    ASSERT_TRUE(store->saveNote({"n1", "run:r1", "2026-01-01T00:00:00.000Z", "odd"}));
    EXPECT_EQ(*store->dependents(RunId{"r1"}), (Dependents{.comparisons = 1, .notes = 1}));
    ASSERT_TRUE(store->removeRun({"r1"}));
    EXPECT_EQ(store->run({"r1"}).error().code, ErrorCode::notFound);
    EXPECT_EQ(store->comparison({"c1"}).error().code, ErrorCode::notFound);
    EXPECT_THAT(*store->notes("run:r1"), IsEmpty());
    EXPECT_THAT(*store->check(), IsEmpty());
    EXPECT_EQ(store->removeRun({"r1"}).error().code, ErrorCode::notFound);
    EXPECT_TRUE(store->run({"r2"}));
}

TEST_F(Labels, EvidenceOfASessionStaysUntilTheSessionIsDeleted)
{
    refer("c1"); // the comparison is of both runs
    EXPECT_THAT(store->dependents(RunId{"r2"})->sessions, ElementsAre("N"));
    EXPECT_EQ(store->removeRun({"r2"}).error().code, ErrorCode::refused);
    ASSERT_TRUE(store->saveCost({"k1", "s1", "2026-01-01T00:00:00.000Z", "gpu", 5, ""}));
    EXPECT_EQ(*store->dependents(SessionId{"s1"}), (Dependents{.events = 2, .costs = 1}));
    ASSERT_TRUE(store->removeSession({"s1"}));
    EXPECT_THAT(*store->sessions(), IsEmpty());
    EXPECT_THAT(*store->costs(), IsEmpty());
    EXPECT_TRUE(store->removeRun({"r2"}));
    EXPECT_EQ(store->removeSession({"s1"}).error().code, ErrorCode::notFound);
}

TEST_F(Labels, ASessionIsRenamedUnlessTheNameIsTaken)
{
    SessionHeader other{SessionId{"s2"}, "N+1", "optimize", "", "transpose", Source::live, "2026-01-02T00:00:00.000Z", "{}"};
    ASSERT_TRUE(store->createSession(other, {1, other.createdAt, "opened", "{}"}));
    ASSERT_TRUE(store->renameSession({"s1"}, "first"));
    EXPECT_EQ(store->session({"s1"})->name, "first");
    EXPECT_EQ(store->renameSession({"s2"}, "first").error().code, ErrorCode::changedElsewhere);
    EXPECT_EQ(store->renameSession({"s2"}, "").error().code, ErrorCode::badInput);
}

} // namespace
} // namespace kl
