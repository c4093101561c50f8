// SPDX-License-Identifier: MIT
#include "sessions/store/sound_files.h"

#include "sessions/store/file_state.h"
#include "tests/sessions/store_support.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace kl {
namespace {

using support::openStore;
using support::readBytes;
using support::TempDir;
using support::writeBytes;

/// In an hour, when what tests write has long settled.
SoundFiles later(const TempDir& dir, std::uint64_t leastBytes = 1)
{
    return {FileCache((dir / "cache").string(), 1U << 16U), leastBytes, SoundFiles::Clock::now() + std::chrono::hours(1)};
}

/// Sets the time of the last write, so that no test depends on the file system's clock.
void touch(const std::filesystem::path& file, std::time_t seconds)
{
    const timespec times[2] = {{seconds, 0}, {seconds, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
}

/// The last page, which holds rows: a file that opens and shows its tables.
void damage(const std::filesystem::path& file)
{
    std::string bytes = readBytes(file);
    ASSERT_GT(bytes.size(), 2 * 4096U);
    writeBytes(file, bytes.replace(bytes.size() - 4096, 64, 64, '\xee'));
}

TEST(SoundFiles, AStateIsThatOfTheFileAndOfItsSideFiles)
{
    const TempDir dir;
    const SoundFiles sound = later(dir);
    EXPECT_FALSE(sound.stateOf(dir / "x.db")) << "it is not there";
    writeBytes(dir / "x.db", "1234");
    touch(dir / "x.db", 1000);
    const std::optional<std::string> state = sound.stateOf(dir / "x.db");
    ASSERT_TRUE(state);
    EXPECT_EQ(sound.stateOf(dir / "x.db"), state);
    EXPECT_FALSE(later(dir, 5).stateOf(dir / "x.db")) << "too small to remember";
    touch(dir / "x.db", 1001);
    const std::optional<std::string> touched = sound.stateOf(dir / "x.db");
    EXPECT_NE(touched, state);
    for (const char* suffix : {"-wal", "-journal"}) {
        writeBytes(dir / (std::string("x.db") + suffix), "");
        const std::optional<std::string> beside = sound.stateOf(dir / "x.db");
        ASSERT_TRUE(beside);
        EXPECT_NE(beside, touched);
        std::filesystem::remove(dir / (std::string("x.db") + suffix));
        EXPECT_EQ(sound.stateOf(dir / "x.db"), touched);
    }
}

TEST(SoundFiles, WhatChangedJustNowHasNoState)
{
    const TempDir dir;
    writeBytes(dir / "x.db", "1234");
    struct stat found = {};
    ASSERT_EQ(::stat((dir / "x.db").c_str(), &found), 0);
    const auto changed = SoundFiles::Clock::from_time_t(found.st_ctim.tv_sec);
    const auto seen = [&](std::chrono::seconds after) {
        return SoundFiles(FileCache(dir / "cache", 1U << 16U), 1, changed + after).stateOf(dir / "x.db").has_value();
    };
    EXPECT_FALSE(seen(std::chrono::seconds(0)));
    EXPECT_FALSE(seen(std::chrono::seconds(1)));
    EXPECT_FALSE(seen(std::chrono::seconds(-100))) << "from the future";
    EXPECT_TRUE(seen(std::chrono::seconds(4)));
}

TEST(SoundFiles, WhatIsKeptHoldsForThatFileInThatState)
{
    const TempDir dir;
    const SoundFiles sound = later(dir);
    EXPECT_FALSE(sound.holds(dir / "x.db", "a"));
    sound.keep(dir / "x.db", "a");
    EXPECT_TRUE(sound.holds(dir / "x.db", "a"));
    EXPECT_FALSE(sound.holds(dir / "x.db", "b"));
    EXPECT_FALSE(sound.holds(dir / "y.db", "a"));
    const SoundFiles nowhere(FileCache({}, 1), 1, SoundFiles::Clock::now());
    nowhere.keep(dir / "x.db", "a");
    EXPECT_FALSE(nowhere.holds(dir / "x.db", "a"));
}

TEST(SoundFiles, ASoundDatabaseIsCheckedOnceAndAgainOnceItChanged)
{
    const TempDir dir;
    {
        const auto store = openStore(dir / "kl.db");
        for (int i = 0; i < 50; ++i)
            ASSERT_TRUE(store->saveArtifact("a" + std::to_string(i), std::string(3000, 'x') + newUuid()));
    }
    touch(dir / "kl.db", 1000);
    const SoundFiles sound = later(dir);
    ASSERT_TRUE(inspectFile(dir / "kl.db", sound));
    EXPECT_TRUE(sound.holds(dir / "kl.db", *sound.stateOf(dir / "kl.db")));

    damage(dir / "kl.db");
    touch(dir / "kl.db", 2000);
    const Result<FileState> changed = inspectFile(dir / "kl.db", sound);
    ASSERT_FALSE(changed);
    EXPECT_EQ(changed.error().code, ErrorCode::badInput);
    EXPECT_FALSE(sound.holds(dir / "kl.db", *sound.stateOf(dir / "kl.db"))) << "what is damaged is not remembered";

    sound.keep(dir / "kl.db", *sound.stateOf(dir / "kl.db"));
    EXPECT_TRUE(inspectFile(dir / "kl.db", sound)) << "the memory is asked";
}

} // namespace
} // namespace kl
