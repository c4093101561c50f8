// SPDX-License-Identifier: MIT
#include "kernels/starter.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "kernels/catalog.h"
#include "kernels/descriptor_parser.h"
#include "kernels/user_kernel.h"

#include <filesystem>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlaceholder = "@NAME@";

Error badInput(std::string message, std::string hint, const std::string& where)
{
    return {.code = ErrorCode::badInput, .message = std::move(message), .hint = std::move(hint), .where = where};
}

/// The id is part of addresses, so it may hold what they may.
Status checkName(const std::string& name)
{
    const Result<Address> address = parseAddress(name);
    if (!address || !address->variant.empty() || !address->tunables.empty() || name.starts_with('.') || name.starts_with('-'))
        return badInput(fmt::format("\"{}\" is not a valid kernel name.", name), "Use letters, digits, - and _.", name);
    KL_ASSIGN(const Catalog carried, Catalog::loadEmbedded());
    if (carried.family(name))
        return badInput(fmt::format("KernelLoop has a built-in kernel named {}.", name), "Choose another name.", name);
    return {};
}

std::string fillPlaceholders(std::string_view text, const std::string& name)
{
    std::string out;
    for (std::size_t at = text.find(kPlaceholder); at != std::string_view::npos; at = text.find(kPlaceholder)) {
        out += text.substr(0, at);
        out += name;
        text.remove_prefix(at + kPlaceholder.size());
    }
    return out += text;
}

} // namespace

Result<std::string> writeStarterFiles(const std::vector<StarterFile>& files, const std::string& name, const std::string& folder)
{
    KL_TRY(checkName(name));
    std::error_code failure;
    const fs::path target = fs::absolute(folder, failure).lexically_normal();
    if (fs::exists(target, failure) && !(fs::is_directory(target, failure) && fs::is_empty(target, failure)))
        return badInput(fmt::format("{} exists and is not an empty folder.", target.string()), "Choose another folder.", target.string());
    if (!fs::create_directories(target, failure) && failure)
        return badInput(fmt::format("{} cannot be created: {}.", target.string(), failure.message()), "Choose another folder.",
                        target.string());
    for (const StarterFile& file : files) {
        KL_ASSIGN(const std::string_view text, resource(file.resource));
        KL_TRY(writeFile(target / file.name, fillPlaceholders(text, name)));
    }
    return target.string();
}

Result<std::string> writeStarter(const std::string& starter, const std::string& name, const std::string& folder)
{
    KL_TRY(checkName(name));
    const std::string prefix = "resources/starters/" + starter + '/';
    std::vector<StarterFile> files;
    for (const std::string& part : resourcesUnder(prefix))
        files.push_back({part.substr(prefix.size()), part});
    if (files.empty())
        return badInput(fmt::format("There is no starter \"{}\".", starter), "Starters: elementwise, copy, reduction, matmul.", starter);
    files.push_back({"kernel.schema.json", kDescriptorSchema});
    KL_ASSIGN(const std::string target, writeStarterFiles(files, name, folder));
    return (fs::path(target) / kDescriptorName).string();
}

} // namespace kl::inline kernels
