// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp> // a recorded request holds a whole Json
#include <string_view>
#include <vector>

namespace kl::inline replay {

/// Answers requests from a recorded capture: a zstd-compressed JSON Lines conversation. A request that was not recorded is
/// error notRecorded; one recorded from a different source gets the warning "recorded-from-older-source".
Result<std::unique_ptr<Collector>> openCapture(std::string_view compressed, std::string_view where);

/// The shipped captures (resources/captures/), as one collector.
Result<std::unique_ptr<Collector>> openSample();

/// A collector that passes requests on to `live` and keeps each conversation; save() writes the capture.
class Recorder : public Collector {
public:
    /// Starts from an earlier capture: what is not requested again stays in it, with the date it was recorded at. Errors: badInput for
    /// bytes that are not a capture, or one of a device of another name.
    virtual Status resume(std::string_view compressed, std::string_view where) = 0;
    /// Keeps an answer that did not come through it: of what the client does beside the worker.
    virtual void add(Verb verb, const Json& body, Json answer) = 0;
    virtual Status save(const std::filesystem::path& file) const = 0;
};
std::unique_ptr<Recorder> recordFrom(Collector& live);

/// Every (kernel address, problem, verb, tier) that a capture holds, for building the sample database and for tests.
struct RecordedRequest {
    Verb verb = Verb::probe;
    std::string kernel;
    std::string problem;
    Json body; ///< its work specifications cut down to kernel, problem and source hash: enough for its key
};
Result<std::vector<RecordedRequest>> unpackRequests(std::string_view compressed, std::string_view where);

} // namespace kl::inline replay
