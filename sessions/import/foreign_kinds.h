// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <optional>
#include <string>
#include <string_view>

namespace kl::inline imports {

/// The error for a file of a known kind without runs that KernelLoop can read: an Nsight Systems report, a database, a capture, an
/// archive, a program. Unset for any other.
std::optional<Error> foreignKind(std::string_view bytes, const std::string& where);

} // namespace kl::inline imports
