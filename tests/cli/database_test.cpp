// SPDX-License-Identifier: MIT
#include "kloop.h"

#include <algorithm>
#include <csignal>

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
    EXPECT_THAT(checks[1]["found"].get<std::string>(), HasSubstr(file("text.db")));
    EXPECT_THAT(checks[1]["fix"].get<std::string>(), HasSubstr("database"));
}

TEST_F(Database, AFolderThatDoesNotExistExits4)
{
    EXPECT_EQ(kloop({"db", "info", "--db", "/proc/nonexistent/x.db"}).code, 4);
}

TEST_F(Database, AMissingOneIsNeitherCheckedNorCopied)
{
    using Words = std::vector<std::string>;
    for (Words typo : {Words{"db", "check"}, Words{"db", "backup", file("copy.db")}}) {
        typo.insert(typo.end(), {"--db", file("typo.db"), "--json"});
        const Answer answer = kloop(typo);
        EXPECT_EQ(answer.code, 4);
        EXPECT_EQ(answer.json()["error"]["where"], file("typo.db"));
        EXPECT_FALSE(std::filesystem::exists(file("typo.db")));
        EXPECT_FALSE(std::filesystem::exists(file("copy.db")));
    }
    const Answer created = kloop({"runs", "list", "--db", file("typo.db")});
    EXPECT_EQ(created.code, 0);
    EXPECT_THAT(created.err, HasSubstr(file("typo.db")));
    EXPECT_EQ(kloop({"runs", "list", "--db", file("typo.db")}).err, "");
}

TEST_F(Database, ASoundDatabaseChecksOut)
{
    const Answer answer = kloop({"db", "check", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.json()["sound"], true);
}

TEST_F(Database, ADamagedOneNamesWhatIsMissingAndExits4)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(kloop({"run", "transpose/naive", "--on", "sample"}).code, 0);
    const std::string damage = "python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
                               "c.execute(\"DELETE FROM devices\"); c.commit()' " +
                               quoted(file("test.db")) + " 2>/dev/null";
    if (std::system(damage.c_str()) != 0)
        GTEST_SKIP() << "python3 with sqlite3 is not there";
    const Answer answer = kloop({"db", "check", "--json"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(answer.json()["sound"], false);
    EXPECT_THAT(answer.json()["problems"].dump(), HasSubstr("devices"));
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
    const Json sessions = kloop({"session", "list", "--json", "--db", ":documents:"}).json()["sessions"];
    ASSERT_FALSE(sessions.empty());
    for (const Json& session : sessions)
        EXPECT_EQ(session["kind"], "sample");
    const Json recorded = kloop({"session", "list", "--json", "--db", ":sample:"}).json()["sessions"];
    ASSERT_FALSE(recorded.empty());
    for (const Json& session : recorded)
        EXPECT_NE(session["kind"], "sample");
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

/// Another program that writes to test.db for as long as it lives.
class Writer {
public:
    explicit Writer(const std::string& database)
    {
        int ready[2] = {};
        EXPECT_EQ(::pipe(ready), 0);
        program_ = ::fork();
        if (program_ == 0) {
            ::dup2(ready[1], STDOUT_FILENO);
            ::execlp("python3", "python3", "-c",
                     "import sqlite3, sys, time\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\nc.execute('BEGIN IMMEDIATE')\n"
                     "print('x', flush=True)\ntime.sleep(600)",
                     database.c_str(), nullptr);
            ::_exit(127);
        }
        ::close(ready[1]);
        char byte = 0;
        writing_ = ::read(ready[0], &byte, 1) == 1;
        ::close(ready[0]);
    }
    Writer(const Writer&) = delete;
    ~Writer()
    {
        ::kill(program_, SIGKILL);
        ::waitpid(program_, nullptr, 0);
    }
    bool writing() const { return writing_; }

private:
    pid_t program_ = -1;
    bool writing_ = false;
};

TEST_F(Database, WhatIsMeasuredWhileAnotherProgramWritesIsPrintedAndStoredLater)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(kloop({"patterns"}).code, 0);
    const auto stored = [&] { return kloop({"db", "info", "--json"}).json()["info"]["runs"].get<std::string>(); };
    const auto files = [&] {
        return std::count_if(std::filesystem::directory_iterator(std::filesystem::path(file("test.db")).parent_path()), {},
                             [](const auto& entry) { return entry.path().filename().string().starts_with("test.db.unstored-"); });
    };
    {
        const Writer other(file("test.db"));
        if (!other.writing())
            GTEST_SKIP() << "python3 with sqlite3 is not there";
        const std::string impatient = "timeout --foreground --preserve-status -s INT 1.5"; // once: Ctrl-C ends the waiting
        const Answer run = kloop({"run", "transpose/naive", "--on", "sample", "--json"}, impatient);
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(run.json()["correctness"]["result"], "correct");
        EXPECT_EQ(run.json()["warnings"].back()["code"], "not-stored");
        EXPECT_THAT(run.err, HasSubstr(file("test.db") + ".unstored-"));
        const Answer profile = kloop({"profile", "transpose/naive", "--on", "sample"}, impatient);
        EXPECT_EQ(profile.code, 0) << profile.err;
        EXPECT_FALSE(profile.out.empty());
        EXPECT_EQ(files(), 2);
    }
    EXPECT_EQ(stored(), "2");
    EXPECT_EQ(files(), 0);
    EXPECT_EQ(stored(), "2") << "once";
}

} // namespace
} // namespace kl::test
