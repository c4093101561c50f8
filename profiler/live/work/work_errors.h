// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/model/measurement.h"

#include <optional>
#include <string>

namespace kl::inline live {

/// Detail of an Error caused by the source: it does not compile, or lacks an entry.
inline constexpr const char* kCompileFailure = "KL_COMPILE";

/// Detail of an Error that ends a measurement because a pass was refuted.
inline constexpr const char* kRefuted = "KL_REFUTED";

/// How a failed step ends the run, by its Error; unset for errors not caused by the kernel (then the request fails).
std::optional<ResultStatus> findStatus(const Error& error);

/// The device lacks what a work requires: an Error with isDeviceLimit.
Error deviceLimit(std::string message, std::string hint = {});

/// Memory that a work has to have at given addresses cannot be there in this process: an Error with detail kAddressTaken.
Error addressTaken(std::string message);

/// A work specification that contradicts itself.
Error badWork(std::string message);

} // namespace kl::inline live
