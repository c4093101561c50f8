// SPDX-License-Identifier: MIT
#include "sessions/target/target_file.h"

#include "core/base/read_file.h"
#include "core/base/resource.h"
#include "core/base/sha256.h"
#include "core/base/shell_line.h"
#include "core/base/try.h"
#include "core/codec/json_reader.h"
#include "core/codec/json_schema.h"
#include "kernels/descriptor_errors.h"
#include "kernels/model/expression.h"
#include "kernels/user_kernel.h"
#include "profiler/protocol/kernel_pattern.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <regex>

namespace kl::inline targeting {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxProjectFile = 4 << 20;
constexpr const char* kPatternHint = "It is searched in demangled kernel names, e.g. gemm|sdpa.";

const Result<JsonSchema>& projectSchema()
{
    static const Result<JsonSchema> schema = []() -> Result<JsonSchema> {
        KL_ASSIGN(const std::string_view text, resource(kProjectSchema));
        KL_ASSIGN(const Json json, parseJson(text, kProjectSchema));
        return JsonSchema::load(json, kProjectSchema);
    }();
    return schema;
}

std::vector<std::string> textsAt(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found == json.end() ? std::vector<std::string>{} : found->get<std::vector<std::string>>();
}

std::map<std::string, std::string> mapAt(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found == json.end() ? std::map<std::string, std::string>{} : found->get<std::map<std::string, std::string>>();
}

/// A shell's line, or a list of program and arguments.
CommandWords commandAt(const Json& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end())
        return {};
    return found->is_string() ? CommandWords{"sh", "-c", found->get<std::string>()} : found->get<CommandWords>();
}

LaunchChoice pickChoice(const Json& json)
{
    return {json.value("name", ""), textsAt(json, "grid"), textsAt(json, "block"), json.value("range", "")};
}

/// Reads a target whose shape the schema has approved.
class TargetReader {
public:
    TargetReader(const Json& json, const DescriptorErrors& faults) : json_(json), faults_(faults) {}

    Result<TargetSpec> read()
    {
        TargetSpec spec;
        spec.id = json_["id"];
        spec.title = json_.value("title", spec.id);
        spec.sizes = textsAt(json_, "sizes");
        KL_TRY(readSizes(spec));
        spec.run = commandAt(json_, "run");
        spec.build = commandAt(json_, "build");
        spec.environment = mapAt(json_, "environment");
        spec.warmup = json_.value("warmup", spec.warmup);
        spec.launches = json_.value("launches", spec.launches);
        spec.timeoutSeconds = json_.value("timeout_s", spec.timeoutSeconds);
        spec.edit = textsAt(json_, "edit");
        spec.leaveOut = textsAt(json_, "leave_out");
        KL_ASSIGN(spec.kernel, choice("kernel", spec));
        KL_TRY(readCheck(spec));
        KL_TRY(readRival(spec));
        KL_TRY(checkCommands(spec));
        KL_TRY(checkEnvironment(spec));
        KL_TRY(checkPaths(spec));
        return spec;
    }

private:
    Error wrong(const std::string& path, std::string message, const std::string& hint) const
    {
        message.erase(message.find_last_not_of('.') + 1); // faults_ adds one
        return faults_.at(DescriptorFault{"target." + path, message, hint});
    }

    Result<Params> sizesIn(const std::string& text, const TargetSpec& spec, const std::string& path) const
    {
        Result<Params> params = parseParams(text);
        if (!params)
            return wrong(path, fmt::format("\"{}\" is not a list of sizes", text), "Write it as \"M=1024,N=1024\".");
        for (const std::string& size : spec.sizes)
            if (const std::int64_t* number = numberIn(*params, size); number == nullptr || *number < 0 || *number > kMaxCount)
                return wrong(path, fmt::format("\"{}\" has no whole number for {}", text, size),
                             fmt::format("Give each of \"sizes\" a whole number, e.g. {}=1024.", size));
        for (const auto& [name, value] : *params)
            if (std::ranges::find(spec.sizes, name) == spec.sizes.end())
                return wrong(path, fmt::format("{} is not a size of this target", name), "Add it to \"sizes\", or leave it out.");
        return params;
    }

    Status readSizes(TargetSpec& spec) const
    {
        for (const auto& [key, list] : {std::pair{"problems", &spec.problems}, std::pair{"suite", &spec.suite}}) {
            const std::vector<std::string> texts = textsAt(json_, key);
            for (std::size_t i = 0; i < texts.size(); ++i) {
                KL_ASSIGN(Params params, sizesIn(texts[i], spec, fmt::format("{}[{}]", key, i)));
                list->push_back(std::move(params));
            }
        }
        KL_ASSIGN(spec.smallest, sizesIn(json_["smallest"].get<std::string>(), spec, "smallest"));
        if (spec.suite.empty())
            spec.suite = {spec.smallest};
        return {};
    }

    Result<LaunchChoice> choice(const std::string& path, const TargetSpec& spec) const
    {
        LaunchChoice chosen = pickChoice(json_[path]);
        if (chosen.kernel.empty() == chosen.range.empty())
            return wrong(path, "should name either a kernel or a range",
                         "Give \"name\", a regular expression, or \"range\", an NVTX range.");
        if (!chosen.range.empty() && !(chosen.grid.empty() && chosen.block.empty()))
            return wrong(path, "gives a launch shape to a range", "Only a kernel has a grid and a block.");
        if (const Result<KernelPattern> pattern = KernelPattern::parse(chosen.kernel); !pattern)
            return wrong(path + ".name", pattern.error().message, kPatternHint);
        for (const auto& [name, formulas] : {std::pair{".grid", &chosen.grid}, std::pair{".block", &chosen.block}})
            for (std::size_t i = 0; i < formulas->size(); ++i)
                for (const Params& problem : spec.problems) {
                    Scope scope;
                    for (const std::string& size : spec.sizes)
                        scope[size] = static_cast<double>(*numberIn(problem, size));
                    if (const auto count = evaluateCount((*formulas)[i], scope, 1); !count)
                        return wrong(fmt::format("{}{}[{}]", path, name, i), count.error().message,
                                     "Check the names and the syntax against the target's \"sizes\".");
                }
        return chosen;
    }

    Status readCheck(TargetSpec& spec) const
    {
        const Json& check = json_["check"];
        spec.check.command = commandAt(check, "command");
        spec.check.reference = commandAt(check, "reference");
        if (spec.check.command.empty() == spec.check.reference.empty())
            return wrong("check", "should have either a command or a reference",
                         "A command checks by its exit status; a reference writes outputs that are compared.");
        if (!spec.check.command.empty() && (check.contains("max_abs") || check.contains("rel_l2")))
            return wrong("check", "gives a tolerance to a command", "A command judges by itself; limits belong to a reference.");
        spec.check.tolerance.maxAbs = check.value("max_abs", spec.check.tolerance.maxAbs);
        spec.check.tolerance.relL2 = check.value("rel_l2", spec.check.tolerance.relL2);
        return {};
    }

    Status readRival(TargetSpec& spec) const
    {
        const Json& rival = json_["rival"];
        TargetRival read;
        read.run = commandAt(rival, "run");
        read.launches = {rival.value("kernel", ""), textsAt(rival, "grid"), textsAt(rival, "block"), rival.value("range", "")};
        if (rival.contains("sdpa")) {
            const Json& sdpa = rival["sdpa"];
            read.shape = mapAt(sdpa, "shape");
            read.type = sdpa.value("type", read.type);
            read.causal = sdpa.value("causal", read.causal);
            if (!read.run.empty() || !read.launches.empty())
                return wrong("rival", "names PyTorch's attention and something else",
                             "Give one of \"sdpa\", \"run\", \"kernel\" and \"range\".");
        } else if (read.launches.kernel.empty() == read.launches.range.empty()) {
            return wrong("rival", "should name a kernel, a range, or sdpa", "Give \"kernel\" or \"range\", of this program or of \"run\".");
        }
        if (const Result<KernelPattern> pattern = KernelPattern::parse(read.launches.kernel); !pattern)
            return wrong("rival.kernel", pattern.error().message, kPatternHint);
        const std::string otherwise = !read.shape.empty()            ? "PyTorch SDPA"
                                      : !read.launches.range.empty() ? read.launches.range
                                                                     : read.launches.kernel;
        read.name = rival.value("name", otherwise);
        spec.rival = std::move(read);
        return {};
    }

    /// {NAME} in capitals stands for a size; ${NAME} is a variable of the shell.
    Status checkCommands(const TargetSpec& spec) const
    {
        const std::regex sizeName(R"((^|[^$])\{([A-Z][A-Z0-9_]*)\})");
        const std::pair<const char*, const CommandWords*> all[] = {{"build", &spec.build},
                                                                   {"run", &spec.run},
                                                                   {"check.command", &spec.check.command},
                                                                   {"check.reference", &spec.check.reference},
                                                                   {"rival.run", &spec.rival.run}};
        for (const auto& [path, words] : all)
            for (const std::string& word : *words)
                for (std::sregex_iterator at(word.begin(), word.end(), sizeName); at != std::sregex_iterator(); ++at) {
                    const std::string name = (*at)[2];
                    if (path == all->first)
                        return wrong(path, fmt::format("{{{}}} stands for a size, and a build has none", name),
                                     "Build for every size at once.");
                    if (std::ranges::find(spec.sizes, name) == spec.sizes.end())
                        return wrong(path, fmt::format("{{{}}} is not a size of this target", name), "Add it to \"sizes\", or correct it.");
                }
        return {};
    }

    Status checkEnvironment(const TargetSpec& spec) const
    {
        for (const auto& [name, value] : spec.environment) {
            if (name.empty() || name.find('=') != std::string::npos || (name + value).find('\0') != std::string::npos)
                return wrong("environment", fmt::format("\"{}\" is not the name of a variable", name), "Write it as \"NAME\": \"value\".");
            if (name.starts_with("KLOOP_") || name.starts_with("CUDA_INJECTION"))
                return wrong("environment." + name, "is set by KernelLoop", "Leave it out.");
        }
        return {};
    }

    Status checkPaths(const TargetSpec& spec) const
    {
        for (std::size_t i = 0; i < spec.edit.size(); ++i) {
            const fs::path path = fs::path(spec.edit[i]).lexically_normal();
            if (path == kTargetFileName)
                return wrong(fmt::format("edit[{}]", i), "a change may not edit the file by which it is judged",
                             "Name files of the program.");
            if (path.is_absolute() || path.empty() || *path.begin() == ".." || path == ".")
                return wrong(fmt::format("edit[{}]", i), fmt::format("{} is not a file below this folder", spec.edit[i]),
                             "Name files relative to the kernelloop.json.");
        }
        return {};
    }

    const Json& json_;
    const DescriptorErrors& faults_;
};

} // namespace

std::vector<CommandWords> commandsIn(const TargetSpec& spec)
{
    std::vector<CommandWords> commands;
    for (const CommandWords* words : {&spec.build, &spec.run, &spec.check.command, &spec.check.reference, &spec.rival.run})
        if (!words->empty())
            commands.push_back(*words);
    return commands;
}

Result<std::optional<TargetSpec>> parseTarget(std::string_view text, const fs::path& file, const std::string& shown)
{
    Json json;
    if (const std::optional<JsonFault> fault = readJson(text, json))
        return DescriptorErrors::syntax(text, shown, *fault);
    const bool newer = json.is_object() && json.contains("schema") && json["schema"] == 2;
    if (!newer && !(json.is_object() && json.contains("target")))
        return std::optional<TargetSpec>{};
    KL_ASSIGN(const JsonSchema* schema, pointerTo(projectSchema()));
    const DescriptorErrors faults(text, shown);
    if (const std::vector<SchemaFault> found = schema->check(json); !found.empty())
        return faults.at(found);
    if (std::optional<Error> twice = faults.duplicate())
        return *twice;
    if (!json.contains("target"))
        return std::optional<TargetSpec>{};
    if (json["schema"] != 2)
        return faults.at(DescriptorFault{"schema", "a file with a target has schema 2", "Write \"schema\": 2."});
    KL_ASSIGN(TargetSpec spec, TargetReader(json["target"], faults).read());
    if (spec.build.empty() && json.contains("extension")) {
        const Json& extension = json["extension"];
        spec.build = commandAt(extension, "build");
        if (const std::string folder = extension.value("folder", "."); fs::path(folder).lexically_normal() != ".")
            spec.build = {"sh", "-c", shellLine({"cd", folder}) + " && " + shellLine(spec.build)};
    }
    Sha256 hash;
    hash.add(text);
    spec.fileHash = hash.hex();
    spec.file = file.string();
    spec.folder = file.parent_path().string();
    return std::optional<TargetSpec>(std::move(spec));
}

Result<TargetSpec> loadTarget(const fs::path& path)
{
    std::error_code failure;
    fs::path file = fs::absolute(path, failure).lexically_normal();
    if (fs::is_directory(file, failure))
        file /= kTargetFileName;
    KL_ASSIGN(const std::string text, readFile(file.string(), kMaxProjectFile));
    KL_ASSIGN(std::optional<TargetSpec> spec, parseTarget(text, file, file.string()));
    if (!spec)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} has no \"target\".", file.string()),
                     .hint = "Schema 2 of kernelloop.json has one: how to build, run, check and measure a program.",
                     .where = file.string()};
    return std::move(*spec);
}

std::optional<fs::path> targetFileAt(const fs::path& path)
{
    std::error_code failure;
    fs::path whole = descriptorAt(path); // with ~ and links resolved as for kernels
    if (whole.filename() == kTargetFileName)
        return whole;
    if (whole.filename() == kDescriptorName && !fs::exists(whole, failure))
        if (const fs::path other = whole.parent_path() / kTargetFileName; fs::exists(other, failure))
            return other;
    return {};
}

} // namespace kl::inline targeting
