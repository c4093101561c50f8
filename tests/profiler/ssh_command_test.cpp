// SPDX-License-Identifier: MIT
// What ssh is started with: nothing that a user, a file or a host names can be an option of ssh or a word of a shell.
#include "core/process/run_to_end.h"
#include "profiler/device/device_spec.h"
#include "profiler/remote/attach.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/last_line.h"
#include "profiler/remote/ssh_command.h"
#include "profiler/remote/tar_archive.h"
#include "profiler/remote/worker_copy.h"
#include "profiler/remote/worker_socket.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace kl {
namespace {

const std::vector<std::string> kNoHosts = {"",      "-oProxyCommand=touch /tmp/x",
                                           "-",     "a b",
                                           "a\nb",  "a;b",
                                           "$(id)", "`id`",
                                           "a'b",   "user@-x",
                                           "@a",    "a@",
                                           "a@b@c", "a/b",
                                           "a|b",   "a&b",
                                           "[::1]", "a\\b",
                                           "a\tb",  std::string("a\0b", 3),
                                           "ä",     "a!b",
                                           "~x",    "*",
                                           "a=b",   "a%b"};

TEST(SshCommand, HostsThatCouldBeMoreThanAHostAreRefused)
{
    for (const std::string& host : kNoHosts) {
        EXPECT_FALSE(isSshHost(host)) << host;
        const Result<std::vector<std::string>> command = sshCommand(host, "true", {});
        ASSERT_FALSE(command) << host;
        EXPECT_EQ(command.error().code, ErrorCode::usage);
        EXPECT_FALSE(parseDeviceSpec("ssh:" + host)) << host;
        EXPECT_FALSE(parseDeviceSpec("ssh:good,ssh:" + host)) << host;
    }
    for (const char* host : {"gpu7", "me@gpu7", "10.0.0.7", "gpu-7.example.org", "login_1", "aAzZ09"})
        EXPECT_TRUE(isSshHost(host)) << host;
    EXPECT_TRUE(isSshHost(std::string(255, 'a')));
    EXPECT_FALSE(isSshHost(std::string(256, 'a')));
    EXPECT_FALSE(isSshHost(std::string(256, 'a') + "@gpu7"));
}

TEST(SshCommand, TheHostFollowsTheEndOfOptions)
{
    const Result<std::vector<std::string>> command = sshCommand("me@gpu7", kAttachScript, {"name", "key", "new", "--device", "GPU-5e1f"});
    ASSERT_TRUE(command.ok());
    ASSERT_GE(command->size(), 4U);
    EXPECT_EQ((*command)[command->size() - 3], "--");
    EXPECT_EQ((*command)[command->size() - 2], "me@gpu7");
    EXPECT_THAT(command->back(), testing::EndsWith("' kloop name key new --device GPU-5e1f"));
    EXPECT_THAT(*command, testing::IsSupersetOf({std::string("-T"), std::string("BatchMode=yes"), std::string("ConnectTimeout=15"),
                                                 std::string("ClearAllForwardings=yes"), std::string("RemoteCommand=none")}));
    EXPECT_EQ(std::ranges::count(*command, "-o"), 4);
}

TEST(SshCommand, WordsThatAShellWouldReadAreRefused)
{
    for (const char* word : {"", "a b", "$HOME", "a;b", "'", "\"", "a\nb", "a>b", "`id`", "~", "*", "a\\"})
        EXPECT_FALSE(sshCommand("gpu7", "true", {word}).ok()) << word;
}

TEST(SshCommand, ScriptsPassThroughAnyLoginShell)
{
    for (const std::string_view script : {kAttachScript, kInstallScript})
        EXPECT_EQ(script.find_first_of("'\n\\!"), std::string_view::npos) << script;
}

TEST(DeviceSpec, HostsAreWrittenAsTheyAreRead)
{
    for (const char* text : {"ssh:gpu7", "ssh:me@gpu7:1", "ssh:gpu7:GPU-5e1f", "ssh:a,ssh:b", "ssh:a:0,ssh:me@b:GPU-7b,ssh:c"}) {
        const Result<DeviceSpec> device = parseDeviceSpec(text);
        ASSERT_TRUE(device.ok()) << text;
        EXPECT_EQ(device->kind, DeviceKind::remote);
        EXPECT_EQ(toText(*device), text);
        EXPECT_EQ(chooseSource(*device), Source::live);
        EXPECT_EQ(chooseCompilingDevice(*device), *device);
    }
    EXPECT_EQ(parseDeviceSpec("ssh:a:0,ssh:b")->remote, (std::vector<RemoteGpu>{{"a", "0"}, {"b", ""}}));
    for (const char* text :
         {"ssh", "ssh:", "ssh:a:", "ssh:a:-1", "ssh:a:1:2", "ssh:a,", "ssh:a,b", ",ssh:a", "ssh:a,local", "ssh:a ,ssh:b"})
        EXPECT_FALSE(parseDeviceSpec(text)) << text;
}

TEST(AttachLine, IsFoundBehindWhateverTheShellPrints)
{
    const std::string noise = "Welcome!\nkloop-attach/1 another ready\n* quota 93 %";
    EXPECT_FALSE(findAttachLine(noise, "n1"));
    EXPECT_FALSE(findAttachLine(noise + "\nkloop-attach/1 n1 rea", "n1")) << "it is not complete";
    const std::string text = noise + "\nkloop-attach/1 n1 ready\nframes";
    const std::optional<AttachLine> line = findAttachLine(text, "n1");
    ASSERT_TRUE(line);
    EXPECT_EQ(line->state, AttachState::ready);
    EXPECT_EQ(text.substr(line->end), "frames");
    EXPECT_EQ(findAttachLine("kloop-attach/1 n1 missing Linux x86_64\n", "n1")->text, "Linux x86_64");
    EXPECT_EQ(findAttachLine("kloop-attach/1 n1 nonsense\n", "n1")->state, AttachState::failed);
    EXPECT_EQ(findAttachLine("kloop-attach/1 n1 nonsense here\n", "n1")->text, "nonsense here");
    EXPECT_EQ(findAttachLine("kloop-attach/1 n1 gone\n", "n1")->state, AttachState::gone);
    EXPECT_EQ(findAttachLine("kloop-attach/1 n1 gone\n", "n1")->text, "");
    const std::optional<AttachLine> failed = findAttachLine("x\nkloop-attach/1 n1 failed No space (/tmp)\nrest", "n1");
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->state, AttachState::failed);
    EXPECT_EQ(failed->text, "No space (/tmp)");
    EXPECT_FALSE(findAttachLine("kloop-attach/1 n12 ready\n", "n1")) << "of another name that begins so";
    EXPECT_EQ(attachMark("n1"), "kloop-attach/1 n1");
}

TEST(TarArchive, IsUnpackedByTar)
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("kl-tar-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    TarArchive archive;
    const std::string large(100'000, 'z');
    archive.add("bin/run", true, "#!/bin/sh\n");
    archive.add("lib/large", false, large);
    archive.add("empty", false, "");
    std::ofstream(folder / "a.tar", std::ios::binary) << archive.finish();
    std::error_code failure;
    const CompletedRun run = runToEnd({.arguments = {"tar", "-xf", "a.tar"}, .folder = folder.string()}, 60, {}, failure);
    EXPECT_EQ(run.end.status, 0) << run.output;
    EXPECT_TRUE(run.output.empty()) << run.output;
    EXPECT_EQ(::access((folder / "bin/run").c_str(), X_OK), 0);
    struct stat library = {};
    ASSERT_EQ(::stat((folder / "lib/large").c_str(), &library), 0);
    EXPECT_EQ(library.st_mode & 0111U, 0U) << "not a program";
    EXPECT_EQ(std::filesystem::file_size(folder / "lib/large"), large.size());
    EXPECT_TRUE(std::filesystem::exists(folder / "empty"));
    std::filesystem::remove_all(folder);
}

TEST(TarArchive, FilesOfWholeBlocksAndTheirNeighborsComeOutAsTheyWere)
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("kl-tar-blocks-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    TarArchive archive;
    std::map<std::string, std::string> files;
    for (const std::size_t size : {512U, 511U, 1024U, 513U, 0U, 1536U, 1U}) {
        const std::string content(size, static_cast<char>('a' + files.size()));
        files["f" + std::to_string(size)] = content;
        archive.add("f" + std::to_string(size), size % 2 == 0, content);
    }
    const std::string bytes = archive.finish();
    EXPECT_EQ(bytes.size() % 512, 0U);
    EXPECT_EQ(bytes.substr(bytes.size() - 1024), std::string(1024, '\0')) << "two empty blocks end it";
    EXPECT_EQ(bytes.substr(257, 5), "ustar");
    std::ofstream(folder / "a.tar", std::ios::binary) << bytes;
    std::error_code failure;
    const CompletedRun run = runToEnd({.arguments = {"tar", "-xf", "a.tar"}, .folder = folder.string()}, 60, {}, failure);
    EXPECT_EQ(run.end.status, 0) << run.output;
    EXPECT_TRUE(run.output.empty()) << run.output;
    for (const auto& [name, content] : files) {
        std::ifstream in(folder / name, std::ios::binary);
        ASSERT_TRUE(in) << name;
        EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), content) << name;
        struct stat about = {};
        ASSERT_EQ(::stat((folder / name).c_str(), &about), 0);
        EXPECT_EQ((about.st_mode & S_IXUSR) != 0, content.size() % 2 == 0) << name;
    }
    std::filesystem::remove_all(folder);
}

TEST(WorkerCopy, AFolderIsNoWorker)
{
    EXPECT_EQ(workerKey(std::filesystem::temp_directory_path()).error().code, ErrorCode::environment);
}

TEST(WorkerSocket, LiesInAFolderOfTheUserAlone)
{
    for (const char* name : {"", "-x", "../x", "a/b", "A", "a b"})
        EXPECT_FALSE(isWorkerName(name)) << name;
    EXPECT_TRUE(isWorkerName(std::string(64, 'z')));
    EXPECT_FALSE(isWorkerName(std::string(65, 'z')));
    EXPECT_TRUE(isWorkerName("a-0-9"));
    const std::string name = "test-" + std::to_string(::getpid());
    const Result<std::filesystem::path> socket = workerSocket(name);
    ASSERT_TRUE(socket.ok());
    struct stat folder = {};
    ASSERT_EQ(::stat(socket->parent_path().c_str(), &folder), 0);
    EXPECT_EQ(folder.st_mode & 0777U, 0700U);
    EXPECT_EQ(connectToWorker(*socket).error().code, ErrorCode::notFound);
    {
        const Result<Fd> listener = listenForClients(*socket);
        ASSERT_TRUE(listener.ok());
        EXPECT_TRUE(connectToWorker(*socket).ok());
        EXPECT_FALSE(listenForClients(*socket).ok()) << "another worker has that name";
    }
    EXPECT_EQ(connectToWorker(*socket).error().code, ErrorCode::notFound) << "nobody listens there any more";
    EXPECT_EQ(socket->filename(), name + ".socket");
    const std::filesystem::path long_ = "/tmp/" + std::string(200, 'x');
    EXPECT_EQ(connectToWorker(long_).error().code, ErrorCode::environment);
    EXPECT_EQ(listenForClients(long_).error().where, long_);
    std::filesystem::remove(*socket);
}

TEST(SshCommand, PlainWordsAreThoseThatEveryShellLeavesAlone)
{
    EXPECT_TRUE(isPlainWord("--device=GPU-5e1f,a/b_c:1+2.3"));
    for (const std::string_view word : {"", "a b", "$x", "a;b", "~", "a\xc3\xa4"})
        EXPECT_FALSE(isPlainWord(word)) << word;
}

TEST(HostTrouble, ALostHostIsNotOneWithoutAWorker)
{
    const Error lost = makeHostLostError("gpu7", "why", "hint");
    EXPECT_TRUE(isHostLost(lost) && !isWorkerMissing(lost));
    EXPECT_EQ(lost.where, "ssh:gpu7");
    EXPECT_TRUE(isHostLost(makeHostLostError("slurm:1", "why", "")));
    EXPECT_EQ(makeHostLostError("slurm:1", "why", "").where, "slurm:1");
    const Error missing = makeWorkerMissingError("gpu7", "why", "Linux x86_64");
    EXPECT_TRUE(isWorkerMissing(missing) && !isHostLost(missing));
    EXPECT_EQ(missing.detail, "Linux x86_64");
    Error other = missing;
    other.code = ErrorCode::usage;
    EXPECT_FALSE(isWorkerMissing(other));
    other = lost;
    other.code = ErrorCode::kernelFailed;
    EXPECT_FALSE(isHostLost(other));
    EXPECT_EQ(lost.code, ErrorCode::environment);
    EXPECT_EQ(lost.message, "why");
    EXPECT_EQ(lost.hint, "hint");
}

TEST(LastLine, IsWhatAProgramEndedWithWithoutItsFullStops)
{
    EXPECT_EQ(lastLine("first\n  Permission denied...\n\n"), "Permission denied");
    EXPECT_EQ(lastLine("only"), "only");
    EXPECT_EQ(lastLine(" \n"), "");
}

} // namespace
} // namespace kl
