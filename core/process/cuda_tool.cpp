// SPDX-License-Identifier: MIT
#include "core/process/cuda_tool.h"

#include <cstdlib>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>

namespace kl::inline process {

Result<std::filesystem::path> findCudaTool(const CudaTool& tool)
{
    namespace fs = std::filesystem;
    if (const char* own = std::getenv(tool.variable.c_str()); own && *own)
        return fs::path(own);
    const char* path = std::getenv("PATH");
    const char* toolkit = std::getenv("CUDA_HOME");
    std::istringstream folders(std::string(path ? path : "") + ':' + (toolkit ? toolkit : "") + "/bin:/usr/local/cuda/bin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const fs::path file = fs::path(folder) / tool.name; !folder.empty() && ::access(file.c_str(), X_OK) == 0)
            return file;
    return Error{.code = ErrorCode::environment,
                 .message = fmt::format("{} was not found on PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin.", tool.name),
                 .hint = fmt::format("It comes with the CUDA toolkit (package {} of NVIDIA's repository); set {} if it is elsewhere.",
                                     tool.package, tool.variable),
                 .where = tool.name};
}

} // namespace kl::inline process
