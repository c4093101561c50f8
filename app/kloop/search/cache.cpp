// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/compile_files.h"
#include "core/base/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

Json infoJson(const FileCache::Info& info)
{
    return {{"schema", "kernelloop.cache/1"},
            {"folder", info.folder.string()},
            {"entries", info.entries},
            {"bytes", info.bytes},
            {"most_bytes", info.mostBytes}};
}

} // namespace

Result<int> commandCacheInfo(Program& program, const Options&)
{
    const FileCache::Info info = compileFiles().info();
    if (program.printed(infoJson(info)))
        return 0;
    if (info.folder.empty())
        printText("Nothing is kept: KERNELLOOP_CACHE_MB is 0, or neither XDG_CACHE_HOME nor HOME is set.\n");
    else
        printText("{}\n  {} entries of compiled code, {} of at most {} (KERNELLOOP_CACHE_MB)\n", info.folder.string(), info.entries,
                  formatBytes(static_cast<double>(info.bytes)), formatBytes(static_cast<double>(info.mostBytes)));
    return 0;
}

Result<int> commandCacheClear(Program& program, const Options&)
{
    const Result<FileCache::Info> removed = compileFiles().clear();
    if (!removed)
        return removed.error();
    if (!program.printed(infoJson(*removed)))
        printText("removed {} entries of compiled code, {}\n", removed->entries, formatBytes(static_cast<double>(removed->bytes)));
    return 0;
}

} // namespace kl
