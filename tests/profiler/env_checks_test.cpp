// SPDX-License-Identifier: MIT
#include "env_fake_host.h"
#include "profiler/live/env/check.h"
#include "profiler/live/host/oldest_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

using fake::check;
using fake::facts;
using fake::noGpu;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

TEST(EnvReportOf, AHealthyHostPassesEveryCheckButTheSmokeTest)
{
    const EnvReport report = runEnvChecks({}, facts(), fake::Host());
    EXPECT_TRUE(passes(report));
    for (const EnvCheck& line : report.checks) {
        const bool notGiven = line.id == "smoke-kernel" || line.id.starts_with("extension");
        EXPECT_EQ(line.result, notGiven ? CheckResult::skipped : CheckResult::pass) << line.id << ": " << line.found;
    }
}

TEST(EnvReportOf, ItsIdsAndOrderAreFixed)
{
    std::vector<std::string> ids;
    for (const EnvCheck& line : runEnvChecks({}, noGpu(), fake::Host()).checks)
        ids.push_back(line.id);
    const std::vector<std::string> expected{"gpu",
                                            "driver",
                                            "nvrtc",
                                            "cupti",
                                            "toolkit",
                                            "counters",
                                            "compute-capability",
                                            "shared-memory",
                                            "gpu-idle",
                                            "throttling",
                                            "clocks",
                                            "persistence",
                                            "disk",
                                            "loader-path",
                                            "preemption",
                                            "python",
                                            "torch",
                                            "numpy",
                                            "torch-cuda",
                                            "extension-build",
                                            "extension-import",
                                            "smoke-kernel"};
    EXPECT_EQ(ids, expected);
}

TEST(EnvReportOf, EveryLineSaysWhatWasFoundAndWhyAndEveryFailHasAFix)
{
    fake::Host bare;
    bare.files.clear();
    bare.haveDriver = bare.haveLibraries = bare.havePython = false;
    bare.programs.clear();
    bare.free = 1;
    for (const EnvCheck& line : runEnvChecks({}, noGpu(), bare).checks) {
        EXPECT_FALSE(line.found.empty()) << line.id;
        EXPECT_FALSE(line.why.empty()) << line.id;
        EXPECT_EQ(line.result == CheckResult::fail, !line.fix.empty()) << line.id;
    }
}

TEST(EnvReportOf, WithoutAGpuTheVerdictIsFailInWords)
{
    fake::Host host;
    host.files.clear();
    host.haveDriver = false;
    const EnvReport report = runEnvChecks({}, noGpu(), host);
    EXPECT_FALSE(passes(report));
    const EnvCheck gpu = fake::line(report, "gpu");
    EXPECT_EQ(gpu.result, CheckResult::fail);
    EXPECT_TRUE(has(gpu.found, "libcuda.so.1"));
    EXPECT_TRUE(has(gpu.fix, "nvidia-driver"));
    for (const char* id :
         {"counters", "compute-capability", "shared-memory", "gpu-idle", "throttling", "clocks", "persistence", "smoke-kernel"})
        EXPECT_EQ(fake::line(report, id).result, CheckResult::skipped) << id;
}

TEST(EnvGpu, ADriverWithoutAGpuIsDistinguished)
{
    const EnvCheck line = check("gpu", fake::Host(), noGpu());
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_TRUE(has(line.found, "libcuda.so.1"));
    EXPECT_TRUE(has(line.fix, "nvidia-smi -L"));
}

TEST(EnvGpu, LeavesTheWorkersAdviceToTheFix)
{
    const std::string said = "No driver is installed (libcuda.so.1 was not found).";
    EnvFacts given = noGpu();
    given.hello.unavailable = said + " Install one.";
    fake::Host host;
    host.files.clear();
    EXPECT_THAT(check("gpu", host, given).found, EndsWith(' ' + said));
}

TEST(EnvGpu, NamesTheDevice)
{
    EXPECT_EQ(check("gpu", fake::Host()).found, "NVIDIA H200, 132 SMs, 140 GiB");
}

TEST(EnvGpu, NamesTheOneThatIsMeasuredOnAmongSeveral)
{
    EnvFacts given = facts();
    given.hello.devices.push_back(fake::h200());
    given.hello.devices[1].name = "NVIDIA L4";
    given.hello.devices[1].uuid = "GPU-2";
    given.hello.device = 1;
    const EnvCheck line = check("gpu", fake::Host(), given);
    EXPECT_EQ(line.result, CheckResult::pass);
    EXPECT_EQ(line.found.find("NVIDIA L4, "), 0U);
    EXPECT_TRUE(has(line.found, "1: NVIDIA L4 (GPU-2)"));
}

TEST(EnvGpu, TheStateIsThatOfTheOneThatIsMeasuredOn)
{
    EnvFacts given = facts();
    given.hello.devices.push_back(fake::h200());
    given.hello.devices[1].uuid = "GPU-2";
    const fake::Host host;
    (void)check("clocks", host, given);
    EXPECT_EQ(host.gpuAsked, "GPU-1");
    given.hello.device = 1;
    given.hello.devices[1].ccMinor = 1;
    EXPECT_TRUE(has(check("compute-capability", host, given).found, "sm_91"));
    EXPECT_EQ(host.gpuAsked, "GPU-2");
}

TEST(EnvGpu, ADriverThatIsNotLoadedHasAnotherFixThanOneThatFindsNone)
{
    EnvFacts given = noGpu();
    given.hello.unavailable.reset();
    fake::Host host;
    const EnvCheck loaded = check("gpu", host, given);
    EXPECT_EQ(loaded.result, CheckResult::fail);
    EXPECT_TRUE(has(loaded.fix, "CUDA_VISIBLE_DEVICES"));
    host.files.clear();
    const EnvCheck none = check("gpu", host, given);
    EXPECT_EQ(none.result, CheckResult::fail);
    EXPECT_TRUE(has(none.fix, "nvidia-driver"));
    EXPECT_FALSE(has(none.fix, "CUDA_VISIBLE_DEVICES"));
}

TEST(EnvGpu, AGpuThatIsNotThereFails)
{
    EnvFacts given = facts();
    given.hello.device.reset();
    given.hello.unavailable = "There is no GPU \"7\".";
    const EnvCheck line = check("gpu", fake::Host(), given);
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_TRUE(has(line.found, "no GPU \"7\""));
}

TEST(EnvDriver, ShowsItsCudaVersion)
{
    EXPECT_THAT(check("driver", fake::Host()).found, AllOf(StartsWith("580.159.04,"), EndsWith(" 13.0")));
}

TEST(EnvDriver, AnOldOneFails)
{
    EnvFacts given = facts();
    given.hello.devices[0].cudaDriverVersion = kOldestDriverCuda;
    EXPECT_EQ(check("driver", fake::Host(), given).result, CheckResult::pass);
    given.hello.devices[0].cudaDriverVersion = 12050;
    const EnvCheck line = check("driver", fake::Host(), given);
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_TRUE(has(line.found, "12.5"));
    EXPECT_TRUE(has(line.fix, "560"));
}

TEST(EnvDriver, AnOldOneThatHidesTheGpuIsReportedByItsBranch)
{
    fake::Host host;
    host.driver = "535.230.02";
    const EnvCheck line = check("driver", host, noGpu());
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_EQ(line.found, "535.230.02");
    EXPECT_TRUE(has(line.fix, "560"));
    host.driver = "560.28.03";
    EXPECT_EQ(check("driver", host, noGpu()).result, CheckResult::pass);
    host.driver = "unknown";
    EXPECT_EQ(check("driver", host, noGpu()).result, CheckResult::pass);
}

TEST(EnvDriver, WithoutItsCudaVersionTheDevicesBranchCounts)
{
    EnvFacts given = facts();
    given.hello.devices[0].cudaDriverVersion = 0;
    given.hello.devices[0].driverVersion = "555.42.06";
    const EnvCheck old = check("driver", fake::Host(), given);
    EXPECT_EQ(old.result, CheckResult::fail);
    EXPECT_EQ(old.found, "555.42.06") << "as the device says, not the host";
    given.hello.devices[0].driverVersion = "560.28.03";
    EXPECT_EQ(check("driver", fake::Host(), given).result, CheckResult::pass);
    given.hello.devices[0].driverVersion.clear();
    given.hello.devices[0].cudaDriverVersion = 13000;
    fake::Host host;
    host.driver = "581.1";
    EXPECT_THAT(check("driver", host, given).found, AllOf(StartsWith("581.1,"), EndsWith(" 13.0"))) << "as the host says";
}

TEST(EnvDriver, ItsAbsenceFailsWithTheFix)
{
    fake::Host host;
    host.haveDriver = false;
    const EnvCheck line = check("driver", host, noGpu());
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_TRUE(has(line.fix, "driver"));
}

TEST(EnvDriver, TheFixIsThatOfTheLibraryWhereItHasOne)
{
    fake::Host host;
    host.haveDriver = false;
    host.driverHint = "Load its module.";
    EXPECT_EQ(check("driver", host, noGpu()).fix, "Load its module.");
    host.driverHint = {};
    EXPECT_FALSE(check("driver", host, noGpu()).fix.empty());
}

TEST(EnvLibraries, ANewerToolkitThanTheDriverFails)
{
    EnvFacts given = facts();
    given.hello.devices[0].cudaDriverVersion = 12080;
    for (const char* id : {"nvrtc", "cupti"}) {
        const EnvCheck line = check(id, fake::Host(), given);
        EXPECT_EQ(line.result, CheckResult::fail) << id;
        EXPECT_THAT(line.found, AllOf(HasSubstr(" 13.0 "), HasSubstr("12.8")));
    }
}

TEST(EnvLibraries, ANewerMinorVersionOrAnOlderMajorOneIsFine)
{
    EnvFacts given = facts();
    given.probe.nvrtcVersion = "13.2";
    given.probe.cuptiVersion = "12 (API 24)";
    EXPECT_EQ(check("nvrtc", fake::Host(), given).result, CheckResult::pass);
    EXPECT_EQ(check("cupti", fake::Host(), given).result, CheckResult::pass);
}

TEST(EnvLibraries, AreLookedForWhereTheWorkerToldNothing)
{
    EXPECT_TRUE(has(check("nvrtc", fake::Host(), noGpu()).found, "libnvrtc.so"));
    fake::Host host;
    host.haveLibraries = false;
    for (const char* id : {"nvrtc", "cupti"}) {
        const EnvCheck line = check(id, host, noGpu());
        EXPECT_EQ(line.result, CheckResult::fail);
        EXPECT_TRUE(has(line.fix, "CUDA_HOME"));
    }
}

TEST(EnvLibraries, EachIsLookedForInItsOwnPartOfTheToolkit)
{
    fake::Host host;
    host.onLoaderPath = false;
    host.lostComponent = "cuda_nvrtc";
    const EnvReport report = runEnvChecks({}, noGpu(), host);
    EXPECT_EQ(fake::line(report, "nvrtc").result, CheckResult::fail);
    EXPECT_TRUE(has(fake::line(report, "nvrtc").fix, "cuda-nvrtc-13-0"));
    EXPECT_TRUE(has(fake::line(report, "cupti").found, "libcupti.so.13"));
    EXPECT_EQ(fake::line(report, "loader-path").result, CheckResult::fail);
    const std::vector<std::pair<std::string, std::string>> requested{{"libnvrtc.so.13", "cuda_nvrtc"},
                                                                     {"libcupti.so.13", "cuda_cupti"},
                                                                     {"libnvrtc.so.13", "cuda_nvrtc"},
                                                                     {"libcupti.so.13", "cuda_cupti"}};
    EXPECT_EQ(host.librariesAsked, requested);
    host.lostComponent = "cuda_cupti";
    EXPECT_TRUE(has(check("cupti", host, noGpu()).fix, "cuda-cupti-13-0"));
    EXPECT_EQ(check("nvrtc", host, noGpu()).result, CheckResult::pass);
    const EnvCheck path = check("loader-path", host);
    EXPECT_EQ(path.result, CheckResult::fail) << "one of two is not enough";
    EXPECT_THAT(path.found, AllOf(StartsWith("libcupti.so.13 "), HasSubstr("/usr/local/cuda/lib64/libnvrtc.so.13")));
}

TEST(EnvLibraries, TheMajorVersionToInstallIsTheDriversOwn)
{
    EnvFacts given = facts();
    given.hello.devices[0].cudaDriverVersion = 12080;
    given.probe.cuptiVersion = "12 (API 24)";
    EXPECT_TRUE(has(check("nvrtc", fake::Host(), given).fix, "CUDA 12"));
    EXPECT_TRUE(has(check("nvrtc", fake::Host(), given).found, "13.0"));
    EXPECT_EQ(check("cupti", fake::Host(), given).result, CheckResult::pass) << "each by its own version";
    given.hello.devices[0].cudaDriverVersion = 0;
    EXPECT_EQ(check("nvrtc", fake::Host(), given).result, CheckResult::pass) << "nothing to hold it against";
}

TEST(EnvLibraries, TheLoaderPathIsShownApart)
{
    fake::Host host;
    host.onLoaderPath = false;
    EXPECT_EQ(check("loader-path", host).result, CheckResult::pass);
    EXPECT_TRUE(has(check("loader-path", host).found, "/usr/local/cuda/lib64/libcupti.so.13"));
    host.haveLibraries = false;
    const EnvCheck line = check("loader-path", host);
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_TRUE(has(line.found, "libnvrtc.so.13, libcupti.so.13"));
    EXPECT_TRUE(has(line.fix, "LD_LIBRARY_PATH"));
}

TEST(EnvLibraries, OnTheLoaderPathAreCalledByTheirNames)
{
    EXPECT_THAT(check("loader-path", fake::Host()).found, AllOf(StartsWith("libnvrtc "), HasSubstr("; libcupti "), Not(HasSubstr("/"))));
    fake::Host host;
    host.onLoaderPath = false;
    EXPECT_THAT(check("loader-path", host).found,
                AllOf(StartsWith("/usr/local/cuda/lib64/libnvrtc.so.13, "), HasSubstr("; /usr/local/cuda/lib64/libcupti.so.13, ")));
}

TEST(EnvCounters, AnAdministratorsDriverIsNamedWithTheFix)
{
    EnvFacts given = facts();
    given.probe.countersPermitted = false;
    given.probe.countersReason = "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES";
    fake::Host host;
    host.files["/proc/driver/nvidia/params"] = "Foo: 1\nRmProfilingAdminOnly: 1\n";
    const EnvCheck line = check("counters", host, given);
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_TRUE(has(line.found, "RmProfilingAdminOnly: 1"));
    EXPECT_TRUE(has(line.fix, "NVreg_RestrictProfilingToAdminUsers=0"));
    EXPECT_EQ(line.requirement, Requirement::optional) << "counter-free mode goes on";
}

TEST(EnvCounters, MigIsNamed)
{
    EnvFacts given = facts();
    given.probe.countersPermitted = false;
    fake::Host host;
    host.gpu.mig = true;
    host.files["/proc/driver/nvidia/params"] = "RmProfilingAdminOnly: 1\n";
    EXPECT_TRUE(has(check("counters", host, given).found, "MIG")) << "permission would not help";
    EXPECT_TRUE(has(check("counters", host, given).fix, "nvidia-smi -mig 0"));
    given.probe.countersPermitted = true;
    EXPECT_EQ(check("counters", host, given).result, CheckResult::pass);
}

TEST(EnvCounters, AnyOtherReasonIsPassedOn)
{
    EnvFacts given = facts();
    given.probe.countersPermitted = false;
    given.probe.countersReason = "Taken.";
    EXPECT_EQ(check("counters", fake::Host(), given).found, "Taken.");
    EXPECT_TRUE(has(check("counters", fake::Host(), given).fix, "NVreg_RestrictProfilingToAdminUsers=0"));
}

TEST(EnvCounters, WithoutNvmlTheReasonIsTheDrivers)
{
    EnvFacts given = facts();
    given.probe.countersPermitted = false;
    fake::Host host;
    host.haveDriver = false;
    EXPECT_EQ(check("counters", host, given).result, CheckResult::fail);
    EXPECT_FALSE(has(check("counters", host, given).found, "MIG"));
    host.files["/proc/driver/nvidia/params"] = "RmProfilingAdminOnly: 0\n";
    EXPECT_THAT(check("counters", host, given).found, AllOf(Not(HasSubstr("RmProfilingAdminOnly")), Not(testing::IsEmpty())));
}

TEST(EnvDevice, TheOldestArchitectureIsTuring)
{
    EnvFacts given = facts();
    given.hello.devices[0].ccMajor = 7;
    given.hello.devices[0].ccMinor = 5;
    EXPECT_EQ(check("compute-capability", fake::Host(), given).result, CheckResult::pass);
    given.hello.devices[0].ccMinor = 4;
    EXPECT_EQ(check("compute-capability", fake::Host(), given).result, CheckResult::fail);
}

TEST(EnvDevice, EveryGpuHasTheUsualSharedMemory)
{
    EnvFacts given = facts();
    given.hello.devices[0].smemPerBlockOptin = 48 * 1024;
    EXPECT_EQ(check("shared-memory", fake::Host(), given).result, CheckResult::pass);
    given.hello.devices[0].smemPerBlockOptin = 48 * 1024 - 1;
    EXPECT_EQ(check("shared-memory", fake::Host(), given).result, CheckResult::fail);
}

TEST(EnvDevice, AnOldArchitectureFails)
{
    EnvFacts given = facts();
    given.hello.devices[0].ccMajor = 6;
    const EnvCheck line = check("compute-capability", fake::Host(), given);
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_TRUE(has(line.found, "sm_60"));
}

TEST(EnvDevice, ShowsChipAndSharedMemory)
{
    EXPECT_THAT(check("compute-capability", fake::Host()).found, AllOf(StartsWith("9.0 (sm_90), "), EndsWith(" GH100")));
    EXPECT_THAT(check("shared-memory", fake::Host()).found, AllOf(StartsWith("227 KiB "), HasSubstr(", 228 KiB ")));
}

TEST(EnvDevice, ABusyGpuFails)
{
    fake::Host host;
    host.gpu.load = 97;
    host.gpu.others = 1;
    const EnvCheck line = check("gpu-idle", host);
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_THAT(line.found, AllOf(StartsWith("1 "), HasSubstr(", 97 % ")));
}

TEST(EnvDevice, AProgramThatOnlyHoldsMemoryDoesNotFail)
{
    fake::Host host;
    host.gpu.others = 2;
    EXPECT_EQ(check("gpu-idle", host).result, CheckResult::pass);
    host.gpu.load = std::nullopt;
    EXPECT_EQ(check("gpu-idle", host).result, CheckResult::fail);
}

TEST(EnvDevice, ALoadOfTenPercentIsIdle)
{
    fake::Host host;
    EXPECT_TRUE(has(check("gpu-idle", host).found, ", 0 % "));
    host.gpu.load = 10;
    EXPECT_EQ(check("gpu-idle", host).result, CheckResult::pass);
    host.gpu.load = 10.5;
    EXPECT_EQ(check("gpu-idle", host).result, CheckResult::fail);
    host.gpu.load = std::nullopt;
    EXPECT_EQ(check("gpu-idle", host).result, CheckResult::pass);
    EXPECT_FALSE(has(check("gpu-idle", host).found, "%")) << "its load is not known";
    host.gpu.others = 1;
    EXPECT_EQ(check("gpu-idle", host).result, CheckResult::fail);
}

TEST(EnvDevice, ThrottlingIsNamed)
{
    fake::Host host;
    host.gpu.throttles = {"power cap", "thermal"};
    const EnvCheck line = check("throttling", host);
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_EQ(line.found, "power cap, thermal, 31 °C, 114 W");
}

TEST(EnvDevice, WhatNvmlDoesNotReportIsLeftOut)
{
    fake::Host host;
    EXPECT_EQ(check("throttling", host).result, CheckResult::pass);
    host.gpu.throttles = {"thermal"};
    host.gpu.celsius.reset();
    EXPECT_EQ(check("throttling", host).found, "thermal, 114 W");
    host.gpu.watt.reset();
    EXPECT_EQ(check("throttling", host).found, "thermal");
    host.gpu.smClock.reset();
    EXPECT_THAT(check("clocks", host).found,
                AllOf(HasSubstr(" 1980 MHz"), HasSubstr(" 2619 MHz"), HasSubstr(" 3201 MHz"), Not(HasSubstr("345"))));
    EXPECT_EQ(check("persistence", host).found, "on");
    EXPECT_EQ(check("persistence", host).fix, "");
}

TEST(EnvDevice, ClocksAndPersistenceAreReportedAndNeverFail)
{
    fake::Host host;
    const std::string unlocked = check("clocks", host).found;
    host.gpu.locked = true;
    host.gpu.persistent = false;
    EXPECT_THAT(check("clocks", host).found, AllOf(StartsWith("SM 345 MHz "), HasSubstr(" 1980 MHz"), Not(unlocked)));
    EXPECT_EQ(check("clocks", host).result, CheckResult::pass);
    EXPECT_EQ(check("persistence", host).result, CheckResult::pass);
    EXPECT_TRUE(has(check("persistence", host).fix, "nvidia-smi -pm 1"));
    host.gpu.persistent = std::nullopt;
    EXPECT_EQ(check("persistence", host).result, CheckResult::skipped);
}

TEST(EnvDevice, WithoutNvmlTheReasonIsReported)
{
    fake::Host host;
    host.haveDriver = false;
    EXPECT_EQ(check("clocks", host).result, CheckResult::skipped);
    EXPECT_EQ(check("clocks", host).found, "NVML was not found.");
}

TEST(EnvDisk, AFullDiskFails)
{
    fake::Host host;
    host.free = 100 << 20;
    EnvRequest request;
    request.diskPath = "/data";
    const EnvCheck line = check("disk", host, facts(), request);
    EXPECT_EQ(line.result, CheckResult::fail);
    EXPECT_THAT(line.found, AllOf(StartsWith("0.1 GiB "), EndsWith(" /data")));
    EXPECT_EQ(host.diskAsked, "/data");
    (void)check("disk", host);
    EXPECT_EQ(host.diskAsked, ".");
    host.free = -1;
    EXPECT_EQ(check("disk", host, facts(), request).result, CheckResult::skipped);
}

TEST(EnvDisk, AGibibyteIsEnough)
{
    fake::Host host;
    host.free = std::int64_t{1} << 30;
    EXPECT_EQ(check("disk", host).result, CheckResult::pass);
    EXPECT_THAT(check("disk", host).found, StartsWith("1.0 GiB "));
    --host.free;
    EXPECT_EQ(check("disk", host).result, CheckResult::fail);
}

TEST(EnvSmoke, RunsTheGivenKernelAndShowsItsTime)
{
    EnvFacts given = facts();
    given.smoke = [](const WorkSpec& work) {
        RunAnswer answer;
        answer.correctness.result = work.kernel == "copy/naive" ? CorrectnessResult::correct : CorrectnessResult::incorrect;
        answer.timing = Timing{};
        answer.timing->gpu.median = 12340;
        return answer;
    };
    EnvRequest request;
    request.smoke = WorkSpec{};
    request.smoke->kernel = "copy/naive";
    EXPECT_THAT(check("smoke-kernel", fake::Host(), given, request).found, AllOf(StartsWith("copy/naive "), HasSubstr(" 12.3 µs ")));
    EXPECT_TRUE(check("smoke-kernel", fake::Host(), given, request).next.empty()) << "nothing is left to do";
    request.smoke->kernel = "other";
    const EnvCheck wrong = check("smoke-kernel", fake::Host(), given, request);
    EXPECT_EQ(wrong.result, CheckResult::fail);
    ASSERT_EQ(wrong.next.size(), 1U);
    EXPECT_EQ(wrong.next[0].id, StepId::run);
    EXPECT_EQ(wrong.next[0].at(StepArgument::kernel), "other");
    given.smoke = [](const WorkSpec&) {
        RunAnswer answer;
        answer.correctness.result = CorrectnessResult::correct;
        return answer;
    };
    const EnvCheck untimed = check("smoke-kernel", fake::Host(), given, request);
    EXPECT_EQ(untimed.result, CheckResult::pass);
    EXPECT_THAT(untimed.found, AllOf(StartsWith("other "), Not(HasSubstr("µs")))) << "it was not timed";
}

TEST(EnvSmoke, RunsWhenLoadAndClocksWereLookedAt)
{
    EnvFacts given = facts();
    const fake::Host host;
    bool ran = false;
    given.smoke = [&](const WorkSpec&) {
        ran = true;
        EXPECT_EQ(host.diskAsked, ".") << "every other check of the GPU comes before that of the disk";
        return RunAnswer{};
    };
    EnvRequest request;
    request.smoke = WorkSpec{};
    EXPECT_EQ(runEnvChecks(request, given, host).checks.back().id, "smoke-kernel");
    EXPECT_TRUE(ran);
}

TEST(EnvSmoke, AKernelThatDoesNotRunFailsTheReport)
{
    EnvFacts given = facts();
    given.smoke = [](const WorkSpec&) {
        RunAnswer answer;
        answer.status = ResultStatus::compilationFailed;
        answer.reason = "sm_90 is not known to NVRTC.";
        return answer;
    };
    EnvRequest request;
    request.smoke = WorkSpec{};
    const EnvReport report = runEnvChecks(request, given, fake::Host());
    EXPECT_TRUE(has(fake::line(report, "smoke-kernel").found, "sm_90"));
    ASSERT_EQ(fake::line(report, "smoke-kernel").next.size(), 1U);
    EXPECT_EQ(fake::line(report, "smoke-kernel").next[0].id, StepId::run);
    EXPECT_FALSE(passes(report));
    given.smoke = [](const WorkSpec&) { return RunAnswer{}; };
    EXPECT_EQ(check("smoke-kernel", fake::Host(), given, request).result, CheckResult::fail) << "its result was not checked";
    given.hello = noGpu().hello;
    EXPECT_EQ(check("smoke-kernel", fake::Host(), given, request).result, CheckResult::skipped);
}

TEST(EnvVersions, AreComparedAsCudaNumbersThem)
{
    EXPECT_EQ(env::versionNumber("13.0"), 13000);
    EXPECT_EQ(env::versionNumber("12.6.85"), 12060);
    EXPECT_EQ(env::versionNumber("12 (API 24)"), 12000);
    EXPECT_EQ(env::versionNumber("2.11.0+cu130"), 2110);
    EXPECT_EQ(env::versionNumber("12"), 12000);
    EXPECT_EQ(env::versionNumber("12."), 12000);
    EXPECT_EQ(env::versionNumber("9.9"), 9090);
    EXPECT_EQ(env::versionNumber(".5"), std::nullopt);
    EXPECT_EQ(env::versionNumber("unknown"), std::nullopt);
    EXPECT_EQ(env::cudaVersionText(12080), "12.8");
}

} // namespace
} // namespace kl
