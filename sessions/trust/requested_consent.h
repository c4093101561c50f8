// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/client/consent.h"
#include "sessions/trust/trust_store.h"

#include <functional>
#include <mutex>
#include <set>

namespace kl::inline trust {

/// The one way to consent, for window and command line: what the user has allowed before may run; for anything else the user is prompted,
/// and a yes is remembered.
class RequestedConsent final : public Consent {
public:
    /// Puts one command before the user, and waits; from the thread that wants it run. Error interrupted.
    using Asker = std::function<Result<bool>(const FileCommand&, const Job&)>;

    /// Without a prompt, new commands are refused.
    RequestedConsent(TrustStore store, Asker asker) : store_(std::move(store)), asker_(std::move(asker)) {}

    Status allow(const FileCommand& command, const Job& job) override;

private:
    TrustStore store_;
    Asker asker_;
    std::timed_mutex asking_;       ///< one question at a time
    std::set<std::string> allowed_; ///< hashes, where the store cannot be written
};

} // namespace kl::inline trust
