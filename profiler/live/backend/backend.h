// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "profiler/collector.h"

#include <memory>
#include <string>

namespace kl::inline live {

/// Answers a worker's requests. All calls come from one thread.
class Backend {
public:
    virtual ~Backend() = default;

    virtual const Hello& hello() const = 0;

    /// The answer's body for one verb.
    virtual Result<Json> answer(Verb verb, const Json& body, const Job& job) = 0;

    /// Called after a while without requests: releases resources that only speed up the next request and lock out other programs.
    virtual void idle() {}

    /// The process exits without the destructor: releases what would outlive it.
    virtual void leave() {}

    /// The process cannot serve another request: a kernel broke or blocked its GPU context.
    virtual bool isLost() const = 0;
};

/// A backend that cannot measure because of `reason`: it answers probe and env from the available information, and refuses the rest.
std::unique_ptr<Backend> makeUnavailableBackend(const std::string& version, const std::string& reason, const std::string& hint);

/// The error of such a verb.
Error cannotMeasure(const Hello& hello);

} // namespace kl::inline live
