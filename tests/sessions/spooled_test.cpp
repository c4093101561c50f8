// SPDX-License-Identifier: MIT
// What could not be stored is kept in a file beside the database until it can.
#include "sessions/store/blob.h"
#include "sessions/store/spool.h"
#include "sessions/store/sqlite.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"

#include <chrono>
#include <filesystem>
#include <limits>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace kl {
namespace {

using support::infoValue;
using support::openStore;
using support::profiledRun;
using support::TempDir;

/// What a session's step measured: a run, and the event that names it.
Unstored measuredStep(Store& store)
{
    SessionHeader header;
    header.id.text = newUuid();
    header.name = "N";
    header.kind = "optimize";
    header.createdAt = "2026-03-01T09:00:00.000Z";
    header.templateJson = "{}";
    EXPECT_TRUE(store.createSession(header, {1, header.createdAt, "opened", "{}"}));
    Unstored what;
    what.runs.push_back(profiledRun(newUuid(), "naive", "2026-03-01T09:00:00.000Z", 1e6 / 7));
    what.comparisons.push_back({});
    what.comparisons.back().id.text = newUuid();
    what.comparisons.back().ratio = Ratio{1.5, 1.4, 1.6};
    what.comparisons.back().data = {{{1, 2}, {3, 4.25}}};
    what.noise.push_back({newUuid(),
                          "GPU-1",
                          "NVIDIA H200",
                          "580.1",
                          Source::live,
                          "transpose/naive",
                          "M=64,N=64",
                          0.001,
                          {1, 1.0 / 3},
                          1,
                          1,
                          "2026-03-01T09:00:00.000Z"});
    what.artifacts.emplace_back("log", "text\n");
    what.events.emplace_back(header.id, SessionEvent{2, header.createdAt, "note", R"({"text":"x"})"});
    return what;
}

void expectStored(const Store& store, const Unstored& what)
{
    EXPECT_EQ(*store.run(what.runs[0].id), what.runs[0]);
    EXPECT_EQ(*store.comparison(what.comparisons[0].id), what.comparisons[0]);
    EXPECT_EQ(store.noise()->at(0), what.noise[0]);
    EXPECT_EQ(*store.artifact("log"), "text\n");
    ASSERT_EQ(store.events(what.events[0].first)->size(), 2U);
    EXPECT_EQ(store.events(what.events[0].first)->at(1), what.events[0].second);
}

TEST(Spooled, IsStoredByTheNextOpeningAndTheFileGoes)
{
    const TempDir dir;
    auto store = openStore(dir / "kl.db");
    const Unstored what = measuredStep(*store);
    const Spool spool(dir / "kl.db");
    const Result<std::filesystem::path> file = spool.keep(what);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->parent_path(), std::filesystem::canonical(dir.path())) << "beside the database";
    EXPECT_EQ(*spool.read(*file), what);
    store = openStore(dir / "kl.db");
    EXPECT_FALSE(store->notice().empty());
    EXPECT_TRUE(spool.files().empty());
    expectStored(*store, what);
    EXPECT_TRUE(openStore(dir / "kl.db")->notice().empty());
}

TEST(Spooled, IsStoredOnceByProgramsThatOpenAtOnce)
{
    const TempDir dir;
    const Unstored what = measuredStep(*openStore(dir / "kl.db"));
    ASSERT_TRUE(Spool(dir / "kl.db").keep(what));
    {
        std::vector<std::jthread> programs;
        for (int i = 0; i < 4; ++i)
            programs.emplace_back([&] { openStore(dir / "kl.db"); });
    }
    const auto store = openStore(dir / "kl.db"); // who was locked out left it to this one
    expectStored(*store, what);
    EXPECT_EQ(infoValue(*store, "runs"), "1");
    EXPECT_TRUE(Spool(dir / "kl.db").files().empty());
    EXPECT_TRUE(storeAll(*store, what)) << "storing twice changes nothing";
    expectStored(*store, what);
}

TEST(Spooled, ADamagedFileIsNamedAndKept)
{
    const TempDir dir;
    const Unstored what = measuredStep(*openStore(dir / "kl.db"));
    const std::filesystem::path file = *Spool(dir / "kl.db").keep(what);
    std::string bytes = support::readBytes(file);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    support::writeBytes(file, bytes);
    const auto store = openStore(dir / "kl.db");
    EXPECT_NE(store->notice().find(file.filename().string()), std::string::npos) << store->notice();
    EXPECT_EQ(support::readBytes(file), bytes);
    EXPECT_EQ(infoValue(*store, "runs"), "0");
}

TEST(Spooled, WaitsWhileAnotherProgramWritesAndKeepsNobodyWaiting)
{
    const TempDir dir;
    auto store = openStore(dir / "kl.db");
    const Unstored what = measuredStep(*store);
    ASSERT_TRUE(Spool(dir / "kl.db").keep(what));
    const auto other = sqlite::Connection::open((dir / "kl.db").string(), true, false);
    ASSERT_TRUE(other->exec("BEGIN IMMEDIATE"));
    EXPECT_TRUE(openStore(dir / "kl.db")->notice().empty());
    EXPECT_EQ(Spool(dir / "kl.db").files().size(), 1U);
    ASSERT_TRUE(other->exec("ROLLBACK"));
    expectStored(*openStore(dir / "kl.db"), what);
}

TEST(Spooled, AStepIsDroppedWhereTheSessionWentOnButItsRunIsKept)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    const Unstored what = measuredStep(*store);
    ASSERT_TRUE(Spool(dir / "kl.db").keep(what));
    ASSERT_TRUE(store->appendEvent(what.events[0].first, {2, "2026-03-01T09:00:00.000Z", "note", "{}"}));
    const Emptied emptied = emptySpool(*store);
    EXPECT_EQ(emptied.stored, 1U);
    EXPECT_EQ(emptied.troubles.size(), 1U);
    EXPECT_TRUE(store->run(what.runs[0].id));
    EXPECT_EQ(store->events(what.events[0].first)->size(), 2U);
    EXPECT_TRUE(Spool(dir / "kl.db").files().empty());
}

TEST(Spooled, IsOfTheDatabaseThatItLiesBeside)
{
    const TempDir dir;
    std::filesystem::create_directories(dir / "before");
    const Unstored what = measuredStep(*openStore(dir / "before/kl.db"));
    ASSERT_TRUE(Spool(dir / "before/kl.db").keep(what));
    std::filesystem::rename(dir / "before", dir / "after");
    EXPECT_FALSE(openStore(dir / "after/kl.db")->notice().empty());
    EXPECT_TRUE(Spool(dir / "after/kl.db").files().empty());
    EXPECT_TRUE(openStore(dir / "after/kl.db")->run(what.runs[0].id));
}

TEST(Spooled, IsOneSentenceForEveryThingThatHappened)
{
    EXPECT_EQ(composeSentence({}), "");
    const std::string one = composeSentence({1, {}});
    const std::string two = composeSentence({2, {}});
    EXPECT_EQ(one.find('1'), std::string::npos) << one;
    EXPECT_NE(two.find('2'), std::string::npos) << two;
    EXPECT_EQ(composeSentence({0, {"First.", "Second."}}), "First. Second.");
    EXPECT_EQ(composeSentence({1, {"First."}}), one + " First.");
}

TEST(Spooled, FilesAreTheOldestFirstAndNoOthers)
{
    const TempDir dir;
    const Unstored what = measuredStep(*openStore(dir / "kl.db"));
    const Spool spool(dir / "kl.db");
    std::vector<std::filesystem::path> kept;
    for (int i = 0; i < 3; ++i)
        kept.push_back(*spool.keep(what));
    const std::string own = kept[0].filename().string();
    support::writeBytes(dir / "other.db.unstored-1.bundle", "of another database");
    support::writeBytes(dir / (own + ".part"), "not finished");
    support::writeBytes(dir / "kl.db.bundle", "not a spooled one");
    std::filesystem::create_directory(dir / "kl.db.unstored-0.bundle");
    std::filesystem::create_symlink(kept[0], dir / "kl.db.unstored-1.bundle");
    EXPECT_EQ(spool.files(), kept);
    Spool::remove(kept[0]);
    Spool::remove(kept[0]);
    EXPECT_EQ(spool.files(), (std::vector{kept[1], kept[2]}));
    EXPECT_EQ(spool.read(kept[0]).error().code, ErrorCode::notFound);
}

TEST(Spooled, WhatCannotBeReadBackIsNotKept)
{
    const TempDir dir;
    Unstored what = measuredStep(*openStore(dir / "kl.db"));
    what.runs[0].correctness.maxAbs = std::numeric_limits<double>::quiet_NaN();
    const Spool spool(dir / "kl.db");
    EXPECT_EQ(spool.keep(what).error().code, ErrorCode::internal);
    EXPECT_TRUE(spool.files().empty());
    EXPECT_EQ(Spool(":memory:").keep({}).error().code, ErrorCode::badInput) << "a database in memory has no files";
    EXPECT_TRUE(Spool(":memory:").files().empty());
}

TEST(Spooled, ABundleWithoutItsPartsIsDamaged)
{
    const TempDir dir;
    const Spool spool(dir / "kl.db");
    const std::filesystem::path file = dir / "kl.db.unstored-1.bundle";
    for (const char* text :
         {"[]", "{}", R"({"schema":"kernelloop.bundle/1","results":[]})", R"({"schema":"kernelloop.bundle/1","unstored":{}})",
          R"({"schema":"kernelloop.bundle/2","unstored":{},"results":[]})",
          R"({"schema":"kernelloop.bundle/1","unstored":{},"results":{}})",
          R"({"schema":"kernelloop.bundle/1","unstored":{},"results":[{"id":7}]})"}) {
        support::writeBytes(file, packBytes(text));
        const auto what = spool.read(file);
        ASSERT_FALSE(what) << text;
        EXPECT_EQ(what.error().code, ErrorCode::badInput) << text;
        EXPECT_EQ(what.error().where, file.string());
    }
}

TEST(Spooled, WithoutAFolderOfTheDatabaseItLiesInTheUsersCache)
{
    const TempDir dir;
    const support::SetVariable cache("XDG_CACHE_HOME", dir.path().c_str());
    const Unstored what = measuredStep(*openStore(":memory:"));
    support::writeBytes(dir / "file", "where a folder would have to be");
    const Spool spool(dir / "file/kl.db");
    const Result<std::filesystem::path> kept = spool.keep(what);
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ(kept->parent_path(), dir / "kernelloop/unstored");
    EXPECT_EQ(spool.files(), std::vector{*kept});
    EXPECT_EQ(*spool.read(*kept), what);
    const Spool other(dir / "file/other.db");
    EXPECT_TRUE(other.files().empty());
    EXPECT_EQ(other.read(*kept).error().code, ErrorCode::notFound) << "it names the database that it is of";
}

TEST(Spooled, WithoutACacheItLiesInAFolderThatNobodyElseMayWrite)
{
    const TempDir dir;
    support::writeBytes(dir / "file", "where a folder would have to be");
    std::filesystem::create_directory(dir / "tmp");
    const support::SetVariable cache("XDG_CACHE_HOME", (dir / "file").c_str());
    const support::SetVariable temporary("TMPDIR", (dir / "tmp").c_str());
    const Unstored what = measuredStep(*openStore(":memory:"));
    const Spool spool(dir / "file/kl.db");
    const Result<std::filesystem::path> kept = spool.keep(what);
    ASSERT_TRUE(kept) << kept.error().message;
    const std::filesystem::path folder = dir / ("tmp/kernelloop-" + std::to_string(::geteuid()));
    EXPECT_EQ(kept->parent_path(), folder);
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
    EXPECT_EQ(spool.files(), std::vector{*kept});
    EXPECT_EQ(*spool.read(*kept), what);
    EXPECT_TRUE(Spool(dir / "file/other.db").files().empty());
    for (const std::filesystem::perms others : {std::filesystem::perms::group_write, std::filesystem::perms::others_write}) {
        std::filesystem::permissions(folder, std::filesystem::perms::owner_all | others);
        EXPECT_FALSE(spool.keep(what)) << "anyone could have put files there";
        EXPECT_TRUE(spool.files().empty());
    }
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all | std::filesystem::perms::others_read);
    EXPECT_EQ(spool.files().size(), 1U) << "others may look";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory_symlink(dir / "tmp", folder);
    EXPECT_FALSE(spool.keep(what)) << "a link may lead anywhere";
}

TEST(Spooled, TheRunsOfASessionThatIsGoneAreStored)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    const Unstored what = measuredStep(*store);
    ASSERT_TRUE(Spool(dir / "kl.db").keep(what));
    ASSERT_TRUE(store->removeSession(what.events[0].first));
    const Emptied emptied = emptySpool(*store);
    EXPECT_EQ(emptied.stored, 1U);
    EXPECT_EQ(emptied.troubles.size(), 1U);
    EXPECT_TRUE(store->run(what.runs[0].id));
    EXPECT_TRUE(Spool(dir / "kl.db").files().empty());
}

TEST(Spooled, WhatTheDatabaseRefusesStaysAndIsNamed)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    Unstored what = measuredStep(*store);
    what.events[0].second.seq = 9; // a gap
    const std::filesystem::path file = *Spool(dir / "kl.db").keep(what);
    const Emptied emptied = emptySpool(*store);
    EXPECT_EQ(emptied.stored, 0U);
    ASSERT_EQ(emptied.troubles.size(), 1U);
    EXPECT_NE(emptied.troubles[0].find(file.filename().string()), std::string::npos);
    EXPECT_EQ(Spool(dir / "kl.db").files().size(), 1U);
}

TEST(LockWaits, AreCountedFromTheFirstTryAndEndWithTheirScope)
{
    const sqlite::LockWait usual(std::chrono::hours(1));
    {
        const sqlite::LockWait atOnce(std::chrono::milliseconds(0));
        EXPECT_EQ(sqlite::waitForLock(nullptr, 0), 0);
    }
    EXPECT_EQ(sqlite::waitForLock(nullptr, 0), 1);
    const sqlite::LockWait shorter(std::chrono::milliseconds(200));
    EXPECT_EQ(sqlite::waitForLock(nullptr, 0), 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(210));
    EXPECT_EQ(sqlite::waitForLock(nullptr, 1), 0);
    EXPECT_EQ(sqlite::waitForLock(nullptr, 0), 1) << "the wait for another lock begins again";
}

TEST(LockWaits, OneThatIsOverIsAnErrorOfTheMoment)
{
    const TempDir dir;
    const auto store = openStore(dir / "kl.db");
    const auto other = sqlite::Connection::open((dir / "kl.db").string(), true, false);
    ASSERT_TRUE(other->exec("BEGIN IMMEDIATE"));
    const sqlite::LockWait atOnce(std::chrono::milliseconds(0));
    const Status refused = store->setSetting("x", "1");
    ASSERT_FALSE(refused);
    EXPECT_TRUE(sqlite::isBusy(refused.error()));
}

} // namespace
} // namespace kl
