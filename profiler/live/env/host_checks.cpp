// SPDX-License-Identifier: MIT
#include "profiler/live/env/check.h"
#include "profiler/live/nvml/nvml.h"

#include <fmt/format.h>

namespace kl::inline live::env {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr double kNeededGiB = 1; // a database of thousands of runs, with its backup

const std::vector<std::string> kNvrtcNames = {"libnvrtc.so.13", "libnvrtc.so.12"};
const std::vector<std::string> kCuptiNames = {"libcupti.so.13", "libcupti.so.12"};

// A library of a newer major CUDA version than the driver's does not run on it; within one major version any minor does.
std::string tooNew(const Context& context, const std::string& version, const char* what)
{
    const DeviceInfo* device = context.device();
    const std::optional<int> number = versionNumber(version);
    if (!device || device->cudaDriverVersion == 0 || !number || *number / 1000 <= device->cudaDriverVersion / 1000)
        return {};
    return fmt::format("{} {} is from a newer CUDA than the driver supports ({})", what, version,
                       cudaVersionText(device->cudaDriverVersion));
}

EnvCheck library(const Context& context, const EnvCheck& line, const std::string& version, const char* what,
                 const std::vector<std::string>& names, const char* component, const char* install)
{
    if (!version.empty()) {
        if (const std::string why = tooNew(context, version, what); !why.empty())
            return failCheck(
                line, why,
                fmt::format("Update the driver, or install the {} of CUDA {}.", what, context.device()->cudaDriverVersion / 1000));
        return passCheck(line, fmt::format("{} {}", what, version));
    }
    const std::optional<std::string> file = context.host.findLibrary(names, component, false);
    return file ? passCheck(line, *file) : failCheck(line, fmt::format("{} was not found.", what), install);
}

} // namespace

EnvCheck nvrtc(const Context& context)
{
    const EnvCheck line{"nvrtc", Requirement::required, {}, {}, "NVRTC compiles kernels at run time, for exactly this GPU.", {}};
    return library(context, line, context.facts.probe.nvrtcVersion, "NVRTC", kNvrtcNames, "cuda_nvrtc",
                   "Install the CUDA toolkit 12.6 or newer (package cuda-nvrtc-13-0, or pip install nvidia-cuda-nvrtc), or set CUDA_HOME.");
}

EnvCheck cupti(const Context& context)
{
    const EnvCheck line{"cupti", Requirement::required, {}, {}, "CUPTI provides exact kernel times and the performance counters.", {}};
    return library(context, line, context.facts.probe.cuptiVersion, "CUPTI", kCuptiNames, "cuda_cupti",
                   "Install the CUDA toolkit 12.6 or newer (package cuda-cupti-13-0, or pip install nvidia-cuda-cupti), or set CUDA_HOME.");
}

EnvCheck toolkit(const Context& context)
{
    const bool needed = context.request.extension.has_value();
    EnvCheck line{"toolkit", needed ? Requirement::required : Requirement::optional,           {},
                  {},        "nvcc builds extensions; KernelLoop itself compiles with NVRTC.", {}};
    std::vector<std::string> places;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const auto home = context.host.variable(name))
            places.push_back(*home + "/bin/nvcc");
    places.insert(places.end(), {"nvcc", "/usr/local/cuda/bin/nvcc"});
    for (const std::string& nvcc : places) {
        const Result<std::string> reported = context.host.run({nvcc, "--version"}, 10);
        const auto at = reported ? reported->find("release ") : std::string::npos;
        if (at == std::string::npos)
            continue;
        const std::string version = reported->substr(at + 8, reported->find_first_of(", \n", at + 8) - at - 8);
        if (const std::string why = tooNew(context, version, "nvcc"); !why.empty())
            return failCheck(line, why, "Update the driver, or set CUDA_HOME to an older toolkit.");
        return passCheck(line, fmt::format("CUDA {}, {}", version, nvcc));
    }
    if (!needed)
        return skipCheck(line, "nvcc was not found; nothing needs it here.");
    return failCheck(line, "nvcc was not found in CUDA_HOME, on PATH, or in /usr/local/cuda.",
                     "Install the CUDA toolkit (package cuda-nvcc-13-0), then: export CUDA_HOME=/usr/local/cuda");
}

EnvCheck counters(const Context& context)
{
    EnvCheck line{
        "counters",
        Requirement::optional,
        {},
        {},
        "Counters show what limits a kernel. Without them KernelLoop infers it from the code and from timings, with less confidence.",
        {}};
    if (!context.device())
        return skipCheck(line, kNoGpu);
    if (context.facts.probe.countersPermitted)
        return passCheck(line, "accessible");
    const std::string grant = "As root on the GPU host: echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' > "
                              "/etc/modprobe.d/kernelloop.conf, then reboot; in a container: --cap-add=SYS_ADMIN.";
    if (context.nvml && context.nvml->migEnabled().value_or(false))
        return failCheck(line, "The GPU is divided into MIG slices, which have no counters.",
                         "As root: nvidia-smi -mig 0, or use a whole GPU.");
    const std::string parameters = context.host.readFile("/proc/driver/nvidia/params").value_or("");
    const bool adminOnly = parameters.find("RmProfilingAdminOnly: 1") != std::string::npos;
    const std::string& reason = context.facts.probe.countersReason;
    if (adminOnly)
        return failCheck(line, "The driver restricts them to administrators (ERR_NVGPUCTRPERM; RmProfilingAdminOnly: 1).", grant);
    return failCheck(line, reason.empty() ? "They cannot be read, and the driver gives no reason." : reason, grant);
}

EnvCheck disk(const Context& context)
{
    EnvCheck line{"disk", Requirement::required, {}, {}, "Runs, samples and database backups are stored on disk.", {}};
    const std::string where = context.request.diskPath.empty() ? "." : context.request.diskPath;
    const Result<std::int64_t> bytes = context.host.freeBytes(where);
    if (!bytes)
        return skipCheck(line, bytes.error().message);
    const double free = static_cast<double>(*bytes) / kGiB;
    const std::string found = fmt::format("{:.1f} GiB free for {}", free, where == "." ? "the working folder" : where);
    if (free < kNeededGiB)
        return failCheck(line, found, "Free at least 1 GiB there, or put the database elsewhere, e.g. with KERNELLOOP_DB.");
    return passCheck(line, found);
}

EnvCheck loaderPath(const Context& context)
{
    EnvCheck line{
        "loader-path", Requirement::optional, {}, {}, "Other tools find CUPTI and NVRTC only through the library search path.", {}};
    std::string found;
    std::string lost;
    for (const auto& [names, component] : {std::pair(kNvrtcNames, "cuda_nvrtc"), std::pair(kCuptiNames, "cuda_cupti")}) {
        if (context.host.findLibrary(names, component, true)) {
            found += (found.empty() ? "" : "; ") + names.front().substr(0, names.front().find(".so")) + " in the library search path";
        } else if (const std::optional<std::string> file = context.host.findLibrary(names, component, false)) {
            found += (found.empty() ? "" : "; ") + *file + ", which KernelLoop finds on its own";
        } else {
            lost += (lost.empty() ? "" : ", ") + names.front();
        }
    }
    if (!lost.empty())
        return failCheck(
            line, lost + " not found" + (found.empty() ? "" : "; " + found),
            "Add the toolkit's library folder: export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH, or set CUDA_HOME.");
    return passCheck(line, found);
}

EnvCheck smokeKernel(const Context& context)
{
    EnvCheck line{
        "smoke-kernel", Requirement::required, {}, {}, "Shows that a kernel compiles, runs and gives the correct result here.", {}};
    if (!context.device())
        return skipCheck(line, kNoGpu);
    if (!context.request.smoke || !context.facts.smoke)
        return skipCheck(line, "There was no kernel to try.");
    const RunAnswer answer = context.facts.smoke(*context.request.smoke);
    const std::string name = context.request.smoke->kernel;
    line.next = {{StepId::run, {{StepArgument::kernel, name}}}};
    if (answer.status != ResultStatus::ok)
        return failCheck(line, name + " did not run: " + (answer.reason.empty() ? "no reason was given." : answer.reason),
                         "Look at the lines above first, then run it.");
    if (answer.correctness.result != CorrectnessResult::correct)
        return failCheck(line, name + " gave an incorrect result.",
                         "Suspect the GPU or its driver (nvidia-smi -q -d ECC), then run it again.");
    line.next.clear();
    if (!answer.timing)
        return passCheck(line, name + " compiled, ran and was correct");
    return passCheck(line, fmt::format("{} compiled, ran in {:.1f} µs and was correct", name, answer.timing->gpu.median / 1000));
}

} // namespace kl::inline live::env
