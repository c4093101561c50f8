// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

#include <memory>
#include <string>
#include <vector>

namespace kl {

struct SchemaParts;

/// One way in which a value does not follow its schema.
struct SchemaFault {
    std::string path;    ///< "variants[0].launches[1].grid"; of an object that lacks a member, the object's
    std::string message; ///< "should be a list, is a text"
    std::string hint;    ///< the schema's description of this place, or a similar name; may be empty
};

/// A JSON Schema of draft-07, as far as our schemas need it: $ref within the file, definitions, type, enum, properties, required,
/// propertyNames, additionalProperties, items, minItems, maxItems, uniqueItems, pattern, minLength, maxLength, minimum, maximum,
/// exclusiveMinimum; $schema, $comment, title, description, default and examples are annotations. The JSON-Schema-Test-Suite holds it to
/// the standard. Cheap to copy; several threads may check values at once.
class JsonSchema {
public:
    /// Error badInput, naming `where` and the place in it: a keyword that is not supported, which would else be ignored, a keyword's value
    /// of the wrong kind, a reference that leads out of the file, nowhere or in a circle, or an invalid regular expression.
    static Result<JsonSchema> load(const Json& schema, const std::string& where);

    /// Every fault of a value, in the order of its text; empty when it follows the schema.
    std::vector<SchemaFault> check(const Json& value) const;

private:
    explicit JsonSchema(std::shared_ptr<const SchemaParts> parts) : parts_(std::move(parts)) {}

    std::shared_ptr<const SchemaParts> parts_;
};

} // namespace kl
