// SPDX-License-Identifier: MIT
#include "sessions/subject/target_draft.h"

#include "core/base/resource.h"
#include "core/base/shell_line.h"
#include "core/base/shell_words.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/json.h"
#include "core/model/params.h"
#include "sessions/program/program_profile.h"
#include "sessions/target/target_file.h"

#include <cctype>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace kl::inline subjects {
namespace {

namespace fs = std::filesystem;

std::string escapePattern(const std::string& text)
{
    std::string pattern;
    for (const char c : text) {
        if (std::string_view("\\.[]{}()*+?^$|").find(c) != std::string_view::npos)
            pattern += '\\';
        pattern += c;
    }
    return pattern;
}

/// "1320x1x1" of a run's problem.
std::array<int, 3> extents(const Params& problem, const char* name)
{
    std::array<int, 3> sizes{1, 1, 1};
    const auto found = problem.find(name);
    if (found == problem.end() || !std::holds_alternative<std::string>(found->second))
        return sizes;
    const std::string& text = std::get<std::string>(found->second);
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    for (int& size : sizes) {
        at = std::from_chars(at, end, size).ptr;
        at += at < end ? 1 : 0;
    }
    return sizes;
}

std::string idFrom(const std::string& name)
{
    std::string id;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
            id += c;
        else if (!id.empty() && id.back() != '-')
            id += '-';
    while (!id.empty() && id.back() == '-')
        id.pop_back();
    return id.empty() ? "kernel" : id;
}

Error makeLackingError(const char* field, const std::string& message, const std::string& hint)
{
    return {.code = ErrorCode::badInput, .message = message, .hint = hint, .where = fmt::format("target.{}", field)};
}

Json formulas(const std::array<int, 3>& sizes)
{
    Json list = Json::array();
    for (const int size : sizes)
        list.push_back(std::to_string(size));
    return list;
}

Result<Json> makeRival(const TargetDraft& draft)
{
    if (draft.rivalLaunches.empty())
        return makeLackingError("rival", "What the kernel has to beat is missing.",
                                "Name another kernel or an NVTX range, or the shape of PyTorch's attention.");
    if (draft.rival == TargetDraft::Rival::sdpa) {
        KL_ASSIGN(const Params shape, parseParams(draft.rivalLaunches));
        Json sides = Json::object();
        for (const auto& [name, value] : shape)
            sides[name] =
                std::holds_alternative<std::string>(value) ? std::get<std::string>(value) : std::to_string(std::get<std::int64_t>(value));
        return Json{{"sdpa", {{"shape", std::move(sides)}}}};
    }
    Json rival{{draft.rival == TargetDraft::Rival::kernel ? "kernel" : "range", draft.rivalLaunches}};
    if (!draft.rivalRun.empty())
        rival["run"] = draft.rivalRun;
    return rival;
}

Result<Json> makeTarget(const TargetDraft& draft)
{
    Json target{{"id", draft.id}, {"problems", {draft.problem}}, {"edit", draft.edit}};
    KL_ASSIGN(const Params problem, parseParams(draft.problem));
    target["sizes"] = Json::array();
    for (const auto& [name, value] : problem)
        target["sizes"].push_back(name);
    const std::vector<std::string> suite = draft.suite.empty() ? std::vector{draft.problem} : draft.suite;
    target["suite"] = suite;
    target["smallest"] = suite.front();
    if (!draft.build.empty())
        target["build"] = draft.build;
    KL_ASSIGN(const std::vector<std::string> run, splitShellLine(draft.run));
    target["run"] = run;
    target["kernel"] = Json{{"name", draft.kernel}};
    if (draft.holdShape) {
        target["kernel"]["grid"] = formulas(draft.grid);
        target["kernel"]["block"] = formulas(draft.block);
    }
    if (draft.checkCommand.empty())
        return makeLackingError("check", "The command that checks the result is missing.",
                                "Give one whose exit status 0 means correct, or one that writes the correct outputs.");
    target["check"] = Json{{draft.check == TargetDraft::Check::command ? "command" : "reference", draft.checkCommand}};
    KL_ASSIGN(target["rival"], makeRival(draft));
    return target;
}

} // namespace

std::string makeKernelPattern(const std::string& demangledName)
{
    const std::string whole = shortKernelName(demangledName);
    const std::string name = whole.substr(0, whole.find('<'));
    const std::size_t at = demangledName.find(name);
    const std::size_t after = at + name.size();
    const bool called =
        at != std::string::npos && after < demangledName.size() && (demangledName[after] == '<' || demangledName[after] == '(');
    return called ? "(^|[: ])" + escapePattern(name) + "[<(]" : '^' + escapePattern(demangledName) + '$';
}

TargetDraft proposeTarget(const RunRecord& run, const Catalog& catalog)
{
    TargetDraft draft;
    if (!run.program)
        return draft;
    const std::string name = shortKernelName(run.program->kernel);
    const std::string id = idFrom(name.substr(0, name.find('<')));
    draft.id = id;
    for (int i = 2; catalog.family(draft.id); ++i)
        draft.id = fmt::format("{}-{}", id, i);
    draft.run = shellLine(run.program->command);
    draft.kernel = makeKernelPattern(run.program->kernel);
    draft.grid = extents(run.problem, "GRID");
    draft.block = extents(run.problem, "BLOCK");
    draft.problem = "SIZE=1";
    return draft;
}

Result<std::string> writeTargetFile(const TargetDraft& draft, const Catalog& catalog)
{
    std::error_code failed;
    const fs::path folder = draft.folder;
    if (!folder.is_absolute() || !fs::is_directory(folder, failed))
        return makeLackingError("folder", fmt::format("There is no folder \"{}\".", draft.folder), "Choose the folder of the project.");
    const fs::path file = folder / kTargetFileName;
    if (fs::exists(file, failed))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is there already.", file.string()),
                     .hint = "Add its target to it by hand, or register it as it is: Kernels, Add kernel.",
                     .where = file.string()};
    if (const Result<const KernelFamily*> other = catalog.family(draft.id); other && (*other)->origin.descriptor != file)
        return makeLackingError("id", fmt::format("The name \"{}\" belongs to another kernel.", draft.id), "Choose another name.");
    KL_ASSIGN(Json target, makeTarget(draft));
    const Json whole{{"$schema", "kernelloop.schema.json"}, {"schema", 2}, {"target", std::move(target)}};
    const std::string text = encodePretty(whole) + '\n';
    KL_ASSIGN(const std::optional<TargetSpec> spec, parseTarget(text, file, file.string()));
    for (const std::string& name : spec->edit)
        if (!fs::is_regular_file(folder / name, failed))
            return makeLackingError("edit", fmt::format("There is no file {} in {}.", name, draft.folder),
                                    "Name files relative to the folder.");
    KL_ASSIGN(const std::string_view schema, resource(kProjectSchema));
    KL_TRY(writeFile(folder / "kernelloop.schema.json", schema));
    KL_TRY(writeFile(file, text));
    return file.string();
}

} // namespace kl::inline subjects
