// SPDX-License-Identifier: MIT
#include "sessions/measure/sweep.h"

#include "core/base/clean_text.h"
#include "core/codec/model_fields.h"
#include "core/model/model_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>

namespace kl::inline measure {
namespace {

bool repeats(ErrorCode code)
{
    return code == ErrorCode::interrupted || code == ErrorCode::environment || code == ErrorCode::internal;
}

std::string quoteCsvCell(std::string text)
{
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

std::string field(const Json& value)
{
    return value.is_null() ? std::string() : value.is_string() ? quoteCsvCell(value.get<std::string>()) : value.dump();
}

std::optional<double> rate(const SweepRow& row, double amount)
{
    const std::optional<double> ns = row.ns();
    return ns && amount > 0 ? std::optional(amount / *ns * 1e9) : std::nullopt;
}

} // namespace

std::optional<double> SweepRow::ns() const
{
    return run && isUsable(*run) && run->timing && run->timing->gpu.median > 0 ? std::optional(run->timing->gpu.median) : std::nullopt;
}

std::optional<double> SweepRow::bytesPerSecond() const
{
    return run ? rate(*this, run->idealBytes) : std::nullopt;
}

std::optional<double> SweepRow::flopsPerSecond() const
{
    return run ? rate(*this, run->flops) : std::nullopt;
}

std::optional<double> SweepRow::speedup() const
{
    return ns() ? run->speedup : std::nullopt;
}

std::string SweepRow::classId() const
{
    return run && run->diagnosis ? run->diagnosis->finding.classId : std::string();
}

Result<std::vector<SweepRow>> sweep(Workbench& bench, const std::vector<std::pair<Address, Params>>& points, const ProfileScope& scope,
                                    const Job& job, const std::function<void(const SweepRow&)>& onRow)
{
    bench.expectProfiles(points, scope);
    std::vector<SweepRow> rows;
    std::optional<Error> unusable; // the first one, while it holds for every size
    for (const auto& [kernel, problem] : points) {
        SweepRow row{kernel, problem, {}, {}, {}};
        Result<RunRecord> run = bench.profile(kernel, problem, scope, job);
        if (!run && repeats(run.error().code))
            return run.error();
        if (run) {
            row.run = std::move(*run);
        } else {
            row.missing = run.error().code == ErrorCode::notRecorded ? "not recorded" : run.error().message;
            row.hint = run.error().hint;
        }
        const bool isUnusable = !run && (run.error().code == ErrorCode::usage || run.error().code == ErrorCode::badInput);
        if (isUnusable && rows.empty())
            unusable = run.error();
        else if (!isUnusable)
            unusable.reset();
        if (onRow)
            onRow(row);
        rows.push_back(std::move(row));
    }
    if (unusable)
        return *std::move(unusable);
    return rows;
}

std::vector<std::string> listSweptAxes(const std::vector<SweepRow>& rows)
{
    std::map<std::string, std::set<ParamValue>> values;
    for (const SweepRow& row : rows)
        for (const auto& [name, value] : row.problem)
            values[name].insert(value);
    std::vector<std::string> axes;
    for (const auto& [name, several] : values)
        if (several.size() > 1)
            axes.push_back(name);
    std::ranges::stable_sort(axes, std::ranges::greater(), [&](const std::string& name) { return values[name].size(); });
    return axes;
}

Json toJson(const SweepRow& row)
{
    const bool known = row.run.has_value();
    return {{"kernel", toText(row.kernel)},
            {"problem", toText(row.problem)},
            {"gpu_ns", kl::toJson(row.ns())},
            {"bytes_per_s", kl::toJson(row.bytesPerSecond())},
            {"flops_per_s", kl::toJson(row.flopsPerSecond())},
            {"speedup", kl::toJson(row.speedup())},
            {"baseline", known && row.run->baseline ? Json(row.run->baseline->name) : Json(nullptr)},
            {"class", row.classId().empty() ? Json(nullptr) : Json(row.classId())},
            {"correctness", known ? Json(toWord(row.run->correctness.result)) : Json(nullptr)},
            {"run", known ? Json(row.run->id.text) : Json(nullptr)},
            {"missing", row.missing.empty() ? Json(nullptr) : Json(row.missing)},
            {"hint", row.hint.empty() ? Json(nullptr) : Json(row.hint)}};
}

std::string sweepCsv(const std::vector<SweepRow>& rows)
{
    constexpr const char* kPointFields[] = {"gpu_ns", "bytes_per_s", "flops_per_s", "speedup", "baseline",
                                            "class",  "correctness", "run",         "missing"};
    std::set<std::string> axes;
    for (const SweepRow& row : rows)
        for (const auto& [name, value] : row.problem)
            axes.insert(name);
    std::string text = "kernel";
    for (const std::string& axis : axes)
        text += ',' + quoteCsvCell(axis);
    for (const char* name : kPointFields)
        text += fmt::format(",{}", name);
    text += '\n';
    for (const SweepRow& row : rows) {
        const Json json = toJson(row);
        text += quoteCsvCell(toText(row.kernel));
        for (const std::string& axis : axes) {
            const auto value = row.problem.find(axis);
            text += ',' + (value == row.problem.end() ? std::string() : quoteCsvCell(toText(Params{*value}).substr(axis.size() + 1)));
        }
        for (const char* name : kPointFields)
            text += ',' + field(json[name]);
        text += '\n';
    }
    return cleanText(text);
}

} // namespace kl::inline measure
