// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <mutex>

namespace kl::ui {

/// Lets another thread wait while it is closed. Thread-safe.
class PauseGate {
public:
    /// Returns once it is open.
    void pass()
    {
        std::unique_lock lock(mutex_);
        opened_.wait(lock, [this] { return open_; });
    }
    void set(bool open)
    {
        {
            const std::lock_guard lock(mutex_);
            open_ = open;
        }
        opened_.notify_all();
    }
    bool isOpen() const
    {
        const std::lock_guard lock(mutex_);
        return open_;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable opened_;
    bool open_ = true;
};

} // namespace kl::ui
