// SPDX-License-Identifier: MIT
#include "profiler/live/env/env_host.h"

#include "profiler/live/env/http.h"
#include "profiler/live/host/shared_library.h"
#include "profiler/live/nvml/nvml.h"
#include "profiler/live/python/helper_process.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fnmatch.h>
#include <fstream>
#include <iterator>

namespace kl::inline live {
namespace {

// Not by loading: a library that this process has loaded from a toolkit's folder would be found by its bare name from then on.
// /etc/ld.so.cache holds the full names as text.
std::optional<std::string> onLoaderPath(const std::vector<std::string>& names)
{
    std::ifstream file("/etc/ld.so.cache", std::ios::binary);
    const std::string cache(std::istreambuf_iterator<char>(file), {});
    const char* variable = std::getenv("LD_LIBRARY_PATH");
    const std::string path = variable ? variable : "";
    for (const std::string& name : names) {
        for (std::size_t from = 0; from < path.size();) {
            const std::size_t colon = std::min(path.find(':', from), path.size());
            const std::string candidate = path.substr(from, colon - from) + "/" + name;
            std::error_code code;
            if (colon > from && std::filesystem::exists(candidate, code))
                return candidate;
            from = colon + 1;
        }
        if (cache.find("/" + name + std::string(1, '\0')) != std::string::npos)
            return name;
    }
    return {};
}

/// What a program wrote until its end.
Result<std::string> readOutput(Result<std::unique_ptr<HelperProcess>> process, double seconds)
{
    using namespace std::chrono;
    if (!process)
        return process.error();
    const auto last = steady_clock::now() + duration_cast<steady_clock::duration>(duration<double>(seconds));
    std::string output;
    for (;;) {
        const auto left = duration_cast<milliseconds>(last - steady_clock::now());
        const Result<std::string> line = (*process)->receive(std::max(left, milliseconds(0)));
        if (line) {
            output += *line + "\n";
            continue;
        }
        if (!output.empty() && steady_clock::now() < last) // the end of its output
            return output;
        Error error = line.error();
        error.code = ErrorCode::environment;
        return error;
    }
}

class SystemHost final : public EnvHost {
public:
    std::optional<std::string> readFile(const std::string& path) const override
    {
        std::ifstream file(path, std::ios::binary);
        if (!file)
            return {};
        return std::string(std::istreambuf_iterator<char>(file), {});
    }

    std::optional<std::string> variable(const std::string& name) const override
    {
        const char* value = std::getenv(name.c_str());
        return value && *value ? std::optional<std::string>(value) : std::nullopt;
    }

    std::vector<Found> findNamed(const std::string& folder, const std::string& name, int depth) const override
    {
        namespace fs = std::filesystem;
        std::vector<Found> found;
        std::error_code code;
        const auto now = fs::file_time_type::clock::now();
        fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code);
        for (; !code && at != fs::recursive_directory_iterator(); at.increment(code)) {
            if (at.depth() + 1 >= depth)
                at.disable_recursion_pending();
            if (::fnmatch(name.c_str(), at->path().filename().c_str(), 0) != 0)
                continue;
            std::error_code unreadable;
            const auto written = fs::last_write_time(at->path(), unreadable);
            if (!unreadable)
                found.push_back({at->path().string(), std::chrono::duration<double>(now - written).count()});
        }
        return found;
    }

    Result<CommandResult> execute(const Command& command) const override { return runCommand(command); }

    Result<std::string> metadata(const std::string& method, const std::string& path, const std::vector<std::string>& headers) const override
    {
        return fetch({"169.254.169.254", 80, method, path, headers, 0.5});
    }

    Result<std::string> run(const std::vector<std::string>& arguments, double seconds) const override
    {
        return readOutput(HelperProcess::start(arguments, originalEnvironment()), seconds);
    }

    Result<std::string> runPython(const std::string& code, double seconds) const override
    {
        return readOutput(HelperProcess::start(pythonCode(code)), seconds);
    }

    std::optional<std::string> findLibrary(const std::vector<std::string>& names, const std::string& component,
                                           bool loaderOnly) const override
    {
        if (loaderOnly)
            return onLoaderPath(names);
        const Result<SharedLibrary> library = SharedLibrary::open(names, toolkitLibraryFolders(component));
        if (!library)
            return {};
        return library->path();
    }

    Result<std::int64_t> freeBytes(const std::string& path) const override
    {
        namespace fs = std::filesystem;
        std::error_code code;
        fs::path folder = fs::absolute(path.empty() ? "." : path, code);
        while (!fs::exists(folder, code) && folder.has_relative_path())
            folder = folder.parent_path();
        const fs::space_info space = fs::space(folder, code);
        if (code)
            return Error{.code = ErrorCode::environment,
                         .message = "The free space of " + folder.string() + " cannot be read: " + code.message() + ".",
                         .where = path};
        return static_cast<std::int64_t>(space.available);
    }

    Result<std::string> driverVersion() const override { return nvmlDriverVersion(); }
    Result<std::unique_ptr<Nvml>> nvml(const std::string& uuid) const override { return Nvml::open(uuid); }
};

} // namespace

const EnvHost& systemHost()
{
    static const SystemHost host;
    return host;
}

} // namespace kl::inline live
