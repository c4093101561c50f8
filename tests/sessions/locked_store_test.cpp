// SPDX-License-Identifier: MIT
#include "sessions/store/spool.h"
#include "sessions/store/sqlite.h"
#include "tests/sessions/engine_support.h"

#include <algorithm>
#include <stop_token>
#include <string>
#include <vector>

namespace kl::test {
namespace {

/// A database that another program writes to: what is measured meanwhile.
class Locked : public EngineTest {
protected:
    Locked() : other(unwrap(sqlite::Connection::open((folder / "kl.db").string(), true, false)))
    {
        EXPECT_TRUE(other.exec("BEGIN IMMEDIATE"));
        job.stop = stop.get_token();
        job.notice = [this](const std::string& text) {
            stated.push_back(text);
            stop.request_stop(); // somebody who does not want to wait
        };
    }
    std::size_t files() const { return Spool((folder / "kl.db").string()).files().size(); }
    static bool warned(const std::vector<Warning>& warnings)
    {
        return std::ranges::any_of(warnings, [](const Warning& warning) { return warning.code == "not-stored"; });
    }

    const Address naive{"transpose", "naive", {}};
    const Address tiled{"transpose", "tiled", {}};
    sqlite::Connection other;
    std::stop_source stop;
    Job job;
    std::vector<std::string> stated;
};

TEST_F(Locked, AMeasurementIsAnsweredAndKeptInAFile)
{
    RunRecord run = unwrap(bench.run(naive, {}, true, job));
    EXPECT_EQ(run.correctness.result, CorrectnessResult::correct);
    EXPECT_TRUE(warned(run.warnings));
    EXPECT_EQ(stated.size(), 2U) << "that it waits, and that it is not stored";
    EXPECT_EQ(files(), 1U);
    const Comparison comparison = unwrap(bench.ab(naive, tiled, {}, 1.0, job));
    EXPECT_TRUE(warned(comparison.warnings));
    EXPECT_EQ(files(), 2U);
    EXPECT_FALSE(store->run(run.id));
    ASSERT_TRUE(other.exec("ROLLBACK"));
    store = support::openStore((folder / "kl.db").string());
    run.warnings.pop_back();
    EXPECT_EQ(unwrap(store->run(run.id)), run);
    EXPECT_TRUE(store->comparison(comparison.id));
    EXPECT_EQ(files(), 0U);
}

TEST_F(Locked, WhoeverWaitsStoresItAndLeavesNoFile)
{
    job.stop = {};
    job.notice = [this](const std::string& text) {
        stated.push_back(text);
        EXPECT_EQ(files(), 1U) << "it is safe while it waits";
        EXPECT_TRUE(other.exec("ROLLBACK"));
    };
    const RunRecord run = unwrap(bench.profile(naive, {}, 0, job));
    EXPECT_FALSE(warned(run.warnings));
    EXPECT_EQ(stated.size(), 1U);
    EXPECT_EQ(unwrap(store->run(run.id)), run);
    EXPECT_EQ(files(), 0U);
}

TEST_F(Locked, AStepOfASessionIsAddedBeforeTheNext)
{
    ASSERT_TRUE(other.exec("ROLLBACK"));
    const SessionId id = open();
    const std::size_t before = store->events(id)->size();
    ASSERT_TRUE(other.exec("BEGIN IMMEDIATE"));
    const Result<SessionView> locked = engine.step(id, job);
    ASSERT_FALSE(locked);
    EXPECT_EQ(locked.error().code, ErrorCode::environment);
    EXPECT_GE(files(), 1U);
    const Result<SessionView> again = engine.step(id, job);
    ASSERT_FALSE(again) << "the same step must not be made twice";
    EXPECT_EQ(again.error().code, ErrorCode::environment);
    ASSERT_TRUE(other.exec("ROLLBACK"));
    const SessionView view = unwrap(engine.step(id));
    EXPECT_EQ(files(), 0U);
    EXPECT_EQ(store->events(id)->size(), before + 2) << "the step that was kept, and the next";
    EXPECT_FALSE(view.phase.empty());
}

} // namespace
} // namespace kl::test
