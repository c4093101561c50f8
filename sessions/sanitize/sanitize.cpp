// SPDX-License-Identifier: MIT
#include "sessions/sanitize/sanitize.h"

#include "core/base/read_file.h"
#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "core/model/source_lines.h"
#include "core/process/cuda_tool.h"
#include "profiler/device/open_device.h"

#include <fmt/format.h>

namespace kl::inline sanitizer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "compute-sanitizer";
constexpr std::int64_t kMostOfLog = std::int64_t{1} << 30;
constexpr const char* kPrintLimit = "1000"; // of the tool's records; one place in the code is one finding, whatever its count

void rename(SanitizerPlace& place, const std::string& sourceName)
{
    if (place.file == kSourceFile && !sourceName.empty())
        place.file = sourceName;
}

/// Reads what the tool wrote.
void addFindings(SanitizerCheck& check, const std::string& sourceName)
{
    check.findings = parseSanitizer(check.tool, check.log);
    for (SanitizerFinding& finding : check.findings) {
        rename(finding.place, sourceName);
        if (finding.other)
            rename(*finding.other, sourceName);
    }
    if (!check.findings.empty()) // they explain why it failed
        check.trouble.clear();
}

Result<SanitizerCheck> runTool(const fs::path& program, const std::string& tool, const WorkSpec& work, const std::string& sourceName,
                               const DeviceSpec& device, const Job& job)
{
    KL_ASSIGN(const ScratchFolder folder, ScratchFolder::make());
    const fs::path log = folder.path() / "log.txt";
    SanitizerCheck check{tool, {}, {}, {}};
    {
        WorkerOptions options;
        options.under = sanitizerCommand(program, tool, log);
        KL_ASSIGN(const std::unique_ptr<Collector> worker, openDevice(device, options));
        if (worker->hello().unavailable)
            return Error{.code = ErrorCode::environment,
                         .message = *worker->hello().unavailable,
                         .hint = "The check of this machine says why.",
                         .where = kProgram}
                .leadTo({StepId::checkEnvironment});
        const Result<RunAnswer> answer = launch(*worker, {work, 1}, job);
        if (!answer && answer.error().code == ErrorCode::interrupted)
            return answer.error();
        if (!answer || answer->status != ResultStatus::ok)
            check.trouble = answer ? answer->reason : answer.error().message;
    }                                                            // its end makes the tool write what it has left
    if (Result<std::string> written = readFile(log, kMostOfLog)) // none where the tool could not start
        check.log = std::move(*written);
    addFindings(check, sourceName);
    return check;
}

} // namespace

/// The tool with the checks that are requested. Errors of host API calls are handled by the worker; padding catches an access that
/// lands in the next allocation.
std::vector<std::string> sanitizerCommand(const fs::path& program, const std::string& tool, const fs::path& log)
{
    std::vector<std::string> words{program.string(), "--tool",   tool, "--log-file", log.string(), "--show-backtrace", "no",
                                   "--print-limit",  kPrintLimit};
    if (tool == "memcheck")
        words.insert(words.end(), {"--report-api-errors", "no", "--padding", "4096"});
    if (tool == "racecheck") // hazards name threads and addresses, analyses only lines
        words.insert(words.end(), {"--racecheck-report", "hazard"});
    return words;
}

Result<fs::path> sanitizerProgram()
{
    return findCudaTool({kProgram, "KERNELLOOP_SANITIZER", "cuda-sanitizer"});
}

std::string chooseSourceName(const Catalog& catalog, const Address& variant)
{
    const Result<const KernelFamily*> family = catalog.family(variant.family);
    const Result<const Variant*> code = catalog.variant(variant);
    if (!family || !code)
        return {};
    return (*code)->sourcePath.empty() ? (*family)->sourcePath : (*code)->sourcePath;
}

Result<std::vector<SanitizerCheck>> sanitize(const WorkSpec& work, const std::vector<std::string>& tools, const std::string& sourceName,
                                             const DeviceSpec& device, const Job& job)
{
    if (isElsewhere(device))
        return Error{.code = ErrorCode::environment,
                     .message = "compute-sanitizer cannot be run on another host from here.",
                     .hint = "Run this on the host with the GPU.",
                     .where = toText(device)};
    KL_ASSIGN(const fs::path program, sanitizerProgram());
    std::vector<SanitizerCheck> checks;
    for (const std::string& tool : tools) {
        job.report(fmt::format("{} of {}", tool, work.kernel));
        KL_ASSIGN(SanitizerCheck check, runTool(program, tool, work, sourceName, device, job));
        checks.push_back(std::move(check));
    }
    return checks;
}

Result<std::vector<SanitizerCheck>> findRecordedChecks(Collector& recording, const WorkSpec& work, const std::vector<std::string>& tools,
                                                       const std::string& sourceName, const Job& job)
{
    std::vector<SanitizerCheck> checks;
    std::vector<Error> missing;
    for (const std::string& tool : tools) {
        Result<SanitizeAnswer> answer = sanitizeLaunch(recording, {work, tool}, job);
        if (!answer && answer.error().code != ErrorCode::notRecorded)
            return answer.error();
        if (!answer) {
            missing.push_back(answer.error());
            checks.push_back({tool, {}, answer.error().message, {}});
            continue;
        }
        SanitizerCheck check{tool, {}, std::move(answer->trouble), std::move(answer->log)};
        addFindings(check, sourceName);
        checks.push_back(std::move(check));
    }
    if (!missing.empty() && missing.size() == tools.size())
        return missing.front();
    return checks;
}

} // namespace kl::inline sanitizer
