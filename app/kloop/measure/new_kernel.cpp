// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "kernels/starter.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct NewKernelOptions {
    std::string name;
    std::string folder; ///< empty: a folder of the kernel's name
    std::string starter = "elementwise";
    bool keep = false; ///< register it, too
};

Result<int> writeKernel(Program& program, const NewKernelOptions& requested)
{
    KL_ASSIGN(const std::string descriptor,
              writeStarter(requested.starter, requested.name, requested.folder.empty() ? requested.name : requested.folder));
    if (requested.keep) {
        KL_ASSIGN(auto* store, program.store());
        KL_ASSIGN([[maybe_unused]] const KernelFamily kept, registerKernel(*store, descriptor));
    }
    const std::string next = fmt::format("kloop run {}", descriptor);
    if (!program.printAsJson(
            {{"schema", "kernelloop.new-kernel/1"}, {"descriptor", descriptor}, {"registered", requested.keep}, {"next", next}}))
        printText("Wrote {}\nNext:\n  {}\n  kloop watch {}   while you edit it\n", descriptor, next, descriptor);
    return 0;
}

} // namespace

Runner addNewKernel(CLI::App& app)
{
    const auto o = std::make_shared<NewKernelOptions>();
    app.add_option("NAME", o->name, "Its name: letters, digits, - and _")->required();
    app.add_option("--dir", o->folder, "Folder to write; must be empty or not exist (default: NAME)")->check(notBlank);
    app.add_option("--template", o->starter, "What to start from: elementwise, copy, reduction or matmul")
        ->check(CLI::IsMember({"elementwise", "copy", "reduction", "matmul"}))
        ->capture_default_str();
    app.add_flag("--add", o->keep, "Also register it");
    return [o](Program& program) { return writeKernel(program, *o); };
}

} // namespace kl::cli
