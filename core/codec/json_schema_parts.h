// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json_schema.h"

#include <map>
#include <nlohmann/json.hpp>
#include <regex>

namespace kl {

/// A schema's text and what is made of it once: looking up a reference or compiling a pattern takes far longer than using it.
struct SchemaParts {
    Json root;
    std::map<std::string, const Json*> references; ///< by the text of $ref; into `root`
    std::map<std::string, std::regex> patterns;    ///< by their text
};

/// JSON Schema's name of a value's type. A number without a fraction is an integer, however it is written: 16.0, 1e3.
std::string findSchemaType(const Json& value);

} // namespace kl
