// SPDX-License-Identifier: MIT
#include "core/base/python_call.h"
#include "profiler/live/env/check.h"
#include "profiler/live/env/import_error.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>
#include <thread>

namespace kl::inline live::env {
namespace {

constexpr double kImportSeconds = 60;
constexpr double kStaleSeconds = 600;      // no single extension builds for longer on a host that is fit for it
constexpr double kKbPerCompiler = 2 << 20; // nvcc takes about 2 GiB for a file that includes torch
constexpr std::size_t kErrorLines = 3;

/// torch comes from where packages are installed; only then is the project's folder looked at.
constexpr const char* kImportScript = R"(
import sys, os, importlib
def say(key, value): print("kloop-" + key, " ".join(str(value).split()), flush=True)
say("tag", sys.implementation.cache_tag)
try:
    import torch
    say("torch", torch.__version__)
    say("abi", int(torch.compiled_with_cxx11_abi()))
except ModuleNotFoundError:
    pass
except Exception as e:
    say("torch-broken", type(e).__name__ + ": " + str(e))
try:
    os.chdir(sys.argv[3])
    sys.path.insert(0, sys.argv[2])
    say("imported", getattr(importlib.import_module(sys.argv[1]), "__file__", "built in"))
except BaseException as e:
    say("broken", type(e).__name__ + ": " + str(e))
)";

EnvCheck line(const char* id, const char* why)
{
    return {id, Requirement::optional, {}, {}, why, {}};
}

/// "9.0" for the device that measures: torch's word for an architecture; CMake's is "90".
std::string archText(const DeviceInfo& device, const char* dot)
{
    return fmt::format("{}{}{}", device.ccMajor, dot, device.ccMinor);
}

/// The last lines that mention an error, for the report; the log has everything.
std::string errorLines(const std::string& output)
{
    std::vector<std::string> reported;
    std::vector<std::string> last;
    std::istringstream lines(output);
    for (std::string text; std::getline(lines, text);) {
        if (text.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        last.push_back(text);
        if (text.find("error:") != std::string::npos || text.find("Error:") != std::string::npos ||
            text.find("FAILED:") != std::string::npos)
            reported.push_back(text);
    }
    const std::vector<std::string>& shown = reported.empty() ? last : reported;
    std::string joined;
    for (std::size_t i = shown.size() - std::min(shown.size(), kErrorLines); i < shown.size(); ++i)
        joined += (joined.empty() ? "" : " | ") + shown[i].substr(0, 300);
    return joined;
}

/// Lock files that a build which was killed left behind, for torch's compiler to wait on for ever.
std::vector<EnvHost::Found> staleLocks(const EnvHost& host, const std::string& folder)
{
    std::vector<std::string> roots{folder + "/build"};
    if (const auto named = host.variable("TORCH_EXTENSIONS_DIR"))
        roots.push_back(*named);
    else if (const auto cache = host.variable("XDG_CACHE_HOME"))
        roots.push_back(*cache + "/torch_extensions");
    else if (const auto home = host.variable("HOME"))
        roots.push_back(*home + "/.cache/torch_extensions");
    std::vector<EnvHost::Found> locks;
    for (const std::string& root : roots)
        for (const EnvHost::Found& lock : host.findNamed(root, "lock", 3))
            if (lock.ageSeconds > kStaleSeconds)
                locks.push_back(lock);
    return locks;
}

int jobsFor(const EnvHost& host, int requested)
{
    if (requested > 0)
        return requested;
    int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    std::istringstream memory(host.readFile("/proc/meminfo").value_or(""));
    for (std::string text; std::getline(memory, text);)
        if (text.starts_with("MemAvailable:"))
            jobs = std::min(jobs, std::max(1, static_cast<int>(std::strtod(text.c_str() + 13, nullptr) / kKbPerCompiler)));
    return jobs;
}

std::string why(const ExtensionSpec& extension, const CommandResult& built)
{
    const std::string& output = built.output;
    if (built.timedOut)
        return fmt::format("The build took longer than {:.0f} s and was stopped", extension.timeoutSeconds);
    if (output.find("The detected CUDA version") != std::string::npos)
        return "nvcc and torch are of different CUDA versions: " + errorLines(output);
    if (output.find("Ninja is required") != std::string::npos)
        return "ninja is not installed";
    if (output.find("CUDA_HOME environment variable is not set") != std::string::npos)
        return "No CUDA toolkit was found: CUDA_HOME is not set";
    if (output.find("Killed signal") != std::string::npos || output.find("out of memory") != std::string::npos)
        return "A compiler ran out of memory and was killed";
    return fmt::format("The build failed with status {}: {}", built.exitCode, errorLines(output));
}

std::string fixFor(const std::string& reason, const ExtensionSpec& extension)
{
    if (reason.starts_with("nvcc and torch"))
        return "Set CUDA_HOME to the CUDA version of torch.version.cuda, or install torch for this version.";
    if (reason.starts_with("ninja"))
        return "python3 -m pip install ninja";
    if (reason.starts_with("No CUDA toolkit"))
        return "Install the CUDA toolkit, then: export CUDA_HOME=/usr/local/cuda";
    if (reason.starts_with("A compiler ran out of memory"))
        return "Lower \"max_jobs\" in kernelloop.json.";
    if (extension.logFile.empty())
        return "Run the build command by hand.";
    return "Read the log: " + extension.logFile;
}

} // namespace

EnvCheck extensionBuild(const Context& context)
{
    EnvCheck check = line("extension-build", "The project's extension must build for this GPU before it can be measured.");
    const std::optional<ExtensionSpec>& extension = context.request.extension;
    if (!extension)
        return skipCheck(check, "No project file names an extension.");
    check.requirement = Requirement::required;
    if (!context.device())
        return skipCheck(check, "There is no GPU to build for.");
    std::string notes;
    for (const EnvHost::Found& lock : staleLocks(context.host, extension->folder)) {
        if (lock.path.find("/" + extension->module + "/") != std::string::npos)
            return failCheck(check,
                             fmt::format("A killed build left the lock {} ({:.0f} min old): the next build would wait forever", lock.path,
                                         lock.ageSeconds / 60),
                             "Make sure that no build is running, then: rm -r " + lock.path);
        notes += "; another extension left an old lock at " + lock.path;
    }
    const DeviceInfo& device = *context.device();
    const int jobs = jobsFor(context.host, extension->maxJobs);
    Command command;
    command.arguments = extension->build;
    command.folder = extension->folder;
    command.seconds = extension->timeoutSeconds;
    command.logFile = extension->logFile;
    command.settings = {"TORCH_CUDA_ARCH_LIST=" + archText(device, "."), "CUDAARCHS=" + archText(device, ""),
                        fmt::format("MAX_JOBS={}", jobs), fmt::format("CMAKE_BUILD_PARALLEL_LEVEL={}", jobs)};
    const bool ninja = context.host.run({"ninja", "--version"}, 5).ok();
    if (ninja)
        command.settings.insert(command.settings.end(), {"USE_NINJA=1", "CMAKE_GENERATOR=Ninja"});
    else
        notes += "; without ninja, one file at a time (python3 -m pip install ninja)";
    const Result<CommandResult> built = context.host.execute(command);
    if (!built)
        return failCheck(check, built.error().message, "Check \"build\" and \"folder\" of kernelloop.json.");
    if (built->timedOut || built->exitCode != 0) {
        const std::string reason = why(*extension, *built);
        return failCheck(check, reason, fixFor(reason, *extension));
    }
    return passCheck(check, fmt::format("built in {:.1f} s for compute capability {}, {} jobs{}{}", built->seconds, archText(device, "."),
                                        jobs, ninja ? ", ninja" : "", notes));
}

EnvCheck extensionImport(const Context& context, const EnvCheck& build)
{
    EnvCheck check = line("extension-import", "A module that builds may still fail to load: its C++ ABI must match python and torch.");
    const std::optional<ExtensionSpec>& extension = context.request.extension;
    if (!extension)
        return skipCheck(check, "No project file names an extension.");
    check.requirement = Requirement::required;
    if (build.result != CheckResult::pass)
        return skipCheck(check, "It is not built.");
    const PythonCall call = pythonCode(kImportScript, {extension->module, extension->importFolder, extension->folder});
    const Result<CommandResult> ran =
        context.host.execute({call.arguments, call.folder, {}, kImportSeconds, extension->logFile, call.environment});
    if (!ran)
        return failCheck(check, ran.error().message,
                         "Install python3, or name the interpreter to use: export KLOOP_PYTHON=/path/to/python3");
    ImportFacts facts;
    facts.module = extension->module;
    std::istringstream lines(ran->output);
    for (std::string text; std::getline(lines, text);) {
        const std::string key = text.substr(0, text.find(' '));
        const std::string value = text.size() > key.size() ? text.substr(key.size() + 1) : std::string();
        if (key == "kloop-imported")
            return passCheck(check, fmt::format("imports from {}", value));
        if (key == "kloop-tag")
            facts.pythonTag = value;
        else if (key == "kloop-torch")
            facts.torch = value;
        else if (key == "kloop-abi")
            facts.torchCxx11Abi = value == "1";
        else if (key == "kloop-torch-broken")
            facts.torch = "one that cannot be imported (" + value + ")";
        else if (key == "kloop-broken")
            facts.message = value;
    }
    if (facts.message.empty()) // python died in the import
        return failCheck(check, fmt::format("Python exited with status {} while importing it: {}", ran->exitCode, errorLines(ran->output)),
                         "Run it by hand: python3 -X faulthandler -c 'import torch, " + extension->module + "'");
    const std::string file = extension->module.substr(extension->module.rfind('.') + 1);
    for (const EnvHost::Found& found : context.host.findNamed(extension->importFolder, file + "*.so", 2))
        facts.built.push_back(found.path);
    const ImportExplanation reported = explainImport(facts);
    return failCheck(check, reported.found, reported.fix);
}

} // namespace kl::inline live::env
