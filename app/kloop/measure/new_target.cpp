// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "sessions/target/target_starter.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct NewTargetOptions {
    std::string name;
    std::string folder; ///< empty: a folder of the target's name
    std::string starter = "pytorch";
    bool keep = false; ///< register it, too
};

Result<int> writeNewTarget(Program& program, const NewTargetOptions& requested)
{
    KL_ASSIGN(const std::string file,
              writeTarget(requested.starter, requested.name, requested.folder.empty() ? requested.name : requested.folder));
    if (requested.keep) {
        KL_ASSIGN(auto* store, program.store());
        KL_ASSIGN([[maybe_unused]] const KernelFamily kept, registerKernel(*store, file));
    }
    const std::string next = fmt::format("kloop session new N+1 \"Make it faster\" --kernel {}", file);
    if (!program.printAsJson({{"schema", "kernelloop.new-target/1"}, {"target", file}, {"registered", requested.keep}, {"next", next}}))
        printText("Wrote {}\nNext:\n  kloop trust add {}   allow its commands\n  {}\n", file, file, next);
    return 0;
}

} // namespace

Runner addNewTarget(CLI::App& app)
{
    const auto o = std::make_shared<NewTargetOptions>();
    app.add_option("NAME", o->name, "Its name: letters, digits, - and _")->required();
    app.add_option("--dir", o->folder, "Folder to write; must be empty or not exist (default: NAME)")->check(notBlank);
    app.add_option("--template", o->starter, "What to start from: pytorch, triton, cmake or command")
        ->check(CLI::IsMember(targetStarters()))
        ->capture_default_str();
    app.add_flag("--add", o->keep, "Also register it");
    return [o](Program& program) { return writeNewTarget(program, *o); };
}

} // namespace kl::cli
