// SPDX-License-Identifier: MIT
#include "sessions/measure/machine_check.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/model_fields.h"
#include "sessions/measure/project_file.h"
#include "sessions/measure/requests.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace kl::inline measure {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLogsKept = 20;

void removeOld(const fs::path& folder)
{
    std::error_code ignored;
    std::vector<fs::path> logs;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().starts_with("env-"))
            logs.push_back(entry.path());
    std::sort(logs.begin(), logs.end()); // names begin with the time
    for (std::size_t i = 0; i + kLogsKept < logs.size(); ++i)
        fs::remove(logs[i], ignored);
}

void setCheck(EnvReport& report, EnvCheck check)
{
    const auto same = std::find_if(report.checks.begin(), report.checks.end(), [&](const EnvCheck& other) { return other.id == check.id; });
    if (same == report.checks.end())
        report.checks.push_back(std::move(check));
    else
        *same = std::move(check);
}

/// The two lines of an extension that is not built.
void setBuild(EnvReport& report, CheckResult result, std::string found, std::string fix)
{
    setCheck(report, {"extension-build", Requirement::required, result, std::move(found),
                      "Commands of a project file run only after you allow them.", std::move(fix)});
    setCheck(report, {"extension-import",
                      Requirement::required,
                      CheckResult::skipped,
                      "It is not built.",
                      "A module that builds may still fail to load.",
                      {}});
}

} // namespace

std::filesystem::path logFolder()
{
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): never changed
        return std::string(value == nullptr ? "" : value);
    };
    const std::string state = variable("XDG_STATE_HOME");
    // The XDG specification asks to ignore a relative path.
    return (state.starts_with('/') ? fs::path(state) : fs::path(variable("HOME")) / ".local/state") / "kernelloop";
}

std::string newLogFile()
{
    std::error_code failed;
    const fs::path folder = logFolder();
    fs::create_directories(folder, failed);
    if (failed)
        return {};
    std::string time = isoNow();
    std::erase_if(time, [](char c) { return c == ':' || c == '-' || c == '.'; });
    return (folder / fmt::format("env-{}-{}.log", time, ::getpid())).string();
}

void keepLog(EnvReport& report, const std::string& file)
{
    std::ofstream log;
    if (!file.empty())
        log.open(file, std::ios::app);
    log << "KernelLoop environment check, " << isoNow() << "\n\n";
    for (const EnvCheck& check : report.checks) {
        log << fmt::format("{:8} {:20} {:9} {}\n", toWord(check.result), check.id, toWord(check.requirement), check.found);
        if (check.result == CheckResult::fail)
            log << "         why: " << check.why << "\n         fix: " << check.fix << '\n';
    }
    log << "\nverdict: " << (passes(report) ? "pass" : "fail") << '\n';
    if (log.flush()) {
        report.logFile = file;
        removeOld(fs::path(file).parent_path());
        return;
    }
    report.checks.push_back({"log-file", Requirement::optional, CheckResult::fail,
                             fmt::format("Cannot write a log in {}.", logFolder().string()), "A failed check is easier to share as a file.",
                             "Make the folder writable, or set XDG_STATE_HOME."});
}

EnvReport reportWithoutWorker(const Error& failure, bool remote)
{
    EnvReport report;
    if (remote) {
        report.checks.push_back(
            {"host", Requirement::required, CheckResult::fail, failure.message, "The GPU is on that host.", failure.hint, failure.next});
        keepLog(report, newLogFile());
        return report;
    }
    std::error_code ignored;
    const bool driver = fs::exists("/dev/nvidiactl", ignored);
    report.checks.push_back({"gpu", Requirement::required, driver ? CheckResult::skipped : CheckResult::fail,
                             driver ? "An NVIDIA driver is loaded, but the worker could not query it."
                                    : "No NVIDIA GPU, or its driver is not loaded (/dev/nvidiactl is missing).",
                             "Kernels are measured on an NVIDIA GPU.",
                             "Install the NVIDIA driver on a machine with a GPU, or work on the recorded sample."});
    report.checks.push_back({"worker", Requirement::required, CheckResult::fail, failure.message,
                             "The worker is the program that runs kernels.", failure.hint, failure.next});
    keepLog(report, newLogFile());
    return report;
}

Result<EnvReport> checkMachine(const Catalog& catalog, Collector& collector, const MachineCheck& wanted, const Job& job)
{
    KL_ASSIGN(EnvRequest request, envRequest(catalog));
    if (collector.source() != Source::live)
        return checkEnvironment(collector, request, job);
    std::error_code ignored;
    KL_ASSIGN(std::optional<ProjectFile> project, findProjectFile(wanted.project, fs::current_path(ignored)));
    const std::string file = newLogFile();
    if (project) {
        request.requiredTorch = project->torch;
        request.extension = std::move(project->extension);
    }
    if (!wanted.requiredTorch.empty())
        request.requiredTorch = wanted.requiredTorch;
    const std::string remote = collector.remoteHost();
    const bool noBuild = request.extension && (collector.hello().unavailable || !remote.empty());
    if (noBuild) // no consent is needed for what will not run
        request.extension.reset();
    if (request.extension)
        request.extension->logFile = file;
    if (remote.empty())
        request.diskPath = wanted.diskPath;
    Result<EnvReport> report = checkEnvironment(collector, request, job);
    if (!report && report.error().code == ErrorCode::needsConsent) {
        const Error refused = report.error();
        request.extension.reset();
        report = checkEnvironment(collector, request, job);
        if (report) { // the rest of the machine was checked
            setBuild(*report, CheckResult::fail, refused.message, refused.hint);
            report->refused = refused;
        }
    }
    if (report && noBuild)
        setBuild(*report, CheckResult::skipped,
                 remote.empty() ? std::string("There is no GPU to build for.")
                                : fmt::format("The project is on this machine, the GPU on {}.", remote),
                 {});
    if (report)
        keepLog(*report, file);
    return report;
}

} // namespace kl::inline measure
