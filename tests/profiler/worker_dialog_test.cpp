// SPDX-License-Identifier: MIT
// What a client writes to its worker, word for word, and how it takes what is unusual in the answers.
#include "core/base/timings.h"
#include "fake_worker.h"
#include "profiler/client/contents.h"
#include "tests/support/process_end.h"
#include "tests/support/set_variable.h"

#include <chrono>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using test::FakeWorker;

/// A worker that writes each line which it reads to the file "lines" and does `cases` with it; before the loop of FakeWorker, which it
/// never reaches.
std::string dialogLoop(const std::string& hello, const std::string& cases)
{
    return hello + R"sh(
say() { echo "{\"event\":\"$1\",\"id\":$id$2}"; }
while read -r line; do
    printf '%s\n' "$line" >> lines
    id=${line#*\"id\":}; id=${id%%,*}; id=${id%%\}*}
    case "$line" in
)sh" + cases +
           R"sh(
    *'"verb":"shutdown"'*) exit 0 ;;
    *) say result ",\"body\":{\"starts\":$(cat starts)}" ;;
    esac
done
exit 0
)sh";
}

std::unique_ptr<Collector> openDialog(const WorkerOptions& options)
{
    Result<std::unique_ptr<Collector>> worker = startWorker(options);
    EXPECT_TRUE(worker.ok()) << (worker ? "" : worker.error().message + worker.error().detail);
    return worker ? std::move(*worker) : nullptr;
}

/// A job that is stopped by its first progress.
struct StoppedByProgress {
    std::stop_source source;
    Job job{[this](const Progress&) { source.request_stop(); }, source.get_token()};
};

TEST(WorkerDialog, ACancelNamesTheRequestThatItIsAbout)
{
    const FakeWorker fake(dialogLoop(FakeWorker::kHello, R"sh(
    *'"do":"work"'*) say progress ',"seq":1,"step":"kernel","elapsed_s":1'
        read -r cancel; printf '%s\n' "$cancel" > canceled; sleep 0.1
        say error ',"code":"interrupted","message":"Canceled."' ;;
    *'"verb":"cancel"'*) echo again > repeated ;;
)sh"));
    const auto worker = openDialog(fake.options());
    ASSERT_TRUE(worker);
    ASSERT_TRUE(worker->ask(Verb::run, Json::object(), {}).ok());
    StoppedByProgress stopped;
    EXPECT_EQ(worker->ask(Verb::run, FakeWorker::requestTo("work"), stopped.job).error().code, ErrorCode::interrupted);
    const Json first = Json::parse(fake.file("lines"));
    EXPECT_EQ(first["verb"], "run");
    EXPECT_EQ(first["body"], Json::object());
    const Json cancel = Json::parse(fake.file("canceled"));
    EXPECT_EQ(cancel["verb"], kCancel);
    EXPECT_EQ(cancel["body"]["id"], first["id"].get<int>() + 1) << "the second request";
    EXPECT_GT(cancel["id"], cancel["body"]["id"]);
    ASSERT_TRUE(worker->ask(Verb::run, Json::object(), {}).ok());
    EXPECT_EQ(fake.file("repeated"), "") << "once is enough";
}

TEST(WorkerDialog, ADeathOnceItWasCanceledIsTheEndOfACanceledRequest)
{
    const FakeWorker fake(dialogLoop(FakeWorker::kHello, R"sh(
    *'"do":"work"'*) say progress ',"seq":1,"step":"kernel","elapsed_s":1'; read -r cancel; exit 3 ;;
)sh"));
    const auto worker = openDialog(fake.options());
    ASSERT_TRUE(worker);
    StoppedByProgress stopped;
    EXPECT_EQ(worker->ask(Verb::run, FakeWorker::requestTo("work"), stopped.job).error().code, ErrorCode::interrupted);
    EXPECT_EQ((*worker->ask(Verb::run, Json::object(), {}))["starts"], 2);
}

TEST(WorkerDialog, WhatAWorkerLeavesRunningDoesNotHideItsEnd)
{
    const FakeWorker fake(dialogLoop(FakeWorker::kHello, R"sh(
    *'"do":"work"'*) sleep 1000 & echo $! > left; say progress ',"seq":1,"step":"kernel","elapsed_s":1'; exit 3 ;;
)sh"));
    const auto worker = openDialog(fake.options());
    ASSERT_TRUE(worker);
    EXPECT_EQ(worker->ask(Verb::run, FakeWorker::requestTo("work"), {}).error().code, ErrorCode::kernelFailed);
    EXPECT_TRUE(endsSoon(std::stoi(fake.file("left"))));
}

TEST(WorkerDialog, ALongAnswerBehindOtherEventsIsReadWhole)
{
    const FakeWorker fake(dialogLoop(FakeWorker::kHello, R"sh(
    *'"do":"work"'*) say progress ',"seq":1,"step":"a"'; echo; say progress ',"seq":2,"step":"b"'; printf '\n\n'
        printf '{"event":"result","id":%s,"body":{"text":"' $id; head -c 300000 /dev/zero | tr '\0' x
        printf '","end":1}}\n{"event":"progress","seq":3,"step":"late"}\n' ;;
)sh"));
    const auto worker = openDialog(fake.options());
    ASSERT_TRUE(worker);
    std::vector<std::string> steps;
    const Job job{[&](const Progress& progress) { steps.push_back(progress.step); }, {}};
    const Result<Json> answer = worker->ask(Verb::run, FakeWorker::requestTo("work"), job);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ((*answer)["text"], std::string(300'000, 'x'));
    EXPECT_EQ((*answer)["end"], 1);
    EXPECT_EQ(steps, (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(worker->ask(Verb::run, Json::object(), {}).ok());
}

TEST(WorkerDialog, TheFirstEventIsAHelloOrTheErrorOfARelay)
{
    const FakeWorker early("echo '{\"event\":\"progress\",\"seq\":1,\"step\":\"x\"}'; exec sleep 1000\n");
    EXPECT_EQ(startWorker(early.options()).error().code, ErrorCode::environment);
    const FakeWorker relay(
        "echo '{\"event\":\"error\",\"code\":\"refused\",\"message\":\"m\",\"where\":\"ssh:gpu7\",\"last\":true}'; exit 5\n");
    const Error error = startWorker(relay.options()).error();
    EXPECT_EQ(error.code, ErrorCode::refused);
    EXPECT_EQ(error.where, "ssh:gpu7");
    const FakeWorker garbled("echo 'nothing of ours'; exec sleep 1000\n");
    EXPECT_EQ(startWorker(garbled.options()).error().code, ErrorCode::environment);
}

TEST(WorkerDialog, AStopWhileItStartsEndsTheWait)
{
    const FakeWorker silent("echo $$ > pid; exec sleep 1000\n");
    WorkerOptions options = silent.options();
    std::stop_source stop;
    stop.request_stop();
    options.opening.stop = stop.get_token();
    EXPECT_EQ(startWorker(options).error().code, ErrorCode::interrupted);
}

/// The parts of the time that a worker reported as "a" and "b".
std::pair<TimedPart, TimedPart> phasesNoted()
{
    std::pair<TimedPart, TimedPart> parts;
    for (const TimedPart& part : takeTimings()) {
        if (part.name == "worker: a")
            parts.first = part;
        if (part.name == "worker: b")
            parts.second = part;
    }
    return parts;
}

TEST(WorkerDialog, PhasesOfAnotherHostEndedWhenTheirAnswerCame)
{
    const std::string work = R"sh(
    *'"do":"work"'*) say result ',"body":{},"phases":[{"name":"a","begin_ns":100,"end_ns":200},{"name":"b","begin_ns":150,"end_ns":400}]' ;;
)sh";
    for (const char* host : {"", "gpu7"}) {
        const FakeWorker fake(dialogLoop(FakeWorker::kHello, work));
        WorkerOptions options = fake.options();
        options.host = host;
        const auto worker = openDialog(options);
        ASSERT_TRUE(worker);
        EXPECT_EQ(worker->remoteHost(), host);
        (void)takeTimings();
        const auto begin = std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
        ASSERT_TRUE(worker->ask(Verb::run, FakeWorker::requestTo("work"), {}).ok());
        const auto [a, b] = phasesNoted();
        EXPECT_EQ(a.endNs - a.beginNs, 100);
        EXPECT_EQ(b.endNs - b.beginNs, 250);
        EXPECT_EQ(b.endNs - a.endNs, 200);
        if (*host) {
            EXPECT_GE(b.endNs, begin) << "by our clock";
        } else {
            EXPECT_EQ(b.endNs, 400) << "the clocks are one";
        }
    }
}

constexpr const char* kHelloWithContents = R"(echo '{"event":"hello","protocol":1,"version":"fake","devices":[],"contents":true}')"
                                           "\n";

/// Notes in the file "verbs" what it is asked: it lacks every part that it is asked about. `run`: what it does with a request.
std::string contentsLoop(const std::string& run)
{
    return dialogLoop(kHelloWithContents, R"sh(
    *'"verb":"have"'*) printf 'have ' >> verbs; hashes=${line#*\"hashes\":}; say result ",\"body\":{\"missing\":${hashes%%]*}]}" ;;
    *'"verb":"keep"'*) printf 'keep ' >> verbs; say result ',"body":{}' ;;
    *'"verb":"run"'*) case $line in *content*) printf 'short ' >> verbs ;; *) printf 'whole ' >> verbs ;; esac
        )sh" + run + R"sh( ;;
)sh");
}

Json requestWithText(const char* what)
{
    return {{"do", what}, {"source", std::string(kLongText, 'x')}};
}

TEST(WorkerDialog, AFreshWorkerIsAskedAgainWhatItHas)
{
    const FakeWorker fake(contentsLoop(R"sh(case $line in *'"do":"die"'*) exit 3 ;; esac; say result ',"body":{}')sh"));
    WorkerOptions options = fake.options();
    options.host = "gpu7";
    const auto worker = openDialog(options);
    ASSERT_TRUE(worker);
    std::vector<std::string> steps;
    const Job job{[&](const Progress& progress) { steps.push_back(progress.step); }, {}};
    for (const char* what : {"work", "work", "die", "work"})
        EXPECT_EQ(worker->ask(Verb::run, requestWithText(what), job).ok(), std::string(what) == "work");
    EXPECT_EQ(fake.file("verbs"), "have keep short short short have keep short ");
    EXPECT_EQ(steps.size(), 2U) << "each part that is sent is progress";
}

TEST(WorkerDialog, AWorkerThatLosesPartsTwiceIsSentTheWholeRequest)
{
    const FakeWorker fake(contentsLoop(R"sh(case $line in
        *content*) say error ',"code":"not-found","message":"m","where":"$content"' ;;
        *) say result ',"body":{"whole":true}' ;; esac)sh"));
    WorkerOptions options = fake.options();
    options.host = "gpu7";
    const auto worker = openDialog(options);
    ASSERT_TRUE(worker);
    const Result<Json> answer = worker->ask(Verb::run, requestWithText("work"), {});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ((*answer)["whole"], true);
    EXPECT_EQ(fake.file("verbs"), "have keep short have keep short whole ");
}

TEST(WorkerDialog, AWorkerThatIsLostWhileItIsSentPartsIsTheError)
{
    const std::string lost = R"sh(say error ',"code":"environment","message":"m","where":"ssh:gpu7","last":true'; exit 5)sh";
    const std::string full = R"sh(say error ',"code":"environment","message":"m","where":"/cache"')sh";
    for (const std::string& answer : {lost, full, std::string("exit 3")}) {
        const FakeWorker fake(dialogLoop(kHelloWithContents, "    *'\"verb\":\"have\"'*) " + answer + " ;;\n"));
        WorkerOptions options = fake.options();
        options.host = "gpu7";
        const auto worker = openDialog(options);
        ASSERT_TRUE(worker);
        const Result<Json> requested = worker->ask(Verb::run, requestWithText("work"), {});
        EXPECT_EQ(requested.ok(), answer == full) << "one that cannot keep them gets the whole request";
        if (!requested) {
            EXPECT_EQ(requested.error().code, answer == lost ? ErrorCode::environment : ErrorCode::kernelFailed);
        }
        EXPECT_TRUE(worker->ask(Verb::run, Json::object(), {}).ok());
    }
}

TEST(WorkerDialog, AWorkerOfThisHostOrOneThatKeepsNothingGetsWholeRequests)
{
    for (const bool remote : {false, true}) {
        const FakeWorker fake(remote ? dialogLoop(FakeWorker::kHello, "") : contentsLoop("say result ',\"body\":{}'"));
        WorkerOptions options = fake.options();
        options.host = remote ? "gpu7" : "";
        const auto worker = openDialog(options);
        ASSERT_TRUE(worker);
        ASSERT_TRUE(worker->ask(Verb::run, requestWithText("work"), {}).ok());
        EXPECT_EQ(Json::parse(fake.file("lines"))["body"], requestWithText("work"));
    }
}

TEST(WorkerDialog, AToolStartsTheWorkerWithItsArguments)
{
    const FakeWorker fake(std::string("echo \"$KL_UNDER $*\" > arguments\n") + FakeWorker::kHello);
    const std::filesystem::path script = testing::TempDir() + "kl-under-" + std::to_string(::getpid());
    std::ofstream(script) << "#!/bin/sh\n" << fake.options().arguments[1] << '\n';
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    WorkerOptions options = fake.options();
    options.program = script;
    options.arguments = {"--replay", "x"};
    options.gpu = "GPU-7";
    options.under = {"/usr/bin/env", "KL_UNDER=memcheck"};
    EXPECT_TRUE(openDialog(options));
    EXPECT_EQ(fake.file("arguments"), "memcheck --orderly-end --replay x --device GPU-7");
    std::filesystem::remove(script);
}

TEST(WorkerDialog, TheProgramIsTheOneNamedOrThatOfTheEnvironmentOrTheOneBeside)
{
    WorkerOptions named;
    named.program = "/opt/worker";
    const support::SetVariable other("KERNELLOOP_WORKER", "/other/worker");
    EXPECT_EQ(workerProgram(named), "/opt/worker");
    EXPECT_EQ(workerProgram({}), "/other/worker");
    for (const char* none : {"", static_cast<const char*>(nullptr)}) {
        const support::SetVariable unset("KERNELLOOP_WORKER", none);
        EXPECT_EQ(workerProgram({}), std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kloop-worker");
    }
}

} // namespace
} // namespace kl
