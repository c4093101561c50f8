// SPDX-License-Identifier: MIT
#include "sessions/target/target_starter.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "kernels/starter.h"
#include "sessions/target/target_file.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline targeting {

const std::vector<std::string>& targetStarters()
{
    static const std::vector<std::string> all{"pytorch", "triton", "cmake", "command"};
    return all;
}

Result<std::string> writeTarget(const std::string& starter, const std::string& name, const std::string& folder)
{
    if (std::ranges::find(targetStarters(), starter) == targetStarters().end())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("There is no template \"{}\".", starter),
                     .hint = fmt::format("Templates: {}.", fmt::join(targetStarters(), ", ")),
                     .where = starter};
    std::vector<StarterFile> files;
    const std::string prefix = "resources/targets/" + starter + '/';
    for (const std::string& part : resourcesUnder(prefix))
        files.push_back({part.substr(prefix.size()), part});
    if (starter == "pytorch" || starter == "triton")
        files.push_back({"kloop_target.py", "resources/targets/helper/kloop_target.py"});
    files.push_back({"kernelloop.schema.json", kProjectSchema});
    KL_ASSIGN(const std::string written, writeStarterFiles(files, name, folder));
    return (std::filesystem::path(written) / kTargetFileName).string();
}

} // namespace kl::inline targeting
