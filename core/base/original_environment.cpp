// SPDX-License-Identifier: MIT
#include "core/base/original_environment.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace kl {
namespace {

constexpr std::string_view kLibraries = "LD_LIBRARY_PATH=";
constexpr std::string_view kOriginal = "KLOOP_ORIGINAL_LD_LIBRARY_PATH=";

/// A colon-separated list without the entries that name `folder`.
std::string without(std::string_view list, const std::filesystem::path& folder)
{
    std::string kept;
    while (!list.empty()) {
        const auto colon = list.find(':');
        const std::string_view entry = list.substr(0, colon);
        list.remove_prefix(colon == std::string_view::npos ? list.size() : colon + 1);
        if (std::filesystem::path(entry).lexically_normal() != folder)
            kept.append(kept.empty() ? "" : ":").append(entry);
    }
    return kept;
}

} // namespace

std::vector<std::string> originalEnvironment(const std::vector<std::string>& environment, const std::string& programFolder)
{
    const std::filesystem::path bundled = (std::filesystem::path(programFolder) / "../lib").lexically_normal();
    std::optional<std::string> original;
    for (const std::string& entry : environment)
        if (entry.starts_with(kOriginal))
            original = entry.substr(kOriginal.size());
    std::vector<std::string> result;
    for (const std::string& entry : environment) {
        if (entry.starts_with(kOriginal))
            continue;
        if (!entry.starts_with(kLibraries)) {
            result.push_back(entry);
            continue;
        }
        const std::string kept = original ? *original : without(std::string_view(entry).substr(kLibraries.size()), bundled);
        if (!kept.empty())
            result.push_back(std::string(kLibraries) + kept);
    }
    return result;
}

std::vector<std::string> originalEnvironment()
{
    std::vector<std::string> ours;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        ours.emplace_back(*entry);
    std::error_code ignored;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    return originalEnvironment(ours, program.parent_path().string());
}

} // namespace kl
