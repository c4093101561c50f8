// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/compile_files.h"
#include "core/base/format.h"
#include "core/base/try.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

Json infoJson(const FileCache::Info& info)
{
    return {{"schema", "kernelloop.cache/1"},
            {"folder", info.folder.string()},
            {"entries", info.entries},
            {"bytes", info.bytes},
            {"most_bytes", info.mostBytes}};
}

Result<int> showCache(Program& program)
{
    const FileCache::Info info = compileFiles().info();
    if (program.printAsJson(infoJson(info)))
        return 0;
    if (info.folder.empty())
        printText("The cache is off: KERNELLOOP_CACHE_MB is 0, or neither XDG_CACHE_HOME nor HOME is set.\n");
    else
        printText("{}\n  {} entries of compiled code, {} of at most {} (KERNELLOOP_CACHE_MB)\n", info.folder.string(), info.entries,
                  formatBytes(static_cast<double>(info.bytes)), formatBytes(static_cast<double>(info.mostBytes)));
    return 0;
}

Result<int> clearCache(Program& program)
{
    KL_ASSIGN(const FileCache::Info removed, compileFiles().clear());
    if (!program.printAsJson(infoJson(removed)))
        printText("Removed {} entries of compiled code, {}.\n", removed.entries, formatBytes(static_cast<double>(removed.bytes)));
    return 0;
}

Runner addCacheInfo(CLI::App&)
{
    return showCache;
}

Runner addCacheClear(CLI::App&)
{
    return clearCache;
}

} // namespace

Runner addCache(CLI::App& app)
{
    return addCommands(app, {{"info", "Show where it is and how large", addCacheInfo}, {"clear", "Remove all of it", addCacheClear}});
}

} // namespace kl::cli
