// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/base/timings.h"
#include "core/codec/json.h"
#include "profiler/protocol/messages.h"

#include <mutex>
#include <string_view>

namespace kl::worker {

/// The worker's output: one event per line on its own file descriptor. Any thread may send. The process exits when the client is gone.
class Channel {
public:
    explicit Channel(int descriptor) : descriptor_(descriptor) {}

    void hello(const Hello& hello);
    void progress(int id, const Progress& progress);
    /// What is known of an answer while the rest is measured.
    void partial(int id, const Json& body);
    /// What a program of the request wrote.
    void output(int id, std::string_view bytes, bool errors);
    /// `last`: the worker ends after this answer, so that the client starts a fresh one for its next request.
    /// `parts`: where the worker spent its time since the answer before.
    void result(int id, const Json& body, bool last, const std::vector<TimedPart>& parts);
    void error(int id, const Error& error, const std::vector<TimedPart>& parts = {});

private:
    void send(const char* event, const int* id, const Json& fields);

    int descriptor_;
    std::mutex mutex_;
};

} // namespace kl::worker
