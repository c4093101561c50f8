// SPDX-License-Identifier: MIT
#include "core/base/scratch_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <optional>

namespace kl {
namespace {

namespace fs = std::filesystem;

class ScratchFolderTest : public testing::Test {
protected:
    void SetUp() override
    {
        if (const char* place = std::getenv("TMPDIR"))
            before_ = place;
    }
    void TearDown() override
    {
        if (before_)
            ::setenv("TMPDIR", before_->c_str(), 1);
        else
            ::unsetenv("TMPDIR");
    }

private:
    std::optional<std::string> before_;
};

TEST_F(ScratchFolderTest, IsThereUntilTheEndAndGoesWithWhatItHolds)
{
    fs::path path;
    {
        Result<ScratchFolder> folder = ScratchFolder::make();
        ASSERT_TRUE(folder) << folder.error().message;
        const Result<ScratchFolder> another = ScratchFolder::make();
        ASSERT_TRUE(another);
        const ScratchFolder moved = std::move(*folder);
        path = moved.path();
        EXPECT_TRUE(path.is_absolute());
        EXPECT_NE(path, another->path());
        fs::create_directory(path / "inner");
        std::ofstream(path / "inner" / "file") << "text";
        EXPECT_TRUE(fs::exists(path / "inner" / "file"));
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(ScratchFolderTest, APlaceThatIsNotThereIsNamed)
{
    ::setenv("TMPDIR", "/nowhere/at/all", 1);
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.error().code, ErrorCode::environment);
    EXPECT_NE(folder.error().message.find(": No such file or directory"), std::string::npos) << folder.error().message;
    EXPECT_EQ(folder.error().where, "TMPDIR");
}

TEST_F(ScratchFolderTest, ARelativePlaceIsMadeAbsolute)
{
    ::setenv("TMPDIR", ".", 1);
    const Result<ScratchFolder> folder = ScratchFolder::make();
    if (!folder)
        GTEST_SKIP() << "the folder that the tests run in cannot be written: " << folder.error().message;
    EXPECT_TRUE(folder->path().is_absolute());
    EXPECT_TRUE(fs::is_directory(folder->path()));
}

} // namespace
} // namespace kl
