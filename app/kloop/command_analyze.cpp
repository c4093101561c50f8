// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/render.h"
#include "core/codec/run_codec.h"
#include "sessions/engine/compare.h"
#include "sessions/engine/hot_lines.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr const char* kReads = "This version reads KernelLoop's own JSON: kloop profile KERNEL --json > FILE.";

Result<Json> readJson(const std::string& path)
{
    if (std::error_code none; std::filesystem::is_directory(path, none))
        return Error{ErrorCode::badInput, fmt::format("{} is a folder, not a file.", path), kReads, path, {}};
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return Error{ErrorCode::badInput, fmt::format("{} cannot be opened.", path), "Check the name and the permission.", path, {}};
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    Result<Json> json = parseJson(text, path);
    if (!json || !json->is_object())
        return Error{ErrorCode::badInput, fmt::format("{} is not JSON that KernelLoop wrote.", path), kReads, path,
                     json ? std::string() : json.error().detail};
    return json;
}

} // namespace

Result<int> commandAnalyze(Program& program, const Options& options)
{
    Result<Json> json = readJson(options.first);
    if (!json)
        return json.error();
    const Result<const DiagnosisTree*> tree = program.tree();
    const Result<const Catalogue*> catalogue = program.catalogue();
    if (!tree || !catalogue)
        return tree ? catalogue.error() : tree.error();
    const Json items = json->contains("results") ? (*json)["results"] : Json::array({*json});
    const Error holdsNone{ErrorCode::badInput, fmt::format("{} holds no run or profile.", options.first), kReads, options.first, {}};
    if (!items.is_array() || items.empty())
        return holdsNone;
    std::vector<RunRecord> runs;
    for (const Json& item : items) {
        if (!item.is_object() || !item.contains("kernel") || !item.contains("correctness"))
            return holdsNone;
        Result<RunRecord> run = runFromJson(item);
        if (!run)
            return run.error();
        run->diagnosis = (*tree)->diagnose(*run, ladderOf(**catalogue, run->kernel));
        runs.push_back(std::move(*run));
    }
    Json answer{{"schema", "kernelloop.analyze/1"}, {"results", Json::array()}};
    for (const RunRecord& run : runs)
        answer["results"].push_back(runToJsonWithLines(run, **catalogue));
    if (!program.printed(answer))
        for (const RunRecord& run : runs)
            fmt::print("{}{}{}", &run == &runs.front() ? "" : "\n", renderRun(run), renderHotLines(run, **catalogue));
    return 0;
}

} // namespace kl
