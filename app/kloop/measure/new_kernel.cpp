// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "kernels/starter.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {

Result<int> commandNewKernel(Program& program, const Options& options)
{
    const KernelOptions& asked = options.userKernels;
    const Result<std::string> descriptor = writeStarter(asked.starter, asked.name, asked.folder.empty() ? asked.name : asked.folder);
    if (!descriptor)
        return descriptor.error();
    if (asked.keep) {
        const Result<Store*> store = program.store();
        if (!store)
            return store.error();
        if (const Result<KernelFamily> kept = registerKernel(**store, *descriptor); !kept)
            return kept.error();
    }
    const std::string next = fmt::format("kloop run {}", *descriptor);
    if (!program.printed({{"schema", "kernelloop.new-kernel/1"}, {"descriptor", *descriptor}, {"registered", asked.keep}, {"next", next}}))
        printText("wrote {}\n{}\nkloop watch {}   while you edit it\n", *descriptor, next, *descriptor);
    return 0;
}

} // namespace kl
