// SPDX-License-Identifier: MIT
#include "core/base/home.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <pwd.h>
#include <string>
#include <unistd.h>

namespace kl {
namespace {

class Home : public testing::Test {
protected:
    void SetUp() override
    {
        if (const char* home = std::getenv("HOME"))
            before_ = home;
    }
    void TearDown() override { ::setenv("HOME", before_.c_str(), 1); }

private:
    std::string before_;
};

TEST_F(Home, StaysWhereItIsSet)
{
    ::setenv("HOME", "/somewhere/else", 1);
    ensureHome();
    EXPECT_STREQ(std::getenv("HOME"), "/somewhere/else");
}

TEST_F(Home, IsTheUserDatabasesWhereNoneOrARelativeOneIsSet)
{
    const passwd* user = ::getpwuid(::getuid());
    if (!user || !user->pw_dir || *user->pw_dir != '/')
        GTEST_SKIP() << "this user has no home in the user database";
    const std::string home = user->pw_dir;
    ::unsetenv("HOME");
    ensureHome();
    EXPECT_EQ(std::getenv("HOME"), home);
    for (const char* odd : {"", "relative/folder"}) {
        ::setenv("HOME", odd, 1);
        ensureHome();
        EXPECT_EQ(std::getenv("HOME"), home) << odd;
    }
}

} // namespace
} // namespace kl
