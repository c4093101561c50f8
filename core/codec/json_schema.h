// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

#include <string>
#include <vector>

namespace kl {

/// One way in which a value does not follow its schema.
struct SchemaFault {
    std::string path;    ///< "variants[0].launches[1].grid"; of an object that lacks a member, the object's
    std::string message; ///< "should be a list, is a text"
    std::string hint;    ///< the schema's description of this place, or a similar name; may be empty
};

/// Every fault of a value against a schema, in the order of the text; empty when it follows. The part of JSON Schema (draft 2020-12) that
/// our schemas use: $ref into $defs, type, enum, objects with properties, required, propertyNames (pattern, minLength, maxLength) and
/// additionalProperties, items, minItems, maxItems, uniqueItems, pattern, minLength, maxLength, minimum, maximum, exclusiveMinimum. Other
/// keywords are annotations.
std::vector<SchemaFault> checkSchema(const Json& value, const Json& schema);

} // namespace kl
