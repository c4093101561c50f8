// SPDX-License-Identifier: MIT
#include "core/base/python_call.h"

#include "tests/support/set_variable.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(PythonCall, LeavesOnlyAbsoluteFoldersInTheEnvironment)
{
    EXPECT_EQ(pythonEnvironment({"HOME=/h", "PYTHONPATH=:/a:b::./c:/d:", "PYTHONSAFEPATH=", "PYTHONHOME=venv", "PYTHONUSERBASE=/u",
                                 "PYTHONPYCACHEPREFIX=cache", "PYTHONUNBUFFERED=1"}),
              (std::vector<std::string>{"HOME=/h", "PYTHONPATH=/a:/d", "PYTHONUSERBASE=/u", "PYTHONUNBUFFERED=1", "PYTHONSAFEPATH=1"}));
    EXPECT_EQ(pythonEnvironment({"PYTHONPATH=."}), std::vector<std::string>{"PYTHONSAFEPATH=1"});
}

TEST(PythonCall, CodeRunsAwayFromThePresentFolder)
{
    const PythonCall call = pythonCode("print(1)", {"a"});
    EXPECT_EQ(call.folder, "/");
    ASSERT_EQ(call.arguments.size(), 4U);
    EXPECT_EQ(call.arguments[1], "-c");
    EXPECT_TRUE(call.arguments[2].ends_with("\nprint(1)"));
    EXPECT_EQ(call.arguments[3], "a");
    EXPECT_EQ(call.environment.back(), "PYTHONSAFEPATH=1");
}

TEST(PythonCall, TheProgramIsAWordOfThePathOrAWholeName)
{
    {
        const support::SetVariable python("KLOOP_PYTHON", "venv/bin/python");
        EXPECT_EQ(pythonProgram(), (std::filesystem::current_path() / "venv/bin/python").string());
    }
    {
        const support::SetVariable python("KLOOP_PYTHON", "python3.12");
        EXPECT_EQ(pythonProgram(), "python3.12");
    }
    const support::SetVariable python("KLOOP_PYTHON", "");
    EXPECT_EQ(pythonProgram(), "python3");
}

TEST(PythonCall, EveryFolderOfPythonsOwnIsKeptWhereItIsAbsolute)
{
    using Variables = std::vector<std::string>;
    for (const std::string name : {"PYTHONHOME", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX"}) {
        EXPECT_EQ(pythonEnvironment({name + "=/somewhere"}), (Variables{name + "=/somewhere", "PYTHONSAFEPATH=1"}));
        for (const char* here : {"", ".", "folder/below"})
            EXPECT_EQ(pythonEnvironment({name + "=" + here}), Variables{"PYTHONSAFEPATH=1"}) << name << here;
    }
    EXPECT_EQ(pythonEnvironment({"PYTHONPATH=/b:/a"}), (Variables{"PYTHONPATH=/b:/a", "PYTHONSAFEPATH=1"}));
}

TEST(PythonCall, OlderVersionsLookAtNoFolderOfTheirOwnEither)
{
    const std::string code = pythonCode("print(1)", {}).arguments.at(2);
    EXPECT_TRUE(code.starts_with("import sys\n")) << code;
    EXPECT_NE(code.find("del sys.path[0]"), std::string::npos) << "PYTHONSAFEPATH is known from 3.11 on";
}

} // namespace
} // namespace kl
