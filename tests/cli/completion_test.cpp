// SPDX-License-Identifier: MIT
#include "kloop.h"

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Completion : public Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        const Answer script = kloop({"completion", "bash"});
        ASSERT_EQ(script.code, 0) << script.err;
        write("script", script.out);
    }

    /// What bash offers where the last of `words` is being written, between blanks.
    std::string offered(const std::string& words) const
    {
        write("ask", "source '" + file("script") + "'\nCOMP_WORDS=(kloop " + words +
                         ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_kloop\necho \" ${COMPREPLY[*]} \"\n");
        EXPECT_EQ(std::system(("bash '" + file("ask") + "' >'" + file("offer") + "' 2>&1").c_str()), 0) << read("offer");
        return read("offer");
    }
};

TEST_F(Completion, CommandsAndTheirOwn)
{
    EXPECT_EQ(offered("pat"), " patterns \n");
    EXPECT_THAT(offered("session ''"), HasSubstr(" step "));
    EXPECT_THAT(offered("session ''"), Not(HasSubstr(" baselines ")));
    EXPECT_EQ(offered("--json patterns sug"), " suggest \n"); // the program's options may come before a command
}

TEST_F(Completion, OptionsOfTheCommandAndOfTheProgram)
{
    EXPECT_EQ(offered("run --su"), " --suite \n");
    EXPECT_EQ(offered("decide --su"), "  \n");
    EXPECT_EQ(offered("db backup --js"), " --json \n");
}

TEST_F(Completion, ListedValuesAndKernels)
{
    EXPECT_EQ(offered("env --on ''"), " local sample \n");
    EXPECT_EQ(offered("run transpose/na"), " transpose/naive \n");
    EXPECT_EQ(offered("session new --kernel transpose/na"), " transpose/naive \n");
    EXPECT_EQ(offered("--db ''"), "  \n") << "left to the shell, which knows files";
    EXPECT_EQ(offered("profile -- python3 --su"), "  \n") << "somebody else's command line";
}

TEST_F(Completion, AnotherShellIsRefusedWithThoseThatAreKnown)
{
    const Answer other = kloop({"completion", "tcsh"});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("zsh"));
    EXPECT_THAT(other.out, IsEmpty());
}

} // namespace
} // namespace kl::test
