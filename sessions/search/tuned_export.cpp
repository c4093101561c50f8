// SPDX-License-Identifier: MIT
#include "sessions/search/tuned_export.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/stats/ratio_text.h"
#include "kernels/family_point.h"
#include "sessions/search/candidate_space.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

namespace kl::inline search {
namespace {

/// What a formula of a descriptor may call, as C++.
constexpr const char* kFunctions = R"(namespace formula {
constexpr double floor(double x) { return static_cast<double>(static_cast<long long>(x)) > x ? static_cast<double>(static_cast<long long>(x) - 1) : static_cast<double>(static_cast<long long>(x)); }
constexpr double ceil(double x) { return -floor(-x); }
constexpr double mod(double a, double b) { return a - b * floor(a / b); }
constexpr double ceildiv(double a, double b) { return ceil(a / b); }
constexpr double min(double a, double b) { return b < a ? b : a; }
constexpr double max(double a, double b) { return a < b ? b : a; }
}
)";

/// In lower case: macros of the same name are set when the kernel is compiled.
std::string makeIdentifier(const std::string& name)
{
    static const std::set<std::string> words{"auto",   "bool",   "break", "case",  "char",  "class",  "const", "default", "do",
                                             "double", "else",   "enum",  "float", "for",   "goto",   "if",    "inline",  "int",
                                             "long",   "new",    "not",   "or",    "and",   "return", "short", "signed",  "static",
                                             "struct", "switch", "this",  "try",   "union", "using",  "void",  "while",   "xor"};
    std::string lower;
    for (const unsigned char c : name)
        lower += std::isalnum(c) ? static_cast<char>(std::tolower(c)) : '_';
    return words.contains(lower) ? lower + '_' : lower;
}

/// A formula in C++ over the header's names; empty where it uses what the header does not have.
std::string inCpp(const std::string& formula, const std::map<std::string, std::string>& names)
{
    static const std::set<std::string> functions{"floor", "ceil", "mod", "ceildiv", "min", "max"};
    if (formula.find('^') != std::string::npos) // a power there
        return {};
    std::string text;
    for (std::size_t at = 0; at < formula.size();) {
        const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
        std::size_t end = at;
        while (end < formula.size() && isWord(formula[end]))
            ++end;
        if (end == at) {
            text += formula[at++];
            continue;
        }
        const std::string word = formula.substr(at, end - at);
        at = end;
        if (std::isdigit(static_cast<unsigned char>(word.front())))
            text += word.find('.') == std::string::npos ? word + ".0" : word; // divided as the descriptor does
        else if (const auto name = names.find(word); name != names.end())
            text += name->second;
        else if (functions.contains(word))
            text += "formula::" + word;
        else
            return {};
    }
    return text;
}

std::string formatOptions(const FamilyPoint& point)
{
    std::string options;
    for (const auto& [name, value] : point.defs)
        options += fmt::format("{}-D{}={:.0f}", options.empty() ? "" : " ", name, value);
    return options;
}

struct TunedPointOf {
    Params tunables;
    FamilyPoint point;
};

Result<TunedPointOf> pointIn(const KernelFamily& family, const Variant& variant, const SearchRecord& record)
{
    KL_ASSIGN(Params tunables, parseParams(record.best->tunables));
    KL_ASSIGN(const Params problem, parseParams(record.problem));
    KL_ASSIGN(FamilyPoint point, makeFamilyPoint(family, variant, tunables, problem));
    return TunedPointOf{std::move(tunables), std::move(point)};
}

/// Comment lines: what it is, and how it was found.
std::string provenance(const SearchRecord& record)
{
    const SearchBest& best = *record.best;
    std::string text = fmt::format(
        "// {}: the fastest point that KernelLoop found and verified. Generated; search again instead of editing.\n", record.kernel);
    text += fmt::format("//   point    {}\n//   problem  {}\n//   device   {} ({}), driver {}\n", best.tunables, record.problem,
                        record.device, record.arch, record.driver);
    text += fmt::format("//   time     {}", formatTime(best.ns));
    if (best.joules)
        text += fmt::format(", {} per launch", formatEnergy(*best.joules));
    if (best.overDefault)
        text += fmt::format("; speedup over the default {}", ratioText(*best.overDefault));
    if (best.confirmed && best.confirmed->verdict != TargetVerdict::noRival)
        text += fmt::format("; over {} {}", best.confirmed->rival, ratioText(best.confirmed->student));
    return text + fmt::format("\n//   source   {}\n//   search   {} of {}, {}: {} points measured\n", record.sourceHash, record.id,
                              record.startedAt, record.strategy, record.trials.size());
}

std::string assertions(const KernelFamily& family, const Variant& variant, const std::map<std::string, std::string>& names)
{
    std::string text;
    const std::string kernel = family.id + '/' + variant.id;
    for (const Tunable& tunable : family.tunables) {
        if (std::ranges::find(variant.tunables, tunable.name) == variant.tunables.end())
            continue;
        std::vector<std::string> allowed, words;
        for (std::size_t i = 0; i < tunable.values.size(); ++i) {
            const bool isNumber = std::holds_alternative<std::int64_t>(tunable.values[i]);
            allowed.push_back(
                fmt::format("{} == {}", names.at(tunable.name), isNumber ? formatParamValue(tunable.values[i]) : std::to_string(i)));
            words.push_back(formatParamValue(tunable.values[i]));
        }
        text += fmt::format("static_assert({}, \"{} of {} is one of {}\");\n", fmt::join(allowed, " || "), tunable.name, kernel,
                            fmt::join(words, ", "));
    }
    for (const std::vector<std::string>* formulas : {&family.constraints, &variant.constraints})
        for (const std::string& formula : *formulas)
            if (const std::string cpp = inCpp(formula, names); !cpp.empty())
                text += fmt::format("static_assert({}, \"{} requires {}\");\n", cpp, kernel, formula);
    return text;
}

} // namespace

Result<std::string> makeTunedHeader(const KernelFamily& family, const Variant& variant, const FoundBest& best)
{
    const SearchRecord& record = best.record;
    if (!best.stale.empty())
        return Error{.code = ErrorCode::refused,
                     .message = best.stale + " Its best point is not exported as a header.",
                     .hint = "Search again, or export it as JSON, which says that it is stale.",
                     .where = record.kernel};
    KL_ASSIGN(const TunedPointOf tuned, pointIn(family, variant, record));
    std::map<std::string, std::string> names;
    std::string members;
    for (const auto& [name, value] : tuned.point.defs) {
        names[name] = "tunables::" + makeIdentifier(name);
        members += fmt::format("    static constexpr int {} = {:.0f};", makeIdentifier(name), value);
        if (const auto word = tuned.tunables.find(name); word != tuned.tunables.end() && std::holds_alternative<std::string>(word->second))
            members += fmt::format(" // {}", std::get<std::string>(word->second));
        members += '\n';
    }
    std::string sizes;
    for (const auto& [name, value] : tuned.point.sizes)
        if (const auto* number = std::get_if<std::int64_t>(&value)) {
            names[name] = "problem::" + makeIdentifier(name);
            sizes += fmt::format("    static constexpr long long {} = {};\n", makeIdentifier(name), *number);
        }
    return provenance(record) +
           fmt::format("#pragma once\n\nnamespace kernelloop::tuned::{}_{} {{\n\n", makeIdentifier(family.id), makeIdentifier(variant.id)) +
           fmt::format("inline constexpr char kernel[] = \"{}\";\ninline constexpr char source_hash[] = \"{}\";\n", record.best->kernel,
                       record.sourceHash) +
           fmt::format("inline constexpr char device[] = \"{}\";\ninline constexpr char arch[] = \"{}\";\n", record.device, record.arch) +
           fmt::format("inline constexpr char compiler_options[] = \"{}\";\n\n", formatOptions(tuned.point)) +
           fmt::format("struct tunables {{\n{}}};\n\nstruct problem {{\n{}}};\n\n", members, sizes) + kFunctions + '\n' +
           assertions(family, variant, names) + fmt::format("\n}}\n");
}

Result<Json> makeTunedJson(const KernelFamily& family, const Variant& variant, const FoundBest& best)
{
    const SearchRecord& record = best.record;
    const SearchBest& point = *record.best;
    Json json{{"schema", "kernelloop.search-best/1"}, {"kernel", point.kernel}, {"point", Json::object()}};
    KL_ASSIGN(const Params tunables, parseParams(point.tunables));
    for (const auto& [name, value] : tunables)
        std::visit([&json, &name = name](const auto& held) { json["point"][name] = held; }, value);
    const Result<TunedPointOf> tuned = pointIn(family, variant, record); // a stale one may no longer be a point
    json["compiler_options"] = tuned ? Json(formatOptions(tuned->point)) : Json(nullptr);
    json["problem"] = record.problem;
    json["device"] = record.device;
    json["arch"] = record.arch;
    json["driver"] = record.driver;
    json["objective"] = record.objective;
    json["gpu_ns"] = point.ns;
    json["energy_per_launch_j"] = point.joules ? Json(*point.joules) : Json(nullptr);
    json["over_default"] = point.overDefault ? Json(point.overDefault->value) : Json(nullptr);
    json["rival"] = nullptr;
    if (point.confirmed && point.confirmed->verdict != TargetVerdict::noRival)
        json["rival"] = {{"name", point.confirmed->rival},
                         {"version", point.confirmed->version},
                         {"ratio", point.confirmed->student.value},
                         {"low", std::min(point.confirmed->student.low, point.confirmed->bootstrap.low)},
                         {"high", std::max(point.confirmed->student.high, point.confirmed->bootstrap.high)}};
    json["finding"] = point.finding.empty() ? Json(nullptr) : Json(point.finding);
    json["run"] = point.run;
    json["source_hash"] = record.sourceHash;
    json["stale"] = best.stale.empty() ? Json(nullptr) : Json(best.stale);
    json["search"] = {{"id", record.id},     {"started_at", record.startedAt},   {"strategy", record.strategy},
                      {"seed", record.seed}, {"measured", record.trials.size()}, {"left", record.left}};
    return json;
}

} // namespace kl::inline search
