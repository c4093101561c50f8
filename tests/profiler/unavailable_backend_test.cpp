// SPDX-License-Identifier: MIT
// The worker of a build without CUDA, or of a machine where nothing can be measured.
#include "core/base/host_name.h"
#include "profiler/live/backend/backend.h"
#include "profiler/live/python/python_baseline.h"
#include "profiler/protocol/message_codec.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr const char* kWhyNot = "Nothing can be measured.";

TEST(UnavailableBackend, TellsWhyInItsGreeting)
{
    const auto backend = makeUnavailableBackend("1.2", kWhyNot, "Take another machine.");
    EXPECT_EQ(backend->hello().version, "1.2");
    EXPECT_EQ(backend->hello().host, hostName());
    EXPECT_EQ(backend->hello().unavailable, "Nothing can be measured. Take another machine.");
    EXPECT_TRUE(backend->hello().devices.empty());
    EXPECT_FALSE(backend->isLost());
    EXPECT_EQ(makeUnavailableBackend("1.2", kWhyNot, "")->hello().unavailable, kWhyNot);
}

TEST(UnavailableBackend, AnswersTheProbeAndTheCheckAlone)
{
    const auto backend = makeUnavailableBackend("1.2", kWhyNot, "");
    const Result<Json> probed = backend->answer(Verb::probe, Json::object(), {});
    ASSERT_TRUE(probed) << probed.error().message;
    const Result<ProbeAnswer> probe = fromJsonMessage<ProbeAnswer>(*probed);
    ASSERT_TRUE(probe) << probe.error().message;
    EXPECT_FALSE(probe->countersPermitted);
    EXPECT_EQ(probe->countersReason, kWhyNot);
    EXPECT_EQ(probe->python, describePython());
    EnvRequest request;
    request.requiredTorch = "2.9.1";
    const Result<Json> checked = backend->answer(Verb::environment, toJsonMessage(request), {});
    ASSERT_TRUE(checked) << checked.error().message;
    const Result<EnvReport> report = fromJsonMessage<EnvReport>(*checked);
    ASSERT_TRUE(report) << report.error().message;
    const auto line = [&](const std::string& id) { return *std::ranges::find(report->checks, id, &EnvCheck::id); };
    EXPECT_EQ(line("gpu").result, CheckResult::fail);
    EXPECT_NE(line("gpu").found.find(kWhyNot), std::string::npos) << line("gpu").found;
    EXPECT_EQ(line("torch").requirement, Requirement::required) << "by the request";
    EXPECT_EQ(line("smoke-kernel").result, CheckResult::skipped);
    EXPECT_FALSE(backend->answer(Verb::environment, Json{{"required_torch", 7}}, {}));
    for (const Verb verb : {Verb::metrics, Verb::build, Verb::buildMany, Verb::compile, Verb::run, Verb::profile, Verb::count, Verb::launch,
                            Verb::compare, Verb::sanitize, Verb::timeline}) {
        const Result<Json> refused = backend->answer(verb, Json::object(), {});
        ASSERT_FALSE(refused) << toWord(verb);
        EXPECT_EQ(refused.error().code, ErrorCode::environment);
        EXPECT_EQ(refused.error().message, kWhyNot);
        EXPECT_EQ(refused.error().where, "kloop-worker");
        ASSERT_EQ(refused.error().next.size(), 1U);
        EXPECT_EQ(refused.error().next[0].id, StepId::checkEnvironment);
    }
}

} // namespace
} // namespace kl
