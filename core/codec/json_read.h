// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

#include <optional>
#include <string>

/// Looks into objects any of whose fields may be missing. Use fields.h for required fields and for error messages.
namespace kl {

/// The field's text; empty where there is none, it is not a text, or `object` is not an object.
std::string textAt(const Json& object, const char* field);

/// The field's number; unset likewise.
std::optional<double> numberAt(const Json& object, const char* field);

/// Whether the field is there and true.
bool truthAt(const Json& object, const char* field);

} // namespace kl
