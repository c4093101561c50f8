// SPDX-License-Identifier: MIT
// What the lines of the environment check say in each of their cases, and how they are to be fixed.
#include "env_fake_host.h"
#include "profiler/live/env/check.h"
#include "profiler/live/env/import_error.h"
#include "tests/support/snapshot.h"

#include <chrono>
#include <gtest/gtest.h>

namespace kl {
namespace {

/// A healthy host with a kernel to try, and what a case changes.
struct Situation {
    fake::Host host;
    EnvFacts facts = fake::facts();
    EnvRequest request;

    DeviceInfo& device() { return facts.hello.devices[0]; }
    void loseGpu(bool driverToo = false)
    {
        facts = fake::noGpu();
        if (driverToo) {
            host.files.clear();
            host.haveDriver = false;
        }
    }
    void denyCounters(const std::string& driverParameters)
    {
        facts.probe.countersPermitted = false;
        host.files["/proc/driver/nvidia/params"] = driverParameters;
    }
    void runsOn(const std::string& vendor, const std::string& requested, const std::string& answer)
    {
        host.files["/sys/class/dmi/id/sys_vendor"] = vendor + "\n";
        host.service[requested] = answer;
    }
    void tries(ResultStatus status, CorrectnessResult result, bool timed = false, const std::string& reason = {})
    {
        request.smoke = WorkSpec{};
        request.smoke->kernel = "copy/naive";
        facts.smoke = [=](const WorkSpec&) {
            RunAnswer answer;
            answer.status = status;
            answer.reason = reason;
            answer.correctness.result = result;
            if (timed)
                answer.timing.emplace().gpu.median = 12340;
            return answer;
        };
    }
    void builds()
    {
        request.extension =
            ExtensionSpec{"fast", "/p", {"python3", "setup.py", "build_ext", "--inplace"}, "/p", 2, 150, "/log/build.log", {}, {}};
    }
    void buildFails(const std::string& output, bool timedOut = false)
    {
        builds();
        host.built = {1, timedOut, 1, output};
    }
    void importSays(const std::string& output, int status = 0)
    {
        builds();
        host.imported = {status, false, 1, output};
    }
};

struct EnvCase {
    const char* id;
    const char* name;
    void (*change)(Situation&);
};

std::string toldBy(const EnvCheck& line, const std::string& name)
{
    return line.id + ", " + name + ": " + line.found + (line.fix.empty() ? "" : " | " + line.fix) + '\n';
}

template <std::size_t count> std::string toldInEach(const EnvCase (&cases)[count])
{
    std::string text;
    for (const EnvCase& one : cases) {
        Situation situation;
        one.change(situation);
        text += toldBy(fake::check(one.id, situation.host, situation.facts, situation.request), one.name);
    }
    return text;
}

std::string secondsFromNow(int minutes, std::int64_t perSecond = 1)
{
    const auto then = std::chrono::system_clock::now() + std::chrono::seconds(60 * minutes + 10);
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(then.time_since_epoch()).count() * perSecond);
}

const char* const kAmazonAction = "GET /latest/meta-data/spot/instance-action";
const char* const kGoogleAction = "GET /computeMetadata/v1/instance/preempted";
const char* const kAzureEvents = "GET /metadata/scheduledevents?api-version=2020-07-01";

const EnvCase kChecks[] = {
    {"gpu", "the second of two",
     [](Situation& s) {
         s.facts.hello.devices.push_back(fake::h200());
         s.facts.hello.devices[1].uuid = "GPU-2";
         s.facts.hello.device = 1;
     }},
    {"gpu", "no driver", [](Situation& s) { s.loseGpu(true); }},
    {"gpu", "no driver and no reason",
     [](Situation& s) {
         s.loseGpu(true);
         s.facts.hello.unavailable.reset();
     }},
    {"gpu", "none with a driver", [](Situation& s) { s.loseGpu(); }},
    {"gpu", "none with a driver and no reason",
     [](Situation& s) {
         s.loseGpu();
         s.facts.hello.unavailable.reset();
     }},
    {"driver", "too old", [](Situation& s) { s.device().cudaDriverVersion = 12050; }},
    {"driver", "too old for its GPU to be found",
     [](Situation& s) {
         s.loseGpu();
         s.host.driver = "535.230.02";
     }},
    {"driver", "none",
     [](Situation& s) {
         s.loseGpu(true);
         s.host.driverHint = {};
     }},
    {"nvrtc", "newer than the driver", [](Situation& s) { s.device().cudaDriverVersion = 12080; }},
    {"cupti", "newer than the driver", [](Situation& s) { s.device().cudaDriverVersion = 12080; }},
    {"nvrtc", "found without a worker", [](Situation& s) { s.loseGpu(); }},
    {"nvrtc", "none",
     [](Situation& s) {
         s.loseGpu();
         s.host.haveLibraries = false;
     }},
    {"cupti", "none",
     [](Situation& s) {
         s.loseGpu();
         s.host.haveLibraries = false;
     }},
    {"toolkit", "none", [](Situation& s) { s.host.programs.clear(); }},
    {"toolkit", "none for an extension",
     [](Situation& s) {
         s.builds();
         s.host.programs.clear();
     }},
    {"toolkit", "newer than the driver", [](Situation& s) { s.host.programs["nvcc"] = "release 14.0, V14"; }},
    {"counters", "no GPU", [](Situation& s) { s.loseGpu(); }},
    {"counters", "for administrators", [](Situation& s) { s.denyCounters("RmProfilingAdminOnly: 1\n"); }},
    {"counters", "no reason", [](Situation& s) { s.denyCounters("RmProfilingAdminOnly: 0\n"); }},
    {"counters", "MIG",
     [](Situation& s) {
         s.denyCounters("RmProfilingAdminOnly: 1\n");
         s.host.gpu.mig = true;
     }},
    {"compute-capability", "too old", [](Situation& s) { s.device().ccMajor = 6; }},
    {"shared-memory", "too little", [](Situation& s) { s.device().smemPerBlockOptin = 40 * 1024; }},
    {"gpu-idle", "busy",
     [](Situation& s) {
         s.host.gpu.load = 97;
         s.host.gpu.others = 1;
     }},
    {"gpu-idle", "two programs and an unknown load",
     [](Situation& s) {
         s.host.gpu.load = std::nullopt;
         s.host.gpu.others = 2;
     }},
    {"throttling", "throttled",
     [](Situation& s) {
         s.host.gpu.throttles = {"power cap", "thermal"};
     }},
    {"clocks", "locked", [](Situation& s) { s.host.gpu.locked = true; }},
    {"clocks", "unknown", [](Situation& s) { s.host.gpu.smClock.reset(); }},
    {"persistence", "off", [](Situation& s) { s.host.gpu.persistent = false; }},
    {"persistence", "unknown", [](Situation& s) { s.host.gpu.persistent = std::nullopt; }},
    {"disk", "full", [](Situation& s) { s.host.free = 100 << 20; }},
    {"disk", "of a folder", [](Situation& s) { s.request.diskPath = "/data"; }},
    {"loader-path", "found elsewhere", [](Situation& s) { s.host.onLoaderPath = false; }},
    {"loader-path", "one found elsewhere",
     [](Situation& s) {
         s.host.onLoaderPath = false;
         s.host.lostComponent = "cuda_cupti";
     }},
    {"loader-path", "none", [](Situation& s) { s.host.haveLibraries = false; }},
    {"preemption", "shutdown", [](Situation& s) { s.host.files["/run/systemd/shutdown/scheduled"] = "USEC=1000000\n"; }},
    {"preemption", "shutdown soon",
     [](Situation& s) { s.host.files["/run/systemd/shutdown/scheduled"] = "USEC=" + secondsFromNow(10, 1'000'000); }},
    {"preemption", "end of a job", [](Situation& s) { s.host.variables["SLURM_JOB_END_TIME"] = "1000"; }},
    {"preemption", "end of a job soon", [](Situation& s) { s.host.variables["SLURM_JOB_END_TIME"] = secondsFromNow(29); }},
    {"preemption", "end of a job later", [](Situation& s) { s.host.variables["SLURM_JOB_END_TIME"] = secondsFromNow(120); }},
    {"preemption", "Amazon's", [](Situation& s) { s.runsOn("Amazon EC2", kAmazonAction, "{\"action\": \"terminate\"}"); }},
    {"preemption", "not Amazon's", [](Situation& s) { s.runsOn("Amazon EC2", "GET /", ""); }},
    {"preemption", "Google's", [](Situation& s) { s.runsOn("Google", kGoogleAction, "TRUE"); }},
    {"preemption", "not Google's", [](Situation& s) { s.runsOn("Google", kGoogleAction, "FALSE"); }},
    {"preemption", "Azure's", [](Situation& s) { s.runsOn("Microsoft Corporation", kAzureEvents, "{\"EventType\":\"Preempt\"}"); }},
    {"preemption", "not Azure's", [](Situation& s) { s.runsOn("Microsoft Corporation", kAzureEvents, "{}"); }},
    {"python", "none", [](Situation& s) { s.host.havePython = false; }},
    {"python", "not one", [](Situation& s) { s.host.pythonOutput = "Segmentation fault\n"; }},
    {"torch", "no python", [](Situation& s) { s.host.havePython = false; }},
    {"torch", "none", [](Situation& s) { s.host.pythonOutput = "kloop-python 3.11.2\n"; }},
    {"torch", "not found", [](Situation& s) { s.host.pythonOutput = "kloop-python 3.11.2\nkloop-lost No module named 'torch'\n"; }},
    {"torch", "broken", [](Situation& s) { s.host.pythonOutput = "kloop-python 3.11.2\nkloop-broken ImportError: libcudnn.so.9\n"; }},
    {"torch", "another version", [](Situation& s) { s.request.requiredTorch = "2.2.1"; }},
    {"numpy", "no python", [](Situation& s) { s.host.havePython = false; }},
    {"numpy", "no torch either", [](Situation& s) { s.host.pythonOutput = "kloop-python 3.11.2\n"; }},
    {"numpy", "none", [](Situation& s) { s.host.pythonOutput = "kloop-python 3.11.2\nkloop-torch 2.4.0\n"; }},
    {"numpy", "none for an old torch", [](Situation& s) { s.host.pythonOutput = "kloop-python 3.11.2\nkloop-torch 2.2.2\n"; }},
    {"numpy", "too new", [](Situation& s) { s.host.pythonOutput = "kloop-python 3.11.2\nkloop-numpy 2.0.1\nkloop-torch 2.2.1\n"; }},
    {"numpy", "old enough", [](Situation& s) { s.host.pythonOutput = "kloop-python 3.11.2\nkloop-numpy 1.26.4\nkloop-torch 2.2.1\n"; }},
    {"torch-cuda", "two GPUs", [](Situation& s) { s.host.pythonOutput = "kloop-python 3.11.2\nkloop-torch 2.4.0\nkloop-cuda 2\n"; }},
    {"torch-cuda", "no torch", [](Situation& s) { s.host.pythonOutput = "kloop-python 3.11.2\n"; }},
    {"torch-cuda", "none",
     [](Situation& s) { s.host.pythonOutput = "kloop-python 3.11.2\nkloop-torch 2.4.0\nkloop-nocuda built for CUDA 12.1\n"; }},
    {"smoke-kernel", "no GPU", [](Situation& s) { s.loseGpu(); }},
    {"smoke-kernel", "correct", [](Situation& s) { s.tries(ResultStatus::ok, CorrectnessResult::correct, true); }},
    {"smoke-kernel", "not timed", [](Situation& s) { s.tries(ResultStatus::ok, CorrectnessResult::correct); }},
    {"smoke-kernel", "incorrect", [](Situation& s) { s.tries(ResultStatus::ok, CorrectnessResult::incorrect, true); }},
    {"smoke-kernel", "not compiled",
     [](Situation& s) { s.tries(ResultStatus::compilationFailed, CorrectnessResult::notChecked, false, "sm_90 is unknown."); }},
    {"smoke-kernel", "not run", [](Situation& s) { s.tries(ResultStatus::computationFailed, CorrectnessResult::notChecked); }},
};

TEST(EnvTexts, ChecksSnapshot)
{
    std::string text;
    for (const EnvCheck& line : runEnvChecks({}, fake::facts(), fake::Host()).checks)
        text += toldBy(line, "healthy") + "    " + line.why + '\n';
    test::expectSnapshot("texts/environment-checks.txt", text + toldInEach(kChecks));
}

const EnvCase kExtensions[] = {
    {"extension-build", "built", [](Situation& s) { s.builds(); }},
    {"extension-build", "no GPU",
     [](Situation& s) {
         s.builds();
         s.loseGpu();
     }},
    {"extension-build", "without ninja and beside an old lock",
     [](Situation& s) {
         s.builds();
         s.host.programs.erase("ninja");
         s.host.ages["/home/me/.cache/torch_extensions/slow/lock"] = 3600;
     }},
    {"extension-build", "its own old lock",
     [](Situation& s) {
         s.builds();
         s.host.ages["/home/me/.cache/torch_extensions/fast/lock"] = 3600;
     }},
    {"extension-build", "not started",
     [](Situation& s) {
         s.builds();
         s.host.commandStarts = false;
     }},
    {"extension-build", "too slow", [](Situation& s) { s.buildFails("", true); }},
    {"extension-build", "another CUDA", [](Situation& s) { s.buildFails("RuntimeError: The detected CUDA version (13.0) mismatches"); }},
    {"extension-build", "ninja required", [](Situation& s) { s.buildFails("RuntimeError: Ninja is required to load C++ extensions"); }},
    {"extension-build", "no toolkit", [](Situation& s) { s.buildFails("OSError: CUDA_HOME environment variable is not set."); }},
    {"extension-build", "no memory", [](Situation& s) { s.buildFails("virtual memory exhausted: out of memory"); }},
    {"extension-build", "an error", [](Situation& s) { s.buildFails("a.cu(3): error: identifier \"x\" is undefined"); }},
    {"extension-build", "an error without a log",
     [](Situation& s) {
         s.buildFails("a.cu(3): error: identifier \"x\" is undefined");
         s.request.extension->logFile.clear();
     }},
    {"extension-import", "imported", [](Situation& s) { s.builds(); }},
    {"extension-import", "not built", [](Situation& s) { s.buildFails("error: x"); }},
    {"extension-import", "ended", [](Situation& s) { s.importSays("kloop-tag cpython-312\nlast words\n", 139); }},
    {"extension-import", "torch is broken",
     [](Situation& s) {
         s.importSays("kloop-tag cpython-312\nkloop-torch-broken OSError: libcudart\n"
                      "kloop-broken ImportError: undefined symbol: _ZN2at4_ops5zeros4callEl\n");
     }},
};

TEST(EnvTexts, ExtensionsSnapshot)
{
    std::string text = toldInEach(kExtensions);
    // Built, and python cannot be started for the import.
    fake::Host host;
    host.commandStarts = false;
    Situation given;
    given.builds();
    const env::Context context{given.request, given.facts, host, nullptr, env::kNoGpu};
    const EnvCheck built{"extension-build", Requirement::required, CheckResult::pass, {}, {}, {}};
    text += toldBy(env::extensionImport(context, built), "no python");
    const struct {
        const char* name;
        env::ImportFacts facts;
    } imports[] = {
        {"old strings", {"fast", "undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationESs", true, "2.11.0", "cpython-312", {}}},
        {"new strings", {"fast", "undefined symbol: _ZN3c101fENSt7__cxx111sE", false, "2.2.1", "cpython-312", {}}},
        {"another torch", {"fast", "undefined symbol: _ZN2at4_ops5zeros4callEl", true, "2.11.0", "cpython-312", {}}},
        {"an unknown torch", {"fast", "undefined symbol: _ZN2at4_ops5zeros4callEl", {}, "", "cpython-312", {}}},
        {"torch's halves", {"fast", "undefined symbol: _ZNK2at10TensorBase8data_ptrI6__halfEEPT_v", true, "2.11.0", "cpython-312", {}}},
        {"its own halves", {"fast", "undefined symbol: _Z1fP13__nv_bfloat16", true, "2.11.0", "cpython-312", {}}},
        {"CUDA's runtime", {"fast", "undefined symbol: cudaLaunchKernelExC", true, "2.11.0", "cpython-312", {}}},
        {"python's symbols", {"fast", "undefined symbol: PyObject_Vectorcall", true, "2.11.0", "cpython-312", {}}},
        {"its own symbols", {"fast", "undefined symbol: _Z6launchPfi", true, "2.11.0", "cpython-312", {}}},
        {"torch's library", {"fast", "ImportError: libc10.so: cannot open shared object file: x", true, "2.11.0", "cpython-312", {}}},
        {"CUDA's library", {"fast", "ImportError: libcudart.so.12: cannot open shared object file: x", true, "2.11.0", "cpython-312", {}}},
        {"another library", {"fast", "ImportError: libgomp.so.1: cannot open shared object file: x", true, "2.11.0", "cpython-312", {}}},
        {"C++ library", {"fast", "ImportError: version `GLIBCXX_3.4.32' not found", true, "2.11.0", "cpython-312", {}}},
        {"another name", {"fast", "ImportError: dynamic module does not define module export function", {}, "", "cpython-312", {}}},
        {"another module", {"fast", "ModuleNotFoundError: No module named 'einops'", true, "2.11.0", "cpython-312", {}}},
        {"not there", {"fast", "ModuleNotFoundError: No module named 'fast'", true, "2.11.0", "cpython-312", {}}},
        {"another python", {"fast", "ModuleNotFoundError: No module named 'fast'", {}, "", "cpython-312", {"/p/fast.cpython-310.so"}}},
        {"anything else", {"fast", "ValueError: x", true, "2.11.0", "cpython-312", {}}},
    };
    for (const auto& [name, facts] : imports) {
        const env::ImportExplanation reported = env::explainImport(facts);
        text += std::string("import, ") + name + ": " + reported.found + " | " + reported.fix + '\n';
    }
    test::expectSnapshot("texts/environment-extensions.txt", text);
}

} // namespace
} // namespace kl
