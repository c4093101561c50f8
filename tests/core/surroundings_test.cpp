// SPDX-License-Identifier: MIT
// What is taken from the environment: folders, the variables that other programs get, the team's tree.
#include "core/base/data_folder.h"
#include "core/base/original_environment.h"
#include "core/base/python_call.h"
#include "core/diagnosis/tree.h"
#include "core/diagnosis/tree_thresholds.h"
#include "tests/support/set_variable.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

namespace kl {
namespace {

using support::SetVariable;

TEST(DataFolder, IsBelowXdgDataHomeElseBelowHome)
{
    const SetVariable home("HOME", "/home/ann");
    const SetVariable data("XDG_DATA_HOME", "/data");
    EXPECT_EQ(dataFolder(), "/data/kernelloop");
    for (const char* unusable : {static_cast<const char*>(nullptr), "", "relative"}) {
        const SetVariable none("XDG_DATA_HOME", unusable);
        EXPECT_EQ(dataFolder(), "/home/ann/.local/share/kernelloop");
    }
}

TEST(OriginalEnvironment, OtherProgramsDoNotGetTheBundlesLibraries)
{
    using Variables = std::vector<std::string>;
    EXPECT_EQ(originalEnvironment({"A=1", "LD_LIBRARY_PATH=/opt/kl/lib:/usr/local/lib:/opt/kl/bin/../lib"}, "/opt/kl/bin"),
              (Variables{"A=1", "LD_LIBRARY_PATH=/usr/local/lib"}));
    EXPECT_EQ(originalEnvironment({"LD_LIBRARY_PATH=/opt/kl/lib", "B=2"}, "/opt/kl/bin"), Variables{"B=2"});
    EXPECT_EQ(originalEnvironment({"LD_LIBRARY_PATH=/opt/kl/lib:/x", "KLOOP_ORIGINAL_LD_LIBRARY_PATH=/mine"}, "/opt/kl/bin"),
              Variables{"LD_LIBRARY_PATH=/mine"});
    EXPECT_EQ(originalEnvironment({"LD_LIBRARY_PATH=/opt/kl/lib", "KLOOP_ORIGINAL_LD_LIBRARY_PATH="}, "/opt/kl/bin"), Variables{});
}

TEST(PythonCall, AScriptRunsInItsFolder)
{
    const SetVariable python("KLOOP_PYTHON", "/opt/python");
    const PythonCall call = pythonScript("reference.py", "/private/folder");
    EXPECT_EQ(call.arguments, (std::vector<std::string>{"/opt/python", "reference.py"}));
    EXPECT_EQ(call.folder, "/private/folder");
    EXPECT_TRUE(std::ranges::any_of(call.environment, [](const std::string& entry) { return entry.starts_with("PYTHONSAFEPATH="); }));
}

TEST(ConfiguredTree, IsTheTeamsWhereThereIsOneElseTheProgramsOwn)
{
    const SetVariable config("XDG_CONFIG_HOME", "/no/such/folder");
    const auto own = DiagnosisTree::loadConfigured("");
    ASSERT_TRUE(own) << own.error().message;
    EXPECT_EQ(own->source(), DiagnosisTree::loadEmbedded()->source());
    EXPECT_TRUE(DiagnosisTree::loadConfigured(":default:"));
    const auto missing = DiagnosisTree::loadConfigured("/no/such/tree.json");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::badInput);
    EXPECT_EQ(missing.error().where, "/no/such/tree.json");
    ASSERT_FALSE(missing.error().next.empty());
    EXPECT_EQ(missing.error().next.front().id, StepId::treeText);
    EXPECT_FALSE(DiagnosisTree::loadConfigured("/tmp")) << "a folder is not a tree";
}

TEST(ConfiguredTree, LiesInTheConfigurationElseInTheHome)
{
    const SetVariable home("HOME", "/home/ann");
    {
        const SetVariable config("XDG_CONFIG_HOME", "/config");
        EXPECT_EQ(teamTreeFile(), "/config/kernelloop/diagnosis-tree.json");
    }
    for (const char* none : {static_cast<const char*>(nullptr), ""}) {
        const SetVariable config("XDG_CONFIG_HOME", none);
        EXPECT_EQ(teamTreeFile(), "/home/ann/.config/kernelloop/diagnosis-tree.json");
    }
}

TEST(OriginalEnvironment, AllElseStaysAsItIs)
{
    using Variables = std::vector<std::string>;
    EXPECT_EQ(originalEnvironment({"B=2", "LD_LIBRARY_PATH=/a::/opt/kl/lib:/b", "LD_LIBRARY_PATHS=/opt/kl/lib", "A=1"}, "/opt/kl/bin"),
              (Variables{"B=2", "LD_LIBRARY_PATH=/a::/b", "LD_LIBRARY_PATHS=/opt/kl/lib", "A=1"}));
    EXPECT_EQ(originalEnvironment({"KLOOP_ORIGINAL_LD_LIBRARY_PATH=/mine", "LD_LIBRARY_PATH=/opt/kl/lib", "A=1"}, "/opt/kl/bin"),
              (Variables{"LD_LIBRARY_PATH=/mine", "A=1"}));
    EXPECT_EQ(originalEnvironment({"LD_LIBRARY_PATH=/opt/kl/library:/opt/kl"}, "/opt/kl/bin"),
              Variables{"LD_LIBRARY_PATH=/opt/kl/library:/opt/kl"});
}

} // namespace
} // namespace kl
