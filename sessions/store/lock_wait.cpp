// SPDX-License-Identifier: MIT
#include "sessions/store/sqlite.h"

#include <algorithm>
#include <cstdlib>
#include <sqlite3.h>
#include <string_view>
#include <thread>
#include <utility>

namespace kl::inline store::sqlite {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kUsualWait{5000};
constexpr std::chrono::milliseconds kLongestNap{25};

thread_local std::chrono::milliseconds wait = kUsualWait;
thread_local Clock::time_point waitingSince;

} // namespace

LockWait::LockWait(std::chrono::milliseconds most) : before_(std::exchange(wait, most)) {}

LockWait::~LockWait()
{
    wait = before_;
}

int waitForLock(void* /*unused*/, int times)
{
    if (times == 0)
        waitingSince = Clock::now();
    if (Clock::now() - waitingSince >= wait)
        return 0;
    std::this_thread::sleep_for(std::min(kLongestNap, std::chrono::milliseconds(1 << std::min(times, 5))));
    return 1;
}

bool isBusy(const Error& error)
{
    constexpr std::string_view kCode = "SQLite "; // of toError()
    if (!error.detail.starts_with(kCode))
        return false;
    const int code = std::atoi(error.detail.c_str() + kCode.size()) & 0xff;
    return code == SQLITE_BUSY || code == SQLITE_LOCKED;
}

} // namespace kl::inline store::sqlite
