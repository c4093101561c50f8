// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace kl {

/// The value, or null where nothing was measured. For .cpp files: it brings the whole of json.hpp along.
template <class T> Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

} // namespace kl
