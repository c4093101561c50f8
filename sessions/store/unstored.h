// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/store/store.h"

#include <utility>
#include <vector>

namespace kl::inline store {

/// What was measured and is to be stored.
struct Unstored {
    std::vector<RunRecord> runs;
    std::vector<Comparison> comparisons;
    std::vector<NoiseRecord> noise;
    std::vector<std::pair<std::string, std::string>> artifacts; ///< name, content
    std::vector<std::pair<SessionId, SessionEvent>> events;

    bool operator==(const Unstored&) const = default;
};

/// Stores all of it. Storing twice changes nothing: runs, comparisons and noise have ids, an event its place in its session. Error
/// changedElsewhere where the place of an event has gone to another one: the rest is stored then. Else the store's errors.
Status storeAll(Store& store, const Unstored& what);

/// {comparisons, noise, artifacts, events}: all but the runs.
Json unstoredToJson(const Unstored& what);

/// Inverse; without runs. Error badInput names the field that is not as it should be.
Result<Unstored> unstoredFromJson(const Json& json, const std::string& where);

} // namespace kl::inline store
