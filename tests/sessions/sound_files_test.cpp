// SPDX-License-Identifier: MIT
#include "sessions/store/sound_files.h"

#include "sessions/store/file_state.h"
#include "sessions/store/sqlite_store.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"

namespace kl {
namespace {

using support::openStore;
using support::readBytes;
using support::TempDir;
using support::writeBytes;

SoundFiles rememberIn(const TempDir& dir, std::uint64_t leastBytes = 1)
{
    return {FileCache((dir / "cache").string(), 1U << 16U), leastBytes};
}

/// The last page, which holds rows: a file that opens and shows its tables.
void damage(const std::filesystem::path& file)
{
    std::string bytes = readBytes(file);
    ASSERT_GT(bytes.size(), 2 * 4096U);
    writeBytes(file, bytes.replace(bytes.size() - 4096, 64, 64, '\xee'));
}

void fill(const std::filesystem::path& file, int count)
{
    const auto store = openStore(file);
    for (int i = 0; i < count; ++i)
        ASSERT_TRUE(store->saveArtifact(newUuid(), std::string(3000, 'x') + newUuid()));
}

TEST(SoundFiles, WritingAFileLeavesItsIdentityAndReplacingItDoesNot)
{
    const TempDir dir;
    const SoundFiles sound = rememberIn(dir);
    EXPECT_FALSE(sound.identifyFile(dir / "x.db")) << "it is not there";
    writeBytes(dir / "x.db", "1234");
    const std::optional<std::string> identity = sound.identifyFile(dir / "x.db");
    ASSERT_TRUE(identity);
    EXPECT_FALSE(rememberIn(dir, 5).identifyFile(dir / "x.db")) << "too small to remember";
    writeBytes(dir / "x.db", "5678");
    EXPECT_EQ(sound.identifyFile(dir / "x.db"), identity);
    writeBytes(dir / "y.db", "1234");
    std::filesystem::rename(dir / "y.db", dir / "x.db");
    EXPECT_NE(sound.identifyFile(dir / "x.db"), identity);
}

TEST(SoundFiles, WhatIsKeptHoldsForThatFile)
{
    const TempDir dir;
    const SoundFiles sound = rememberIn(dir);
    EXPECT_FALSE(sound.holds(dir / "x.db", "a"));
    sound.keep(dir / "x.db", "a");
    EXPECT_TRUE(sound.holds(dir / "x.db", "a"));
    EXPECT_FALSE(sound.holds(dir / "x.db", "b"));
    EXPECT_FALSE(sound.holds(dir / "y.db", "a"));
    const SoundFiles nowhere(FileCache({}, 1), 1);
    nowhere.keep(dir / "x.db", "a");
    EXPECT_FALSE(nowhere.holds(dir / "x.db", "a"));
}

TEST(SoundFiles, ALinkIsTheFileThatItLeadsTo)
{
    const TempDir dir;
    const SoundFiles sound = rememberIn(dir);
    writeBytes(dir / "x.db", "1234");
    std::filesystem::create_symlink("x.db", dir / "link.db");
    sound.keep(dir / "link.db", "a");
    EXPECT_TRUE(sound.holds(dir / "x.db", "a"));
    EXPECT_EQ(sound.identifyFile(dir / "link.db"), sound.identifyFile(dir / "x.db"));
    sound.keep(dir / "x.db", "b");
    EXPECT_FALSE(sound.holds(dir / "link.db", "a"));
}

TEST(SoundFiles, SmallFilesAreCheckedEachTime)
{
    const TempDir dir;
    const support::SetVariable cache("XDG_CACHE_HOME", dir.path().c_str());
    const SoundFiles usual;
    const std::string sparse = (dir / "x.db").string();
    writeBytes(sparse, "");
    std::filesystem::resize_file(sparse, (16U << 20U) - 1);
    EXPECT_FALSE(usual.identifyFile(sparse));
    std::filesystem::resize_file(sparse, 16U << 20U);
    ASSERT_TRUE(usual.identifyFile(sparse));
    usual.keep(sparse, "a");
    EXPECT_TRUE(SoundFiles().holds(sparse, "a")) << "on this machine, from now on";
}

std::unique_ptr<SqliteStore> openNew(const TempDir& dir)
{
    Result<std::unique_ptr<SqliteStore>> store = SqliteStore::openFile((dir / "kl.db").string(), rememberIn(dir));
    EXPECT_TRUE(store) << store.error().message;
    return store ? std::move(*store) : nullptr;
}

bool isRemembered(const TempDir& dir)
{
    const SoundFiles sound = rememberIn(dir);
    return sound.holds(dir / "kl.db", *sound.identifyFile(dir / "kl.db"));
}

TEST(SoundFiles, ADatabaseIsCheckedInFullOnceHoweverOftenItIsWritten)
{
    const TempDir dir;
    fill(dir / "kl.db", 50);
    {
        const auto store = openNew(dir);
        EXPECT_TRUE(store->unchecked());
        EXPECT_TRUE(store->checkOnce());
        EXPECT_FALSE(store->unchecked());
        EXPECT_TRUE(isRemembered(dir));
    }
    fill(dir / "kl.db", 5);
    EXPECT_TRUE(isRemembered(dir)) << "not to be read as a whole again";
    EXPECT_FALSE(openNew(dir)->unchecked());
}

TEST(SoundFiles, ANewFileIsReadAtOnceAndCheckedBeforeItIsWritten)
{
    const TempDir dir;
    fill(dir / "kl.db", 50);
    std::filesystem::copy_file(dir / "kl.db", dir / "before.db");
    const std::string before = readBytes(dir / "before.db");
    {
        const auto store = openNew(dir);
        const std::int64_t version = store->dataVersion();
        EXPECT_TRUE(store->runs({}));
        EXPECT_TRUE(store->backup(dir / "copy.db"));
        EXPECT_TRUE(store->unchecked()) << "nothing was written";
        EXPECT_FALSE(isRemembered(dir));
        EXPECT_TRUE(store->saveArtifact("name", "content"));
        EXPECT_FALSE(store->unchecked());
        EXPECT_TRUE(isRemembered(dir));
        EXPECT_EQ(*store->artifact("name"), "content");
        EXPECT_GT(store->dataVersion(), version);
    }
    EXPECT_NE(readBytes(dir / "kl.db"), before);
    EXPECT_EQ(*openNew(dir)->artifact("name"), "content");
}

TEST(SoundFiles, WhatOnlyReadsLeavesANewFileAsItIs)
{
    const TempDir dir;
    fill(dir / "other.db", 50);
    ASSERT_TRUE(openStore(dir / "other.db")->backup(dir / "kl.db")); // SQLite writes copies that are not in WAL mode
    std::filesystem::copy_file(dir / "kl.db", dir / "before.db");
    {
        const auto store = openNew(dir);
        EXPECT_TRUE(store->runs({}));
    }
    EXPECT_EQ(readBytes(dir / "kl.db"), readBytes(dir / "before.db"));
    EXPECT_FALSE(std::filesystem::exists(dir / "kl.db-wal"));
}

TEST(SoundFiles, ADamagedCopyIsNotWrittenAndNotRemembered)
{
    const TempDir dir;
    fill(dir / "kl.db", 50);
    ASSERT_TRUE(openNew(dir)->checkOnce());
    std::filesystem::copy_file(dir / "kl.db", dir / "copy.db");
    damage(dir / "copy.db");
    std::filesystem::rename(dir / "copy.db", dir / "kl.db");
    std::filesystem::copy_file(dir / "kl.db", dir / "before.db");
    {
        const auto store = openNew(dir);
        EXPECT_TRUE(store->unchecked()) << "it is another file";
        for (int attempt = 0; attempt < 2; ++attempt) {
            const Status written = store->saveArtifact("name", "content");
            ASSERT_FALSE(written);
            EXPECT_EQ(written.error().code, ErrorCode::badInput);
            EXPECT_EQ(written.error().where, (dir / "kl.db").string());
            EXPECT_FALSE(store->unchecked()) << "it is known now";
        }
        EXPECT_FALSE(checkStorable(*store)) << "before long work";
    }
    EXPECT_EQ(readBytes(dir / "kl.db"), readBytes(dir / "before.db"));
    EXPECT_FALSE(isRemembered(dir));
}

TEST(SoundFiles, ACheckThatIsCanceledIsStillToBeDone)
{
    const TempDir dir;
    fill(dir / "kl.db", 50);
    const auto store = openNew(dir);
    std::stop_source stop;
    stop.request_stop();
    const Status canceled = store->checkOnce(stop.get_token());
    ASSERT_FALSE(canceled);
    EXPECT_EQ(canceled.error().code, ErrorCode::interrupted);
    EXPECT_TRUE(store->unchecked());
    EXPECT_FALSE(isRemembered(dir));
    EXPECT_TRUE(store->saveArtifact("name", "content")) << "which checks it";
    EXPECT_FALSE(store->unchecked());
}

TEST(SoundFiles, AKnownFileThatWasCutOffIsNoticed)
{
    const TempDir dir;
    fill(dir / "kl.db", 50);
    const SoundFiles sound = rememberIn(dir);
    ASSERT_TRUE(openNew(dir)->checkOnce());
    std::filesystem::resize_file(dir / "kl.db", std::filesystem::file_size(dir / "kl.db") - 40960);
    EXPECT_FALSE(inspectFile(dir / "kl.db", sound));
}

} // namespace
} // namespace kl
