// SPDX-License-Identifier: MIT
#include "core/base/host_name.h"
#include "core/codec/json.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace kl {
namespace {

const std::string kWorker = std::string(KL_BINARY_DIR) + "/bin/kloop-worker";

#define KL_NEED_WORKER()                                                                                                                   \
    if (!std::filesystem::exists(kWorker))                                                                                                 \
    GTEST_SKIP() << "kloop-worker is not built"

struct Answer {
    std::vector<Json> events;
    int status = -1;
};

/// Feeds lines to a worker that is shown no GPU, and reads every event until it ends.
Answer converse(const std::string& input)
{
    const std::string file = testing::TempDir() + "kl_worker_" + std::to_string(::getpid()) + ".jsonl";
    std::ofstream(file) << input;
    Answer answer;
    FILE* pipe = ::popen(("CUDA_VISIBLE_DEVICES= '" + kWorker + "' <'" + file + "' 2>/dev/null").c_str(), "r");
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
    EXPECT_FALSE(answer.events[1]["hint"].get<std::string>().empty());
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

TEST(WorkerProcess, ShutdownEndsItCleanly)
{
    KL_NEED_WORKER();
    const Answer answer = converse("{\"id\":1,\"verb\":\"shutdown\",\"body\":{}}\n");
    EXPECT_EQ(answer.status, 0);
}

} // namespace
} // namespace kl
