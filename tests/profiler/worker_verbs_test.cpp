// SPDX-License-Identifier: MIT
// Each verb of a worker that is shown no GPU: what it answers all the same, and how it refuses the rest.
#ifdef KL_HAVE_LIVE
#include "core/codec/json.h"
#include "profiler/live/cuda/device.h"
#include "profiler/live/cupti/activity.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/python/python_baseline.h"
#include "profiler/protocol/message_codec.h"
#include "tests/support/build_folder.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

namespace kl {
namespace {

/// The answers by id; 0: the hello.
std::map<int, Json> answersTo(const std::vector<std::pair<std::string, Json>>& requests)
{
    const std::string file = testing::TempDir() + "kl_worker_verbs_" + std::to_string(::getpid()) + ".jsonl";
    std::ofstream out(file);
    for (std::size_t i = 0; i < requests.size(); ++i)
        out << encode(Json{{"id", i + 1}, {"verb", requests[i].first}, {"body", requests[i].second}}) << '\n';
    out.close();
    FILE* pipe = ::popen(("CUDA_VISIBLE_DEVICES= '" + test::kBuiltWorker + "' <'" + file + "' 2>/dev/null").c_str(), "r");
    std::string text;
    std::array<char, 4096> chunk{};
    for (std::size_t got = 0; (got = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;)
        text.append(chunk.data(), got);
    ::pclose(pipe);
    std::filesystem::remove(file);
    std::map<int, Json> answers;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (const Result<Json> event = parseJson(line, "event"); event && (*event)["event"] != "progress")
            answers[(*event)["event"] == "hello" ? 0 : event->value("id", -1)] = *event;
    return answers;
}

class WorkerVerbs : public testing::Test {
protected:
    void SetUp() override
    {
        if (!std::filesystem::exists(test::kBuiltWorker))
            GTEST_SKIP() << "kloop-worker is not built";
    }
};

TEST_F(WorkerVerbs, WhatNeedsAGpuIsRefusedWithTheCheckAsTheNextStep)
{
    const std::vector<std::string> verbs{"compile", "run", "profile", "count", "launch", "ab", "timeline"};
    std::vector<std::pair<std::string, Json>> requests;
    for (const std::string& verb : verbs)
        requests.emplace_back(verb, Json::object());
    requests.emplace_back("metrics", Json::object());
    const std::map<int, Json> answers = answersTo(requests);
    ASSERT_EQ(answers.size(), requests.size() + 1);
    const std::string why = answers.at(0)["unavailable"];
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Json& answer = answers.at(static_cast<int>(i) + 1);
        EXPECT_EQ(answer["event"], "error") << requests[i].first;
        EXPECT_EQ(answer["code"], "environment") << requests[i].first;
        EXPECT_EQ(answer["message"], why) << requests[i].first;
        EXPECT_EQ(answer["next_steps"].size(), 1U) << requests[i].first;
    }
}

TEST_F(WorkerVerbs, ASanitizerNeedsAWorkerOfItsOwn)
{
    const std::map<int, Json> answers = answersTo({{"sanitize", Json::object()}});
    EXPECT_EQ(answers.at(1)["event"], "error");
    EXPECT_EQ(answers.at(1)["code"], "environment");
    EXPECT_EQ(answers.at(1)["where"], "sanitize");
}

TEST_F(WorkerVerbs, TheProbeTellsWhatIsThereBesidesTheGpu)
{
    const std::map<int, Json> answers = answersTo({{"probe", Json::object()}});
    ASSERT_EQ(answers.at(1)["event"], "result");
    const Result<ProbeAnswer> probed = fromJsonMessage<ProbeAnswer>(answers.at(1)["body"]);
    ASSERT_TRUE(probed) << probed.error().message;
    EXPECT_TRUE(probed->devices.empty());
    EXPECT_FALSE(probed->countersPermitted);
    EXPECT_EQ(probed->countersReason, answers.at(0).at("unavailable").get<std::string>());
    EXPECT_EQ(probed->python, describePython());
    const Result<Nvrtc>& compiler = Nvrtc::load();
    EXPECT_EQ(probed->nvrtcVersion, compiler ? compiler->version() : "");
    const Result<std::string> counters = cuptiVersion();
    EXPECT_EQ(probed->cuptiVersion, counters ? *counters : "");
}

TEST_F(WorkerVerbs, WhyThereIsNoGpuIsToldWithWhatCanBeDoneAboutIt)
{
    const Result<std::vector<DeviceInfo>> devices = listDevices();
    if (devices)
        GTEST_SKIP() << "this machine has a GPU";
    ASSERT_FALSE(devices.error().hint.empty());
    const std::map<int, Json> answers = answersTo({{"run", Json::object()}});
    EXPECT_EQ(answers.at(0)["unavailable"], devices.error().message + ' ' + devices.error().hint);
    EXPECT_TRUE(answers.at(0)["devices"].empty());
    EXPECT_TRUE(answers.at(0)["device"].is_null() || answers.at(0)["device"] == 0);
}

TEST_F(WorkerVerbs, TheEnvironmentIsCheckedByWhatTheWorkerFound)
{
    const std::map<int, Json> answers = answersTo({{"env", toJsonMessage(EnvRequest{})}});
    ASSERT_EQ(answers.at(1)["event"], "result");
    const Result<EnvReport> report = fromJsonMessage<EnvReport>(answers.at(1)["body"]);
    ASSERT_TRUE(report) << report.error().message;
    std::map<std::string, EnvCheck> lines;
    for (const EnvCheck& check : report->checks)
        lines[check.id] = check;
    EXPECT_EQ(lines.at("gpu").result, CheckResult::fail);
    EXPECT_EQ(lines.at("smoke-kernel").result, CheckResult::skipped);
    EXPECT_EQ(lines.at("counters").result, CheckResult::skipped);
    if (const Result<Nvrtc>& compiler = Nvrtc::load(); compiler) {
        EXPECT_EQ(lines.at("nvrtc").result, CheckResult::pass);
        EXPECT_EQ(lines.at("nvrtc").found, "NVRTC " + compiler->version());
    }
}

TEST_F(WorkerVerbs, MetricsOfAChipNeedNoGpu)
{
    if (const auto& loaded = CuptiApi::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    MetricsRequest hopper;
    hopper.chip = "GH100";
    hopper.metrics = {"dram__bytes_read.sum"};
    MetricsRequest none = hopper;
    none.chip = "GH999";
    const std::map<int, Json> answers = answersTo({{"metrics", toJsonMessage(hopper)}, {"metrics", toJsonMessage(none)}});
    ASSERT_EQ(answers.at(1)["event"], "result") << answers.at(1).dump();
    const Result<MetricsAnswer> described = fromJsonMessage<MetricsAnswer>(answers.at(1)["body"]);
    ASSERT_TRUE(described) << described.error().message;
    EXPECT_EQ(described->chip, "GH100");
    EXPECT_EQ(described->names, hopper.metrics);
    EXPECT_EQ(answers.at(2)["event"], "error");
}

TEST_F(WorkerVerbs, CompilingNeedsNoGpu)
{
    if (const auto& loaded = Nvrtc::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    BuildRequest one;
    one.work.kernel = "mine/k";
    one.work.source = "extern \"C\" __global__ void k(float* x) { x[0] = 1; }";
    one.arch = "sm_80";
    BuildManyRequest many;
    many.source = one.work.source;
    many.points = {{"first", {}, {}, {{"k", 32, 0}}}};
    const std::map<int, Json> answers = answersTo({{"build", toJsonMessage(one)}, {"build-many", toJsonMessage(many)}});
    ASSERT_EQ(answers.at(1)["event"], "result") << answers.at(1).dump();
    const Result<CompileAnswer> built = fromJsonMessage<CompileAnswer>(answers.at(1)["body"]);
    ASSERT_TRUE(built) << built.error().message;
    EXPECT_EQ(built->arch, "sm_80");
    EXPECT_EQ(built->status, ResultStatus::ok);
    ASSERT_EQ(answers.at(2)["event"], "result") << answers.at(2).dump();
    const Result<BuildManyAnswer> points = fromJsonMessage<BuildManyAnswer>(answers.at(2)["body"]);
    ASSERT_TRUE(points) << points.error().message;
    ASSERT_EQ(points->points.size(), 1U);
    EXPECT_TRUE(points->points[0].ok);
    EXPECT_EQ(points->points[0].kernel, "first");
}

} // namespace
} // namespace kl
#endif
