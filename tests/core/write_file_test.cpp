// SPDX-License-Identifier: MIT
#include "core/base/file_writer.h"
#include "core/base/write_file.h"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace kl {
namespace {

namespace fs = std::filesystem;

class WriteFile : public testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern = (fs::temp_directory_path() / "kl-write-file-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override
    {
        fs::permissions(folder_, fs::perms::owner_all);
        fs::remove_all(folder_);
    }

    static std::string readText(const fs::path& file)
    {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator())); }

    fs::path folder_;
};

TEST_F(WriteFile, WritesAndWritesAgain)
{
    const fs::path file = folder_ / "ü b\n.txt";
    for (const std::string& text : {std::string("first"), std::string(), std::string(1 << 20, 'x')}) {
        ASSERT_TRUE(writeFile(file, text));
        EXPECT_EQ(readText(file), text);
        EXPECT_EQ(files(), 1U);
    }
}

TEST_F(WriteFile, AnExistingFileKeepsItsPermissionsAndALinkStaysOne)
{
    const fs::path file = folder_ / "private";
    ASSERT_TRUE(writeFile(file, "old"));
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("private", folder_ / "link");
    ASSERT_TRUE(writeFile(folder_ / "link", "new"));
    EXPECT_EQ(readText(file), "new");
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
}

TEST_F(WriteFile, ADatabaseIsNotReplaced)
{
    const fs::path file = folder_ / "runs.db";
    const std::string database = std::string("SQLite format 3\0", 16) + "pages";
    std::ofstream(file, std::ios::binary) << database;
    fs::create_symlink("runs.db", folder_ / "link.md");
    for (const fs::path& target : {file, folder_ / "link.md"}) {
        const Status refused = writeFile(target, "x");
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::badInput);
        EXPECT_EQ(refused.error().where, target.string());
        EXPECT_FALSE(checkWritable(target));
    }
    EXPECT_EQ(readText(file), database);
    EXPECT_TRUE(writeFile(folder_ / "notes.md", "SQLite format 3"));
    EXPECT_TRUE(writeFile(folder_ / "notes.md", "shorter"));
}

TEST_F(WriteFile, AFailureNamesItsReason)
{
    const Status missing = writeFile(folder_ / "no" / "file", "x");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::badInput);
    EXPECT_NE(missing.error().message.find("No such file or directory"), std::string::npos) << missing.error().message;
    const Status folder = writeFile(folder_, "x");
    ASSERT_FALSE(folder);
    EXPECT_NE(folder.error().message.find("directory"), std::string::npos) << folder.error().message;
    if (fs::exists("/dev/full")) {
        const Status full = writeFile("/dev/full", "x");
        ASSERT_FALSE(full);
        EXPECT_NE(full.error().message.find("No space left"), std::string::npos) << full.error().message;
    }
    EXPECT_EQ(files(), 0U);
}

TEST_F(WriteFile, WhetherItCanIsReportedBeforehand)
{
    EXPECT_TRUE(checkWritable(folder_ / "new"));
    EXPECT_TRUE(checkWritable("/dev/null"));
    EXPECT_EQ(checkWritable(folder_ / "no" / "file").error(), writeFile(folder_ / "no" / "file", "x").error());
    EXPECT_EQ(checkWritable(folder_).error(), writeFile(folder_, "x").error());
    EXPECT_EQ(files(), 0U);
}

TEST_F(WriteFile, WhatIsNoPlainFileIsWrittenInPlace)
{
    ASSERT_TRUE(writeFile("/dev/null", "x"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WriteFile, AFileOfAFolderThatCannotBeWrittenIsWrittenInPlace)
{
    if (::geteuid() == 0)
        GTEST_SKIP() << "root may write everywhere";
    const fs::path file = folder_ / "file";
    ASSERT_TRUE(writeFile(file, "a longer text than the next"));
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
    ASSERT_TRUE(writeFile(file, "new"));
    EXPECT_EQ(readText(file), "new");
    EXPECT_FALSE(writeFile(folder_ / "other", "x"));
}

TEST_F(WriteFile, AFileThatMayNotBeWrittenStays)
{
    if (::geteuid() == 0)
        GTEST_SKIP() << "root may write everywhere";
    const fs::path file = folder_ / "file";
    ASSERT_TRUE(writeFile(file, "old"));
    fs::permissions(file, fs::perms::owner_read);
    EXPECT_FALSE(writeFile(file, "new"));
    EXPECT_EQ(readText(file), "old");
}

TEST_F(WriteFile, AnOpenDescriptorIsWrittenWhereItStands)
{
    const fs::path file = folder_ / "log";
    ASSERT_TRUE(writeFile(file, "old,"));
    const int log = ::open(file.c_str(), O_WRONLY | O_APPEND);
    ASSERT_GE(log, 0);
    for (const char* names : {"/dev/fd/", "/proc/self/fd/"})
        EXPECT_TRUE(writeFile(names + std::to_string(log), "new,"));
    ::close(log);
    EXPECT_EQ(readText(file), "old,new,new,");
    const Status closed = writeFile("/dev/fd/" + std::to_string(log), "x");
    ASSERT_FALSE(closed);
    EXPECT_NE(closed.error().message.find("Bad file descriptor"), std::string::npos) << closed.error().message;
}

/// What a mount point's child process answers, which alone sees the mount.
enum class Mounted { kept, notPermitted, wrong };

Mounted writeToMountPoint(const fs::path& file, const fs::path& other)
{
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || ::mount(other.c_str(), file.c_str(), nullptr, MS_BIND, nullptr) != 0)
        return Mounted::notPermitted;
    if (!writeFile(file, "longer than before") || !writeFile(file, "new"))
        return Mounted::wrong;
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit most{1000, 1000}; // stands for a full disk
    ::setrlimit(RLIMIT_FSIZE, &most);
    return writeFile(file, std::string(900, 'x') + std::string(900, 'y')) ? Mounted::wrong : Mounted::kept;
}

TEST_F(WriteFile, AMountPointIsWrittenInPlaceAndAFullDiskLeavesIt)
{
    ASSERT_TRUE(writeFile(folder_ / "mount", "below"));
    ASSERT_TRUE(writeFile(folder_ / "other", "old"));
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(static_cast<int>(writeToMountPoint(folder_ / "mount", folder_ / "other")));
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == static_cast<int>(Mounted::notPermitted))
        GTEST_SKIP() << "this process may not mount in a name space of its own";
    EXPECT_EQ(WEXITSTATUS(status), static_cast<int>(Mounted::kept));
    EXPECT_EQ(readText(folder_ / "mount"), "below");
    EXPECT_EQ(readText(folder_ / "other"), "new");
    EXPECT_EQ(files(), 2U);
}

/// The limit of a file's size stands for a full disk: it fails at the same call.
TEST_F(WriteFile, AFailureHalfWayLeavesTheOldFile)
{
    const fs::path file = folder_ / "file";
    ASSERT_TRUE(writeFile(file, "old"));
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit most{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &most);
        ::_exit(writeFile(file, std::string(5000, 'x')) ? 1 : 0);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(readText(file), "old");
    EXPECT_EQ(files(), 1U);
}

/// A name so long that no file can be made beside it.
TEST_F(WriteFile, AFileWhoseNameCannotGrowIsWrittenInPlace)
{
    const fs::path file = folder_ / std::string(255, 'n');
    for (const std::string& text : {std::string("first, and longer than the next"), std::string("next"), std::string(100'000, 'x')}) {
        ASSERT_TRUE(writeFile(file, text));
        EXPECT_EQ(readText(file), text);
    }
    {
        Result<FileWriter> writer = FileWriter::begin(file);
        ASSERT_TRUE(writer);
        ASSERT_TRUE(writer->write("never finished"));
        EXPECT_EQ(writer->size(), 14U);
    }
    EXPECT_EQ(readText(file), std::string(100'000, 'x')) << "it stays as it was until all is written";
    fs::remove(file);
    {
        const Result<FileWriter> writer = FileWriter::begin(file);
        ASSERT_TRUE(writer);
        EXPECT_TRUE(fs::exists(file));
    }
    EXPECT_EQ(files(), 0U) << "a writer that goes before the end leaves nothing behind";
}

TEST_F(WriteFile, AFileInPlaceStaysWholeWhereThereIsNoRoom)
{
    const fs::path file = folder_ / std::string(255, 'n');
    ASSERT_TRUE(writeFile(file, "old"));
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        Result<FileWriter> writer = FileWriter::begin(file);
        const bool written = writer && writer->write(std::string(5000, 'x'));
        const rlimit most{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &most);
        ::_exit(written && !writer->finish() ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(readText(file), "old");
}

TEST_F(WriteFile, AWriterThatEndsEarlyLeavesTheOldFileAlone)
{
    const fs::path file = folder_ / "file";
    ASSERT_TRUE(writeFile(file, "old"));
    {
        Result<FileWriter> writer = FileWriter::begin(file);
        ASSERT_TRUE(writer);
        ASSERT_TRUE(writer->write("new"));
        const FileWriter moved = std::move(*writer);
        EXPECT_EQ(files(), 2U);
    }
    EXPECT_EQ(readText(file), "old");
    EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFile, PiecesAreWrittenOneBehindTheOtherAndCounted)
{
    const fs::path file = folder_ / "file";
    Result<FileWriter> writer = FileWriter::begin(file);
    ASSERT_TRUE(writer);
    for (const char* piece : {"one,", "", "two,", "three"})
        ASSERT_TRUE(writer->write(piece));
    EXPECT_EQ(writer->size(), 13U);
    EXPECT_FALSE(fs::exists(file)) << "before it is finished there is no file of that name";
    ASSERT_TRUE(writer->finish());
    EXPECT_EQ(readText(file), "one,two,three");
    EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFile, StandardStreamsAreWrittenWhereTheyStand)
{
    for (const auto& [name, stream] : {std::pair("/dev/stdout", STDOUT_FILENO), std::pair("/dev/stderr", STDERR_FILENO)}) {
        const fs::path file = folder_ / "log";
        ASSERT_TRUE(writeFile(file, "old,"));
        const pid_t child = ::fork();
        if (child == 0) {
            const int null = ::open("/dev/null", O_WRONLY);
            ::dup2(null, STDOUT_FILENO);
            ::dup2(null, STDERR_FILENO);
            ::dup2(::open(file.c_str(), O_WRONLY | O_APPEND), stream);
            const bool both = writeFile(name, "a,") && writeFile(name, "b");
            ::_exit(both ? 0 : 1);
        }
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0) << name;
        EXPECT_EQ(readText(file), "old,a,b") << name;
    }
}

TEST_F(WriteFile, ANameThatOnlyBeginsLikeADescriptorIsAFile)
{
    const Status status = writeFile("/dev/fd/1x", "x");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().where, "/dev/fd/1x");
}

TEST_F(WriteFile, ANewFileIsForWhomTheUmaskAllows)
{
    const mode_t before = ::umask(027);
    const Status written = writeFile(folder_ / "file", "x");
    ::umask(before);
    ASSERT_TRUE(written);
    EXPECT_EQ(static_cast<unsigned>(fs::status(folder_ / "file").permissions()), 0640U);
}

} // namespace
} // namespace kl
