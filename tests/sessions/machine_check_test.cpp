// SPDX-License-Identifier: MIT
// What the environment check asks of a worker for a project, and what it says of a build that does not run.
#include "core/base/sha256.h"
#include "sessions/measure/machine_check.h"
#include "sessions/measure/project_file.h"
#include "tests/support/fake_collector.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl::test {
namespace {

using support::TempDir;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kProject =
    R"({"schema": 1, "torch": "2.4", "extension": {"module": "fast", "build": "make", "max_jobs": 3, "timeout_s": 60}})";

class CheckedGpu final : public FakeCollector {
public:
    explicit CheckedGpu(Source source = Source::live) : FakeCollector(source) {}
    std::string remoteHost() const override { return host; }
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        requests.push_back(*fromJsonMessage<EnvRequest>(body));
        if (refusal && requests.back().extension)
            return *refusal;
        return FakeCollector::ask(verb, body, job);
    }
    std::string host;
    std::optional<Error> refusal;
    std::vector<EnvRequest> requests;
};

class MachineChecks : public testing::Test {
protected:
    MachineChecks() { support::writeBytes(project(), kProject); }
    std::string project() const { return (folder_ / "kernelloop.json").string(); }
    EnvReport check(const MachineCheck& wanted)
    {
        const Result<EnvReport> report = checkMachine(catalog_, gpu, wanted, {});
        EXPECT_TRUE(report) << report.error().message;
        return report ? *report : EnvReport{};
    }
    static const EnvCheck* row(const EnvReport& report, const std::string& id)
    {
        const auto found = std::ranges::find(report.checks, id, &EnvCheck::id);
        return found == report.checks.end() ? nullptr : &*found;
    }
    TempDir folder_;
    TempDir state_;
    support::SetVariable variable_{"XDG_STATE_HOME", state_.path().c_str()};
    Catalog catalog_ = *Catalog::loadEmbedded();
    CheckedGpu gpu;
};

TEST_F(MachineChecks, AskForWhatTheProjectNeeds)
{
    const EnvReport report = check({project(), {}, "/data"});
    ASSERT_THAT(gpu.requests, SizeIs(1));
    const EnvRequest& requested = gpu.requests[0];
    EXPECT_EQ(requested.requiredTorch, "2.4");
    EXPECT_EQ(requested.diskPath, "/data");
    EXPECT_TRUE(requested.smoke);
    ASSERT_TRUE(requested.extension);
    EXPECT_EQ(requested.extension->module, "fast");
    EXPECT_EQ(requested.extension->maxJobs, 3);
    EXPECT_EQ(requested.extension->timeoutSeconds, 60);
    EXPECT_EQ(requested.extension->logFile, report.logFile) << "the build writes into the same log";
    EXPECT_FALSE(report.logFile.empty());
    EXPECT_FALSE(report.refused);
    check({project(), "2.9", {}});
    EXPECT_EQ(gpu.requests[1].requiredTorch, "2.9") << "what is given goes before the project's";
    EXPECT_EQ(gpu.requests[1].diskPath, "");
}

TEST_F(MachineChecks, ARecordingIsAskedWithoutTheProject)
{
    CheckedGpu recorded(Source::sample);
    ASSERT_TRUE(checkMachine(catalog_, recorded, {project(), "2.9", "/data"}, {}));
    EXPECT_EQ(recorded.requests.at(0).requiredTorch, "");
    EXPECT_EQ(recorded.requests[0].diskPath, "");
    EXPECT_FALSE(recorded.requests[0].extension);
    EXPECT_TRUE(recorded.requests[0].smoke);
}

TEST_F(MachineChecks, NothingIsBuiltOnAnotherHostOrWithoutAGpu)
{
    gpu.host = "farm-7";
    const EnvReport there = check({project(), {}, "/data"});
    EXPECT_FALSE(gpu.requests.at(0).extension);
    EXPECT_EQ(gpu.requests[0].diskPath, "") << "a folder of this machine";
    EXPECT_EQ(gpu.requests[0].requiredTorch, "2.4");
    ASSERT_TRUE(row(there, "extension-build"));
    EXPECT_EQ(row(there, "extension-build")->result, CheckResult::skipped);
    EXPECT_NE(row(there, "extension-build")->found.find("farm-7"), std::string::npos);
    ASSERT_TRUE(row(there, "extension-import"));
    EXPECT_EQ(row(there, "extension-import")->result, CheckResult::skipped);
    gpu.host.clear();
    gpu.hello().unavailable = "There is none.";
    const EnvReport without = check({project(), {}, "/data"});
    EXPECT_FALSE(gpu.requests.at(1).extension);
    EXPECT_EQ(gpu.requests[1].diskPath, "/data");
    EXPECT_EQ(row(without, "extension-build")->result, CheckResult::skipped);
    support::writeBytes(project(), R"({"schema": 1})");
    EXPECT_FALSE(row(check({project(), {}, {}}), "extension-build")) << "there is nothing to build";
}

TEST_F(MachineChecks, ABuildThatIsNotAllowedFailsAndTheRestIsChecked)
{
    gpu.refusal = Error{.code = ErrorCode::needsConsent, .message = "Not allowed yet.", .hint = "Allow it."};
    gpu.environment.checks.push_back({"extension-build", Requirement::optional, CheckResult::pass, "old", "", ""});
    const EnvReport report = check({project(), {}, {}});
    ASSERT_THAT(gpu.requests, SizeIs(2));
    EXPECT_FALSE(gpu.requests[1].extension);
    EXPECT_EQ(gpu.requests[1].requiredTorch, "2.4");
    ASSERT_TRUE(report.refused);
    EXPECT_EQ(*report.refused, *gpu.refusal);
    EXPECT_EQ(std::ranges::count(report.checks, "extension-build", &EnvCheck::id), 1);
    EXPECT_EQ(row(report, "extension-build")->result, CheckResult::fail);
    EXPECT_EQ(row(report, "extension-build")->requirement, Requirement::required);
    EXPECT_EQ(row(report, "extension-build")->found, "Not allowed yet.");
    EXPECT_EQ(row(report, "extension-build")->fix, "Allow it.");
    EXPECT_EQ(row(report, "extension-import")->result, CheckResult::skipped);
    EXPECT_TRUE(row(report, "gpu"));
    EXPECT_FALSE(passes(report));
    EXPECT_NE(support::readBytes(report.logFile).find("Not allowed yet."), std::string::npos);
    gpu.refusal->code = ErrorCode::environment;
    EXPECT_EQ(checkMachine(catalog_, gpu, {project(), {}, {}}, {}).error().code, ErrorCode::environment);
}

TEST_F(MachineChecks, AnUnreadableProjectIsReportedBeforeAnythingIsAsked)
{
    support::writeBytes(project(), "{");
    EXPECT_EQ(checkMachine(catalog_, gpu, {project(), {}, {}}, {}).error().code, ErrorCode::badInput);
    EXPECT_THAT(gpu.requests, IsEmpty());
}

TEST(ProjectFiles, AnExtensionHasItsLimitsFoldersAndTheHashOfItsFile)
{
    const Result<ProjectFile> project = parseProjectFile(kProject, "/work/kernelloop.json");
    ASSERT_TRUE(project) << project.error().message;
    EXPECT_EQ(project->path, "/work/kernelloop.json");
    EXPECT_EQ(project->torch, "2.4");
    ASSERT_TRUE(project->extension);
    EXPECT_EQ(project->extension->maxJobs, 3);
    EXPECT_EQ(project->extension->timeoutSeconds, 60);
    EXPECT_EQ(project->extension->file, "/work/kernelloop.json");
    Sha256 hash;
    hash.add(kProject);
    EXPECT_EQ(project->extension->fileHash, hash.hex());
    EXPECT_EQ(std::filesystem::path(project->extension->folder), std::filesystem::path("/work/"));
    const Result<ProjectFile> plain = parseProjectFile(R"({"schema": 1, "extension": {"module": "m", "build": ["make"]}})", "/w/k.json");
    ASSERT_TRUE(plain) << plain.error().message;
    EXPECT_EQ(plain->extension->maxJobs, 0);
    EXPECT_EQ(plain->extension->timeoutSeconds, 150);
    EXPECT_FALSE(parseProjectFile(R"({"schema": 1, "torch": "2"})", "/w/k.json")->extension);
}

TEST(ProjectFiles, WhatEachFieldMayHoldIsChecked)
{
    const auto accepts = [](const std::string& text) { return parseProjectFile(text, "/w/k.json").ok(); };
    const auto extension = [&](const std::string& fields) {
        return accepts(R"({"schema": 1, "extension": {"module": "m", "build": "make")" + fields + "}}");
    };
    EXPECT_TRUE(extension(""));
    EXPECT_TRUE(extension(R"(, "max_jobs": 1, "timeout_s": 1)"));
    EXPECT_FALSE(extension(R"(, "max_jobs": 0)"));
    EXPECT_FALSE(extension(R"(, "timeout_s": 0.5)"));
    EXPECT_FALSE(extension(R"(, "timeout_s": "1")"));
    EXPECT_FALSE(extension(R"(, "folder": "")"));
    EXPECT_FALSE(extension(R"(, "import_folder": 3)"));
    EXPECT_FALSE(extension(R"(, "nosuch": 3)"));
    EXPECT_FALSE(accepts(R"({"schema": 1, "extension": {"module": "m", "build": ""}})"));
    EXPECT_FALSE(accepts(R"({"schema": 1, "extension": {"module": "m", "build": []}})"));
    EXPECT_FALSE(accepts(R"({"schema": 1, "extension": {"module": "", "build": "make"}})"));
    EXPECT_FALSE(accepts(R"({"schema": 1, "torch": ""})"));
    EXPECT_FALSE(accepts(R"({"schema": 0})"));
    EXPECT_FALSE(accepts(R"({"schema": "1"})"));
    EXPECT_FALSE(accepts(R"({"schema": 1, "target": {}})")) << "a field of the second version";
    EXPECT_FALSE(accepts(R"({"schema": 2, "target": {}})")) << "a target without its fields";
    EXPECT_TRUE(accepts(R"({"$schema": "x", "schema": 1})"));
}

} // namespace
} // namespace kl::test
