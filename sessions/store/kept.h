// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/store.h"

#include <mutex>
#include <optional>

namespace kl::inline store {

/// A value computed from a database, kept until the database changes. From any thread: callers wait while it is computed.
template <class T> class Kept {
public:
    /// `make()` returns a Result<T> computed from the store's data. Always the same store. An error is not kept.
    template <class Make> Result<T> of(const Store& store, Make make)
    {
        const std::scoped_lock lock(mutex_);
        const std::int64_t now = store.dataVersion(); // before reading: what is written meanwhile makes it old
        if (value_ && version_ == now)
            return *value_;
        Result<T> made = make();
        if (made) {
            value_ = *made;
            version_ = now;
        }
        return made;
    }

private:
    std::mutex mutex_;
    std::optional<T> value_;
    std::int64_t version_ = 0; ///< of the data that value_ was made of
};

} // namespace kl::inline store
