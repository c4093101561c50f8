// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace kl::test {

struct ProcessRow {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    char state = '?';
    std::string name; ///< at most 15 characters
};

/// What /proc says of every process that is there now.
inline std::vector<ProcessRow> processes()
{
    std::vector<ProcessRow> rows;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::ifstream file(entry.path() / "stat");
        std::string line;
        std::getline(file, line);
        const auto open = line.find('(');
        const auto close = line.rfind(')');
        if (open == std::string::npos || close == std::string::npos)
            continue; // it ended meanwhile
        ProcessRow row;
        row.pid = std::stoi(name);
        row.name = line.substr(open + 1, close - open - 1);
        std::istringstream rest(line.substr(close + 1));
        rest >> row.state >> row.parent >> row.group;
        rows.push_back(row);
    }
    return rows;
}

/// Workers that a process started, oldest first; where the worker runs under a wrapper, the wrapper counts.
inline std::vector<pid_t> listWorkers(pid_t parent)
{
    std::vector<pid_t> found;
    for (const ProcessRow& row : processes())
        if (row.parent == parent && row.group == row.pid && row.state != 'Z')
            found.push_back(row.pid);
    std::sort(found.begin(), found.end());
    return found;
}

/// Processes of a group that still live.
inline std::vector<pid_t> listGroupMembers(pid_t group)
{
    std::vector<pid_t> found;
    for (const ProcessRow& row : processes())
        if (row.group == group && row.state != 'Z')
            found.push_back(row.pid);
    return found;
}

} // namespace kl::test
