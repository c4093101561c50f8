// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/timings.h"
#include "core/codec/json.h"
#include "profiler/protocol/messages.h"

#include <nlohmann/json.hpp> // an event holds a whole Json
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline client {

/// One event of the worker, read from its line.
struct WorkerEvent {
    enum class Kind { hello, progress, partial, output, result, error };
    Kind kind = Kind::result;
    std::optional<int> id; ///< of the request it answers; unset for hello
    std::optional<Hello> hello;
    std::optional<Progress> progress;
    std::optional<Error> error;
    std::string output;            ///< bytes that a program wrote,
    bool errors = false;           ///< to its standard error
    Json answer;                   ///< body of a result, or of a part of it
    std::vector<TimedPart> phases; ///< of an answer: how the worker spent its time
    bool last = false;             ///< the worker exits after this answer: its GPU context is lost
};

/// Error internal, naming the line, for one that is not an event of the protocol.
Result<WorkerEvent> parseWorkerEvent(std::string_view line);

/// A request as one line, with its line end.
std::string requestLine(int id, std::string_view verb, const Json& body);

/// The longest line: a program's trace has about 100 MB for a million launches. A worker on another host must not be able to fill this
/// one's memory.
inline constexpr std::size_t kMostLine = std::size_t{256} << 20;

/// The last lines of a stream, bounded: the last output of a dead worker.
class Tail {
public:
    explicit Tail(std::size_t bytes = 8192) : bytes_(bytes) {}
    void append(std::string_view text);
    void clear() { text_.clear(); }
    const std::string& text() const noexcept { return text_; }

private:
    std::size_t bytes_;
    std::string text_;
};

} // namespace kl::inline client
