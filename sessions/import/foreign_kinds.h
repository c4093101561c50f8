// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <optional>
#include <string>
#include <string_view>

namespace kl {

/// The error for a file that is well known but holds no runs that KernelLoop can read: an Nsight Systems report, a database, a capture, an
/// archive, a program. Nothing for any other.
std::optional<Error> foreignKind(std::string_view bytes, const std::string& where);

} // namespace kl
