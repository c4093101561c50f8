// SPDX-License-Identifier: MIT
// What files name is started only with consent: the commands in requests, their hashes, and a worker that never hears of a refused one.
#include "profiler/client/consent.h"

#include "fake_worker.h"
#include "profiler/protocol/message_codec.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

namespace fs = std::filesystem;

Json workWith(const std::string& script, const std::string& name = "/k/reference.py")
{
    return {{"kernel", "k/v"}, {"reference", {{"script", {{"name", name}, {"text", script}, {"timeout_s", 60}}}}}};
}

/// Allows everything or nothing, and keeps what it was asked.
class Told final : public Consent {
public:
    explicit Told(bool yes) : yes_(yes) {}
    Status allow(const FileCommand& command, const Job&) override
    {
        asked.push_back(command);
        return yes_ ? Status{} : needsConsent(command);
    }
    std::vector<FileCommand> asked;

private:
    bool yes_;
};

class ProjectFolder : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_ / "tools"); }
    void TearDown() override { fs::remove_all(folder_); }
    void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
    ExtensionSpec extension(std::vector<std::string> build) const
    {
        return {"fast", folder_, std::move(build), folder_, 0, 150, {}, folder_ / "kernelloop.json", "ab"};
    }
    std::string hash(std::vector<std::string> build) const { return extensionCommand(extension(std::move(build))).hash; }

    const fs::path folder_ = fs::temp_directory_path() / ("kl-consent-" + std::to_string(::getpid()));
};

TEST(FileCommands, ReferenceScriptsAreFoundWhereverARequestHoldsThem)
{
    const Json run{{"work", workWith("a")}, {"suite", {workWith("a"), workWith("b")}}};
    EXPECT_EQ(fileCommandsIn(Verb::run, run).size(), 2U); // "a" once
    EXPECT_EQ(fileCommandsIn(Verb::profile, {{"run", run}}).size(), 2U);
    EXPECT_EQ(fileCommandsIn(Verb::compare, {{"a", workWith("a")}, {"b", workWith("c")}}).size(), 2U);
    for (const Verb verb : {Verb::compile, Verb::build, Verb::buildMany, Verb::count, Verb::launch, Verb::metrics, Verb::probe})
        EXPECT_TRUE(fileCommandsIn(verb, run).empty()) << toWord(verb) << " runs no reference";
    EXPECT_TRUE(fileCommandsIn(Verb::run, {{"work", {{"reference", {{"script", nullptr}}}}}}).empty());
}

TEST(FileCommands, AScriptIsKnownByItsTextAlone)
{
    const FileCommand one = referenceCommand({"/a/reference.py", "print(1)"});
    EXPECT_EQ(one.file, "/a/reference.py");
    EXPECT_EQ(one.command.back(), "reference.py");
    EXPECT_EQ(one.hash.size(), 64U);
    EXPECT_EQ(one.hash, referenceCommand({"/elsewhere/ref.py", "print(1)"}).hash);
    EXPECT_NE(one.hash, referenceCommand({"/a/reference.py", "print(2)"}).hash);
}

TEST_F(ProjectFolder, ABuildIsKnownByItsFileAndTheScriptsThatItRuns)
{
    write("tools/build.sh", "one");
    write("setup.py", "one");
    write("notes.txt", "one");
    const std::vector<std::string> line{"sh", "-c", "cd . && ./tools/build.sh;true"};
    const std::string before = hash(line);
    write("notes.txt", "two");
    EXPECT_EQ(hash(line), before);
    write("tools/build.sh", "two");
    EXPECT_NE(hash(line), before);
    write("tools/build.sh", "one");
    EXPECT_EQ(hash(line), before);
    write("setup.py", "two"); // read by pip, though no word names it
    EXPECT_NE(hash(line), before);
    write("setup.py", "one");
    EXPECT_NE(hash({"sh", "-c", "make"}), before);
    ExtensionSpec other = extension(line);
    other.fileHash = "cd";
    EXPECT_NE(extensionCommand(other).hash, before);
}

TEST_F(ProjectFolder, AScriptThatNoWordOfTheCommandNamesIsCoveredToo)
{
    const std::vector<std::string> make{"make"};
    std::string last = hash(make);
    for (const char* name : {"Makefile", "GNUmakefile", "rules.mk", "tools/deep.sh", "mybuild.py", "build.ninja"}) {
        write(name, "one");
        const std::string now = hash(make);
        EXPECT_NE(now, last) << name;
        last = now;
    }
    write("other", "one");
    EXPECT_EQ(hash(make), last);
    const std::string named = hash({"make", "-fother"});
    write("other", "two");
    EXPECT_NE(hash({"make", "-fother"}), named);
    const std::string outside = hash({"sh", "-c", "../kl-consent-outside.sh"});
    std::ofstream(folder_.parent_path() / "kl-consent-outside.sh") << "two";
    EXPECT_NE(hash({"sh", "-c", "../kl-consent-outside.sh"}), outside);
    fs::remove(folder_.parent_path() / "kl-consent-outside.sh");
    fs::create_directories(folder_ / "build");
    last = hash(make);
    write("build/made.py", "one"); // by the build itself
    EXPECT_EQ(hash(make), last);
    EXPECT_EQ(extensionCommand(extension(make)).files.front(), "GNUmakefile");
}

TEST_F(ProjectFolder, ABuildIsAnotherOneInACopyOfItsFolder)
{
    write("setup.py", "one");
    const fs::path copy = folder_ / "copy";
    fs::create_directories(copy);
    fs::copy(folder_ / "setup.py", copy / "setup.py");
    ExtensionSpec there = extension({"python3", "setup.py"});
    there.folder = there.importFolder = copy;
    EXPECT_NE(extensionCommand(there).hash, hash({"python3", "setup.py"}));
}

TEST_F(ProjectFolder, TheEnvironmentCheckNamesItsBuild)
{
    EnvRequest request;
    EXPECT_TRUE(fileCommandsIn(Verb::environment, toJsonMessage(request)).empty());
    request.extension = extension({"make", "all"});
    const std::vector<FileCommand> commands = fileCommandsIn(Verb::environment, toJsonMessage(request));
    ASSERT_EQ(commands.size(), 1U);
    EXPECT_EQ(commands[0], extensionCommand(*request.extension));
    EXPECT_EQ(commands[0].command, (std::vector<std::string>{"make", "all"}));
    EXPECT_EQ(commands[0].folder, folder_);
    EXPECT_EQ(commands[0].file, folder_ / "kernelloop.json");
}

TEST(WorkerConsent, ARefusedRequestIsNeverSent)
{
    const test::FakeWorker fake;
    const auto told = std::make_shared<Told>(false);
    for (const std::shared_ptr<Consent>& consent : {std::shared_ptr<Consent>(), std::shared_ptr<Consent>(told)}) {
        WorkerOptions options = fake.options();
        options.consent = consent;
        const auto worker = startWorker(options);
        ASSERT_TRUE(worker);
        const Result<Json> answer = (*worker)->ask(Verb::run, {{"do", "echo"}, {"work", workWith("print(1)")}}, {});
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().code, ErrorCode::needsConsent);
        EXPECT_EQ(exitCode(answer.error().code), 1);
        ASSERT_TRUE(answer.error().command);
        EXPECT_EQ(answer.error().command->hash, referenceCommand({"", "print(1)"}).hash);
        EXPECT_TRUE((*worker)->ask(Verb::run, test::FakeWorker::requestTo("echo"), {}).ok());
    }
    EXPECT_EQ(told->asked.size(), 1U);
}

TEST(WorkerConsent, AnAllowedOneIs)
{
    const test::FakeWorker fake;
    WorkerOptions options = fake.options();
    options.consent = std::make_shared<Told>(true);
    const auto worker = startWorker(options);
    ASSERT_TRUE(worker);
    EXPECT_TRUE((*worker)->ask(Verb::run, {{"do", "echo"}, {"work", workWith("print(1)")}}, {}).ok());
}

TEST(WorkerConsent, TheErrorsJsonNamesFileHashAndCommand)
{
    const FileCommand command = referenceCommand({"/a/reference.py", "x"});
    const Json error = errorToJson(needsConsent(command))["error"];
    EXPECT_EQ(error["code"], "needs-consent");
    EXPECT_EQ(error["file"], "/a/reference.py");
    EXPECT_EQ(error["hash"], command.hash);
    EXPECT_EQ(error["command"], Json(command.command));
    EXPECT_EQ(error["next_steps"][0]["id"], "allow-command");
}

} // namespace
} // namespace kl
