// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "profiler/collector.h"

#include <memory>
#include <string>

namespace kl {

/// What answers a worker's requests. All calls come from one thread.
class Backend {
public:
    virtual ~Backend() = default;

    virtual const Hello& hello() const = 0;

    /// The answer's body for one verb.
    virtual Result<Json> answer(Verb verb, const Json& body, const Job& job) = 0;

    /// Nothing was asked for a while: lets go of what only makes the next request quicker and keeps other programs out.
    virtual void idle() {}

    /// The process ends without the destructor: lets go of what would outlive it.
    virtual void leave() {}

    /// The process cannot serve another request: a kernel broke or blocked its GPU context.
    virtual bool isLost() const = 0;
};

/// A backend that measures nothing, since `reason` says why: it answers probe and env from what is there, and refuses the rest.
std::unique_ptr<Backend> makeUnavailableBackend(const std::string& version, const std::string& reason, const std::string& hint);

/// The refusal of a verb where nothing can run.
Error cannotMeasure(const Hello& hello);

} // namespace kl
