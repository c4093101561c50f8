// SPDX-License-Identifier: MIT
#include "kloop.h"
#include "tests/support/snapshot.h"

#include <cerrno>
#include <system_error>

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// What cannot be written, and what the caller closed.
class Streams : public Kloop {
protected:
    static bool hasFullDevice() { return std::filesystem::exists("/dev/full"); }
    /// What the system says of a descriptor that was closed.
    static std::string closedReason() { return std::generic_category().message(EBADF); }
};

TEST_F(Streams, AnAnswerThatCannotBeWrittenIsNoSuccess)
{
    if (!hasFullDevice())
        GTEST_SKIP() << "this machine has no /dev/full";
    // A short answer fails at its flush, a long one while it is printed.
    for (const auto& words : {std::vector<std::string>{"version"}, {"--help"}, {"kernels"}, {"kernels", "--json"}, {"tree", "--json"}}) {
        const Answer answer = kloop(words, {}, ">/dev/full");
        EXPECT_EQ(answer.code, 4) << testing::PrintToString(words) << answer.err;
        EXPECT_THAT(answer.err, StartsWith("kloop: ")) << testing::PrintToString(words);
        EXPECT_THAT(answer.err, HasSubstr(std::generic_category().message(ENOSPC))) << testing::PrintToString(words);
    }
    EXPECT_EQ(kloop({"decide", "x", "1", "--json"}, {}, ">/dev/full").code, 2) << "an error stays the error that it is";
}

/// A verdict's exit code is an answer, too.
TEST_F(Streams, AVerdictThatCannotBeWrittenIsReportedAndStays)
{
    EXPECT_EQ(kloop({"env"}).code, 5);
    const Answer closed = kloop({"env"}, {}, ">&-");
    EXPECT_EQ(closed.code, 5);
    EXPECT_THAT(closed.err, HasSubstr(closedReason()));
}

TEST_F(Streams, AFileThatIsStandardOutputIsNotReplaced)
{
    write("log", "before\n");
    const Answer answer = kloop({"quickref", "--format", "md", "-o", "/dev/stdout"}, {}, ">>'" + file("log") + "'");
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_THAT(read("log"), testing::StartsWith("before\n# "));
    EXPECT_THAT(read("log"), testing::EndsWith(" /dev/stdout\n"));
}

TEST_F(Streams, AClosedStandardOutputIsReported)
{
    for (const auto& words : {std::vector<std::string>{"version"}, {"kernels", "--json"}}) {
        const Answer answer = kloop(words, {}, ">&-");
        EXPECT_EQ(answer.code, 4) << testing::PrintToString(words);
        EXPECT_THAT(answer.err, HasSubstr(closedReason()));
    }
}

TEST_F(Streams, ALostAnswerSnapshot)
{
    std::string text = kloop({"version"}, {}, ">&-").err;
    const std::size_t reason = text.find(closedReason());
    ASSERT_NE(reason, std::string::npos) << text;
    expectSnapshot("errors/lost-answer.txt", text.replace(reason, closedReason().size(), "REASON"));
}

TEST_F(Streams, MessagesThatCannotBeWrittenEndNothing)
{
    std::vector<std::string> redirections{"2>&-"};
    if (hasFullDevice())
        redirections.emplace_back("2>/dev/full");
    for (const std::string& redirection : redirections) {
        const Answer answer = kloop({"run", "nope/naive", "--json"}, {}, redirection);
        EXPECT_EQ(answer.code, 4) << redirection;
        EXPECT_EQ(answer.json()["error"]["code"], "not-found") << redirection;
    }
}

TEST_F(Streams, ClosedDescriptorsAreNotGivenToTheDatabase)
{
    const Answer answer = kloop({"patterns", "show", "nope"}, {}, "<&- >&- 2>&-");
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(kloop({"db", "check", "--json"}).json()["sound"], true);
}

} // namespace
} // namespace kl::test
