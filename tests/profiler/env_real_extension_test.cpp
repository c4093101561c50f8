// SPDX-License-Identifier: MIT
// The extension checks with this machine's own python and compiler: a module that loads, and one that lacks a half instantiation.

#include "env_fake_host.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <unistd.h>

namespace kl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kExtension = R"(#include <Python.h>
namespace c10 { struct Half; }
template <class T> void forward(const T* in, T* out, int n);
#ifndef BROKEN
template <> void forward<c10::Half>(const c10::Half*, c10::Half*, int) {}
#endif
static PyObject* run(PyObject*, PyObject*) { forward<c10::Half>(nullptr, nullptr, 0); Py_RETURN_NONE; }
static PyMethodDef methods[] = {{"run", run, METH_NOARGS, ""}, {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "fast", "", -1, methods};
PyMODINIT_FUNC PyInit_fast() { return PyModule_Create(&module); }
)";

class RealExtension : public ::testing::Test {
protected:
    void SetUp() override
    {
        if (std::system(
                "command -v g++ > /dev/null && f=$(python3 -c 'import sysconfig; print(sysconfig.get_path(\"include\"))' 2> /dev/null) && "
                "test -e \"$f/Python.h\"") != 0)
            GTEST_SKIP() << "no g++, or no python3 with its headers";
        fs::create_directories(folder);
        std::ofstream(folder / "fast.cpp") << kExtension;
    }
    void TearDown() override { fs::remove_all(folder); }

    EnvReport check(const std::string& define) const
    {
        EnvRequest request;
        const std::string build = "echo arch $TORCH_CUDA_ARCH_LIST jobs $MAX_JOBS; g++ -shared -fPIC " + define +
                                  " -I$(python3 -c 'import sysconfig; print(sysconfig.get_path(\"include\"))') fast.cpp -o fast.so";
        request.extension = ExtensionSpec{"fast", folder, {"sh", "-c", build}, folder, 3, 60, (folder / "log").string(), {}, {}};
        return runEnvChecks(request, fake::facts(), systemHost());
    }

    const fs::path folder = fs::temp_directory_path() / ("kl-extension-" + std::to_string(::getpid()));
};

TEST_F(RealExtension, IsBuiltImportedAndLogged)
{
    const EnvReport report = check("");
    EXPECT_EQ(fake::line(report, "extension-build").result, CheckResult::pass) << fake::line(report, "extension-build").found;
    EXPECT_THAT(fake::line(report, "extension-import").found, HasSubstr((folder / "fast.so").string()));
    std::ifstream in(folder / "log");
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(in), {}), HasSubstr("arch 9.0 jobs 3"));
}

TEST_F(RealExtension, AMissingHalfInstantiationIsExplained)
{
    const EnvCheck line = fake::line(check("-DBROKEN"), "extension-import");
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_THAT(line.found, HasSubstr("void forward<c10::Half>(c10::Half const*, c10::Half*, int)"));
    EXPECT_THAT(line.fix, HasSubstr("__half"));
}

TEST_F(RealExtension, ACompileErrorIsQuoted)
{
    const EnvCheck line = fake::line(check("-DPyMODINIT_FUNC=nonsense"), "extension-build");
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_THAT(line.found, HasSubstr("error:"));
    EXPECT_THAT(line.fix, HasSubstr("log"));
}

} // namespace
} // namespace kl
