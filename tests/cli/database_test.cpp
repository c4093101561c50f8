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

TEST_F(Database, ComparingWhatWasNeverRunExits4)
{
    const Answer answer = kloop({"compare", "transpose/naive", "transpose/tiled", "--json"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_THAT(answer.json()["error"]["hint"].get<std::string>(), HasSubstr("kloop run transpose/naive"));
    EXPECT_EQ(kloop({"compare", "run:nope", "run:nope"}).code, 4);
}

} // namespace
} // namespace kl::test
