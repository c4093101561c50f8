// SPDX-License-Identifier: MIT
#include "core/base/descendants.h"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace kl {
namespace {

/// The parent of a process that still runs.
std::optional<pid_t> readParent(const std::filesystem::path& folder)
{
    std::ifstream in(folder / "stat");
    std::string text;
    std::getline(in, text, '\0');      // an iterator would throw of a process that ends just now
    const auto name = text.rfind(')'); // "4711 (a name) S 1 …"; the name may hold anything
    char state = 0;
    int parent = 0;
    if (name == std::string::npos || std::sscanf(text.c_str() + name + 1, " %c %d", &state, &parent) != 2 || state == 'Z')
        return {};
    return parent;
}

void signalAll(const std::vector<pid_t>& processes, int signal)
{
    for (const pid_t process : processes) {
        if (::getpgid(process) == process)
            ::kill(-process, signal); // with the group of what has lost its parent
        ::kill(process, signal);
    }
}

} // namespace

std::vector<pid_t> descendants()
{
    std::multimap<pid_t, pid_t> children;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", failure)) {
        const std::string name = entry.path().filename().string();
        pid_t process = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), process).ptr == name.data() + name.size())
            if (const std::optional<pid_t> parent = readParent(entry.path()))
                children.emplace(*parent, process);
    }
    std::vector<pid_t> found{::getpid()};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto [begin, end] = children.equal_range(found[i]);
        for (auto child = begin; child != end; ++child)
            found.push_back(child->second);
    }
    found.erase(found.begin());
    return found;
}

void endDescendants(std::chrono::milliseconds patience)
{
    constexpr std::chrono::milliseconds kPause{10};
    std::vector<pid_t> left = descendants();
    signalAll(left, SIGTERM);
    const auto last = std::chrono::steady_clock::now() + patience;
    while (!left.empty() && std::chrono::steady_clock::now() < last) {
        std::this_thread::sleep_for(kPause);
        left = descendants();
    }
    signalAll(left, SIGKILL);
}

} // namespace kl
