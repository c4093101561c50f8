// SPDX-License-Identifier: MIT
#include "sessions/subject/program_copy.h"

#include "core/base/try.h"
#include "core/base/write_file.h"
#include "sessions/target/target_family.h"

#include <fmt/format.h>
#include <vector>

namespace kl::inline subjects {

namespace fs = std::filesystem;

Result<ProgramCopy> ProgramCopy::make(const TargetSpec& spec, const std::map<std::string, std::string>& texts)
{
    KL_ASSIGN(const std::vector<std::string> files, projectFiles(spec));
    KL_ASSIGN(ScratchFolder scratch, ScratchFolder::make());
    for (const std::string& name : files) {
        const fs::path from = (fs::path(spec.folder) / name).lexically_normal();
        const fs::path to = scratch.path() / name;
        std::error_code failed;
        fs::create_directories(to.parent_path(), failed);
        if (const auto text = texts.find(from.string()); text != texts.end()) {
            KL_TRY(writeFile(to, text->second));
            fs::permissions(to, fs::status(from, failed).permissions(), failed);
            continue;
        }
        if (!fs::copy_file(from, to, failed))
            return Error{.code = ErrorCode::environment,
                         .message = fmt::format("{} cannot be copied to {}: {}.", from.string(), to.string(), failed.message()),
                         .hint = "Set TMPDIR to a folder with enough space.",
                         .where = from.string()};
    }
    return ProgramCopy(std::move(scratch));
}

Status canBeCopied(const TargetSpec& spec)
{
    for (const CommandWords& command : commandsIn(spec))
        for (const std::string& word : command)
            if (word.find(spec.folder) != std::string::npos)
                return Error{.code = ErrorCode::badInput,
                             .message = fmt::format("A command of {} names its folder by an absolute path: {}", spec.file, word),
                             .hint = "Old and new are built in copies of the folder: use relative paths.",
                             .where = spec.file};
    return {};
}

} // namespace kl::inline subjects
