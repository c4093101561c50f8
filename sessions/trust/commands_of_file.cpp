// SPDX-License-Identifier: MIT
#include "sessions/trust/commands_of_file.h"

#include "core/base/read_file.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "kernels/reference_builder.h"
#include "kernels/user_kernel.h"
#include "profiler/client/consent.h"
#include "sessions/measure/project_file.h"
#include "sessions/target/target_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline trust {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMost = std::int64_t{16} << 20;

Status addCommands(const fs::path& file, std::vector<FileCommand>& commands)
{
    KL_ASSIGN(const std::string text, readFile(file.string(), kMost));
    if (file.extension() != ".json") {
        commands.push_back(referenceCommand({file.string(), text}));
        return {};
    }
    KL_ASSIGN(const Json json, parseJson(text, file.string()));
    if (json.is_object() && json.contains("variants")) {
        KL_ASSIGN(const KernelFamily family, loadKernel(file));
        if (const std::optional<ScriptSpec> script = referenceScript(family))
            commands.push_back(referenceCommand(*script));
        return {};
    }
    KL_ASSIGN(const ProjectFile project, parseProjectFile(text, file));
    if (project.extension)
        commands.push_back(extensionCommand(*project.extension));
    KL_ASSIGN(const std::optional<TargetSpec> target, parseTarget(text, file, file.string()));
    if (target)
        commands.push_back(
            programCommand({target->file, target->fileHash, target->folder, commandsIn(*target), target->edit, !target->build.empty()}));
    return {};
}

} // namespace

Result<std::vector<FileCommand>> listFileCommands(const fs::path& path)
{
    std::error_code failed;
    const fs::path whole = fs::absolute(path, failed).lexically_normal();
    std::vector<fs::path> files;
    if (!fs::is_directory(whole, failed))
        files.push_back(whole);
    else
        for (const char* name : {kProjectFileName, kDescriptorName})
            if (fs::exists(whole / name, failed))
                files.push_back(whole / name);
    std::vector<FileCommand> commands;
    for (const fs::path& file : files)
        KL_TRY(addCommands(file, commands));
    if (commands.empty())
        return Error{
            .code = ErrorCode::badInput,
            .message = fmt::format("{} contains no command to run.", whole.string()),
            .hint =
                "Name a kernelloop.json with an extension or a target, a kernel.json whose reference is a python script, or that script.",
            .where = whole.string()};
    return commands;
}

} // namespace kl::inline trust
