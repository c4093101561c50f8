// SPDX-License-Identifier: MIT
#include "sessions/measure/shell_settings.h"

#include "core/base/python_call.h"
#include "core/base/shell_line.h"
#include "core/process/run_to_end.h"
#include "profiler/protocol/gpu_choice.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

namespace kl::inline measure {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): never changed
    return value == nullptr ? "" : value;
}

bool onPath(const char* program)
{
    const std::string path = variable("PATH");
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        if (end > at && ::access((fs::path(path.substr(at, end - at)) / program).c_str(), X_OK) == 0)
            return true;
        at = end + 1;
    }
    return false;
}

/// Where torch keeps its libraries, without importing it; empty without torch.
std::string torchLibraries()
{
    constexpr double kSeconds = 20;
    PythonCall call = pythonCode("import importlib.util, os\ns = importlib.util.find_spec('torch')\n"
                                 "print(os.path.join(os.path.dirname(s.origin), 'lib') if s and s.origin else '')");
    std::error_code failure;
    OutputWanted wanted;
    wanted.errors = false;
    const CompletedRun run =
        runToEnd({.arguments = call.arguments, .folder = call.folder, .environment = call.environment}, kSeconds, wanted, failure);
    const std::string found = run.output.substr(0, run.output.find('\n'));
    std::error_code ignored;
    return !failure && run.end.status == 0 && fs::is_directory(found, ignored) ? found : std::string();
}

std::string toolkitFolder()
{
    std::error_code ignored;
    for (const std::string& folder : {variable("CUDA_HOME"), std::string("/usr/local/cuda")})
        if (!folder.empty() && fs::is_directory(folder, ignored))
            return folder;
    return {};
}

std::string findMeasuredArch(const Hello* hello)
{
    const DeviceInfo* device = hello != nullptr && !hello->unavailable ? findMeasuredDevice(*hello) : nullptr;
    return device != nullptr ? fmt::format("{}.{}", device->ccMajor, device->ccMinor) : std::string();
}

} // namespace

std::vector<ShellSetting> shellSettings(const Hello* hello, const std::string& arch)
{
    std::vector<ShellSetting> settings;
    const std::string own = arch.empty() ? findMeasuredArch(hello) : arch;
    settings.push_back({"TORCH_CUDA_ARCH_LIST", shellLine({own}),
                        own.empty() ? "there is no GPU to build for: name an architecture, e.g. 9.0" : "builds for this GPU alone",
                        !own.empty()});
    settings.push_back({"MAX_JOBS", fmt::format("{}", std::max(1U, std::thread::hardware_concurrency())), "compiles on every core", true});
    const bool ninja = onPath("ninja");
    settings.push_back({"USE_NINJA", "1",
                        ninja ? "ninja builds in parallel, and only what changed" : "ninja is not installed: python3 -m pip install ninja",
                        ninja});
    settings.push_back({"TORCH_EXTENSIONS_DIR", shellLine({(fs::path(variable("HOME")) / ".cache/torch_extensions").string()}),
                        "keeps builds between sessions", true});
    const std::string toolkit = toolkitFolder();
    settings.push_back({"CUDA_HOME", shellLine({toolkit}),
                        toolkit.empty() ? "no CUDA Toolkit was found in /usr/local/cuda" : "the toolkit to build with", !toolkit.empty()});
    std::string folders;
    std::error_code ignored;
    const std::string torch = torchLibraries();
    for (const std::string& folder :
         {torch, toolkit.empty() ? toolkit : toolkit + "/lib64", toolkit.empty() ? toolkit : toolkit + "/extras/CUPTI/lib64"})
        if (!folder.empty() && fs::is_directory(folder, ignored))
            folders += (folders.empty() ? "" : ":") + folder;
    settings.push_back({"LD_LIBRARY_PATH", shellLine({folders}) + "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}",
                        folders.empty() ? "neither torch nor a toolkit was found" : "the libraries of torch and of the toolkit",
                        !folders.empty()});
    return settings;
}

std::string shellScript(const std::vector<ShellSetting>& settings)
{
    std::string text;
    for (const ShellSetting& row : settings)
        text += row.known ? fmt::format("export {}={} # {}\n", row.name, row.value, row.why) : fmt::format("# {}: {}\n", row.name, row.why);
    return text;
}

std::vector<Repair> listRepairs(const EnvReport& report)
{
    constexpr std::string_view kPip = "python3 -m pip install ";
    std::vector<Repair> repairs;
    for (const Requirement requirement : {Requirement::required, Requirement::optional})
        for (const EnvCheck& check : report.checks)
            if (check.result == CheckResult::fail && check.requirement == requirement)
                repairs.push_back({check.id, check.fix.starts_with(kPip) ? check.fix : std::string(), check.fix});
    if (!onPath("ninja"))
        repairs.push_back({"ninja", std::string(kPip) + "ninja", "Installs ninja, which builds extensions in parallel."});
    return repairs;
}

bool runRepair(const Repair& repair, const std::function<void(std::string_view)>& listen)
{
    constexpr double kSeconds = 1800;
    if (repair.command.empty())
        return false;
    std::error_code failure;
    OutputWanted wanted;
    wanted.listen = listen;
    const CompletedRun run = runToEnd({.arguments = {"/bin/sh", "-c", repair.command}}, kSeconds, wanted, failure);
    return !failure && !run.timedOut && run.end.status == 0;
}

} // namespace kl::inline measure
