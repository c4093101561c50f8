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
        requested.push_back(command);
        return yes_ ? Status{} : needsConsent(command);
    }
    std::vector<FileCommand> requested;

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

TEST_F(ProjectFolder, EveryKindOfScriptIsCovered)
{
    const std::vector<std::string> make{"make"};
    std::string last = hash(make);
    for (const char* name : {"a.sh", "a.bash", "a.py", "a.pl", "a.mk", "a.cmake", "a.ninja", "a.toml", "a.cfg", "a.bat", "Makefile",
                             "makefile", "GNUmakefile", "CMakeLists.txt", "meson.build"}) {
        write(name, "one");
        const std::string now = hash(make);
        EXPECT_NE(now, last) << name;
        last = now;
    }
    for (const char* name : {"a.c", "a.txt", "sh", "py", "MyMakefile", "meson.builds"}) {
        write(name, "one");
        EXPECT_EQ(hash(make), last) << name;
    }
    for (const char* folder : {".git", "__pycache__", "build", "dist", "fast.egg-info"}) {
        fs::create_directories(folder_ / folder);
        write(std::string(folder) + "/made.py", "one");
        EXPECT_EQ(hash(make), last) << folder;
    }
    for (const char* mark : {"CMakeCache.txt", "pyvenv.cfg"}) {
        fs::create_directories(folder_ / "out");
        write(std::string("out/") + mark, "one");
        write("out/made.py", "one");
        EXPECT_EQ(hash(make), last) << mark;
        fs::remove_all(folder_ / "out");
    }
    fs::create_directories(folder_ / "builds");
    write("builds/own.py", "one");
    EXPECT_NE(hash(make), last) << "a folder of another name";
}

TEST_F(ProjectFolder, AFileIsNamedBetweenAnySignsOfTheShell)
{
    for (const char sign : std::string(" \t\r\n;|&()<>\"'`$={}")) {
        const std::vector<std::string> line{"sh", "-c", std::string("a") + sign + "data" + sign + "b"};
        write("data", "one");
        const std::string before = hash(line);
        write("data", "two");
        EXPECT_NE(hash(line), before) << "between " << static_cast<int>(sign);
    }
    for (const char* word : {"-fdata", "./data", "tools/../data"}) {
        write("data", "one");
        const std::string before = hash({word});
        write("data", "two");
        EXPECT_NE(hash({word}), before) << word;
    }
    write("data", "one");
    const std::string before = hash({"dat", "xdata", "--fdata"});
    write("data", "two");
    EXPECT_EQ(hash({"dat", "xdata", "--fdata"}), before) << "no word names it";
}

TEST(FileCommands, AScriptOfNoTextsIsOneToo)
{
    const std::vector<FileCommand> commands = fileCommandsIn(Verb::run, {{"script", {{"name", 7}, {"text", nullptr}}}});
    ASSERT_EQ(commands.size(), 1U);
    EXPECT_EQ(commands[0].file, "");
    EXPECT_EQ(commands[0].hash, referenceCommand({"", ""}).hash);
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
    const auto reported = std::make_shared<Told>(false);
    for (const std::shared_ptr<Consent>& consent : {std::shared_ptr<Consent>(), std::shared_ptr<Consent>(reported)}) {
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
    EXPECT_EQ(reported->requested.size(), 1U);
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

class ProgramFolder : public ProjectFolder {
protected:
    void SetUp() override
    {
        ProjectFolder::SetUp();
        write("kernelloop.json", "{}");
        write("Makefile", "one");
        write("kernel.cu", "one");
        write("tools/run.sh", "one");
        std::ofstream(folder_ / "app", std::ios::binary) << "\x7f"
                                                            "ELF one";
    }
    ProgramCommands commands() const
    {
        return {folder_ / "kernelloop.json", "ab", folder_, {{"make", "kernel.cu"}, {"./app", "--steps", "10 20"}}, {}, false};
    }
    static std::string hash(const ProgramCommands& program) { return programCommand(program).hash; }
};

TEST_F(ProgramFolder, IsKnownByItsFileItsFolderAndWhatItsCommandsRun)
{
    const std::string before = hash(commands());
    const FileCommand command = programCommand(commands());
    EXPECT_EQ(command.command, (std::vector<std::string>{"make", "kernel.cu"}));
    EXPECT_EQ(command.file, folder_ / "kernelloop.json");
    EXPECT_EQ(command.folder, folder_);
    EXPECT_EQ(command.afterwards, "./app --steps '10 20'");
    EXPECT_EQ(command.files, (std::vector<std::string>{"Makefile", "app", "kernel.cu", "tools/run.sh"}));
    ProgramCommands other = commands();
    other.fileHash = "cd";
    EXPECT_NE(hash(other), before);
    const fs::path copy = folder_.string() + "-copy";
    fs::copy(folder_, copy, fs::copy_options::recursive);
    other = commands();
    other.folder = copy;
    EXPECT_NE(hash(other), before) << "the same files elsewhere";
    fs::remove_all(copy);
    write("tools/run.sh", "two");
    EXPECT_NE(hash(commands()), before);
    write("tools/run.sh", "one");
    write("kernelloop.json", "two"); // known by its hash already
    EXPECT_EQ(hash(commands()), before);
    write("app", "two");
    EXPECT_NE(hash(commands()), before) << "a program that no command builds";
}

TEST_F(ProgramFolder, WhatASessionEditsAndWhatABuildMakesIsCode)
{
    ProgramCommands built = commands();
    built.edited = {"kernel.cu"};
    built.builds = true;
    EXPECT_EQ(programCommand(built).files, (std::vector<std::string>{"Makefile", "tools/run.sh"}));
    const std::string before = hash(built);
    write("kernel.cu", "two");
    std::ofstream(folder_ / "app", std::ios::binary) << "\x7f"
                                                        "ELF two";
    EXPECT_EQ(hash(built), before);
    write("Makefile", "two");
    EXPECT_NE(hash(built), before);
}

TEST_F(ProgramFolder, FoldersThatHoldWhatWasMadeAreLeftOut)
{
    const std::string before = hash(commands());
    for (const char* made : {".git", "__pycache__", "build", "dist", "x.egg-info", "venv", "out"}) {
        fs::create_directories(folder_ / made);
        if (std::string(made) == "venv")
            write("venv/pyvenv.cfg", "x");
        if (std::string(made) == "out")
            write("out/CMakeCache.txt", "x");
        write(std::string(made) + "/setup.py", "one");
        EXPECT_EQ(hash(commands()), before) << made;
    }
    fs::create_directories(folder_ / "scripts");
    write("scripts/setup.py", "one");
    EXPECT_NE(hash(commands()), before);
}

TEST_F(ProgramFolder, WhatCmakeWritesIntoTheFolderItselfIsNoScript)
{
    write("CMakeCache.txt", "x");
    const std::string before = hash(commands());
    for (const char* made : {"Makefile", "build.ninja", "cmake_install.cmake"})
        write(made, "another");
    EXPECT_EQ(hash(commands()), before);
    write("CMakeLists.txt", "x");
    EXPECT_NE(hash(commands()), before);
}

TEST_F(ProjectFolder, AnExtensionIsItsModuleTooAndAFileThatCannotBeReadIsOneOfItsOwn)
{
    const std::vector<std::string> line{"make"};
    ExtensionSpec other = extension(line);
    other.module = "slow";
    EXPECT_NE(extensionCommand(other).hash, hash(line));
    write("big.sh", std::string(200'000, 'a'));
    const std::string before = hash(line);
    write("big.sh", std::string(199'999, 'a') + 'b');
    EXPECT_NE(hash(line), before) << "the end of a long file counts";
}

TEST(FileCommands, AProgramElsewhereIsKnownByItsHostAndItsWords)
{
    const FileCommand one = remoteProgramCommand("gpu-7", {"./app", "--steps", "10"});
    EXPECT_EQ(one.file, "gpu-7");
    EXPECT_FALSE(one.question.empty());
    EXPECT_EQ(one.hash, remoteProgramCommand("gpu-7", {"./app", "--steps", "10"}).hash);
    for (const FileCommand& other :
         {remoteProgramCommand("gpu-8", {"./app", "--steps", "10"}), remoteProgramCommand("gpu-7", {"./app", "--steps", "11"}),
          remoteProgramCommand("gpu-7", {"./app", "--steps10"})})
        EXPECT_NE(other.hash, one.hash);
    TraceProgramRequest request;
    request.command = {"./app"};
    const std::vector<FileCommand> requested = fileCommandsIn(Verb::trace, toJsonMessage(request), "gpu-7");
    ASSERT_EQ(requested.size(), 1U);
    EXPECT_EQ(requested.front(), remoteProgramCommand("gpu-7", {"./app"}));
    EXPECT_TRUE(needsConsent(one).next.empty()) << "no file names it";
}

TEST(FileCommands, EightFilesAreNamedAndTheRestCounted)
{
    FileCommand command;
    EXPECT_EQ(filesText(command), "");
    for (int i = 1; i <= 8; ++i)
        command.files.push_back(std::to_string(i));
    EXPECT_EQ(filesText(command), "1, 2, 3, 4, 5, 6, 7, 8");
    command.files.emplace_back("\x1b[2J");
    command.files.emplace_back("10");
    EXPECT_EQ(filesText(command), "1, 2, 3, 4, 5, 6, 7, 8 and 2 more");
    EXPECT_EQ(filesText({.files = {"\x1b[2J"}}).find('\x1b'), std::string::npos);
}

TEST(FileCommands, ADateSaysSinceWhenAVersionWasAllowed)
{
    FileCommand command = referenceCommand({"/a/reference.py", "x"});
    const Error fresh = needsConsent(command);
    command.changedSince = "2026-11-20T10:00:00.000Z";
    const Error changed = needsConsent(command);
    EXPECT_NE(changed.message, fresh.message);
    EXPECT_NE(changed.message.find("2026-11-20"), std::string::npos);
    EXPECT_EQ(changed.message.find("T10:00"), std::string::npos);
    ASSERT_TRUE(changed.command);
    EXPECT_EQ(*changed.command, command);
    ASSERT_EQ(changed.next.size(), 1U);
    EXPECT_EQ(changed.next.front().at(StepArgument::file), "/a/reference.py");
}

} // namespace
} // namespace kl
