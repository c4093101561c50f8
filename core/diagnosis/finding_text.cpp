// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/diagnosis/tree_data.h"

namespace kl::inline diagnosis {
namespace {

/// Calls `replace` for each {word} of the text and puts its answer in the place.
template <class F> std::string eachPlaceholder(const std::string& text, F replace)
{
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t open = text.find('{', at);
        const std::size_t close = open == std::string::npos ? open : text.find('}', open);
        if (close == std::string::npos)
            break;
        out.append(text, at, open - at);
        out += replace(text.substr(open + 1, close - open - 1));
        at = close + 1;
    }
    return out.append(text, at);
}

} // namespace

const char* toString(Sense sense) noexcept
{
    switch (sense) {
    case Sense::less: return "<";
    case Sense::lessEqual: return "<=";
    case Sense::greater: return ">";
    case Sense::greaterEqual: return ">=";
    }
    return "";
}

Sense opposite(Sense sense) noexcept
{
    switch (sense) {
    case Sense::less: return Sense::greaterEqual;
    case Sense::lessEqual: return Sense::greater;
    case Sense::greater: return Sense::lessEqual;
    case Sense::greaterEqual: return Sense::less;
    }
    return sense;
}

bool holds(double value, Sense sense, double threshold) noexcept
{
    switch (sense) {
    case Sense::less: return value < threshold;
    case Sense::lessEqual: return value <= threshold;
    case Sense::greater: return value > threshold;
    case Sense::greaterEqual: return value >= threshold;
    }
    return false;
}

std::string fillTemplate(const std::string& text, const RunFacts& facts)
{
    return eachPlaceholder(text, [&](const std::string& id) -> std::string {
        if (const auto words = factInWords(id, facts))
            return *words;
        const Quantity* quantity = findQuantity(id);
        const Value value = quantity ? quantity->compute(facts) : std::nullopt;
        return value ? formatWithUnit(*value, quantity->unit) : kNoValue;
    });
}

std::string unknownPlaceholder(const std::string& text)
{
    std::string unknown;
    eachPlaceholder(text, [&](const std::string& id) {
        if (unknown.empty() && !findQuantity(id) && !isFactInWords(id))
            unknown = id;
        return std::string();
    });
    return unknown;
}

} // namespace kl::inline diagnosis
