// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/model/measurement.h"

#include <optional>
#include <string>

namespace kl {

/// Detail word of an Error whose cause is the source: it does not compile, or lacks an entry.
inline constexpr const char* kCompileFailure = "KL_COMPILE";

/// Detail word of an Error that ends a measurement because a pass of it was refuted.
inline constexpr const char* kRefuted = "KL_REFUTED";

/// How a failed step ends the run, by its Error; nothing for errors that are not the kernel's (then the request fails).
std::optional<ResultStatus> statusOf(const Error& error);

/// The device has not what a work asks for: an Error with isDeviceLimit.
Error deviceLimit(std::string message, std::string hint = {});

/// A work specification that contradicts itself.
Error badWork(std::string message);

} // namespace kl
