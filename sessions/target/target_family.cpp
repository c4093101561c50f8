// SPDX-License-Identifier: MIT
#include "sessions/target/target_family.h"

#include "core/base/ids.h"
#include "core/base/read_file.h"
#include "core/base/try.h"
#include "kernels/descriptor_errors.h"
#include "kernels/user_kernel.h"
#include "sessions/target/target_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <string_view>

namespace kl::inline targeting {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 5000;
constexpr std::uintmax_t kMostBytes = 256U << 20U;
constexpr std::int64_t kMaxEdited = 16 << 20;

bool isCompiledFile(const fs::path& file)
{
    std::array<char, 4> start{};
    std::ifstream in(file, std::ios::binary);
    return in.read(start.data(), start.size()) && std::string_view(start.data(), start.size()) == "\x7f"
                                                                                                  "ELF";
}

/// What builds and tools make, whatever the project.
bool isMade(const fs::directory_entry& entry)
{
    std::error_code failed;
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.'))
        return true;
    if (!entry.is_directory(failed))
        return name.ends_with(".pyc") || isCompiledFile(entry.path());
    return name == "__pycache__" || name == "build" || name == "dist" || name.ends_with(".egg-info") ||
           fs::exists(entry.path() / "CMakeCache.txt", failed) || fs::exists(entry.path() / "pyvenv.cfg", failed);
}

Error tooMuch(const TargetSpec& spec, const std::string& what)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("The folder of {} holds more than {}.", spec.file, what),
            .hint = "Name data and build products in \"leave_out\" of the target.",
            .where = spec.folder};
}

/// Of an edited file, with the place that names it.
Error unreadable(const TargetSpec& spec, std::size_t number, Error error)
{
    error.hint = "Name files relative to the kernelloop.json.";
    const Result<std::string> text = readFile(spec.file, kMaxEdited);
    return text ? placeError(*text, spec.file, fmt::format("target.edit[{}]", number), std::move(error)) : error;
}

} // namespace

Result<std::vector<std::string>> projectFiles(const TargetSpec& spec)
{
    std::vector<std::string> files;
    std::uintmax_t bytes = 0;
    std::error_code failed;  // of the walk, which ends it
    std::error_code unknown; // of one entry, e.g. a link that leads nowhere
    const auto leftOut = [&](const std::string& name, const std::string& relative) {
        return std::ranges::any_of(spec.leaveOut, [&](const std::string& one) {
            return fs::path(one).lexically_normal() == fs::path(relative) || one == name || one == relative + '/';
        });
    };
    auto at = fs::recursive_directory_iterator(spec.folder, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
        const std::string relative = at->path().lexically_relative(spec.folder).generic_string();
        if (isMade(*at) || leftOut(at->path().filename().string(), relative)) {
            if (at->is_directory(unknown))
                at.disable_recursion_pending();
            continue;
        }
        if (!at->is_regular_file(unknown))
            continue;
        bytes += at->file_size(unknown);
        files.push_back(relative);
        if (files.size() > kMostFiles)
            return tooMuch(spec, fmt::format("{} files", kMostFiles));
        if (bytes > kMostBytes)
            return tooMuch(spec, "256 MiB");
    }
    std::ranges::sort(files);
    return files;
}

Result<KernelFamily> makeFamily(const TargetSpec& spec, const std::map<std::string, std::string>& instead)
{
    KernelFamily family;
    family.id = spec.id;
    family.title = spec.title;
    family.sizes = spec.sizes;
    family.problems = spec.problems;
    family.smallest = spec.smallest;
    family.suite = spec.suite;
    family.tolerance = spec.check.tolerance;
    family.checkedByCommand = !spec.check.command.empty();
    family.baseline.name = spec.rival.name;
    Variant variant;
    variant.id = kProgramVariant;
    variant.title = spec.title;
    family.origin.descriptor = spec.file;
    std::string code;
    for (std::size_t i = 0; i < spec.edit.size(); ++i) {
        const std::string& name = spec.edit[i];
        const std::string path = (fs::path(spec.folder) / name).lexically_normal().string();
        const auto replaced = instead.find(path);
        const Result<std::string> read = replaced != instead.end() ? Result<std::string>(replaced->second) : readFile(path, kMaxEdited);
        if (!read)
            return unreadable(spec, i, read.error());
        const std::string& text = *read;
        code += name + '\0' + std::to_string(text.size()) + '\0' + text;
        family.origin.sources.push_back(path);
        if (variant.source.empty()) { // what a session names and opens: the first file
            variant.sourcePath = name;
            variant.source = text;
        }
    }
    family.sourcePath = spec.edit.front();
    family.programHash = contentHash(code);
    KL_ASSIGN(const std::vector<std::string> files, projectFiles(spec));
    for (const std::string& name : files) {
        const std::string path = (fs::path(spec.folder) / name).lexically_normal().string();
        if (path != spec.file && std::ranges::find(family.origin.sources, path) == family.origin.sources.end())
            family.origin.others.push_back(path);
    }
    family.variants.push_back(std::move(variant));
    return family;
}

Result<KernelFamily> loadFamily(const fs::path& path, const std::map<std::string, std::string>& instead)
{
    const std::optional<fs::path> file = targetFileAt(path);
    if (!file)
        return loadKernel(path, instead);
    KL_ASSIGN(const TargetSpec spec, loadTarget(*file));
    return makeFamily(spec, instead);
}

} // namespace kl::inline targeting
