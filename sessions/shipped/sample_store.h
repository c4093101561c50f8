// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/store.h"

#include <memory>

namespace kl::inline shipped {

/// The recorded sample, ":sample:": the database of buildSampleStore(), which was built with this program and is part of it. Read-only.
/// Opening it reads a few pages.
Result<std::unique_ptr<Store>> openSampleStore();

} // namespace kl::inline shipped
