// SPDX-License-Identifier: MIT
// What a database holds of others: damaged values, schemas of foreign files, words of any language, and pages of sessions.
#include "sessions/store/blob.h"
#include "sessions/store/sqlite.h"
#include "tests/support/store_support.h"

#include <cstdint>
#include <gmock/gmock.h>
#include <sqlite3.h>

namespace kl {
namespace {

using support::openStore;
using support::TempDir;
using testing::ElementsAre;
using testing::IsEmpty;

/// Copies of a database while a transaction is being written to it: what a program leaves that is killed then.
std::string copyUnfinished(const TempDir& dir, const std::string& prepare, bool inWal)
{
    const std::filesystem::path file = dir / "whole.db";
    if (inWal)
        openStore(file.string());
    const sqlite::Connection writer = *sqlite::Connection::open("file:" + file.string(), true, true);
    EXPECT_TRUE(writer.exec("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; " + prepare + "BEGIN; CREATE TABLE filler(x)"));
    EXPECT_TRUE(writer.exec("INSERT INTO filler SELECT randomblob(4000) FROM (SELECT 1 UNION SELECT 2 UNION SELECT 3), sqlite_schema a"));
    std::filesystem::copy_file(file, dir / "killed.db");
    std::filesystem::copy_file(file.string() + "-journal", dir / "killed.db-journal");
    return (dir / "killed.db").string();
}

TEST(StoreFiles, WhatAKilledProgramLeftIsRolledBack)
{
    const TempDir dir;
    const std::string file = copyUnfinished(dir, "", true);
    const auto store = openStore(file);
    EXPECT_FALSE(std::filesystem::exists(file + "-journal"));
    const sqlite::Connection reader = *sqlite::Connection::open("file:" + file, false, false);
    EXPECT_EQ(*reader.number("SELECT count(*) FROM sqlite_schema WHERE name = 'filler'"), 0);
    EXPECT_THAT(*reader.texts("PRAGMA integrity_check"), ElementsAre("ok"));
}

TEST(StoreFiles, OfAnotherProgramNothingIsRolledBack)
{
    const TempDir dir;
    const std::string file =
        copyUnfinished(dir, "CREATE TABLE theirs(x); INSERT INTO theirs SELECT randomblob(4000) FROM sqlite_schema; ", false);
    const auto before = support::readBytes(file);
    const auto refused = Store::open(file);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::badInput);
    EXPECT_EQ(support::readBytes(file), before);
    EXPECT_TRUE(std::filesystem::exists(file + "-journal"));
}

TEST(StorePatterns, WordsBeyondAsciiAreFoundWhole)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->savePattern({"ecke", "", "Größe der Ecke", "own", "p", "do"}));
    ASSERT_TRUE(store->savePattern({"grab", "", "Grab der Erde", "own", "p", "do"}));
    EXPECT_THAT(*store->searchPatterns("Größe"), ElementsAre("ecke"));
    EXPECT_THAT(*store->searchPatterns("größ"), ElementsAre("ecke"));
    EXPECT_THAT(*store->searchPatterns("grö-eck"), ElementsAre("ecke"));
    EXPECT_THAT(*store->searchPatterns("gr e"), testing::UnorderedElementsAre("ecke", "grab"));
    EXPECT_THAT(*store->searchPatterns("ß"), IsEmpty()) << "not the beginning of a word";
}

TEST(StoreBlobs, AChangedByteIsNoticed)
{
    std::string bytes;
    std::uint32_t state = 1;
    for (int i = 0; i < 4000; ++i) {
        state = state * 1'664'525 + 1'013'904'223;
        bytes += static_cast<char>(state >> 24);
    }
    const std::string frame = packBytes(bytes);
    EXPECT_GT(frame.size(), bytes.size()) << "what cannot be compressed lies there as it is";
    EXPECT_EQ(*unpackBytes(frame), bytes);
    for (const std::size_t at : {frame.size() / 4, frame.size() / 2, frame.size() - 20}) {
        std::string damaged = frame;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        EXPECT_FALSE(unpackBytes(damaged)) << at;
    }
}

TEST(SqliteConnections, TrustNoSchemaOfAFile)
{
    const TempDir dir;
    const std::string file = (dir / "foreign.db").string();
    sqlite3* foreign = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &foreign), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(foreign, "PRAGMA user_version = 7; CREATE VIEW hidden AS SELECT * FROM pragma_user_version", nullptr, nullptr,
                           nullptr),
              SQLITE_OK);
    sqlite3_close(foreign);
    const Result<sqlite::Connection> connection = sqlite::Connection::open("file:" + file, true, false);
    ASSERT_TRUE(connection);
    EXPECT_EQ(*connection->number("SELECT * FROM pragma_user_version"), 7) << "by a statement of ours";
    EXPECT_FALSE(connection->number("SELECT * FROM hidden"));
    (void)connection->exec("PRAGMA writable_schema = ON");
    EXPECT_FALSE(connection->exec("UPDATE sqlite_schema SET sql = 'x'")) << "nor is it written";
}

TEST(StoreSessions, PagesFollowEachOtherWithoutOneTwice)
{
    const auto store = openStore(":memory:");
    for (int i = 0; i < 7; ++i)
        ASSERT_TRUE(store->createSession({{"s" + std::to_string(i)},
                                          "name " + std::to_string(i),
                                          "optimize",
                                          "",
                                          "transpose",
                                          Source::live,
                                          i < 5 ? "2026-01-01" : "2026-01-02",
                                          "{}"},
                                         {1, "t", "opened", "{}"}));
    std::vector<std::string> ids;
    SessionQuery query{.limit = 3};
    for (int page = 0; page < 5; ++page) {
        const std::vector<SessionHeader> rows = *store->sessions(query);
        EXPECT_EQ(rows.size(), page < 2 ? 3U : page == 2 ? 1U : 0U) << page;
        if (rows.empty())
            break;
        for (const SessionHeader& row : rows)
            ids.push_back(row.id.text);
        query.after = rows.back().id;
    }
    EXPECT_THAT(ids, ElementsAre("s6", "s5", "s4", "s3", "s2", "s1", "s0")) << "newest first, of one moment by their ids";
}

TEST(StorePatterns, AHitInTitleOrSlugComesBeforeOneInTheText)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(store->savePattern({"first", "", "One", "own", "about a barrier", "do"}));
    ASSERT_TRUE(store->savePattern({"second", "", "Two", "own", "p", "use a barrier"}));
    ASSERT_TRUE(store->savePattern({"third", "", "The barrier", "own", "p", "do"}));
    const std::vector<std::string> found = *store->searchPatterns("barrier");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found.front(), "third");
    EXPECT_THAT(*store->searchPatterns("sec"), ElementsAre("second"));
    EXPECT_THAT(*store->searchPatterns(""), ElementsAre("first", "second", "third")) << "in the order in which they came";
}

} // namespace
} // namespace kl
