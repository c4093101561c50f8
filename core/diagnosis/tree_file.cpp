// SPDX-License-Identifier: MIT
#include "core/diagnosis/tree_thresholds.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace kl::inline diagnosis {
namespace {

/// In a file's place: the program's own, whatever the team has. A shell that writes it to the team's place empties that file first.
constexpr const char* kProgramsTree = ":default:";

} // namespace

std::filesystem::path teamTreeFile()
{
    if (const char* config = std::getenv("XDG_CONFIG_HOME"); config && *config)
        return std::filesystem::path(config) / "kernelloop/diagnosis-tree.json";
    const char* home = std::getenv("HOME");
    return std::filesystem::path(home ? home : "/") / ".config/kernelloop/diagnosis-tree.json";
}

Result<DiagnosisTree> DiagnosisTree::configured(const std::string& file)
{
    std::error_code none;
    const std::filesystem::path path = file.empty() ? teamTreeFile() : std::filesystem::path(file);
    if (file == kProgramsTree || (file.empty() && !std::filesystem::exists(path, none)))
        return embedded();
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path, none))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The diagnosis tree {} cannot be read.", path.string()),
                     .hint = "Check the name and the permission, or begin with the program's own tree.",
                     .where = path.string()}
            .leadingTo({StepId::treeText});
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return parse(text, path.string());
}

} // namespace kl::inline diagnosis
