// SPDX-License-Identifier: MIT
#include "core/base/scratch_folder.h"
#include "profiler/live/env/env_host.h"
#include "profiler/live/host/shared_library.h"
#include "tests/support/set_variable.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(EnvSystemHost, ReadsFilesThatAreThere)
{
    EXPECT_TRUE(systemHost().readFile("/proc/self/status").has_value());
    EXPECT_FALSE(systemHost().readFile("/nowhere/at/all").has_value());
}

TEST(EnvSystemHost, RunsAProgramAndReadsItsOutput)
{
    const Result<std::string> output = systemHost().run({"sh", "-c", "echo one; echo two"}, 10);
    ASSERT_TRUE(output.ok()) << output.error().message;
    EXPECT_EQ(*output, "one\ntwo\n");
}

TEST(EnvSystemHost, AProgramThatIsNotThereIsAnError)
{
    const Result<std::string> output = systemHost().run({"kloop-no-such-program"}, 10);
    ASSERT_FALSE(output.ok());
    EXPECT_EQ(output.error().code, ErrorCode::environment);
}

TEST(EnvSystemHost, AProgramThatHangsIsGivenUp)
{
    const Result<std::string> output = systemHost().run({"sleep", "30"}, 0.05);
    ASSERT_FALSE(output.ok());
    EXPECT_EQ(output.error().code, ErrorCode::environment);
}

TEST(EnvSystemHost, FindsFreeSpaceOfAFolderToBeMade)
{
    const Result<std::int64_t> free = systemHost().freeBytes("/tmp/kloop-not-yet/there/file.db");
    ASSERT_TRUE(free.ok());
    EXPECT_GT(*free, 0);
}

TEST(EnvSystemHost, FreeSpaceIsThatOfTheNearestFolderThatIsThere)
{
    const Result<std::int64_t> none = systemHost().freeBytes("/proc/self/nothing/here");
    ASSERT_TRUE(none.ok());
    EXPECT_EQ(*none, 0) << "nobody can write there";
}

TEST(EnvSystemHost, FindsALibraryInTheWheelOfItsPart)
{
    const Result<SharedLibrary> known = SharedLibrary::open({"libz.so.1", "libzstd.so.1", "libm.so.6"});
    if (!known)
        GTEST_SKIP() << "none of the usual libraries is there to be copied";
    const Result<ScratchFolder> home = ScratchFolder::make();
    ASSERT_TRUE(home.ok());
    const std::filesystem::path folder = home->path() / ".local/lib/python3.12/site-packages/nvidia/kloop_part/lib";
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(known->path(), folder / "libkloop-part.so.1");
    const support::SetVariable set("HOME", home->path().c_str());
    EXPECT_FALSE(systemHost().findLibrary({"libkloop-part.so.1"}, "kloop_other", false));
    EXPECT_FALSE(systemHost().findLibrary({"libkloop-part.so.1"}, "kloop_part", true));
    EXPECT_EQ(systemHost().findLibrary({"libkloop-none.so.1", "libkloop-part.so.1"}, "kloop_part", false),
              (folder / "libkloop-part.so.1").string());
}

TEST(EnvSystemHost, FindsALibraryOfTheSystem)
{
    EXPECT_TRUE(systemHost().findLibrary({"libc.so.6"}, "", false).has_value());
    EXPECT_TRUE(systemHost().findLibrary({"libc.so.6"}, "", true).has_value());
    EXPECT_FALSE(systemHost().findLibrary({"libkloop-none.so.1"}, "", false).has_value());
    EXPECT_FALSE(systemHost().findLibrary({"libkloop-none.so.1"}, "", true).has_value());
}

TEST(EnvSystemHost, FindsALibraryInEachFolderOfTheLoaderPath)
{
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch.ok());
    const std::string folder = scratch->path().string();
    std::ofstream(scratch->path() / "libkloop-some.so.1") << "none";
    for (const std::string& path : {folder, "/nowhere:" + folder, folder + ":/nowhere", ":" + folder + ":", "/nowhere::" + folder}) {
        const support::SetVariable loader("LD_LIBRARY_PATH", path.c_str());
        EXPECT_EQ(systemHost().findLibrary({"libkloop-none.so.1", "libkloop-some.so.1"}, "", true), folder + "/libkloop-some.so.1") << path;
    }
    const support::SetVariable loader("LD_LIBRARY_PATH", "/nowhere");
    EXPECT_FALSE(systemHost().findLibrary({"libkloop-some.so.1"}, "", true));
}

TEST(EnvSystemHost, FindsNamesDownToADepth)
{
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch.ok());
    std::filesystem::create_directories(scratch->path() / "a/b");
    for (const char* name : {"lock", "a/lock", "a/b/lock", "a/other", "a/block"})
        std::ofstream(scratch->path() / name) << "x";
    const auto found = [&](const std::string& name, int depth) {
        std::vector<std::string> names;
        for (const EnvHost::Found& one : systemHost().findNamed(scratch->path().string(), name, depth)) {
            names.push_back(std::filesystem::relative(one.path, scratch->path()).string());
            EXPECT_GE(one.ageSeconds, -1);
            EXPECT_LT(one.ageSeconds, 3600);
        }
        std::ranges::sort(names);
        return names;
    };
    EXPECT_EQ(found("lock", 1), (std::vector<std::string>{"lock"}));
    EXPECT_EQ(found("lock", 2), (std::vector<std::string>{"a/lock", "lock"}));
    EXPECT_EQ(found("lock", 3), (std::vector<std::string>{"a/b/lock", "a/lock", "lock"}));
    EXPECT_EQ(found("*lock", 2), (std::vector<std::string>{"a/block", "a/lock", "lock"}));
    EXPECT_TRUE(systemHost().findNamed("/nowhere/at/all", "lock", 3).empty());
}

TEST(EnvSystemHost, AgesAreSinceTheLastWrite)
{
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch.ok());
    std::ofstream(scratch->path() / "lock") << "x";
    std::filesystem::last_write_time(scratch->path() / "lock", std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
    const std::vector<EnvHost::Found> found = systemHost().findNamed(scratch->path().string(), "lock", 1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_GE(found[0].ageSeconds, 7199);
    EXPECT_LT(found[0].ageSeconds, 7200 + 3600);
}

TEST(EnvSystemHost, PythonRunsTheCodeThatItIsGiven)
{
    if (std::system("python3 -c '' 2> /dev/null") != 0)
        GTEST_SKIP() << "no python3 on PATH";
    const Result<std::string> output = systemHost().runPython("print(6 * 7)\nprint('end')", 60);
    ASSERT_TRUE(output.ok()) << output.error().message;
    EXPECT_EQ(*output, "42\nend\n");
    EXPECT_EQ(systemHost().runPython("import sys; sys.exit(1)", 60).error().code, ErrorCode::environment);
}

TEST(EnvSystemHost, ACommandHasItsStatus)
{
    const Result<CommandResult> done = systemHost().execute({{"sh", "-c", "echo here; exit 3"}, {}, {}, 300, {}});
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done->exitCode, 3);
    EXPECT_EQ(done->output, "here\n");
}

TEST(EnvSystemHost, AVariableThatIsEmptyIsNotSet)
{
    const support::SetVariable empty("KLOOP_TEST_EMPTY", "");
    const support::SetVariable full("KLOOP_TEST_FULL", "x");
    EXPECT_EQ(systemHost().variable("KLOOP_TEST_EMPTY"), std::nullopt);
    EXPECT_EQ(systemHost().variable("KLOOP_TEST_FULL"), "x");
    EXPECT_EQ(systemHost().variable("KLOOP_TEST_NONE"), std::nullopt);
}

TEST(EnvSystemHost, FreeSpaceIsThatOfTheWorkingFolderWhereNoneIsNamed)
{
    const Result<std::int64_t> here = systemHost().freeBytes("");
    ASSERT_TRUE(here.ok());
    EXPECT_GT(*here, 0);
    EXPECT_TRUE(systemHost().freeBytes("kloop-not-yet/there").ok());
}

} // namespace
} // namespace kl
