// SPDX-License-Identifier: MIT
// A folder of somebody else's holds torch.py, numpy.py and the like: wherever python is started, none of them may run.
#include "env_fake_host.h"
#include "profiler/live/python/python_baseline.h"
#include "profiler/live/python/script_reference.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kl {
namespace {

namespace fs = std::filesystem;

/// Two interpreters: the host's own, and one that does not know PYTHONSAFEPATH, as python before 3.11.
enum class Interpreter { host, old };

class PythonPath : public testing::TestWithParam<Interpreter> {
protected:
    void SetUp() override
    {
        if (std::system("python3 -c '' 2> /dev/null") != 0)
            GTEST_SKIP() << "no python3 on PATH";
        for (const char* module : {"torch", "numpy", "cupy", "json", "glob", "re", "ctypes", "platform", "pathlib", "sitecustomize",
                                   "usercustomize", "random", "fast"})
            plant(folder_ / (std::string(module) + ".py"));
        plant(folder_ / "nested/torch.py");
        fs::create_directories(folder_ / "nvidia/cudnn/lib");
        fs::current_path(folder_);
        ::setenv("PYTHONPATH", ":nested:.", 1);
        ::setenv("PYTHONUSERBASE", ".", 1);
        if (GetParam() == Interpreter::old) {
            std::ofstream(folder_ / "old-python") << "#!/bin/sh\nunset PYTHONSAFEPATH\nexec python3 \"$@\"\n";
            fs::permissions(folder_ / "old-python", fs::perms::owner_all);
            ::setenv("KLOOP_PYTHON", "./old-python", 1);
        }
    }
    void TearDown() override
    {
        for (const char* name : {"PYTHONPATH", "PYTHONUSERBASE", "KLOOP_PYTHON"})
            ::unsetenv(name);
        fs::current_path(before_);
        fs::remove_all(folder_);
    }
    void plant(const fs::path& file) const
    {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << "open('" + marker().string() + "', 'a').write(__file__ + '\\n')\n";
    }
    fs::path marker() const { return folder_ / "RAN"; }
    std::string ran() const
    {
        std::ifstream in(marker());
        return {std::istreambuf_iterator<char>(in), {}};
    }

    const fs::path before_ = fs::current_path();
    const fs::path folder_ = fs::temp_directory_path() / ("kl-python-path-" + std::to_string(::getpid()));
};

TEST_P(PythonPath, TheEnvironmentCheckImportsNothingFromThePresentFolder)
{
    const EnvReport report = runEnvChecks({}, fake::facts(), systemHost());
    EXPECT_EQ(fake::line(report, "python").result, CheckResult::pass) << fake::line(report, "python").found;
    EXPECT_EQ(ran(), "");
}

TEST_P(PythonPath, NorDoWhatDescribesPythonAndTheBaselineHelper)
{
    EXPECT_TRUE(describePython().starts_with("python3 3.")) << describePython();
    for (const std::string& found : pythonLibraryFolders())
        EXPECT_FALSE(found.starts_with("nvidia") || found.starts_with(folder_.string())) << found;
    (void)PythonBaseline::start({});
    EXPECT_EQ(ran(), "");
}

TEST_P(PythonPath, NorDoesAReferenceScript)
{
    ReferenceSpec reference;
    reference.output = "y";
    reference.script = ScriptSpec{"reference.py",
                                  "import sys\nfor name in ('torch', 'random'):\n    try:\n        __import__(name)\n"
                                  "    except ImportError:\n        pass\nprint(sys.path)\nsys.exit(3)\n",
                                  60};
    const Result<Expected> run = runReferenceScript(reference, {}, 4);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::badInput);
    EXPECT_EQ(run.error().detail.find(folder_.string()), std::string::npos) << run.error().detail;
    EXPECT_EQ(ran(), "");
}

TEST_P(PythonPath, AnExtensionsFolderIsLookedAtForItsModuleAlone)
{
    EnvRequest request;
    request.extension = ExtensionSpec{"fast", folder_, {"true"}, folder_, 1, 60, {}, {}, {}};
    const EnvCheck line = fake::line(runEnvChecks(request, fake::facts(), systemHost()), "extension-import");
    EXPECT_EQ(line.result, CheckResult::pass) << line.found;
    EXPECT_EQ(ran(), (folder_ / "fast.py").string() + "\n");
}

std::string nameFor(const testing::TestParamInfo<Interpreter>& which)
{
    return which.param == Interpreter::host ? "Host" : "Old";
}

INSTANTIATE_TEST_SUITE_P(Interpreters, PythonPath, testing::Values(Interpreter::host, Interpreter::old), nameFor);

} // namespace
} // namespace kl
