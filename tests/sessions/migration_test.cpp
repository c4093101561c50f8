// SPDX-License-Identifier: MIT
#include "tests/support/store_support.h"

#include "core/base/try.h"
#include "sessions/shipped/sample_store.h"
#include "sessions/store/file_state.h"
#include "sessions/store/schema.h"
#include "sessions/store/sqlite_store.h"

#include <barrier>
#include <csignal>
#include <fmt/format.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace kl {
namespace {

using sqlite::Connection;
using support::openStore;
using support::profiledRun;
using support::readBytes;
using support::TempDir;
using support::writeBytes;

/// A database file of a schema version, with a note in it.
void makeVersion(const std::filesystem::path& file, int version)
{
    const Result<Connection> db = Connection::open(file.string(), true, true);
    ASSERT_TRUE(db);
    ASSERT_TRUE(migrate(*db, 0, version));
    ASSERT_TRUE(db->run("INSERT INTO notes(id, subject, at, text) VALUES('n1', 'run:r1', 't', 'kept')"));
}

ErrorCode refusal(const std::filesystem::path& file)
{
    const std::string before = readBytes(file);
    const auto store = Store::open(file.string());
    EXPECT_EQ(readBytes(file), before) << "a refused file must stay as it was";
    EXPECT_FALSE(std::filesystem::exists(file.string() + "-wal"));
    if (store)
        ADD_FAILURE() << "was opened";
    return store ? ErrorCode::internal : store.error().code;
}

TEST(StoreOpen, CreatesAMissingFileWithItsFolders)
{
    const TempDir dir;
    const auto store = openStore(dir.path() / "a" / "b" / "kl.db");
    EXPECT_FALSE(store->readOnly());
    EXPECT_TRUE(store->notice().empty());
    const Result<Connection> db = Connection::open(dir.path() / "a" / "b" / "kl.db", false, false);
    EXPECT_EQ(*db->number("PRAGMA application_id"), kApplicationId);
    EXPECT_EQ(*db->number("PRAGMA user_version"), kSchemaVersion);
    EXPECT_EQ(db->texts("PRAGMA journal_mode")->front(), "wal");
}

TEST(StoreOpen, EveryTableIsStrict)
{
    const TempDir dir;
    openStore(dir / "kl.db");
    const Result<Connection> db = Connection::open(dir / "kl.db", false, false);
    EXPECT_EQ(*db->number("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 "
                          "AND name NOT LIKE 'sqlite%'"),
              0);
    EXPECT_GE(*db->number("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND strict = 1"), 18);
}

TEST(StoreOpen, AcceptsAnEmptyFileAndOddNames)
{
    const TempDir dir;
    writeBytes(dir / "odd ?#%41.db", "");
    ASSERT_TRUE(openStore(dir / "odd ?#%41.db")->setSetting("x", "1"));
    EXPECT_EQ(openStore(dir / "odd ?#%41.db")->setting("x"), "1");
}

TEST(StoreOpen, RefusesATextFile)
{
    const TempDir dir;
    writeBytes(dir / "notes.txt", "Shopping list, longer than sixteen bytes\n");
    EXPECT_EQ(refusal(dir / "notes.txt"), ErrorCode::badInput);
}

TEST(StoreOpen, RefusesAShortFileAndAFolder)
{
    const TempDir dir;
    writeBytes(dir / "short", "x");
    EXPECT_EQ(refusal(dir / "short"), ErrorCode::badInput);
    EXPECT_EQ(Store::open(dir.path().string()).error().code, ErrorCode::badInput);
}

TEST(StoreOpen, RefusesAFolderThatCannotBeLookedAt)
{
    const TempDir dir;
    std::filesystem::create_symlink("loop", dir / "loop");
    for (const auto& [folder, reason] : {std::pair{std::string(300, 'a'), std::errc::filename_too_long},
                                         std::pair{std::string("loop"), std::errc::too_many_symbolic_link_levels}}) {
        const std::string location = (dir / folder / "x.db").string();
        const auto store = Store::open(location);
        ASSERT_FALSE(store.ok());
        EXPECT_EQ(store.error().code, ErrorCode::badInput);
        EXPECT_EQ(store.error().where, location);
        EXPECT_NE(store.error().message.find(std::make_error_code(reason).message()), std::string::npos) << store.error().message;
    }
}

TEST(StoreOpen, RefusesAnotherProgramsDatabase)
{
    const TempDir dir;
    {
        const Result<Connection> db = Connection::open(dir / "other.db", true, true);
        ASSERT_TRUE(db->exec("CREATE TABLE t(x); INSERT INTO t VALUES(1); PRAGMA user_version = 1"));
    }
    EXPECT_EQ(refusal(dir / "other.db"), ErrorCode::badInput);
}

TEST(StoreOpen, RefusesAnotherProgramsDatabaseInWalModeWithoutSideFiles)
{
    const TempDir dir;
    {
        const Result<Connection> db = Connection::open(dir / "other.db", true, true);
        ASSERT_TRUE(db->exec("PRAGMA journal_mode = WAL; CREATE TABLE t(x)"));
    }
    EXPECT_EQ(refusal(dir / "other.db"), ErrorCode::badInput);
    EXPECT_FALSE(std::filesystem::exists(dir / "other.db-shm"));
}

TEST(StoreOpen, RefusesADamagedFile)
{
    const TempDir dir;
    {
        const auto store = openStore(dir / "kl.db");
        for (int i = 0; i < 50; ++i)
            ASSERT_TRUE(store->saveArtifact("a" + std::to_string(i), std::string(3000, 'x') + newUuid()));
    }
    std::string bytes = readBytes(dir / "kl.db");
    ASSERT_GT(bytes.size(), 20000U);
    for (std::size_t page = 4096; page + 4096 <= bytes.size(); page += 4096) // every page but the first
        bytes.replace(page, 64, 64, '\xee');
    writeBytes(dir / "kl.db", bytes);
    EXPECT_EQ(refusal(dir / "kl.db"), ErrorCode::badInput);
}

TEST(StoreOpen, RefusesATruncatedFile)
{
    const TempDir dir;
    openStore(dir / "kl.db");
    writeBytes(dir / "kl.db", readBytes(dir / "kl.db").substr(0, 6000));
    EXPECT_EQ(refusal(dir / "kl.db"), ErrorCode::badInput);
}

TEST(StoreOpen, ANewerFileIsReadOnlyWithANotice)
{
    const TempDir dir;
    makeVersion(dir / "kl.db", kSchemaVersion);
    {
        const Result<Connection> db = Connection::open(dir / "kl.db", true, false);
        ASSERT_TRUE(db->exec("ALTER TABLE notes ADD COLUMN color TEXT; PRAGMA user_version = 99"));
    }
    const std::string before = readBytes(dir / "kl.db");
    const auto store = openStore(dir / "kl.db");
    EXPECT_TRUE(store->readOnly());
    EXPECT_NE(store->notice().find("99"), std::string::npos);
    EXPECT_EQ(store->notes("run:r1")->size(), 1U);
    EXPECT_EQ(store->setSetting("x", "1").error().code, ErrorCode::badInput);
    EXPECT_EQ(readBytes(dir / "kl.db"), before);
}

TEST(StoreOpen, ANewerFileIsLeftAloneInItsFolder)
{
    const TempDir dir;
    ASSERT_TRUE(openStore(dir / "kl.db")->setSetting("x", "1")); // in WAL mode
    ASSERT_TRUE(Connection::open(dir / "kl.db", true, false)->exec("PRAGMA user_version = 99"));
    {
        const std::string before = readBytes(dir / "kl.db");
        const auto store = openStore(dir / "kl.db");
        EXPECT_TRUE(store->readOnly());
        EXPECT_EQ(store->setting("x"), "1");
        EXPECT_EQ(readBytes(dir / "kl.db"), before);
        EXPECT_FALSE(store->setSetting("x", "2"));
        ASSERT_TRUE(Connection::open(dir / "kl.db", true, false)->exec("UPDATE settings SET value = '3'"));
        EXPECT_EQ(store->setting("x"), "3") << "what the newer program writes meanwhile is seen";
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1) << "side files were left";
    EXPECT_EQ(openStore(dir / "kl.db")->setting("x"), "3");
}

TEST(StoreOpen, ASecondConnectionOpensWhileTheFirstWrites)
{
    const TempDir dir;
    const auto a = openStore(dir / "kl.db");
    ASSERT_TRUE(a->setSetting("x", "in the log"));
    const auto b = openStore(dir / "kl.db");
    EXPECT_EQ(b->setting("x"), "in the log");
    EXPECT_FALSE(b->readOnly());
}

TEST(StoreOpen, TheSampleIsReadOnlyAndInMemory)
{
    const auto store = std::move(*openSampleStore());
    EXPECT_TRUE(store->readOnly());
    EXPECT_FALSE(store->notice().empty());
    EXPECT_TRUE(store->check()->empty());
    const Status refused = store->setSetting("x", "1");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("sample"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(":sample:"));
}

TEST(StoreOpen, AReadOnlyStoreCanBeCopiedAndStaysReadOnly)
{
    const TempDir dir;
    const auto store = std::move(*openSampleStore());
    const Status copied = store->backup(dir / "copy.db");
    ASSERT_TRUE(copied) << copied.error().message;
    EXPECT_FALSE(store->setSetting("x", "1"));
    const auto copy = openStore(dir / "copy.db");
    EXPECT_FALSE(copy->readOnly());
    EXPECT_TRUE(copy->setSetting("x", "1"));
}

TEST(StoreOpen, AReadOnlyFolderOpensWithoutSideFiles)
{
    const bool root = ::geteuid() == 0;
    const TempDir dir;
    ASSERT_TRUE(openStore(dir / "kl.db")->setSetting("x", "1"));
    using std::filesystem::perms;
    std::filesystem::permissions(dir / "kl.db", perms::owner_read | perms::group_read | perms::others_read);
    const perms readable =
        perms::owner_read | perms::owner_exec | perms::group_read | perms::group_exec | perms::others_read | perms::others_exec;
    std::filesystem::permissions(dir.path(), readable);
    if (root) { // root may write everywhere: look as nobody
        ASSERT_EQ(::seteuid(65534), 0);
    }
    {
        const auto store = openStore(dir / "kl.db");
        ASSERT_TRUE(store);
        EXPECT_TRUE(store->readOnly());
        EXPECT_EQ(store->setting("x"), "1");
        EXPECT_FALSE(store->notice().empty());
        EXPECT_EQ(Store::open((dir / "new.db").string()).error().code, ErrorCode::badInput);
    }
    if (root) {
        ASSERT_EQ(::seteuid(0), 0);
    }
    std::filesystem::permissions(dir.path(), perms::owner_all);
    EXPECT_FALSE(std::filesystem::exists(dir / "kl.db-shm"));
}

TEST(OpenMode, ImmutableOnlyWhereNoLogExists)
{
    FileState state;
    state.version = kSchemaVersion;
    EXPECT_EQ(chooseOpenMode(state), OpenMode::writable);
    state.folderWritable = false;
    EXPECT_EQ(chooseOpenMode(state), OpenMode::immutable);
    state.walThere = true;
    EXPECT_EQ(chooseOpenMode(state), OpenMode::readOnly);
    state.folderWritable = true;
    state.version = kSchemaVersion + 1;
    EXPECT_EQ(chooseOpenMode(state), OpenMode::readOnly);
    state.walThere = false;
    EXPECT_EQ(chooseOpenMode(state), OpenMode::tidy);
    state.journalThere = true; // which a connection that could write would take back
    EXPECT_EQ(chooseOpenMode(state), OpenMode::readOnly);
}

TEST(OpenMode, WhatIsUncheckedIsOnlyRead)
{
    FileState state;
    state.version = kSchemaVersion;
    state.unchecked = true;
    EXPECT_TRUE(mayBeWritten(state));
    EXPECT_EQ(chooseOpenMode(state), OpenMode::tidy);
    state.walThere = true;
    EXPECT_EQ(chooseOpenMode(state), OpenMode::readOnly);
}

TEST(Migration, ALargeFileIsCheckedBeforeItIsMigrated)
{
    const TempDir dir;
    makeVersion(dir / "kl.db", 1);
    const SoundFiles sound(FileCache((dir / "cache").string(), 1U << 16U), 1);
    const auto store = SqliteStore::openFile((dir / "kl.db").string(), sound);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_FALSE((*store)->unchecked());
    EXPECT_TRUE(sound.holds(dir / "kl.db", *sound.identifyFile(dir / "kl.db")));
}

TEST(Migration, FromVersion1KeepsRowsAndLeavesABackup)
{
    const TempDir dir;
    makeVersion(dir / "kl.db", 1);
    const auto store = openStore(dir / "kl.db");
    EXPECT_FALSE(store->readOnly());
    EXPECT_EQ(store->notes("run:r1")->front().text, "kept");
    EXPECT_TRUE(store->removeNote("n1"));
    EXPECT_TRUE(store->setSetting("x", "1"));
    const std::filesystem::path copy = dir / "kl.db.v1.bak";
    EXPECT_NE(store->notice().find(copy.string()), std::string::npos);
    const Result<Connection> before = Connection::open(copy, false, false);
    ASSERT_TRUE(before);
    EXPECT_EQ(*before->number("PRAGMA user_version"), 1);
    EXPECT_EQ(*before->number("PRAGMA application_id"), kApplicationId);
    EXPECT_EQ(*before->number("SELECT count(*) FROM notes"), 1);
}

TEST(Migration, ASecondOpenMigratesNothing)
{
    const TempDir dir;
    makeVersion(dir / "kl.db", 1);
    openStore(dir / "kl.db");
    EXPECT_TRUE(openStore(dir / "kl.db")->notice().empty());
    EXPECT_FALSE(std::filesystem::exists(dir / "kl.db.v1-2.bak"));
}

TEST(Migration, AnEarlierBackupIsNotOverwritten)
{
    const TempDir dir;
    makeVersion(dir / "kl.db", 1);
    writeBytes(dir / "kl.db.v1.bak", "mine");
    openStore(dir / "kl.db");
    EXPECT_EQ(readBytes(dir / "kl.db.v1.bak"), "mine");
    EXPECT_TRUE(std::filesystem::exists(dir / "kl.db.v1-2.bak"));
}

TEST(Migration, ProgramsThatMigrateAtOnceEachKeepABackup)
{
    const TempDir dir;
    makeVersion(dir / "kl.db", 1);
    constexpr int kPrograms = 4;
    std::barrier together(kPrograms);
    std::vector<std::jthread> programs;
    for (int i = 0; i < kPrograms; ++i)
        programs.emplace_back([&] {
            together.arrive_and_wait();
            const auto store = openStore(dir / "kl.db");
            EXPECT_TRUE(store && store->notes("run:r1")->front().text == "kept");
        });
    programs.clear();
    EXPECT_TRUE(openStore(dir / "kl.db")->notice().empty());
    int copies = 0;
    for (const auto& entry : std::filesystem::directory_iterator(dir.path()))
        if (entry.path().extension() == ".bak") {
            const Result<Connection> copy = Connection::open(entry.path().string(), false, false);
            ASSERT_TRUE(copy);
            EXPECT_EQ(*copy->number("SELECT count(*) FROM notes"), 1) << entry.path();
            ++copies;
        }
    EXPECT_GE(copies, 1); // who comes when it is done needs none
}

TEST(Migration, HalfABackupIsRemovedAndTheOldVersionStays)
{
    const TempDir dir;
    makeVersion(dir / "kl.db", 1);
    ASSERT_TRUE(Connection::open(dir / "kl.db", true, false)
                    ->run("INSERT INTO notes(id, subject, at, text) VALUES('n2', 'run:r1', 't', ?)", std::string(200'000, 'x')));
    const pid_t child = ::fork();
    if (child == 0) { // the limit of a file's size stands for a full disk
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit most{100'000, 100'000};
        ::setrlimit(RLIMIT_FSIZE, &most);
        ::_exit(Store::open(dir / "kl.db") ? 1 : 0);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(std::filesystem::exists(dir / "kl.db.v1.bak"));
    EXPECT_EQ(*Connection::open(dir / "kl.db", false, false)->number("PRAGMA user_version"), 1);
}

TEST(Migration, WhatAFullDiskRefusesLeavesTheRest)
{
    const TempDir dir;
    ASSERT_TRUE(openStore(dir / "kl.db")->saveNote({.id = "n1", .subject = "run:r", .at = "t", .text = "kept"}));
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const Result<std::unique_ptr<Store>> store = Store::open(dir / "kl.db");
        const rlimit most{200'000, 200'000};
        ::setrlimit(RLIMIT_FSIZE, &most);
        const auto stored = (*store)->saveNote({.id = "n2", .subject = "run:r", .at = "t", .text = std::string(500'000, 'x')});
        ::_exit(stored ? 1 : stored.error().code == ErrorCode::environment ? 0 : 2);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    const auto store = openStore(dir / "kl.db");
    ASSERT_EQ(store->notes("run:r")->size(), 1U);
    EXPECT_EQ(store->notes("run:r")->front().text, "kept");
    EXPECT_TRUE(store->check()->empty());
}

TEST(Migration, StepByStepEqualsAFreshDatabase)
{
    const TempDir dir;
    makeVersion(dir / "old.db", 1);
    openStore(dir / "old.db");
    openStore(dir / "new.db");
    const auto schema = [&](const char* name) {
        const Result<Connection> db = Connection::open(dir / name, false, false);
        return *db->texts("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name");
    };
    EXPECT_EQ(schema("old.db"), schema("new.db"));
}

TEST(Migration, RunsKeepTheirMetricsWhenTheTableOfMetricsGoes)
{
    const TempDir dir;
    const RunRecord run = profiledRun("r1", "naive", "t1", 1);
    ASSERT_FALSE(run.metrics->values.empty());
    ASSERT_TRUE(openStore(dir / "kl.db")->saveRun(run));
    {
        const Result<Connection> db = Connection::open(dir / "kl.db", true, false);
        ASSERT_TRUE(
            db->exec("CREATE TABLE metrics(run_id TEXT NOT NULL REFERENCES runs(id), name TEXT, value REAL) STRICT; "
                     "INSERT INTO metrics VALUES('r1', 'sm__cycles_active.avg', 1); "
                     "DROP TABLE diagnoses; DROP TABLE run_names; DROP TABLE tags; DROP INDEX runs_by_gpu_ns; DROP INDEX runs_by_class; "
                     "DROP INDEX profiles_by_time; DROP INDEX comparisons_by_a; DROP INDEX comparisons_by_b; "
                     "DROP INDEX sessions_by_time; DROP INDEX runs_by_address_and_gpu_ns; DROP INDEX profiles_by_address; "
                     "PRAGMA user_version = 4"));
    }
    const auto store = openStore(dir / "kl.db");
    EXPECT_EQ(*store->run(run.id), run);
    EXPECT_TRUE(store->check()->empty());
    EXPECT_FALSE(store->notice().empty());
}

TEST(Migration, PatternsOfBeforeTheSearchIndexAreFoundByEachOfTheirTexts)
{
    const TempDir dir;
    makeVersion(dir / "kl.db", 3);
    ASSERT_TRUE(Connection::open(dir / "kl.db", true, false)
                    ->exec("INSERT INTO patterns(slug, label, title, kind, problem, advice, applies_when, origin, position) "
                           "VALUES('lesson', '', 'quokka', 'own', 'wombat', 'numbat', '', '', 1)"));
    const auto store = openStore(dir / "kl.db");
    for (const char* word : {"lesson", "quokka", "wombat", "numbat"})
        EXPECT_EQ(*store->searchPatterns(word), std::vector<std::string>{"lesson"}) << word;
}

TEST(Migration, SessionsAndPatternsOfBeforeHaveTheNamesOfToday)
{
    const TempDir dir;
    makeVersion(dir / "kl.db", 8);
    ASSERT_TRUE(Connection::open(dir / "kl.db", true, false)
                    ->exec("INSERT INTO patterns(slug, label, title, kind, problem, advice, applies_when, origin, position) "
                           "VALUES('measure-before-optimising', '', 'quokka', 'expert', 'suite-right', '', '', '', 1);"
                           "INSERT INTO pattern_search(slug, title, problem, advice) VALUES('measure-before-optimising', 'quokka', '', '');"
                           "INSERT INTO pattern_applications(id, pattern, at, derived, note) "
                           "VALUES('a1', 'measure-before-optimising', 't', 0, 'both-right');"
                           "INSERT INTO sessions VALUES('s1', 'N', 'expert', '', 'k', 'live', 't', '{}');"
                           "INSERT INTO session_events VALUES('s1', 1, 't', 'pattern-applied', '{\"slug\":\"measure-before-optimising\"}');"
                           "INSERT INTO session_events VALUES('s1', 2, 't', 'refused-attempt', "
                           "'{\"rule\":\"profile-before-optimising\",\"message\":\"two at once\"}')"));
    const auto store = openStore(dir / "kl.db");
    EXPECT_EQ(store->patterns()->front().slug, "measure-before-optimizing");
    EXPECT_EQ(store->patterns()->front().problem, "suite-right") << "texts stay as they are";
    EXPECT_EQ(*store->searchPatterns("quokka"), std::vector<std::string>{"measure-before-optimizing"});
    const Result<Connection> db = Connection::open(dir / "kl.db", false, false);
    EXPECT_EQ(*db->texts("SELECT pattern || ' ' || note FROM pattern_applications"),
              std::vector<std::string>{"measure-before-optimizing both-right"});
    EXPECT_EQ(*db->texts("SELECT data FROM session_events ORDER BY seq"),
              (std::vector<std::string>{R"({"slug":"measure-before-optimizing"})",
                                        R"({"rule":"profile-before-optimizing","message":"two at once"})"}));
    EXPECT_TRUE(store->check()->empty());
}

TEST(Migration, APatternThatHasTheNewNameAlreadyKeepsIt)
{
    const TempDir dir;
    makeVersion(dir / "kl.db", 8);
    ASSERT_TRUE(Connection::open(dir / "kl.db", true, false)
                    ->exec("INSERT INTO patterns(slug, label, title, kind, problem, advice, applies_when, origin, position) VALUES"
                           "('measure-before-optimising', '', 'quokka', 'expert', '', '', '', '', 1), "
                           "('measure-before-optimizing', '', 'wombat', 'own', '', '', '', '', 2);"
                           "INSERT INTO pattern_search(slug, title, problem, advice) VALUES"
                           "('measure-before-optimising', 'quokka', '', ''), ('measure-before-optimizing', 'wombat', '', '');"
                           "INSERT INTO pattern_applications(id, pattern, at, derived, note) "
                           "VALUES('a1', 'measure-before-optimising', 't', 0, '')"));
    const auto store = openStore(dir / "kl.db");
    EXPECT_EQ(store->patterns()->size(), 2U);
    EXPECT_EQ(*store->searchPatterns("wombat"), std::vector<std::string>{"measure-before-optimizing"});
    EXPECT_EQ(*store->searchPatterns("quokka"), std::vector<std::string>{"measure-before-optimising"});
    EXPECT_EQ(*Connection::open(dir / "kl.db", false, false)->texts("SELECT pattern FROM pattern_applications"),
              std::vector<std::string>{"measure-before-optimising"});
    EXPECT_TRUE(store->check()->empty());
}

TEST(Migration, AFailedStepLeavesTheOldVersion)
{
    const TempDir dir;
    makeVersion(dir / "kl.db", 1);
    const Result<Connection> db = Connection::open(dir / "kl.db", true, false);
    ASSERT_TRUE(db->exec("CREATE TABLE settings(other INTEGER) STRICT"));
    EXPECT_FALSE(migrate(*db, 1));
    EXPECT_EQ(*db->number("PRAGMA user_version"), 1);
    EXPECT_EQ(*db->number("SELECT count(*) FROM pragma_table_info('notes') WHERE name = 'removed_at'"), 0);
}

TEST(SqliteErrors, AHeldWriteLockIsAnEnvironmentError)
{
    const Error busy = sqlite::toError(nullptr, 5);
    EXPECT_EQ(busy.code, ErrorCode::environment);
    EXPECT_EQ(sqlite::toError(nullptr, 11).code, ErrorCode::badInput);
    EXPECT_EQ(sqlite::toError(nullptr, 13).code, ErrorCode::environment);
    EXPECT_NE(busy.detail.find("SQLite 5"), std::string::npos);
}

TEST(SqliteTransactions, RollBackWhenTheBodyFails)
{
    const Result<Connection> db = Connection::open(":memory:", true, true);
    ASSERT_TRUE(db->exec("CREATE TABLE t(x INTEGER) STRICT"));
    const Status failed = sqlite::inTransaction(*db, [&]() -> Status {
        KL_TRY(db->run("INSERT INTO t VALUES(1)"));
        return db->run("INSERT INTO t VALUES('text')");
    });
    EXPECT_EQ(failed.error().code, ErrorCode::badInput);
    EXPECT_EQ(*db->number("SELECT count(*) FROM t"), 0);
}

} // namespace
} // namespace kl
