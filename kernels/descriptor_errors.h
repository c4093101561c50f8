// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/codec/json_positions.h"
#include "core/codec/json_reader.h"
#include "core/codec/json_schema.h"
#include "kernels/descriptor_checks.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline kernels {

/// Turns what is wrong with a descriptor into errors that name the place in its text.
class DescriptorErrors {
public:
    /// `where`: the file, for people. Borrows the text.
    DescriptorErrors(std::string_view text, std::string_view where) : text_(text), where_(where) {}

    Error at(const DescriptorFault& fault) const;
    /// The first fault; the others, 19 at most, in its detail. Precondition: at least one.
    Error at(const std::vector<SchemaFault>& faults) const;
    /// A field that the text has twice; unset where there is none.
    std::optional<Error> duplicate() const;
    /// Of a text that is not JSON.
    static Error syntax(std::string_view text, std::string_view where, const JsonFault& fault);

private:
    Error error(TextPosition place, const std::string& what, const std::string& hint) const;

    std::string_view text_;
    std::string where_;
};

/// An error about the value of a field, e.g. a missing file, with the field's position before its message. Unchanged if the text has
/// no such field.
Error placeError(std::string_view json, std::string_view where, const std::string& path, Error error);

} // namespace kl::inline kernels
