// SPDX-License-Identifier: MIT
#include "sessions/store/sound_files.h"

#include "sessions/store/file_state.h"
#include "tests/sessions/store_support.h"

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
    EXPECT_FALSE(sound.identityOf(dir / "x.db")) << "it is not there";
    writeBytes(dir / "x.db", "1234");
    const std::optional<std::string> identity = sound.identityOf(dir / "x.db");
    ASSERT_TRUE(identity);
    EXPECT_FALSE(rememberIn(dir, 5).identityOf(dir / "x.db")) << "too small to remember";
    writeBytes(dir / "x.db", "5678");
    EXPECT_EQ(sound.identityOf(dir / "x.db"), identity);
    writeBytes(dir / "y.db", "1234");
    std::filesystem::rename(dir / "y.db", dir / "x.db");
    EXPECT_NE(sound.identityOf(dir / "x.db"), identity);
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

TEST(SoundFiles, ADatabaseIsCheckedInFullOnceHoweverOftenItIsWritten)
{
    const TempDir dir;
    fill(dir / "kl.db", 50);
    const SoundFiles sound = rememberIn(dir);
    ASSERT_TRUE(inspectFile(dir / "kl.db", sound));
    EXPECT_TRUE(sound.holds(dir / "kl.db", *sound.identityOf(dir / "kl.db")));
    fill(dir / "kl.db", 5);
    EXPECT_TRUE(sound.holds(dir / "kl.db", *sound.identityOf(dir / "kl.db"))) << "not to be read as a whole again";
    EXPECT_TRUE(inspectFile(dir / "kl.db", sound));
}

TEST(SoundFiles, ADamagedCopyIsNoticedAndNotRemembered)
{
    const TempDir dir;
    fill(dir / "kl.db", 50);
    const SoundFiles sound = rememberIn(dir);
    ASSERT_TRUE(inspectFile(dir / "kl.db", sound));
    std::filesystem::copy_file(dir / "kl.db", dir / "copy.db");
    damage(dir / "copy.db");
    std::filesystem::rename(dir / "copy.db", dir / "kl.db");
    const Result<FileState> replaced = inspectFile(dir / "kl.db", sound);
    ASSERT_FALSE(replaced);
    EXPECT_EQ(replaced.error().code, ErrorCode::badInput);
    EXPECT_FALSE(sound.holds(dir / "kl.db", *sound.identityOf(dir / "kl.db")));
}

TEST(SoundFiles, AKnownFileThatWasCutOffIsNoticed)
{
    const TempDir dir;
    fill(dir / "kl.db", 50);
    const SoundFiles sound = rememberIn(dir);
    ASSERT_TRUE(inspectFile(dir / "kl.db", sound));
    std::filesystem::resize_file(dir / "kl.db", std::filesystem::file_size(dir / "kl.db") - 40960);
    EXPECT_FALSE(inspectFile(dir / "kl.db", sound));
}

} // namespace
} // namespace kl
