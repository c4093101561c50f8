// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/codec/json.h"

#include <exception>

namespace kl::cli {

/// Says an error in words on stderr and, with `json`, as {"error": {…}} on stdout, with the fields of `more` beside it. The exit code.
int explain(const Error& error, bool json, const Json& more);
int explain(const Error& error, bool json);

/// The same of an exception that nothing below handles: a defect of the program.
int explain(const std::exception& thrown, bool json);

} // namespace kl::cli
