// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/store.h"

#include <memory>
#include <string_view>

namespace kl::inline shipped {

/// The recorded sample with the sessions that were recorded on its GPU, and with those of the October 2025 documents: one database, of
/// which each shows one history.
inline constexpr const char* kSampleLocation = ":sample:";
inline constexpr const char* kDocumentsLocation = ":documents:";

/// Whether a location is one of the two.
bool isSampleLocation(std::string_view location);

/// The database of buildSampleStore(), which was built with this program and is part of it. Read-only. Opening it reads a few pages.
Result<std::unique_ptr<Store>> openSampleStore(std::string_view location = kSampleLocation);

} // namespace kl::inline shipped
