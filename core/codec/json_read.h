// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

#include <optional>
#include <string>

/// Looks into objects any of whose fields may be missing. What must be there, or be told when it is wrong, is read through fields.h.
namespace kl {

/// The field's text; empty where there is none, it is no text, or `object` is no object.
std::string textAt(const Json& object, const char* field);

/// The field's number; nothing likewise.
std::optional<double> numberAt(const Json& object, const char* field);

/// Whether the field is there and true.
bool truthAt(const Json& object, const char* field);

} // namespace kl
