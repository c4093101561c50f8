// SPDX-License-Identifier: MIT
#include "sessions/search/recorded_file.h"

#include "core/base/try.h"
#include "core/codec/json_read.h"
#include "sessions/search/gzip_file.h"
#include "sessions/search/recorded_listing.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace kl::inline search {
namespace {

// A file of 120,000 configurations has 200 MB and 6 million values; a value in memory takes up to 100 bytes. So what a small compressed
// file can take is about 2 GB.
constexpr std::uint64_t kMostBytes = 384ULL << 20U; ///< of a recorded space, decompressed
constexpr std::size_t kMostValues = 12'000'000;     ///< of its JSON or CSV
constexpr double kMostSeconds = 1e9;                ///< that a point may have taken: sums of costs stay numbers

Error badRecord(const std::string& file, std::string message)
{
    return {.code = ErrorCode::badInput,
            .message = std::move(message),
            .hint = "Use a T4 file, a cache file of Kernel Tuner, or CSV in a file whose name ends in .csv.",
            .where = file};
}

using Listing = RecordedListing;
using Entry = RecordedListing::Entry;

std::string jsonText(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump();
}

double sumField(const Json& object, const char* field)
{
    double sum = 0;
    if (const auto list = object.find(field); list != object.end() && list->is_array())
        for (const Json& each : *list)
            sum += each.is_number() ? each.get<double>() : 0;
    return sum;
}

void setValue(Entry& entry, const Json& value)
{
    if (value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() > 0)
        entry.value = value.get<double>();
    else
        entry.failure = value.is_string() ? value.get<std::string>() : kNoTime;
}

/// Seconds of one of a T4 file's time units; its own files spell it "miliseconds".
std::optional<double> parseUnitSeconds(const std::string& unit)
{
    static const std::map<std::string, double> units = {
        {"", 1e-3}, {"miliseconds", 1e-3},  {"milliseconds", 1e-3}, {"ms", 1e-3},          {"seconds", 1},
        {"s", 1},   {"microseconds", 1e-6}, {"us", 1e-6},           {"nanoseconds", 1e-9}, {"ns", 1e-9}};
    const auto found = units.find(unit);
    return found == units.end() ? std::nullopt : std::optional(found->second);
}

/// Of an objective that is not a time: more of it may be better, and it is not in milliseconds.
Error noTimeObjective(const std::string& file, const std::string& objective)
{
    return badRecord(file, fmt::format("The file's objective is {:?}, which is not known as a time; only times are replayed.", objective));
}

bool isNamedTime(const std::string& objective)
{
    return objective.find("time") != std::string::npos;
}

Result<Listing> listT4(const Json& json, const std::string& file)
{
    const std::string unit = json.contains("metadata") ? textAt(json["metadata"], "timeunit") : std::string();
    const std::optional<double> seconds = parseUnitSeconds(unit);
    if (!seconds)
        return badRecord(file, fmt::format("Times in {:?} are not known.", unit));
    Listing listing;
    for (const Json& result : json["results"]) {
        if (!result.is_object() || !result.contains("configuration") || !result["configuration"].is_object())
            return badRecord(file, fmt::format("Result {} has no configuration.", listing.entries.size() + 1));
        Entry entry;
        std::vector<std::string> names;
        for (const auto& [name, value] : result["configuration"].items()) {
            names.push_back(name);
            entry.values.push_back(jsonText(value));
        }
        if (listing.entries.empty())
            listing.names = names;
        if (names != listing.names)
            return badRecord(file, fmt::format("Result {} has other tunables than the first.", listing.entries.size() + 1));
        const std::string objective = result.contains("objectives") && result["objectives"].is_array() && !result["objectives"].empty()
                                          ? jsonText(result["objectives"].front())
                                          : "time";
        Json value;
        if (result.contains("measurements") && result["measurements"].is_array())
            for (const Json& measurement : result["measurements"])
                if (textAt(measurement, "name") == objective && measurement.contains("value")) {
                    const std::optional<double> ofUnit = parseUnitSeconds(textAt(measurement, "unit"));
                    if (!ofUnit || (textAt(measurement, "unit").empty() && !isNamedTime(objective)))
                        return noTimeObjective(file, objective);
                    value = measurement["value"];
                    if (value.is_number() && *ofUnit != 1e-3)
                        value = value.get<double>() * (*ofUnit / 1e-3);
                }
        if (const std::string invalid = textAt(result, "invalidity"); !invalid.empty() && invalid != "correct")
            value = invalid;
        setValue(entry, value);
        if (result.contains("times"))
            entry.cost =
                *seconds * (numberAt(result["times"], "compilation").value_or(0) + numberAt(result["times"], "framework").value_or(0) +
                            numberAt(result["times"], "benchmark").value_or(sumField(result["times"], "runtimes")));
        listing.entries.push_back(std::move(entry));
    }
    return listing;
}

Result<Listing> listCache(const Json& json, const std::string& file)
{
    Listing listing;
    if (json.contains("tune_params_keys") && json["tune_params_keys"].is_array())
        for (const Json& name : json["tune_params_keys"])
            listing.names.push_back(jsonText(name));
    if (listing.names.empty())
        return badRecord(file, "The cache file does not name its tunables (tune_params_keys).");
    std::string objective = textAt(json, "objective");
    if (objective.empty())
        objective = "time";
    if (!isNamedTime(objective))
        return noTimeObjective(file, objective);
    for (const auto& [key, result] : json["cache"].items()) {
        Entry entry;
        for (const std::string& name : listing.names) {
            if (!result.is_object() || !result.contains(name))
                return badRecord(file, fmt::format("Configuration {} has no {}.", key, name));
            entry.values.push_back(jsonText(result[name]));
        }
        setValue(entry, result.contains(objective) ? result[objective] : Json());
        entry.cost = 1e-3 * (numberAt(result, "compile_time").value_or(0) + numberAt(result, "framework_time").value_or(0) +
                             numberAt(result, "benchmark_time").value_or(sumField(result, "times")));
        listing.entries.push_back(std::move(entry));
    }
    return listing;
}

Result<RecordedSpace> makeSpaceFromListing(const Listing& listing, const std::string& name)
{
    if (listing.entries.empty())
        return badRecord(name, "The file has no configurations.");
    std::vector<std::vector<std::string>> rows;
    for (const Entry& entry : listing.entries)
        rows.push_back(entry.values);
    Result<TuningSpace> space = TuningSpace::fromTexts(listing.names, rows);
    if (!space) {
        Error unfit = space.error();
        unfit.message = name + ": " + unfit.message;
        unfit.where = name;
        return unfit;
    }
    RecordedSpace recorded{name, *std::move(space), {}, {}, {}};
    bool any = false;
    for (const Entry& entry : listing.entries) {
        if (!(entry.cost >= 0 && entry.cost <= kMostSeconds))
            return badRecord(name, fmt::format("The file says that measuring {} took {:g} s.",
                                               recorded.space.text(static_cast<PointIndex>(recorded.costs.size())), entry.cost));
        any = any || entry.value;
        recorded.values.push_back(entry.value);
        recorded.failures.push_back(entry.failure);
        recorded.costs.push_back(entry.cost);
    }
    if (!any)
        return badRecord(name, "No configuration of the file has a time.");
    return recorded;
}

/// At most so many values does a text have as JSON or CSV: separators and brackets, those inside strings included.
std::size_t mostValuesIn(std::string_view text)
{
    return 1 + static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c == ',' || c == '[' || c == '{' || c == '\n'; }));
}

bool isCsv(std::string_view name)
{
    return name.ends_with(".csv") || name.ends_with(".csv.gz");
}

/// A cache file as Kernel Tuner leaves it when a search does not end: without the closing braces, after a comma.
std::string closeBraces(std::string_view text)
{
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    if (last == std::string_view::npos || text[last] != ',')
        return {};
    return std::string(text.substr(0, last)) + "}}";
}

/// With null for what Python writes of numbers that JSON does not have: NaN, Infinity, -Infinity. Empty where there is none.
std::string withoutNaN(std::string_view text)
{
    std::string changed;
    std::size_t copied = 0;
    bool quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (quoted && text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            quoted = !quoted;
        else if (!quoted && (text[at] == 'N' || text[at] == 'I' || text[at] == '-'))
            for (const std::string_view word : {"NaN", "Infinity", "-Infinity"})
                if (text.substr(at).starts_with(word)) {
                    changed.append(text.substr(copied, at - copied)).append("null");
                    at += word.size() - 1;
                    copied = at + 1;
                    break;
                }
    }
    return copied == 0 ? std::string() : changed.append(text.substr(copied));
}

} // namespace

Result<RecordedSpace> parseRecordedSpace(std::string_view text, const std::string& name)
{
    if (const std::size_t values = mostValuesIn(text); values > kMostValues)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} holds about {} values; at most {} are read.", name, values, kMostValues),
                     .hint = "Check that it is a recorded space; write a larger one as several files.",
                     .where = name};
    if (isCsv(name)) {
        KL_ASSIGN(const Listing listing, listCsv(text, name));
        return makeSpaceFromListing(listing, name);
    }
    const std::string whole = closeBraces(text);
    if (!whole.empty())
        text = whole;
    const std::string finite = withoutNaN(text);
    KL_ASSIGN(const Json json, parseJson(finite.empty() ? text : std::string_view(finite), name));
    if (json.is_object() && json.contains("results") && json["results"].is_array()) {
        KL_ASSIGN(const Listing listing, listT4(json, name));
        return makeSpaceFromListing(listing, name);
    }
    if (json.is_object() && json.contains("cache") && json["cache"].is_object()) {
        KL_ASSIGN(const Listing listing, listCache(json, name));
        return makeSpaceFromListing(listing, name);
    }
    return badRecord(name, fmt::format("{} is neither a T4 file nor a cache file of Kernel Tuner.", name));
}

Result<RecordedSpace> readRecordedSpace(const std::filesystem::path& file)
{
    KL_ASSIGN(const std::string text, readPlainOrGzip(file, kMostBytes));
    std::string name = file.filename().string();
    for (const std::string_view end : {".gz", ".json", ".csv"})
        if (name.ends_with(end))
            name.resize(name.size() - end.size());
    KL_ASSIGN(RecordedSpace recorded, parseRecordedSpace(text, file.string()));
    recorded.name = std::move(name);
    return recorded;
}

} // namespace kl::inline search
