// SPDX-License-Identifier: MIT
#include "sessions/diagnostics/support_bundle.h"

#include "core/base/format.h"
#include "core/base/read_file.h"
#include "profiler/protocol/messages.h"
#include "sessions/hosts/host_list.h"
#include "sessions/measure/machine_check.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <thread>

namespace kl::inline diagnostics {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLogs = 3;
constexpr std::int64_t kLargestLog = 64 << 20;
constexpr std::size_t kMostOfALog = 20000; ///< bytes of a check's report

/// Numbers that say nothing about anybody. Any other setting is named at most by its kind.
constexpr std::array kShownSettings = {"engineer-rate", "session-cost-target", "accepted-noise"};
constexpr std::array kKnownSettings = {"gpu-prices", "roadmap", "user-kernels"};
/// Variables whose values are shown; of all others that matter, only whether they are set.
constexpr std::array kShownVariables = {"LANG",
                                        "LC_ALL",
                                        "LC_NUMERIC",
                                        "NO_COLOR",
                                        "XDG_SESSION_TYPE",
                                        "QT_QPA_PLATFORM",
                                        "QT_SCALE_FACTOR",
                                        "QT_FONT_DPI",
                                        "CUDA_VISIBLE_DEVICES"};
constexpr std::array kNamedVariables = {
    "KERNELLOOP_DB",   "KERNELLOOP_WORKER", "KERNELLOOP_INJECT", "KERNELLOOP_NVDISASM", "KERNELLOOP_SANITIZER", "KLOOP_PYTHON",
    "LD_LIBRARY_PATH", "LD_PRELOAD",        "CUDA_HOME",         "XDG_DATA_HOME",       "XDG_STATE_HOME",       "XDG_CONFIG_HOME"};

const char* variable(const char* name)
{
    return std::getenv(name); // NOLINT(concurrency-mt-unsafe): never changed
}

std::string systemName()
{
    std::ifstream release("/etc/os-release");
    for (std::string line; std::getline(release, line);)
        if (line.starts_with("PRETTY_NAME=")) {
            std::erase(line, '"');
            return line.substr(line.find('=') + 1);
        }
    return "unknown";
}

SupportSection programSection(const std::string& program)
{
    return {"KernelLoop",
            {{"program", program},
             {"protocol", std::to_string(kProtocolVersion)},
             {"compiler", __VERSION__},
             {"written", isoNow().substr(0, 16)}}};
}

SupportSection machineSection()
{
    SupportSection section{"Machine"};
    utsname kernel = {};
    const bool known = ::uname(&kernel) == 0;
    std::error_code failed;
    section.rows = {{"system", systemName()},
                    {"kernel", known ? fmt::format("{} {} {}", kernel.sysname, kernel.release, kernel.machine) : "unknown"},
                    {"C library", ::gnu_get_libc_version()},
                    {"processors", std::to_string(std::thread::hardware_concurrency())},
                    {"NVIDIA driver", fs::exists("/dev/nvidiactl", failed) ? "loaded" : "not loaded"}};
    std::ifstream driver("/proc/driver/nvidia/version");
    if (std::string line; std::getline(driver, line))
        section.rows.emplace_back("driver version", line);
    return section;
}

SupportSection environmentSection()
{
    SupportSection section{"Environment variables"};
    for (const char* name : kShownVariables)
        if (const char* value = variable(name); value != nullptr)
            section.rows.emplace_back(name, value);
    for (const char* name : kNamedVariables)
        if (variable(name) != nullptr)
            section.rows.emplace_back(name, "set");
    return section;
}

SupportSection databaseSection(const SupportSources& sources)
{
    SupportSection section{"Database"};
    if (sources.store == nullptr) {
        section.rows.emplace_back("error", sources.storeError);
        return section;
    }
    if (const auto info = sources.store->info())
        section.rows = *info;
    else
        section.rows.emplace_back("error", info.error().message);
    if (!sources.store->notice().empty())
        section.rows.emplace_back("notice", sources.store->notice());
    return section;
}

SupportSection settingsSection(const Store& store)
{
    SupportSection section{"Settings of the database"};
    for (const char* name : kShownSettings) {
        const std::optional<std::string> value = store.setting(name);
        const bool number = value && !value->empty() && value->find_first_not_of("0123456789.eE+-") == std::string::npos;
        section.rows.emplace_back(name, !value || value->empty() ? "default" : number ? *value : "set, not a number");
    }
    for (const char* name : kKnownSettings) {
        const std::optional<std::string> value = store.setting(name);
        section.rows.emplace_back(name, !value || value->empty() ? "default" : fmt::format("set, {} bytes", value->size()));
    }
    return section;
}

SupportSection kernelsSection(const std::vector<BrokenKernel>& brokenKernels, std::size_t registered)
{
    SupportSection section{"Kernels of your own"};
    section.rows.emplace_back("registered", std::to_string(registered));
    for (const BrokenKernel& broken : brokenKernels) {
        section.rows.emplace_back("cannot be read", broken.path);
        section.rows.emplace_back("reason", broken.error.message);
    }
    return section;
}

SupportSection hostsSection(const Result<std::vector<KnownHost>>& hosts)
{
    SupportSection section{"Hosts"};
    if (!hosts) {
        section.rows.emplace_back("error", hosts.error().message);
        return section;
    }
    for (const KnownHost& host : *hosts) {
        section.rows.emplace_back(host.host, fmt::format("{}; {} GPUs{}{}; worker {}", toWord(host.state), host.gpus.size(),
                                                         host.gpus.empty() ? "" : ": ", host.gpus.empty() ? "" : host.gpus.front(),
                                                         host.worker.empty() ? "unknown" : host.worker));
        if (!host.reason.empty())
            section.rows.emplace_back("reason", host.reason);
    }
    return section;
}

/// The result of a check; what a build printed before it is left out, since it holds commands and names of the user's files.
std::string extractReport(const std::string& log)
{
    const std::size_t begin = log.find("KernelLoop environment check");
    if (begin == std::string::npos)
        return fmt::format("({} bytes, without the report of a check)\n", log.size());
    const std::string left = begin > 0 ? fmt::format("({} bytes of a build's output left out)\n", begin) : std::string();
    return left + log.substr(begin, kMostOfALog);
}

std::vector<SupportSection> logSections()
{
    std::error_code ignored;
    std::vector<fs::path> logs;
    for (const auto& entry : fs::directory_iterator(logFolder(), ignored))
        if (entry.path().filename().string().starts_with("env-"))
            logs.push_back(entry.path());
    std::ranges::sort(logs, std::ranges::greater{}); // names begin with the time
    if (logs.size() > kMostLogs)
        logs.resize(kMostLogs);
    std::vector<SupportSection> sections;
    for (const fs::path& log : logs) {
        const Result<std::string> text = readFile(log.string(), kLargestLog);
        sections.push_back(
            {"Environment check " + std::to_string(sections.size() + 1), {}, text ? extractReport(*text) : text.error().message + '\n'});
    }
    return sections;
}

void redactAll(SupportSection& section, Redactor& redactor)
{
    for (auto& [name, value] : section.rows) {
        name = redactor.redact(name);
        value = redactor.redact(value);
    }
    section.text = redactor.redact(section.text);
}

} // namespace

std::string SupportBundle::text() const
{
    std::string out = "KernelLoop support bundle\n"
                      "Paths, users, hosts, addresses, names of kernels and arguments of commands are replaced by placeholders.\n"
                      "Read it before you send it.\n";
    for (const SupportSection& section : sections) {
        out += "\n== " + section.title + "\n";
        for (const auto& [name, value] : section.rows)
            out += name + ": " + value + '\n';
        out += section.text;
        if (!section.text.empty() && !section.text.ends_with('\n'))
            out += '\n';
    }
    return out;
}

SupportBundle gatherSupport(const SupportSources& sources)
{
    const std::vector<std::string> registered =
        sources.store == nullptr ? std::vector<std::string>{} : listRegisteredKernels(*sources.store);
    const Result<std::vector<KnownHost>> hosts = HostList().list();
    PrivateWords words = privateWords();
    words.paths = registered;
    if (sources.store != nullptr)
        words.paths.push_back(sources.store->location());
    if (sources.catalog != nullptr)
        for (const KernelFamily& family : sources.catalog->families())
            if (!family.origin.empty())
                words.names.push_back(family.id);
    if (hosts)
        for (const KnownHost& host : *hosts)
            words.hosts.push_back(host.host);

    SupportBundle bundle;
    bundle.sections = {programSection(sources.program), machineSection(), environmentSection(), databaseSection(sources)};
    if (sources.store != nullptr)
        bundle.sections.push_back(settingsSection(*sources.store));
    bundle.sections.push_back(kernelsSection(sources.broken, registered.size()));
    bundle.sections.push_back(hostsSection(hosts));
    for (const std::vector<SupportSection>& list : {sources.more, logSections()})
        bundle.sections.insert(bundle.sections.end(), list.begin(), list.end());
    Redactor redactor(words);
    for (SupportSection& section : bundle.sections)
        redactAll(section, redactor);
    return bundle;
}

std::string supportFileName()
{
    std::string time = isoNow().substr(0, 19);
    std::erase_if(time, [](char c) { return c == ':' || c == '-'; });
    std::ranges::replace(time, 'T', '-');
    return "kernelloop-support-" + time + ".txt";
}

} // namespace kl::inline diagnostics
