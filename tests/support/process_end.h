// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <sys/types.h>
#include <thread>

namespace kl {

/// True once a killed process is gone, or a zombie not yet reaped by its parent;
/// false when it still lives after a minute. A signal takes effect some time after it was sent.
inline bool endsSoon(pid_t process)
{
    for (int i = 0; i < 6000; ++i) {
        std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
        std::string text;
        std::getline(stat, text);
        if (::kill(process, 0) != 0 || text.find(") Z ") != std::string::npos)
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

} // namespace kl
