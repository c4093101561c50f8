// SPDX-License-Identifier: MIT
#include "sessions/import/bundle.h"

#include "core/base/format.h"
#include "core/codec/run_codec.h"
#include "sessions/store/blob.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr const char* kSchema = "kernelloop.bundle/1";
constexpr std::string_view kFrameStart = "\x28\xb5\x2f\xfd";
constexpr const char* kKindsRead =
    "Read are Nsight Compute's reports (.ncu-rep) and CSV pages (ncu --csv --page raw or details), bundles (kloop "
    "export), and what kloop run, profile and analyze print with --json.";

Result<std::vector<RunRecord>> runsIn(const Json& json, const std::string& where)
{
    const Error holdsNone{ErrorCode::badInput, fmt::format("{} holds no run or profile.", where), kKindsRead, where, {}};
    const Json items = !json.is_object() ? Json::array() : json.contains("results") ? json["results"] : Json::array({json});
    if (!items.is_array() || items.empty())
        return holdsNone;
    std::vector<RunRecord> runs;
    for (const Json& item : items) {
        if (!item.is_object() || !item.contains("kernel") || !item.contains("correctness"))
            return holdsNone;
        Result<RunRecord> run = runFromJson(item);
        if (!run)
            return Error{run.error().code, fmt::format("{}, result {}: {}", where, runs.size() + 1, run.error().message), run.error().hint,
                         where, run.error().detail};
        runs.push_back(std::move(*run));
    }
    return runs;
}

} // namespace

std::string writeBundle(const std::vector<RunRecord>& runs)
{
    Json json{{"schema", kSchema}, {"exported_at", isoNow()}, {"results", Json::array()}};
    for (const RunRecord& run : runs)
        json["results"].push_back(runToJson(run));
    return packBytes(encode(json));
}

bool isBundle(std::string_view bytes)
{
    return bytes.starts_with(kFrameStart);
}

Result<std::vector<RunRecord>> readBundle(std::string_view bytes, const std::string& where)
{
    const Result<std::string> text = unpackBytes(bytes);
    if (!text)
        return Error{ErrorCode::badInput,
                     fmt::format("{} is compressed and cannot be unpacked: it is damaged, was cut off, or is no bundle.", where),
                     "Copy it again from where it was exported, or export it again: kloop export.",
                     where,
                     {}};
    const Result<Json> json = parseJson(*text, where);
    if (!json || !json->is_object() || json->value("schema", Json()) != kSchema)
        return Error{ErrorCode::badInput, fmt::format("{} is compressed, but holds no bundle of runs.", where), kKindsRead, where, {}};
    return runsIn(*json, where);
}

Result<std::vector<RunRecord>> readRuns(std::string_view text, const std::string& where)
{
    const Result<Json> json = parseJson(text, where);
    if (!json || !json->is_object())
        return Error{ErrorCode::badInput, fmt::format("{} is no file that KernelLoop reads.", where), kKindsRead, where,
                     json ? std::string() : json.error().detail};
    return runsIn(*json, where);
}

} // namespace kl
