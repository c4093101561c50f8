// SPDX-License-Identifier: MIT
#include "sessions/measure/shell_settings.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace kl::test {
namespace {

using testing::HasSubstr;

TEST(EnvSettings, NameTheArchitectureOrSayWhatIsMissing)
{
    const std::vector<ShellSetting> without = shellSettings(nullptr, "");
    EXPECT_EQ(without[0].name, "TORCH_CUDA_ARCH_LIST");
    EXPECT_FALSE(without[0].known);
    EXPECT_THAT(shellScript(without), HasSubstr("# TORCH_CUDA_ARCH_LIST: "));
    Hello hello;
    DeviceInfo device;
    device.ccMajor = 9;
    hello.devices = {device};
    EXPECT_EQ(shellSettings(&hello, "")[0].value, "9.0");
    EXPECT_EQ(shellSettings(&hello, "8.9")[0].value, "8.9");
    const std::string script = shellScript(shellSettings(&hello, ""));
    for (const char* line :
         {"export TORCH_CUDA_ARCH_LIST=9.0 ", "export MAX_JOBS=", "USE_NINJA", "export TORCH_EXTENSIONS_DIR=", "LD_LIBRARY_PATH"})
        EXPECT_THAT(script, HasSubstr(line));
}

TEST(EnvSettings, RepairsAreCommandsOnlyWherePythonPackagesAreMissing)
{
    EnvReport report;
    report.checks = {{"torch", Requirement::optional, CheckResult::fail, "f", "w", "python3 -m pip install torch"},
                     {"driver", Requirement::required, CheckResult::fail, "f", "w", "sudo apt-get install nvidia-driver"},
                     {"gpu", Requirement::required, CheckResult::pass, "f", "w", ""}};
    const std::vector<Repair> repairs = listRepairs(report);
    ASSERT_GE(repairs.size(), 2U);
    EXPECT_EQ(repairs[0].check, "driver") << "required ones first";
    EXPECT_EQ(repairs[0].command, "") << "nothing that needs root";
    EXPECT_EQ(repairs[1].command, "python3 -m pip install torch");
}

} // namespace
} // namespace kl::test
