// SPDX-License-Identifier: MIT
// What other processes see of SQLite's locks: a process loses all of its own on a file when it closes any descriptor of it.
#include "tests/support/store_support.h"

#include "core/base/held_files.h"
#include "core/base/write_file.h"
#include "sessions/import/file_bytes.h"
#include "sessions/store/sqlite.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kl {
namespace {

using support::openStore;
using support::TempDir;

/// The bytes of an SQLite file on which everybody who has it open in WAL mode holds a shared lock (PENDING_BYTE + 2, SHARED_SIZE).
constexpr off_t kSharedFirst = 0x40000002;
constexpr off_t kSharedSize = 510;

/// Whether another process would find them locked.
bool lockedForOthers(const std::filesystem::path& file)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
        struct flock lock = {};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        lock.l_start = kSharedFirst;
        lock.l_len = kSharedSize;
        ::_exit(descriptor < 0 || ::fcntl(descriptor, F_GETLK, &lock) != 0 ? 2 : lock.l_type == F_UNLCK ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) != 2);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

class StoreLocks : public testing::Test {
protected:
    void SetUp() override
    {
        store_ = openStore(file());
        ASSERT_TRUE(store_->setSetting("x", "1"));
        ASSERT_TRUE(lockedForOthers(file()));
    }
    std::string file() const { return (dir_ / "kl.db").string(); }

    TempDir dir_;
    std::unique_ptr<Store> store_;
};

TEST_F(StoreLocks, StayWhenTheFileIsOpenedAgain)
{
    const auto again = openStore(file());
    EXPECT_TRUE(lockedForOthers(file()));
    ASSERT_TRUE(again->setSetting("x", "2"));
    EXPECT_TRUE(lockedForOthers(file()));
}

TEST_F(StoreLocks, StayWhenTheSecondConnectionGoes)
{
    openStore(file()).reset();
    EXPECT_TRUE(lockedForOthers(file()));
}

TEST_F(StoreLocks, StayWhenTheFileIsBackedUpCheckedAndDescribed)
{
    ASSERT_TRUE(store_->backup(dir_ / "copy.db"));
    ASSERT_TRUE(store_->check()->empty());
    ASSERT_TRUE(store_->info());
    EXPECT_TRUE(lockedForOthers(file()));
}

TEST_F(StoreLocks, StayWhenTheDatabaseIsNamedAsAFileToReadOrToWrite)
{
    std::filesystem::create_symlink("kl.db", dir_ / "link");
    for (const std::string name : {"kl.db", "kl.db-wal", "kl.db-shm", "link"}) {
        EXPECT_EQ(fileBytes(dir_ / name).error().code, ErrorCode::badInput) << name;
        EXPECT_EQ(writeFile(dir_ / name, "x").error().code, ErrorCode::badInput) << name;
        EXPECT_EQ(checkWritable(dir_ / name).error(), writeFile(dir_ / name, "x").error()) << name;
        EXPECT_TRUE(lockedForOthers(file())) << name;
    }
    EXPECT_EQ(store_->setting("x"), "1");
    EXPECT_TRUE(store_->check()->empty());
}

TEST_F(StoreLocks, AClosedDatabaseIsAFileLikeAnother)
{
    EXPECT_TRUE(isHeld(file()));
    store_.reset();
    EXPECT_FALSE(isHeld(file()));
    EXPECT_TRUE(fileBytes(file()));
}

} // namespace
} // namespace kl
