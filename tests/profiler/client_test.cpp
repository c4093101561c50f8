// SPDX-License-Identifier: MIT
#include "fake_worker.h"
#include "profiler/protocol/address_taken.h"
#include "tests/support/process_end.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

namespace kl {
namespace {

using test::FakeWorker;
using testing::HasSubstr;

std::unique_ptr<Collector> started(const WorkerOptions& options)
{
    Result<std::unique_ptr<Collector>> worker = startWorker(options);
    EXPECT_TRUE(worker.ok()) << (worker ? "" : worker.error().message + worker.error().detail);
    return worker ? std::move(*worker) : nullptr;
}

Result<Json> ask(Collector& worker, const char* what, const Job& job = {})
{
    return worker.ask(Verb::run, FakeWorker::requestTo(what), job);
}

TEST(WorkerClient, SaysWhatTheHelloContained)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    ASSERT_TRUE(worker);
    EXPECT_EQ(worker->source(), Source::live);
    EXPECT_EQ(worker->hello().version, "fake");
    ASSERT_EQ(worker->hello().devices.size(), 1u);
    EXPECT_EQ(worker->hello().devices[0].name, "Fake GPU");
    EXPECT_FALSE(worker->hello().unavailable);
}

TEST(WorkerClient, AnswersSeveralRequestsFromOneWorker)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    for (int i = 0; i < 3; ++i) {
        const Result<Json> answer = ask(*worker, "echo");
        ASSERT_TRUE(answer.ok()) << answer.error().message;
        EXPECT_EQ((*answer)["starts"], 1);
    }
}

TEST(WorkerClient, SendsARequestLargerThanThePipe)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    const Result<Json> answer = worker->ask(Verb::run, Json{{"do", "echo"}, {"source", std::string(400'000, 'x')}}, {});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_GT((*answer)["length"].get<int>(), 400'000);
}

TEST(WorkerClient, HandsAPartOfTheAnswerOverBeforeTheAnswer)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    std::vector<Json> seen;
    Job job;
    job.partial = [&](const Json& body) { seen.push_back(body); };
    const Result<Json> answer = ask(*worker, "parts", job);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(seen[0], (Json{{"time", 5}}));
    EXPECT_EQ((*answer)["counters"], 7);
    EXPECT_TRUE(ask(*worker, "parts").ok()); // who does not ask for parts gets the answer alone
}

TEST(WorkerClient, HandsAProgramsOutputOverAsItComes)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    std::string seen;
    Job job;
    job.output = [&](std::string_view bytes, bool errors) { seen += std::string(bytes) + (errors ? "! " : " "); };
    ASSERT_TRUE(ask(*worker, "write", job).ok());
    EXPECT_EQ(seen, "out bad! ");
    EXPECT_TRUE(ask(*worker, "write").ok()); // who does not ask for it gets the answer alone
}

TEST(WorkerClient, HandsProgressToTheSink)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    std::vector<Progress> seen;
    const Result<Json> answer = ask(*worker, "steps", Job{[&](const Progress& p) { seen.push_back(p); }, {}});
    ASSERT_TRUE(answer.ok());
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].step, "pass 1 of 2");
    EXPECT_EQ(seen[0].expected, 2.0);
    EXPECT_EQ(seen[1].seq, 2);
    EXPECT_FALSE(seen[1].expected);
}

TEST(WorkerClient, PassesTheWorkersErrorOn)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    const Result<Json> answer = ask(*worker, "refuse");
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::badInput);
    EXPECT_EQ(answer.error().message, "No such entry.");
    EXPECT_EQ(answer.error().hint, "Check the name.");
    EXPECT_EQ(answer.error().detail, "log");
}

TEST(WorkerClient, ReportsADeathWithTheTailOfStderrAndStartsAfresh)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    const Result<Json> answer = ask(*worker, "die");
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::kernelFailed);
    EXPECT_THAT(answer.error().message, HasSubstr(" 3")) << "the exit status";
    EXPECT_THAT(answer.error().detail, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
    const Result<Json> next = ask(*worker, "echo");
    ASSERT_TRUE(next.ok()) << next.error().message;
    EXPECT_EQ((*next)["starts"], 2);
}

TEST(WorkerClient, AWorkerThatAnnouncesItsEndIsNotSentTheNextRequest)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    const Result<Json> answer = ask(*worker, "farewell");
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ((*answer)["failed"], true);
    const Result<Json> next = ask(*worker, "echo");
    ASSERT_TRUE(next.ok()) << next.error().message;
    EXPECT_EQ((*next)["starts"], 2);
}

TEST(WorkerClient, ARequestThatNeedsOtherAddressesGetsAnotherWorker)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    const Result<Json> placed = ask(*worker, "placed");
    ASSERT_TRUE(placed.ok()) << placed.error().message;
    EXPECT_EQ((*placed)["starts"], 3);
    const Result<Json> never = ask(*worker, "displaced");
    ASSERT_FALSE(never.ok());
    EXPECT_EQ(never.error().detail, kAddressTaken);
    const Result<Json> next = ask(*worker, "echo");
    ASSERT_TRUE(next.ok()) << next.error().message;
    EXPECT_EQ((*next)["starts"], 8) << "five more were tried, and the last is kept";
}

TEST(WorkerClient, EachWorkerWithOtherAddressesIsAStep)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    std::set<std::string> steps;
    const Job job{[&](const Progress& progress) { steps.insert(progress.step); }, {}};
    ASSERT_TRUE(ask(*worker, "placed", job).ok());
    EXPECT_EQ(steps.size(), 2U) << "two more were started";
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(ask(*worker, "echo", Job{{}, stop.get_token()}).error().where, toWord(Verb::run));
}

TEST(WorkerClient, AHelloInHandStaysAsItWasWhenAFreshWorkerSaysAnother)
{
    const FakeWorker fake("echo '{\"event\":\"hello\",\"protocol\":1,\"version\":\"'$starts'\",\"devices\":[],\"unavailable\":null}'\n");
    const auto worker = started(fake.options());
    const Hello& first = worker->hello();
    EXPECT_EQ(first.version, "0");
    EXPECT_FALSE(ask(*worker, "die").ok());
    EXPECT_TRUE(ask(*worker, "echo").ok());
    EXPECT_EQ(worker->hello().version, "1");
    EXPECT_EQ(first.version, "0");
}

TEST(WorkerClient, NamesTheSignalOfACrash)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    const Result<Json> answer = ask(*worker, "crash");
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::kernelFailed);
    EXPECT_THAT(answer.error().message, HasSubstr("Segmentation fault"));
}

TEST(WorkerClient, KillsASilentWorker)
{
    const FakeWorker fake;
    WorkerOptions options = fake.options();
    options.silence = std::chrono::seconds(3); // of the answer that follows, too
    const auto worker = started(options);
    const Result<Json> answer = ask(*worker, "hang");
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::kernelFailed);
    EXPECT_THAT(answer.error().message, testing::ContainsRegex(" [0-9]+ s ")) << "how long it was silent";
    EXPECT_THAT(answer.error().detail, HasSubstr("last words before the hang"));
    EXPECT_TRUE(ask(*worker, "echo").ok());
}

TEST(WorkerClient, AHeartbeatDoesNotExtendAStepsDeadline)
{
    const FakeWorker fake;
    WorkerOptions options = fake.options();
    options.deadline = std::chrono::seconds(2);
    const auto worker = started(options);
    const Result<Json> answer = ask(*worker, "beat");
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::kernelFailed);
    EXPECT_THAT(answer.error().message, HasSubstr("\"kernel\""));
    EXPECT_THAT(answer.error().message, HasSubstr(" 2 s ")) << "the deadline";
}

TEST(WorkerClient, TheDeadlineIsOfAStepNotOfTheWholeRequest)
{
    const FakeWorker fake;
    WorkerOptions options = fake.options();
    options.deadline = std::chrono::seconds(4); // of each of the three steps, which take 4.5 s together
    const auto worker = started(options);
    const Result<Json> answer = ask(*worker, "long");
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ((*answer)["done"], true);
}

TEST(WorkerClient, AnAnswerThatCameWhileWeStoodStillIsTakenPastTheLimit)
{
    constexpr std::chrono::seconds kLimit{3};
    const FakeWorker fake;
    WorkerOptions options = fake.options();
    options.silence = kLimit;
    options.deadline = kLimit;
    const auto worker = started(options);
    const Job job{[&](const Progress&) {
                      fake.touch("go");
                      while (fake.file("written").empty())
                          std::this_thread::sleep_for(std::chrono::milliseconds(10));
                      std::this_thread::sleep_for(kLimit + std::chrono::milliseconds(100));
                  },
                  {}};
    const Result<Json> answer = ask(*worker, "overtaken", job);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_TRUE(answer->contains("right"));
}

TEST(WorkerClient, KillsTheWholeProcessGroup)
{
    const FakeWorker fake;
    WorkerOptions options = fake.options();
    options.cancel = std::chrono::milliseconds(100);
    const auto worker = started(options);
    std::stop_source stop;
    const Job job{[&](const Progress&) { stop.request_stop(); }, stop.get_token()}; // the grandchild is noted then
    ASSERT_FALSE(ask(*worker, "grandchild", job).ok());
    EXPECT_TRUE(endsSoon(std::stoi(fake.file("grandchild"))));
}

TEST(WorkerClient, CancelsPolitely)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    std::stop_source stop;
    const Job job{[&](const Progress&) { stop.request_stop(); }, stop.get_token()};
    const Result<Json> answer = ask(*worker, "polite", job);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::interrupted);
    const Result<Json> next = ask(*worker, "echo");
    ASSERT_TRUE(next.ok());
    EXPECT_EQ((*next)["starts"], 1) << "a worker that heeds the cancel is kept";
}

TEST(WorkerClient, KillsAWorkerThatIgnoresTheCancel)
{
    const FakeWorker fake;
    WorkerOptions options = fake.options();
    options.cancel = std::chrono::milliseconds(300);
    const auto worker = started(options);
    std::stop_source stop;
    const Job job{[&](const Progress&) { stop.request_stop(); }, stop.get_token()};
    const Result<Json> answer = ask(*worker, "beat", job);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::interrupted);
    const Result<Json> next = ask(*worker, "echo");
    ASSERT_TRUE(next.ok());
    EXPECT_EQ((*next)["starts"], 2);
}

TEST(WorkerClient, AStopBeforeTheRequestSendsNothing)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    std::stop_source stop;
    stop.request_stop();
    const Result<Json> answer = ask(*worker, "die", Job{{}, stop.get_token()});
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::interrupted);
    EXPECT_EQ((*ask(*worker, "echo"))["starts"], 1);
}

TEST(WorkerClient, IgnoresAnAnswerToAnotherRequest)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    const Result<Json> answer = ask(*worker, "late");
    ASSERT_TRUE(answer.ok());
    EXPECT_TRUE(answer->contains("right"));
}

TEST(WorkerClient, ALineThatIsNoEventIsAnInternalErrorThatShowsIt)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    const Result<Json> answer = ask(*worker, "garbage");
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::internal);
    EXPECT_THAT(answer.error().message, HasSubstr("printf from the kernel"));
    EXPECT_TRUE(ask(*worker, "echo").ok());
}

TEST(WorkerClient, AFullErrorStreamDoesNotBlockTheWorker)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    EXPECT_TRUE(ask(*worker, "noise").ok());
    const Result<Json> answer = ask(*worker, "die");
    ASSERT_FALSE(answer.ok());
    EXPECT_LE(answer.error().detail.size(), 8192u);
    EXPECT_THAT(answer.error().detail, HasSubstr("stderr line 2999"));
}

TEST(WorkerClient, AnErrorStreamThatNeverEndsHidesNoAnswerAndIsBounded)
{
    const FakeWorker fake;
    const auto worker = started(fake.options());
    const Result<Json> answer = ask(*worker, "flood");
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ((*answer)["through"], true);
    const Result<Json> death = ask(*worker, "die");
    ASSERT_FALSE(death.ok());
    EXPECT_LE(death.error().detail.size(), 8192u);
    EXPECT_EQ((*ask(*worker, "echo"))["starts"], 2);
}

TEST(WorkerClient, ClosingItEndsTheWorker)
{
    const FakeWorker fake;
    started(fake.options()).reset();
    EXPECT_FALSE(fake.file("farewell").empty());
}

TEST(WorkerClient, AMissingProgramIsAnEnvironmentError)
{
    WorkerOptions options;
    options.program = "/nonexistent/kloop-worker";
    const auto worker = startWorker(options);
    ASSERT_FALSE(worker.ok());
    EXPECT_EQ(worker.error().code, ErrorCode::environment);
    EXPECT_THAT(worker.error().message, HasSubstr("/nonexistent/kloop-worker"));
}

TEST(WorkerClient, AWorkerThatNeverSaysHelloIsAnEnvironmentError)
{
    const FakeWorker fake("sleep 1000\n");
    WorkerOptions options = fake.options();
    options.hello = std::chrono::milliseconds(200);
    const auto worker = startWorker(options);
    ASSERT_FALSE(worker.ok());
    EXPECT_EQ(worker.error().code, ErrorCode::environment);
}

TEST(WorkerClient, AWorkerThatDiesBeforeItsHelloSaysWhy)
{
    const FakeWorker fake("echo 'libfoo.so.1 not found' >&2; exit 127\n");
    const auto worker = startWorker(fake.options());
    ASSERT_FALSE(worker.ok());
    EXPECT_EQ(worker.error().code, ErrorCode::environment);
    EXPECT_THAT(worker.error().message, HasSubstr("status 127"));
    EXPECT_THAT(worker.error().detail, HasSubstr("libfoo.so.1"));
}

TEST(WorkerClient, AnotherProtocolIsRefused)
{
    const FakeWorker fake(R"(echo '{"event":"hello","protocol":99,"version":"9.9","devices":[]}')"
                          "\n");
    const auto worker = startWorker(fake.options());
    ASSERT_FALSE(worker.ok());
    EXPECT_EQ(worker.error().code, ErrorCode::environment);
    EXPECT_THAT(worker.error().message, HasSubstr("99"));
}

} // namespace
} // namespace kl
