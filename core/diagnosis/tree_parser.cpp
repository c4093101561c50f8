// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/nearest.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "core/codec/json_positions.h"
#include "core/diagnosis/classes.h"
#include "core/diagnosis/tree_data.h"
#include "core/diagnosis/tree_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace kl::inline diagnosis {
namespace {

/// What is wrong, in which field, and what to do; the node's id is added on the way out.
struct Wrong : std::runtime_error {
    Wrong(std::string inField, const std::string& problem, std::string whatToDo = "Fix that node and field.",
          std::vector<NextStep> steps = {})
        : std::runtime_error(problem), field(std::move(inField)), hint(std::move(whatToDo)), next(std::move(steps))
    {
    }
    std::string field;
    std::string hint;
    std::vector<NextStep> next;
};

/// A name that is none of the registry's: `names` are those that it might have been.
Wrong unknown(const std::string& path, const std::string& problem, const std::string& name, const std::vector<std::string>& names)
{
    const std::vector<std::string> near = nearestNames(name, names, 1);
    return {path,
            problem,
            near.empty() ? std::string("Use one of the names that a tree may have.") : fmt::format("Did you mean \"{}\"? ", near.front()),
            {{StepId::treeNames}}};
}

const Json& need(const Json& json, const std::string& field, const std::string& path)
{
    const auto found = json.is_object() ? json.find(field) : json.end();
    if (!json.is_object() || found == json.end())
        throw Wrong(path, "is missing");
    return *found;
}

template <class T> T readTyped(const Json& json, const std::string& path, const char* expected)
{
    try {
        return json.get<T>();
    } catch (const nlohmann::json::exception&) {
        throw Wrong(path, fmt::format("should be {}", expected));
    }
}

std::string text(const Json& json, const std::string& field, const std::string& path)
{
    std::string value = readTyped<std::string>(need(json, field, path), path, "a text");
    if (value.empty())
        throw Wrong(path, "is empty");
    return value;
}

double number(const Json& json, const std::string& field, const std::string& path)
{
    return readTyped<double>(need(json, field, path), path, "a number");
}

bool flag(const Json& json, const char* field, const std::string& path)
{
    const auto found = json.find(field);
    return found != json.end() && readTyped<bool>(*found, path.empty() ? field : path + '.' + field, "true or false");
}

const Json& list(const Json& json, const char* field)
{
    const Json& found = need(json, field, field);
    if (!found.is_array())
        throw Wrong(field, "should be a list");
    return found;
}

/// Braces must match: otherwise the name of a figure would be shown instead of its value.
bool bracesMatch(const std::string& text)
{
    bool open = false;
    for (const char c : text) {
        if ((c == '{' && open) || (c == '}' && !open))
            return false;
        if (c == '{' || c == '}')
            open = !open;
    }
    return !open;
}

std::string sentence(const Json& json, const std::string& path)
{
    std::string value = text(json, "finding", path);
    if (!bracesMatch(value))
        throw Wrong(path, "has an unmatched brace: write a figure as {quantity}");
    if (const std::string name = unknownPlaceholder(value); !name.empty()) {
        std::vector<std::string> names = quantityIds();
        std::ranges::copy(factIds(), std::back_inserter(names));
        throw unknown(path, fmt::format("names the unknown quantity \"{}\"", name), name, names);
    }
    return value;
}

Sense senseFrom(const std::string& word, const std::string& path)
{
    for (const Sense sense : {Sense::less, Sense::lessEqual, Sense::greater, Sense::greaterEqual})
        if (word == toString(sense))
            return sense;
    throw Wrong(path, fmt::format("\"{}\" is not one of <, <=, >, >=", word));
}

/// ["excess_sectors_percent", ">=", 20]
Condition condition(const Json& json, const std::string& path)
{
    if (!json.is_array() || json.size() != 3)
        throw Wrong(path, "should be [quantity, sense, threshold]");
    const auto id = readTyped<std::string>(json[0], path + "[0]", "a quantity's id");
    Condition out;
    out.quantity = findQuantity(id);
    if (!out.quantity)
        throw unknown(path, fmt::format("names the unknown quantity \"{}\"", id), id, quantityIds());
    out.sense = senseFrom(readTyped<std::string>(json[1], path + "[1]", "a sense"), path);
    out.threshold = readTyped<double>(json[2], path + "[2]", "a number");
    return out;
}

std::vector<Condition> conditions(const Json& json, const char* field, const std::string& path)
{
    const auto list = json.find(field);
    if (list == json.end())
        return {};
    if (!list->is_array())
        throw Wrong(fmt::format("{}.{}", path, field), "should be a list");
    std::vector<Condition> out;
    for (std::size_t i = 0; i < list->size(); ++i)
        out.push_back(condition((*list)[i], fmt::format("{}.{}[{}]", path, field, i)));
    return out;
}

double confidence(const Json& json, const std::string& path)
{
    const double value = number(json, "confidence", path);
    if (!(value > 0) || value > 1)
        throw Wrong(path, "should be in (0, 1]");
    return value;
}

Alternative alternative(const Json& json, const std::string& path)
{
    Alternative out;
    need(json, "all", path + ".all");
    out.conditions = conditions(json, "all", path);
    out.unless = conditions(json, "unless", path);
    out.inferred = flag(json, "inferred", path);
    out.always = flag(json, "always", path);
    out.secondaryOnly = flag(json, "secondary_only", path);
    if (json.contains("finding"))
        out.finding = sentence(json, path + ".finding");
    if (json.contains("confidence"))
        out.confidence = confidence(json, path + ".confidence");
    return out;
}

/// "waves < 1", "not throttled".
std::string inWords(const Condition& one)
{
    const std::string_view flag = flagInWords(*one.quantity, toString(one.sense));
    return flag.empty()
               ? fmt::format("{} {} {}", one.quantity->title, toString(one.sense), formatWithUnit(one.threshold, one.quantity->unit))
               : std::string(flag);
}

/// "waves < 1 and busiest unit < 60 %".
std::string inWords(const std::vector<Condition>& conditions, const char* joint)
{
    std::string words;
    for (const Condition& one : conditions)
        words += (words.empty() ? "" : joint) + inWords(one);
    return words;
}

std::string inWords(const Alternative& way)
{
    std::string words = way.conditions.empty() ? "otherwise" : inWords(way.conditions, " and ");
    if (!way.unless.empty())
        words += ", unless " + inWords(way.unless, " or ");
    return words + (way.inferred ? " (without counters)" : way.secondaryOnly ? " (as a secondary finding)" : "");
}

GenericFix fix(const Json& json, const std::string& path)
{
    GenericFix out;
    out.id = text(json, "id", path + ".id");
    out.title = text(json, "title", path + ".title");
    out.why = text(json, "why", path + ".why");
    out.confidence = confidence(json, path + ".confidence");
    if (json.contains("pattern"))
        out.pattern = text(json, "pattern", path + ".pattern");
    out.when = conditions(json, "when", path);
    out.isChange = !flag(json, "leaves_the_kernel", path);
    return out;
}

TreeNode node(const Json& json)
{
    TreeNode out;
    out.shown.title = text(json, "title", "title");
    out.shown.classId = text(json, "class", "class");
    if (!isClass(out.shown.classId))
        throw unknown("class", fmt::format("\"{}\" is not a class of the tree", out.shown.classId), out.shown.classId,
                      {kClasses.begin(), kClasses.end()});
    out.shown.help = text(json, "help", "help");
    out.finding = sentence(json, "finding");
    const double priority = number(json, "priority", "priority");
    if (priority != 0 && priority != 1 && priority != 2 && priority != 3)
        throw Wrong("priority", "should be 0, 1, 2 or 3");
    out.priority = static_cast<int>(priority);
    out.confidence = confidence(json, "confidence");
    out.asSecondary = !flag(json, "never_secondary", "");
    if (json.contains("estimate")) {
        const std::string id = text(json, "estimate", "estimate");
        out.estimate = findEstimate(id);
        if (!out.estimate)
            throw unknown("estimate", fmt::format("names the unknown formula \"{}\"", id), id, estimateIds());
    }
    const Json& any = list(json, "any");
    if (any.empty())
        throw Wrong("any", "should be a list with at least one alternative");
    for (std::size_t i = 0; i < any.size(); ++i)
        out.alternatives.push_back(alternative(any[i], fmt::format("any[{}]", i)));
    for (const Alternative& way : out.alternatives)
        out.shown.asks.push_back(inWords(way));
    const Json& fixes = list(json, "fixes");
    for (std::size_t i = 0; i < fixes.size(); ++i) {
        GenericFix one = fix(fixes[i], fmt::format("fixes[{}]", i));
        if (std::ranges::find(out.fixes, one.id, &GenericFix::id) != out.fixes.end())
            throw Wrong(fmt::format("fixes[{}].id", i), "is used twice");
        out.fixes.push_back(std::move(one));
    }
    return out;
}

/// Fields that an object of the tree may have: another one is a slip of the pen.
void rejectUnknownKeys(const Json& json, std::initializer_list<std::string_view> known, const std::string& path)
{
    for (const auto& [name, value] : json.items())
        if (std::find(known.begin(), known.end(), name) == known.end() && !name.starts_with('_'))
            throw Wrong(path.empty() ? name : path + '.' + name,
                        fmt::format("is not a field of a tree here (known: {})", fmt::join(known, ", ")));
}

void checkFields(const Json& json)
{
    rejectUnknownKeys(
        json, {"id", "title", "class", "help", "finding", "priority", "confidence", "estimate", "never_secondary", "any", "fixes"}, {});
    for (std::size_t i = 0; i < json.at("any").size(); ++i)
        rejectUnknownKeys(json["any"][i], {"all", "unless", "inferred", "always", "secondary_only", "finding", "confidence"},
                          fmt::format("any[{}]", i));
    for (std::size_t i = 0; i < json.at("fixes").size(); ++i)
        rejectUnknownKeys(json["fixes"][i], {"id", "title", "pattern", "confidence", "why", "when", "leaves_the_kernel"},
                          fmt::format("fixes[{}]", i));
}

bool takesEveryRun(const Alternative& way)
{
    return way.conditions.empty() && way.unless.empty() && !way.secondaryOnly;
}

/// Every run gets a class, by the last way of all and by no earlier one, after which nothing would be tested.
void checkEnds(const std::vector<TreeNode>& nodes, bool last)
{
    const std::vector<Alternative>& ways = nodes.back().alternatives;
    if (last && !takesEveryRun(ways.back()))
        throw Wrong("any", "of the last node must end with an alternative without conditions, so that every run gets a class");
    for (std::size_t i = 0; i + (last ? 1 : 0) < ways.size(); ++i)
        if (takesEveryRun(ways[i]))
            throw Wrong(fmt::format("any[{}].all", i), "is empty, which matches every run: later alternatives would never be tested");
}

} // namespace

Result<std::vector<TreeNode>> parseTree(std::string_view input, std::string_view where, Duplicates duplicates)
{
    KL_ASSIGN(const auto json, parseJson(input, where));
    const auto wrongAt = [&](const std::string& path, const std::string& problem, std::string hint, std::string inWhat) {
        const TextPosition place = JsonPositions(input).of(path);
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{}:{}:{}: {}.", where, place.line, place.column, problem),
                     .hint = std::move(hint),
                     .where = std::move(inWhat)};
    };
    if (duplicates == Duplicates::rejected)
        if (const std::vector<std::string> twice = JsonPositions(input).duplicates(); !twice.empty())
            return wrongAt(twice.front(), twice.front() + " appears twice", "Keep one of the two.", twice.front());
    constexpr const char* kNoNode = "(tree)";
    std::vector<TreeNode> nodes;
    std::string id = kNoNode;
    std::size_t at = 0;
    const auto wrong = [&](const std::string& field, const std::string& problem, std::string hint) {
        return wrongAt(id == kNoNode ? field : fmt::format("nodes[{}].{}", at, field), fmt::format("node {}: {} {}", id, field, problem),
                       std::move(hint), fmt::format("{}.{}", id, field));
    };
    try {
        const Json& items = list(json, "nodes");
        rejectUnknownKeys(json, {"schema", "nodes"}, {});
        if (json.contains("schema") && json.at("schema") != 1)
            throw Wrong("schema", "is not 1, the version that this program reads");
        if (items.empty())
            throw Wrong("nodes", "should be a list with at least one node");
        std::set<std::string> seen;
        for (at = 0; at < items.size(); ++at) {
            id = fmt::format("[{}]", at);
            id = text(items[at], "id", "id");
            if (!seen.insert(id).second)
                throw Wrong("id", "is used twice");
            nodes.push_back(node(items[at]));
            checkFields(items[at]);
            nodes.back().shown.id = id;
            checkEnds(nodes, at + 1 == items.size());
        }
    } catch (const Wrong& problem) {
        Error error = wrong(problem.field, problem.what(), problem.hint);
        error.next = problem.next;
        return error;
    } catch (const std::exception& problem) {
        return wrong("(data)", problem.what(), "Check the file against the program's own tree.").leadTo({StepId::treeText});
    }
    return nodes;
}

} // namespace kl::inline diagnosis
