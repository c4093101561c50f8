// SPDX-License-Identifier: MIT
#include "profiler/live/env/env_host.h"

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

TEST(EnvSystemHost, FindsALibraryOfTheSystem)
{
    EXPECT_TRUE(systemHost().findLibrary({"libc.so.6"}, "", false).has_value());
    EXPECT_TRUE(systemHost().findLibrary({"libc.so.6"}, "", true).has_value());
    EXPECT_FALSE(systemHost().findLibrary({"libkloop-none.so.1"}, "", false).has_value());
    EXPECT_FALSE(systemHost().findLibrary({"libkloop-none.so.1"}, "", true).has_value());
}

} // namespace
} // namespace kl
