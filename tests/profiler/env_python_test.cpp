// SPDX-License-Identifier: MIT
#include "env_fake_host.h"

#include "core/base/scratch_folder.h"
#include "profiler/live/env/check.h"
#include "tests/support/set_variable.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace kl {
namespace {

using fake::check;
using fake::facts;
using fake::noGpu;

EnvCheck torchLine(const std::string& output, const std::string& required = {})
{
    fake::Host host;
    host.pythonOutput = output;
    EnvRequest request;
    request.requiredTorch = required;
    return check("torch", host, facts(), request);
}

TEST(EnvPython, ShowsVersions)
{
    EXPECT_EQ(check("python", fake::Host()).found, "python 3.12.3, numpy 2.5.2");
    EXPECT_EQ(check("torch", fake::Host()).found, "torch 2.11.0+cu130");
    EXPECT_TRUE(check("torch-cuda", fake::Host()).found.ends_with(" 1 GPU"));
}

TEST(EnvPython, ItsAbsenceFailsAndTheRestIsSkipped)
{
    fake::Host host;
    host.havePython = false;
    EXPECT_EQ(check("python", host).result, CheckResult::fail);
    EXPECT_NE(check("python", host).fix.find("KLOOP_PYTHON"), std::string::npos);
    EXPECT_EQ(check("torch", host).result, CheckResult::skipped);
    EXPECT_EQ(check("torch-cuda", host).result, CheckResult::skipped);
}

TEST(EnvPython, IsOptional)
{
    fake::Host host;
    host.havePython = false;
    EXPECT_TRUE(passes(runEnvChecks({}, facts(), host)));
}

TEST(EnvPython, GarbageIsNoPython)
{
    fake::Host host;
    host.pythonOutput = "Segmentation fault\n";
    EXPECT_EQ(check("python", host).result, CheckResult::fail);
    EXPECT_TRUE(check("python", host).found.starts_with("python3 "));
}

TEST(EnvPython, WhatAnImportPrintsIsPassedOver)
{
    fake::Host host;
    host.pythonOutput = "kloop-python 3.11.2\nUserWarning: something\nkloop-torch 2.4.0\n\nkloop-nocuda a build without CUDA\n";
    EXPECT_EQ(check("python", host).found, "python 3.11.2");
    EXPECT_EQ(check("torch", host).found, "torch 2.4.0");
}

TEST(EnvPython, WithoutNumpyAndTorchNeitherIsMissing)
{
    fake::Host host;
    host.pythonOutput = "kloop-python 3.11.2\n";
    EXPECT_EQ(check("numpy", host).result, CheckResult::skipped);
    host.pythonOutput = "kloop-python 3.11.2\nkloop-torch 2.4.0\n";
    EXPECT_EQ(check("numpy", host).result, CheckResult::fail);
    host.pythonOutput = "kloop-python 3.11.2\nkloop-numpy 2.0.0\n";
    EXPECT_EQ(check("numpy", host).result, CheckResult::pass);
}

TEST(EnvTorch, MissingIsAFailWithTheCommand)
{
    const EnvCheck line = torchLine("kloop-python 3.11.2\nkloop-lost No module named 'torch'\n");
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_NE(line.found.find("No module named 'torch'"), std::string::npos);
    EXPECT_EQ(line.fix, "python3 -m pip install torch");
}

TEST(EnvTorch, AnImportThatBreaksIsDistinguished)
{
    const EnvCheck line = torchLine("kloop-python 3.11.2\nkloop-broken ImportError: libcudnn.so.9: cannot open\n");
    EXPECT_TRUE(line.found.ends_with(": ImportError: libcudnn.so.9: cannot open")) << line.found;
    EXPECT_NE(line.found, "torch: ImportError: libcudnn.so.9: cannot open") << "it is there";
}

TEST(EnvTorch, ARequiredVersionIsCompared)
{
    const std::string output = "kloop-python 3.11.2\nkloop-torch 2.2.1+cu121\n";
    EXPECT_EQ(torchLine(output, "2.2.1").result, CheckResult::pass);
    EXPECT_EQ(torchLine(output, "2.2.1+cu121").result, CheckResult::pass);
    EXPECT_EQ(torchLine(output, "2.2").result, CheckResult::fail);
    const EnvCheck line = torchLine(output, "2.11.0");
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_EQ(line.requirement, Requirement::required);
    EXPECT_EQ(line.fix, "python3 -m pip install torch==2.11.0");
}

TEST(EnvNumpy, IsALineOfItsOwnAndBelowTwoForAnOldTorch)
{
    const auto numpyLine = [](const std::string& output) {
        fake::Host host;
        host.pythonOutput = output;
        return check("numpy", host);
    };
    const EnvCheck line = numpyLine("kloop-python 3.11.2\nkloop-numpy 2.0.1\nkloop-torch 2.2.1+cu121\n");
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_EQ(line.requirement, Requirement::required);
    EXPECT_EQ(line.fix, "python3 -m pip install 'numpy<2'");
    EXPECT_EQ(torchLine("kloop-python 3.11.2\nkloop-numpy 2.0.1\nkloop-torch 2.2.1+cu121\n").result, CheckResult::pass);
    EXPECT_EQ(numpyLine("kloop-python 3.11.2\nkloop-numpy 1.26.4\nkloop-torch 2.2.1+cu121\n").result, CheckResult::pass);
    EXPECT_EQ(numpyLine("kloop-python 3.11.2\nkloop-numpy 2.0.1\nkloop-torch 2.11.0\n").result, CheckResult::pass);
    EXPECT_EQ(numpyLine("kloop-python 3.11.2\nkloop-torch 2.11.0\n").result, CheckResult::fail);
    EXPECT_EQ(numpyLine("kloop-python 3.11.2\nkloop-numpy 2.0.1\n").requirement, Requirement::optional);
}

TEST(EnvNumpy, WithoutTorchTheRequiredOneDecides)
{
    const auto numpyFor = [](const std::string& numpy, const std::string& required, const std::string& torch = {}) {
        fake::Host host;
        host.pythonOutput = "kloop-python 3.11.2\nkloop-numpy " + numpy + '\n' + (torch.empty() ? "" : "kloop-torch " + torch + '\n');
        EnvRequest request;
        request.requiredTorch = required;
        return check("numpy", host, facts(), request);
    };
    EXPECT_EQ(numpyFor("2.0.0", "2.2.2").result, CheckResult::fail);
    EXPECT_EQ(numpyFor("2.0.0", "2.2.2").requirement, Requirement::required);
    EXPECT_EQ(numpyFor("1.26.4", "2.2.2").result, CheckResult::pass);
    EXPECT_EQ(numpyFor("2.0.0", "2.3.0").result, CheckResult::pass) << "the first that is built for numpy 2";
    EXPECT_EQ(numpyFor("2.0.0", "2.3.0").requirement, Requirement::optional);
    EXPECT_EQ(numpyFor("2.0.0", "2.2.2", "2.3.1").result, CheckResult::pass) << "the installed one counts";
    EXPECT_NE(numpyFor("1.26.4", "2.2.2").found, numpyFor("1.26.4", "2.3.0").found);
    fake::Host lost;
    lost.pythonOutput = "kloop-python 3.11.2\nkloop-torch 2.2.2\n";
    EXPECT_EQ(check("numpy", lost).fix, "python3 -m pip install 'numpy<2'");
    lost.pythonOutput = "kloop-python 3.11.2\nkloop-torch 2.4.0\n";
    EXPECT_EQ(check("numpy", lost).fix, "python3 -m pip install numpy");
}

TEST(EnvTorch, SaysHowManyGpusItSees)
{
    fake::Host host;
    host.pythonOutput = "kloop-python 3.11.2\nkloop-torch 2.4.0\nkloop-cuda 2\n";
    EXPECT_TRUE(check("torch-cuda", host).found.ends_with(" 2 GPUs"));
    EXPECT_EQ(check("torch-cuda", host, noGpu()).result, CheckResult::pass);
    host.pythonOutput = "kloop-python 3.11.2\nkloop-lost No module named 'torch'\n";
    EXPECT_EQ(check("torch-cuda", host).result, CheckResult::skipped);
    EXPECT_EQ(check("torch", host).requirement, Requirement::optional);
}

/// A torch module of a few lines stands for PyTorch.
TEST(EnvTorch, IsAskedWithoutMakingAContext)
{
    if (std::system("python3 -c '' 2> /dev/null") != 0)
        GTEST_SKIP() << "no python3 on PATH";
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch.ok());
    const support::SetVariable path("PYTHONPATH", scratch->path().c_str());
    const auto answer = [&](const std::string& torch, const std::string& numpy = "__version__ = '1.26.0'\n") {
        std::ofstream(scratch->path() / "torch.py") << torch;
        std::ofstream(scratch->path() / "numpy.py") << numpy;
        std::filesystem::remove_all(scratch->path() / "__pycache__");
        return env::askPython(systemHost());
    };
    const env::PythonAnswer two =
        answer("class cuda:\n    is_available = lambda: True\n    device_count = lambda: 2\n__version__ = '2.9.1+cu130'\n");
    EXPECT_EQ(two.error, "");
    EXPECT_TRUE(two.python.starts_with("3."));
    EXPECT_EQ(two.numpy, "1.26.0");
    EXPECT_EQ(two.torch, "2.9.1+cu130");
    EXPECT_TRUE(two.cuda);
    EXPECT_EQ(two.cudaDetail, "2");
    const std::string none = "class cuda:\n    is_available = lambda: False\nclass version:\n    cuda = '12.1'\n__version__ = '2.2.1'\n";
    const env::PythonAnswer blind = answer(none, "raise ImportError('no')\n");
    EXPECT_EQ(blind.numpy, "");
    EXPECT_EQ(blind.torch, "2.2.1");
    EXPECT_FALSE(blind.cuda);
    EXPECT_NE(blind.cudaDetail.find("12.1"), std::string::npos);
    const env::PythonAnswer broken = answer("raise OSError('libcudart.so.12')\n");
    EXPECT_EQ(broken.torch, "");
    EXPECT_NE(broken.torchError.find("OSError: libcudart.so.12"), std::string::npos);
}

TEST(EnvTorch, AnExtensionIsImportedAfterItAndInTheProjectsFolder)
{
    if (std::system("python3 -c '' 2> /dev/null") != 0)
        GTEST_SKIP() << "no python3 on PATH";
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch.ok());
    const std::filesystem::path folder = scratch->path();
    for (const char* part : {"packages", "project", "built"})
        std::filesystem::create_directories(folder / part);
    std::ofstream(folder / "packages/torch.py") << "__version__ = '2.2.1+cu121'\ncompiled_with_cxx11_abi = lambda: False\nthere = 1\n";
    std::ofstream(folder / "project/torch.py") << "raise SystemError('of the project')\n";
    const support::SetVariable path("PYTHONPATH", (folder / "packages").c_str());
    const support::SetVariable cache("PYTHONDONTWRITEBYTECODE", "1");
    const auto imported = [&](const std::string& module) {
        std::ofstream(folder / "built/fast.py") << "import os, sys\n" << module << '\n';
        EnvRequest request;
        request.extension = ExtensionSpec{"fast", folder / "project", {"true"}, folder / "built", 1, 60, {}, {}, {}};
        return fake::line(runEnvChecks(request, facts(), systemHost()), "extension-import");
    };
    const EnvCheck good =
        imported("assert sys.modules['torch'].there and os.getcwd() == os.path.realpath('" + (folder / "project").string() + "')");
    EXPECT_EQ(good.result, CheckResult::pass) << good.found;
    EXPECT_NE(good.found.find((folder / "built/fast.py").string()), std::string::npos) << good.found;
    const EnvCheck abi = imported("raise ImportError('fast.so: undefined symbol: "
                                  "_ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE')");
    EXPECT_EQ(abi.result, CheckResult::fail);
    EXPECT_NE(abi.fix.find("-D_GLIBCXX_USE_CXX11_ABI=0"), std::string::npos) << abi.fix;
    const EnvCheck other = imported("raise ImportError('fast.so: undefined symbol: _ZN2at4_ops5zeros4callEl')");
    EXPECT_NE(other.found.find("2.2.1+cu121"), std::string::npos) << other.found;
    std::ofstream(folder / "packages/torch.py") << "raise OSError('libcudart')\n";
    const EnvCheck broken = imported("raise ImportError('fast.so: undefined symbol: _ZN2at4_ops5zeros4callEl')");
    EXPECT_NE(broken.found.find("OSError: libcudart"), std::string::npos) << broken.found;
    const EnvCheck ended = imported("os._exit(9)");
    EXPECT_EQ(ended.result, CheckResult::fail);
    EXPECT_NE(ended.found.find(" 9 "), std::string::npos) << ended.found;
}

TEST(EnvTorch, WithoutCudaFailsOnlyWhereThereIsAGpu)
{
    fake::Host host;
    host.pythonOutput = "kloop-python 3.11.2\nkloop-torch 2.4.0\nkloop-nocuda built for CUDA 12.1\n";
    EXPECT_EQ(check("torch-cuda", host).result, CheckResult::fail);
    EXPECT_TRUE(check("torch-cuda", host).found.ends_with(": built for CUDA 12.1"));
    EXPECT_EQ(check("torch-cuda", host, noGpu()).result, CheckResult::skipped);
}

} // namespace
} // namespace kl
