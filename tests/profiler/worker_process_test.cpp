// SPDX-License-Identifier: MIT
#include "core/base/host_name.h"
#include "core/base/scratch_folder.h"
#include "core/codec/json.h"
#include "kernels/data/base64.h"
#include "profiler/client/child_process.h"
#include "profiler/client/contents.h"
#include "profiler/remote/worker_socket.h"
#include "profiler/replay/replay.h"
#include "tests/support/build_folder.h"
#include "tests/support/fake_collector.h"
#include "tests/support/set_variable.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

#define KL_NEED_WORKER()                                                                                                                   \
    if (!std::filesystem::exists(test::kBuiltWorker))                                                                                      \
    GTEST_SKIP() << "kloop-worker is not built"

struct Answer {
    std::vector<Json> events;
    int status = -1;
};

/// Feeds lines to a worker that is shown no GPU, and reads every event until it ends.
Answer converse(const std::string& input, const std::string& arguments = {})
{
    const std::string file = testing::TempDir() + "kl_worker_" + std::to_string(::getpid()) + ".jsonl";
    std::ofstream(file) << input;
    Answer answer;
    FILE* pipe = ::popen(("CUDA_VISIBLE_DEVICES= '" + test::kBuiltWorker + "' " + arguments + " <'" + file + "' 2>/dev/null").c_str(), "r");
    std::string text;
    std::array<char, 4096> chunk{};
    for (std::size_t got = 0; (got = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;)
        text.append(chunk.data(), got);
    const int ended = ::pclose(pipe);
    answer.status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    std::filesystem::remove(file);
    std::size_t begin = 0;
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        const Result<Json> event = parseJson(text.substr(begin, end - begin), "event");
        EXPECT_TRUE(event.ok()) << text.substr(begin, end - begin);
        if (event && (*event)["event"] != "progress")
            answer.events.push_back(*event);
        begin = end + 1;
    }
    return answer;
}

TEST(WorkerProcess, SaysHelloFirstAndEndsWithItsInput)
{
    KL_NEED_WORKER();
    const Answer answer = converse("");
    ASSERT_EQ(answer.events.size(), 1U);
    EXPECT_EQ(answer.events[0]["event"], "hello");
    EXPECT_EQ(answer.events[0]["protocol"], 1);
    EXPECT_EQ(answer.status, 0);
}

TEST(WorkerProcess, WithoutAGpuTheHelloSaysWhyInASentence)
{
    KL_NEED_WORKER();
    const Answer answer = converse("");
    ASSERT_TRUE(answer.events[0]["unavailable"].is_string());
    EXPECT_GT(answer.events[0]["unavailable"].get<std::string>().size(), 30U);
}

TEST(WorkerProcess, ARunWithoutAGpuIsAnEnvironmentError)
{
    KL_NEED_WORKER();
    const Answer answer = converse("{\"id\":7,\"verb\":\"run\",\"body\":{}}\n");
    ASSERT_EQ(answer.events.size(), 2U);
    EXPECT_EQ(answer.events[1]["event"], "error");
    EXPECT_EQ(answer.events[1]["id"], 7);
    EXPECT_EQ(answer.events[1]["code"], "environment");
    EXPECT_FALSE(answer.events[1]["message"].get<std::string>().empty());
    EXPECT_FALSE(answer.events[1]["hint"].get<std::string>().empty());
    EXPECT_EQ(answer.events[1]["where"], "kloop-worker");
    EXPECT_EQ(answer.events[1]["detail"], "");
    EXPECT_EQ(answer.events[1]["next_steps"].size(), 1U);
    EXPECT_FALSE(answer.events[1]["phases"].empty());
}

TEST(WorkerProcess, ProbeIsAnsweredWithoutAGpu)
{
    KL_NEED_WORKER();
    const Answer answer = converse("{\"id\":1,\"verb\":\"probe\",\"body\":{}}\n");
    ASSERT_EQ(answer.events.size(), 2U);
    EXPECT_EQ(answer.events[1]["event"], "result");
    EXPECT_EQ(answer.events[1]["body"]["counters_permitted"], false);
    EXPECT_FALSE(answer.events[1]["body"]["counters_reason"].get<std::string>().empty());
}

TEST(WorkerProcess, AMalformedLineIsAnErrorAndTheNextRequestWorks)
{
    KL_NEED_WORKER();
    const Answer answer = converse("nonsense\n{\"id\":2,\"verb\":\"probe\",\"body\":{}}\n");
    ASSERT_EQ(answer.events.size(), 3U);
    int errors = 0;
    int results = 0;
    for (const Json& event : answer.events) {
        errors += event["event"] == "error";
        results += event["event"] == "result";
    }
    EXPECT_EQ(errors, 1);
    EXPECT_EQ(results, 1);
}

TEST(WorkerProcess, ARequestWithoutAVerbIsAUsageError)
{
    KL_NEED_WORKER();
    const Answer answer = converse("{\"id\":3}\n");
    ASSERT_EQ(answer.events.size(), 2U);
    bool usage = false;
    for (const Json& event : answer.events)
        usage = usage || (event["event"] == "error" && event["code"] == "usage");
    EXPECT_TRUE(usage);
}

TEST(WorkerProcess, AnUnknownVerbIsAUsageErrorOfItsRequest)
{
    KL_NEED_WORKER();
    const Answer answer = converse("{\"id\":4,\"verb\":\"dance\",\"body\":{}}\n");
    ASSERT_EQ(answer.events.size(), 2U);
    EXPECT_EQ(answer.events[1]["event"], "error");
    EXPECT_EQ(answer.events[1]["id"], 4);
    EXPECT_EQ(answer.events[1]["code"], "usage");
}

TEST(WorkerProcess, TheHelloNamesTheHost)
{
    KL_NEED_WORKER();
    EXPECT_EQ(converse("").events[0]["host"], hostName());
}

const std::string kCaptures = KL_SOURCE_DIR "/resources/captures/";
const std::string kReplaying = "--replay '" + kCaptures + "h200-transpose.zst'"; // answers at once

/// A file in the place of the library that programs are traced with, which those without CUDA do not load.
class TraceLibrary {
public:
    TraceLibrary() { std::ofstream(file_) << "none"; }
    ~TraceLibrary() { std::filesystem::remove(file_); }
    TraceLibrary(const TraceLibrary&) = delete;

private:
    const std::string file_ = testing::TempDir() + "kl_worker_inject_" + std::to_string(::getpid()) + ".so";
    const support::SetVariable named_{"KERNELLOOP_INJECT", file_.c_str()};
};

/// The event of a request that ends it; null without one.
Json findEndEvent(const Answer& answer, int id)
{
    for (const Json& event : answer.events)
        if (event.value("id", 0) == id && (event["event"] == "result" || event["event"] == "error"))
            return event;
    return {};
}

TEST(WorkerProcess, BlankLinesAreNoRequestsAndTheLastLineNeedsNoEnd)
{
    KL_NEED_WORKER();
    const Answer answer = converse("\n \t\r\n{\"id\":1,\"verb\":\"probe\"}\n{\"id\":2,\"verb\":\"probe\",\"body\":[7]}", kReplaying);
    ASSERT_EQ(answer.events.size(), 3U);
    EXPECT_EQ(findEndEvent(answer, 1)["event"], "result") << "without a body";
    EXPECT_EQ(findEndEvent(answer, 2)["event"], "result") << "with a body that is not an object";
}

TEST(WorkerProcess, WhatIsNoRequestIsAnErrorOfNone)
{
    KL_NEED_WORKER();
    const Answer answer = converse("[1]\n{\"id\":3,\"verb\":7}\n{\"verb\":\"dance\"}\n{\"id\":\"x\",\"verb\":\"dance\"}\n", kReplaying);
    ASSERT_EQ(answer.events.size(), 5U);
    for (std::size_t i = 1; i < answer.events.size(); ++i) {
        EXPECT_EQ(answer.events[i]["id"], 0);
        EXPECT_EQ(answer.events[i]["code"], "usage");
    }
}

TEST(WorkerProcess, ACanceledRequestEndsWhetherItRunsOrWaits)
{
    KL_NEED_WORKER();
    const TraceLibrary library;
    const std::string trace = R"("verb":"trace","body":{"command":["sleep","20"],"config":"{}"}})";
    const Answer answer =
        converse("{\"id\":1," + trace + "\n{\"id\":2,\"verb\":\"probe\"}\n{\"id\":3,\"verb\":\"probe\"}\n" +
                     "{\"id\":9,\"verb\":\"cancel\",\"body\":{\"id\":2}}\n{\"id\":9,\"verb\":\"cancel\",\"body\":{\"id\":1}}\n" +
                     "{\"id\":9,\"verb\":\"cancel\",\"body\":{\"id\":\"3\"}}\n{\"id\":9,\"verb\":\"cancel\"}\n",
                 kReplaying);
    EXPECT_EQ(findEndEvent(answer, 1)["code"], "interrupted") << findEndEvent(answer, 1);
    EXPECT_EQ(findEndEvent(answer, 2)["code"], "interrupted") << "it waited behind the other";
    EXPECT_EQ(findEndEvent(answer, 3)["event"], "result");
    EXPECT_EQ(answer.events.size(), 4U) << "each has one end, and to cancel has no answer";
}

/// A worker that is asked one thing after the other.
class Conversation {
public:
    Conversation() : process_(ChildProcess::start(test::kBuiltWorker, {"--replay", kCaptures + "h200-transpose.zst"})) {}

    void ask(const std::string& line) { write(line + '\n'); }
    void write(const std::string& text) { process_->write(text); }
    /// The next event of that kind; null at the end. Those of other kinds are passed over.
    Json next(const std::string& kind)
    {
        while (true) {
            for (auto end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
                Json event = Json::parse(text_.substr(0, end));
                text_.erase(0, end + 1);
                if (event["event"] == kind)
                    return event;
            }
            pollfd waiting{process_->output(), POLLIN, 0};
            if (::poll(&waiting, 1, 30'000) <= 0)
                return {};
            if (!ChildProcess::drain(process_->output(), text_) && text_.find('\n') == std::string::npos)
                return {};
        }
    }

private:
    Result<ChildProcess> process_;
    std::string text_;
};

TEST(WorkerProcess, ARequestThatRunsIsStoppedAndTheNextOneIsNot)
{
    KL_NEED_WORKER();
    const TraceLibrary library;
    Conversation worker;
    ASSERT_FALSE(worker.next("hello").is_null());
    worker.ask(R"({"id":4,"verb":"trace","body":{"command":["sh","-c","echo started; sleep 20"],"config":"{}"}})");
    ASSERT_FALSE(worker.next("output").is_null());
    const Json first = worker.next("progress");
    EXPECT_EQ(first["id"], 4);
    EXPECT_GE(first["elapsed_s"].get<double>(), 0);
    EXPECT_LT(first["elapsed_s"].get<double>(), 3600);
    EXPECT_GE(first["seq"].get<int>(), 1);
    worker.ask(R"({"verb":"cancel","body":{"id":5}})");
    worker.ask(R"({"verb":"cancel","body":{"id":4}})");
    const Json end = worker.next("error");
    EXPECT_EQ(end["id"], 4);
    EXPECT_EQ(end["code"], "interrupted");
    worker.ask(R"({"id":6,"verb":"trace","body":{"command":["sh","-c","exit 7"],"config":"{}"}})");
    const Json next = worker.next("result");
    EXPECT_EQ(next["id"], 6);
    EXPECT_EQ(next["body"]["exit_code"], 7);
}

TEST(WorkerProcess, ARequestMayComeInPieces)
{
    KL_NEED_WORKER();
    Conversation worker;
    worker.write("{\"id\":1,\"verb\":\"probe\"}\n{\"id\":2,\"ver");
    EXPECT_EQ(worker.next("result")["id"], 1);
    worker.write("b\":\"probe\"}\n{\"id\":3,\"verb\":\"probe\"}\n");
    EXPECT_EQ(worker.next("result")["id"], 2);
    EXPECT_EQ(worker.next("result")["id"], 3);
}

TEST(WorkerProcess, ARequestMayBeLongerThanWhatIsReadAtOnce)
{
    KL_NEED_WORKER();
    const Answer answer = converse("{\"id\":1,\"verb\":\"probe\",\"more\":\"" + std::string(300'000, 'x') +
                                       "\"}\n{\"id\":2,\"verb\":\"probe\"}\n{\"id\":3,\"verb\":\"dance\",\"more\":\"" +
                                       std::string(100'000, 'x') + "\"}\n{\"id\":4,\"verb\":\"probe\"}\n",
                                   kReplaying);
    ASSERT_EQ(answer.events.size(), 5U);
    for (const int id : {1, 2, 4})
        EXPECT_EQ(findEndEvent(answer, id)["event"], "result") << id;
    EXPECT_EQ(findEndEvent(answer, 3)["code"], "usage");
}

TEST(WorkerProcess, ProgressCountsOnWhileARequestRuns)
{
    KL_NEED_WORKER();
    const TraceLibrary library;
    Conversation worker;
    worker.ask(R"({"id":4,"verb":"trace","body":{"command":["sleep","20"],"config":"{}"}})");
    const Json first = worker.next("progress"), second = worker.next("progress"), third = worker.next("progress");
    EXPECT_GT(second["seq"], first["seq"]);
    EXPECT_GT(third["seq"], second["seq"]);
    EXPECT_EQ(second["id"], 4);
    EXPECT_NE(second["step"], "");
    EXPECT_GE(third["elapsed_s"], second["elapsed_s"]);
    worker.ask(R"({"verb":"cancel","body":{"id":4}})");
    EXPECT_EQ(worker.next("error")["code"], "interrupted");
}

TEST(WorkerProcess, PartsOfRequestsAreKeptByTheirHash)
{
    KL_NEED_WORKER();
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch.ok());
    const support::SetVariable cache("XDG_CACHE_HOME", scratch->path().c_str());
    const std::string piece(5000, 'x'), hash = hashContent(piece), other = hashContent("other");
    const std::string have = R"("verb":"have","body":{"hashes":[")" + hash + R"(",7,")" + other + R"("]}})";
    const auto keep = [&](int id, const std::string& name) {
        return "{\"id\":" + std::to_string(id) + R"(,"verb":"keep","body":{"hash":")" + name + R"(","base64":")" +
               toBase64(packPiece(piece)) + "\"}}\n";
    };
    const Answer answer = converse(
        "{\"id\":1," + have + "\n" + keep(2, other) + keep(3, hash) + "{\"id\":4," + have + "\n{\"id\":5,\"verb\":\"have\"}\n", kReplaying);
    EXPECT_EQ(findEndEvent(answer, 1)["body"]["missing"], (Json{hash, other}));
    EXPECT_EQ(findEndEvent(answer, 2)["code"], "bad-input") << "it has another hash";
    EXPECT_EQ(findEndEvent(answer, 3)["event"], "result");
    EXPECT_EQ(findEndEvent(answer, 4)["body"]["missing"], Json::array({other}));
    EXPECT_EQ(findEndEvent(answer, 5)["body"]["missing"], Json::array());
}

TEST(WorkerProcess, WhatATracedProgramPrintsAndHowItEndsIsPassedOn)
{
    KL_NEED_WORKER();
    const TraceLibrary library;
    const Answer answer =
        converse(R"({"id":5,"verb":"trace","body":{"command":["sh","-c","echo hi; echo bad >&2; exit 3"],"config":"{}"}})", kReplaying);
    std::set<std::pair<std::string, bool>> written;
    for (const Json& event : answer.events)
        if (event["event"] == "output") {
            EXPECT_EQ(event["id"], 5);
            written.emplace(event["base64"].get<std::string>(), event["errors"].get<bool>());
        }
    EXPECT_EQ(written, (std::set<std::pair<std::string, bool>>{{"aGkK", false}, {"YmFkCg==", true}}));
    const Json end = findEndEvent(answer, 5);
    ASSERT_EQ(end["event"], "result") << end;
    EXPECT_EQ(end["body"]["exit_code"], 3);
    EXPECT_FALSE(end.contains("last")) << "the worker goes on";
    EXPECT_FALSE(end["phases"].empty());
}

TEST(WorkerProcess, ShutdownStopsWhatRunsAndLeavesOutWhatWaits)
{
    KL_NEED_WORKER();
    const TraceLibrary library;
    const Answer answer = converse(R"({"id":1,"verb":"trace","body":{"command":["sleep","20"],"config":"{}"}})"
                                   "\n{\"id\":2,\"verb\":\"probe\"}\n{\"verb\":\"shutdown\"}\n",
                                   kReplaying);
    EXPECT_EQ(answer.status, 0);
    EXPECT_TRUE(findEndEvent(answer, 2).is_null());
    if (const Json end = findEndEvent(answer, 1); !end.is_null()) { // unless it had not begun
        EXPECT_EQ(end["code"], "interrupted");
    }
}

TEST(WorkerProcess, ShutdownEndsItCleanly)
{
    KL_NEED_WORKER();
    const Answer answer = converse("{\"id\":1,\"verb\":\"shutdown\",\"body\":{}}\n");
    EXPECT_EQ(answer.status, 0);
}

TEST(WorkerProcess, ARecordingTakesThePlaceOfTheGpu)
{
    KL_NEED_WORKER();
    const Answer answer = converse("{\"id\":1,\"verb\":\"run\",\"body\":{\"work\":{\"kernel\":\"no/kernel\"}}}\n", kReplaying);
    ASSERT_EQ(answer.events.size(), 2U);
    EXPECT_TRUE(answer.events[0]["unavailable"].is_null());
    EXPECT_EQ(answer.events[0]["host"], hostName());
    EXPECT_EQ(answer.events[0]["contents"], true);
    ASSERT_EQ(answer.events[0]["devices"].size(), 1U);
    EXPECT_EQ(answer.events[1]["code"], "not-recorded");
}

TEST(WorkerProcess, OfAFolderEachRecordingIsAsked)
{
    KL_NEED_WORKER();
    const std::string folder = testing::TempDir() + "kl_worker_captures_" + std::to_string(::getpid());
    std::filesystem::create_directories(folder);
    for (const char* name : {"h200-copy.zst", "h200-transpose.zst"})
        std::filesystem::create_symlink(kCaptures + name, folder + "/" + name);
    const auto answers = [](const std::string& place) {
        // What `metrics` is asked for is in each recording; what is in neither of them is an error of the last one.
        return converse("{\"id\":1,\"verb\":\"run\",\"body\":{\"work\":{\"kernel\":\"no/kernel\"}}}\n", "--replay '" + place + "'");
    };
    EXPECT_EQ(answers(folder).events.at(1)["code"], "not-recorded");
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const Answer empty = answers(folder);
    ASSERT_EQ(empty.events.size(), 2U);
    EXPECT_TRUE(empty.events[0]["unavailable"].is_string()) << "there is no recording";
    EXPECT_EQ(empty.events[1]["code"], "environment");
    std::ofstream(folder + "/broken.zst") << "no recording";
    EXPECT_TRUE(answers(folder).events.at(0)["unavailable"].is_string());
    std::filesystem::remove_all(folder);
}

/// What a worker with these arguments prints, and its exit status.
std::pair<std::string, int> printed(const std::string& arguments)
{
    FILE* pipe = ::popen(("CUDA_VISIBLE_DEVICES= '" + test::kBuiltWorker + "' " + arguments + " </dev/null 2>/dev/null").c_str(), "r");
    std::string text;
    std::array<char, 4096> chunk{};
    for (std::size_t got = 0; (got = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;)
        text.append(chunk.data(), got);
    const int ended = ::pclose(pipe);
    return {text, WIFEXITED(ended) ? WEXITSTATUS(ended) : -1};
}

TEST(WorkerProcess, ItsVersionIsAWord)
{
    KL_NEED_WORKER();
    const auto [text, status] = printed("--version");
    EXPECT_EQ(status, 0);
    EXPECT_EQ(text.substr(0, 13), "kloop-worker ");
    EXPECT_EQ(text.find('\n'), text.size() - 1);
}

TEST(WorkerProcess, ArgumentsThatItDoesNotTakeAreAUsageError)
{
    KL_NEED_WORKER();
    for (const char* arguments : {"--help", "--nonsense 1", "--device", "--idle 0", "--idle -1", "--idle 5s", "--give-up x", "--give-up 0",
                                  "--attach ../x --again", "--attach A --new", "--supervise a/b --listen", "--version --version"}) {
        const auto [text, status] = printed(arguments);
        EXPECT_EQ(status, 2) << arguments;
        EXPECT_EQ(text, "") << arguments;
    }
    EXPECT_EQ(printed("--idle 1 --give-up 1 --key k --orderly-end").second, 0);
}

TEST(WorkerProcess, AWorkerThatIsNotThereIsGone)
{
    KL_NEED_WORKER();
    const std::string name = "gone-" + std::to_string(::getpid());
    const auto [text, status] = printed("--attach " + name + " --again");
    EXPECT_EQ(text, "\nkloop-attach/1 " + name + " gone\n");
    EXPECT_EQ(status, 4);
}

TEST(WorkerProcess, ASupervisorTakesTheNameOfOneThatIsGoneAndLeavesNothingBehind)
{
    KL_NEED_WORKER();
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch.ok());
    const std::string script = (scratch->path() / "worker").string(), left = (scratch->path() / "left").string();
    std::ofstream(script) << "#!/bin/bash\nset -m\nsleep 300 &\necho $! > '" << left << "'\nexec cat\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    const support::SetVariable program("KERNELLOOP_WORKER", script.c_str());
    const std::string name = "new-" + std::to_string(::getpid());
    const Result<std::filesystem::path> socket = workerSocket(name);
    ASSERT_TRUE(socket.ok() && listenForClients(*socket).ok()); // whose file stays
    Result<ChildProcess> supervisor =
        ChildProcess::start("/usr/bin/setsid", {"-w", test::kBuiltWorker, "--supervise", name, "--listen", "--idle", "1"});
    ASSERT_TRUE(supervisor.ok());
    pid_t process = 0;
    Result<Fd> client = connectToWorker(*socket);
    for (int i = 0; i < 3000 && (!client || !(std::ifstream(left) >> process)); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        client = connectToWorker(*socket);
    }
    ASSERT_TRUE(client.ok());
    EXPECT_EQ(printed("--supervise " + name + " --listen").second, 2) << "that name is taken";
    EXPECT_TRUE(connectToWorker(*socket).ok());
    const std::string stat = "/proc/" + std::to_string(process) + "/stat";
    const auto state = [&] {
        std::string number, command, word;
        std::ifstream in(stat);
        return in >> number >> command >> word ? word : std::string("gone");
    };
    EXPECT_NE(state(), "gone");
    client->close();
    EXPECT_TRUE(supervisor->wait(std::chrono::seconds(30)));
    EXPECT_EQ(supervisor->exitStatus(), 0);
    for (int i = 0; i < 3000 && state() != "gone" && state() != "Z"; ++i) // a signal takes a moment
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(state() == "gone" || state() == "Z") << state();
    EXPECT_FALSE(std::filesystem::exists(*socket));
}

/// What the worker that was started in its place was given: the words of this script's command line.
class StartedWorker {
public:
    /// `then`: what it does afterwards.
    explicit StartedWorker(const std::string& folder, const std::string& then = {})
        : words_(folder + "/words"), script_(folder + "/worker"), program_("KERNELLOOP_WORKER", script_.c_str())
    {
        std::ofstream(script_) << "#!/bin/sh\necho \"$@\" > '" << words_ << ".new'\nmv '" << words_ << ".new' '" << words_ << "'\n"
                               << then << '\n';
        std::filesystem::permissions(script_, std::filesystem::perms::owner_all);
    }
    std::string words() const
    {
        std::string line;
        for (int i = 0; i < 3000 && !std::filesystem::exists(words_); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::ifstream in(words_);
        std::getline(in, line);
        return line;
    }

private:
    std::string words_, script_;
    support::SetVariable program_;
};

TEST(WorkerProcess, ASupervisedWorkerServesTheDeviceThatWasNamed)
{
    KL_NEED_WORKER();
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch.ok());
    const StartedWorker started(scratch->path().string());
    const std::string name = "serve-" + std::to_string(::getpid());
    EXPECT_EQ(printed("--supervise " + name + " --listen --idle 1 --device 3 --replay x.zst").second, 0);
    EXPECT_EQ(started.words(), "--device 3 --replay x.zst");
}

TEST(WorkerProcess, WhoAttachesStartsASupervisorForTheSameDevice)
{
    KL_NEED_WORKER();
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch.ok());
    const StartedWorker started(scratch->path().string());
    const std::string name = "attach-" + std::to_string(::getpid());
    printed("--attach " + name + " --new --idle 1 --device 5");
    EXPECT_EQ(started.words(), "--device 5");
}

TEST(WorkerProcess, ASupervisorWaitsAsLongAsWhoAttachesSays)
{
    KL_NEED_WORKER();
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch.ok());
    const StartedWorker started(scratch->path().string(), "exec cat");
    const std::string name = "wait-" + std::to_string(::getpid());
    const Result<std::filesystem::path> socket = workerSocket(name);
    ASSERT_TRUE(socket.ok());
    printed("--attach " + name + " --new --idle 1");
    EXPECT_EQ(started.words(), "");
    for (int i = 0; i < 6000 && std::filesystem::exists(*socket); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(std::filesystem::exists(*socket));
}

TEST(WorkerProcess, TheHelloOfARecordingIsThatOfItsGpu)
{
    KL_NEED_WORKER();
    const Answer answer = converse("", kReplaying);
    ASSERT_EQ(answer.events.size(), 1U);
    EXPECT_EQ(answer.events[0]["devices"][0]["name"], "NVIDIA H200");
    const std::string version = printed("--version").first;
    EXPECT_EQ("kloop-worker " + answer.events[0]["version"].get<std::string>() + "\n", version);
    EXPECT_EQ(answer.events[0]["protocol"], 1);
    EXPECT_EQ(converse("").events[0]["version"], answer.events[0]["version"]);
}

TEST(WorkerProcess, ARecordingOfAnotherVersionIsReplayedByThisOne)
{
    KL_NEED_WORKER();
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder);
    test::FakeCollector other;
    other.hello().version = "9.8.7";
    const std::unique_ptr<Recorder> recorder = recordFrom(other);
    recorder->add(Verb::run, {{"work", {{"kernel", "a/b"}}}}, Json::object());
    const std::string file = folder->path() / "other.zst";
    ASSERT_TRUE(recorder->save(file));
    const Answer answer = converse("", "--replay '" + file + "'");
    ASSERT_EQ(answer.events.size(), 1U);
    EXPECT_EQ("kloop-worker " + answer.events[0]["version"].get<std::string>() + "\n", printed("--version").first);
}

} // namespace
} // namespace kl
