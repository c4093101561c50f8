// SPDX-License-Identifier: MIT
#include "sessions/search/recorded_export.h"

#include "core/base/csv_line.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "sessions/search/gzip_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline search {
namespace {

/// A number where the axis has numbers, else the text.
Json valueJson(const TuningAxis& axis, std::size_t place)
{
    if (axis.numbers.empty())
        return axis.values[place];
    return Json::parse(axis.values[place], nullptr, false).is_number() ? Json::parse(axis.values[place]) : Json(axis.numbers[place]);
}

Json configurationJson(const RecordedSpace& recorded, PointIndex point)
{
    Json json = Json::object();
    for (std::size_t axis = 0; axis < recorded.space.axes().size(); ++axis)
        json[recorded.space.axes()[axis].name] = valueJson(recorded.space.axes()[axis], recorded.space.place(point, axis));
    return json;
}

Json timeJson(const RecordedSpace& recorded, PointIndex point)
{
    return recorded.values[point] ? Json(*recorded.values[point]) : Json(recorded.failures[point]);
}

Json t4Json(const RecordedSpace& recorded)
{
    Json results = Json::array();
    for (PointIndex point = 0; point < recorded.space.size(); ++point) {
        const bool valid = recorded.values[point].has_value();
        results.push_back({{"configuration", configurationJson(recorded, point)},
                           {"times", {{"compilation", recorded.costs[point] * 1e3}, {"benchmark", 0}, {"framework", 0}}},
                           {"invalidity", valid ? "correct" : recorded.failures[point]},
                           {"correctness", valid ? 1 : 0},
                           {"measurements", Json::array({{{"name", "time"}, {"value", timeJson(recorded, point)}, {"unit", "ms"}}})},
                           {"objectives", {"time"}}});
    }
    return {{"metadata", {{"timeunit", "milliseconds"}}}, {"schema_version", "1.0.0"}, {"results", std::move(results)}};
}

Json cacheJson(const RecordedSpace& recorded)
{
    Json keys = Json::array();
    Json values = Json::object();
    for (const TuningAxis& axis : recorded.space.axes()) {
        keys.push_back(axis.name);
        values[axis.name] = Json::array();
        for (std::size_t place = 0; place < axis.values.size(); ++place)
            values[axis.name].push_back(valueJson(axis, place));
    }
    Json cache = Json::object();
    for (PointIndex point = 0; point < recorded.space.size(); ++point) {
        Json entry = configurationJson(recorded, point);
        std::string key;
        for (std::size_t axis = 0; axis < recorded.space.axes().size(); ++axis)
            key += (axis > 0 ? "," : "") + recorded.space.axes()[axis].values[recorded.space.place(point, axis)];
        entry["time"] = timeJson(recorded, point);
        entry["compile_time"] = recorded.costs[point] * 1e3;
        entry["benchmark_time"] = 0;
        entry["framework_time"] = 0;
        cache[key] = std::move(entry);
    }
    return {{"kernel_name", recorded.name},
            {"tune_params_keys", std::move(keys)},
            {"tune_params", std::move(values)},
            {"objective", "time"},
            {"cache", std::move(cache)}};
}

std::string csvText(const RecordedSpace& recorded)
{
    std::vector<std::string> cells;
    for (const TuningAxis& axis : recorded.space.axes())
        cells.push_back(axis.name);
    cells.insert(cells.end(), {"time_ms", "cost_s", "failure"});
    std::string text = csvLine(cells);
    for (PointIndex point = 0; point < recorded.space.size(); ++point) {
        cells.clear();
        for (std::size_t axis = 0; axis < recorded.space.axes().size(); ++axis)
            cells.push_back(recorded.space.axes()[axis].values[recorded.space.place(point, axis)]);
        cells.push_back(recorded.values[point] ? fmt::format("{}", *recorded.values[point]) : "");
        cells.push_back(fmt::format("{}", recorded.costs[point]));
        cells.push_back(recorded.failures[point]);
        text += csvLine(cells);
    }
    return text;
}

} // namespace

Result<RecordedFormat> formatFor(const std::filesystem::path& file)
{
    std::string name = file.filename().string();
    if (name.ends_with(".gz"))
        name.resize(name.size() - 3);
    if (name.ends_with(".csv"))
        return RecordedFormat::csv;
    if (name.ends_with(".cache.json"))
        return RecordedFormat::cache;
    if (name.ends_with(".json"))
        return RecordedFormat::t4;
    return Error{.code = ErrorCode::usage,
                 .message = fmt::format("The name {} does not say which format to write.", file.filename().string()),
                 .hint = "End it in .json (T4), .cache.json (Kernel Tuner) or .csv, each optionally with .gz.",
                 .where = file.string()};
}

std::string formatRecorded(const RecordedSpace& recorded, RecordedFormat format)
{
    switch (format) {
    case RecordedFormat::t4: return encodePretty(t4Json(recorded)) + '\n';
    case RecordedFormat::cache: return encodePretty(cacheJson(recorded)) + '\n';
    case RecordedFormat::csv: break;
    }
    return csvText(recorded);
}

Status writeRecordedSpace(const RecordedSpace& recorded, const std::filesystem::path& file)
{
    KL_ASSIGN(const RecordedFormat format, formatFor(file));
    return writePlainOrGzip(file, formatRecorded(recorded, format));
}

} // namespace kl::inline search
