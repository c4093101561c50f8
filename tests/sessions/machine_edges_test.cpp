// SPDX-License-Identifier: MIT
// Edges of the check of a machine: shell settings, repairs, logs, and the recipe of a build.
#include "sessions/measure/build_recipe.h"
#include "sessions/measure/machine_check.h"
#include "sessions/measure/shell_settings.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace kl::test {
namespace {

using support::TempDir;
using testing::HasSubstr;

TEST(ShellSettings, ScriptAndRepairsSayWhatIsKnown)
{
    EXPECT_EQ(shellScript({{"A", "1", "why", true}, {"B", "", "missing", false}}), "export A=1 # why\n# B: missing\n");
    EnvReport report;
    report.checks = {{"torch", Requirement::optional, CheckResult::fail, "", "", "python3 -m pip install torch"},
                     {"gpu", Requirement::required, CheckResult::fail, "", "", "Plug one in."},
                     {"cupti", Requirement::required, CheckResult::pass, "", "", "x"},
                     {"numpy", Requirement::required, CheckResult::skipped, "", "", "x"}};
    const TempDir bin;
    const support::SetVariable path("PATH", (std::string(":/none:") + bin.path().string()).c_str());
    std::vector<Repair> repairs = listRepairs(report);
    ASSERT_EQ(repairs.size(), 3U);
    EXPECT_EQ(repairs[0].command, "") << "required ones first; this one is not a command";
    EXPECT_EQ(repairs[1].command, "python3 -m pip install torch");
    EXPECT_THAT(repairs[2].command, HasSubstr("ninja"));
    EXPECT_FALSE(runRepair(repairs[0], {}));
    support::writeBytes(bin / "ninja", "#!/bin/sh\n");
    EXPECT_EQ(listRepairs(report).size(), 3U) << "it cannot be run";
    std::filesystem::permissions(bin / "ninja", std::filesystem::perms::owner_all);
    EXPECT_EQ(listRepairs(report).size(), 2U) << "it is installed";
    EXPECT_TRUE(runRepair({"x", "exit 0", ""}, {}));
    EXPECT_FALSE(runRepair({"x", "exit 3", ""}, {}));
}

TEST(ShellSettings, TakeTheToolkitAndTheTorchThatAreThere)
{
    const TempDir cuda, bin;
    std::filesystem::create_directories(cuda / "lib64");
    std::filesystem::create_directories(cuda / "torch");
    support::writeBytes(bin / "python3", "#!/bin/sh\necho " + (cuda / "torch").string() + "\n");
    std::filesystem::permissions(bin / "python3", std::filesystem::perms::owner_all);
    const support::SetVariable path("PATH", bin.path().c_str());
    const support::SetVariable home("CUDA_HOME", cuda.path().c_str());
    const support::SetVariable user("HOME", "/home/me");
    const std::vector<ShellSetting> all = shellSettings(nullptr, "8.6");
    const auto value = [&](const std::string& name) {
        const ShellSetting& row = *std::ranges::find(all, name, &ShellSetting::name);
        return (row.known ? "" : "unknown ") + row.value;
    };
    EXPECT_EQ(value("TORCH_CUDA_ARCH_LIST"), "8.6");
    EXPECT_EQ(value("CUDA_HOME"), cuda.path().string());
    EXPECT_EQ(value("LD_LIBRARY_PATH"),
              (cuda / "torch").string() + ":" + (cuda / "lib64").string() + "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}")
        << "the folder of CUPTI is not there";
    EXPECT_EQ(value("TORCH_EXTENSIONS_DIR"), "/home/me/.cache/torch_extensions");
    EXPECT_EQ(value("USE_NINJA"), "unknown 1");
    EXPECT_EQ(value("MAX_JOBS"), std::to_string(std::max(1U, std::thread::hardware_concurrency())));
}

TEST(MachineLogs, LieInTheUsersStateFolderAndOldOnesGo)
{
    const TempDir state;
    const support::SetVariable home("HOME", "/home/me");
    for (const char* relative : {"relative", ""}) {
        const support::SetVariable variable("XDG_STATE_HOME", relative);
        EXPECT_EQ(logFolder(), "/home/me/.local/state/kernelloop");
    }
    const support::SetVariable variable("XDG_STATE_HOME", state.path().c_str());
    EXPECT_EQ(logFolder(), state / "kernelloop");
    const std::filesystem::path file = newLogFile();
    EXPECT_EQ(file.parent_path(), state / "kernelloop");
    EXPECT_TRUE(file.filename().string().starts_with("env-20"));
    EXPECT_EQ(std::ranges::count(file.filename().string(), '-'), 2);
    EXPECT_EQ(std::ranges::count(file.filename().string(), ':'), 0);
    for (int i = 10; i < 32; ++i)
        support::writeBytes(state / ("kernelloop/env-10" + std::to_string(i) + ".log"), "old");
    support::writeBytes(state / "kernelloop/mine.log", "not a check's");
    EnvReport report;
    report.checks = {{"gpu", Requirement::required, CheckResult::fail, "none", "the why", "the fix"}};
    keepLog(report, file.string());
    EXPECT_EQ(report.logFile, file.string());
    EXPECT_EQ(report.checks.size(), 1U);
    const std::string text = support::readBytes(file);
    for (const char* part : {"gpu", "none", "the why", "the fix", "verdict: fail"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_FALSE(std::filesystem::exists(state / "kernelloop/env-1012.log")) << "three over twenty";
    EXPECT_TRUE(std::filesystem::exists(state / "kernelloop/env-1013.log"));
    EXPECT_TRUE(std::filesystem::exists(state / "kernelloop/mine.log"));
    keepLog(report, "");
    EXPECT_EQ(report.checks.back().id, "log-file");
    EXPECT_EQ(report.checks.back().requirement, Requirement::optional);
}

TEST(MachineLogs, AMachineWithoutItsWorkerHasAReportAllTheSame)
{
    const TempDir state;
    const support::SetVariable variable("XDG_STATE_HOME", state.path().c_str());
    const Error failure{.code = ErrorCode::environment, .message = "It does not start.", .hint = "Install it."};
    const EnvReport here = reportWithoutWorker(failure, false);
    ASSERT_EQ(here.checks.size(), 2U);
    EXPECT_EQ(here.checks[0].id, "gpu");
    const bool driver = std::filesystem::exists("/dev/nvidiactl");
    EXPECT_EQ(here.checks[0].result, driver ? CheckResult::skipped : CheckResult::fail);
    EXPECT_EQ(here.checks[1].id, "worker");
    EXPECT_EQ(here.checks[1].found, "It does not start.");
    EXPECT_EQ(here.checks[1].fix, "Install it.");
    EXPECT_TRUE(std::filesystem::exists(here.logFile));
    const EnvReport there = reportWithoutWorker(failure, true);
    ASSERT_EQ(there.checks.size(), 1U);
    EXPECT_EQ(there.checks[0].id, "host");
    EXPECT_EQ(there.checks[0].result, CheckResult::fail);
    EXPECT_TRUE(std::filesystem::exists(there.logFile));
}

TEST(BuildRecipeJson, HasEachStepWithWhatIsKnown)
{
    const Json json = recipeToJson({{"Title", "found", "command", true}, {"Other", "", "", {}}});
    EXPECT_EQ(json, Json::parse(R"([{"title":"Title","found":"found","command":"command","done":true},
        {"title":"Other","found":"","command":"","done":null}])"));
    EnvReport report;
    report.checks = {{"gpu", Requirement::required, CheckResult::pass, "H200", "", ""},
                     {"driver", Requirement::required, CheckResult::fail, "old", "", ""}};
    const RecipeStep step = buildRecipe(report, {}).front();
    EXPECT_EQ(step.found, "H200; old");
    EXPECT_EQ(step.done, false) << "all have to pass";
    const std::string text = recipeMarkdown({{"A", "f", "c", false}, {"B", "g", "", true}});
    for (const char* part : {"1. [ ] **A**\n   ", "f\n\n```\nc\n```\n", "2. [x] **B**\n   g\n"})
        EXPECT_THAT(text, HasSubstr(part));
    const auto alone = [](std::optional<bool> done) { return recipeMarkdown({RecipeStep{"A", "f", "", done}}); };
    EXPECT_NE(alone(false), alone({})) << "what failed is to be fixed";
}

} // namespace
} // namespace kl::test
