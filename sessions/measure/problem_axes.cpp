// SPDX-License-Identifier: MIT
#include "sessions/measure/problem_axes.h"

#include "core/base/trimmed.h"
#include "core/base/try.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>

namespace kl::inline measure {
namespace {

struct Axis {
    std::string name;
    std::vector<ParamValue> values; ///< empty: as another axis
    std::string like;
};

Error wrong(std::string_view axis, const std::string& problem)
{
    return Error{.code = ErrorCode::usage,
                 .message = fmt::format("\"{}\" is not an axis of a sweep: {}.", axis, problem),
                 .hint = "Write NAME=4096, NAME=[256,512], NAME=1024..16384 x2, NAME=256..1024 +256, or NAME=OTHER, separated by commas.",
                 .where = "--problem"};
}

std::optional<std::int64_t> number(std::string_view text)
{
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && rest == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

ParamValue parseAxisValue(std::string_view text)
{
    const std::optional<std::int64_t> whole = number(text);
    return whole ? ParamValue(*whole) : ParamValue(std::string(text));
}

/// At commas outside of brackets.
std::vector<std::string_view> split(std::string_view text)
{
    std::vector<std::string_view> parts;
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == ',' && depth == 0)) {
            parts.push_back(trimText(text.substr(from, i - from)));
            from = i + 1;
        } else {
            depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        }
    }
    return parts;
}

/// "1024..16384 x2": the values, or what is wrong.
Result<std::vector<ParamValue>> range(std::string_view axis, std::string_view text)
{
    const std::size_t dots = text.find("..");
    std::string_view to = text.substr(dots + 2), step = "x2";
    if (const std::size_t blank = to.find_first_of(" x+"); blank != std::string_view::npos) {
        step = trimText(to.substr(blank));
        to = to.substr(0, blank);
    }
    const std::optional<std::int64_t> first = number(trimText(text.substr(0, dots))), last = number(trimText(to));
    const std::optional<std::int64_t> by = step.size() > 1 ? number(trimText(step.substr(1))) : std::nullopt;
    const bool times = step.starts_with('x');
    if (!first || !last || *first < 1 || *last < *first)
        return wrong(axis, "a range is FROM..TO, two whole numbers above 0, the smaller one first");
    if (!by || (!times && !step.starts_with('+')) || *by < (times ? 2 : 1))
        return wrong(axis, "a step is xN, N at least 2, or +N, N at least 1");
    std::vector<ParamValue> values;
    for (std::int64_t at = *first; at <= *last; at = times ? at * *by : at + *by) {
        values.emplace_back(at);
        if (values.size() > kMostSwept)
            return wrong(axis, fmt::format("it has more than {} values", kMostSwept));
        if (at > std::numeric_limits<std::int64_t>::max() / (times ? *by : 2) - (times ? 0 : *by))
            break;
    }
    return values;
}

Result<Axis> parseAxis(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
        return wrong(text, "it has no NAME=VALUE");
    Axis axis{std::string(trimText(text.substr(0, equals))), {}, {}};
    const std::string_view value = trimText(text.substr(equals + 1));
    if (value.starts_with('[')) {
        if (!value.ends_with(']'))
            return wrong(text, "a list ends with ]");
        for (const std::string_view one : split(value.substr(1, value.size() - 2))) {
            if (one.empty())
                return wrong(text, "a value of the list is missing");
            axis.values.push_back(parseAxisValue(one));
        }
    } else if (value.find("..") != std::string_view::npos) {
        KL_ASSIGN(axis.values, range(text, value));
    } else {
        axis.values.push_back(parseAxisValue(value));
    }
    return axis;
}

} // namespace

Result<std::vector<Params>> parseAxes(std::string_view text)
{
    std::vector<Axis> axes;
    for (const std::string_view part : split(text)) {
        KL_ASSIGN(Axis axis, parseAxis(part));
        if (std::ranges::find(axes, axis.name, &Axis::name) != axes.end())
            return wrong(part, fmt::format("{} is given twice", axis.name));
        axes.push_back(std::move(axis));
    }
    for (Axis& axis : axes) // "N=M"
        if (const auto* name = axis.values.size() == 1 ? std::get_if<std::string>(&axis.values.front()) : nullptr;
            name && std::ranges::find(axes, *name, &Axis::name) != axes.end()) {
            axis.like = *name;
            axis.values.clear();
        }
    std::vector<Params> problems{Params{}};
    for (const Axis& axis : axes) {
        if (!axis.like.empty())
            continue;
        std::vector<Params> longer;
        for (const Params& problem : problems)
            for (const ParamValue& value : axis.values) {
                longer.push_back(problem);
                longer.back()[axis.name] = value;
            }
        problems = std::move(longer);
        if (problems.size() > kMostSwept)
            return Error{.code = ErrorCode::usage,
                         .message = fmt::format("A sweep has at most {} problems.", kMostSwept),
                         .hint = "Use fewer values, or link axes: N=M.",
                         .where = "--problem"};
    }
    for (Params& problem : problems)
        for (const Axis& axis : axes)
            if (!axis.like.empty()) {
                const auto found = problem.find(axis.like);
                if (found == problem.end())
                    return wrong(fmt::format("{}={}", axis.name, axis.like), "the other axis must have values of its own");
                problem[axis.name] = ParamValue(found->second);
            }
    return problems;
}

} // namespace kl::inline measure
