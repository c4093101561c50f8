// SPDX-License-Identifier: MIT
#include "env_fake_host.h"
#include "profiler/live/env/check.h"
#include "profiler/live/env/import_error.h"

#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <thread>

namespace kl {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

EnvRequest withExtension()
{
    EnvRequest request;
    request.extension =
        ExtensionSpec{"fast", "/p", {"python3", "setup.py", "build_ext", "--inplace"}, "/p", 0, 150, "/log/build.log", {}, {}};
    return request;
}

EnvCheck extensionLine(const std::string& id, const fake::Host& host, const EnvFacts& given = fake::facts())
{
    return fake::check(id, host, given, withExtension());
}

TEST(EnvExtension, IsBuiltForThisGpuWithNinjaAndALimitOnCompilers)
{
    fake::Host host;
    host.files["/proc/meminfo"] = "MemTotal: 99 kB\nMemAvailable:    2200000 kB\n"; // room for one compiler
    const EnvReport report = runEnvChecks(withExtension(), fake::facts(), host);
    EXPECT_EQ(fake::line(report, "extension-build").result, CheckResult::pass) << fake::line(report, "extension-build").found;
    EXPECT_THAT(fake::line(report, "extension-build").found, AllOf(HasSubstr(" 3.2 s "), HasSubstr(" 9.0, 1 "), EndsWith(", ninja")));
    EXPECT_THAT(fake::line(report, "extension-import").found, EndsWith(" /p/fast.cpython-312.so"));
    ASSERT_EQ(host.requested.size(), 2U);
    const Command& build = host.requested.front();
    EXPECT_EQ(build.folder, "/p");
    EXPECT_EQ(build.logFile, "/log/build.log");
    for (const char* setting : {"TORCH_CUDA_ARCH_LIST=9.0", "CUDAARCHS=90", "MAX_JOBS=1", "USE_NINJA=1", "CMAKE_GENERATOR=Ninja"})
        EXPECT_THAT(build.settings, Contains(setting));
}

TEST(EnvExtension, ItsCommandRunsAsTheProjectFileSays)
{
    fake::Host host;
    host.files["/proc/meminfo"] = "MemAvailable:    2200000 kB\n";
    EnvRequest request = withExtension();
    request.extension->folder = "/source";
    request.extension->maxJobs = 7;
    const EnvReport report = runEnvChecks(request, fake::facts(), host);
    EXPECT_EQ(fake::line(report, "extension-build").requirement, Requirement::required);
    EXPECT_EQ(fake::line(report, "extension-import").requirement, Requirement::required);
    ASSERT_EQ(host.requested.size(), 2U);
    const Command& build = host.requested[0];
    EXPECT_EQ(build.arguments, (std::vector<std::string>{"python3", "setup.py", "build_ext", "--inplace"}));
    EXPECT_EQ(build.folder, "/source");
    EXPECT_EQ(build.seconds, 150);
    EXPECT_THAT(build.settings, Contains("MAX_JOBS=7")) << "as requested, whatever the memory";
    EXPECT_THAT(build.settings, Contains("CMAKE_BUILD_PARALLEL_LEVEL=7"));
    const Command& import = host.requested[1];
    ASSERT_EQ(import.arguments.size(), 6U);
    EXPECT_EQ(import.arguments[1], "-c");
    EXPECT_EQ(import.arguments[3], "fast");
    EXPECT_EQ(import.arguments[4], "/p") << "the folder that it is imported from";
    EXPECT_EQ(import.arguments[5], "/source") << "the folder that it runs in";
    EXPECT_EQ(import.logFile, "/log/build.log");
}

TEST(EnvExtension, ACompilerTakesTwoGibibytes)
{
    const auto jobs = [](const std::string& memory, int most = 0) {
        fake::Host host;
        EnvRequest request = withExtension();
        request.extension->maxJobs = most;
        if (!memory.empty())
            host.files["/proc/meminfo"] = memory;
        (void)runEnvChecks(request, fake::facts(), host);
        for (const std::string& setting : host.requested.front().settings)
            if (setting.starts_with("MAX_JOBS="))
                return std::stoi(setting.substr(9));
        return -1;
    };
    const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    EXPECT_EQ(jobs(""), processors);
    EXPECT_EQ(jobs("MemAvailable: 99999999999 kB\n"), processors);
    EXPECT_EQ(jobs("MemAvailable: 1 kB\n"), 1);
    EXPECT_EQ(jobs("MemAvailable: 99999999999 kB\n", 1), 1);
    EXPECT_EQ(jobs("MemTotal: 99999999999 kB\nMemAvailable: 4194304 kB\n"), std::min(2, processors));
    EXPECT_EQ(jobs("MemAvailable: 4194303 kB\n"), 1);
}

TEST(EnvExtension, OfALongLogTheLastErrorsAreQuoted)
{
    fake::Host host;
    host.built = {2, false, 1, "a.cu: error: first\nb.cu: error: second\nnote\nc.cu: Error: third\nFAILED: fourth\nafterwards\n"};
    const EnvCheck line = extensionLine("extension-build", host);
    EXPECT_THAT(line.found, EndsWith(" 2: b.cu: error: second | c.cu: Error: third | FAILED: fourth"));
    host.built = {2, false, 1, "one\n\ntwo\nthree\n\n \t\nfour\n" + std::string(400, 'x') + "\n"};
    EXPECT_TRUE(extensionLine("extension-build", host).found.ends_with(": three | four | " + std::string(300, 'x')));
    EnvRequest request = withExtension();
    request.extension->logFile.clear();
    EXPECT_THAT(fake::check("extension-build", host, fake::facts(), request).fix, Not(HasSubstr("log")));
}

TEST(EnvExtension, IsRequiredOnceItIsNamed)
{
    fake::Host host;
    host.built = {1, false, 2, "a.cu(3): error: identifier \"x\" is undefined\n"};
    const EnvReport report = runEnvChecks(withExtension(), fake::facts(), host);
    EXPECT_FALSE(passes(report));
    EXPECT_EQ(fake::line(report, "extension-build").requirement, Requirement::required);
    EXPECT_THAT(fake::line(report, "extension-build").found, HasSubstr("identifier \"x\" is undefined"));
    EXPECT_THAT(fake::line(report, "extension-build").fix, HasSubstr("/log/build.log"));
    EXPECT_EQ(fake::line(report, "extension-import").result, CheckResult::skipped);
    EXPECT_EQ(fake::check("extension-build", fake::Host()).requirement, Requirement::optional);
}

TEST(EnvExtension, EveryKnownBuildFailureHasItsFix)
{
    const struct {
        CommandResult built;
        const char* found;
        const char* fix;
    } cases[] = {
        {{137, true, 150, ""}, " 150 s ", "build.log"},
        {{1, false, 1, "RuntimeError: Ninja is required to load C++ extensions"}, "ninja", "pip install ninja"},
        {{1, false, 1, "RuntimeError: The detected CUDA version (13.0) mismatches the version that was used to compile PyTorch (12.1)"},
         "PyTorch (12.1)",
         "torch.version.cuda"},
        {{1, false, 1, "OSError: CUDA_HOME environment variable is not set."}, "CUDA_HOME", "export CUDA_HOME"},
        {{1, false, 1, "nvcc error: 'cicc' died due to signal 9 (Kill signal)\nKilled signal terminated program cc1plus"},
         "memory",
         "max_jobs"},
    };
    for (const auto& one : cases) {
        fake::Host host;
        host.built = one.built;
        const EnvCheck line = extensionLine("extension-build", host);
        EXPECT_EQ(line.result, CheckResult::fail);
        EXPECT_THAT(line.found, HasSubstr(one.found));
        EXPECT_THAT(line.fix, HasSubstr(one.fix));
    }
    fake::Host lost;
    lost.commandStarts = false;
    EXPECT_THAT(extensionLine("extension-build", lost).found, StartsWith("python3 "));
}

TEST(EnvExtension, EitherWordOfACompilerThatRanOutOfMemoryIsEnough)
{
    for (const char* output :
         {"c++: fatal error: Killed signal terminated program cc1plus\n", "virtual memory exhausted: out of memory\n"}) {
        fake::Host host;
        host.built = {1, false, 1, output};
        EXPECT_THAT(extensionLine("extension-build", host).fix, HasSubstr("\"max_jobs\"")) << output;
    }
}

TEST(EnvExtension, AStaleLockIsNoticedBeforeTheBuildWaitsForIt)
{
    fake::Host host;
    host.ages["/home/me/.cache/torch_extensions/py312_cu130/fast/lock"] = 3600;
    const EnvCheck line = extensionLine("extension-build", host);
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_THAT(line.found, HasSubstr("60 min "));
    EXPECT_THAT(line.fix, HasSubstr("rm -r /home/me/.cache/torch_extensions/py312_cu130/fast/lock"));
    EXPECT_TRUE(std::none_of(host.requested.begin(), host.requested.end(), [](const Command& c) { return c.arguments[1] == "setup.py"; }));

    fake::Host young;
    young.ages["/home/me/.cache/torch_extensions/py312_cu130/fast/lock"] = 20; // a build is on
    EXPECT_EQ(extensionLine("extension-build", young).result, CheckResult::pass);
    fake::Host other;
    other.variables["TORCH_EXTENSIONS_DIR"] = "/ext";
    other.ages["/ext/slow/lock"] = 3600;
    EXPECT_EQ(extensionLine("extension-build", other).result, CheckResult::pass);
    EXPECT_THAT(extensionLine("extension-build", other).found, HasSubstr("/ext/slow/lock"));
}

TEST(EnvExtension, LocksAreLookedForWhereverTorchKeepsItsBuilds)
{
    const auto found = [](const std::string& lock, const std::map<std::string, std::string>& variables, double age = 601) {
        fake::Host host;
        host.variables = variables;
        host.ages[lock] = age;
        return extensionLine("extension-build", host).result == CheckResult::fail;
    };
    EXPECT_TRUE(found("/p/build/fast/lock", {}));
    EXPECT_FALSE(found("/p/build/fast/lock", {}, 600)) << "a build may take ten minutes";
    EXPECT_FALSE(found("/p/fast/lock", {}));
    EXPECT_TRUE(found("/cache/torch_extensions/py312/fast/lock", {{"XDG_CACHE_HOME", "/cache"}, {"HOME", "/home/me"}}));
    EXPECT_FALSE(found("/home/me/.cache/torch_extensions/py312/fast/lock", {{"XDG_CACHE_HOME", "/cache"}, {"HOME", "/home/me"}}));
    EXPECT_TRUE(found("/ext/fast/lock", {{"TORCH_EXTENSIONS_DIR", "/ext"}, {"XDG_CACHE_HOME", "/cache"}}));
    EXPECT_FALSE(found("/cache/torch_extensions/fast/lock", {{"TORCH_EXTENSIONS_DIR", "/ext"}, {"XDG_CACHE_HOME", "/cache"}}));
    EXPECT_FALSE(found("/ext/faster/lock", {{"TORCH_EXTENSIONS_DIR", "/ext"}})) << "of another extension";
}

TEST(EnvExtension, WithoutNinjaItIsReportedAndWithoutAGpuNothingIsBuilt)
{
    fake::Host host;
    host.programs.erase("ninja");
    EXPECT_THAT(extensionLine("extension-build", host).found, HasSubstr("pip install ninja"));
    for (const std::string& setting : host.requested.front().settings)
        EXPECT_FALSE(setting == "USE_NINJA=1" || setting.starts_with("CMAKE_GENERATOR")) << setting;
    fake::Host second;
    EXPECT_EQ(extensionLine("extension-build", second, fake::noGpu()).result, CheckResult::skipped);
    EXPECT_TRUE(second.requested.empty());
}

/// What an explanation says of std::string: as torch has it, and as the extension has.
auto saysStrings(int torch, int extension)
{
    return AllOf(HasSubstr("_GLIBCXX_USE_CXX11_ABI=" + std::to_string(torch)), HasSubstr(' ' + std::to_string(extension) + '.'));
}

TEST(EnvExtension, AnImportThatFailsIsExplained)
{
    fake::Host host;
    host.imported = {0, false, 1,
                     "kloop-tag cpython-312\nkloop-torch 2.2.1+cu121\nkloop-abi 0\nkloop-broken ImportError: /p/fast.so: undefined symbol: "
                     "_ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE\n"};
    const EnvCheck line = extensionLine("extension-import", host);
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_THAT(line.found, saysStrings(0, 1));
    EXPECT_THAT(line.found, HasSubstr("c10::Error::Error(c10::SourceLocation, std::__cxx11::basic_string"));
    host.imported = {139, false, 1, "kloop-tag cpython-312\n"};
    EXPECT_THAT(extensionLine("extension-import", host).found, HasSubstr(" 139 "));
}

TEST(EnvExtension, WhatPythonTellsDecidesTheExplanation)
{
    const auto explainedBy = [](const std::string& torch) {
        fake::Host host;
        host.imported = {0, false, 1,
                         "kloop-tag cpython-312\n" + torch +
                             "kloop-broken ImportError: undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationESs\n"};
        return extensionLine("extension-import", host);
    };
    EXPECT_THAT(explainedBy("kloop-torch 2.2.1\nkloop-abi 1\n").found, HasSubstr("_GLIBCXX_USE_CXX11_ABI=1"));
    EXPECT_THAT(explainedBy("kloop-torch 2.2.1\nkloop-abi 0\n").found, HasSubstr(" 2.2.1"));
    EXPECT_THAT(explainedBy("kloop-torch-broken OSError: libcudart\n").found, HasSubstr("OSError: libcudart"));
    fake::Host host;
    host.imported = {1, false, 1, "kloop-tag cpython-312\nkloop-broken ValueError: x\n"};
    EXPECT_EQ(extensionLine("extension-import", host).result, CheckResult::fail);
}

TEST(EnvExtension, IsLookedForWhereItWasBuiltForAnotherPython)
{
    fake::Host package;
    package.ages["/p/pkg/fast.cpython-310-x86_64-linux-gnu.so"] = 10;
    package.imported = {0, false, 1, "kloop-tag cpython-312\nkloop-broken ModuleNotFoundError: No module named 'pkg.fast'\n"};
    EnvRequest request = withExtension();
    request.extension->module = "pkg.fast";
    EXPECT_THAT(fake::check("extension-import", package, fake::facts(), request).found, HasSubstr("/p/pkg/fast.cpython-310"));

    fake::Host host;
    host.ages["/p/fast.cpython-310-x86_64-linux-gnu.so"] = 10;
    host.imported = {0, false, 1, "kloop-tag cpython-312\nkloop-broken ModuleNotFoundError: No module named 'fast'\n"};
    EXPECT_THAT(extensionLine("extension-import", host).found,
                AllOf(HasSubstr("/p/fast.cpython-310-x86_64-linux-gnu.so "), HasSubstr(" cpython-312")));
}

TEST(EnvExtension, BuiltModulesAreLookedForWhereTheyAreImportedFrom)
{
    const auto foundIn = [](const std::string& folder) {
        fake::Host host;
        host.ages[folder + "/fast.cpython-310-x86_64-linux-gnu.so"] = 10;
        host.imported = {0, false, 1, "kloop-tag cpython-312\nkloop-broken ModuleNotFoundError: No module named 'fast'\n"};
        EnvRequest request = withExtension();
        request.extension->folder = "/source";
        request.extension->importFolder = "/import";
        const EnvCheck line = fake::check("extension-import", host, fake::facts(), request);
        EXPECT_EQ(line.result, CheckResult::fail);
        return line.found.find(folder + "/fast.cpython-310") != std::string::npos;
    };
    EXPECT_TRUE(foundIn("/import"));
    EXPECT_TRUE(foundIn("/import/pkg"));
    EXPECT_FALSE(foundIn("/import/a/b")) << "no deeper than a package";
    EXPECT_FALSE(foundIn("/source"));
}

TEST(EnvExtension, AnImportThatCannotBeTriedNamesWhatWasMissing)
{
    fake::Host host;
    const EnvCheck built{"extension-build", Requirement::required, CheckResult::pass, {}, {}, {}};
    const EnvRequest request = withExtension();
    const EnvFacts facts = fake::facts();
    const env::Context context{request, facts, host, nullptr, env::kNoGpu};
    EXPECT_EQ(env::extensionImport(context, built).result, CheckResult::pass);
    ASSERT_EQ(host.requested.size(), 1U);
    EXPECT_EQ(host.requested[0].seconds, 60);
    host.commandStarts = false;
    const EnvCheck lost = env::extensionImport(context, built);
    EXPECT_EQ(lost.result, CheckResult::fail);
    EXPECT_EQ(lost.requirement, Requirement::required);
    EXPECT_THAT(lost.fix, HasSubstr("KLOOP_PYTHON"));
    for (const CheckResult other : {CheckResult::fail, CheckResult::skipped}) {
        EnvCheck unbuilt = built;
        unbuilt.result = other;
        EXPECT_EQ(env::extensionImport(context, unbuilt).result, CheckResult::skipped);
    }
}

TEST(EnvExtension, ABuildThatDoesNotStartIsCheckedAtItsCommandAndFolder)
{
    fake::Host host;
    host.commandStarts = false;
    const EnvCheck line = extensionLine("extension-build", host);
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_THAT(line.fix, HasSubstr("\"folder\""));
    fake::Host timed;
    timed.built = {0, true, 150, "FAILED: never mind\n"};
    EXPECT_EQ(extensionLine("extension-build", timed).result, CheckResult::fail) << "whatever its status is";
    fake::Host two;
    two.variables["TORCH_EXTENSIONS_DIR"] = "/ext";
    two.ages["/ext/slow/lock"] = 3600;
    two.ages["/p/build/other/lock"] = 3600;
    const std::string found = extensionLine("extension-build", two).found;
    EXPECT_THAT(found, HasSubstr("/ext/slow/lock"));
    EXPECT_THAT(found, HasSubstr("/p/build/other/lock"));
}

env::ImportExplanation explained(const std::string& message, std::optional<bool> abi = true)
{
    return env::explainImport({"fast", message, abi, "2.11.0", "cpython-312", {}});
}

TEST(ImportError, AnOldStringAgainstANewTorch)
{
    const env::ImportExplanation reported = explained("ImportError: fast.so: undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationESs");
    EXPECT_THAT(reported.found, saysStrings(1, 0));
    EXPECT_THAT(reported.fix, HasSubstr("-D_GLIBCXX_USE_CXX11_ABI=1"));
}

TEST(ImportError, StringsThatAgreeAreAnotherVersionOfTorch)
{
    const char* withString = "undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
    EXPECT_THAT(explained(withString, true).found, HasSubstr(" 2.11.0"));
    EXPECT_THAT(explained(withString, std::nullopt).found, HasSubstr(" 2.11.0")) << "torch does not say how it is built";
    EXPECT_THAT(explained(withString, false).found, saysStrings(0, 1));
    EXPECT_THAT(explained("undefined symbol: _ZN3c106detail14torchCheckFailEPKcS2_jRKSs").found, saysStrings(1, 0));
    EXPECT_THAT(explained("undefined symbol: _ZN3c106detail14torchCheckFailEPKcS2_jRKSs", false).found, HasSubstr(" 2.11.0"));
    const env::ImportExplanation own = explained("undefined symbol: _Z4loadNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", false);
    EXPECT_THAT(own.found, StartsWith("load(")) << "torch has no part in it";
    EXPECT_THAT(own.fix, HasSubstr("CMakeLists.txt"));
    const env::ImportExplanation unknown =
        env::explainImport({"fast", "undefined symbol: _ZN2at4_ops5zeros4callEl", true, "", "cpython-312", {}});
    EXPECT_THAT(unknown.found, AllOf(HasSubstr(" at::_ops::zeros::call(long) "), Not(HasSubstr(" :")))) << "some version";
    EXPECT_EQ(unknown.fix, explained(withString, true).fix);
}

TEST(ImportError, AModuleIsMissingOrBuiltForAnotherPython)
{
    const auto reported = [](const std::string& module, const std::string& missing, const std::vector<std::string>& built) {
        return env::explainImport({module, "ModuleNotFoundError: No module named '" + missing + "'", true, "2.11.0", "cpython-312", built});
    };
    EXPECT_THAT(reported("fast", "fast", {"/p/fast.cpython-310-x86_64.so"}).found,
                AllOf(HasSubstr("/p/fast.cpython-310-x86_64.so "), HasSubstr(" cpython-312")));
    const auto nowhere = [](const std::string& module) { return AllOf(HasSubstr(' ' + module + ' '), Not(HasSubstr("cpython"))); };
    EXPECT_THAT(reported("fast", "fast", {"/p/fast.cpython-312-x86_64.so"}).found, nowhere("fast"));
    EXPECT_THAT(reported("fast", "fast", {"/p/fast.abi3.so"}).found, nowhere("fast"));
    EXPECT_THAT(reported("pkg.fast", "pkg", {}).found, nowhere("pkg.fast"));
    EXPECT_THAT(reported("pkg.fast", "pkg", {}).fix, HasSubstr("\"import_folder\""));
    EXPECT_THAT(reported("pkg.fast", "pk", {}).fix, EndsWith(" python3 -m pip install pk"));
}

TEST(ImportError, CudasHalfAgainstTorchs)
{
    const env::ImportExplanation reported = explained("undefined symbol: _ZNK2at10TensorBase8data_ptrI6__halfEEPT_v");
    EXPECT_THAT(reported.found, HasSubstr("__half* at::TensorBase::data_ptr<__half>() const"));
    EXPECT_THAT(reported.fix, HasSubstr("data_ptr<at::Half>()"));
    const env::ImportExplanation own = explained("undefined symbol: _Z7forwardIN3c104HalfEEvPKT_PS2_i");
    EXPECT_THAT(own.found, HasSubstr("void forward<c10::Half>(c10::Half const*, c10::Half*, int)"));
    EXPECT_THAT(own.fix, HasSubstr("reinterpret_cast<__half*>"));
}

TEST(ImportError, EachKindOfNameLeadsToItsCause)
{
    const auto undefined = [](const std::string& symbol) { return explained("undefined symbol: " + symbol); };
    const std::string rebuild = undefined("_ZN2at4_ops5zeros4callEl").fix;
    for (const char* symbol : {"_ZN3c1010TensorImplC1Ev", "_ZN5torch8autogradC1Ev", "_ZN6caffe28TypeMeta5errorEv"})
        EXPECT_EQ(undefined(symbol).fix, rebuild) << symbol;
    for (const char* symbol : {"_ZN3c101fERKSs", "_ZN3c101fERSs", "_ZN3c101fENS_1AESs", "_ZN3c101fEvSs", "_ZN3c101fES_Ss", "_ZN3c101fEiSs"})
        EXPECT_THAT(undefined(symbol).fix, HasSubstr("-D_GLIBCXX_USE_CXX11_ABI=1")) << symbol;
    EXPECT_THAT(undefined("_Z1fP13__nv_bfloat16").found, HasSubstr("f(__nv_bfloat16*)"));
    EXPECT_THAT(undefined("_Z1fP13__nv_bfloat16").fix, HasSubstr("reinterpret_cast"));
    EXPECT_THAT(undefined("_Z1fIN3c108BFloat16EEvPT_").fix, HasSubstr("reinterpret_cast"));
    EXPECT_THAT(undefined("__cudaRegisterFatBinary").fix, HasSubstr("libcudart"));
    EXPECT_THAT(undefined("PyObject_Vectorcall").found, HasSubstr("PyObject_Vectorcall"));
    EXPECT_EQ(undefined("PyObject_Vectorcall").fix, undefined("_PyThreadState_UncheckedGet").fix);
    EXPECT_NE(undefined("PyObject_Vectorcall").fix, undefined("launch").fix);
    EXPECT_THAT(undefined("launch, version V1").found, StartsWith("launch "));
    EXPECT_EQ(undefined("").found, "undefined symbol: ") << "nothing is named";
}

TEST(ImportError, OfALibraryThatIsNotFoundTheNameIsGiven)
{
    const auto lost = [](const std::string& library) {
        return explained("ImportError: " + library + ": cannot open shared object file: No such file or directory");
    };
    EXPECT_THAT(lost("libtorch_cuda.so").found, StartsWith("libtorch_cuda.so "));
    EXPECT_EQ(lost("libtorch_cuda.so").fix, lost("libc10.so").fix);
    EXPECT_THAT(lost("/opt/lib/libcudnn.so.9").found, StartsWith("libcudnn.so.9,"));
    EXPECT_THAT(lost("libcublas.so.12").fix, HasSubstr("torch.version.cuda"));
    EXPECT_THAT(lost("libgomp.so.1").fix, Not(HasSubstr("torch.version.cuda")));
    EXPECT_NE(lost("libgomp.so.1").fix, lost("libc10.so").fix);
    EXPECT_THAT(explained("ImportError: version `CXXABI_1.3.15' not found").fix, HasSubstr("libstdcxx-ng"));
}

TEST(ImportError, OtherMismatchesHaveTheirFixes)
{
    EXPECT_THAT(explained("undefined symbol: _ZN2at4_ops5zeros4callEl").found,
                AllOf(HasSubstr(" 2.11.0"), HasSubstr(" at::_ops::zeros::call(long) ")));
    EXPECT_THAT(explained("undefined symbol: cudaLaunchKernelExC").found, HasSubstr(" cudaLaunchKernelExC"));
    EXPECT_THAT(explained("undefined symbol: _PyThreadState_UncheckedGet").found, HasSubstr(" _PyThreadState_UncheckedGet"));
    EXPECT_THAT(explained("undefined symbol: _Z6launchPfi").found, StartsWith("launch(float*, int) "));
    const std::string lost = ": cannot open shared object file: No such file";
    EXPECT_THAT(explained("ImportError: libc10.so" + lost).fix, HasSubstr("torch"));
    EXPECT_THAT(explained("ImportError: libcudart.so.12" + lost).fix, HasSubstr("torch.version.cuda"));
    EXPECT_THAT(explained("ImportError: /lib/libstdc++.so.6: version `GLIBCXX_3.4.32' not found").fix, HasSubstr("g++"));
    EXPECT_THAT(explained("ImportError: dynamic module does not define module export function (PyInit_fast)").fix,
                HasSubstr("TORCH_EXTENSION_NAME"));
    EXPECT_THAT(explained("ModuleNotFoundError: No module named 'einops'").fix, HasSubstr("pip install einops"));
    EXPECT_THAT(explained("ModuleNotFoundError: No module named 'fast'").fix, HasSubstr("import_folder"));
    EXPECT_THAT(explained("ValueError: something else").found, HasSubstr("something else"));
}

TEST(EnvToolkit, IsTheFirstThatAnswersOfTheNamedOnesAndThoseInUse)
{
    const auto found = [](const std::map<std::string, std::string>& programs) {
        fake::Host host;
        host.variables = {{"CUDA_HOME", "/home/cuda"}, {"CUDA_PATH", "/path/cuda"}};
        host.programs = programs;
        return fake::check("toolkit", host).found;
    };
    const std::string home = "/home/cuda/bin/nvcc", path = "/path/cuda/bin/nvcc", usual = "/usr/local/cuda/bin/nvcc";
    const std::map<std::string, std::string> all{
        {home, "release 12.6, V12"}, {path, "release 12.7 x"}, {"nvcc", "release 12.8\n"}, {usual, "release 12.9"}};
    EXPECT_EQ(found(all), "CUDA 12.6, " + home);
    EXPECT_EQ(found({{home, "no version"}, {path, all.at(path)}, {"nvcc", all.at("nvcc")}}), "CUDA 12.7, " + path);
    EXPECT_EQ(found({{"nvcc", all.at("nvcc")}, {usual, all.at(usual)}}), "CUDA 12.8, nvcc");
    EXPECT_EQ(found({{usual, all.at(usual)}}), "CUDA 12.9, " + usual);
}

TEST(EnvToolkit, IsNeededForAnExtensionAlone)
{
    fake::Host host;
    EXPECT_EQ(fake::check("toolkit", host).found, "CUDA 13.0, nvcc");
    host.programs.clear();
    EXPECT_EQ(fake::check("toolkit", host).result, CheckResult::skipped);
    EXPECT_EQ(extensionLine("toolkit", host).result, CheckResult::fail);
    EXPECT_EQ(extensionLine("toolkit", host).requirement, Requirement::required);
    EXPECT_EQ(extensionLine("toolkit", fake::Host()).requirement, Requirement::required);
    EXPECT_EQ(fake::check("toolkit", fake::Host()).requirement, Requirement::optional);
    host.variables["CUDA_HOME"] = "/opt/cuda";
    host.programs["/opt/cuda/bin/nvcc"] = "release 14.0, V14";
    EXPECT_THAT(fake::check("toolkit", host).found, AllOf(HasSubstr(" 14.0 "), HasSubstr("13.0")));
}

std::string unixSecondsIn(int minutes)
{
    const auto then = std::chrono::system_clock::now() + std::chrono::seconds(60 * minutes + 10);
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(then.time_since_epoch()).count());
}

TEST(EnvPreemption, AJobOfSlurmsIsShortBelowHalfAnHour)
{
    fake::Host host;
    host.variables["SLURM_JOB_END_TIME"] = unixSecondsIn(29);
    EXPECT_THAT(fake::check("preemption", host).found, AllOf(StartsWith("Slurm "), EndsWith(" 29 min")));
    host.variables["SLURM_JOB_END_TIME"] = unixSecondsIn(120);
    EXPECT_THAT(fake::check("preemption", host).found, AllOf(HasSubstr("systemd"), HasSubstr(" Slurm (120 min ")));
}

TEST(EnvPreemption, AmazonIsAskedWithTheTokenThatItGave)
{
    fake::Host host;
    host.files["/sys/class/dmi/id/sys_vendor"] = "Amazon EC2\n";
    host.service["GET /latest/meta-data/spot/instance-action"] = "{\"action\": \"terminate\"}";
    EXPECT_EQ(fake::check("preemption", host).result, CheckResult::fail);
    EXPECT_TRUE(host.headers.empty()) << "an old service gives no token";
    host.service["PUT /latest/api/token"] = "abc";
    const EnvCheck line = fake::check("preemption", host);
    EXPECT_EQ(host.headers, std::vector<std::string>{"X-aws-ec2-metadata-token: abc"});
    ASSERT_EQ(line.next.size(), 1U);
    EXPECT_EQ(line.next[0].id, StepId::resumeSession);
}

TEST(EnvPreemption, GoogleSaysTrueOrFalse)
{
    fake::Host host;
    host.files["/sys/class/dmi/id/sys_vendor"] = "Google\n";
    host.service["GET /computeMetadata/v1/instance/preempted"] = "FALSE";
    EXPECT_EQ(fake::check("preemption", host).result, CheckResult::pass);
    EXPECT_THAT(fake::check("preemption", host).found, HasSubstr("Google"));
    host.service["GET /computeMetadata/v1/instance/preempted"] = "TRUE";
    EXPECT_EQ(fake::check("preemption", host).result, CheckResult::fail);
}

TEST(EnvPreemption, EveryKindOfNoticeIsSeen)
{
    EXPECT_EQ(fake::check("preemption", fake::Host()).result, CheckResult::pass);
    EXPECT_THAT(fake::check("preemption", fake::Host()).found, AllOf(HasSubstr("systemd"), Not(HasSubstr(","))));
    fake::Host shutdown;
    shutdown.files["/run/systemd/shutdown/scheduled"] = "USEC=1000000\nWARN_WALL=1\nMODE=poweroff\n";
    EXPECT_EQ(fake::check("preemption", shutdown).result, CheckResult::fail);
    EXPECT_THAT(fake::check("preemption", shutdown).found, EndsWith(" now"));
    const auto soon = std::chrono::system_clock::now() + std::chrono::seconds(610);
    shutdown.files["/run/systemd/shutdown/scheduled"] =
        "USEC=" + std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(soon.time_since_epoch()).count()) + '\n';
    EXPECT_THAT(fake::check("preemption", shutdown).found, EndsWith(" 10 min"));
    shutdown.files["/run/systemd/shutdown/scheduled"].insert(0, "WARN_WALL=1\n");
    EXPECT_THAT(fake::check("preemption", shutdown).found, EndsWith(" 10 min")) << "wherever the time is";
    fake::Host slurm;
    slurm.variables["SLURM_JOB_END_TIME"] = "1000";
    EXPECT_THAT(fake::check("preemption", slurm).found, AllOf(StartsWith("Slurm "), EndsWith(" now")));
    slurm.variables["SLURM_JOB_END_TIME"] = "99999999999";
    EXPECT_EQ(fake::check("preemption", slurm).result, CheckResult::pass);
    const struct {
        const char* vendor;
        const char* request;
        const char* answer;
        const char* found;
    } clouds[] = {{"Amazon EC2\n", "GET /latest/meta-data/spot/instance-action",
                   "{\"action\": \"terminate\", \"time\": \"2026-01-01T00:00:00Z\"}", "2026-01-01T00:00:00Z"},
                  {"Google\n", "GET /computeMetadata/v1/instance/preempted", "TRUE", "Google "},
                  {"Microsoft Corporation\n", "GET /metadata/scheduledevents?api-version=2020-07-01",
                   "{\"Events\":[{\"EventType\":\"Preempt\"}]}", "Azure "}};
    for (const auto& cloud : clouds) {
        fake::Host host;
        host.files["/sys/class/dmi/id/sys_vendor"] = cloud.vendor;
        EXPECT_EQ(fake::check("preemption", host).result, CheckResult::pass) << cloud.vendor;
        host.service[cloud.request] = cloud.answer;
        const EnvCheck line = fake::check("preemption", host);
        EXPECT_EQ(line.result, CheckResult::fail);
        EXPECT_EQ(line.requirement, Requirement::optional);
        EXPECT_THAT(line.found, HasSubstr(cloud.found));
        EXPECT_FALSE(line.fix.empty());
    }
}

} // namespace
} // namespace kl
