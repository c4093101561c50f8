// SPDX-License-Identifier: MIT
#include "core/base/python_call.h"

#include "core/base/original_environment.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace kl {
namespace {

constexpr const char* kAnywhere = "/"; ///< there on every machine, and only root can put a module there
constexpr std::string_view kSafePath = "PYTHONSAFEPATH=";
constexpr std::string_view kModules = "PYTHONPATH=";
constexpr std::array<std::string_view, 3> kFolders{"PYTHONHOME=", "PYTHONUSERBASE=", "PYTHONPYCACHEPREFIX="};

/// `sys` is built in: importing it looks at no folder.
constexpr const char* kPrologue = "import sys\nif sys.path and sys.path[0] == '':\n    del sys.path[0]\n";

std::string absoluteEntries(std::string_view list)
{
    std::string kept;
    while (!list.empty()) {
        const auto colon = list.find(':');
        const std::string_view entry = list.substr(0, colon);
        list.remove_prefix(colon == std::string_view::npos ? list.size() : colon + 1);
        if (entry.starts_with('/'))
            kept.append(kept.empty() ? "" : ":").append(entry);
    }
    return kept;
}

bool isRelativeFolder(std::string_view entry)
{
    for (const std::string_view name : kFolders)
        if (entry.starts_with(name))
            return !entry.substr(name.size()).starts_with('/');
    return false;
}

} // namespace

std::string pythonProgram()
{
    const char* named = std::getenv("KLOOP_PYTHON");
    const std::string program = named != nullptr && *named != '\0' ? named : "python3";
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::absolute(program, failed);
    return program.find('/') == std::string::npos || failed ? program : whole.string();
}

std::vector<std::string> pythonEnvironment(const std::vector<std::string>& environment)
{
    std::vector<std::string> result;
    for (const std::string& entry : environment) {
        if (entry.starts_with(kSafePath) || isRelativeFolder(entry))
            continue;
        if (!entry.starts_with(kModules)) {
            result.push_back(entry);
            continue;
        }
        if (const std::string kept = absoluteEntries(std::string_view(entry).substr(kModules.size())); !kept.empty())
            result.push_back(std::string(kModules) + kept);
    }
    result.push_back(std::string(kSafePath) + "1");
    return result;
}

PythonCall pythonCode(const std::string& code, const std::vector<std::string>& arguments)
{
    PythonCall call{{pythonProgram(), "-c", kPrologue + code}, pythonEnvironment(originalEnvironment()), kAnywhere};
    call.arguments.insert(call.arguments.end(), arguments.begin(), arguments.end());
    return call;
}

PythonCall pythonScript(const std::string& name, const std::string& folder)
{
    return {{pythonProgram(), name}, pythonEnvironment(originalEnvironment()), folder};
}

} // namespace kl
