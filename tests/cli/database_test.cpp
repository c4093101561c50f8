// SPDX-License-Identifier: MIT
#include "kloop.h"

namespace kl::test {
namespace {

using testing::HasSubstr;

class Database : public Kloop {};

TEST_F(Database, InfoNamesTheFileOfTheEnvironment)
{
    const Answer answer = kloop({"db", "info", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.json()["location"], file("test.db"));
    EXPECT_EQ(answer.json()["read_only"], false);
}

TEST_F(Database, TheOptionWinsOverTheEnvironment)
{
    EXPECT_EQ(kloop({"db", "info", "--json", "--db", file("other.db")}).json()["location"], file("other.db"));
}

TEST_F(Database, AFileThatIsNotOursExits4AndIsLeftAlone)
{
    write("text.db", "These are my notes, not a database.");
    const Answer answer = kloop({"db", "info", "--json", "--db", file("text.db")});
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(answer.json()["error"]["code"], "bad-input");
    EXPECT_EQ(read("text.db"), "These are my notes, not a database.");
}

TEST_F(Database, TheMachineIsCheckedWhateverTheDatabaseIs)
{
    write("text.db", "These are my notes, not a database.");
    const Answer answer = kloop({"env", "--json", "--db", file("text.db")});
    EXPECT_EQ(answer.code, 5);
    const Json checks = answer.json()["checks"];
    ASSERT_EQ(checks.size(), 2u);
    EXPECT_EQ(checks[0]["id"], "gpu");
    EXPECT_EQ(checks[1]["id"], "database");
    EXPECT_EQ(checks[1]["result"], "fail");
    EXPECT_THAT(checks[1]["found"].get<std::string>(), HasSubstr(file("text.db") + " is not a database"));
    EXPECT_THAT(checks[1]["fix"].get<std::string>(), HasSubstr("--db"));
}

TEST_F(Database, AFolderThatDoesNotExistExits4)
{
    EXPECT_EQ(kloop({"db", "info", "--db", "/proc/nonexistent/x.db"}).code, 4);
}

TEST_F(Database, ASoundDatabaseChecksOut)
{
    const Answer answer = kloop({"db", "check", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.json()["sound"], true);
}

TEST_F(Database, BackupWritesACopyThatOpens)
{
    ASSERT_EQ(kloop({"patterns"}).code, 0);
    ASSERT_EQ(kloop({"db", "backup", file("copy.db")}).code, 0);
    const Answer copy = kloop({"patterns", "--json", "--db", file("copy.db")});
    EXPECT_EQ(copy.code, 0) << copy.err;
    EXPECT_GE(copy.json()["patterns"].size(), 10u);
}

TEST_F(Database, PatternsAreThereFromTheStart)
{
    const Answer answer = kloop({"patterns", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    const Json patterns = answer.json()["patterns"];
    ASSERT_GE(patterns.size(), 10u);
    EXPECT_EQ(patterns[0]["applications"], 0);
    EXPECT_TRUE(patterns[0]["saved"]["measured_minutes"].is_null());
    EXPECT_THAT(kloop({"patterns"}).out, HasSubstr("profile-before-optimize"));
}

TEST_F(Database, TheSampleDatabaseIsReadOnly)
{
    const Answer answer = kloop({"db", "info", "--json", "--db", ":sample:"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.json()["read_only"], true);
    EXPECT_GE(kloop({"patterns", "--json", "--db", ":sample:"}).json()["patterns"].size(), 10u);
}

TEST_F(Database, TheSampleListsItsSessionsAndCanBeCopied)
{
    const Json sessions = kloop({"session", "list", "--json", "--db", ":sample:"}).json()["sessions"];
    ASSERT_FALSE(sessions.empty());
    EXPECT_EQ(sessions[0]["kind"], "sample");
    const Answer copied = kloop({"db", "backup", file("mine.db"), "--db", ":sample:"});
    EXPECT_EQ(copied.code, 0) << copied.err;
    EXPECT_EQ(kloop({"db", "info", "--json", "--db", file("mine.db")}).json()["read_only"], false);
}

TEST_F(Database, AFolderOrAnUnreadableFileExits4)
{
    std::filesystem::create_directories(file("folder.db"));
    EXPECT_EQ(kloop({"db", "info", "--db", file("folder.db")}).code, 4);
    if (::geteuid() == 0)
        GTEST_SKIP() << "root may read every file";
    ASSERT_EQ(kloop({"db", "info", "--db", file("mine.db")}).code, 0);
    std::filesystem::permissions(file("mine.db"), std::filesystem::perms::none);
    const Answer answer = kloop({"db", "info", "--json", "--db", file("mine.db")});
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(answer.json()["error"]["where"], file("mine.db"));
}

TEST_F(Database, ComparingWhatWasNeverRunExits4)
{
    const Answer answer = kloop({"compare", "transpose/naive", "transpose/tiled", "--json"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_THAT(answer.json()["error"]["hint"].get<std::string>(), HasSubstr("kloop run transpose/naive"));
    EXPECT_EQ(kloop({"compare", "run:nope", "run:nope"}).code, 4);
}

} // namespace
} // namespace kl::test
