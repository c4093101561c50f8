// SPDX-License-Identifier: MIT
#include "core/diagnosis/tree_thresholds.h"

#include "core/base/read_file.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

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

Result<DiagnosisTree> DiagnosisTree::loadConfigured(const std::string& file)
{
    std::error_code none;
    const std::filesystem::path path = file.empty() ? teamTreeFile() : std::filesystem::path(file);
    if (file == kProgramsTree || (file.empty() && !std::filesystem::exists(path, none)))
        return loadEmbedded();
    const Result<std::string> text = readFile(path);
    if (text)
        return parse(*text, path.string());
    Error unread = text.error();
    unread.hint += " Or begin with the program's own tree.";
    return std::move(unread).leadTo({StepId::treeText});
}

} // namespace kl::inline diagnosis
