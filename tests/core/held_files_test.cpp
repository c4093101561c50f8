// SPDX-License-Identifier: MIT
#include "core/base/held_files.h"

#include "core/base/scratch_folder.h"
#include "core/base/write_file.h"

#include <fstream>
#include <gtest/gtest.h>
#include <optional>

namespace kl {
namespace {

namespace fs = std::filesystem;

class HeldFiles : public testing::Test {
protected:
    void make(const char* name) const { std::ofstream(folder->path() / name) << "old"; }

    Result<ScratchFolder> folder = ScratchFolder::make();
};

TEST_F(HeldFiles, ADatabaseAndSqlitesFilesBesideItAreHeldUnderEveryName)
{
    for (const char* name : {"big.db", "big.db-wal", "big.db-shm", "big.db-journal", "other.db"})
        make(name);
    fs::create_symlink("big.db", folder->path() / "link");
    {
        const HeldFile held(folder->path() / "big.db");
        for (const char* name : {"big.db", "big.db-wal", "big.db-shm", "big.db-journal", "link"})
            EXPECT_TRUE(isHeld(folder->path() / name)) << name;
        EXPECT_FALSE(isHeld(folder->path() / "other.db"));
        EXPECT_FALSE(isHeld(folder->path() / "none.db"));
    }
    EXPECT_FALSE(isHeld(folder->path() / "big.db"));
}

TEST_F(HeldFiles, OneThatIsOpenTwiceIsHeldUntilBothAreClosedAndMovingKeepsIt)
{
    make("big.db");
    std::optional<HeldFile> first(folder->path() / "big.db");
    {
        HeldFile second(folder->path() / "big.db");
        const HeldFile moved(std::move(second));
    }
    EXPECT_TRUE(isHeld(folder->path() / "big.db"));
    first.reset();
    EXPECT_FALSE(isHeld(folder->path() / "big.db"));
}

TEST_F(HeldFiles, NothingIsWrittenOverOne)
{
    make("big.db");
    const HeldFile held(folder->path() / "big.db");
    EXPECT_EQ(writeFile(folder->path() / "big.db", "new").error().code, ErrorCode::badInput);
    EXPECT_EQ(checkWritable(folder->path() / "big.db").error().where, (folder->path() / "big.db").string());
    std::string text;
    std::ifstream(folder->path() / "big.db") >> text;
    EXPECT_EQ(text, "old");
}

TEST_F(HeldFiles, OneThatWasOpenedByARelativeNameIsHeldFromEveryFolder)
{
    make("big.db");
    fs::create_directories(folder->path() / "below");
    const fs::path before = fs::current_path();
    fs::current_path(folder->path());
    const HeldFile held("big.db");
    EXPECT_TRUE(isHeld("big.db"));
    fs::current_path(folder->path() / "below");
    const bool fromAnother = isHeld("../big.db");
    const bool sameName = isHeld("big.db");
    fs::current_path(before);
    EXPECT_TRUE(fromAnother);
    EXPECT_FALSE(sameName);
    EXPECT_TRUE(isHeld(folder->path() / "big.db"));
}

TEST_F(HeldFiles, ThoseOfTwoDatabasesAreHeldEach)
{
    for (const char* name : {"one.db", "two.db", "two.db-wal"})
        make(name);
    std::optional<HeldFile> one(folder->path() / "one.db");
    const HeldFile two(folder->path() / "two.db");
    one.reset();
    EXPECT_FALSE(isHeld(folder->path() / "one.db"));
    EXPECT_TRUE(isHeld(folder->path() / "two.db"));
    EXPECT_TRUE(isHeld(folder->path() / "two.db-wal"));
}

} // namespace
} // namespace kl
