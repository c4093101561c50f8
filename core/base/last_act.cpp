// SPDX-License-Identifier: MIT
#include "core/base/last_act.h"

#include <mutex>
#include <utility>

namespace kl {
namespace {

struct Acts {
    std::mutex mutex;
    std::vector<const LastAct*> all;
};

Acts& acts()
{
    static Acts* all = new Acts; // never destroyed: the thread that waits for signals outlives main
    return *all;
}

} // namespace

LastAct::LastAct(std::function<std::string()> act) : act_(std::move(act))
{
    const std::lock_guard lock(acts().mutex);
    acts().all.push_back(this);
}

LastAct::~LastAct()
{
    const std::lock_guard lock(acts().mutex);
    std::erase(acts().all, this);
}

std::vector<std::string> doLastActs()
{
    const std::lock_guard lock(acts().mutex);
    std::vector<std::string> lines;
    for (const LastAct* one : acts().all)
        if (std::string line = one->act_(); !line.empty())
            lines.push_back(std::move(line));
    return lines;
}

} // namespace kl
