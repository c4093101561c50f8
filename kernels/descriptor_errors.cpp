// SPDX-License-Identifier: MIT
#include "kernels/descriptor_errors.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

std::string inText(const DescriptorFault& fault)
{
    return fault.path.empty() ? "the descriptor " + fault.message : fault.path + ": " + fault.message;
}

/// What a text that is not JSON most likely needs.
const char* syntaxHint(std::string_view text, const JsonFault& fault)
{
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") || text.substr(0, 4).find('\0') != std::string_view::npos ||
        fault.message.find("UTF-8") != std::string::npos)
        return "Save the file as UTF-8.";
    if (text.substr(std::min(fault.offset, text.size())).starts_with('/') || fault.message.ends_with("/'"))
        return "JSON has no comments: remove them.";
    if (fault.message.find("overflow") != std::string::npos)
        return "Use a number that fits a double, below 1.8e308.";
    return "Look for a missing comma, quote or bracket there.";
}

} // namespace

Error DescriptorErrors::at(const DescriptorFault& fault) const
{
    return error(JsonPositions(text_).of(fault.path), inText(fault), fault.hint);
}

Error DescriptorErrors::at(const std::vector<SchemaFault>& faults) const
{
    Error first = at(DescriptorFault{faults.front().path, faults.front().message, faults.front().hint});
    const JsonPositions positions(text_);
    for (std::size_t i = 1; i < std::min<std::size_t>(faults.size(), 20); ++i) {
        const TextPosition place = positions.of(faults[i].path);
        first.detail += fmt::format("{}{}:{}:{}: {}.", i > 1 ? "\n" : "", where_, place.line, place.column,
                                    inText({faults[i].path, faults[i].message, {}}));
    }
    return first;
}

std::optional<Error> DescriptorErrors::duplicate() const
{
    const JsonPositions positions(text_);
    if (positions.duplicates().empty())
        return {};
    return at(DescriptorFault{positions.duplicates().front(), "appears twice", "Keep one of the two."});
}

Error DescriptorErrors::syntax(std::string_view text, std::string_view where, const JsonFault& fault)
{
    return DescriptorErrors({}, where).error(positionAt(text, fault.offset), "this is not valid JSON: " + fault.message,
                                             syntaxHint(text, fault));
}

Error DescriptorErrors::error(TextPosition place, const std::string& what, const std::string& hint) const
{
    const std::string spot = fmt::format("{}:{}:{}", where_, place.line, place.column);
    return {.code = ErrorCode::badInput, .message = fmt::format("{}: {}.", spot, what), .hint = hint, .where = spot};
}

Error placeError(std::string_view text, std::string_view where, const std::string& path, Error error)
{
    if (const std::optional<TextPosition> place = JsonPositions(text).at(path)) {
        error.where = fmt::format("{}:{}:{}", where, place->line, place->column);
        error.message = fmt::format("{}: {}: {}", error.where, path, error.message);
    }
    return error;
}

} // namespace kl::inline kernels
