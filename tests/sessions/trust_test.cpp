// SPDX-License-Identifier: MIT
#include "core/base/sha256.h"
#include "core/codec/json.h"
#include "profiler/client/consent.h"
#include "sessions/trust/commands_of_file.h"
#include "sessions/trust/requested_consent.h"
#include "sessions/trust/trust_store.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

namespace fs = std::filesystem;

class Trust : public testing::Test {
protected:
    void TearDown() override { fs::remove_all(folder_); }
    static FileCommand command(const std::string& hash) { return {"/p/kernelloop.json", {"sh", "-c", "make"}, "/p", hash, {}}; }
    void write(const fs::path& file, const std::string& text) const
    {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }

    const fs::path folder_ = fs::temp_directory_path() / ("kl-trust-" + std::to_string(::getpid()));
    const TrustStore store_{folder_ / "data/trusted.json"};
};

TEST_F(Trust, WhatIsAddedIsKeptForTheUserAlone)
{
    EXPECT_FALSE(*store_.holds("aa"));
    ASSERT_TRUE(store_.add(command("aa")));
    ASSERT_TRUE(store_.add(command("bb")));
    ASSERT_TRUE(store_.add(command("aa"))); // again: once, and now the newest
    const auto rows = store_.list();
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_EQ((*rows)[0].command, command("aa"));
    EXPECT_FALSE((*rows)[0].at.empty());
    EXPECT_TRUE(*store_.holds("aa"));
    struct stat info = {};
    ASSERT_EQ(::stat(store_.file().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0600U);
}

TEST_F(Trust, IsTakenBackByTheStartOfAHash)
{
    for (const char* hash : {"aab", "aac", "b"})
        ASSERT_TRUE(store_.add(command(hash)));
    EXPECT_EQ(store_.remove("aa").error().code, ErrorCode::notFound); // two
    EXPECT_EQ(store_.remove("c").error().code, ErrorCode::notFound);
    EXPECT_EQ(store_.remove("").error().code, ErrorCode::notFound);
    const auto removed = store_.remove("aab");
    ASSERT_TRUE(removed);
    EXPECT_EQ(removed->command.hash, "aab");
    EXPECT_FALSE(*store_.holds("aab"));
    EXPECT_TRUE(*store_.holds("aac"));
}

TEST_F(Trust, AFileThatOthersMayWriteOrThatIsDamagedAllowsNothing)
{
    ASSERT_TRUE(store_.add(command("aa")));
    fs::permissions(store_.file(), fs::perms::group_write, fs::perm_options::add);
    EXPECT_EQ(store_.holds("aa").error().code, ErrorCode::badInput);
    EXPECT_FALSE(store_.add(command("bb")));
    fs::permissions(store_.file(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_TRUE(*store_.holds("aa"));
    for (const char* text : {"{", "[]", "{\"trusted\": 3}", "{}"}) {
        write(store_.file(), text);
        EXPECT_EQ(store_.holds("aa").error().code, ErrorCode::badInput) << text;
    }
    write(store_.file(), R"({"trusted": [3, {"hash": "aa", "command": "x"}]})");
    EXPECT_TRUE(*store_.holds("aa"));
    fs::remove(store_.file());
    fs::create_directory(store_.file());
    fs::permissions(store_.file(), fs::perms::owner_all);
    EXPECT_EQ(store_.holds("aa").error().code, ErrorCode::badInput);
}

TEST_F(Trust, NothingIsLostAmongSeveralWriters)
{
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < 4; ++writer)
        writers.emplace_back([this, writer] {
            for (int i = 0; i < 10; ++i)
                EXPECT_TRUE(store_.add(command(std::to_string(writer) + "-" + std::to_string(i))));
        });
    writers.clear();
    EXPECT_EQ(store_.list()->size(), 40U);
}

TEST_F(Trust, AsksOnceAndRemembersAYesAlone)
{
    int requested = 0;
    bool yes = false;
    RequestedConsent consent(store_, [&](const FileCommand&, const Job&) -> Result<bool> { return ++requested, yes; });
    const Status refused = consent.allow(command("aa"), {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::needsConsent);
    EXPECT_EQ(*refused.error().command, command("aa"));
    EXPECT_FALSE(*store_.holds("aa"));
    yes = true;
    EXPECT_TRUE(consent.allow(command("aa"), {}));
    EXPECT_TRUE(consent.allow(command("aa"), {}));
    EXPECT_EQ(requested, 2);
    RequestedConsent nobody(store_, {});
    EXPECT_TRUE(nobody.allow(command("aa"), {}));
    const Status changed = nobody.allow(command("bb"), {});
    EXPECT_EQ(changed.error().code, ErrorCode::needsConsent);
    EXPECT_FALSE(changed.error().command->changedSince.empty()) << "the same file, as it was allowed before";
}

TEST_F(Trust, AYesHoldsForNowWhereItCannotBeKept)
{
    write(folder_ / "file", "");
    int requested = 0;
    std::string notice;
    RequestedConsent consent(TrustStore(folder_ / "file/trusted.json"),
                             [&](const FileCommand&, const Job&) -> Result<bool> { return ++requested, true; });
    Job job;
    job.notice = [&](const std::string& text) { notice = text; };
    EXPECT_TRUE(consent.allow(command("aa"), job));
    EXPECT_TRUE(consent.allow(command("aa"), job));
    EXPECT_EQ(requested, 1);
    EXPECT_FALSE(notice.empty());
}

TEST_F(Trust, StoppedWorkAsksNoMore)
{
    std::stop_source stop;
    stop.request_stop();
    RequestedConsent consent(store_, [](const FileCommand&, const Job& job) -> Result<bool> {
        return job.stop.stop_requested() ? Result<bool>(Error{.code = ErrorCode::interrupted}) : true;
    });
    EXPECT_EQ(consent.allow(command("aa"), Job{{}, stop.get_token()}).error().code, ErrorCode::interrupted);
    EXPECT_FALSE(*store_.holds("aa"));
}

TEST_F(Trust, FindsTheCommandsOfAFileOrFolder)
{
    write(folder_ / "p/kernelloop.json", R"({"schema": 1, "extension": {"module": "fast", "build": "make"}})");
    write(folder_ / "p/reference.py", "print(1)");
    const auto project = listFileCommands(folder_ / "p");
    ASSERT_TRUE(project);
    ASSERT_EQ(project->size(), 1U);
    EXPECT_EQ((*project)[0].command, (std::vector<std::string>{"sh", "-c", "make"}));
    EXPECT_EQ((*project)[0].file, folder_ / "p/kernelloop.json");
    const auto script = listFileCommands(folder_ / "p/reference.py");
    ASSERT_TRUE(script);
    EXPECT_EQ((*script)[0], referenceCommand({folder_ / "p/reference.py", "print(1)"}));
    write(folder_ / "q/kernelloop.json", R"({"schema": 1})");
    EXPECT_EQ(listFileCommands(folder_ / "q").error().code, ErrorCode::badInput);
    EXPECT_EQ(listFileCommands(folder_ / "none.json").error().code, ErrorCode::badInput);
}

TEST_F(Trust, EachPartOfACommandComesBackNewestFirst)
{
    FileCommand whole = command("aa");
    whole.folder = "/elsewhere";
    ASSERT_TRUE(store_.add(whole));
    ASSERT_TRUE(store_.add(command("bb")));
    const auto rows = store_.list();
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_EQ((*rows)[0].command.hash, "bb");
    EXPECT_EQ((*rows)[1].command, whole);
    EXPECT_TRUE(TrustStore(folder_ / "none/trusted.json").list()->empty());
    write(store_.file(), "");
    EXPECT_TRUE(store_.list()->empty());
    write(store_.file(), "kept");
    const std::string damaged = store_.list() ? "" : store_.list().error().message;
    fs::permissions(folder_ / "data", fs::perms::others_write, fs::perm_options::add);
    EXPECT_EQ(store_.list().error().code, ErrorCode::badInput) << "others can put another file there";
    EXPECT_EQ(store_.list().error().where, store_.file().string());
    EXPECT_NE(store_.list().error().message, damaged);
}

TEST_F(Trust, AQuestionSaysWhenTheFileWasLastAllowed)
{
    write(store_.file(), R"({"trusted": [{"hash": "a2", "file": "/p/kernelloop.json", "at": "2026-02-02"},
                                         {"hash": "a1", "file": "/p/kernelloop.json", "at": "2026-01-01"},
                                         {"hash": "a3", "file": "/q/kernelloop.json", "at": "2026-03-03"}]})");
    fs::permissions(store_.file(), fs::perms::owner_read | fs::perms::owner_write);
    std::string since;
    RequestedConsent consent(
        store_, [&](const FileCommand& requested, const Job&) -> Result<bool> { return since = requested.changedSince, false; });
    EXPECT_FALSE(consent.allow(command("a4"), {}));
    EXPECT_EQ(since, "2026-02-02");
    EXPECT_TRUE(consent.allow(command("a1"), {})) << "an earlier version is allowed all the same";
    FileCommand other = command("a5");
    other.file = "/r/kernelloop.json";
    EXPECT_FALSE(consent.allow(other, {}));
    EXPECT_EQ(since, "");
}

TEST_F(Trust, ATargetsCommandsAndADescriptorsScriptAreFound)
{
    write(folder_ / "k/kernel.json", "{}");
    EXPECT_FALSE(listFileCommands(folder_ / "k")) << "a descriptor without a script";
    write(folder_ / "d/kernelloop.json", "{");
    EXPECT_EQ(listFileCommands(folder_ / "d").error().code, ErrorCode::badInput);
    EXPECT_EQ(listFileCommands(folder_ / "empty").error().code, ErrorCode::badInput);
}

TEST_F(Trust, AScriptIsFoundByItsDescriptorAndBesideAProject)
{
    fs::create_directories(folder_);
    fs::copy(KL_SOURCE_DIR "/tests/data/own_transpose", folder_ / "k", fs::copy_options::recursive);
    EXPECT_EQ(listFileCommands(folder_ / "k").error().code, ErrorCode::badInput) << "its reference is a function";
    EXPECT_EQ(listFileCommands(folder_ / "k").error().where, (folder_ / "k").string());
    std::string text;
    std::getline(std::ifstream(folder_ / "k/kernel.json"), text, '\0');
    const std::string reference = R"("function": "transpose", "params": {"rows": "M", "cols": "N"}, "inputs": ["in"])";
    ASSERT_NE(text.find(reference), std::string::npos);
    write(folder_ / "k/kernel.json", text.replace(text.find(reference), reference.size(), R"("python": "flip.py", "inputs": ["in"])"));
    write(folder_ / "k/flip.py", "print(2)\n");
    const auto alone = listFileCommands(folder_ / "k");
    ASSERT_TRUE(alone) << alone.error().message;
    ASSERT_EQ(alone->size(), 1U);
    EXPECT_EQ((*alone)[0], referenceCommand({(folder_ / "k/flip.py").string(), "print(2)\n"}));
    EXPECT_EQ(listFileCommands(folder_ / "k/kernel.json")->at(0), (*alone)[0]);
    write(folder_ / "k/kernelloop.json", R"({"schema": 1, "extension": {"module": "fast", "build": "make"}})");
    const auto both = listFileCommands(folder_ / "k");
    ASSERT_EQ(both->size(), 2U);
    EXPECT_EQ((*both)[0].command, (std::vector<std::string>{"sh", "-c", "make"})) << "the project's come first";
    EXPECT_EQ((*both)[1], (*alone)[0]);
}

TEST_F(Trust, ATargetIsOneCommandWithAllThatItRuns)
{
    write(folder_ / "t/k.cu", "code");
    write(folder_ / "t/kernelloop.json", R"({"schema": 2, "target": {"id": "sums", "sizes": ["N"], "problems": ["N=8"], "smallest": "N=1",
        "suite": ["N=1"], "build": "make all", "run": ["prog", "{N}"], "kernel": {"name": "k"}, "check": {"command": "true"}, "rival": {"kernel": "r"},
        "edit": ["k.cu"]}})");
    const auto found = listFileCommands(folder_ / "t");
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->size(), 1U);
    EXPECT_EQ((*found)[0].file, folder_ / "t/kernelloop.json");
    EXPECT_EQ((*found)[0].folder, folder_ / "t");
    EXPECT_FALSE((*found)[0].hash.empty());
}

TEST_F(Trust, AListThatCannotBeReadAllowsNothing)
{
    ASSERT_TRUE(store_.add(command("aa")));
    fs::resize_file(store_.file(), (64U << 20U) + 1); // sparse
    const auto rows = store_.list();
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().code, ErrorCode::badInput);
    EXPECT_EQ(rows.error().where, store_.file().string());
    EXPECT_EQ(store_.remove("aa").error().code, ErrorCode::badInput);
    EXPECT_EQ(fs::file_size(store_.file()), (64U << 20U) + 1) << "left as it is";
}

TEST_F(Trust, TheFileNamesItsSchemaAndEachPart)
{
    FileCommand whole = command("aa");
    whole.folder = "/elsewhere";
    ASSERT_TRUE(store_.add(whole));
    std::string text;
    std::getline(std::ifstream(store_.file()), text, '\0');
    const Json json = Json::parse(text);
    EXPECT_EQ(json["schema"], "kernelloop.trust/1");
    ASSERT_EQ(json["trusted"].size(), 1U);
    const Json& row = json["trusted"][0];
    EXPECT_EQ(row["hash"], "aa");
    EXPECT_EQ(row["file"], "/p/kernelloop.json");
    EXPECT_EQ(row["folder"], "/elsewhere");
    EXPECT_EQ(row["command"], Json({"sh", "-c", "make"}));
    EXPECT_EQ(row["at"], store_.list()->at(0).at);
    EXPECT_EQ(row.size(), 5U);
    EXPECT_EQ(store_.remove("x").error().where, "x");
}

TEST_F(Trust, WithoutAHashNothingIsRemoved)
{
    ASSERT_TRUE(store_.add(command("aa")));
    const auto none = store_.remove("");
    ASSERT_FALSE(none) << "it would be the only one";
    EXPECT_EQ(none.error().code, ErrorCode::notFound);
    ASSERT_EQ(none.error().next.size(), 1U);
    EXPECT_EQ(none.error().next[0].id, StepId::listAllowed);
    EXPECT_TRUE(*store_.holds("aa"));
    ASSERT_TRUE(store_.add(command("ab")));
    EXPECT_FALSE(store_.remove("a")) << "two begin so";
    EXPECT_FALSE(store_.remove("aab")) << "longer than any";
    EXPECT_EQ(store_.list()->size(), 2U);
}

TEST_F(Trust, AllowedAgainACommandIsTheNewestAndListedOnce)
{
    write(store_.file(), R"({"trusted": [{"hash": "aa", "file": "/p/kernelloop.json", "command": ["old"], "at": "2026-01-01"},
                                         {"hash": "bb", "file": "/p/kernelloop.json", "at": "2026-01-02"}]})");
    fs::permissions(store_.file(), fs::perms::owner_read | fs::perms::owner_write);
    ASSERT_TRUE(store_.add(command("bb")));
    const auto rows = store_.list();
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_EQ((*rows)[0].command.hash, "bb");
    EXPECT_NE((*rows)[0].at, "2026-01-02");
    EXPECT_EQ((*rows)[0].command.command, command("bb").command);
    EXPECT_EQ((*rows)[1].command.command, std::vector<std::string>{"old"});
    EXPECT_EQ((*rows)[1].at, "2026-01-01");
    EXPECT_FALSE(*store_.holds("a")) << "a whole hash, not its beginning";
}

TEST_F(Trust, TheListIsTheUsersAlone)
{
    ASSERT_TRUE(store_.add(command("aa")));
    const fs::perms mine = fs::perms::owner_read | fs::perms::owner_write;
    EXPECT_EQ(fs::status(store_.file()).permissions(), mine);
    fs::permissions(store_.file(), fs::perms::others_write, fs::perm_options::add);
    EXPECT_EQ(store_.list().error().code, ErrorCode::badInput);
    EXPECT_EQ(store_.list().error().where, store_.file().string());
    fs::permissions(store_.file(), mine | fs::perms::others_read | fs::perms::group_read);
    EXPECT_TRUE(store_.list()) << "others may read it";
    fs::permissions(store_.file().parent_path(), fs::perms::group_write, fs::perm_options::add);
    EXPECT_FALSE(store_.list());
    fs::permissions(store_.file().parent_path(), fs::perms::group_write, fs::perm_options::remove);
    EXPECT_TRUE(store_.list());
}

} // namespace
} // namespace kl
