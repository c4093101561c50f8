// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/store.h"

namespace kl::inline session {

/// Whether the store is the sample database, with the sessions of the shipped history (kind "sample").
Result<bool> holdsSampleSessions(const Store& store);

/// The next free name, N, N+1, N+2 …: one after the highest in the store.
Result<std::string> nextSessionName(const Store& store);

/// A session by exact name (the newest of that name), exact id, or unique prefix of either. Errors: notFound; badInput when a prefix
/// matches several.
Result<SessionId> findSession(const Store& store, const std::string& text);

/// The newest session that is not finished; error notFound when there is none.
Result<SessionId> latestOpenSession(const Store& store);

/// The current variant of a kernel: the one that the newest session on it kept, on the same kind of device; unset without one.
Result<std::optional<Address>> findLastKept(const Store& store, const std::string& family, Source source);

} // namespace kl::inline session
