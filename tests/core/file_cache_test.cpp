// SPDX-License-Identifier: MIT
#include "core/base/compile_files.h"
#include "core/base/file_cache.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace kl {
namespace {

namespace fs = std::filesystem;

class FileCacheTest : public testing::Test {
protected:
    void SetUp() override
    {
        folder_ = fs::temp_directory_path() /
                  ("kl-cache-" + std::to_string(::getpid()) + "-" + testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::remove_all(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::vector<fs::path> files() const
    {
        std::vector<fs::path> found;
        if (fs::exists(folder_))
            for (const auto& entry : fs::recursive_directory_iterator(folder_))
                if (entry.is_regular_file())
                    found.push_back(entry.path());
        return found;
    }

    fs::path folder_;
};

TEST_F(FileCacheTest, KeepsAndForgets)
{
    const FileCache cache(folder_, 1 << 20);
    EXPECT_FALSE(cache.get("a"));
    EXPECT_FALSE(fs::exists(folder_)) << "asking makes nothing";
    const std::string blob("zero \0 and\nline", 15);
    ASSERT_TRUE(cache.put("a", blob).ok());
    ASSERT_TRUE(cache.put("b", "").ok());
    EXPECT_EQ(cache.get("a"), blob);
    EXPECT_EQ(cache.get("b"), "");
    EXPECT_EQ(cache.info().entries, 2U);
    ASSERT_TRUE(cache.put("a", "newer").ok());
    EXPECT_EQ(cache.get("a"), "newer");
    EXPECT_EQ(cache.clear()->entries, 2U);
    EXPECT_EQ(cache.info().entries, 0U);
    EXPECT_FALSE(cache.get("a"));
}

TEST_F(FileCacheTest, DamagedEntriesReadAsAbsentAndGo)
{
    const FileCache cache(folder_, 1 << 20);
    const std::string blob(1000, 'x');
    for (const int damage : {0, 1, 2, 3}) {
        ASSERT_TRUE(cache.put("key", blob).ok());
        const fs::path file = files().front();
        if (damage == 0)
            fs::resize_file(file, fs::file_size(file) - 1);
        else if (damage == 1)
            fs::resize_file(file, 0);
        else if (damage == 2)
            std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(500).put('y');
        else
            std::ofstream(file) << "something else altogether";
        EXPECT_FALSE(cache.get("key")) << damage;
        EXPECT_TRUE(files().empty()) << damage;
    }
}

TEST_F(FileCacheTest, AFolderInThePlaceOfAnEntryReadsAsAbsent)
{
    const FileCache cache(folder_, 1 << 20);
    ASSERT_TRUE(cache.put("a", "blob").ok());
    const fs::path entry = files().front();
    fs::remove(entry);
    fs::create_directory(entry);
    EXPECT_FALSE(cache.get("a"));
}

TEST_F(FileCacheTest, TheOldestGoWhenItIsFull)
{
    const FileCache cache(folder_, 20000);
    const std::string blob(1000, 'x');
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(cache.put(std::to_string(i), blob).ok());
        if (i == 100) { // as if the first hundred were written yesterday
            for (const fs::path& file : files())
                fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24));
        }
    }
    EXPECT_LE(cache.info().bytes, 20000U + 64 * 1100);
    EXPECT_FALSE(cache.get("0"));
    EXPECT_TRUE(cache.get("199"));
}

TEST_F(FileCacheTest, NoNewerEntryGoesBeforeAnOlderOne)
{
    const FileCache cache(folder_, 20000);
    const std::string blob(1000, 'x');
    for (int i = 0; i < 15; ++i)
        ASSERT_TRUE(cache.put("old" + std::to_string(i), blob).ok());
    for (const fs::path& file : files())
        fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24));
    for (int i = 0; i < 128; ++i) // every 64th put trims, whichever test put last
        ASSERT_TRUE(cache.put("new" + std::to_string(i), blob).ok());
    for (int i = 0; i < 15; ++i)
        EXPECT_FALSE(cache.get("old" + std::to_string(i))) << i;
    EXPECT_TRUE(cache.get("new127"));
}

TEST_F(FileCacheTest, AFolderThatCannotBeWrittenIsAnErrorThatNamesIt)
{
    fs::create_directories(folder_.parent_path());
    std::ofstream(folder_) << "a file where the folder should be";
    const FileCache cache(folder_, 1 << 20);
    const Status kept = cache.put("a", "b");
    ASSERT_FALSE(kept);
    EXPECT_NE(kept.error().message.find(folder_.string()), std::string::npos);
    EXPECT_FALSE(cache.claim("a")) << "no lock, but no waiting either";
}

TEST_F(FileCacheTest, NoFolderKeepsNothing)
{
    const FileCache cache({}, 1 << 20);
    EXPECT_TRUE(cache.put("a", "b").ok());
    EXPECT_FALSE(cache.get("a"));
    EXPECT_EQ(cache.info().entries, 0U);
}

TEST_F(FileCacheTest, OneThreadAtATimeHoldsAKey)
{
    const FileCache cache(folder_, 1 << 20);
    std::atomic<int> inside{0};
    std::atomic<int> turns{0};
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 5; ++i) {
                    const auto claim = cache.claim("key");
                    ASSERT_TRUE(claim);
                    EXPECT_EQ(++inside, 1);
                    std::this_thread::yield();
                    --inside;
                    ++turns;
                }
            });
    }
    EXPECT_EQ(turns, 20);
    EXPECT_TRUE(files().empty()) << "locks leave no file behind";
}

TEST_F(FileCacheTest, AnotherProcessHoldsAKeyUntilItEnds)
{
    const FileCache cache(folder_, 1 << 20);
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto claim = cache.claim("key");
        const char word = claim ? 'y' : 'n';
        (void)!::write(ready[1], &word, 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        (void)cache.put("key", "made by the other");
        ::_exit(0); // exits while holding the lock: the system releases it
    }
    char word = 'n';
    ASSERT_EQ(::read(ready[0], &word, 1), 1);
    ASSERT_EQ(word, 'y');
    const auto claim = cache.claim("key");
    EXPECT_TRUE(claim);
    EXPECT_EQ(cache.get("key"), "made by the other");
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST_F(FileCacheTest, AWaitForAKeyCanBeStopped)
{
    const FileCache cache(folder_, 1 << 20);
    const auto held = cache.claim("key");
    ASSERT_TRUE(held);
    std::stop_source stop;
    std::jthread stopper([&] { stop.request_stop(); });
    EXPECT_FALSE(cache.claim("key", stop.get_token()));
}

/// Puts a variable of the environment back.
class Variable {
public:
    explicit Variable(const char* name) : name_(name)
    {
        if (const char* value = std::getenv(name))
            before_ = value;
    }
    ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

private:
    const char* name_;
    std::optional<std::string> before_;
};

TEST(CompileFiles, LieInTheUsersCacheFolder)
{
    const Variable cache("XDG_CACHE_HOME");
    const Variable home("HOME");
    const Variable size("KERNELLOOP_CACHE_MB");
    ::unsetenv("KERNELLOOP_CACHE_MB");
    ::setenv("XDG_CACHE_HOME", "/tmp/kl-somewhere", 1);
    EXPECT_EQ(compileFiles().info().folder, "/tmp/kl-somewhere/kernelloop/compile");
    EXPECT_EQ(compileFiles().info().mostBytes, std::uint64_t{1} << 30U);
    ::setenv("KERNELLOOP_CACHE_MB", "10", 1);
    EXPECT_EQ(compileFiles().info().mostBytes, 10U << 20U);
    ::setenv("KERNELLOOP_CACHE_MB", "0", 1);
    EXPECT_TRUE(compileFiles().info().folder.empty());
    ::unsetenv("KERNELLOOP_CACHE_MB");
    ::setenv("XDG_CACHE_HOME", "relative", 1);
    ::setenv("HOME", "/home/someone", 1);
    EXPECT_EQ(compileFiles().info().folder, "/home/someone/.cache/kernelloop/compile");
}

TEST(CompileFiles, ASizeThatIsNoNumberIsLeftOutAndNoHomeMeansNoCache)
{
    const Variable cache("XDG_CACHE_HOME");
    const Variable home("HOME");
    const Variable size("KERNELLOOP_CACHE_MB");
    ::setenv("XDG_CACHE_HOME", "/tmp/kl-somewhere", 1);
    for (const char* odd : {"", "many", "-1"}) {
        ::setenv("KERNELLOOP_CACHE_MB", odd, 1);
        EXPECT_EQ(compileFiles().info().mostBytes, std::uint64_t{1} << 30U) << odd;
    }
    ::unsetenv("KERNELLOOP_CACHE_MB");
    ::unsetenv("XDG_CACHE_HOME");
    ::setenv("HOME", "relative", 1);
    EXPECT_TRUE(compileFiles().info().folder.empty());
    ::unsetenv("HOME");
    EXPECT_TRUE(compileFiles().info().folder.empty());
}

TEST_F(FileCacheTest, AnEntryUnderAnotherKeysNameReadsAsAbsent)
{
    const FileCache cache(folder_, 1 << 20);
    ASSERT_TRUE(cache.put("a", "of a").ok());
    const fs::path a = files().front();
    ASSERT_TRUE(cache.put("b", "of b").ok());
    for (const fs::path& file : files())
        if (file != a)
            fs::copy_file(a, file, fs::copy_options::overwrite_existing);
    EXPECT_FALSE(cache.get("b"));
    EXPECT_EQ(cache.get("a"), "of a");
}

TEST_F(FileCacheTest, InfoHasTheBytesOfAllEntriesAndTheLimit)
{
    const FileCache cache(folder_, 12345);
    ASSERT_TRUE(cache.put("a", std::string(100, 'x')).ok());
    ASSERT_TRUE(cache.put("b", std::string(200, 'x')).ok());
    std::uint64_t bytes = 0;
    for (const fs::path& file : files())
        bytes += fs::file_size(file);
    EXPECT_GT(bytes, 300U);
    const FileCache::Info info = cache.info();
    EXPECT_EQ(info.bytes, bytes);
    EXPECT_EQ(info.entries, 2U);
    EXPECT_EQ(info.mostBytes, 12345U);
    EXPECT_EQ(info.folder, folder_);
    EXPECT_EQ(cache.clear()->bytes, bytes);
    EXPECT_EQ(cache.info().bytes, 0U);
}

TEST_F(FileCacheTest, WhatADeadProcessLeftGoesAfterAnHour)
{
    const FileCache cache(folder_, 1 << 20);
    ASSERT_TRUE(cache.put("a", "x").ok());
    const fs::path entry = files().front();
    const fs::path old = entry.string() + ".1.1";
    const fs::path recent = entry.string() + ".1.2";
    for (const fs::path& file : {old, recent})
        std::ofstream(file) << "part";
    fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::minutes(90));
    fs::last_write_time(recent, fs::file_time_type::clock::now() - std::chrono::minutes(45));
    fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::hours(90));
    EXPECT_EQ(cache.info().entries, 1U);
    EXPECT_FALSE(fs::exists(old));
    EXPECT_TRUE(fs::exists(recent)) << "its process may still write it";
    EXPECT_TRUE(fs::exists(entry)) << "entries have no age";
}

TEST_F(FileCacheTest, AnEntryThatWasReadOutlivesOneThatWasNot)
{
    const std::string blob(1000, 'x');
    for (int i = 0; i < 10; ++i)
        ASSERT_TRUE(FileCache(folder_, 1 << 20).put("entry" + std::to_string(i), blob).ok());
    for (const fs::path& file : files())
        fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24));
    const FileCache tight(folder_, FileCache(folder_, 1).info().bytes - 1);
    ASSERT_TRUE(tight.get("entry3"));
    for (int i = 0; i < 64; ++i)
        ASSERT_TRUE(tight.put("entry9", blob).ok());
    EXPECT_EQ(tight.info().entries, 7U);
    EXPECT_TRUE(tight.get("entry3"));
}

TEST_F(FileCacheTest, AFullCacheIsTrimmedToFourFifthsAndOneAtItsLimitIsNot)
{
    const std::string blob(1000, 'x');
    for (int i = 0; i < 10; ++i)
        ASSERT_TRUE(FileCache(folder_, 1 << 20).put("entry" + std::to_string(i), blob).ok());
    const std::uint64_t each = FileCache(folder_, 1).info().bytes / 10;
    const FileCache exact(folder_, 10 * each);
    for (int i = 0; i < 64; ++i)
        ASSERT_TRUE(exact.put("entry9", blob).ok());
    EXPECT_EQ(exact.info().entries, 10U);
    const FileCache tight(folder_, 10 * each - 1);
    for (int i = 0; i < 64; ++i)
        ASSERT_TRUE(tight.put("entry9", blob).ok());
    EXPECT_EQ(tight.info().entries, 7U) << "as many as fit in 80 % of the limit";
}

TEST_F(FileCacheTest, APutThatFailsLeavesNothingBehind)
{
    const FileCache cache(folder_, 1 << 20);
    ASSERT_TRUE(cache.put("a", "x").ok());
    const fs::path entry = files().front();
    fs::remove(entry);
    fs::create_directories(entry / "inner"); // no file can take this name
    const Status kept = cache.put("a", "y");
    ASSERT_FALSE(kept);
    EXPECT_EQ(kept.error().code, ErrorCode::environment);
    EXPECT_EQ(kept.error().where, entry.string());
    EXPECT_NE(kept.error().message.find("directory"), std::string::npos) << kept.error().message;
    EXPECT_TRUE(files().empty());
}

TEST_F(FileCacheTest, WithoutAFolderNothingIsHeld)
{
    EXPECT_FALSE(FileCache({}, 1 << 20).claim("a"));
}

} // namespace
} // namespace kl
